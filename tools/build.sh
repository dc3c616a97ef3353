#!/bin/sh
# Builds one preset: build/bin with the tools, python/sdm/_sdm*.so for .venv's interpreter.
set -eu
cd "$(dirname "$0")/.."
preset="$1"
jobs="${2:-2}"
if [ ! -f "build/$preset/build.ninja" ]; then
  said=$(mktemp)
  cmake --preset "$preset" >"$said" 2>&1 || { cat "$said"; rm -f "$said"; exit 1; }
  rm -f "$said"
fi
# One builder at a time in one tree.
if command -v flock >/dev/null 2>&1; then
  flock "build/$preset" ninja -C "build/$preset" -j "$jobs"
else
  ninja -C "build/$preset" -j "$jobs"
fi
[ "$preset" = asan-ubsan ] || ln -sfn "$preset/bin" build/bin
