#!/usr/bin/env bash
# Builds httptools and aiohttp from PyPI twice, with the llhttp that they bring and with this library in its place, and
# runs their own tests of the parser on both. Every test must pass on both. The last line is "N passed, M failed".
#
#   pypi.sh BUILD_DIR [PREFIX]
#   pypi.sh --prepare BUILD_DIR    only fetches from PyPI what is not there yet
#
# PREFIX: where the library is installed (default: BUILD_DIR, which has lib and include). What is fetched and built
# stays in BUILD_DIR/pypi, so that a second run is quick. PYTHON: the interpreter, 3.10 or newer (default: python3).
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
prepare=
if [ "$1" = --prepare ]; then prepare=1 && shift; fi
build=$(cd "$1" && pwd)
prefix=$(cd "${2:-$1}" && pwd)
work=$build/pypi
venv=$work/venv
dist=$work/dist
export PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1
unset PYTHONPATH LD_LIBRARY_PATH

# once STAMP WORD... -- COMMAND...: runs the command unless it has succeeded with these words before.
once() {
  local stamp=$work/$1 words=()
  shift
  while [ "$1" != -- ]; do words+=("$1") && shift; done
  shift
  [ "$(cat "$stamp" 2>/dev/null)" != "${words[*]}" ] || return 0
  "$@"
  printf '%s\n' "${words[*]}" >"$stamp"
}

hash_of() { cat "$@" | sha256sum | cut -c1-64; }

environment() {
  rm -rf "$venv"
  "${PYTHON:-python3}" -m venv "$venv"
  "$venv/bin/pip" install --quiet -r "$here/pypi-environment.txt"
}

sources() {
  rm -rf "$dist"
  "$venv/bin/pip" download --quiet --no-deps --no-binary :all: --no-build-isolation --require-hashes \
    -r "$here/pypi-packages.txt" -d "$dist"
  local archive
  for archive in "$dist"/*.tar.gz; do tar -C "$dist" -xf "$archive"; done
}

# install_from KIND: builds both packages, and installs them in a folder of their own. The compiler may be quick: the
# speed of this code is not what is tested.
install_from() {
  local kind=$1 site=$work/$1 package
  rm -rf "$site"
  mkdir -p "$site"
  if [ "$kind" = system ]; then
    printf '[build_ext]\nuse_system_llhttp = 1\ninclude_dirs = %s\nlibrary_dirs = %s\n' \
      "$prefix/include" "$prefix/lib" >"$work/httptools.cfg"
    export DIST_EXTRA_CONFIG=$work/httptools.cfg
    export AIOHTTP_USE_SYSTEM_DEPS=1
    if [ -f "$prefix/lib/pkgconfig/libllhttp.pc" ]; then
      export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
    else
      export PKG_CONFIG_PATH=$work
      printf 'Name: libllhttp\nDescription: not installed\nVersion: 0\nCflags: -I%s\nLibs: -L%s -lllhttp\n' \
        "${prefix// /\\ }/include" "${prefix// /\\ }/lib" >"$work/libllhttp.pc"
    fi
  fi
  for package in httptools aiohttp; do
    # A copy each: both kinds are built at the same time.
    cp -r "$dist/$package"-*/ "$site.source"
    CFLAGS='-O1 -g0' "$venv/bin/pip" install --quiet --no-build-isolation --no-deps --target "$site" "$site.source"
    rm -rf "$site.source"
    unset DIST_EXTRA_CONFIG
  done
}

# uses KIND LIBRARY: holds the library in use against the one that should be, none for bundled.
uses() {
  on "$1" "$venv/bin/python" - "$2" <<'PYTHON'
import os, sys
import aiohttp._http_parser, httptools.parser.parser
with open("/proc/self/maps") as maps:
    loaded = {line.split(maxsplit=5)[5].strip() for line in maps if "libllhttp" in line}
wanted = {os.path.realpath(sys.argv[1])} if sys.argv[1] else set()
assert loaded == wanted, f"loaded {loaded}, not {wanted}"
PYTHON
}

# on KIND COMMAND...: runs it with the packages of one kind.
on() {
  local kind=$1
  shift
  if [ "$kind" = system ]; then export LD_LIBRARY_PATH=$prefix/lib; fi
  PYTHONPATH=$work/$kind:$here "$@"
}

# tests KIND: the tests that the source distributions have for the parser. aiohttp has a second parser, in Python, which
# is left out; its pytest.ini asks for more than these tests need. With -X dev it relaxes no rule for responses: some
# tests are for that.
tests() {
  local kind=$1 suite
  rm -f "$work/$kind"-*.xml
  suite=$(echo "$dist"/httptools-*/tests)
  run_suite "$kind" httptools -- --rootdir "$suite" "$suite/test_parser.py"
  suite=$(echo "$dist"/aiohttp-*/tests)
  set -- --rootdir "$suite" "$suite/test_http_parser.py" -k 'not py-parser'
  run_suite "$kind" aiohttp -- "$@" -m 'not internal and not dev_mode'
  run_suite "$kind" aiohttp-dev -X dev -- "$@" -m dev_mode
}

# run_suite KIND NAME PYTHON_OPTION... -- PYTEST_ARGUMENT...
run_suite() {
  local kind=$1 log=$work/$1-$2 options=()
  shift 2
  while [ "$1" != -- ]; do options+=("$1") && shift; done
  shift
  # What has failed is said by the comparison, too; it is here that one sees why.
  on "$kind" "$venv/bin/python" "${options[@]}" -m pytest -q -c "$work/pytest.ini" -p no:cacheprovider \
    -p pytest_freeze -W ignore::DeprecationWarning --junit-xml "$log.xml" "$@" >"$log.log" 2>&1 || tail -n 40 "$log.log"
}

# both COMMAND: runs it for both kinds at once.
both() {
  local one two status=0
  "$1" system & one=$!
  "$1" bundled & two=$!
  wait "$one" || status=$?
  wait "$two" || status=$?
  return "$status"
}

build_kind() {
  local header
  header=$(hash_of "$prefix/include/llhttp.h")
  if [ "$1" = bundled ]; then header=; fi
  once "$1.stamp" "$(hash_of "$here"/pypi*)" "$prefix" "$header" -- install_from "$1"
}

mkdir -p "$work"
once environment.stamp "$(hash_of "$here/pypi-environment.txt")" "$("${PYTHON:-python3}" --version)" -- environment
once sources.stamp "$(hash_of "$here/pypi-packages.txt")" -- sources
[ -z "$prepare" ] || exit 0
both build_kind
(uses system "$prefix/lib/libllhttp.so.9.4")
(uses bundled '')
{
  echo '[pytest]'
  echo 'markers ='
  printf '  %s: of aiohttp\n' internal dev_mode skip_blockbuster
} >"$work/pytest.ini"
both tests
"$venv/bin/python" "$here/outcomes.py" "$work"/{system,bundled}-httptools.xml "$work"/{system,bundled}-aiohttp.xml \
  "$work"/{system,bundled}-aiohttp-dev.xml
