#!/usr/bin/env bash
# llhttp_ext_head_parse: against the callbacks, at every level, in both builds; what many names cost.
#
#   tests/head/run.sh BUILD_DIR
#
# BUILD_DIR holds both builds of the library, and vectors.txt if there are vectors. LLHTTP_DIFF_SEED and LLHTTP_HEAD_COUNT:
# the random inputs. The last line is "N passed, M failed".
set -uo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd) || exit 2
read -ra cc <<<"${CC:-gcc}"
seed=${LLHTTP_DIFF_SEED:-$(date +%s)}
count=${LLHTTP_HEAD_COUNT:-50000}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/checks.sh
. "$root/tests/checks.sh"
unset LLHTTP_SIMD
cd "$root" || exit 2

on() { env "LD_LIBRARY_PATH=$build/$1" ${level:+LLHTTP_SIMD=$level} "${@:2}"; }
flags=(-std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror "-I$build/include")

mkdir -p "$build/tests"
check "compile head" "${cc[@]}" "${flags[@]}" -o "$build/tests/head" tests/head/head.c tests/diff/generate.c tests/diff/corpus.c \
  -L"$build/lib" -lllhttp -Wl,--enable-new-dtags

vectors=
[ ! -e "$build/vectors.txt" ] || vectors=$build/vectors.txt
level=
levels=$(on lib "$build/tests/simd" --state | sed -n 's/^available: //p' | tr -d ,)
for level in $levels; do
  check "$level: against callbacks, seed $seed" on lib "$build/tests/head" --seed "$seed" --count "$count" ${vectors:+"$vectors"}
done
level=
check "conventional: against callbacks" on conventional/lib "$build/tests/head" --seed "$seed" --count 2000
if command -v valgrind >/dev/null; then
  check "compile linear" "${cc[@]}" "${flags[@]}" -O2 -o "$build/tests/head_linear" tests/head/linear.c -L"$build/lib" -lllhttp -Wl,--enable-new-dtags
  check "linear" on lib tests/head/linear.sh "$build/tests/head_linear"
  check "valgrind" on lib valgrind -q --error-exitcode=9 "$build/tests/head" --seed "$seed" --count 100 --few
fi

check "compile head.c" "${cc[@]}" -std=c11 -O2 -Wall -Wextra -Werror -I"$build/include" -o "$work/head" examples/head.c -L"$build/lib" -lllhttp
shows() { diff <("${@:2}") <(printf '%s\n' "$1"); }
expected='GET /index.html HTTP/1.1
cookie   a=1
cookie   b=2
trace    7
4 fields, 85 bytes, keep the connection'
check "head.c" shows "$expected" on lib "$work/head"
check "head.py" shows "$expected" python3 examples/head.py "$build/lib/libllhttp.so"

closing
