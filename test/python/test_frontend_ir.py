"""What programs become: the text of the dialect, and the arithmetic of integers evaluated."""

import itertools
import re

import pytest
from frontend_cases import PRELUDE, SPEC, accepted, in_group, load

from sdm.frontend.build import arguments, read


def text(directory, body, spec=None):
    """The module's text with SSA names as they come."""
    return accepted(directory, in_group(body), spec).text()


def names(directory, body):
    """Operation names in program order, from the walk's body on."""
    module = accepted(directory, in_group(body))
    return [name for name in module.operation_names() if name not in ("builtin.module", "func.func", "func.return")]


def test_carried_values_keep_their_order_and_type(tmp_path):
    body = """
    a = sl.zeros(x.width)
    count = 0
    for read in group:
        a = a + x[read.token]
        count += 1
    x[group.slot] = a * count
    """
    found = text(tmp_path, body)
    assert re.search(r"iter_args\(%\w+ = %\w+, %\w+ = %\w+\) : \(vector<1x128xf32>, i32\)", found)
    assert "arith.sitofp" in found and "vector.broadcast" in found


def test_unused_carried_values_go(tmp_path):
    body = """
    unused = sl.zeros(x.width)
    for read in group:
        unused = unused + x[read.token]
        c[group.chunk, read.token] = read.scale
    """
    found = text(tmp_path, body)
    assert "iter_args" not in found and "load_row" not in found


def test_stores_to_an_absent_operand_take_what_they_alone_use(tmp_path):
    assert names(tmp_path, "for read in group:\n    g[group.slot] = x[read.token] * 2.0") == []


def test_values_carried_from_an_absent_operand_are_not_carried(tmp_path):
    body = """
    a = sl.zeros(x.width)
    b = 0
    for read in group:
        a = a + g[read.token]
        b = b + read.lane
    g[group.slot] = a
    i[group.chunk, group.slot] = b
    """
    found = text(tmp_path, body)
    assert re.search(r"iter_args\(%\w+ = %\w+\) : \(i32\)", found) and "vector" not in found


def test_presence_is_constant(tmp_path):
    assert names(tmp_path, "if g is not None:\n    x[group.slot] = g[group.slot]") == []
    assert "sdm.store_row" in names(tmp_path, "if g is None:\n    x[group.slot] = 0.0")


def test_branches_on_scalars_have_results(tmp_path):
    body = """
    if n > 0:
        s = x[group.slot]
        t = 1
    else:
        s = row
        t = 2
    x[group.slot] = s * t
    """
    found = text(tmp_path, body)
    assert re.search(r"= scf.if %\w+ -> \(vector<1x128xf32>, i32\)", found)


def test_choices_of_cheap_values_are_selects(tmp_path):
    found = names(tmp_path, "x[group.slot] = row * (eps if n > 0 and n < 9 else 1.0)")
    assert "scf.if" not in found and found.count("arith.select") == 2


def test_choices_with_loads_are_branches(tmp_path):
    found = names(tmp_path, "if n > 0 and c[n, 0] > eps:\n    x[group.slot] = 0.0")
    assert found.count("scf.if") == 2
    assert found.index("scf.if") < found.index("sdm.load_cell")


def test_break_and_continue_become_flags(tmp_path):
    body = """
    a = 0
    for read in group:
        if read.token == 3:
            continue
        if read.token == 5:
            break
        a += read.lane
    i[group.chunk, group.slot] = a
    """
    found = text(tmp_path, body)
    assert re.search(r"iter_args\([^)]*\) : \(i32, i1\)", found) or re.search(r"iter_args\([^)]*\) : \(i1, i32\)", found)
    assert "scf.if" in found


def test_unrolled_loops_jump_on_constants(tmp_path):
    body = """
    for t in sl.static_range(10):
        if t == 1:
            continue
        if t == 3:
            break
        c[group.slot, t] = eps
    """
    found = text(tmp_path, body)
    constants = re.findall(r"arith.constant (\d+) : i32", found)
    assert constants == ["0", "2"]


def test_slices_give_the_row_type(tmp_path):
    for width, row in ((1, "1x4"), (128, "1x128"), (130, "2x68"), (200, "2x100"), (132, "2x68"), (260, "3x88"), (512, "4x128")):
        found = text(tmp_path, "x[group.slot] = row + 1.0", {"reads": "PACKED", **SPEC, "x": f"rows:bf16:{width}"})
        assert f"-> vector<{row}xbf16>" in found and f"vector<{row}xf32>" in found


def test_storage_types_are_extended_at_once_and_copied_by_bits(tmp_path):
    spec = {"reads": "PACKED", **SPEC, "x": "rows:bf16:128"}
    assert "sdm.store_row" in text(tmp_path, "x[group.slot] += 1.0", spec)
    copied = text(tmp_path, "x[group.slot] = sl.copy_row(x[n])", spec)
    assert "arith.extf" not in copied and re.search(r"sdm.store_row .*bits", copied)


def test_reductions_and_conditions(tmp_path):
    body = """
    z = sl.where(row > 0.0, row, sl.abs(row)) + sl.maximum(row, sl.sum(row)) - sl.minimum(row, sl.amax(row))
    c[group.slot, 0] = max(sl.max(z), sl.min(z)) if not n == 3 else float(1)
    """
    found = names(tmp_path, body)
    for name in ("arith.cmpf", "arith.select", "math.absf", "arith.maximumf", "arith.minimumf", "sdm.reduce"):
        assert name in found
    assert found.count("sdm.reduce") == 4


def test_shapes(tmp_path):
    body = "i[0, 0] = sl.i32(x.shape[0]) + x.shape[-1] + len(c.shape) + (1 if x.dtype is sl.f32 else 0)"
    with pytest.raises(Exception, match="'is'"):
        text(tmp_path, body)
    found = text(tmp_path, body.replace(" is sl", " == sl"))
    assert "sdm.dim %arg1, 0" in found and "arith.trunci" in found
    assert found.count("sdm.dim") == 1


def test_records_rows_and_several_walks(tmp_path):
    text_of = """
@sdm.kernel
def k(reads: sl.Sorted[Read], x: sl.Rows, c: sl.Cells, factor: sl.f32):
    twice = factor * 2.0
    for row in sl.rows(x):
        x[row] = x[row] * twice
    for record in sl.records(reads):
        c[record.chunk, record.pos] = record.scale * twice if record.valid else 0.0
"""
    found = accepted(tmp_path, text_of, {"reads": "SORTED", "x": "rows:f32:8", "c": "cells:f32:2", "factor": "f32"}).text()
    assert found.index("sdm.each_row") < found.index("sdm.each_record")
    # What stood before the walks is computed in each of them.
    assert found.count("arith.mulf %arg3") == 2


def test_scalars_in_memory_are_read_where_used(tmp_path):
    found = text(tmp_path, "x[group.slot] = row * eps", {"reads": "PACKED", **SPEC, "eps": "cells:f32:0"})
    assert "!sdm.cells<f32>" in found and re.search(r"sdm.load_cell %\w+\[\s*\]", found)


HELPERS = """
EPS = 0.25


@sdm.function
def half(v, by=EPS):
    if by == 0.25:
        return v * 0.5, by
    return v, by


@sdm.kernel
def k(reads: sl.Sorted[Read], x: sl.Rows):
    for group in reads:
        v, by = half(x[group.key])
        x[group.key] = v + by * SCALE * math.pi
"""


def test_helpers_are_inlined_with_both_places(tmp_path):
    module = load(tmp_path, PRELUDE + HELPERS)
    spec = {"reads": module.PACKED, "x": "rows:f32:8"}
    found = module.k.build(spec).text(locations=True)
    assert "callsite" in found
    assert {name.split(".")[-1]: value for name, value in module.k.constants.items()} == {"EPS": 0.25, "SCALE": 0.5, "pi": 3.141592653589793} or {
        "SCALE", "pi"} <= {name.split(".")[-1] for name in module.k.constants}  # fmt: skip


def test_fingerprint_follows_sources_and_constants(tmp_path):
    module = load(tmp_path, PRELUDE + HELPERS)
    before = module.k.fingerprint()
    assert before == module.k.fingerprint()
    module.SCALE = 0.75
    assert module.k.fingerprint() != before


def test_arguments_are_what_is_neither_absent_nor_constant(tmp_path):
    module = load(tmp_path, PRELUDE + in_group("pass"))
    assert arguments(module.k, {"reads": module.PACKED, **SPEC}) == ["reads", "x", "y", "c", "i", "n", "eps"]


# Integers, evaluated operation by operation.


def evaluate(function, n: int, type: str = "i32") -> int:
    """Runs the arith operations before the one store of cells, with `n` and `d` the i32 arguments; returns what is stored."""
    bits = int(type[1:])
    values = {function.regions[0].arguments[-2]: n[0], function.regions[0].arguments[-1]: n[1]}

    def wrap(value):
        return (value + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)

    def truncated(a, b):
        assert b != 0 and not (a == -(2 ** (bits - 1)) and b == -1), "undefined division"
        return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)

    (walk,) = [operation for operation in function.regions[0].operations if operation.name == "sdm.walk"]
    compare = [lambda a, b: a == b, lambda a, b: a != b, lambda a, b: a < b]
    for operation in walk.regions[0].operations:
        operands = [values.get(value) for value in operation.operands]
        name = operation.name.removeprefix("arith.")
        if operation.name == "sdm.store_cell":
            return operands[0]
        if name == "constant":
            result = int(operation.attributes["value"].split(" ")[0])
        elif name == "cmpi":
            result = compare[int(operation.attributes["predicate"].split(" ")[0])](*operands)
        elif name == "select":
            result = operands[1] if operands[0] else operands[2]
        elif name in ("andi", "ori", "xori"):
            result = {"andi": lambda a, b: a & b, "ori": lambda a, b: a | b, "xori": lambda a, b: a ^ b}[name](*operands)
        elif name == "divsi":
            result = truncated(*operands)
        elif name == "remsi":
            result = operands[0] - truncated(*operands) * operands[1]
        elif name in ("addi", "subi"):
            result = wrap(operands[0] + operands[1] * (1 if name == "addi" else -1))
        else:
            continue
        values[operation.results[0]] = result
    raise AssertionError("nothing is stored")


EDGES = [0, 1, -1, 2, -2, 3, -3, 7, -7, 2**31 - 1, -(2**31), 2**31 - 2, -(2**31) + 1]


@pytest.mark.parametrize("symbol", ["//", "%"])
def test_division_is_python_s(tmp_path, symbol):
    kernel = f"""
@sdm.kernel
def k(reads: sl.Sorted[Read], i: sl.Cells, n: sl.i32, d: sl.i32):
    for group in reads:
        i[0, 0] = n {symbol} d
"""
    module = load(tmp_path, PRELUDE + kernel)
    function = read(module.k, {"reads": module.PACKED, "i": "cells:i32:2", "n": "i32", "d": "i32"})
    for a, b in itertools.product(EDGES, EDGES):
        exact = 0 if b == 0 else (a // b if symbol == "//" else a % b)
        assert evaluate(function, (a, b)) == (exact + 2**31) % 2**32 - 2**31, (a, symbol, b)


@pytest.mark.parametrize("divisor", [1, 2, 7, -1, -5])
def test_division_by_constants(tmp_path, divisor):
    kernel = f"""
@sdm.kernel
def k(reads: sl.Sorted[Read], i: sl.Cells, n: sl.i32, d: sl.i32):
    for group in reads:
        i[0, 0] = n // ({divisor})
"""
    module = load(tmp_path, PRELUDE + kernel)
    function = read(module.k, {"reads": module.PACKED, "i": "cells:i32:2", "n": "i32", "d": "i32"})
    for a in EDGES:
        assert evaluate(function, (a, 0)) == (a // divisor + 2**31) % 2**32 - 2**31
