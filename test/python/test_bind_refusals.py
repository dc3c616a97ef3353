"""More operands that a kernel cannot take: what would read or write outside of an array, and options of the wrong kind."""

import decimal

import numpy as np
import pytest

import sdm
import sdm.language as sl
from sdm.errors import CheckError, OperandError
from sdm.kernels import rms_norm
from sdm.kernels.segment_sum import Item, segment_sum

ROWS = np.ones((6, 8), np.float32)


def norm(x=ROWS, weight=np.ones((1, 8), np.float32), rows=6, eps=1e-6):
    y = np.full((rows, 8), 7, np.float32)
    try:
        rms_norm.rms_norm(x, weight, y, eps)
    except OperandError:
        assert (y == 7).all()
        raise
    return y


@sdm.kernel
def count(items: sl.Sorted[Item], values: sl.Rows, out: sl.Rows, sizes: sl.Cells, by_group: sl.Cells, first: sl.i32):
    for group in items:
        out[group.segment] = values[0] * first
        sizes[group.chunk, group.index] = group.size
        by_group[group.index, group.chunk] = group.pos


class Call:
    def __init__(self, chunks=1):
        self.items = sdm.sort(np.tile(np.array([1, 0, 1], np.int32), (chunks, 1)) + 2 * np.arange(chunks, dtype=np.int32)[:, None], num_keys=2 * chunks)
        self.values, self.out = np.ones((3, 4), np.float32), np.zeros((2 * chunks, 4), np.float32)
        self.sizes, self.by_group = np.zeros((chunks, 3), np.int32), np.zeros((3, chunks), np.int32)

    def bind(self, first=1, **options):
        return count.bind(self.items, self.values, self.out, self.sizes, self.by_group, first, **options)

    def untouched(self):
        return not (self.out.any() or self.sizes.any() or self.by_group.any())

    def refuses(self, sentence, launch=None, **options):
        with pytest.raises(OperandError) as caught:
            self.bind(**options).launch(**(launch or {}))
        assert sentence in str(caught.value) and "\n" not in str(caught.value)
        assert self.untouched()


class TestExtents:
    def test_rows_of_a_walk_over_rows(self):
        with pytest.raises(OperandError, match="y: expected a row for each of the 6 of x along axis 0, got 5"):
            norm(rows=5)
        assert (norm(rows=7)[6] == 7).all()

    def test_constant_indices(self):
        with pytest.raises(OperandError, match="weight: expected index 0 .* within axis 0, got an extent of 0"):
            norm(weight=np.ones((0, 8), np.float32))
        norm(x=ROWS[:0], weight=np.ones((0, 8), np.float32))

    def test_a_condition_may_guard_a_constant_index(self):
        @sdm.kernel
        def guarded(x: sl.Rows, y: sl.Rows, z: sl.Rows):
            for row in sl.rows(x):
                if row < z.shape[0]:
                    y[row] = x[row] + z[row]
                else:
                    y[row] = x[row]

        y = np.zeros_like(ROWS)
        guarded(ROWS, y, ROWS[:2])
        assert y[:, 0].tolist() == [2, 2, 1, 1, 1, 1]

    def test_the_chunk_along_any_axis(self):
        call = Call(chunks=2)
        call.by_group = np.zeros((3, 1), np.int32)
        call.refuses("by_group: expected chunks 0 to 1 of the launch, got 1 from chunk 0")

    def test_other_records_with_more_keys(self):
        call = Call()
        more = sdm.sort(np.array([1, 900, 1], np.int32), num_keys=1000)
        call.refuses("out: expected at least 1000 along axis 0 (num_keys of items), got 2", launch={"records": {"items": more}})

    def test_other_records_in_memory_that_is_written(self):
        call = Call()
        planes = [np.zeros((1, 3), np.int32) for _ in range(3)] + [call.sizes]
        layout = sl.arrays(Item)
        bound = count.bind(sdm.bound(layout, *[np.zeros((1, 3), np.int32) for _ in range(4)]), call.values, call.out, call.sizes, call.by_group, 1)
        with pytest.raises(OperandError, match="sizes: expected memory of its own .* got memory that items uses"):
            bound.launch(records={"items": sdm.bound(layout, *planes)})
        assert call.untouched()


class TestFirstChunk:
    def test_operands_without_a_chunk_axis(self):
        for name in ("out", "values", "first"):
            Call().refuses(f"first_chunk: expected names of operands with a chunk axis, got '{name}'", first_chunk={name: 4})
        Call().refuses("first_chunk: expected names of operands with a chunk axis, got 'out'", launch={"first_chunk": {"out": 4}})

    def test_kinds(self):
        for value in ("1", 0.5, -1, 1 << 31, None, True):
            Call().refuses("first_chunk of sizes: expected a whole number from 0 to 2^31 - 1", first_chunk={"sizes": value})
            Call().refuses("first_chunk of sizes: expected a whole number from 0 to 2^31 - 1", launch={"first_chunk": {"sizes": value}})
        for value in (["sizes"], 3):
            Call().refuses("first_chunk: expected a dictionary", first_chunk=value)
            Call().refuses("records: expected a dictionary", launch={"records": value})

    def test_check_counts_from_it(self):
        @sdm.kernel
        def by_segment(items: sl.Sorted[Item], x: sl.Rows, out: sl.Cells):
            for group in items:
                for item in group:
                    out[group.chunk, item.index] = sl.sum(x[group.chunk, item.segment])

        items = sdm.bound(sl.arrays(Item), *sorted_planes([0, 1, 2]), first_chunk=5)
        x, out = np.ones((1, 2, 4), np.float32), np.zeros((1, 3), np.float32)
        bound = by_segment.bind(items, x, out, first_chunk={"x": 5, "out": 5}, check=True)
        with pytest.raises(CheckError, match=r"by_segment: items\[5, 2\]: expected segment within 0 .. 1 \(axis 1 of x\), got 2"):
            bound.launch()
        assert not out.any()


def sorted_planes(keys):
    records = sdm.sort(np.array(keys, np.int32), num_keys=max(keys) + 1)
    return records.key, records.index, records.ordinal, records.flags


class TestOptions:
    def test_targets(self):
        for target in ("sm_90", "sm_12", "cuda"):
            Call().refuses(f"target: expected host for arrays on cpu, got '{target}'", target=target)
        Call().bind(target="host").launch()

    def test_names_and_streams(self):
        Call().refuses("pdl: expected names of operands, got 'colour'", pdl=("colour",))
        Call().refuses("pdl: expected names of operands, got 'colour'", launch={"pdl": "colour"})
        Call().refuses("stream: expected a number or a stream of torch or cupy, got str", launch={"stream": "x"})
        Call().refuses("records: expected names of record lists, got 'out'", launch={"records": {"out": [1]}})
        Call().bind(schedule="nest").launch()


class TestNumbers:
    @pytest.mark.parametrize("eps", (1j, True, np.True_, np.str_("0.5"), np.datetime64("2020")))
    def test_no_numbers(self, eps):
        with pytest.raises(OperandError, match="eps: expected a number .f32., got "):
            norm(eps=eps)

    @pytest.mark.parametrize("eps", (1e39, -1e39, 10**400))
    def test_too_large(self, eps):
        with pytest.raises(OperandError, match="eps: expected a number that fits f32, got "):
            norm(eps=eps)

    def test_any_real_number_will_do(self):
        for eps in (decimal.Decimal("0.5"), np.float16(0.5), np.float64(0.5)):
            assert (norm(eps=eps) == norm(eps=0.5)).all()
        assert np.isnan(norm(eps=float("nan"))).all() and (norm(eps=float("inf")) == 0).all()

    @pytest.mark.parametrize("number", (1.5, float("nan"), float("inf"), 1j, True, 1 << 31, -(1 << 31) - 1, np.str_("1")))
    def test_whole_numbers(self, number):
        Call().refuses("first: expected a ", first=number)
        Call().bind(first=2.0).launch()


def test_masked_arrays():
    with pytest.raises(OperandError, match="values: expected an array without a mask"):
        segment_sum(sdm.sort(np.array([0]), num_keys=1), np.ma.ones((1, 4), np.float32), np.zeros((1, 4), np.float32))


@pytest.mark.parametrize("width", (64, 130, 1000))
def test_slices_of_other_records_go_where_those_say(width):
    """`done` adds planes with the operands that were bound; what a launch had elsewhere is added behind that launch."""

    @sdm.kernel
    def dots(items: sl.Sorted[Item], x: sl.Rows, out: sl.Cells):
        for group in items:
            for item in group:
                out[item.chunk, item.index] = sl.sum(x[item.segment])

    x = np.random.default_rng(0).standard_normal((3, width)).astype(np.float32)
    one, other = (sdm.bound(sl.arrays(Item), *sorted_planes(keys)) for keys in ([0, 1, 2, 0], [2, 2, 1, 0]))
    wanted, got = (np.zeros((1, 4), np.float32) for _ in range(2))
    bound = dots.bind(other, x, wanted)
    bound.launch()
    bound.done()
    bound = dots.bind(one, x, got)
    bound.launch(records={"items": other})
    bound.done()
    assert wanted.all() and (got.view(np.int32) == wanted.view(np.int32)).all()

    chunks = np.zeros((2, 4), np.float32)
    bound = dots.bind(sdm.bound(sl.arrays(Item), *sorted_planes([2, 2, 1, 0]), first_chunk=1), x, chunks)
    bound.launch(first_chunk={"out": 1})
    bound.done()
    assert (chunks[0].view(np.int32) == wanted[0].view(np.int32)).all() and not chunks[1].any()
