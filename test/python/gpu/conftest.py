"""Tests of this folder need a CUDA device; those with torch tensors need torch too. Elsewhere they are skipped, with the reason."""

import pytest

from sdm import _sdm


def pytest_collection_modifyitems(items):
    missing = _sdm.cuda_missing()
    for item in items:
        if "gpu" not in item.path.parts:
            continue
        item.add_marker(pytest.mark.gpu)
        if missing:
            item.add_marker(pytest.mark.skip(reason=f"no CUDA device: {missing}"))
