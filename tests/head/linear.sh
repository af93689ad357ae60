#!/usr/bin/env bash
# Holds the counts of linear.c against each other.
#
#   linear.sh PROGRAM        needs valgrind; LD_LIBRARY_PATH and LLHTTP_SIMD say which library and level is counted
#
# A field of a thousand may cost at most 1.3 times what one of a hundred costs, and names that collide in the hash
# must cost no more than sorting them: twice the names, at most 2.4 times the instructions.
set -euo pipefail

dumps=$(mktemp -d)
trap 'rm -rf "$dumps"' EXIT
"$1" "$dumps/names"
valgrind -q --tool=callgrind --collect-atstart=no --callgrind-out-file="$dumps/out" "$1" "$dumps/names" >"$dumps/log" || {
  cat "$dumps/log" >&2
  exit 1
}
find "$dumps" -name 'out.*' -print0 | sort -zV | xargs -0 cat | awk -F ': ' '
  function hold(what, cost, limit) {
    printf "%-40s %8.2f, at most %.2f%s\n", what, cost, limit, (cost > 0 && cost <= limit ? "" : "  FAIL")
    if (cost > 0 && cost <= limit) passed++
    else failed++
  }
  /^desc: Trigger: Client Request: / { name = $4 }
  /^totals: / && name != "" { cost[name] = $2; name = "" }
  END {
    n = split("distinct equal well-known", shapes, " ")
    for (i = 1; i <= n; i++) {
      s = shapes[i]
      hold(s ": a field of 1000 against one of 100", cost[s "/1000"] / 1000 / (cost[s "/100"] / 100), 1.3)
    }
    for (k = 50; k < 400; k *= 2)
      hold("colliding: " 2 * k " against " k, cost["colliding/" 2 * k] / cost["colliding/" k], 2.4)
    printf "a colliding field of 400: %d instructions\n", cost["colliding/400"] / 400
    printf "%d passed, %d failed\n", passed, failed
    exit failed > 0 || passed == 0
  }'
