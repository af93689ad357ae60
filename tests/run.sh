#!/usr/bin/env bash
# Every test, for both builds of the library: called by `./build.sh test`, which has built them.
#
#   tests/run.sh BUILD_DIR
#
# Each test is a command whose last line is "N passed, M failed". Its output goes to BUILD_DIR/test-logs; what is shown is
# that line, or everything if it fails. The last line of all sums up. A test whose needs are missing is skipped with a
# word; LLHTTP_TEST_STRICT=1 makes that a failure.
# LLHTTP_TEST_TIMEOUT: seconds after which a test has failed (default 1200).
# LLHTTP_DIFF_COUNT: inputs of the differential test (default 10 million), LLHTTP_DIFF_SEED: its seed.
# LLHTTP_FUZZ_SECONDS: how long each target is fuzzed (default 7, go 10).
# LLHTTP_VECTORS: the folder of conformance vectors (default: ../shared/vectors beside the repository).
set -uo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd) || exit 2
read -ra cc <<<"${CC:-gcc}"
read -ra cxx <<<"${CXX:-g++}"
logs=$build/test-logs
bin=$build/tests
direct=$build/lib
conventional=$build/conventional/lib
passed=0 failed=0 skipped=0
rm -rf "$logs"
mkdir -p "$logs" "$bin"
cd "$root" || exit 1

# check NAME COMMAND...: runs a test and counts. A command that prints no closing line counts as one.
check() {
  local name=$1 log started status line count
  shift
  log=$logs/${name//[ \/]/_}.log
  started=$SECONDS
  timeout "${LLHTTP_TEST_TIMEOUT:-1200}" "$@" >"$log" 2>&1 </dev/null
  status=$?
  line=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
  if [ "$status" -eq 0 ]; then
    count=${line%% *}
    passed=$((passed + ${count:-1}))
    printf 'ok    %-44s %5ds  %s\n' "$name" $((SECONDS - started)) "${line:-}"
  else
    failed=$((failed + 1))
    printf 'FAIL  %-44s %5ds  exit status %d, in %s:\n' "$name" $((SECONDS - started)) "$status" "$log"
    grep -v '^ok ' "$log" | tail -n 80 | sed 's/^/      /'
  fi
}

skip() {
  skipped=$((skipped + 1))
  printf 'skip  %-44s         %s\n' "$1" "$2"
}

# beside FUNCTION...: runs the tests of the functions, one after the other, beside those that follow; `together` waits for
# them, shows what they have said and adds their counts. These come by a file, as they are counted in a subshell.
# shellcheck disable=SC2030
beside() {
  (
    passed=0 failed=0 skipped=0
    for group; do $group; done
    echo "passed=$((passed)) failed=$((failed)) skipped=$((skipped))" >"$logs/beside.counts"
  ) >"$logs/beside.txt" 2>&1 &
}

# shellcheck disable=SC2031
together() {
  local main=("$passed" "$failed" "$skipped")
  wait
  cat "$logs/beside.txt"
  passed=0 failed=1 skipped=0 # if it came to no end
  # shellcheck source=/dev/null
  [ ! -e "$logs/beside.counts" ] || . "$logs/beside.counts"
  passed=$((main[0] + passed)) failed=$((main[1] + failed)) skipped=$((main[2] + skipped))
}

# compile NAME SOURCE...: a C program against the library; the loader path decides which build it runs on.
compile() {
  local name=$1
  shift
  check "compile $name" "${cc[@]}" -std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -I"$build/include" -o "$bin/$name" "$@" \
    -L"$direct" -lllhttp -Wl,--enable-new-dtags -pthread -ldl
}

# use KIND: sets `on`, the command that runs a program on one of the builds. Programs are linked so that the environment
# goes before their own run path.
use() {
  on=(env "LD_LIBRARY_PATH=${!1}")
  [ "$1" = direct ] || on+=(LLHTTP_TEST_GO_RUNTIME=1)
}

if command -v python3 >/dev/null && tests/lint/run.sh --prepare "$build" >"$logs/lint.log" 2>&1; then
  check "lint" tests/lint/run.sh "$build"
else
  check "gofmt, go vet" tests/lint/run.sh "$build" gofmt vet
  skip "lint" "its tools cannot be had: $(tail -n 1 "$logs/lint.log" 2>/dev/null || echo python3 is missing)"
fi
check "generated files are up to date" go run ./core/_gen -check
check "generated states are up to date" go run ./capi/_gen -check
check "go test core" go test ./core/...
if command -v python3 >/dev/null; then
  check "figures in documents" python3 bench/documents.py --check
else
  skip "figures in documents" "python3 is missing"
fi
check "documents" env LLHTTP_BUILD_DIR="$build" go test -count=1 ./tests/docs ./tests/cases/runner ./core/_gen

for name in results rewind fields lifetimes api ext limits status hosts hostile abi simd values url; do
  compile "$name" "tests/c/$name.c"
done
check "compile layout_c" "${cc[@]}" -std=c99 -Wall -Wextra -pedantic -Werror -I"$build/include" -o "$bin/layout_c" tests/c/layout_c.c -L"$direct" -lllhttp
check "compile layout_cxx" "${cxx[@]}" -std=c++11 -Wall -Wextra -pedantic -Werror -I"$build/include" -o "$bin/layout_cxx" tests/c/layout_cxx.cpp -L"$direct" -lllhttp
check "compile cxx_include" "${cxx[@]}" -std=c++11 -O1 -g -Wall -Wextra -Werror -I"$build/include" -o "$bin/cxx_include" tests/c/cxx_include.cpp -L"$direct" -lllhttp
check "compile nothing" "${cc[@]}" -std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -I"$build/include" -rdynamic -o "$bin/nothing" tests/c/nothing.c -ldl
check "compile dlopen" "${cc[@]}" -std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -I"$build/include" -o "$bin/dlopen" tests/c/dlopen.c -pthread -ldl
compile knownfield tests/c/knownfield.c
check "known fields, as the parser finds them" sh -c "go run ./tests/knownfield >'$bin/knownfield.bin'"
compile runner tests/vectors/runner.c
mapfile -t batch < <(find tools/trace -name '*.c' ! -name main.c)
compile batch tests/cases/batch.c "${batch[@]}"
cases=("$bin/cases" --batch --trace "$bin/batch")
check "compile the cases' runner" go build -o "$bin/cases" ./tests/cases/runner
compile splits tests/splits/splits.c tests/diff/generate.c tests/diff/corpus.c
check "compile static" "${cc[@]}" -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -I"$build/include" -static -o "$bin/api_static" tests/c/api.c "$direct/libllhttp.a"
check "compile own http_parser" "${cc[@]}" -std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -I"$build/include" -o "$bin/own" tests/httpparser/own.c "$direct/libllhttp.a"
check "compile example of llhttp_ext.h" "${cc[@]}" -std=c11 -O2 -Wall -Wextra -Werror -I"$build/include" -o "$bin/example_values" examples/values.c -L"$direct" -lllhttp
check "compile example" "${cc[@]}" -std=c11 -O2 -Wall -Wextra -Werror -I"$build/include" -o "$bin/example" examples/parse.c -L"$direct" -lllhttp

vectors=${LLHTTP_VECTORS:-$root/../shared/vectors}
if [ -d "$vectors" ]; then
  check "convert vectors" sh -c "go run ./tests/vectors/convert '$vectors' >'$build/vectors.txt'"
else
  printf 'note  no folder of vectors at %s: tests/cases covers the same ground\n' "$vectors"
fi

# llhttp as Debian ships it, which much is compared with.
reference=$(sh tests/diff/fetch-reference.sh "$build/reference" 2>"$logs/reference.log" | tail -n 1)
[ -e "$reference" ] || reference=

# http_parser, whose function for URLs the library has as well.
http_parser=$(sh tests/httpparser/fetch.sh "$build/httpparser" 2>"$logs/httpparser.log" | tail -n 1)

# Two groups of tests that run beside the others, as they wait for nobody and most of their programs use one processor.

# The levels: which are found, on this CPU and on emulated ones, and that a build for newer CPUs has no choice left in it.
other_cpus() {
  if [ "$(uname -m)" = x86_64 ]; then
    if command -v qemu-x86_64 >/dev/null; then
      check "levels" tests/simd.sh "$build"
    else
      skip "levels" "qemu-x86_64 is missing"
    fi
    if command -v qemu-x86_64 >/dev/null; then check "build for newer CPUs" tests/baseline.sh "$build"; else skip "build for newer CPUs" "qemu-x86_64 is missing"; fi
    if command -v aarch64-linux-gnu-g++ >/dev/null && command -v qemu-aarch64 >/dev/null; then
      check "arm64: build" env -u CC -u CXX LLHTTP_BUILD_DIR="$build" ./build.sh lib --target arm64
      check "arm64" env -u CC -u CXX sh tests/arm64.sh "$build/arm64"
    else
      skip "arm64" "aarch64-linux-gnu-g++ or qemu-aarch64 is missing"
    fi
  fi
}

packages() {
  # Projects that use the library, and its installation.
  consumers_need=()
  for tool in cmake ninja make pkg-config; do command -v $tool >/dev/null || consumers_need+=("$tool"); done
  if [ "${#consumers_need[@]}" -eq 0 ]; then
    check "consumers" tests/consumers/run.sh "$build"
  else
    skip "consumers" "missing: ${consumers_need[*]}"
  fi

  # The package for Node, and a project that uses it.
  node_lacks=
  for tool in node npm cmake; do command -v "$tool" >/dev/null || node_lacks="$node_lacks $tool"; done
  [ -n "$node_lacks" ] || [ -e "$(dirname "$(node -p process.execPath)")/../include/node/node_api.h" ] || node_lacks=" node's headers"
  if [ -z "$node_lacks" ]; then check "node" tests/node.sh "$build"; else skip "node" "missing:$node_lacks"; fi

  # The examples: servers, which wrk loads.
  examples_need=$node_lacks
  for tool in wrk python3; do command -v $tool >/dev/null || examples_need="$examples_need $tool"; done
  if [ -z "$examples_need" ]; then check "examples" tests/examples/run.sh "$build"; else skip "examples" "missing:$examples_need"; fi

  # Python: a program that has ctypes alone; the package, on llhttp's own library as well; packages of PyPI that use llhttp.
  if command -v python3 >/dev/null; then
    check "consumer: Python" tests/consumers/python/run.sh "$build"
    if bindings/python/tests/run.sh --prepare "$build" >"$logs/python.log" 2>&1; then
      check "Python package" env LLHTTP_REFERENCE="${reference:-}" bindings/python/tests/run.sh "$build"
    else
      skip "Python package" "its tools cannot be had: $(tail -n 1 "$logs/python.log")"
    fi
    if tests/realworld/pypi.sh --prepare "$build" >"$logs/pypi.log" 2>&1; then
      check "httptools and aiohttp" tests/realworld/pypi.sh "$build"
    else
      skip "httptools and aiohttp" "they cannot be had: $(tail -n 1 "$logs/pypi.log")"
    fi
  else
    skip "Python package, httptools and aiohttp" "python3 is missing"
  fi

  # Programs that were not made for this library: Node, libgit2, tang, Ruby and Python packages.
  if command -v python3 >/dev/null; then
    check "real programs" python3 tests/realworld/run.py "$build"
    grep -h -E '^(note|Debian:)' "$logs/real_programs.log"
  else
    skip "real programs" "python3 is missing"
  fi
}

beside other_cpus packages

for kind in direct conventional; do
  libdir=${!kind}
  use $kind
  for name in layout_c layout_cxx results rewind fields lifetimes api ext limits status hosts hostile abi simd values url cxx_include; do
    check "$kind: $name" "${on[@]}" "$bin/$name"
  done
  check "$kind: knownfield" "${on[@]}" "$bin/knownfield" "$bin/knownfield.bin"
  check "$kind: example" "${on[@]}" "$bin/example"
  check "$kind: example of llhttp_ext.h" sh -c '"$@" | diff - examples/values.txt' example "${on[@]}" "$bin/example_values"
  check "$kind: exports" "${on[@]}" tests/c/exports.sh "$libdir/libllhttp.so.9.4.3" "$build/include"
  [ -d "$vectors" ] && check "$kind: vectors" "${on[@]}" "$bin/runner" "$build/vectors.txt"
  check "$kind: cases" "${on[@]}" "${cases[@]}" tests/cases/*.md docs/lenient.md
  check "$kind: dlopen" "$bin/dlopen" "$libdir/libllhttp.so.9.4.3"
  check "$kind: llhttp-trace" "${on[@]}" sh tests/trace/trace_test.sh "$build/bin/llhttp-trace"
done
check "static: api" "$bin/api_static"
check "static: own http_parser" "$bin/own"
seed=${LLHTTP_DIFF_SEED:-$(date +%s)}
check "direct: limits and rules at random, seed $seed" env LD_LIBRARY_PATH="$direct" "$bin/splits" --seed "$seed"
check "llhttp-trace --diff" tests/trace/diff_test.sh "$build"
if command -v python3 >/dev/null; then
  check "llhttp-trace --explain" python3 tests/trace/explain_test.py "$build/bin/llhttp-trace"
  check "llhttp-trace on a terminal" python3 tests/trace/terminal_test.py "$build/bin/llhttp-trace"
else
  skip "llhttp-trace --explain, llhttp-trace on a terminal" "python3 is missing"
fi
if command -v mandoc >/dev/null && command -v groff >/dev/null && command -v doxygen >/dev/null; then
  check "manual" tests/docs/manual.sh "$build"
else
  skip "manual" "mandoc, groff or doxygen is missing"
fi

# What only the library without a Go runtime promises.
check "direct: loads like a C library" "$bin/nothing" "$direct/libllhttp.so.9.4.3"
check "direct: imports" tests/c/imports.sh "$direct/libllhttp.so.9.4.3"
if command -v python3 >/dev/null; then
  check "direct: example of llhttp_ext.h in Python" sh -c 'LLHTTP_LIBRARY=$1/libllhttp.so python3 examples/values.py | diff - examples/values.txt' example "$direct"
  check "direct: from Python, opened and closed" python3 tests/c/ctypes_host.py "$direct/libllhttp.so.9.4.3"
else
  skip "from Python" "python3 is missing"
fi
check "direct: freestanding" go run ./tests/freestanding "$direct/libllhttp.so.9.4.3"
check "freestanding can fail" go run ./tests/freestanding -self-test .
if command -v valgrind >/dev/null; then
  for name in layout_c results rewind fields lifetimes api ext limits status hosts hostile simd values url; do
    check "valgrind: $name" env LLHTTP_TEST_STORM=20 LLHTTP_TEST_ROUNDS=1000 LLHTTP_TEST_SAMPLE=5 LLHTTP_TEST_EMULATED=1 \
      LD_LIBRARY_PATH="$direct" \
      valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=all "$bin/$name"
  done
  compile linear tests/c/linear.c
  for level in "" generic; do
    check "${level:-direct}: linear" env LLHTTP_SIMD=$level LD_LIBRARY_PATH="$direct" tests/c/linear.sh "$bin/linear"
  done
else
  skip "valgrind" "valgrind is missing"
fi

if command -v musl-gcc >/dev/null; then check "musl" tests/musl.sh "$build"; else skip "musl" "musl-gcc is missing"; fi

# The tape, an array of events in place of callbacks: against the callbacks, at every level.
if [ -n "$reference" ]; then
  check "compile differential" "${cc[@]}" -std=c11 -O2 -g -Wall -Wextra -Werror -I"$build/include" -o "$bin/differential" tests/diff/*.c -ldl
fi
check "tape" tests/tape/run.sh "$build" ${reference:+"$(realpath "$reference")"}
# The head: a header section in one call.
check "head" tests/head/run.sh "$build"

# The package for Go programs: as it is, with the race detector, with checkptr, for arm64.
check "what limits and rules come to" sh -c "LD_LIBRARY_PATH='$direct' '$bin/splits' --tell --seed ${LLHTTP_DIFF_SEED:-$(date +%s)} --count 20000 >'$build/splits.txt'"
check "package for Go programs" env LLHTTP_TEST_SPLITS="$build/splits.txt" tests/gopackage/run.sh

# Hosts of every kind, at every level; sanitizers; what debuggers and crash reports show.
check "hosts" tests/hosts/run.sh "$build"
check "sanitizers" tests/hosts/sanitizers.sh "$build"
if command -v gdb >/dev/null && command -v valgrind >/dev/null; then
  check "debuggers" tests/hosts/debuggers.sh "$build"
else
  skip "debuggers" "gdb or valgrind is missing"
fi
check "symbolizer" tests/hosts/symbolizer.sh "$build"

if [ -e "$http_parser" ]; then
  check "compile differential of http_parser" "${cc[@]}" -std=c11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Werror -I"$build/include" -o "$bin/httpparser" tests/httpparser/differential.c -ldl
  for kind in direct conventional; do
    check "$kind: differential of http_parser" "$bin/httpparser" "$http_parser" "${!kind}/libllhttp.so.9.4.3" 3000000 "${LLHTTP_DIFF_SEED:-$(date +%s)}"
  done
else
  skip "differential of http_parser" "it cannot be had: $(tail -n 1 "$logs/httpparser.log")"
fi

if [ -n "$reference" ]; then
  seed=${LLHTTP_DIFF_SEED:-$(date +%s)}
  check "differential notices" "$bin/differential" --selftest "$reference"
  check "reference: cases" env "LD_LIBRARY_PATH=$(dirname "$reference")" "${cases[@]}" --reference --splits=false tests/cases/*.md docs/lenient.md
  count=${LLHTTP_DIFF_COUNT:-10000000}
  check "direct: differential, seed $seed" "$bin/differential" --seed "$seed" --count "$count" "$reference" "$direct/libllhttp.so.9.4.3"
  grep -h '^differential:' "$logs"/direct*differential*.log
  check "direct: differential, extended" "$bin/differential" --extended --seed "$seed" --start $((3 * count)) --count $((count / 20)) "$reference" "$direct/libllhttp.so.9.4.3"
  # Little room for events puts every line at the room's end, and a check stops the parser if it goes beyond.
  for events in 17 19 24; do
    check "room for $events events: build" env LLHTTP_BUILD_DIR="$build/tight" CFLAGS="-DLLHTTP_TEST_EVENTS=$events" ./build.sh lib
    check "room for $events events: differential" "$bin/differential" --seed "$seed" --start $((2 * count)) --count $((count / 20)) "$reference" "$build/tight/lib/libllhttp.so.9.4.3"
    check "room for $events events: limits" env LD_LIBRARY_PATH="$build/tight/lib" "$bin/limits"
    check "room for $events events: limits and rules at random" env LD_LIBRARY_PATH="$build/tight/lib" "$bin/splits" \
      --seed "$seed" --count 20000
  done
  for level in generic sse4.2; do
    check "$level: differential, seed $seed" env LLHTTP_SIMD=$level "$bin/differential" --seed "$seed" --start "$count" --count $((count / 5)) "$reference" "$direct/libllhttp.so.9.4.3"
  done
  check "conventional: differential, seed $seed" "$bin/differential" --seed "$seed" --count 300000 "$reference" "$conventional/libllhttp.so.9.4.3"

  # Fuzzing from seeds: what is found once stays as a case of the replay.
  fuzz=(env "LLHTTP_BUILD_DIR=$build" ./build.sh fuzz)
  check "fuzz: replay" "${fuzz[@]}" replay
  check "fuzz: replay notices" tests/fuzz/selftest.sh "$build" replay
  fuzz_seconds=${LLHTTP_FUZZ_SECONDS:-7}
  check "fuzz: go" "${fuzz[@]}" go "${LLHTTP_FUZZ_SECONDS:-10}"
  if command -v clang >/dev/null; then
    for target in reference levels parts driver limits tape head ext; do
      check "fuzz: $target, $fuzz_seconds s" "${fuzz[@]}" "$target" "$fuzz_seconds"
    done
    grep -h '^fuzz: .* comparisons' "$logs"/fuzz*.log
    check "fuzz: fuzzers notice" tests/fuzz/selftest.sh "$build" fuzzers
  else
    skip "fuzz" "clang is missing"
  fi
else
  skip "differential test" "the reference cannot be had: $(tail -n 1 "$logs/reference.log")"
fi

together
if [ "$skipped" -ne 0 ] && [ "${LLHTTP_TEST_STRICT:-0}" = 1 ]; then
  printf 'FAIL  %d skipped, and LLHTTP_TEST_STRICT is set\n' "$skipped"
  failed=$((failed + 1))
fi
printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
[ "$failed" -eq 0 ]
