#!/usr/bin/env bash
# llhttp_ext_execute: against the callbacks, at every level, in both builds.
#
#   tests/tape/run.sh BUILD_DIR [REFERENCE]
#
# BUILD_DIR holds both builds of the library, and vectors.txt if there are vectors. REFERENCE is llhttp's own library, for the
# differential test (BUILD_DIR/tests/differential). LLHTTP_DIFF_SEED and LLHTTP_TAPE_COUNT: the random inputs.
# The last line is "N passed, M failed".
set -uo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd) || exit 2
reference=${2:-}
read -ra cc <<<"${CC:-gcc}"
objcopy=${OBJCOPY:-objcopy}
seed=${LLHTTP_DIFF_SEED:-$(date +%s)}
count=${LLHTTP_TAPE_COUNT:-30000}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/checks.sh
. "$root/tests/checks.sh"
unset LLHTTP_SIMD
cd "$root" || exit 2

on() { env "LD_LIBRARY_PATH=$build/$1" ${level:+LLHTTP_SIMD=$level} "${@:2}"; }
flags=(-std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror "-I$build/include")

# The library with the adapter in the place of its llhttp_execute, in $work/NAME.
adapted() {
  local out=$work/$1
  mkdir -p "$out"
  $objcopy --redefine-sym llhttp_execute=tape_test_plain_execute \
    --redefine-sym llhttp__internal_execute=tape_test_plain_internal_execute "$build/obj/lib/all.o" "$out/plain.o" &&
    "${cc[@]}" "${flags[@]}" "${@:2}" -fPIC -fexceptions -c -o "$out/adapter.o" tests/tape/adapter.c &&
    "${cc[@]}" -shared -o "$out/libllhttp.so.9.4" "$out/adapter.o" "$out/plain.o" -Wl,-soname,libllhttp.so.9.4 \
      -Wl,-Bsymbolic-functions -Wl,-z,now
}

mkdir -p "$build/tests"
check "compile tape" "${cc[@]}" "${flags[@]}" -o "$build/tests/tape" tests/tape/tape.c tests/diff/generate.c tests/diff/corpus.c \
  -L"$build/lib" -lllhttp -Wl,--enable-new-dtags
for name in results fields lifetimes hostile ext limits; do
  check "compile $name" "${cc[@]}" "${flags[@]}" -o "$build/tests/$name" "tests/c/$name.c" -L"$build/lib" -lllhttp -Wl,--enable-new-dtags -pthread
done
check "compile splits" "${cc[@]}" "${flags[@]}" -o "$build/tests/splits" tests/splits/splits.c tests/diff/generate.c tests/diff/corpus.c \
  -L"$build/lib" -lllhttp -Wl,--enable-new-dtags
check "compile runner" "${cc[@]}" "${flags[@]}" -o "$build/tests/runner" tests/vectors/runner.c -L"$build/lib" -lllhttp -Wl,--enable-new-dtags
mapfile -t batch < <(find tools/trace -name '*.c' ! -name main.c)
check "compile batch" "${cc[@]}" "${flags[@]}" -o "$build/tests/batch" tests/cases/batch.c "${batch[@]}" -L"$build/lib" -lllhttp -ldl \
  -Wl,--enable-new-dtags
check "adapter" adapted adapted
check "adapter with a fault" adapted planted -DTAPE_TEST_PLANT
check "adapter before a library" "${cc[@]}" "${flags[@]}" -DTAPE_TEST_PRELOAD -fPIC -shared -o "$work/preload.so" tests/tape/adapter.c -ldl

vectors=
[ ! -e "$build/vectors.txt" ] || vectors=$build/vectors.txt
levels=$(on lib "$build/tests/simd" --state | sed -n 's/^available: //p' | tr -d ,)
for level in $levels; do
  check "$level: arrays, masks, stops, seed $seed" on lib "$build/tests/tape" --seed "$seed" --count "$count" ${vectors:+"$vectors"}
  if [ -n "$vectors" ]; then
    check "$level: vectors" env "LD_LIBRARY_PATH=$work/adapted" LLHTTP_SIMD="$level" "$build/tests/runner" "$vectors"
  fi
  if [ -n "$reference" ]; then
    check "$level: differential, seed $seed" env LLHTTP_SIMD="$level" "$build/tests/differential" --seed "$seed" --count "$count" \
      "$reference" "$work/adapted/libllhttp.so.9.4"
  fi
done
level=
for name in results fields lifetimes hostile ext limits; do
  check "$name" env "LD_LIBRARY_PATH=$work/adapted" LLHTTP_TEST_STORM=20 "$build/tests/$name"
done
check "limits and rules at random, seed $seed" env "LD_LIBRARY_PATH=$work/adapted" "$build/tests/splits" --seed "$seed" --count "$count"
check "cases" env "LD_LIBRARY_PATH=$work/adapted" go run ./tests/cases/runner --batch --trace "$build/tests/batch" tests/cases/*.md docs/lenient.md
check "conventional: arrays, masks, stops" on conventional/lib "$build/tests/tape" --seed "$seed" --count 20000 ${vectors:+"$vectors"}
if [ -n "$vectors" ]; then
  check "conventional: vectors" env LD_PRELOAD="$work/preload.so" "LD_LIBRARY_PATH=$build/conventional/lib" "$build/tests/runner" "$vectors"
  check "a fault is noticed" fails env "LD_LIBRARY_PATH=$work/planted" "$build/tests/runner" "$vectors"
fi
if command -v valgrind >/dev/null; then
  check "valgrind" on lib valgrind -q --error-exitcode=9 "$build/tests/tape" --seed "$seed" --count 300
fi

# The examples show what parse.c shows.
for example in parse tape; do
  check "compile $example.c" "${cc[@]}" -std=c11 -O2 -Wall -Wextra -Werror -I"$build/include" -o "$work/$example" "examples/$example.c" \
    -L"$build/lib" -lllhttp
done
on lib "$work/parse" >"$work/expected"
shows_the_same() { diff "$work/expected" <("$@"); }
check "tape.c" shows_the_same on lib "$work/tape"
check "tape.py" shows_the_same python3 examples/tape.py "$build/lib/libllhttp.so"
check "layout" python3 tests/tape/decode.py "$build/lib/libllhttp.so"

closing
