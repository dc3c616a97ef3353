"""SDM_CAPTURE and `python -m sdm replay`: launches run again, from any pass on; SDM_DUMP; what a failing compiler leaves behind."""

import json
import pathlib
import shutil
import stat
import subprocess

import numpy as np
import pytest
from click.testing import CliRunner

import sdm
from lane_cases import CASES
from sdm import bind, capture, compile as compiler, lanes, options
from sdm.cli import main
from sdm.kernels import gds
from sdm.reference import workloads
from sdm.replay import Replay, split

CHOSEN = options.current()
CASE = workloads.Case(R=4, C=8, S=32, T=2, invalid=0.1)


def with_options(monkeypatch, **changes):
    import dataclasses

    chosen = dataclasses.replace(CHOSEN, **changes)
    monkeypatch.setattr(options, "current", lambda: chosen)


def run(*arguments, code=0):
    result = CliRunner().invoke(main, ["replay", *map(str, arguments)])
    assert result.exit_code == code, result.output
    return result.output


@pytest.fixture(scope="module")
def captured(tmp_path_factory):
    """The launches of two steps of the mover."""
    folder = tmp_path_factory.mktemp("captures")
    with pytest.MonkeyPatch.context() as patch:
        with_options(patch, capture=str(folder))
        w = workloads.gds(CASE)
        bound = bind.bind(gds.gds, gds.qrec(w.rec), w.bank, w.dy, w.grad, w.d_q_w, schedule=sdm.Schedule("flat", unit=4))
        for chunks in (range(2, 4), range(0, 2)):
            bound.launch(chunks)
        bound.done()
    return folder


def test_the_environment(tmp_path):
    assert options.from_environment({"SDM_CAPTURE": str(tmp_path)}).capture == str(tmp_path)


def test_what_is_saved(captured):
    places = capture.folders(captured)
    assert [place.name for place in places] == ["gds.0000", "gds.0001"]
    facts = json.loads((places[0] / "capture.json").read_text())
    assert facts["kernel"] == "gds" and facts["schedule"] == ["flat", "unit=4"] and facts["chunks"] == [2, 4]
    # Of all chunks, as a GPU's launch would be planned: a replay for a chip is planned like it.
    assert facts["target"] == "host" and facts["positions"] == workloads.gds(CASE).spay.size
    found = capture.load(places[0])
    assert "sdm.walk" in found.text and [operand.name for operand in found.operands] == ["reads", "bank", "tokens", "grad", "d_q_w"]
    assert np.array_equal(workloads.gds(CASE).dy, _array(found.operands[2].view))


def _array(view):
    from sdm.verify import words

    return words(view).view(np.float32)


def test_replay(captured):
    text = run(captured, "--seed", 0, "--seed", 1)
    assert text.splitlines() == [f"gds.000{n}: sm_90, seed {seed}: equal" for n in (0, 1) for seed in (0, 1)]
    assert "sm_80, seed 3: equal" in run(captured, "--target", "sm_80", "--seed", 3, "--schedule", "nest", "--schedule", "tokens=direct")


@pytest.mark.parametrize("schedule", ("flat", "nest"))
def test_after_each_pass(captured, schedule):
    place = captured / "gds.0001"
    choices = Replay(place).choices()
    assert choices[0] == "sdm-tile-walk" and choices[-1] == "sdm-lower-copies" and len(choices) >= 5
    for name in choices:
        assert f"behind {name}, seed 0: equal" in run(place, "--after", name, "--schedule", schedule)


def test_an_edited_module(captured, tmp_path):
    """What stands behind a pass can be written, changed and run."""
    place, file = captured / "gds.0000", tmp_path / "tiled.mlir"
    run(place, "--after", "sdm-tile-walk", "--schedule", "nest", "--save", file)
    text = file.read_text()
    assert "sdm.tile" in text and "math.fma" in text
    again = ("--after", "sdm-tile-walk", "--schedule", "nest", "--module", file)
    assert "equal" in run(place, *again)
    at = text.rindex("math.fma")  # the first stands on the path of invalid records
    line = text[text.rfind("\n", 0, at) + 1 : text.index("\n", at)]
    result, operands = line.split("= math.fma ")
    names, kind = operands.split(" : ", 1)
    file.write_text(text.replace(line, f"{result}= arith.addf {', '.join(names.split(', ')[1:])} : {kind}"))
    output = run(place, *again, code=1)
    assert "grad[" in output and "is 0x" in output and "on lanes, 0x" in output and "elements differ)" in output


def test_a_fault_is_told(captured, tmp_path):
    place, file = captured / "gds.0000", tmp_path / "scheduled.mlir"
    last = "sdm-lower-copies"
    run(place, "--after", last, "--save", file)
    text = file.read_text()
    waits = [line for line in text.splitlines() if "sdm.dependency_wait" in line]
    assert waits
    for line in waits:
        text = text.replace(line + "\n", "")
    file.write_text(text)
    output = run(place, "--after", last, "--module", file, code=1)
    assert "too early" in output and "gds.py:" in output


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_kernel(monkeypatch, tmp_path, case):
    with_options(monkeypatch, capture=str(tmp_path))
    case.run(bind.bind)
    places = capture.folders(tmp_path)
    assert len(places) == len(case.parts or (None,))
    replay = Replay(places[0], "sm_80")
    assert replay.difference(replay.scheduled(), 1) is None


def test_launches_on_lanes_are_captured_too(monkeypatch, tmp_path):
    with_options(monkeypatch, capture=str(tmp_path))
    CASES[0].run(lambda *operands: lanes.bind(*operands, target="sm_80", schedule="nest"))
    facts = json.loads((capture.folders(tmp_path)[0] / "capture.json").read_text())
    assert (facts["target"], facts["schedule"]) == ("sm_80", ["nest"]) and facts["extents"]


def test_odd_places_and_strides(monkeypatch, tmp_path):
    """Gaps, reversed axes and unaligned bases come back as they were."""
    with_options(monkeypatch, capture=str(tmp_path))
    w = workloads.gds(CASE)
    wide = np.zeros((w.bank.shape[0], w.bank.shape[1] + 7), w.bank.dtype)
    wide[:, 3 : 3 + w.bank.shape[1]] = w.bank
    dy = w.dy[:, ::-1].copy()[:, ::-1]
    bind.bind(gds.gds, gds.qrec(w.rec), wide[:, 3 : 3 + w.bank.shape[1]], dy, w.grad, w.d_q_w).launch(range(0, 2))
    found = capture.load(capture.folders(tmp_path)[0])
    assert found.operands[1].view.strides == (wide.strides[0], 2) and found.operands[2].view.strides[1] < 0
    assert np.array_equal(_array(found.operands[2].view), dy)
    assert "equal" in run(tmp_path)


@pytest.mark.parametrize("arguments, sentence", [
    (("--after", "sdm-plan-rows"), "expected a pass of sdm-tile-walk"),
    (("--after", "nothing"), "expected a pass of sdm-tile-walk"),
    (("--save", "x.mlir"), "--module and --save: expected --after and the folder of one launch"),
    (("--schedule", "x=ring"), "schedule: expected an operand of reads, bank, tokens, grad, d_q_w, got 'x'"),
    (("--target", "sm_10"), "expected one of the targets"),
])  # fmt: skip
def test_wrong_input(captured, monkeypatch, tmp_path, arguments, sentence):
    monkeypatch.chdir(tmp_path)
    assert sentence in run(captured, *arguments, code=1)


def test_a_folder_without_captures(tmp_path):
    assert "expected a folder that SDM_CAPTURE wrote" in run(tmp_path, code=1)


def test_pipelines_are_cut_between_passes():
    assert split("a{x=1,2 y={3,4}},b,func.func(c,d)") == ["a{x=1,2 y={3,4}}", "b", "func.func(c,d)"] and split("") == []


def test_dump(monkeypatch, tmp_path):
    """Every stage by the kernel's name, also of what the cache on disk holds."""
    for folder in ("once", "again"):
        with_options(monkeypatch, dump=str(tmp_path / folder), cache_dir=str(tmp_path / "cache"))
        compiler._memo.clear()
        w = workloads.gds(CASE)
        bind.bind(gds.gds, gds.qrec(w.rec), w.bank, w.dy, w.grad, w.d_q_w)
        names = sorted(path.name for path in (tmp_path / folder).iterdir())
        assert names == ["gds.host.0.sdm", "gds.host.1.plan", "gds.host.2.scheduled", "gds.host.3.llvm-dialect", "gds.host.4.llvm"]


class TestFailures:
    """A compiler that fails names a file that sdm-opt runs."""

    def failed(self, monkeypatch, tmp_path, ptxas="#!/bin/sh\necho 'it will not do' >&2\nexit 1\n"):
        program = tmp_path / "ptxas"
        program.write_text(ptxas)
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        with_options(monkeypatch, ptxas=str(program), dump=str(tmp_path / "dump"))
        from sdm.cli.given import Given

        given = Given(gds.gds)
        text = gds.gds.build(given.specs).text(locations=True)
        with pytest.raises(sdm.CompilerError) as caught:
            compiler.compile_text(text, given.specialisation("sm_80", ("flat", "unit=4", "tokens=ring")), options.current(), "gds")
        return caught.value

    def test_it_is_named_and_runs(self, monkeypatch, tmp_path):
        error = self.failed(monkeypatch, tmp_path)
        assert not isinstance(error, sdm.ScheduleError) and "it will not do" in str(error) and "in phase ptxas" in str(error)
        file = pathlib.Path(error.reproducer)
        assert str(file) in str(error) and file.parent == tmp_path / "dump"
        text = file.read_text()
        assert text.startswith(f"// RUN: sdm-opt --run-reproducer {file} | sdm-translate --sdm-to-cubin --chip=sm_80\n// ptxas refused")
        assert "mlir_reproducer" in text and "sdm-lower-copies{" in text
        # The stages up to the failure are there, too.
        assert (tmp_path / "dump" / "gds.sm_80.5.ptx").exists()
        tool = _sdm_opt()
        if tool is None:
            pytest.skip("there is no sdm-opt")
        ran = subprocess.run([tool, "--run-reproducer", str(file)], capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        assert "llvm.func @gds_0" in ran.stdout and "nvvm.kernel" in ran.stdout

    def test_not_of_what_the_caller_got_wrong(self, monkeypatch, tmp_path):
        with_options(monkeypatch, dump=str(tmp_path))
        w = workloads.gds(CASE)
        for wrong in (dict(schedule=("nest", "tokens=ring")), dict(target="sm_10")):
            with pytest.raises(sdm.CompilerError) as caught:
                lanes.bind(gds.gds, gds.qrec(w.rec), w.bank, w.dy, w.grad, w.d_q_w, **wrong)
            assert not caught.value.reproducer
        assert not list(tmp_path.glob("*reproducer*"))


def _sdm_opt():
    root = pathlib.Path(__file__).parents[2]
    built = sorted(root.glob("build/*/bin/sdm-opt"), key=lambda path: path.stat().st_mtime)
    return str(built[-1]) if built else shutil.which("sdm-opt")
