#!/usr/bin/env bash
# The one front door: builds the library, runs the tests, shows the parser at work. `./build.sh help` lists the commands.
# Needs Go, a C compiler and binutils; the tests need a little more and say what.
set -euo pipefail

root=$(cd "$(dirname "$0")" && pwd)
build=${LLHTTP_BUILD_DIR:-$root/build}
case $build in /*) ;; *) build=$PWD/$build ;; esac
version=9.4.3
soname=libllhttp.so.9.4

cc=${CC:-gcc}
cxx=${CXX:-g++}
ld=${LD:-ld}
ar=${AR:-ar}
objcopy=${OBJCOPY:-objcopy}
goarch=$(go env GOARCH 2>/dev/null || true) # go's architecture to build for

if [ -t 2 ]; then bold=$(printf '\033[1m') plain=$(printf '\033[0m'); else bold='' plain=''; fi
say() { printf '%s==> %s%s\n' "$bold" "$*" "$plain" >&2; }
die() {
  printf 'build.sh: %s\n' "$*" >&2
  exit 1
}

# need TOOL WHY: stops with a message that names the missing tool.
need() {
  command -v "$1" >/dev/null 2>&1 || die "$1 is missing: it is needed to $2"
}

# writable DIR: makes it, or stops.
writable() {
  mkdir -p "$1" 2>/dev/null && [ -w "$1" ] || die "cannot write to $1"
}

# use_target ARCH: from here on everything is built for ARCH, by cross tools, in a folder of its own.
use_target() {
  local triple
  case $1 in
    arm64) triple=aarch64-linux-gnu ;;
    *) die "unknown target '$1'; known: arm64" ;;
  esac
  goarch=$1
  build=$build/$1
  cc=${CC:-$triple-gcc}
  cxx=${CXX:-$triple-g++}
  ld=${LD:-$triple-ld}
  ar=${AR:-$triple-ar}
  objcopy=${OBJCOPY:-$triple-objcopy}
}

# go_build ARGUMENT...: go build, with C, for the target.
go_build() {
  (cd "$root" && GOARCH=$goarch CGO_ENABLED=1 CC=$cc go build -trimpath "$@")
}

usage() {
  cat <<'EOF'
usage: ./build.sh COMMAND

  lib                build build/lib/libllhttp.so.9.4.3, build/lib/libllhttp.a and build/include
  lib --goamd64 V    the library for newer x86-64 CPUs alone: V is v2 (SSE4.2) or v3 (AVX2)
  lib --target ARCH  the library and llhttp-trace for another architecture (arm64), by cross tools, in build/ARCH
  lib --conventional the same through go build -buildmode=c-shared, in build/conventional (starts the Go runtime)
  run [ARGUMENT]...  llhttp-trace: show, callback by callback, how a file is parsed (default: examples/request.http)
  test               run every test
  fuzz [TARGET] [S]  fuzz for S seconds (60): reference, levels, parts, driver, go, or all, in turn; see tests/fuzz/README.md
  bench [OPTION]...  measure against other parsers; see ./build.sh bench --help
  clean              remove what was built

Environment: CC, CXX, LD, AR, OBJCOPY name the tools, CLANG the compiler of fuzz; CFLAGS is added for the C sources;
LLHTTP_BUILD_DIR is where everything is put instead of build/.
EOF
}

# fresh STAMP HASH FILE...: true if STAMP holds HASH and every FILE exists.
fresh() {
  local stamp=$1 hash=$2 file
  shift 2
  [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$hash" ] || return 1
  for file; do [ -e "$file" ] || return 1; done
}

# sources_hash WORD...: of everything that goes into the library, and of the words (options, tool versions).
sources_hash() {
  {
    printf '%s\n' "$@"
    cd "$root"
    cat go.mod go.sum build.sh
    find core capi tools/extract -type f \( -name '*.go' -o -name '*.[chsS]' -o -name '*.map' \) -print0 | LC_ALL=C sort -z | xargs -0 sha256sum
  } | sha256sum | cut -d' ' -f1
}

# api_symbols: the functions that the public headers declare, one a line.
api_symbols() {
  sed -n 's/^ *\(LLHTTP_EXPORT \)\{0,1\}[a-z_0-9 *]*[ *]\(llhttp_[a-z_0-9]*\)(.*/\2/p' "$root"/capi/llhttp_compat.h "$root"/capi/llhttp_ext.h | LC_ALL=C sort -u
}

install_headers() {
  mkdir -p "$1/include"
  cp "$root/capi/llhttp_compat.h" "$1/include/llhttp.h"
  cp "$root/capi/llhttp_ext.h" "$1/include/llhttp_ext.h"
}

link_names() {
  ln -sf "libllhttp.so.$version" "$1/lib/$soname"
  ln -sf "$soname" "$1/lib/libllhttp.so"
}

version_script() {
  echo '{ global:'
  api_symbols | sed 's/.*/  &;/'
  echo '  local: *; };'
}

# baseline: tells simd.c the level that every CPU has which the library is for; GOAMD64 tells the Go compiler.
baseline() {
  case $goarch-$(go env GOAMD64) in
    amd64-v2) echo -DLLHTTP_BASELINE=1 ;;
    amd64-v3 | amd64-v4) echo -DLLHTTP_BASELINE=2 ;;
  esac
}

build_lib() {
  need go "compile the parser"
  need "${cc%% *}" "compile the driver and link the library"
  need as "assemble the parser"
  need "$ld" "make the static library"
  need "$ar" "unpack and make archives"
  need "$objcopy" "hide what is not the API's in the static library"
  local out=$build hash work
  hash=$(sources_hash lib "$goarch" "$(go version)" "$($cc -dumpfullversion)" "${CFLAGS:-}" "$(go env GOAMD64)")
  if fresh "$out/lib/.stamp" "$hash" "$out"/lib/{libllhttp.so.$version,$soname,libllhttp.so,libllhttp.a} "$out"/include/{llhttp.h,llhttp_ext.h}; then
    say "library is up to date: $out/lib"
    return
  fi
  say "building the library in $out/lib"
  writable "$out"
  work=$out/obj/lib
  rm -rf "$work" "$out/lib/.stamp"
  mkdir -p "$work" "$out/lib"
  install_headers "$out"
  version_script >"$work/exports.map"
  api_symbols >"$work/exports.txt"

  # The Go linker lays out the parser; extract takes it out of the Go runtime's company.
  go_build -ldflags=-w -buildmode=c-archive -o "$work/go.a" ./capi
  (cd "$work" && $ar x go.a go.o)
  (cd "$root" && go run ./tools/extract "$work/go.o" llhttp_core_step llhttp_core_set_level llhttp_core_get_level) >"$work/core.s"
  $cc -c -o "$work/core.o" "$work/core.s"
  local source objects=("$work/core.o")
  for source in "$root"/capi/*.c; do
    objects+=("$work/$(basename "$source" .c).o")
    # -fexceptions: an exception that a callback throws may pass through. Aligned: where the code happens to lie changed
    # figures by up to 5 %.
    $cc -std=c99 -O2 -falign-functions=64 -falign-labels=16 -Wall -Wextra -fPIC -fexceptions -DLLHTTP_DIRECT $(baseline) ${CFLAGS:-} -c -o "${objects[-1]}" "$source"
  done
  $cc -shared -o "$out/lib/libllhttp.so.$version" "${objects[@]}" \
    -Wl,-soname,$soname -Wl,--version-script="$work/exports.map" -Wl,-z,now -Wl,-z,relro -Wl,-z,noexecstack
  link_names "$out"
  $ld -r -o "$work/all.o" "${objects[@]}"
  $objcopy --strip-debug --keep-global-symbols="$work/exports.txt" "$work/all.o"
  rm -f "$out/lib/libllhttp.a"
  $ar rcsD "$out/lib/libllhttp.a" "$work/all.o"
  echo "$hash" >"$out/lib/.stamp"
}

build_conventional() {
  need go "compile the parser"
  need "${cc%% *}" "compile the driver and link the library"
  local out=$build/conventional hash work
  hash=$(sources_hash conventional "$goarch" "$(go version)" "$($cc -dumpfullversion)" "${CFLAGS:-}" "$(go env GOAMD64)")
  if fresh "$out/lib/.stamp" "$hash" "$out"/lib/{libllhttp.so.$version,$soname,libllhttp.so} "$out"/include/{llhttp.h,llhttp_ext.h}; then
    say "conventional library is up to date: $out/lib"
    return
  fi
  say "building the conventional library in $out/lib"
  writable "$out"
  work=$build/obj/conventional
  rm -rf "$work" "$out/lib/.stamp"
  mkdir -p "$work" "$out/lib"
  install_headers "$out"
  # Flags for the linker are split at blanks, which the build folder's path may have.
  local map
  map=$(mktemp)
  version_script >"$map"
  CGO_CFLAGS="-O2 -fexceptions ${CFLAGS:-}" CGO_LDFLAGS="-Wl,-soname,$soname" \
    go_build -ldflags="-w -extldflags=-Wl,--version-script=$map" -buildmode=c-shared -o "$work/libllhttp.so" ./capi
  rm -f "$map"
  mv "$work/libllhttp.so" "$out/lib/libllhttp.so.$version"
  link_names "$out"
  echo "$hash" >"$out/lib/.stamp"
}

build_trace() {
  local out=$build/bin/llhttp-trace
  build_lib
  if [ ! -e "$out" ] || [ "$root/tools/llhttp-trace.c" -nt "$out" ] || [ "$build/lib/.stamp" -nt "$out" ]; then
    say "building $out"
    mkdir -p "$build/bin"
    $cc -std=c11 -O2 -Wall -Wextra -Werror -I"$build/include" "$root/tools/llhttp-trace.c" \
      -L"$build/lib" -lllhttp -Wl,-rpath,'$ORIGIN/../lib' -o "$out"
  fi
}

case ${1:-help} in
  lib)
    shift
    what=build_lib
    while [ $# -ne 0 ]; do
      case $1 in
        --conventional) what=build_conventional ;;
        --goamd64)
          case ${2:-} in
            v1 | v2 | v3) export GOAMD64=$2 ;;
            *) die "--goamd64 wants v1, v2 or v3" ;;
          esac
          shift
          ;;
        --target)
          use_target "${2:-}"
          [ "$what" != build_lib ] || what=build_trace
          shift
          ;;
        *) die "unknown option $1 of lib; see ./build.sh help" ;;
      esac
      shift
    done
    $what
    ;;
  run)
    shift
    build_trace
    [ $# -ne 0 ] || set -- "$root/examples/request.http"
    say "parsing $*"
    "$build/bin/llhttp-trace" "$@"
    ;;
  test)
    [ $# -eq 1 ] || die "test takes no arguments; see ./build.sh help"
    build_trace
    build_conventional
    say "testing; logs are in $build/test-logs"
    CC=$cc CXX=$cxx "$root/tests/run.sh" "$build"
    ;;
  fuzz)
    shift
    build_lib
    CC=$cc exec "$root/tests/fuzz/fuzz.sh" "$build" "$@"
    ;;
  bench)
    need python3 "run the benchmark and its statistics"
    shift
    LLHTTP_BUILD_DIR=$build exec python3 "$root/bench/run.py" "$@"
    ;;
  clean)
    [ $# -eq 1 ] || die "clean takes no arguments; see ./build.sh help"
    for folder in lib include bin obj conventional arm64 tight tests test-logs reference fuzz bench ci-go vectors.txt; do
      rm -rf "${build:?}/$folder"
    done
    rmdir "$build" 2>/dev/null || true
    ;;
  help | --help | -h) usage ;;
  *)
    usage >&2
    die "unknown command $1"
    ;;
esac
