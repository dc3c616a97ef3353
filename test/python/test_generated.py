"""Random kernels under random schedules on lanes: the bits of the structured host run, which are those of the contract."""

import numpy as np
import pytest

from generated import kernels
from generated.running import Case, Difference, check

# Other kernels with other numbers; a failure prints its own.
SHORT = range(10)
LONG = range(10, 70)


@pytest.mark.parametrize("seed", SHORT)
def test_some_schedules(tmp_path, seed):
    assert check(seed, tmp_path, most=6, by_meaning=seed % 3 == 0) >= 2


@pytest.mark.long
@pytest.mark.parametrize("seed", (*SHORT, *LONG))
def test_all_schedules(tmp_path, seed):
    assert check(seed, tmp_path) >= 2


def test_a_difference_is_told(tmp_path):
    case = Case(kernels.program(0), tmp_path)
    want = case.meant()
    name = case.written[0].name
    got = {**want, name: want[name].copy()}
    got[name].reshape(-1).view(np.uint8)[0] ^= 1
    with pytest.raises(Difference) as caught:
        case.compare("sm_90 nest", got, want)
    said = str(caught.value)
    assert f"seed 0, sm_90 nest: {name}[0" in said and " is 0x" in said and "expected 0x" in said and "(1 elements differ)" in said
    assert case.program.text in said
