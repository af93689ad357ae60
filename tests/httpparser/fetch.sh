#!/bin/sh
# Fetches Debian bookworm's http_parser, whose function for URLs the library has too, into a cache folder and prints the path
# of the library. tests/debian.sh says how: nothing is installed.
#
# usage: fetch.sh [CACHE_DIR]        default: build/httpparser under the repository's root
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
cache=${1:-$root/build/httpparser}
package=libhttp-parser2.9
version=2.9.4-5

fail() {
  printf 'httpparser/fetch.sh: %s\n' "$*" >&2
  exit 1
}

library() {
  for f in "$cache"/tree/usr/lib/*/libhttp_parser.so.2.9; do
    [ -f "$f" ] && [ "$(cat "$cache/complete" 2>/dev/null)" = "$version" ] || return 1
    printf '%s\n' "$f"
    return 0
  done
}

library && exit 0

. "$root/tests/debian.sh"
rm -rf "$cache/tree" "$cache/complete"
debian_unpack bookworm "$cache/tree" $package=$version
printf '%s\n' "$version" >"$cache/complete"
library || fail "$package $version holds no libhttp_parser.so.2.9"
