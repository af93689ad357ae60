#!/bin/sh
# Fetches Debian bookworm's gperf into a cache folder and prints the path of the program. tests/debian.sh says how: nothing is
# installed.
#
# usage: fetch.sh CACHE_DIR
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)
cache=$1
version=3.1-1
program=$cache/tree/usr/bin/gperf

fail() {
  printf 'gperf/fetch.sh: %s\n' "$*" >&2
  exit 1
}

if [ ! -x "$program" ]; then
  . "$root/tests/debian.sh"
  debian_open
  mkdir -p "$cache"
  mkdir "$debian_work/deb"
  debian_suite bookworm deb || fail "no packages of bookworm from $debian_mirror: $debian_problem"
  (cd "$debian_work/deb" && apt-get -q download "gperf=$version") >"$debian_work/download.log" 2>&1 ||
    fail "apt-get download failed: $(tail -n 3 "$debian_work/download.log")"
  for deb in "$debian_work"/deb/*.deb; do
    dpkg -x "$deb" "$cache/tree" || fail "cannot unpack $deb"
  done
fi
printf '%s\n' "$program"
