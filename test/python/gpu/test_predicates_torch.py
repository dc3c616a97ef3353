"""The mover's predicates on this device, with torch's types: the kept answers, and the hand-written mover's own where it is at hand."""

import importlib.util
import os

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")
if not torch.cuda.is_available():
    pytest.skip("torch sees no CUDA device", allow_module_level=True)

import predicate_answers  # noqa: E402
import predicate_cases as cases  # noqa: E402
from test_predicates import view  # noqa: E402

from sdm.kernels import gds  # noqa: E402

AT_HAND = bool(os.environ.get("GDS_REFERENCE")) and importlib.util.find_spec("seedref") is not None


def ours():
    return cases.on_device(gds, lambda dtype, shape: view(dtype, shape, device="cuda:0"), predicate_answers.TYPES.get)


def test_kept_answers():
    name = "sm_{}{}".format(*torch.cuda.get_device_capability(0))
    if name not in cases.GPUS:
        pytest.skip(f"no answers are kept for {name}")
    kept = np.load(cases.KEPT)
    for question, answers in ours().items():
        assert not cases.different(answers, kept[f"{question}.{name}"], cases.ROWS), question


@pytest.mark.skipif(not AT_HAND, reason="the hand-written mover is not at hand (GDS_REFERENCE, seedref)")
def test_the_hand_written_movers_answers():
    module = predicate_answers.reference()
    theirs = cases.on_device(module, predicate_answers.described("cuda:0"), predicate_answers.TYPES.get)
    for question, answers in ours().items():
        assert not cases.different(answers, theirs[question], cases.ROWS), question
    found = cases.anywhere(gds, view, predicate_answers.TYPES.get, view)
    for question, answers in cases.anywhere(module, predicate_answers.described(), predicate_answers.TYPES.get, predicate_answers.described()).items():
        assert np.array_equal(found[question], answers), question
