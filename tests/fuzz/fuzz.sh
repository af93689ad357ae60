#!/usr/bin/env bash
# Coverage-guided fuzzing: called by `./build.sh fuzz`, which has built the library. README.md has the targets.
#
#   tests/fuzz/fuzz.sh BUILD_DIR [TARGET [SECONDS]]
#   tests/fuzz/fuzz.sh BUILD_DIR replay
#
# Builds the reference with sanitizers and the fuzzer in BUILD_DIR/fuzz, and keeps what the fuzzer learns there from run
# to run. What is found is made small and kept as a plan in tests/fuzz/found, or LLHTTP_FUZZ_FOUND. Target replay runs
# what all begin with, seeds, cases and what was found, without a fuzzer: it needs no clang. LLHTTP_FUZZ_PLANT plants a
# difference, for the test of the fuzzers; LLHTTP_FUZZ_ALONE=1 begins without seeds but one.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
build=$1
work=$build/fuzz
library=$build/lib/libllhttp.so.9.4.3
found=${LLHTTP_FUZZ_FOUND:-$root/tests/fuzz/found}
plant=${LLHTTP_FUZZ_PLANT:-none}
read -ra cc <<<"${CC:-gcc}"
read -ra clang <<<"${CLANG:-clang}"
all=(reference levels parts driver limits tape head ext go)
beyond=(limits tape head ext) # what llhttp does not have: beyond.h
harness=(bytes parts reference targets)
machinery=(plan generate corpus drive log lib shrink trial)

say() { printf 'fuzz: %s\n' "$*"; }
die() {
  printf 'fuzz: %s\n' "$*" >&2
  exit 2
}

targets=("${all[@]}")
if [ $# -gt 1 ] && [ "$2" != all ]; then
  case " ${all[*]} " in
    *" $2 "*) targets=("$2") ;;
    *)
      [ "$2" = replay ] || die "there is no target '$2'; known: ${all[*]}, all, replay"
      targets=(replay)
      ;;
  esac
fi
seconds=${3:-60}
case $seconds in '' | *[!0-9]* | 0*) die "SECONDS is a whole number, not '$seconds'" ;; esac
[ $# -le 3 ] || die "usage: ./build.sh fuzz [TARGET [SECONDS]]"

sources() {
  local name
  for name in "${harness[@]}"; do printf '%s\0' "$root/tests/fuzz/$name.c"; done
  for name in "${machinery[@]}"; do printf '%s\0' "$root/tests/diff/$name.c"; done
}

beyond_sources() {
  local name
  for name in beyond "${beyond[@]}"; do printf '%s\0' "$root/tests/fuzz/$name.c"; done
  for name in plan generate corpus drive log; do printf '%s\0' "$root/tests/diff/$name.c"; done
}

is_beyond() { case " ${beyond[*]} " in *" $1 "*) true ;; *) false ;; esac }

# stamp_of COMPILER: changes with everything that goes into fuzzer and replay.
stamp_of() {
  cat "$root"/tests/{fuzz,diff,c,splits,tape,head}/*.[ch] "$root/tests/fuzz/ignore.txt" "$0" "$build"/include/*.h \
    "${shipped%/usr/lib/*}"/usr/src/llhttp/src/*.c <("$@" --version) | sha256sum
}

# fresh PROGRAM STAMP: whether it is there, of that stamp.
fresh() {
  [ -x "$work/$1" ] && [ "$(cat "$work/$1.stamp" 2>/dev/null)" = "$2" ]
}

# Clang has libFuzzer and the sanitizers in a package of their own, so that it may be there without them.
help='on Debian: apt-get install clang libclang-rt-dev'
probe_clang() {
  echo 'int LLVMFuzzerTestOneInput(const unsigned char *p, unsigned long n) { return p == 0 && n != 0; }' >"$work/probe.c"
  "${clang[@]}" -fsanitize=fuzzer,address,undefined -o "$work/probe" "$work/probe.c" 2>"$work/probe.log" ||
    die "${clang[*]} cannot make a fuzzer, its run-time libraries seem to be missing; $help
$(cat "$work/probe.log")"
}

# What replays inputs uses the reference as it is shipped.
build_replay() {
  local files stamp
  (cd "$root" && go run ./tests/cases/runner --plans tests/cases/*.md) >"$work/cases.plan"
  stamp=$(stamp_of "${cc[@]}")
  if fresh replay "$stamp"; then return; fi
  mapfile -d '' files < <(sources)
  "${cc[@]}" -std=c11 -O2 -g -Wall -Wextra -Werror -I"$build/include" -o "$work/replay" \
    "$root/tests/fuzz/replay.c" "${files[@]}" -ldl
  mapfile -d '' files < <(beyond_sources)
  "${cc[@]}" -std=c11 -O2 -g -Wall -Wextra -Werror -I"$build/include" -o "$work/beyond-replay" \
    "$root/tests/fuzz/beyond_replay.c" "${files[@]}" -L"$build/lib" -lllhttp -Wl,-rpath,"$build/lib"
  printf '%s' "$stamp" >"$work/replay.stamp"
}

build_fuzzer() {
  local source stamp files llhttp=${shipped%/usr/lib/*}/usr/src/llhttp
  command -v "${clang[0]}" >/dev/null || die "${clang[*]} is missing: fuzzing needs clang with libFuzzer; $help"
  build_replay
  stamp=$(stamp_of "${clang[@]}")
  if fresh fuzzer "$stamp"; then return; fi
  say "building the reference with sanitizers, and the fuzzer"
  probe_clang
  # No coverage of comparisons: it takes most of the time, and http.dict has the words. Symbolic: beside a library that is linked
  # in it calls its own functions.
  "${clang[@]}" -std=c11 -O2 -g -fPIC -shared -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-coverage=trace-cmp \
    -fno-sanitize-recover=all -fsanitize-ignorelist="$root/tests/fuzz/ignore.txt" \
    -I"$llhttp/include" "$llhttp"/src/*.c -Wl,-z,now -Wl,-Bsymbolic-functions -o "$work/reference.so"
  rm -rf "$work/obj"
  mkdir -p "$work/obj"
  while IFS= read -r -d '' source; do
    # The two folders have files of the same name.
    "${clang[@]}" -std=c11 -O2 -g -Wall -Wextra -Werror -I"$build/include" -c "$source" \
      -o "$work/obj/$(basename "$(dirname "$source")")-$(basename "$source" .c).o"
  done < <(sources; printf '%s\0' "$root/tests/fuzz/libfuzzer.c")
  # The reference finds the run-time libraries of coverage and sanitizers in the program.
  "${clang[@]}" -g -fsanitize=fuzzer,address,undefined -rdynamic "$work"/obj/*.o -ldl -o "$work/fuzzer"
  mapfile -d '' files < <(beyond_sources)
  "${clang[@]}" -std=c11 -O1 -g -Wall -Wextra -Werror -fsanitize=fuzzer,address,undefined -rdynamic -I"$build/include" \
    -o "$work/beyond-fuzzer" "$root/tests/fuzz/beyond_fuzzer.c" "${files[@]}" -ldl -L"$build/lib" -lllhttp -Wl,-rpath,"$build/lib"
  "$work/replay" --dictionary >"$work/http.dict"
  printf '%s' "$stamp" >"$work/fuzzer.stamp"
}

# replay ARGUMENT...: on the library and the reference as it is shipped.
replay() {
  "$work/replay" --target="$target" --reference="$shipped" --library="$library" --plant="$plant" "$@"
}

# keep FILE...: what the fuzzer has found becomes plans.
keep() {
  local file plan
  mkdir -p "$found"
  for file; do
    plan=$found/$target-$(sha256sum <"$file" | cut -c 1-8).plan
    if replay --shrink="$plan" "$file"; then
      say "kept as $plan: it belongs into the repository, with the repair"
      grep -v '^#' "$plan" || true
    else
      cp "$file" "${plan%.plan}.bytes"
      say "kept as ${plan%.plan}.bytes: it cannot be made a plan"
    fi
  done
}

fuzz() {
  local seeds=$work/seeds/$target corpus=$work/corpus/$target artifacts=$work/artifacts/$target status=0 folders
  rm -rf "$seeds" "$artifacts"
  mkdir -p "$seeds" "$corpus" "$artifacts"
  if [ "${LLHTTP_FUZZ_ALONE:-0}" = 1 ]; then
    printf 'type 1\ninput\n"GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n"\nend\n' >"$work/alone.plan"
    replay --encode="$seeds" "$work/alone.plan"
    corpus=$work/corpus-alone
    rm -rf "$corpus"
    mkdir "$corpus"
  else
    replay --encode="$seeds" "${inputs[@]}"
  fi
  folders=("$corpus" "$seeds")
  [ "$plant" = none ] || folders=("$(mktemp -d "$work/corpus-plant.XXXXXX")" "${folders[@]}")
  # Leaks: the library allocates nothing, and the reference neither.
  ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
    "$work/fuzzer" --target="$target" --reference="$work/reference.so" --library="$library" --plant="$plant" \
    -max_total_time="$seconds" -timeout=25 -max_len=4096 -use_cmp=0 -dict="$work/http.dict" -artifact_prefix="$artifacts/" \
    "${folders[@]}" || status=$?
  [ "$plant" = none ] || rm -rf "${folders[0]}"
  if [ -n "$(ls -A "$artifacts")" ]; then keep "$artifacts"/*; fi
  return "$status"
}

# The targets of what llhttp does not have: the library is linked in, and cases stay bytes.
beyond_replay() { "$work/beyond-replay" --target="$target" "$@"; }

# What the fuzzer begins with. Those of limits and rules come from their own test as well.
beyond_seeds() {
  if [ "${LLHTTP_FUZZ_ALONE:-0}" = 1 ]; then
    printf 'type 1\ninput\n"GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n"\nend\n' >"$work/alone.plan"
    beyond_replay --encode="$seeds" "$work/alone.plan"
    return
  fi
  beyond_replay --encode="$seeds" "${inputs[@]}"
  for file in "$found/$target"-*.bytes; do [ ! -e "$file" ] || cp "$file" "$seeds"; done
  [ "$target" = limits ] || return 0
  "${cc[@]}" -std=c11 -D_GNU_SOURCE -O1 -I"$build/include" -o "$work/splits" \
    "$root"/tests/splits/splits.c "$root"/tests/diff/generate.c "$root"/tests/diff/corpus.c \
    -L"$build/lib" -lllhttp -Wl,-rpath,"$build/lib"
  "$work/splits" --seed 1 --count 400 --write "$seeds"
}

fuzz_beyond() {
  local seeds=$work/seeds/$target corpus=$work/corpus/$target artifacts=$work/artifacts/$target status=0 file kept folders minimize=8
  local program=("$work/beyond-fuzzer" "--target=$target" "--reference=$work/reference.so")
  [ "$plant" = none ] || program+=(--plant) minimize=2
  rm -rf "$seeds" "$artifacts"
  mkdir -p "$seeds" "$corpus" "$artifacts" "$found"
  beyond_seeds
  folders=("$corpus" "$seeds")
  [ "$plant" = none ] || folders=("$(mktemp -d "$work/corpus-plant.XXXXXX")" "$seeds")
  ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 "${program[@]}" \
    -max_total_time="$seconds" -timeout=25 -max_len=4096 -dict="$work/http.dict" -artifact_prefix="$artifacts/" \
    "${folders[@]}" || status=$?
  [ "$plant" = none ] || rm -rf "${folders[0]}"
  for file in "$artifacts"/*; do
    [ -e "$file" ] || continue
    kept=$found/$target-$(sha256sum <"$file" | cut -c 1-8).bytes
    ASAN_OPTIONS=detect_leaks=0 "${program[@]}" -minimize_crash=1 -max_total_time="$minimize" \
      -exact_artifact_path="$kept" "$file" >"$work/minimize.log" 2>&1 || true
    [ -e "$kept" ] || cp "$file" "$kept"
    say "kept as $kept: it belongs into the repository, with the repair"
    beyond_replay "$kept" || true
  done
  return "$status"
}

# go_fuzz NAME PACKAGE OPTION...: sets status to 1 if something is found, which Go keeps in the package's testdata.
go_fuzz() {
  local name=$1 package=$2 log=$work/$1.log
  shift 2
  if go test "$@" -run='^$' -fuzz="^$name\$" -fuzztime="${each}s" "$package" 2>&1 | tee "$log"; then return; fi
  # On a busy machine Go may take the end of its time for a failure.
  if grep -q 'context deadline exceeded' "$log" && ! grep -q 'Failing input written' "$log"; then return; fi
  status=1
}

# Go instruments the parser for its fuzzer, with calls that do not fit into the stack of functions that may not grow it.
# Such functions they need only be where there is no Go runtime: here copies without the mark take their place.
fuzz_go() {
  local overlay=$work/overlay file separator='' each=$(((seconds + 7) / 8)) status=0
  rm -rf "$overlay"
  mkdir -p "$overlay"
  {
    printf '{"Replace":{'
    for file in "$root"/core/*.go; do
      case $file in *_test.go) continue ;; esac
      sed 's,^//go:nosplit$,,' "$file" >"$overlay/$(basename "$file")"
      printf '%s"%s":"%s"' "$separator" "$file" "$overlay/$(basename "$file")"
      separator=,
    done
    printf '}}\n'
  } >"$overlay.json"
  cd "$root"
  go_fuzz FuzzStep ./core -overlay="$overlay.json"
  go_fuzz FuzzValues ./core -overlay="$overlay.json"
  go_fuzz FuzzTarget ./core -overlay="$overlay.json"
  go_fuzz FuzzFieldID ./core -overlay="$overlay.json"
  go_fuzz FuzzParser . -overlay="$overlay.json"
  go_fuzz FuzzLookInside . -overlay="$overlay.json"
  go_fuzz FuzzFieldLines ./core/asm
  go_fuzz FuzzSkip ./core/asm
  return "$status"
}

mkdir -p "$work"
inputs=("$work/cases.plan" "$root"/tests/fuzz/seeds/*.plan)
for file in "$root"/tests/fuzz/found/*.plan; do [ ! -e "$file" ] || inputs+=("$file"); done

# replay_all: what all begin with, and the target's own bytes.
replay_all() {
  local file all=("${inputs[@]}")
  for file in "$root/tests/fuzz/found/$target"-*.bytes; do [ ! -e "$file" ] || all+=("$file"); done
  say "replay for $target"
  if is_beyond "$target"; then beyond_replay "${all[@]}"; else replay "${all[@]}"; fi
}

case ${targets[*]} in
  go) ;;
  replay)
    shipped=$(sh "$root/tests/diff/fetch-reference.sh" "$build/reference" | tail -n 1)
    build_replay
    status=0
    for target in reference levels parts driver "${beyond[@]}"; do
      replay_all >"$work/replay-$target.log" 2>&1 || status=1
    done
    cat "$work"/replay-*.log
    awk '/^[0-9]+ passed, [0-9]+ failed$/ { p += $1; f += $3 } END { printf "%d passed, %d failed\n", p, f }' \
      "$work"/replay-*.log
    exit "$status"
    ;;
  *)
    shipped=$(sh "$root/tests/diff/fetch-reference.sh" "$build/reference" | tail -n 1)
    build_fuzzer
    ;;
esac
passed=0 failed=0
for target in "${targets[@]}"; do
  say "$target, for $seconds s"
  run=fuzz
  case $target in go) run=fuzz_go ;; esac
  if is_beyond "$target"; then run=fuzz_beyond; fi
  # Not as a condition: there nothing would stop at an error.
  set +e
  (set -e; $run)
  status=$?
  set -e
  if [ "$status" -eq 0 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    say "$target: FAILED"
  fi
done
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
