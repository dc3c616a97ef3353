"""Random kernels under random schedules on lanes: the bits of the structured host run, which are those of the contract."""

import pytest

from generated.running import check

# Other kernels with other numbers; a failure prints its own.
SHORT = range(10)
LONG = range(10, 70)


@pytest.mark.parametrize("seed", SHORT)
def test_some_schedules(tmp_path, seed):
    assert check(seed, tmp_path, most=6, by_meaning=seed % 3 == 0) >= 1


@pytest.mark.long
@pytest.mark.parametrize("seed", (*SHORT, *LONG))
def test_all_schedules(tmp_path, seed):
    assert check(seed, tmp_path) >= 2
