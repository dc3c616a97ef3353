"""Small kernels in CUDA C++, compiled by nvcc where there is one."""

import pathlib
import shutil
import subprocess
import tempfile

from sdm import _sdm


def nvcc() -> str | None:
    return shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")


def compiled(source: str, device: int = 0) -> _sdm.CudaKernel:
    """The source's kernels for a device, without fast math."""
    info = _sdm.device_info(device)
    with tempfile.TemporaryDirectory() as folder:
        text, cubin = pathlib.Path(folder, "kernels.cu"), pathlib.Path(folder, "kernels.cubin")
        text.write_text(source)
        subprocess.run([nvcc(), "-cubin", f"-arch=sm_{info['major']}{info['minor']}", "-o", str(cubin), str(text)], check=True)
        return _sdm.CudaKernel(cubin.read_bytes())
