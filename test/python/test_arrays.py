"""Views of arrays: where they lie, overlaps, alignment, other shapes."""

import ml_dtypes
import numpy as np
import pytest

from sdm import arrays, dlpack
from sdm.reshape import reshape


def test_numpy():
    a = np.zeros((3, 4), np.float32)[::2, 1:]
    v = arrays.view(a)
    assert (v.pointer, v.shape, v.strides, v.dtype, v.device, v.readonly) == (a.ctypes.data, (2, 3), (32, 4), "f32", "cpu", False)


@pytest.mark.parametrize("dtype, name", [(ml_dtypes.bfloat16, "bf16"), (np.float16, "f16"), (np.int64, "i64"), (np.int32, "i32"), (bool, "bool")])
def test_types(dtype, name):
    assert arrays.view(np.zeros(2, dtype)).dtype == name


def test_read_only():
    a = np.zeros(3)
    a.flags.writeable = False
    assert arrays.view(a).readonly


@pytest.mark.parametrize("array", [np.zeros(2, ">f4"), np.zeros(2, "S3"), [1.0], 3, None])
def test_what_is_no_array(array):
    with pytest.raises(TypeError, match="expected"):
        arrays.view(array)


class Exported:
    """An object that has DLPack and nothing else."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


@pytest.mark.parametrize("array", [np.arange(12.0, dtype=np.float32).reshape(3, 4)[:, 1:], np.arange(5), np.zeros((2, 3), np.float16)])
def test_dlpack(array):
    found, wanted = arrays.view(Exported(array)), arrays.view(array)
    assert (found.pointer, found.shape, found.strides, found.dtype, found.device) == (
        wanted.pointer, wanted.shape, wanted.strides, wanted.dtype, wanted.device
    )  # fmt: skip


def test_dlpack_keeps_memory():
    v = dlpack.view(Exported(np.full(3, 7.0)))
    assert np.frombuffer((__import__("ctypes").c_double * 3).from_address(v.pointer), np.float64).tolist() == [7.0] * 3


def v(array):
    return arrays.view(array)


class TestOverlap:
    base = np.zeros((8, 8), np.float32)

    def test_the_same(self):
        assert arrays.overlap(v(self.base), v(self.base[3:, 2:4]))

    def test_interleaved_columns(self):
        assert not arrays.overlap(v(self.base[:, :4]), v(self.base[:, 4:]))
        assert not arrays.overlap(v(self.base[::2]), v(self.base[1::2]))
        assert arrays.overlap(v(self.base[:, :5]), v(self.base[:, 4:]))

    def test_others(self):
        assert not arrays.overlap(v(self.base), v(np.zeros(4)))
        assert not arrays.overlap(v(self.base[:0]), v(self.base))

    def test_backwards(self):
        assert arrays.overlap(v(self.base[::-1]), v(self.base[:1]))
        assert v(self.base[::-1]).bounds() == v(self.base).bounds()

    @pytest.mark.parametrize("shape, strides, overlaps", [
        ((8, 8), (32, 4), False), ((8, 8), (0, 4), True), ((1, 8), (0, 4), False), ((4, 8), (16, 4), True), ((3, 2), (4, 12), False),
        ((3, 2), (4, 8), True), ((0, 9), (0, 0), False), ((4,), (2,), True),
    ])  # fmt: skip
    def test_self(self, shape, strides, overlaps):
        a = arrays.ArrayView(1 << 20, shape, strides, "f32", "cpu")
        assert arrays.overlaps_itself(a) == overlaps


class TestPieces:
    @pytest.mark.parametrize("width, size, piece", [
        (128, 2, 16), (128, 4, 16), (200, 2, 8), (200, 4, 16), (132, 2, 8), (132, 4, 16), (130, 2, 4), (130, 4, 8), (1, 2, 2), (3, 2, 2),
        (3, 4, 4), (1000, 2, 16), (64, 2, 16),
    ])  # fmt: skip
    def test_natural(self, width, size, piece):
        assert arrays.natural_piece(width, 8 * size) == piece

    @pytest.mark.parametrize("pointer, stride, piece", [(0, 256, 16), (8, 256, 8), (4, 256, 4), (2, 256, 2), (0, 264, 8), (0, 258, 2)])
    def test_of_base_and_strides(self, pointer, stride, piece):
        assert arrays.piece(arrays.ArrayView(1 << 20 | pointer, (4, 128), (stride, 2), "bf16", "cpu")) == piece

    def test_an_axis_of_one_does_not_count(self):
        assert arrays.piece(arrays.ArrayView(1 << 20, (1, 128), (6, 2), "bf16", "cpu")) == 16


class TestReshape:
    def check(self, array, shape):
        found = reshape(v(array), shape)
        wanted = array.reshape(shape)
        assert found.shape == wanted.shape
        if np.shares_memory(wanted, array) and wanted.size:
            assert all(a == b for a, b, n in zip(found.strides, wanted.strides, shape) if n > 1)

    def test_dense(self):
        a = np.zeros((4, 6, 5), np.float32)
        for shape in ((24, 5), (4, 30), (2, 2, 6, 5), (120,), (4, 6, 5, 1), (1, 4, 3, 2, 5)):
            self.check(a, shape)

    def test_strided(self):
        a = np.zeros((8, 6, 9), np.float32)[::2, :, :5]
        self.check(a, (2, 2, 6, 5))
        self.check(a[:, 0], (4, 1, 5))
        assert reshape(v(a), (4, 30)) is None
        assert reshape(v(a), (4, 31)) is None

    def test_empty(self):
        assert reshape(v(np.zeros((0, 3))), (0, 7)).shape == (0, 7)


def test_torch_is_not_imported():
    import subprocess
    import sys

    code = "import sys, numpy as np, sdm, sdm.kernels.gds; sdm.sort(np.array([1, 0]), num_keys=2); assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


class Refuses:
    def __init__(self, answer):
        self.answer = answer

    def __dlpack__(self, **options):
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.parametrize("answer", (BufferError("cannot export"), RuntimeError("requires gradient"), 3, None))
def test_what_dlpack_refuses(answer):
    with pytest.raises(TypeError, match="expected an array that DLPack can export, got Refuses"):
        arrays.view(Refuses(answer))


def test_dlpack_of_the_first_kind():
    class Old(Exported):
        def __dlpack__(self):
            return self.array.__dlpack__()

    v = arrays.view(Old(np.full((2, 3), 7, np.int32)))
    assert (v.shape, v.dtype, v.readonly) == ((2, 3), "i32", False)


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.1.0", reason="numpy exports read-only arrays from 2.1 on")
def test_dlpack_tells_what_is_read_only():
    x = np.zeros((2, 3), np.float32)
    assert not arrays.view(Exported(x)).readonly
    x.flags.writeable = False
    assert arrays.view(Exported(x)).readonly
