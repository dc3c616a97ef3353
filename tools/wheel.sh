#!/bin/sh
# A wheel for $PYTHON in dist/, from the static release tree. Another interpreter compiles only _sdm again.
set -eu
cd "$(dirname "$0")/.."
. tools/interpreter.sh
tag=$("$PYTHON" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
venv="build/wheel-venv-$tag"
[ -x "$venv/bin/python" ] || "$PYTHON" -m venv "$venv"
[ -f "$venv/ready" ] || { "$venv/bin/python" -m pip install --quiet --disable-pip-version-check build scikit-build-core pybind11 && touch "$venv/ready"; }
mkdir -p dist
"$venv/bin/python" -m build --wheel --no-isolation --outdir dist .
