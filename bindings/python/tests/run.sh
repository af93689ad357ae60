#!/usr/bin/env bash
# Installs the package as a user would, in an environment in the build folder, and tests it there: style, types, tests.
# The last line is "N passed, M failed".
#
#   run.sh BUILD_DIR
#
# BUILD_DIR has the library and the headers as build.sh makes them. LLHTTP_PYTHONS: interpreters, separated by blanks
# (default: python3). All run the tests; the first one also checks style, types and packaging.
set -euo pipefail

build=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
export PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1
unset LLHTTP_LIBRARY PYTHONPATH
passed=0 failed=0

# counted COMMAND...: runs a check that counts as one.
counted() {
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)) && printf 'FAIL %s\n' "$*"; fi
}

vectors=()
[ ! -f "$build/vectors.txt" ] || vectors=("--vectors=$build/vectors.txt")
first=1
for python in ${LLHTTP_PYTHONS:-python3}; do
  version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  venv=$build/python/$version
  bin=$venv/bin
  # The requirements' hash tells whether the environment is as they want it.
  hash=$(sha256sum tests/requirements.txt)
  if [ "$(cat "$venv/requirements" 2>/dev/null)" != "$hash" ]; then
    rm -rf "$venv"
    "$python" -m venv "$venv"
    "$bin/pip" install --quiet -r tests/requirements.txt
    printf '%s\n' "$hash" >"$venv/requirements"
  fi
  # In place of one that an earlier run has left: the version is the same.
  rm -rf build src/*.egg-info
  "$bin/pip" install --quiet --no-build-isolation --no-deps --force-reinstall .

  tests=(tests)
  if [ -n "$first" ]; then
    counted "$bin/ruff" check --quiet --cache-dir "$build/python/ruff" .
    counted "$bin/ruff" format --quiet --check --cache-dir "$build/python/ruff" .
    counted "$bin/mypy" --cache-dir "$build/python/mypy"
  else
    tests+=(--ignore tests/test_packaging.py)
  fi
  first=

  # Tests are run on the installed package: src must not be on the path.
  status=0
  "$bin/python" -m pytest -q -p no:cacheprovider --include="$build/include" --library="$build/lib/libllhttp.so" \
    "${vectors[@]}" "${tests[@]}" >"$build/python/$version.log" 2>&1 || status=$?
  [ "$status" -eq 0 ] || tail -n 60 "$build/python/$version.log"
  line=$(tail -n 1 "$build/python/$version.log")
  ok=$(grep -oE '[0-9]+ passed' <<<"$line" || true) bad=$(grep -oE '[0-9]+ failed' <<<"$line" || true)
  ok=${ok% *} bad=${bad% *}
  passed=$((passed + ${ok:-0})) failed=$((failed + ${bad:-0}))
  # What pytest calls an error is no test that has failed; neither is a run without tests one that has passed.
  [ "$status" -eq 0 ] && [ "${ok:-0}" -gt 0 ] || [ "${bad:-0}" -gt 0 ] || failed=$((failed + 1))
  printf 'Python %s: %s\n' "$version" "$line"
done
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
