#!/usr/bin/env bash
# Do the fuzzers find what they should? Differences are planted in the tested library; each must be found, kept as a
# small plan that shows it again, and gone without the plant.
#
#   tests/fuzz/selftest.sh BUILD_DIR replay    the replay of inputs, which needs no clang
#   tests/fuzz/selftest.sh BUILD_DIR fuzzers   the fuzzers, each from a single seed that shows nothing
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
build=$1
work=$build/fuzz
passed=0 failed=0

result() {
  if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
  printf '%s %s\n' "$([ "$1" -eq 0 ] && echo 'ok  ' || echo FAIL)" "$2"
}

# fails COMMAND...: 0 if it fails with a word of it.
fails() {
  if "$@" >"$work/selftest.log" 2>&1; then return 1; fi
  grep -q '^FAIL' "$work/selftest.log"
}

shipped=$(sh "$root/tests/diff/fetch-reference.sh" "$build/reference" | tail -n 1)
replay() { "$work/replay" --target="$target" --reference="$shipped" --library="$build/lib/libllhttp.so.9.4.3" "$@"; }
# The targets of what llhttp does not have, which have one difference to plant each.
beyond_replay() { "$work/beyond-replay" --target="$target" "$@"; }
beyond=(limits tape head ext)

case $2 in
  replay)
    # Between them they have all that a plant takes: the request-target's cases are refused.
    (cd "$root" && go run ./tests/cases/runner --plans --only request-target tests/cases/*.md) >"$work/selftest.plan"
    inputs=("$root"/tests/fuzz/seeds/*.plan "$work/selftest.plan")
    for target in reference levels parts driver; do
      status=0
      replay "${inputs[@]}" >/dev/null || status=1
      result $status "$target: nothing is found where nothing is planted"
      for plant in $("$work/replay" --plants); do
        # Two seconds each: once is enough.
        if [ "$plant" = endless_loop ] && [ "$target" != reference ]; then continue; fi
        status=0
        fails replay --plant="$plant" "${inputs[@]}" || status=1
        result $status "$target: $plant"
      done
    done
    for target in "${beyond[@]}"; do
      status=0
      beyond_replay "${inputs[@]}" >/dev/null || status=1
      result $status "$target: nothing is found where nothing is planted"
      status=0
      fails beyond_replay --plant "${inputs[@]}" || status=1
      result $status "$target: what is planted"
    done
    ;;
  fuzzers)
    for pair in reference:error levels:read_past_end parts:lost_event driver:error; do
      target=${pair%:*} plant=${pair#*:} status=0
      rm -rf "$work/selftest"
      if LLHTTP_FUZZ_ALONE=1 LLHTTP_FUZZ_PLANT=$plant LLHTTP_FUZZ_FOUND=$work/selftest \
        "$root/tests/fuzz/fuzz.sh" "$build" "$target" 100 >"$work/selftest-$target.log" 2>&1; then
        status=1
      fi
      result $status "$target: $plant is found"
      plans=("$work/selftest"/*.plan) # the first is enough
      plan=${plans[0]}
      status=0
      [ -e "$plan" ] && [ "$(wc -l <"$plan")" -lt 30 ] && fails replay --plant="$plant" "$plan" &&
        replay "$plan" >/dev/null || status=1
      result $status "$target: the plan of $plant is small, shows it, and nothing without it"
    done
    for target in "${beyond[@]}"; do
      status=0
      rm -rf "$work/selftest"
      if LLHTTP_FUZZ_ALONE=1 LLHTTP_FUZZ_PLANT=type LLHTTP_FUZZ_FOUND=$work/selftest "$root/tests/fuzz/fuzz.sh" "$build" "$target" 100 \
        >"$work/selftest-$target.log" 2>&1; then
        status=1
      fi
      kept=$(find "$work/selftest" -name '*.bytes' -print -quit 2>/dev/null)
      [ -n "$kept" ] && fails beyond_replay --plant "$kept" && beyond_replay "$kept" >/dev/null || status=1
      result $status "$target: a planted difference is found, and what is kept shows it, and nothing without it"
    done
    ;;
esac
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
