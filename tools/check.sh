#!/bin/sh
# Every guard; -f repairs what can be repaired. One line each: "ok: <guard>" or "failed: <guard>".
cd "$(dirname "$0")/.." || exit 1
fix=""
[ "${1:-}" = "-f" ] && fix="-f"
python=.venv/bin/python
[ -x "$python" ] || python=python3
status=0

guard() {
  name="$1"
  shift
  if output=$("$@" 2>&1); then
    echo "ok: $name"
  else
    echo "failed: $name"
    printf '%s\n' "$output" | sed 's/^/  /'
    status=1
  fi
}

sources() { git ls-files --cached --others --exclude-standard -- '*.cpp' '*.h'; }

format() {
  if [ -n "$fix" ]; then
    sources | xargs clang-format-22 -i
  else
    bad=$(sources | xargs clang-format-22 --dry-run 2>&1 | sed -n 's/^\([^:]*\):.*clang-format-violations.*/\1/p' | sort -u)
    [ -z "$bad" ] || { echo "expected the format of .clang-format (tools/check.sh -f writes it) in:"; echo "$bad"; false; }
  fi
}

guard "format (clang-format-22)" format
guard "sizes" "$python" tools/check_sizes.py
guard "layers" "$python" tools/check_layers.py
guard "messages" "$python" tools/check_messages.py
guard "generated pages" "$python" tools/make_reference.py $([ -n "$fix" ] || echo --check)
exit $status
