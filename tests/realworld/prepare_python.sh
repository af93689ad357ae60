#!/bin/sh
# Makes a Python environment with the programs of this test that come from PyPI, pinned in python/requirements.txt, and
# prints its path. httptools is built from source with its own option to use the system's llhttp, which is Debian's
# here: header and library. The others are installed as they are published.
#
# usage: prepare_python.sh REFERENCE_TREE [CACHE_DIR]        default: build/realworld under the repository's root
#
# REFERENCE_TREE is the tree of tests/diff/fetch-reference.sh. Needs python3 with venv and headers, and a C compiler.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
tree=$1
cache=${2:-$here/../../build/realworld}
wanted=$here/python/requirements.txt

fail() {
  printf 'prepare_python: %s\n' "$*" >&2
  exit 1
}

command -v python3 >/dev/null 2>&1 || fail "python3 is missing"
mkdir -p "$cache"
cache=$(CDPATH='' cd -- "$cache" && pwd)
new=$cache/python
stamp="$new $(python3 --version) $(sha256sum <"$wanted")"
if [ -e "$cache/python-complete" ] && [ "$(cat "$cache/python-complete")" = "$stamp" ]; then
  printf '%s\n' "$new"
  exit 0
fi

python3 -c 'import sysconfig, os, sys; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' ||
  fail "Python's headers are missing (Debian: python3-dev)"
rm -rf "$new" "$cache/python-complete"
python3 -m venv "$new" || fail "python3 cannot make an environment (Debian: python3-venv)"
# Variables of the compiler, not CFLAGS: they take paths with blanks. httptools is named here, as settings do not reach what a file names;
# without pip's cache, which may have one that was built otherwise, and does not ask how.
CPATH=$tree/usr/include LIBRARY_PATH=$(echo "$tree"/usr/lib/*/) \
  "$new/bin/pip" install --quiet --disable-pip-version-check --no-cache-dir --no-binary httptools \
  --config-settings='--build-option=build_ext --use-system-llhttp' "$(grep '^httptools==' "$wanted")" >&2 ||
  fail "httptools cannot be built"
"$new/bin/pip" install --quiet --disable-pip-version-check -r "$wanted" >&2 || fail "pip install failed"
echo "$stamp" >"$cache/python-complete"
printf '%s\n' "$new"
