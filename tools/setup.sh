#!/bin/sh
# System packages and .venv. Runs again in a second when nothing is missing; asks for nothing.
set -eu
cd "$(dirname "$0")/.."

PACKAGES="libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools clang-22 lld-22 clang-format-22 libzstd-dev zlib1g-dev
libgtest-dev ninja-build cmake ccache git python3-venv python3-dev"

have() { command -v "$1" >/dev/null 2>&1; }
installed() { dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null | grep -q '^installed$'; }

missing=""
if have dpkg-query; then
  for package in $PACKAGES; do
    installed "$package" || missing="$missing $package"
  done
else
  for tool in clang++-22 ld.lld-22 clang-format-22 ninja cmake git; do
    have "$tool" || missing="$missing $tool"
  done
  [ -e /usr/lib/llvm-22/lib/cmake/mlir/MLIRConfig.cmake ] || missing="$missing MLIR-22"
fi

debian12() { [ -r /etc/os-release ] && . /etc/os-release && [ "${ID:-}" = debian ] && [ "${VERSION_ID:-}" = 12 ]; }

if [ -n "$missing" ]; then
  if ! debian12; then
    echo "make setup installs packages on Debian 12 only; this machine lacks:$missing." >&2
    exit 1
  fi
  root=""
  if [ "$(id -u)" != 0 ]; then
    if have sudo && sudo -n true 2>/dev/null; then root="sudo -n"; else
      echo "make setup needs root or passwordless sudo to install:$missing." >&2
      exit 1
    fi
  fi
  echo "installing$missing"
  export DEBIAN_FRONTEND=noninteractive
  $root apt-get -o DPkg::Lock::Timeout=540 -qq update
  # shellcheck disable=SC2086
  $root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=540 -o Dpkg::Use-Pty=0 -qq -y --no-install-recommends install $missing >/dev/null
fi

. tools/interpreter.sh
# The working tree keeps the interpreter that .venv was made with.
[ -x .venv/bin/python ] || "$PYTHON" -m venv .venv

requirements="numpy ml_dtypes click rich filelock platformdirs pytest pytest-xdist hypothesis lit pybind11 scikit-build-core build"
# The assembler's wheel needs none of its dependencies for ptxas alone.
assembler=""
if [ -z "${SDM_PTXAS:-}" ] && [ ! -x "${CUDA_HOME:-/usr/local/cuda}/bin/ptxas" ] && [ ! -x /usr/local/cuda/bin/ptxas ] && ! have ptxas; then
  assembler="nvidia-cuda-nvcc==13.0.88"
fi
stamp=".venv/sdm-requirements"
if [ "$(cat "$stamp" 2>/dev/null || true)" != "$requirements $assembler" ]; then
  # shellcheck disable=SC2086
  .venv/bin/python -m pip install --quiet --disable-pip-version-check $requirements
  [ -z "$assembler" ] || .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps "$assembler"
  printf '%s\n' "$requirements $assembler" >"$stamp"
fi

# sdm is importable from the working tree: python/sdm on the path, kernels/ as sdm.kernels (python/sdm/kernels is a link).
site=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
printf '%s\n' "$PWD/python" >"$site/sdm-source.pth"
[ -e python/sdm/kernels ] || ln -s ../../kernels python/sdm/kernels
