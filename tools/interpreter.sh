# Sourced: sets PYTHON to a program that runs, or stops with a sentence. pyenv's shims exist for versions that are not selected.
PYTHON="${PYTHON:-python3}"
if ! "$PYTHON" -c '' >/dev/null 2>&1; then
  wanted="${PYTHON##*python}"
  for candidate in "${PYENV_ROOT:-$HOME/.pyenv}/versions/$wanted"*/bin/python; do
    [ -x "$candidate" ] && PYTHON="$candidate"
  done
fi
if ! "$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 10))' >/dev/null 2>&1; then
  echo "expected Python 3.10 or newer as PYTHON, got $PYTHON." >&2
  exit 1
fi
