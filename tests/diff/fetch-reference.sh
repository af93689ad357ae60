#!/bin/sh
# Fetches Debian's build of llhttp 9.4.3 (library, header, source), the oracle of the differential test, into a cache
# folder and prints the path of the library. tests/debian.sh says how: nothing is installed.
#
# usage: fetch-reference.sh [CACHE_DIR]        default: build/reference under the repository's root
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
cache=${1:-$root/build/reference}
version=9.4.3
suites='forky sid'
packages='libllhttp9.4 libllhttp-dev libllhttp-source'

fail() {
  printf 'fetch-reference: %s\n' "$*" >&2
  exit 1
}

library() {
  for f in "$cache"/tree/usr/lib/*/libllhttp.so."$version"; do
    [ -f "$f" ] && [ -f "$cache/tree/usr/include/llhttp.h" ] && [ -f "$cache/complete" ] || return 1
    printf '%s\n' "$f"
    return 0
  done
}

library && exit 0

command -v apt-get >/dev/null 2>&1 || fail "apt-get is missing; this works on Debian and its derivatives only.
Elsewhere, unpack the packages $packages ($version) into $cache/tree by hand and create $cache/complete."

. "$root/tests/debian.sh"
debian_open
mkdir -p "$cache"
cache=$(CDPATH='' cd -- "$cache" && pwd)
rm -rf "$cache/tree" "$cache/complete"
debs=$debian_work/deb
mkdir "$debs"

fetch() {  # suite
  rm -f "$debs"/*.deb
  debian_suite "$1" deb || {
    problem=$debian_problem
    return 1
  }
  set --
  for p in $packages; do
    all=$(apt-cache madison "$p" | awk -F '|' '{ gsub(/ /, "", $2); print $2 }')
    v=$(printf '%s\n' "$all" | awk -v want="$version" 'index($0, want) == 1 { print; exit }')
    [ -n "$v" ] || {
      problem="no $p $version* there, but: $all"
      return 1
    }
    set -- "$@" "$p=$v"
  done
  (cd "$debs" && apt-get -q download "$@") >"$debian_work/download.log" 2>&1 || {
    problem="apt-get download failed: $(tail -n 3 "$debian_work/download.log")"
    return 1
  }
}

problems=
for suite in $suites; do
  problem=
  if fetch "$suite"; then
    problems=
    break
  fi
  problems="$problems
$suite: $problem"
done
[ -z "$problems" ] || fail "cannot get llhttp $version for $debian_arch from $debian_mirror$problems"

for deb in "$debs"/*.deb; do
  v=$(dpkg-deb -f "$deb" Version)
  a=$(dpkg-deb -f "$deb" Architecture)
  case $v in $version*) ;; *) fail "$deb has version $v, not $version" ;; esac
  case $a in "$debian_arch" | all) ;; *) fail "$deb is for $a, this machine is $debian_arch" ;; esac
  dpkg -x "$deb" "$cache/tree" || fail "cannot unpack $deb"
done
mv "$debs"/*.deb "$cache/"
: >"$cache/complete"
library || fail "the packages hold no libllhttp.so.$version"
