#!/usr/bin/env bash
# Holds the counts of linear.c against each other.
#
#   linear.sh PROGRAM        needs valgrind; LD_LIBRARY_PATH and LLHTTP_SIMD say which library and level is counted
#
# A parse of n bytes that costs a + b n + c n^2 instructions has (cost(4n) - cost(2n)) / (cost(2n) - cost(n)) between 2,
# if c is 0, and 4, if b is. More than 2.2 is a failure; a hundred instructions are granted for what alignment does.
set -euo pipefail

dumps=$(mktemp -d)
trap 'rm -rf "$dumps"' EXIT
valgrind -q --tool=callgrind --collect-atstart=no --callgrind-out-file="$dumps/out" "$1" >"$dumps/log" || {
  cat "$dumps/log" >&2
  exit 1
}
find "$dumps" -name 'out.*' -print0 | sort -zV | xargs -0 cat | awk -F ': ' '
  /^desc: Trigger: Client Request: / { name = $4 }
  /^totals: / && name != "" {
    n = split(name, part, "/")
    times = part[n]
    shape = substr(name, 1, length(name) - length(times) - 1)
    if (!(shape in seen)) { seen[shape] = 1; order[++shapes] = shape }
    cost[shape, times] = $2
    name = ""
  }
  END {
    for (i = 1; i <= shapes; i++) {
      s = order[i]
      first = cost[s, 2] - cost[s, 1]
      second = cost[s, 4] - cost[s, 2]
      good = cost[s, 1] > 0 && second <= 2.2 * first + 100
      verdict = good ? "" : "  FAIL: grows faster than the input"
      printf "%-50s %10d %10d %10d%s\n", s, cost[s, 1], cost[s, 2], cost[s, 4], verdict
      if (good) passed++
      else failed++
    }
    printf "%d passed, %d failed\n", passed, failed
    exit failed > 0 || passed == 0
  }'
