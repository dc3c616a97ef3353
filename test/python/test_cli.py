"""The command line: each command, and what it says of wrong input."""

import pathlib

import pytest
from click.testing import CliRunner

from sdm import demo
from sdm.cli import main
from sdm.cli.demo import verdicts

KERNELS = pathlib.Path(__file__).parents[2] / "kernels"
GDS = f"{KERNELS}/gds.py:gds"


def run(*arguments, code=0, input=None):
    result = CliRunner().invoke(main, [str(argument) for argument in arguments], input=input)
    assert result.exit_code == code, result.output
    return result.output


def test_help_names_every_command():
    text = run("--help")
    for name in ("demo", "compile", "opt", "doctor"):
        assert name in text


class TestCompile:
    def test_structured_text(self):
        assert "sdm.walk" in run("compile", GDS, "--emit", "sdm")

    def test_records_are_those_of_sort_unless_a_layout_is_given(self, tmp_path):
        text = "import sdm, sdm.language as sl\nclass Item(sl.Record, key='label'):\n    label: sl.i32\n"
        text += "@sdm.kernel\ndef k(items: sl.Sorted[Item], x: sl.Rows, out: sl.Rows):\n    for group in items:\n"
        text += "        for item in group:\n            out[item.index] = x[group.key]\n"
        (tmp_path / "mine.py").write_text(text)
        written = run("compile", f"{tmp_path}/mine.py:k", "--emit", "sdm", "--arg", "x=rows:f32:64", "--arg", "out=rows:f32:64")
        assert "sdm.walk" in written and '"$index"' in written

    def test_host_stages(self):
        assert "define" in run("compile", GDS, "--target", "host", "--emit", "llvm")
        assert '"launches"' in run("compile", GDS, "--target", "host", "--emit", "description")

    @pytest.mark.parametrize("target", ("sm_80", "sm_90"))
    def test_ptx(self, target, tmp_path):
        run("compile", GDS, "--target", target, "--extent", "tokens:1:64", "-o", tmp_path / "k.ptx")
        assert f".target {target}" in (tmp_path / "k.ptx").read_text()

    def test_operand_types(self):
        text = run("compile", GDS, "--emit", "sdm", "--arg", "bank=rows:f32:200", "--arg", "grad=rows:f32:200", "--arg", "tokens=rows:f32:?x?x200")
        assert "200xf32" in text and "bf16" not in text
        assert "sdm.dot" not in run("compile", GDS, "--emit", "sdm", "--arg", "bank=none", "--arg", "d_q_w=none")

    @pytest.mark.parametrize("arguments, sentence", [
        ((f"{KERNELS}/gds.py:none",), "expected the name of a kernel in"),
        (("nowhere.py:gds",), "with a file that exists"),
        (("gds",), "expected FILE.py:KERNEL"),
        ((GDS, "--arg", "x=f32"), "gds has no operand 'x'"),
        ((GDS, "--arg", "bank=colour"), "is not understood"),
        ((GDS, "--extent", "tokens:1"), "expected NAME:AXIS:N"),
        ((GDS, "--extent", "x:1:2"), "expected an operand of reads, bank"),
        ((GDS, "--early", "x"), "expected an operand of reads, bank"),
        ((GDS, "--target", "sm_10", "--emit", "ptx"), "sm_10"),
        ((GDS, "--target", "host", "--emit", "ptx"), "host has no such stage"),
        ((GDS, "--target", "host", "--emit", "cubin"), "--emit cubin: there is none"),
    ])  # fmt: skip
    def test_wrong_input(self, arguments, sentence):
        assert sentence in run("compile", *arguments, code=1)


    @pytest.mark.parametrize("arguments, sentence", [
        (("--arg", "bank=rows:f32:0"), "operand type 'rows:f32:0' is not understood"),
        (("--arg", "bank=rows:f32:99999999999"), "operand type 'rows:f32:99999999999' is not understood"),
        (("--arg", "bank=rows:bf16:128:piece=3"), "operand type 'rows:bf16:128:piece=3' is not understood"),
        (("--extent", "tokens:9:64"), "--extent tokens:9:64: expected rows and one of their index axes"),
        (("--extent", "d_q_w:0:64"), "--extent d_q_w:0:64: expected rows and one of their index axes"),
        (("--emit", "sdm", "-o", "/dev/null/x"), "--output /dev/null/x: Not a directory"),
    ])  # fmt: skip
    def test_more_wrong_input(self, arguments, sentence):
        assert sentence in run("compile", GDS, *arguments, code=1)

    def test_files(self, tmp_path):
        assert "expected FILE.py:KERNEL with a file that exists" in run("compile", f"{KERNELS}/gds.mlir:gds", code=1)
        (tmp_path / "beside.py").write_text("WIDTH = 4\n")
        path = tmp_path / "mine.py"
        path.write_text("import sdm\nimport sdm.language as sl\nimport beside\n\n\n@sdm.kernel(defaults={'x': 'rows:f32:4', 'y': 'rows:f32:4'})\n"
                        "def k(x: sl.Rows, y: sl.Rows):\n    for row in sl.rows(x):\n        y[row] = x[row] * beside.WIDTH\n")  # fmt: skip
        assert "4.000000e+00" in run("compile", f"{path}:k", "--emit", "sdm")
        path.write_text("import nowhere_at_all\n")
        assert "cannot be imported: ModuleNotFoundError: No module named 'nowhere_at_all'" in run("compile", f"{path}:k", code=1)


class TestOpt:
    def test_round_trip(self):
        text = run("opt", KERNELS / "gds.mlir")
        assert "sdm.members" in text
        assert run("opt", "-", input=text) == text

    def test_pipeline(self):
        assert "schedule" in run("opt", KERNELS / "gds.mlir", "--pass-pipeline", "builtin.module(sdm-check-kernel,sdm-plan-rows{chip=sm_90})")

    def test_errors(self):
        assert "error" in run("opt", "-", input="func.func @f(", code=1)
        run("opt", KERNELS / "gds.mlir", "--pass-pipeline", "no-such-pass", code=1)


def test_doctor():
    text = run("doctor")
    for name in ("compiler", "targets", "host", "assembler", "numpy", "cache"):
        assert name in text


class TestDemo:
    SMALL = ("--tokens", 4, "--reads", 4, "--chunks", 2, "--steps", 1, "--slots", 64, "--rows", 200, "--keys", 20)

    def test_all_kernels(self, tmp_path):
        text = run("demo", *self.SMALL, "--ptx", tmp_path)
        for name in ("gds", "segment_sum", "embedding_bag_backward", "sddmm", "rms_norm"):
            assert f"{name} cpu bit-equal to the reference: yes" in text
        assert (tmp_path / "gds.sm_80.ptx").exists() and (tmp_path / "gds.sm_90.ptx").exists()

    def test_a_difference_is_named(self, monkeypatch, tmp_path):
        makers = list(demo.jobs(demo.Sizes(rows=50, keys=5)))
        job = makers[-1]()
        result = demo.run(job, demo.Host(), {"y": job.outputs["y"]})
        assert not result.equal
        assert verdicts([result]) == ["rms_norm cpu bit-equal to the reference: no (generated: y)"]
        monkeypatch.setattr(demo, "run", lambda *_: result)
        assert "bit-equal to the reference: no" in run("demo", "--only", "rms_norm", *self.SMALL, "--ptx", tmp_path, code=1)

    def test_wrong_input(self):
        assert "there is no kernel" in run("demo", "--only", "nothing", *self.SMALL, code=1)
        run("demo", "--steps", 9, code=2)
