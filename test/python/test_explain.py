"""`python -m sdm explain`: schedule, reasons, bytes, what ptxas says, phases; without arrays and without a GPU."""

import dataclasses
import pathlib

import pytest
from click.testing import CliRunner

from sdm import _sdm, compile as compiler, options
from sdm.cli import main
from sdm.cli.given import Given, load
from sdm.explain import explain

KERNELS = pathlib.Path(__file__).parents[2] / "kernels"
GDS = f"{KERNELS}/gds.py:gds"
ALL = [f"{KERNELS}/{name}.py:{name}" for name in ("gds", "segment_sum", "embedding_bag_backward", "sddmm", "rms_norm")]
WIDE = ("bank=rows:bf16:256", "grad=rows:bf16:256", "tokens=rows:f32:?x?x256")
HAS_PTXAS = bool(_sdm.find_ptxas(options.current().ptxas, compiler.ptxas_folders()))


def run(*arguments, code=0):
    result = CliRunner().invoke(main, ["explain", *map(str, arguments)])
    assert result.exit_code == code, result.output
    return result.output


def of(place=GDS, target="sm_90", arguments=(), shapes=(), **more):
    return explain(Given(load(place), arguments, shapes), target, **more)


@pytest.mark.parametrize("place", ALL, ids=lambda place: place.rpartition(":")[2])
@pytest.mark.parametrize("target", ("sm_80", "sm_120", "host"))
def test_every_kernel(place, target):
    text = run(place, "--target", target)
    for words in ("schedule", "bytes that must move", "total: ", "here: ", "compile time", "plan", "llvm"):
        assert words in text
    assert ("occupancy" in text) == (target != "host")


def test_the_mover():
    found = of()
    (launch,) = found.launches
    assert {(move.operand, move.what, move.bytes, move.unit) for move in launch.moves} == {
        ("reads", "read", 16, "record"), ("bank", "read", 256, "group"), ("tokens", "read", 512, "distinct row"),
        ("d_q_w", "write", 4, "record"), ("grad", "read", 256, "group"), ("grad", "write", 256, "group"),
    }  # fmt: skip
    n, tokens = 16 * 4096, 16 * 64
    assert launch.bytes == (20 * n + 768 + 512, 20 * n + 768 * n + 512 * tokens)
    assert launch.shared >= 64 * 512 and "tokens: resident, 32768 bytes of shared memory" in launch.reasons
    assert [name for name, _ in found.phases][:5] == ["plan", "tile", "lanes", "nvvm", "llvm"]
    assert all(seconds >= 0 for _, seconds in found.phases)
    if HAS_PTXAS:
        assert found.image == "cubin" and found.phases[-1][0] == "ptxas"
        assert 0 < launch.resources["registers"] <= 255 and launch.resources["spill_stores"] == 0
        assert 0 < launch.blocks * launch.warps <= launch.warps_of == 64


def test_shapes_choose():
    large = of(shapes=("tokens=100000",)).launches[0]
    assert not any("resident" in load for load in large.loads)
    assert any("resident" in load for load in of(shapes=("tokens=64",)).launches[0].loads)
    assert of(shapes=("reads=1x1024",)).launches[0].bytes[1] < large.bytes[1]
    assert of(positions=1024).launches[0].plan["unit"] <= of(positions=1 << 24).launches[0].plan["unit"]
    rows_alone = of(arguments=("d_q_w=none", "bank=none")).launches[0]
    assert {move.operand for move in rows_alone.moves} == {"reads", "tokens", "grad"}


def test_split_slices_are_added_by_a_launch_of_their_own():
    first, second = of(arguments=WIDE).launches
    assert first.slices == 2 and first.plan["slices"] == "split" and not second.plan
    assert [move.bytes for move in first.moves if move.operand == "planes of d_q_w"] == [8]
    assert [(move.operand, move.bytes) for move in second.moves] == [("reads", 16), ("planes", 8), ("d_q_w", 4)]


def test_without_ptxas_it_says_so(monkeypatch):
    real = compiler.compile_text
    without = lambda text, asked, *rest: real(text, dataclasses.replace(asked, assemble=False), *rest)  # noqa: E731
    monkeypatch.setattr(compiler, "compile_text", without)
    text = " ".join(run(GDS).split())
    assert "registers not counted" in text and "registers not known: the image is ptx" in text


@pytest.mark.parametrize("arguments, sentence", [
    (("--schedule", "nest", "--schedule", "tokens=ring"), "expected another placement of tokens (a ring needs the flat form"),
    (("--schedule", "x=ring"), "schedule: expected an operand of reads, bank, tokens, grad, d_q_w, got 'x'"),
    (("--shape", "tokens=a"), "--shape tokens=a: expected tokens=AxB with at most 2 extents"),
    (("--shape", "tokens=1x2x3"), "with at most 2 extents"),
    (("--shape", "x=1"), "expected an operand of reads"),
    (("--target", "sm_10"), "expected one of the targets sm_80"),
])  # fmt: skip
def test_wrong_input(arguments, sentence):
    assert sentence in run(GDS, *arguments, code=1).replace("\n", " ")


def test_compile_takes_shapes():
    placed = lambda *more: CliRunner().invoke(main, ["compile", GDS, "--emit", "plan", *more]).output.split()  # noqa: E731
    assert "resident" in placed() and "resident" not in placed("--shape", "tokens=100000")


@pytest.mark.parametrize("given", (dict(positions=10**23), dict(shapes=(f"reads={10**12}x{10**12}",))), ids=("positions", "shape"))
def test_more_positions_than_fit_a_word(given):
    """They are planned as any launch that fills the device."""
    positions, shapes = given.get("positions"), given.get("shapes", ())
    asked = Given(load(GDS), (), shapes).specialisation("sm_90", positions=positions)
    assert asked.positions == compiler.MOST_POSITIONS
    assert of(shapes=shapes, positions=positions).launches[0].loads == of().launches[0].loads
