"""Calls of the mover seen before: a backward asks for the same shapes again and again, at other addresses, and waits for the host."""

from __future__ import annotations

import sys

import numpy as np

from sdm import options
from sdm.forms import ALIGNMENT, Form

# Forms that are kept; then all are forgotten.
MOST = 64
# Attributes of a Mover that hold arrays. One of a known form has `bound` alone: only a provider's records and conversions need the others.
ARRAYS = {"bank", "grad", "readings", "tokens", "words", "dots", "bound"}
_known: dict[tuple, tuple[dict, Form, tuple[int, ...]]] = {}


class Call:
    """What `make_gds` was given. key: all that decides how the call runs but its addresses; None for a call that is not of numpy arrays or
    dense tensors, plain numbers and no schedule."""

    def __init__(self, bank, grad, readings, words, records, dots, numbers: tuple, schedule):
        self.given = (bank, grad, readings, words, records, dots)
        self.addresses: list[int | None] = []
        self.key = self._key(numbers) if schedule == () and all(type(number) is int for number in numbers) else None

    def _key(self, numbers: tuple) -> tuple | None:
        torch = sys.modules.get("torch")
        parts: list = [options.current(), numbers]
        for array in self.given:
            if array is None:
                address = part = None
            elif type(array) is np.ndarray:
                address = array.ctypes.data
                part = (array.shape, array.strides, array.dtype, array.flags.writeable, address % ALIGNMENT)
            elif torch is not None and isinstance(array, torch.Tensor) and array.layout is torch.strided:
                address = array.data_ptr()
                part = (array.shape, array.stride(), array.dtype, array.device, address % ALIGNMENT)
            else:
                return None
            self.addresses.append(address)
            parts.append(part)
        return tuple(parts)

    def keep(self, mover) -> None:
        """Keeps what this call's Mover found out, without its arrays."""
        if self.key is None or mover.provider is not None or mover.converted is not None or mover.bound.check:
            return
        bank, grad, readings, words, records, dots = range(6)
        planes = (words, records) if mover.kind == "rec8" else (records,)
        order = tuple(i for i in (*planes, bank, readings, grad, dots) if self.given[i] is not None)
        views = [view for operand in mover.bound.operands.present for view in operand.views]
        # The view of a copy is another array's.
        if [view.pointer for view in views] != [self.addresses[i] for i in order]:
            return
        if len(_known) >= MOST:
            _known.clear()
        facts = {name: value for name, value in mover.__dict__.items() if name not in ARRAYS}
        _known[self.key] = {**facts, "geometry": mover.geometry}, Form(mover.bound), order

    def again(self, cls):
        """The Mover of this call where its form is known; None where it is not, or where arrays may share memory."""
        known = None if self.key is None else _known.get(self.key)
        if known is None:
            return None
        facts, form, order = known
        bound = form.at([(self.addresses[i], self.given[i]) for i in order])
        if bound is None:
            return None
        mover = object.__new__(cls)
        mover.__dict__.update(facts, bound=bound)
        return mover
