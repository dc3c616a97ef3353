"""One program for every error of the table: its code, place, caret and sentence."""

import textwrap

import pytest
from frontend_cases import PRELUDE, SPEC, in_group, load, rejected

from sdm.frontend.errors import TABLE

# code -> (statements of a group's body with the offending characters marked, a part of the sentence)
IN_GROUP = {
    "statement": ("«while n > 0:»\n    pass", "cannot hold a 'while'; allowed are assignments"),
    "expression": ("z = «[1, 2]»", "cannot hold a list; allowed are"),
    "expression-statement": ("«sl.dot(row, row)»", "store it, as in 'out[index] = value'"),
    "operator": ("z = «row % 2»", "'%' has no meaning for a row of 128 columns and the constant 2"),
    "unary-operator": ("z = «~row»", "'~' has no meaning for a row of 128 columns"),
    "integer-division": ("z = «n / 2»", "use '//' or convert one with sl.f32(x)"),
    "division-by-zero": ("z = «n // 0»", "divided by zero"),
    "comparison": ("z = «row < None»", "'<' cannot compare a row of 128 columns with the constant None"),
    "condition": ("if «n»:\n    pass", "expected a condition (a comparison, a flag or a constant), got an i32 scalar"),
    "width": ("z = «row + y[group.slot]»", "rows of 128 and 64 columns"),
    "assign-target": ("«group.slot» = 1", "cannot assign to an attribute"),
    "unpack": ("«a, b» = row", "cannot unpack a row of 128 columns into 2 names"),
    "constant": ("z = «n + 3000000000»", "constant 3000000000 does not fit i32"),
    "undefined": ("z = «nowhere»", "name 'nowhere' is not defined here"),
    "after-loop": ("for read in group:\n    t = read.token\nz = «t»", "belongs to the loop on line"),
    "one-branch": ("if n > 0:\n    t = 1\nz = «t»", "assigned in only one branch of the 'if' on line"),
    "not-constant": ("z = «ITEMS»", "'ITEMS' is a list from outside the kernel"),
    "field": ("for read in group:\n    z = «read.weight»", "records of type Read have no field 'weight'; it has 'slot', 'token'"),
    "group-field": ("z = «group.token»", "'token' differs from member to member"),
    "no-place": ("z = «group.index»", "the layout of Read given here has no ordinals of groups, which 'index' needs"),
    "attribute": ("z = «x.strides»", "the rows 'x' has no attribute 'strides'; it has width, shape, dtype"),
    "absent-load": ("y[group.slot] = sl.dot(row, «g[group.slot]»)", "operand 'g' is absent here, so it cannot be read"),
    "index-count": ("z = «x[0, 1]»", "'x' has 1 index axes, got 2 indices"),
    "index-type": ("z = «x[1.0]»", "an index must be an i32 or i64 scalar, got the constant 1.0"),
    "not-indexable": ("z = «row[0]»", "a row of 128 columns cannot be indexed"),
    "index-negative": ("z = «x[-1]»", "an index counts from 0 (there is none from the end), got -1"),
    "slice": ("z = x[«0:1»]", "slices have no meaning here"),
    "store-type": ("«x[group.slot]» = None", "cannot store the constant None to 'x'; it takes rows of 128 columns"),
    "store-scalar": ("«row[0]» = 1.0", "cannot store to a row of 128 columns"),
    "copy-row": ("z = «sl.copy_row(row + 1.0)»", "takes a row straight from an operand"),
    "for-iterable": ("for z in «n»:\n    pass", "cannot loop over an i32 scalar"),
    "for-target": ("for «a, b» in group:\n    pass", "must be a plain name"),
    "for-else": ("for read in group:\n    pass\nelse:\n    «pass»", "'else' on a loop has no meaning"),
    "walk-place": ("for other in «reads»:\n    pass", "must stand at the kernel's top level"),
    "members-place": ("for read in group:\n    for other in «group»:\n        pass", "not inside another member loop"),
    "carried-type": ("acc = 0\nfor read in group:\n    «acc» = acc + read.scale", "'acc' is the constant 0 (i32) before the loop and an f32 scalar after one turn"),
    "carried-kind": ("z = x\nfor read in group:\n    «z» = y", "'z' is the rows 'x', which a loop cannot carry"),
    "branch-type": ("if n > 0:\n    z = row\nelse:\n    «z» = 1", "'z' is a row of 128 columns in one branch and the constant 1 in the other"),
    "branches": ("z = «row if n > 0 else 1»", "the two sides of this choice are a row of 128 columns and the constant 1"),
    "jump": ("«break»", "'break' has a meaning only in a loop over the members of a group"),
    "return": ("«return»", "'return' is allowed only as the last statement"),
    "static": ("z = «sl.zeros(n)»", "the width of a row must be known when the kernel is compiled, got an i32 scalar"),
    "assertion": ("«assert x.width == 64, 'narrow rows only'»", "assertion failed: narrow rows only"),
    "unroll": ("for t in «sl.static_range(5000)»:\n    pass", "sl.static_range unrolls 5000 turns; at most 1024"),
    "not-callable": ("z = «n(1)»", "an i32 scalar cannot be called"),
    "python-call": ("z = «plain(row)»", "'plain' is Python's and does not run inside a kernel"),
    "kernel-call": ("z = «k(reads)»", "kernel 'k' cannot be called from a kernel"),
    "arguments": ("z = «sl.dot(row)»", "sl.dot(x, m) got arguments that do not fit: missing a required argument: 'm'"),
    "star": ("z = sl.dot(«*row»)", "'*' and '**' have no meaning in a call here"),
    "argument-type": ("z = «sl.dot(row, 1.0)»", "sl.dot takes rows, got the constant 1.0"),
}  # fmt: skip

TOP = "@sdm.kernel\ndef k(reads: sl.Sorted[Read], x: sl.Rows):\n"
TOP_SPEC = {"reads": "PACKED", "x": "rows:f32:128"}

# code -> (a whole kernel, operand types, a part of the sentence)
WHOLE = {
    "no-annotation": ("@sdm.kernel\ndef k(«x»):\n    pass\n", {}, "parameter 'x' needs an annotation"),
    "bad-annotation": ("@sdm.kernel\ndef k(«x: int»):\n    pass\n", {}, "the annotation of 'x' is not one that a kernel knows"),
    "bad-parameter": ("@sdm.kernel\ndef k(*«x: sl.Rows»):\n    pass\n", {}, "not '*x' or '**x'"),
    "missing-operand": ("@sdm.kernel\ndef k(«x: sl.Rows»):\n    pass\n", {}, "no type was given for operand 'x'; name one, for example x=rows:bf16:128"),
    "wrong-operand": ("@sdm.kernel\ndef k(«x: sl.Rows»):\n    pass\n", {"x": "f32"}, "operand 'x' is sl.Rows, got f32"),
    "layout-record": (
        "@sdm.kernel\ndef k(«reads: sl.Sorted[Other]»):\n    pass\n", {"reads": "PACKED"},
        "operand 'reads' takes records of type Other, got a layout of Read",
    ),
    "not-a-def": ("«k = sdm.kernel(lambda reads: 0)»\n", {}, "expected a function defined by 'def'"),
    "rows-rank": (TOP + "    for r in «sl.rows(x)»:\n        pass\n", {**TOP_SPEC, "x": "rows:f32:?x?x128"}, "sl.rows takes rows of rank 2, got rank 3"),
    "top-level": (TOP + "    «x[0]» = 1.0\n", TOP_SPEC, "this needs a walk around it"),
    "carried-walk": (
        TOP + "    z = 0\n    for group in reads:\n        «z» = z + 1\n", TOP_SPEC,
        "'z' has a value from outside this walk; nothing is carried from group to group",
    ),
    "recursion": (
        "@sdm.function\ndef f(a):\n    return «f(a)»\n\n\n" + TOP + "    for group in reads:\n        z = f(x[0])\n", TOP_SPEC,
        "helpers are inlined, so 'f' cannot call itself",
    ),
}  # fmt: skip

# Raised without a program text of this kind; each has a test of its own below or beside.
ELSEWHERE = {"no-source", "stale-source", "too-deep", "verifier"}


def check(error, marked, code, part):
    assert error.code == code, error
    assert part in error.sentence, error.sentence
    place, source, caret = str(error).split("\n")[:3]
    assert place.endswith(f":{marked.line}:{marked.column}: error: {error.sentence}"), (place, marked)
    assert source == marked.text.split("\n")[marked.line - 1]
    assert caret == " " * (marked.column - 1) + "^" + "~" * (len(marked.token) - 1), f"\n{source}\n{caret}"


@pytest.mark.parametrize("code", IN_GROUP)
def test_error_in_a_group(tmp_path, code):
    body, part = IN_GROUP[code]
    error, marked = rejected(tmp_path, in_group(body))
    check(error, marked, code, part)


@pytest.mark.parametrize("code", WHOLE)
def test_error_of_a_whole_kernel(tmp_path, code):
    text, spec, part = WHOLE[code]
    error, marked = rejected(tmp_path, text, spec)
    check(error, marked, code, part)


@pytest.mark.parametrize("value", ["10**400", "1e39", "-2e38 * 2"])
def test_constants_past_f32(tmp_path, value):
    for store in ("c[group.slot, 0]", "x[group.slot]"):
        error, _ = rejected(tmp_path, in_group(f"«{store}» = {value}"))
        assert error.code == "constant" and "does not fit f32" in error.sentence and len(error.sentence) < 150


def test_every_error_has_a_program():
    assert {*IN_GROUP, *WHOLE, *ELSEWHERE} == set(TABLE)


def test_sentences_are_one_line_and_say_what_is_allowed():
    for code, sentence in TABLE.items():
        assert "\n" not in sentence and not sentence.endswith("."), code


def test_kernel_without_source():
    names = {}
    exec("import sdm\nimport sdm.language as sl\n@sdm.kernel\ndef k(x: sl.Rows):\n    pass\n", names)
    import sdm

    with pytest.raises(sdm.CompileError, match="the source of kernel 'k' cannot be read; define it in a file") as found:
        names["k"].build({"x": "rows:f32:128"})
    assert found.value.code == "no-source"


def test_lambdas_in_any_place(tmp_path):
    import sdm

    for text in ("kernels = [\n    sdm.kernel(lambda x: 0)]\n", "kernels = dict(\n    a=sdm.kernel(lambda x: 0), b=1)\n"):
        kernels = load(tmp_path, PRELUDE + text).kernels
        kernel = kernels[0] if isinstance(kernels, list) else kernels["a"]
        with pytest.raises(sdm.CompileError) as found:
            kernel.build({"x": "rows:f32:128"})
        assert found.value.code == "not-a-def"


def test_a_file_that_changed_since(tmp_path):
    import os

    import sdm

    module = load(tmp_path, PRELUDE + TOP + "    pass\n")
    with open(module.__file__, "w") as file:
        file.write(PRELUDE + "@sdm.kernel\ndef other(x: sl.Rows):\n    pass\n")
    os.utime(module.__file__, (1, 1))
    with pytest.raises(sdm.CompileError, match="the file has changed since 'k' was defined; import it again") as found:
        module.k.build({"x": "rows:f32:128"})
    assert found.value.code == "stale-source"


def test_what_is_nested_too_deeply(tmp_path):
    import sdm

    sides = " + ".join(["row"] * 1500)
    ladder = "if n == 0:\n    pass\n" + "".join(f"elif n == {i}:\n    pass\n" for i in range(1, 400))
    for body in (f"z = {sides}", f"for read in group:\n{textwrap.indent(ladder, '    ')}"):
        module = load(tmp_path, PRELUDE + in_group(body))
        with pytest.raises(sdm.CompileError, match="nested too deeply to be read") as found:
            module.k.build({"reads": module.PACKED, **SPEC})
        assert found.value.code == "too-deep" and "\n" in str(found.value)


def test_the_decorators_take_plain_functions():
    import functools

    import sdm

    def plain(x):
        pass

    @functools.wraps(plain)
    def wrapped(x):
        pass

    for found in (5, int, len, functools.partial(plain), sdm.kernel(plain), {}):
        with pytest.raises(TypeError, match="marks a function that 'def' makes"):
            sdm.kernel(found)
        with pytest.raises(TypeError, match="marks a function that 'def' makes"):
            sdm.function(found)
    with pytest.raises(TypeError, match="a decorator below it would have no effect; put it above"):
        sdm.kernel(wrapped)


def test_inlined_calls_are_named(tmp_path):
    text = (
        "@sdm.function\ndef inner(a):\n    return «a / None»\n\n\n"
        "@sdm.function\ndef outer(a):\n    return inner(a)\n\n\n"
        "@sdm.kernel\ndef k(x: sl.Rows):\n    for r in sl.rows(x):\n        x[r] = outer(x[r])\n"
    )
    error, marked = rejected(tmp_path, text, {"x": "rows:f32:128"})
    check(error, marked, "operator", "'/' has no meaning for a row of 128 columns and the constant None")
    lines = str(error).split("\n")
    assert [line.split(": ")[-1] for line in lines if "called from here" in line] == ["called from here"] * 2
    assert [lines[at + 1].strip() for at, line in enumerate(lines) if "called from" in line] == [
        "return inner(a)",
        "x[r] = outer(x[r])",
    ]
    assert lines[-1].strip() == "^" + "~" * (len("outer(x[r])") - 1)


def test_an_error_of_the_verifier_prints_the_kernel_line(tmp_path):
    from sdm.frontend.errors import from_diagnostics

    path = tmp_path / "k.py"
    path.write_text("first\n    second = 1\n")
    found = from_diagnostics([("error", "expected one writer", [(str(path), 2, 5)])])
    assert str(found) == f"{path}:2:5: error: expected one writer\n    second = 1\n    ^"


def test_the_gate_names_the_line_of_a_store(tmp_path):
    error, marked = rejected(tmp_path, in_group("for read in group:\n    «c»[0, 0] = read.scale"))
    assert error.code == "verifier" and error.line == marked.line
    assert str(error).split("\n")[1].strip() == "c[0, 0] = read.scale"


def test_columns_count_characters(tmp_path):
    error, marked = rejected(tmp_path, in_group("z = 'ü' == 'ü' and «nowhere»"))
    check(error, marked, "undefined", "nowhere")


def test_surface_outside_a_kernel():
    import sdm
    import sdm.language as sl

    for call in (lambda: sl.dot(1, 2), lambda: sl.zeros(4), lambda: sl.f32(1), lambda: sl.static_range(3)):
        with pytest.raises(sdm.OutsideKernelError, match="only inside a function marked @sdm.kernel or @sdm.function"):
            call()
