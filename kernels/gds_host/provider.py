"""Records that are made on the way: an object with get(ti) -> (records, event or None), and perhaps release(ti, event)."""

from __future__ import annotations

from sdm import arrays, streams
from sdm.bind import arrays_index
from sdm.errors import OperandError
from sdm.operands import Operands


class Provider:
    """Orders a step's launch behind the provider's event, and tells the provider when its records may be written again."""

    def __init__(self, source):
        self.source = source
        self.release = getattr(source, "release", None)

    def take(self, ti: int, operands: Operands):
        """The records of step ti; the stream of the launch waits for their event and keeps their memory. On the CPU nothing waits."""
        given = self.source.get(ti)
        if not isinstance(given, (tuple, list)) or len(given) != 2:
            raise OperandError(f"qrec: expected (records, event or None) from the provider's get({ti}), got {type(given).__name__}")
        records, event = given
        stream = streams.torch_stream(operands)
        if stream is not None:
            if event is not None:
                stream.wait_event(event)
            # Whatever stream they were made on: their memory is not given to others before this launch is done.
            if arrays.is_torch(records) and records.is_cuda:
                records.record_stream(stream)
        elif event is not None and operands.device != "cpu":
            streams.wait(arrays_index(operands.device), event)
        return records

    def give_back(self, ti: int, operands: Operands) -> None:
        """After the launch: an event behind it, for the provider's next writes; None on the CPU, where the launch is over."""
        if self.release is None:
            return
        stream = streams.torch_stream(operands)
        if stream is not None:
            import torch

            event = torch.cuda.Event()
            event.record(stream)
        else:
            event = None if operands.device == "cpu" else streams.Event(arrays_index(operands.device))
        self.release(ti, event)


def split(qrec):
    """(provider or None, records known now or None) of what was given for qrec.

    A provider that built all its records with one launch before the loop (events None, rec8 an array, no release) counts as records.
    """
    if qrec is None:
        return None, None
    if not callable(getattr(qrec, "get", None)):
        if hasattr(qrec, "shape"):
            return None, qrec
        raise OperandError(f"qrec: expected records (an int32 array or a provider with get(ti)), got {type(qrec).__name__}")
    ready = getattr(qrec, "rec8", None)
    if getattr(qrec, "events", 0) is None and getattr(qrec, "release", None) is None and hasattr(ready, "shape"):
        return None, ready
    return Provider(qrec), None
