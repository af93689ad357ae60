#!/usr/bin/env bash
# A Python program that knows nothing of this project but its installed library: it must show the examples as they are,
# whatever the pieces. The last line is "N passed, M failed".
#
#   run.sh PREFIX                  PREFIX/lib has libllhttp.so.9.4
set -uo pipefail

prefix=$(cd "$1" && pwd) || exit 2
cd "$(dirname "$0")" || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/checks.sh
. ../../checks.sh

# shows STATUS EXPECTED TYPE FILE [SIZE]
shows() {
  local status=0
  LD_LIBRARY_PATH=$prefix/lib python3 show.py "$3" "${@:5}" <"$4" >"$work/said" 2>&1 || status=$?
  equal "$status" "$1" && diff "$2" "$work/said"
}

printf 'CONNECT example.com:443 HTTP/1.1\r\n\r\n\x16\x03\x01' >"$work/connect"
for size in '' 1 7; do
  pieces=${size:+, in pieces of $size}
  check "request$pieces" shows 0 request.txt request ../../../examples/request.http $size
  check "response$pieces" shows 0 response.txt response ../../../examples/response.http $size
  check "error$pieces" shows 1 bad.txt request ../../../examples/bad.http $size
  check "upgrade$pieces" shows 0 upgrade.txt request "$work/connect" $size
done
closing
