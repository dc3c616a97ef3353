"""What the extension module needs from a system, what importing sdm loads, and the wheel in an environment of its own."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import sdm

ROOT = Path(__file__).resolve().parents[2]
STATIC = sorted((ROOT / "build/release/python/src").glob("_sdm*.so"))

# Ubuntu 22.04: glibc 2.35, libstdc++ of GCC 12.
NEWEST = {"GLIBC": (2, 35), "GLIBCXX": (3, 4, 30), "CXXABI": (1, 3, 13)}
SUPPLIED = {"arc4random"}  # a system that lacks it may be given it
LIBRARIES = {"libm", "libstdc++", "libgcc_s", "libc", "ld-linux-x86-64", "ld-linux-aarch64"}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def module():
    if not STATIC:
        pytest.skip("no static build: make wheel leaves one")
    return str(STATIC[-1])


def test_symbol_versions(module):
    late = []
    for symbol, family, version in re.findall(r"\bU (\w+)@+(GLIBC|GLIBCXX|CXXABI)_([\d.]+)", output("nm", "-D", module)):
        if tuple(map(int, version.split("."))) > NEWEST[family] and symbol not in SUPPLIED:
            late.append(f"{symbol}@{family}_{version}")
    assert not late


def test_needed_libraries(module):
    needed = re.findall(r"\(NEEDED\).*\[([^\]]*)\]", output("readelf", "-d", module))
    assert {re.sub(r"\.so.*", "", name) for name in needed} <= LIBRARIES


def test_exports_only_the_initialiser(module):
    defined = output("nm", "-D", "--defined-only", module).split("\n")
    assert [line.split()[-1] for line in defined if line] == ["PyInit__sdm"]


def test_import_loads_no_array_library_but_numpy():
    names = "{'torch', 'cupy', 'jax'}"
    assert output(sys.executable, "-c", f"import sdm, sys; print({names} & set(sys.modules))").strip() == "set()"


def test_one_version():
    from sdm import _sdm

    assert _sdm.versions().endswith("sdm " + sdm.__version__)


RUN = """
import numpy as np, sdm
from sdm.kernels import segment_sum
x = np.arange(20, dtype=np.float32).reshape(5, 4)
print(sdm.__version__, segment_sum.sum_segments(x, np.array([1, 0, 1, 1, 0]), 2).tolist())
"""


@pytest.mark.long
def test_wheel(tmp_path):
    """Builds the wheel for this interpreter and runs a kernel from it, far from the source tree."""
    environment = {"PATH": "/usr/bin:/bin:/usr/local/bin", "HOME": str(Path.home()), "PYTHON": sys.executable}
    stray = ROOT / "python/sdm/_sdm.cpython-399-x86_64-linux-gnu.so"  # what a build for another interpreter leaves
    stray.write_bytes(b"")
    try:
        subprocess.run([ROOT / "tools/wheel.sh"], check=True, cwd=ROOT, env=environment, capture_output=True)
    finally:
        stray.unlink()
    tag = "cp%d%d" % sys.version_info[:2]
    wheel = max((ROOT / "dist").glob(f"sdm_lang-{sdm.__version__}-{tag}-*.whl"), key=lambda path: path.stat().st_mtime)
    names = zipfile.ZipFile(wheel).namelist()
    assert len([name for name in names if name.startswith("sdm/_sdm") and name.endswith(".so")]) == 1
    assert len(names) == len(set(names)) and "sdm/kernels/gds.py" in names
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    python = tmp_path / "venv/bin/python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", wheel], check=True)
    ran = subprocess.run([python, "-c", RUN], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert ran.strip() == f"{sdm.__version__} [[20.0, 22.0, 24.0, 26.0], [20.0, 23.0, 26.0, 29.0]]"
