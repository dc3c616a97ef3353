"""The matcher of documentation examples: what it takes for the same text, and what not."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from doc_examples import Names, lines_of, match  # noqa: E402

PRINTED = """#read = #sdm.layout<"Read">
module {
  func.func @k(%arg0: f32, %arg1: f32) -> f32 {
    %0 = arith.addf %arg0, %arg1 : f32
    %1:2 = scf.while (%arg2 = %0) : (f32) -> (f32, f32) {
      %3 = arith.mulf %arg2, %arg0 : f32
    }
    %2 = arith.subf %1#1, %0 : f32
    return %2 : f32
  }
}
"""

HEAD = "func.func @k(%a: f32, %b: f32) -> f32 {\n"
SUM = "%sum = arith.addf %a, %b : f32\n"


def same(shown: str) -> bool:
    return match(lines_of(shown), lines_of(PRINTED), Names())[0]


@pytest.mark.parametrize(
    "shown",
    [
        HEAD + SUM + "...\nreturn %last : f32\n}",
        HEAD + "%a2 = arith.addf %a, %b : f32\n...",
        "...\n%w:2 = scf.while (%x = %s) : ...\n...\n%d = arith.subf %w#1, %s : f32\n...",
        HEAD + SUM + "%w:2 = scf.while (%x = %sum) ... {\n%p = arith.mulf %x, %a : f32\n}\n...",
    ],
)
def test_same(shown):
    assert same(shown)


@pytest.mark.parametrize(
    "shown",
    [
        HEAD + SUM,  # lines are missing
        HEAD + "%sum = arith.addf %b, %a : f32\n...",  # operands exchanged
        HEAD + "%sum = arith.addf %a, %a : f32\n...",  # two names, one value
        HEAD + SUM + "...\n%d = arith.subf %w#0, %sum : f32\n...",  # another result
        HEAD + SUM + "return %sum : f32\n}",  # lines between that nothing stands for
        HEAD + SUM + "...\n%p = arith.mulf %x, %b : f32\n...",  # another argument
        "...\n%w:2 = scf.while (%x = %a) : ...\n%p = arith.mulf %x, %a : f32\n...",  # one name, two values
        HEAD + "...\nreturn %a : f32\n}",
        "",
    ],
)
def test_other(shown):
    assert not same(shown)
