"""The mover's predicates against the hand-written mover's kept answers, on GPUs that are only described."""

import numpy as np
import predicate_cases as cases
import pytest

from sdm import _sdm, arrays, bind
from sdm.kernels import gds
from sdm.kernels.gds_host import predicates
from sdm.reference import bits

KEPT = np.load(cases.KEPT)


@pytest.fixture
def gpus(monkeypatch):
    """Devices cuda:0, cuda:1, ... as described in the cases."""

    def device_info(index=0):
        major, minor, shared = list(cases.GPUS.values())[index]
        return dict(name="described", major=major, minor=minor, shared_per_block=shared)

    caches = (bind.target_of, bind.features_of, predicates._info)
    monkeypatch.setattr(_sdm, "device_info", device_info)
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


def view(dtype, shape, strides=None, address=4096, device="cpu"):
    size = arrays.SIZES[dtype]
    strides = cases.layout(shape, False, 0) if strides is None else strides
    return arrays.ArrayView(address, shape, tuple(size * stride for stride in strides), dtype, device)


@pytest.mark.parametrize("name", (*cases.GPUS, "cpu"))
def test_on_each_device(gpus, name):
    device = "cpu" if name == "cpu" else f"cuda:{list(cases.GPUS).index(name)}"
    found = cases.on_device(gds, lambda dtype, shape: view(dtype, shape, device=device), lambda dtype: dtype)
    for question, answers in found.items():
        assert not cases.different(answers, KEPT[f"{question}.{name}"], cases.ROWS), question


def test_anywhere():
    found = cases.anywhere(gds, view, lambda dtype: dtype, view)
    listed = {"wide_offsets": cases.OFFSETS, "records_ok": cases.RECORDS, "slices": cases.WIDTHS}
    for question, answers in found.items():
        assert not cases.different(answers, KEPT[question], listed[question]), question


def test_the_cases_ask_for_both_answers():
    for question in KEPT.files:
        if question != "slices" and not question.endswith(("cpu", "sm_75")):
            share = np.unpackbits(KEPT[question]).mean()
            assert 0.05 < share < 0.95, question
    assert not any(KEPT[f"{question}.{device}"].any() for question in ("admits", "tail_supported") for device in ("cpu", "sm_75"))
    assert KEPT["slices"][:, 2].mean() > 0.3 and len(cases.ROWS) > 10_000


def test_records_that_are_no_tensors():
    words = np.zeros((4, 128), np.int32)

    class Provider:
        get = None

    assert not gds.records_ok(None, words) and not gds.records_ok(Provider(), words) and not gds.records_ok([1], words)
    Provider.get = lambda self, ti: None
    assert gds.records_ok(Provider(), words) and gds.records_ok({}, words)  # whatever has a get


FORMS = [("bf16", (bits.BF16, bits.BF16.type, "bf16")), ("f32", ("float32", np.float32, np.dtype("f4"))), ("", (np.complex64, str, None, 3, object()))]


@pytest.mark.parametrize("name, forms", FORMS)
def test_types(name, forms):
    for form in forms:
        assert predicates.dtype_name(form) == name
