"""Sorted record lists as plain arrays of fields, and the three layouts that carry them.

Word of a packed record, low to high: bits 0-7 read lane, 8 ignored, 9-16 token, 17 INVALID, 18-29 ignored, 30 LAST, 31 FIRST.
qrec: int32 [N, n, 4] = {word, slot, scale bits, 0}. rec8: int32 [N, n, 2] = {slot, scale bits} beside the words, int32 [N, n].
"""

import dataclasses

import numpy as np

FIRST, LAST, INVALID = 1 << 31, 1 << 30, 1 << 17


@dataclasses.dataclass(frozen=True)
class RecordArrays:
    """N lists of n records, each sorted by key; invalid records come last. All arrays [N, n] (chunk, position).

    key int64 (0 where invalid); valid, first, last bool (first / last of its group; both where invalid); fields by name; index int64, the
    position in the unsorted list, and ordinal int64, which group of its chunk (-1 where invalid): None where the layout has none.
    """

    key: np.ndarray
    valid: np.ndarray
    first: np.ndarray
    last: np.ndarray
    fields: dict
    index: np.ndarray | None = None
    ordinal: np.ndarray | None = None

    @property
    def shape(self):
        """(chunks N, positions n)."""
        return self.key.shape


def flags(key, valid):
    """(first, last) of sorted keys [N, n]: groups are runs of one key; an invalid record is a group of its own."""
    first = np.ones(key.shape, bool)
    first[:, 1:] = (key[:, 1:] != key[:, :-1]) | ~valid[:, 1:] | ~valid[:, :-1]
    last = np.ones(key.shape, bool)
    last[:, :-1] = first[:, 1:]
    return first, last


def sort_records(keys, num_keys, valid=None, **fields):
    """Unsorted integer keys [n] or [N, n] and fields of that shape, to RecordArrays; stable.

    A key outside [0, num_keys), or one that the mask `valid` leaves out, is an invalid record. 1-D keys are one chunk.
    """
    keys = np.atleast_2d(np.asarray(keys)).astype(np.int64)
    ok = (keys >= 0) & (keys < num_keys)
    if valid is not None:
        ok &= np.atleast_2d(np.asarray(valid, bool))
    index = np.argsort(np.where(ok, keys, num_keys), axis=1, kind="stable")
    pick = lambda a: np.take_along_axis(np.broadcast_to(np.atleast_2d(np.asarray(a)), keys.shape), index, 1)  # noqa: E731
    ok = pick(ok)
    key = np.where(ok, pick(keys), 0)
    first, last = flags(key, ok)
    ordinal = np.where(ok, np.cumsum(first, axis=1) - 1, -1)
    return RecordArrays(key, ok, first, last, {name: pick(a) for name, a in fields.items()}, index, ordinal)


def decode_words(spay):
    """(lane, token, invalid, last, first) of record words, int32 of any shape."""
    w = np.asarray(spay).view(np.uint32)
    bit = lambda mask: (w & np.uint32(mask)) != 0  # noqa: E731
    return (w & 255).astype(np.int64), ((w >> 9) & 255).astype(np.int64), bit(INVALID), bit(LAST), bit(FIRST)


def _decode(spay, slot, scale):
    lane, token, invalid, last, first = decode_words(np.ascontiguousarray(spay))
    fields = {"token": token, "lane": lane, "scale": np.ascontiguousarray(scale).view(np.float32)}
    return RecordArrays(np.where(invalid, 0, slot.astype(np.int64)), ~invalid, first, last, fields)


def decode_qrec(rec):
    """qrec int32 [N, n, 4] to RecordArrays with fields token, lane (int64) and scale (f32)."""
    return _decode(rec[..., 0], rec[..., 1], rec[..., 2])


def decode_rec8(spay, rec):
    """Words int32 [N, n] and rec8 int32 [N, n, 2] to RecordArrays, as `decode_qrec`."""
    return _decode(spay, rec[..., 0], rec[..., 1])


def encode_words(r, rng=None):
    """Record words int32 [N, n] of RecordArrays with fields token and lane. The ignored bits hold what real words do (bit 8 set, the
    distance to the group's FIRST, at most 4095), or noise from a numpy Generator. Errors: a token or lane above 255."""
    token, lane = (np.asarray(r.fields[name]).astype(np.int64) for name in ("token", "lane"))
    if token.size and (max(token.max(), lane.max()) > 255 or min(token.min(), lane.min()) < 0):
        raise ValueError("expected tokens and lanes of 0 to 255")
    pos = np.broadcast_to(np.arange(r.shape[1]), r.shape)
    distance = pos - np.maximum.accumulate(np.where(r.first, pos, 0), axis=1)
    ignored = (1 << 8) | (np.minimum(distance, 4095) << 18)
    if rng is not None:
        ignored = rng.integers(0, 1 << 31, r.shape) & ((1 << 8) | (0xFFF << 18))
    word = lane | (token << 9) | ignored
    for flag, mask in ((~r.valid, INVALID), (r.last, LAST), (r.first, FIRST)):
        word = word | np.where(flag, mask, 0)
    return word.astype(np.uint32).view(np.int32)


def encode_rec8(r, rng=None):
    """(words int32 [N, n], rec8 int32 [N, n, 2]) of RecordArrays with fields token, lane, scale; slot and scale 0 where invalid."""
    slot = np.where(r.valid, r.key, 0).astype(np.int32)
    scale = np.where(r.valid, np.asarray(r.fields["scale"], np.float32).view(np.int32), 0).astype(np.int32)
    return encode_words(r, rng), np.stack([slot, scale], -1)


def encode_qrec(r, rng=None):
    """(words int32 [N, n], qrec int32 [N, n, 4]) of RecordArrays, as `encode_rec8`."""
    spay, rec = encode_rec8(r, rng)
    return spay, np.concatenate([spay[..., None], rec, np.zeros_like(spay)[..., None]], -1)
