"""Records that are made on the way: an object with get(ti) -> (records, event or None), and perhaps release(ti, event)."""

from __future__ import annotations

from sdm.errors import OperandError


class Provider:
    """Orders a step's launch behind the provider's event, and tells the provider when its records may be written again."""

    def __init__(self, source):
        self.source = source
        self.release = getattr(source, "release", None)

    def take(self, ti: int, stream):
        """The records of step ti; `stream` (torch's, None on the CPU) waits for their event and keeps their memory."""
        records, event = self.source.get(ti)
        if stream is not None:
            if event is not None:
                stream.wait_event(event)
            if hasattr(records, "record_stream") and records.is_cuda:
                records.record_stream(stream)
        return records

    def give_back(self, ti: int, stream) -> None:
        """After the launch: the event behind it, for the provider's next writes."""
        if self.release is None:
            return
        event = None
        if stream is not None:
            import torch

            event = torch.cuda.Event()
            event.record(stream)
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
