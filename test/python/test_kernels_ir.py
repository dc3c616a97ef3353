"""The five kernels in the dialect; kernels/gds.mlir, written by hand, equals what the front end builds."""

import importlib
import pathlib

import pytest

import sdm.kernels
from sdm import _sdm

FOLDER = pathlib.Path(sdm.kernels.__file__).resolve().parent

# Operations in program order, without the function around; common subexpressions are gone.
SHAPES = {
    "gds": "walk key load_row extf constant members property field load_row field broadcast fma dot field store_cell yield "
    "load_row extf addf store_row yield",
    "segment_sum": "walk constant members property load_row addf yield key store_row yield",
    "embedding_bag_backward": "walk key load_row constant members field load_row field broadcast fma dot property property "
    "store_cell yield store_row yield",
    "sddmm": "walk key load_row members field load_row dot property property store_cell yield yield",
    "rms_norm": "each_row load_row dot constant divf addf sqrt constant divf broadcast mulf constant load_row mulf store_row yield",
}


def kernel(name):
    return getattr(importlib.import_module(f"sdm.kernels.{name}"), name)


@pytest.mark.parametrize("name", SHAPES)
def test_kernel(name):
    module = kernel(name).build()
    _sdm.run_pipeline(module, "cse")
    found = [operation.split(".")[1] for operation in module.operation_names()]
    assert found == ["module", "func", *SHAPES[name].split(), "return"]


def test_gds_by_hand_equals_the_front_end():
    built = kernel("gds").build()
    written = _sdm.Module.parse((FOLDER / "gds.mlir").read_text())
    for module in (built, written):
        _sdm.run_pipeline(module, "cse")
    assert built.text() == written.text()


def test_gds_update_only_and_dots_only():
    from sdm.kernels.gds import DEFAULTS, REC8, SORTED, gds

    update = gds.build({**DEFAULTS, "reads": SORTED, "bank": None, "d_q_w": None}).text()
    assert "sdm.dot" not in update and "sdm.store_row" in update and "iter_args" in update
    dots = gds.build({**DEFAULTS, "reads": REC8, "grad": None}).text()
    assert "sdm.dot" in dots and "sdm.store_row" not in dots and "iter_args" not in dots


def test_embedding_bag_without_weights():
    from sdm.kernels.embedding_bag_backward import DEFAULTS, UNWEIGHTED, embedding_bag_backward

    spec = {**DEFAULTS, "uses": UNWEIGHTED, "table": None, "d_weight": None}
    text = embedding_bag_backward.build(spec).text()
    assert '<"weight" : f32 = 1.0' in text and "sdm.dot" not in text
