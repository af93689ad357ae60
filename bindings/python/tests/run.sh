#!/usr/bin/env bash
# Installs the package as a user would, in an environment in the build folder, and tests it there: style, types, tests.
# The last line is "N passed, M failed".
#
#   run.sh BUILD_DIR              needs what --prepare fetches
#   run.sh --prepare BUILD_DIR    fetches it from PyPI, unless it is there
#
# BUILD_DIR has the library and the headers as build.sh makes them.
# LLHTTP_PYTHONS: interpreters, separated by blanks (default: python3). All run the tests; the first one also checks style,
# types and packaging. LLHTTP_REFERENCE: llhttp's own library, on which the tests must come out the same.
set -euo pipefail

prepare=
if [ "$1" = --prepare ]; then prepare=1 && shift; fi
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
export PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1
unset LLHTTP_LIBRARY PYTHONPATH
passed=0 failed=0

# counted COMMAND...: runs a check that counts as one.
counted() {
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)) && printf 'FAIL %s\n' "$*"; fi
}

# tested NAME ARGUMENT...: pytest, with $bin. Each of its tests counts. src is not on the path: it tests what is installed.
tested() {
  local name=$1 log="$build/python/$1.log" status=0 line ok bad
  shift
  "$bin/python" -m pytest -q -p no:cacheprovider --include="$build/include" --library="$build/lib/libllhttp.so" \
    "${vectors[@]}" "$@" >"$log" 2>&1 || status=$?
  [ "$status" -eq 0 ] || tail -n 60 "$log"
  line=$(tail -n 1 "$log")
  ok=$(grep -oE '[0-9]+ passed' <<<"$line" || true) bad=$(grep -oE '[0-9]+ failed' <<<"$line" || true)
  ok=${ok% *} bad=${bad% *}
  passed=$((passed + ${ok:-0})) failed=$((failed + ${bad:-0}))
  # What pytest calls an error is no test that has failed; neither is a run without tests one that has passed.
  [ "$status" -eq 0 ] && [ "${ok:-0}" -gt 0 ] || [ "${bad:-0}" -gt 0 ] || failed=$((failed + 1))
  printf '%s: %s\n' "$name" "$line"
}

vectors=()
[ ! -f "$build/vectors.txt" ] || vectors=("--vectors=$build/vectors.txt")
first=1
for python in ${LLHTTP_PYTHONS:-python3}; do
  version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  venv=$build/python/$version
  bin=$venv/bin
  # The hash of the requirements tells whether the environment is as they want it.
  hash=$(sha256sum tests/requirements.txt)
  if [ "$(cat "$venv/requirements" 2>/dev/null)" != "$hash" ]; then
    rm -rf "$venv"
    "$python" -m venv "$venv"
    "$bin/pip" install --quiet -r tests/requirements.txt
    printf '%s\n' "$hash" >"$venv/requirements"
  fi
  [ -z "$prepare" ] || continue

  # In place of one that an earlier run has left: the version is the same.
  rm -rf build src/*.egg-info
  "$bin/pip" install --quiet --no-build-isolation --no-deps --force-reinstall .

  if [ -n "$first" ]; then
    counted "$bin/ruff" check --quiet --cache-dir "$build/python/ruff" .
    counted "$bin/ruff" format --quiet --check --cache-dir "$build/python/ruff" .
    counted "$bin/mypy" --cache-dir "$build/python/mypy"
    tested "Python $version"
    # llhttp never returns from a NUL in a relaxed value, and aborts where it has no name.
    [ -z "${LLHTTP_REFERENCE:-}" ] || LLHTTP_LIBRARY=$LLHTTP_REFERENCE \
      tested "Python $version on llhttp" --ignore tests/test_packaging.py -k 'not (relaxed and null) and not no_other'
  else
    tested "Python $version" --ignore tests/test_packaging.py
  fi
  first=
done
[ -z "$prepare" ] || exit 0
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
