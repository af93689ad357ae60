#!/usr/bin/env bash
# A long differential test in slices, each with a seed of its own, recorded in tests/diff/campaign.tsv.
#
#   tests/diff/campaign.sh [SLICES [COUNT]]   runs so many slices (default 1) of COUNT inputs (default 20 million)
#   tests/diff/campaign.sh --total            what the record comes to
#
# Slice k has the seed 1000+k. The kernel levels of this CPU take turns; in each eighth slice callbacks also write fields that nobody is
# invited to write (--wild). The commit that is recorded must be what is built: with changes in core/ or capi/ it refuses.
# A slice with a difference is recorded, too, and ends the run.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
record=$root/tests/diff/campaign.tsv
build=${LLHTTP_BUILD_DIR:-$root/build}

if [ "${1:-}" = --total ]; then
  awk -F'\t' 'NR > 1 { n += $6; d += $7; s += $8; level[$3] += $6 }
    END { printf "%d inputs, %d differences, %d seconds\n", n, d, s; for (l in level) printf "  %-14s %d\n", l, level[l] }' "$record"
  exit
fi

slices=${1:-1} count=${2:-20000000}
cd "$root"
git diff --quiet HEAD -- core capi build.sh tools/extract tests/diff/\*.c || { echo "campaign: commit the changes first" >&2; exit 2; }
commit=$(git rev-parse --short=10 HEAD)
./build.sh lib
reference=$(sh tests/diff/fetch-reference.sh "$build/reference" | tail -n 1)
# Copies: the build may go on while this runs.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$build/lib/libllhttp.so.9.4.3" "$work/ours.so"
${CC:-gcc} -std=c11 -O2 -g -I"$build/include" -o "$work/differential" tests/diff/*.c -ldl
case $(uname -m) in
  x86_64) levels=(avx2 sse4.2 generic) ;;
  aarch64) levels=(neon generic) ;;
  *) levels=(generic) ;;
esac

[ -e "$record" ] || printf 'date\tcommit\tlevel\tseed\tfirst\tinputs\tdifferences\tseconds\n' >"$record"
for ((; slices > 0; slices--)); do
  k=$(($(wc -l <"$record") - 1))
  level=${levels[$((k % ${#levels[@]}))]}
  options=() name=$level
  if [ $((k % 8)) -eq 7 ]; then options=(--wild) name=$level,wild; fi
  status=0
  LLHTTP_SIMD=$level "$work/differential" --seed $((1000 + k)) --start 0 --count "$count" ${options[@]+"${options[@]}"} \
    "$reference" "$work/ours.so" >"$work/log" 2>&1 || status=$?
  summary=$(grep '^differential: [0-9]* inputs' "$work/log") || { cat "$work/log" >&2; exit 2; }
  read -r _ inputs _ differences _ _ _ seconds _ <<<"${summary//,/}"
  printf '%s\t%s\t%s\t%d\t%d\t%d\t%d\t%.0f\n' "$(date -u +%F)" "$commit" "$name" $((1000 + k)) 0 "$inputs" "$differences" "$seconds" >>"$record"
  tail -n 1 "$record"
  if [ "$status" -ne 0 ]; then
    cat "$work/log" >&2
    exit "$status"
  fi
done
