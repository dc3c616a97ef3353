"""When the planes of a split kernel's slices can be added: with all others in `done`, or only right behind a launch."""

from __future__ import annotations

from sdm.accesses import Access
from sdm.frontend.specs import CellsSpec
from sdm.operands import Operand, Operands


def can_wait(bound: Operands, now: Operands, accesses: tuple[Access, ...]) -> bool:
    """Whether `done`, which has the operands as they were bound, finds cells and records where a launch with others had them: the
    member-level cells themselves, and the planes that their indices and the invalid flag are read from."""
    for access in accesses:
        if not (access.store and access.member and isinstance(bound.present[access.operand].spec, CellsSpec)):
            continue
        pairs = [(bound.present[access.operand], now.present[access.operand], 0)]
        walked = bound.present[access.walked]
        if walked.records is not None:
            pairs += [(walked, now.present[access.walked], plane) for plane in _planes(walked, access)]
        if any(_base(was, plane) != _base(is_now, plane) for was, is_now, plane in pairs):
            return False
    return True


def _planes(walked: Operand, access: Access) -> set[int]:
    layout = walked.records.layout
    fields = {"field": None, "key": layout.record.key, "index": "$index", "ordinal": "$ordinal"}
    names = [fields[place.kind] or place.name for place in access.indices if place.kind in fields]
    places = [layout.field(name) for name in (*names, "$invalid")]
    return {place.plane for place in places if place is not None and place.constant is None}


def _base(operand: Operand, plane: int) -> tuple[int, int]:
    """Where chunk 0 would be, and how far the chunks are apart."""
    view = operand.views[plane]
    stride = view.strides[0] if view.rank else 0
    return view.pointer - operand.first_chunk * stride, stride
