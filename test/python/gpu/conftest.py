"""Tests of this folder need a CUDA device; those with torch tensors need torch too. Elsewhere they are skipped, with the reason."""

import pathlib
import sys

import pytest

from sdm import _sdm

# What tests without a GPU share with these, and the programs of test/gpu.
sys.path[:0] = [str(pathlib.Path(__file__).parents[1]), str(pathlib.Path(__file__).parents[2] / "gpu")]


def pytest_collection_modifyitems(items):
    missing = _sdm.cuda_missing()
    for item in items:
        if "gpu" not in item.path.parts:
            continue
        item.add_marker(pytest.mark.gpu)
        if missing:
            item.add_marker(pytest.mark.skip(reason=f"no CUDA device: {missing}"))
