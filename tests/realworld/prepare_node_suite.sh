#!/bin/sh
# Fetches the source of the nodejs package that prepare.sh put into its root, and prints the folder with Node's own
# tests for HTTP/1: the folder test/ of that source, without what these tests do not need.
#
# usage: prepare_node_suite.sh [CACHE_DIR]        default: build/realworld under the repository's root, where
# prepare.sh has been
#
# About 25 MB are fetched and 70 MB stored.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
cache=${1:-$root/build/realworld}

fail() {
  printf 'prepare_node_suite: %s\n' "$*" >&2
  exit 1
}

[ -e "$cache/complete" ] || fail "run prepare.sh first"
cache=$(CDPATH='' cd -- "$cache" && pwd)
version=$(awk '$1 == "nodejs" { print $2 }' "$cache/packages")
new=$cache/node-suite
if [ -e "$new/complete" ] && [ "$(cat "$new/complete")" = "$version" ]; then
  printf '%s\n' "$new"
  exit 0
fi

. "$root/tests/debian.sh"
debian_open
debian_suite "$(cat "$cache/suite")" deb-src || fail "$debian_problem"
mkdir "$debian_work/source"
(cd "$debian_work/source" && apt-get -q source --download-only "nodejs=$version") >"$debian_work/source.log" 2>&1 ||
  fail "apt-get source nodejs=$version failed: $(tail -n 3 "$debian_work/source.log")"
rm -rf "$new"
mkdir "$new"
set -- "$debian_work"/source/nodejs_*.orig.tar.*
tar -xf "$1" -C "$new" --strip-components=1 --wildcards '*/test/common/*' '*/test/fixtures/*' \
  '*/test/parallel/test-http*' '*/test/sequential/test-http*' || fail "cannot unpack $1"
echo "$version" >"$new/complete"
printf '%s\n' "$new"
