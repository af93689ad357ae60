#!/usr/bin/env bash
# A Python program that knows nothing of this project but its installed library: it must show the examples as they are,
# whatever the pieces. The last line is "N passed, M failed".
#
#   run.sh PREFIX                  PREFIX/lib has libllhttp.so.9.4
set -uo pipefail

prefix=$(cd "$1" && pwd) || exit 2
cd "$(dirname "$0")" || exit 2
passed=0 failed=0

# shows STATUS EXPECTED TYPE FILE [SIZE]
shows() {
  local status=0 said
  said=$(LD_LIBRARY_PATH=$prefix/lib python3 show.py "$3" "${@:5}" <"$4" 2>&1) || status=$?
  if [ "$status" -eq "$1" ] && diff "$2" <(printf '%s\n' "$said"); then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'FAIL %s %s %s: exit status %d\n' "$3" "$4" "${5:-}" "$status"
  fi
}

for size in '' 1 7; do
  shows 0 request.txt request ../../../examples/request.http $size
  shows 0 response.txt response ../../../examples/response.http $size
  shows 1 bad.txt request ../../../examples/bad.http $size
  shows 0 upgrade.txt request <(printf 'CONNECT example.com:443 HTTP/1.1\r\n\r\n\x16\x03\x01') $size
done
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
