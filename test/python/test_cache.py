"""The disk cache: whole entries, damaged entries, its bound, many processes; and what goes into a name."""

import os
import subprocess
import sys

import numpy as np
import pytest

from sdm import compile as compiler
from sdm import options
from sdm.cache import DiskCache, key

FACTS = {"kind": "object", "description": {"size": 8, "arguments": []}}


@pytest.fixture
def disk(tmp_path):
    return DiskCache(tmp_path / "cache", 1 << 20)


def test_round_trip(disk):
    name = key("a", 1)
    assert disk.load(name) is None
    disk.store(name, FACTS, b"\x00image\xff")
    assert disk.load(name) == (FACTS, b"\x00image\xff")
    assert [path.suffix for _, _, path in disk.entries()] == [".sdmk"]
    assert disk.clear() == 1 and disk.load(name) is None


def test_names_depend_on_every_part():
    names = {key("a", "b"), key("ab", ""), key("a", b"b"), key("a", ("b",)), key("a", "b", None)}
    assert len(names) == 5


@pytest.mark.parametrize("damage", (b"", b"sdm-kernel-1\n", None))
def test_damaged_entries_are_made_again(disk, damage):
    name = key("x")
    disk.store(name, FACTS, b"image")
    path = disk.path(name)
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(bytes(data) if damage is None else damage)
    assert disk.load(name) is None and not path.exists()
    disk.store(name, FACTS, b"image")
    assert disk.load(name)[1] == b"image"


def test_bound(tmp_path):
    disk = DiskCache(tmp_path, 10_000)
    for number in range(8):
        disk.store(key(number), {}, bytes(2000))
        os.utime(disk.path(key(number)), (number, number))
    kept = {path for _, _, path in disk.entries()}
    assert sum(path.stat().st_size for path in kept) <= 10_000
    assert disk.path(key(7)) in kept and disk.path(key(0)) not in kept
    disk.store(key("large"), {}, bytes(20_000))
    assert disk.load(key("large")) is None


def test_stores_seldom_look_at_the_folder(tmp_path, monkeypatch):
    """Each look costs as many system calls as there are entries."""
    looks, entries = [], DiskCache.entries
    monkeypatch.setattr(DiskCache, "entries", lambda self: looks.append(1) or entries(self))
    for number in range(40):
        DiskCache(tmp_path, 1_000_000).store(key(number), {}, bytes(2000))
    assert len(looks) == 1 and len(entries(DiskCache(tmp_path, 0))) == 40


def test_zero_keeps_nothing(tmp_path):
    disk = DiskCache(tmp_path, 0)
    disk.store(key(1), FACTS, b"")
    assert not disk.entries()


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    disk = DiskCache(tmp_path / "file" / "cache", 1000)
    disk.store(key(1), FACTS, b"")
    with disk.building(key(1)):
        assert disk.load(key(1)) is None


PROGRAM = """
import numpy as np
from sdm.kernels import segment_sum
out = segment_sum.sum_segments(np.ones((9, 40), np.float32), np.arange(9) % 2, 2)
assert out[:, 0].tolist() == [5.0, 4.0]
"""


def run(folder, **extra):
    environment = {**os.environ, "SDM_CACHE_DIR": str(folder), **extra}
    return subprocess.Popen([sys.executable, "-c", PROGRAM], env=environment)


def test_many_processes_make_one_entry(tmp_path):
    assert [process.wait() for process in [run(tmp_path) for _ in range(3)]] == [0, 0, 0]
    disk = DiskCache(tmp_path, 1 << 30)
    assert len(disk.entries()) == 1
    path = disk.entries()[0][2]
    made = path.stat().st_ino
    assert run(tmp_path).wait() == 0
    assert path.stat().st_ino == made  # found, not made again
    path.write_bytes(b"nonsense")
    assert run(tmp_path).wait() == 0
    assert disk.load(path.stem)[1]
    assert run(tmp_path, SDM_CACHE_BYTES="0").wait() == 0


def test_options():
    found = options.from_environment({"SDM_CACHE_DIR": "/x", "SDM_CACHE_BYTES": "5", "SDM_CHECK": "0", "SDM_PTXAS": "/p"})
    assert found == options.Options("/x", 5, False, "/p", "")
    assert str(options.cache_directory(found)) == "/x" and found.code == ("/p",)
    assert options.cache_directory(options.Options()).name
    with pytest.raises(ValueError, match="expected SDM_CACHE_BYTES to be a number"):
        options.from_environment({"SDM_CACHE_BYTES": "many"})


def test_extents_of_a_specialisation():
    assert [compiler.rounded(n) for n in (0, 1, 2, 3, 64, 65, 4096, 4097)] == [1, 1, 2, 4, 64, 128, 4096, None]


def test_constants_of_the_kernel_are_part_of_it():
    import sdm
    import sdm.language as sl

    x = np.ones((3, 4), np.float32)

    @sdm.kernel
    def scale(x: sl.Rows, y: sl.Rows):
        for row in sl.rows(x):
            y[row] = x[row] * FACTOR

    for factor in (2.0, 3.0):
        globals()["FACTOR"] = factor
        y = np.zeros_like(x)
        scale(x, y)
        assert (y == factor).all()


@pytest.mark.parametrize("answer", ("~/.cache/sdm-lang", RuntimeError("could not determine the home directory")))
def test_a_user_without_a_home(monkeypatch, answer):
    import platformdirs

    def user_cache_dir(name):
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(platformdirs, "user_cache_dir", user_cache_dir)
    disk = DiskCache.of(options.Options())
    disk.store(key("x"), FACTS, b"image")
    with disk.building(key("x")):
        assert disk.load(key("x")) is None
