"""What one compiled kernel stands for: kernels that share a text but not their constants, helpers or names are different kernels."""

import numpy as np
import pytest

import sdm
import sdm.language as sl
from sdm.errors import OperandError
from sdm.kernels.segment_sum import Item
from sdm.records import Place

ITEMS = sdm.sort(np.array([0, 1]), num_keys=2)
X = np.array([[1, -2], [3, 5]], np.float32)
FLAG = 1


def run(kernel, *more):
    out = np.full_like(X, 9)
    kernel(ITEMS, X, out, *more)
    return out.tolist()


def scaler(by):
    @sdm.function
    def scaled(row):
        return row * by

    return scaled


def with_helpers(a, b, c):
    f, g, h = a, b, c

    @sdm.kernel
    def k(items: sl.Sorted[Item], x: sl.Rows, out: sl.Rows):
        for group in items:
            out[group.segment] = f(x[group.segment]) + g(x[group.segment]) * h(x[group.segment])

    return k


def test_helpers_of_one_factory():
    two, three, five = scaler(2.0), scaler(3.0), scaler(5.0)
    for helpers in ((two, three, five), (five, three, two), (two, three, two), (two, three, three), (two, two, two)):
        a, b, c = (helper.function.__closure__[0].cell_contents for helper in helpers)
        assert run(with_helpers(*helpers)) == (X * a + (X * b) * (X * c)).tolist()


def test_defaults_of_a_helper():
    def make(value):
        @sdm.function
        def f(row, by=value, *, plus=value):
            return row * by + plus

        @sdm.kernel
        def k(items: sl.Sorted[Item], x: sl.Rows, out: sl.Rows):
            for group in items:
                out[group.segment] = f(x[group.segment])

        return k

    for value in (2.0, 3.0):
        assert run(make(value)) == (X * value + value).tolist()


def test_operations_by_another_name():
    def make(operation):
        @sdm.kernel
        def k(items: sl.Sorted[Item], x: sl.Rows, out: sl.Rows):
            for group in items:
                out[group.segment] = operation(x[group.segment], 2.0)

        return k

    assert run(make(sl.maximum)) == np.maximum(X, 2).tolist()
    assert run(make(sl.minimum)) == np.minimum(X, 2).tolist()


@sdm.kernel
def with_flag(items: sl.Sorted[Item], x: sl.Rows, out: sl.Rows):
    for group in items:
        out[group.segment] = x[group.segment] * (FLAG + 1 if FLAG is not None else 7)


def test_a_constant_of_the_module_that_changes(monkeypatch):
    for value, wanted in ((1, 2), (2, 3), (None, 7)):
        monkeypatch.setitem(globals(), "FLAG", value)
        assert run(with_flag) == (X * wanted).tolist()


@sdm.kernel
def constant(items: sl.Sorted[Item], x: sl.Rows, out: sl.Rows, c: sl.constexpr):
    for group in items:
        out[group.segment] = sl.full(x.width, c)


def test_constants_that_python_calls_equal():
    for value, wanted in ((1, 1.0), (1.0, 1.0), (np.float32(0.5), 0.5), (np.int64(3), 3.0)):
        assert run(constant, value) == np.full((2, 2), wanted).tolist()
    with pytest.raises(sdm.CompileError, match="a number for every column, got the constant True"):
        run(constant, True)
    for value in (0.0, -0.0):
        assert np.signbit(run(constant, value)).all() == np.signbit(value)


@pytest.mark.parametrize("value", ([1], {1: 2}, np.zeros(2), (1, [2]), 1j, b"x", len))
def test_what_is_no_constant(value):
    with pytest.raises(OperandError, match="c: expected a number, a bool, a string, None, a type or a tuple of them"):
        run(constant, value)


def test_places_compare_their_constants_to_the_bit():
    plus, minus = (Place("w", "f32", constant=value) for value in (0.0, -0.0))
    assert plus != minus and plus == Place("w", "f32", constant=0.0) and hash(plus) != hash(minus)


def test_a_kernel_without_outputs_is_a_no_op():
    @sdm.kernel
    def k(items: sl.Sorted[Item], x: sl.Rows, out: sl.Rows | None):
        for group in items:
            out[group.segment] = x[group.segment]

    bound = k.bind(ITEMS, X, None)
    bound.launch()
    bound.launch(records={"items": ITEMS})
    bound.done()
