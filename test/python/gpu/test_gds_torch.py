"""make_gds on torch CUDA tensors: bits, streams, programmatic launches, providers."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")
if not torch.cuda.is_available():
    pytest.skip("torch sees no CUDA device", allow_module_level=True)

import sdm  # noqa: E402
from sdm import record_lists, tiling  # noqa: E402
from sdm.errors import OperandError  # noqa: E402
from sdm.kernels import gds, segment_sum  # noqa: E402
from sdm.reference import bits, gds as reference, records, segment_sum as sum_reference, workloads  # noqa: E402
from sdm.reference.workloads import Case  # noqa: E402
from torch_arrays import array, tensor  # noqa: E402

CASES = [
    Case(), Case(rec=8), Case(noise=True, invalid=0.3), Case(hd=200), Case(hd=132, rec=8), Case(hd=130), Case(hd=130, rec=8, special=0.05),
    Case(hd=64), Case(hd=1), Case(hd=3), Case(hd=1000, C=8, R=4, rec=8), Case(grad="float32", rec=8), Case(hd=256, bank="float32", grad="float32"),
    Case(hd=196, bank="float32", grad="float32", special=0.05), Case(dist="hot"), Case(dist="one", hd=130), Case(dist="zipf", invalid=0.1),
    Case(dist="repeat", P=1, T=3), Case(invalid=1.0), Case(C=1, R=1), Case(C=256, R=2, P=1, T=1), Case(C=2, R=256, P=1, T=1),
]  # fmt: skip


class Run:
    def __init__(self, case, offset=0, device="cuda", halves=("update", "dots"), **changes):
        self.case, self.w = case, workloads.gds(case)
        put = lambda a: tensor(a, device, offset)  # noqa: E731
        self.grad, self.dots = put(self.w.grad), put(self.w.d_q_w)
        given = dict(readings=put(self.w.dy).view(-1, case.hd), rec=tensor(self.w.rec, device))
        given.update(changes)
        bank, dots = (put(self.w.bank), self.dots) if "dots" in halves else (None, None)
        self.halves = halves
        self.launch = gds.make_gds(
            bank, self.grad if "update" in halves else None, given["readings"], tensor(self.w.spay, device), given["rec"], dots,
            chunk_size=case.C, num_parallel=case.P, steps=case.T,
        )  # fmt: skip

    def steps(self, pdl=False):
        for ti in reversed(range(self.case.T)):
            self.launch(ti, pdl=pdl and ti < self.case.T - 1)

    def check(self, dy=None):
        w = self.w
        want = reference.run_steps(w.bank, w.grad, w.dy if dy is None else dy, w.records, self.case.P, d_q_w=w.d_q_w)
        torch.cuda.synchronize(self.grad.device)
        assert bits.same_bits(array(self.grad), want[0] if "update" in self.halves else w.grad)
        assert bits.same_bits(array(self.dots), want[1] if "dots" in self.halves else w.d_q_w)


@pytest.mark.parametrize("half", ("update", "dots"))
@pytest.mark.parametrize("rec", (8, 16))
@pytest.mark.parametrize("hd", (128, 200, 132, 130))
@pytest.mark.parametrize("rows", [("bfloat16", "bfloat16"), ("bfloat16", "float32"), ("float32", "float32")], ids="-".join)
def test_one_half_alone(rows, hd, rec, half):
    run = Run(Case(bank=rows[0], grad=rows[1], hd=hd, rec=rec, invalid=0.1), halves=(half,))
    run.steps()
    run.check()


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c.hd}-{c.bank[:2]}{c.grad[:2]}-{c.rec}-{c.dist}-{c.C}x{c.R}-{c.invalid}")
def test_bits(case):
    run = Run(case)
    run.steps()
    run.check()


@pytest.mark.parametrize("offset", (1, 2, 4, 8))
@pytest.mark.parametrize("hd", (128, 132))
def test_misaligned(offset, hd):
    run = Run(Case(hd=hd), offset)
    run.steps()
    run.check()


@pytest.mark.parametrize("hd", (128, 200))
def test_programmatic(hd):
    run = Run(Case(hd=hd, T=6, rec=8))
    assert run.launch.pdl_capable == (torch.cuda.get_device_capability()[0] in (9, 10))
    run.steps(pdl=True)
    run.check()


def test_side_stream():
    run = Run(Case(hd=200))
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        run.steps()
    stream.synchronize()
    run.check()


def test_bf16_readings():
    case = Case(hd=200)
    dy = workloads.gds(case).dy
    rounded = bits.store(dy, "bfloat16")
    run = Run(case, readings=tensor(rounded, "cuda").view(-1, 200))
    run.steps()
    run.check(bits.to_f32(rounded))


class Provider:
    """Records of one step at a time, written on a stream of their own."""

    def __init__(self, w, case, offset=0):
        self.rec, self.P, self.offset, self.stream, self.released = w.rec, case.P, offset, torch.cuda.Stream(), []

    def get(self, ti):
        with torch.cuda.stream(self.stream):
            out = tensor(self.rec[ti * self.P : (ti + 1) * self.P], "cuda", self.offset)
            event = torch.cuda.Event()
            event.record()
        return out, event

    def release(self, ti, event):
        assert isinstance(event, torch.cuda.Event)
        self.released.append(ti)


@pytest.mark.parametrize("rec", (8, 16))
@pytest.mark.parametrize("offset", (0, 1))
def test_provider(rec, offset):
    case = Case(hd=130, rec=rec, T=3, invalid=0.2)
    provider = Provider(workloads.gds(case), case, offset)
    run = Run(case, rec=provider)
    run.steps()
    run.check()
    assert provider.released == [2, 1, 0]


def test_too_many_ctas(monkeypatch):
    """A launch of two chunks is two CTAs at least."""
    run = Run(Case())
    monkeypatch.setattr(tiling, "MOST_UNITS", 1)
    for refused in (lambda: run.launch(1), lambda: run.launch.plan(1)):
        with pytest.raises(OperandError, match="^qrec: expected at most 1 CTAs in a launch, got "):
            refused()
    torch.cuda.synchronize()
    assert bits.same_bits(array(run.grad), run.w.grad) and bits.same_bits(array(run.dots), run.w.d_q_w)


@pytest.mark.parametrize("name", ("bank", "grad_bank", "grad_readings", "qrec", "d_q_w", "spay_q"))
def test_operands_on_the_cpu(name):
    """One operand left on the CPU."""
    case = Case(rec=8)
    w = workloads.gds(case)
    given = dict(bank=w.bank, grad_bank=w.grad, grad_readings=w.dy.reshape(-1, case.hd), spay_q=w.spay, qrec=w.rec, d_q_w=w.d_q_w)
    given = {label: tensor(a, "cpu" if label == name else "cuda") for label, a in given.items()}
    with pytest.raises(OperandError, match="expected it on .* as qrec is, got "):
        gds.make_gds(*given.values(), chunk_size=case.C, num_parallel=case.P, steps=case.T)
    torch.cuda.synchronize()
    assert bits.same_bits(array(given["grad_bank"]), w.grad) and bits.same_bits(array(given["d_q_w"]), w.d_q_w)


@pytest.mark.parametrize("dtype", (torch.float64, torch.float16, torch.int32, torch.int64, torch.uint8, torch.bool))
def test_readings_of_other_types(dtype):
    case = Case(hd=200, rec=8)
    w = workloads.gds(case)
    readings = (tensor(w.dy, "cuda") * 3).abs().to(dtype).view(-1, 200)
    run = Run(case, readings=readings)
    run.steps()
    run.check(array(readings.float()).reshape(w.dy.shape))
    assert not run.launch.pdl_capable and run.launch.plan(case.T) is None


@pytest.mark.parametrize("rec, offset", [(8, 1), (16, 1), (16, 2)])
def test_misaligned_records_of_a_provider(rec, offset):
    """One step's are aligned, the other's are not."""
    case = Case(hd=130, rec=rec, T=3, invalid=0.1)

    class Misaligned:
        def get(self, ti):
            return tensor(workloads.gds(case).rec[ti * case.P : (ti + 1) * case.P], "cuda", offset * (ti % 2)), None

    run = Run(case, rec=Misaligned())
    run.steps()
    run.check()


def test_predicates():
    bank, grad = torch.zeros(8, 128, dtype=torch.bfloat16, device="cuda"), torch.zeros(8, 128, device="cuda")
    assert gds.supported(bank, grad, 64, 32) and gds.admits(bank, torch.bfloat16, 256, 256)
    assert not gds.admits(bank, torch.float16, 64, 32) and not gds.admits(bank, torch.bfloat16, 257, 1)
    assert not gds.admits(bank.float(), torch.bfloat16, 64, 32)
    assert gds.tail_supported(torch.zeros(8, 130, device="cuda"), 64)


def test_sorted_on_the_device():
    x, keys = workloads.segment_sum(3000, 70, 132, "bfloat16", invalid=0.1, special=0.01)
    want = sum_reference.run(x, records.sort_records(keys, 70), np.zeros((70, 132), x.dtype))
    got = segment_sum.sum_segments(tensor(x, "cuda"), tensor(keys, "cuda"), 70)
    assert bits.same_bits(array(got), want)


def test_other_array_libraries():
    cupy = pytest.importorskip("cupy", reason="cupy is not installed")
    x, keys = workloads.segment_sum(300, 20, 64, "float32")
    want = sum_reference.run(x, records.sort_records(keys, 20), np.zeros((20, 64), np.float32))
    listed = sdm.sort(keys, num_keys=20)
    layout_of = record_lists.of("items", listed, segment_sum.Item)
    planes = [cupy.asarray(plane) for plane in layout_of.planes]
    out = cupy.zeros((20, 64), cupy.float32)
    segment_sum.segment_sum(sdm.bound(layout_of.layout, *planes), cupy.asarray(x), out)
    assert bits.same_bits(cupy.asnumpy(out), want)
