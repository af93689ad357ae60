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
  debian_unpack bookworm "$cache/tree" gperf=$version
fi
printf '%s\n' "$program"
