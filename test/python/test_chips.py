"""What the chip table says is what the launcher and the mover's predicates go by; no device is needed to ask."""

import pytest

from sdm import _sdm, bind
from sdm.arrays import ArrayView
from sdm.errors import OperandError
from sdm.kernels.gds_host import mover, predicates

BANK = ArrayView(1 << 20, (512, 128), (256, 2), "bf16", "cuda:0")


def test_features_of_chips():
    assert {chip for chip in _sdm.targets() if chip != "host" and "bulk_copy_default" in _sdm.chip_features(chip)} == {"sm_90", "sm_100", "sm_103"}
    for name in ("host", "sm_12"):
        with pytest.raises(ValueError, match=f"expected one of the targets sm_80, .* got '{name}'"):
            _sdm.chip_features(name)


@pytest.fixture
def device(monkeypatch):
    caches = (bind.target_of, bind.features_of, bind.is_own_code, predicates._info)

    def set(major, minor):
        for cache in caches:
            cache.cache_clear()
        info = {"name": "a chip", "major": major, "minor": minor, "shared_per_block": 227 << 10}
        monkeypatch.setattr(_sdm, "device_info", lambda index=0: info)

    yield set
    for cache in caches:
        cache.cache_clear()


@pytest.mark.parametrize("capability, kind, programmatic", [
    ((8, 0), "ampere", False), ((8, 9), "ampere", False), ((9, 0), "modern", True), ((10, 0), "modern", True),
    ((10, 3), "modern", True), ((12, 0), "consumer", False), ((12, 1), "consumer", False),
])  # fmt: skip
def test_devices(device, capability, kind, programmatic):
    device(*capability)
    assert predicates._device(BANK) == kind
    assert mover._has_pdl("cuda:0") is programmatic
    assert not mover._has_pdl("cpu")


def test_a_device_that_is_too_old(device):
    device(7, 5)
    assert predicates._device(BANK) == ""
    with pytest.raises(OperandError, match="cuda:0: expected a GPU of capability 8.0 or newer, got a chip of 7.5"):
        bind.target_of("cuda:0")
