#!/usr/bin/env bash
# The one front door: builds the library, runs the tests, shows the parser at work. `./build.sh help` lists the commands.
# Needs Go, a C compiler and binutils; the tests need a little more and say what. One file, since packages that carry the
# library's sources, and CMake, need no script besides.
set -euo pipefail

root=$(cd "$(dirname "$0")" && pwd)
build=${LLHTTP_BUILD_DIR:-$root/build}
case $build in /*) ;; *) build=$PWD/$build ;; esac
# The header has the version, the soname follows from it.
version=$(sed -n 's/^#define LLHTTP_VERSION_[A-Z]* //p' "$root/capi/llhttp_compat.h" | paste -s -d . -)
soname=libllhttp.so.${version%.*}

go=${GO:-go}
# Compilers may be commands with options ("ccache gcc"): arrays.
read -ra cc <<<"${CC:-gcc}"
read -ra cxx <<<"${CXX:-g++}"
ld=${LD:-ld}
ar=${AR:-ar}
objcopy=${OBJCOPY:-objcopy}
read -ra cflags <<<"${CFLAGS:-}"
read -ra ldflags <<<"${LDFLAGS:-}"
goarch=$("$go" env GOARCH 2>/dev/null || true) # go's architecture to build for

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

# alone COMMAND...: builds while no other build.sh does so in the same folder; waits for it.
alone() {
  if mkdir -p "$build" 2>/dev/null && command -v flock >/dev/null; then
    # What the command runs does not have the lock: a compiler that leaves a server behind would keep it.
    {
      flock 9
      "$@" 9<&-
    } 9<"$build"
  else
    "$@"
  fi
}

# use_target ARCH: from here on everything is built for ARCH, by cross tools, in a folder of its own.
use_target() {
  local triple
  case $1 in
    amd64) triple=x86_64-linux-gnu ;;
    arm64) triple=aarch64-linux-gnu ;;
    *) die "unknown target '$1'; known: amd64, arm64" ;;
  esac
  goarch=$1
  build=$build/$1
  read -ra cc <<<"${CC:-$triple-gcc}"
  read -ra cxx <<<"${CXX:-$triple-g++}"
  ld=${LD:-$triple-ld}
  ar=${AR:-$triple-ar}
  objcopy=${OBJCOPY:-$triple-objcopy}
}

# go_build ARGUMENT...: go build, with C, for the target. In what repository the sources lie, and whose it is, does not
# matter.
go_build() {
  (cd "$root" && GOARCH=$goarch CGO_ENABLED=1 CC="${cc[*]}" "$go" build -trimpath -buildvcs=false "$@")
}

usage() {
  cat <<'EOF'
usage: ./build.sh COMMAND

  lib                build build/lib/libllhttp.so.9.4.3, build/lib/libllhttp.a and build/include
  lib --goamd64 V    the library for newer x86-64 CPUs alone: V is v2 (SSE4.2) or v3 (AVX2)
  lib --target ARCH  the library and llhttp-trace for another architecture (amd64, arm64), by cross tools, in build/ARCH
  lib --conventional the same through go build -buildmode=c-shared, in build/conventional (starts the Go runtime)
  lib --symbolizer   the same with debugging information, and with a Go module that is fetched for it, in
                     build/symbolizer: Go's report of a crash in the parser names the host's C functions, too
  install            put the library, headers, libllhttp.pc, a CMake package, llhttp-trace and manual pages below a prefix:
                     --prefix P (/usr/local), --libdir D (lib), --includedir D (include), --bindir D (bin), --mandir D
                     (share/man), all below P or absolute; --goamd64 and --target as for lib. DESTDIR in the
                     environment goes before all paths. What is installed may be moved as a whole, unless its prefix
                     is /usr or below it
  run [ARGUMENT]...  llhttp-trace: show, callback by callback, how a file is parsed (default: examples/request.http)
  test               run every test
  lint [LINTER]...   run the linters over all sources (all of them, or those named); fetches them first
  fuzz [TARGET] [S]  fuzz for S seconds (60): reference, levels, parts, driver, limits, tape, head, ext, go, or
                     all, in turn; replay runs what they have found; see tests/fuzz/README.md
  bench [OPTION]...  measure against other parsers; see ./build.sh bench --help
  docs               make the API reference in build/docs/html from llhttp.h and llhttp_ext.h; needs doxygen
  clean              remove what was built

  What CMakeLists.txt calls (--goamd64 and --target as for lib):
  describe           the files that the library is made of, and how to link it, as lines of NAME=VALUE;
                     stops with a message if a tool is missing
  object             all code of the library as one relocatable object, and the headers
  pc                 print libllhttp.pc; options as for install

Environment: GO, CC, CXX, LD, AR, OBJCOPY name the tools, CLANG the compiler of fuzz; CFLAGS is added for the C sources,
LDFLAGS for the shared library; LLHTTP_BUILD_DIR is where everything is put instead of build/.
EOF
}

# fresh STAMP HASH FILE...: true if STAMP holds HASH and every FILE exists.
fresh() {
  local stamp=$1 hash=$2 file
  shift 2
  [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$hash" ] || return 1
  for file; do [ -e "$file" ] || return 1; done
}

# library_files: the files that the library is made of, one a line, relative to the root. Tests and generators are not.
library_files() {
  printf '%s\n' build.sh go.mod go.sum
  (cd "$root" && find capi core tools/extract -name _gen -prune -o \
    -type f \( -name '*.go' ! -name '*_test.go' -o -name '*.[chsS]' \) -print) | LC_ALL=C sort
}

# library_folders: where a new file would be one of them.
library_folders() {
  (cd "$root" && find capi core tools/extract -name _gen -prune -o -type d -print) | LC_ALL=C sort
}

# sources_hash WORD...: of everything that goes into the library, of the tools, and of the words.
sources_hash() {
  {
    printf '%s\n' "$@" "$goarch" "$("$go" env GOAMD64)" "$("$go" version)" "$("${cc[@]}" --version)" "${CFLAGS:-}"
    cd "$root"
    library_files | tr '\n' '\0' | xargs -0 sha256sum
  } | sha256sum | cut -d' ' -f1
}

# core_entries: the parser's functions that C calls, one a line: those of core's entry trampolines, and asm's own.
core_entries() {
  sed -n 's/^[[:blank:]]*X(\(llhttp_core_[a-z_0-9]*\),.*/\1/p; s/^TEXT \(llhttp_core_[a-z_0-9]*\)(SB).*/\1/p' \
    "$root/core/entry_$goarch.s" "$root/core/asm/funcs_$goarch.s"
}

# api_symbols: the functions that the public headers declare, one a line.
api_symbols() {
  sed -n 's/^ *\(LLHTTP_EXPORT \)\{0,1\}[a-z_0-9 *]*[ *]\(\(llhttp\|http_parser\)_[a-z_0-9]*\)(.*/\2/p' \
    "$root"/capi/llhttp_compat.h "$root"/capi/llhttp_ext.h "$root"/capi/http_parser.h | LC_ALL=C sort -u
}

# put_header FROM TO: a header that has not changed stays as it is, so that programs need no rebuild.
put_header() {
  cmp -s "$root/capi/$1" "$2" || cp "$root/capi/$1" "$2"
}

put_headers() {
  mkdir -p "$1/include"
  put_header llhttp_compat.h "$1/include/llhttp.h"
  put_header llhttp_ext.h "$1/include/llhttp_ext.h"
  put_header http_parser.h "$1/include/http_parser.h"
}

link_names() {
  ln -sf "libllhttp.so.$version" "$1/$soname"
  ln -sf "$soname" "$1/libllhttp.so"
}

version_script() {
  echo '{ global:'
  api_symbols | sed 's/.*/  &;/'
  echo '  local: *; };'
}

# set_baseline: what tells simd.c the level that every CPU has which the library is for; GOAMD64 tells the Go compiler.
set_baseline() {
  baseline=()
  case $goarch-$("$go" env GOAMD64) in
    amd64-v2) baseline=(-DLLHTTP_BASELINE=1) ;;
    amd64-v3 | amd64-v4) baseline=(-DLLHTTP_BASELINE=2) ;;
  esac
}

# need_go: Go must be there, and as new as go.mod wants it.
need_go() {
  local wanted have
  wanted=$(sed -n 's/^go //p' "$root/go.mod")
  need "$go" "compile the parser; Go $wanted or newer"
  # An older Go may fetch the newer one that go.mod names, and then tells that one's version.
  have=$(cd "$root" && "$go" env GOVERSION 2>&1) || true
  [[ $have =~ ^(devel )?go([0-9]+(\.[0-9]+)*) ]] &&
    [ "$(printf '%s\n' "$wanted" "${BASH_REMATCH[2]}" | sort -V | head -n 1)" = "$wanted" ] ||
    die "Go $wanted or newer is needed to compile the parser; the version of $go is: $have"
}

need_tools() {
  need_go
  need "${cc[0]}" "compile the driver and link the library"
  need as "assemble the parser"
  need "$ld" "put all code into one object"
  need "$ar" "unpack and make archives"
  need "$objcopy" "hide what is not the API's"
}

# How the shared library is linked from the object, beside its soname.
set_link_flags() {
  # shellcheck disable=SC2054 # the linker's options have commas
  # -Bsymbolic-functions: the library calls its own functions, though a program may have an llhttp of its own.
  # -Xlinker: -Wl would take a comma in the path for its own.
  link_flags=(-Xlinker --version-script="$build/obj/lib/exports.map" -Wl,-Bsymbolic-functions -Wl,-z,now -Wl,-z,relro
    -Wl,-z,noexecstack)
}

# build_object: all code of the library in one relocatable object, in which the API's names alone are global.
build_object() {
  need_tools
  local work=$build/obj/lib hash
  hash=$(sources_hash object)
  if fresh "$work/.stamp" "$hash" "$work"/{all.o,exports.map} "$build"/include/{llhttp.h,llhttp_ext.h,http_parser.h}; then
    return
  fi
  writable "$build"
  rm -rf "$work"
  mkdir -p "$work"
  put_headers "$build"
  version_script >"$work/exports.map"
  api_symbols >"$work/exports.txt"

  # The Go linker lays out the parser; extract takes it out of the Go runtime's company.
  # Its debugging information tells how frames are unwound.
  go_build -buildmode=c-archive -o "$work/go.a" ./capi
  (cd "$work" && $ar x go.a go.o)
  local entries
  mapfile -t entries < <(core_entries)
  (cd "$root" && "$go" run ./tools/extract "$work/go.o" "${entries[@]}") >"$work/core.s"
  "${cc[@]}" -c -o "$work/core.o" "$work/core.s"
  local source objects=("$work/core.o")
  set_baseline
  for source in "$root"/capi/*.c; do
    objects+=("$work/$(basename "$source" .c).o")
    # What CFLAGS must not change comes after it. -fexceptions: an exception that a callback throws may pass through.
    # -fno-lto: ld -r and objcopy need machine code. Aligned: where the code happens to lie changed figures by up to 5 %.
    # clang does not know -falign-labels, and need not say so.
    "${cc[@]}" -std=c99 -O2 -falign-functions=64 -falign-labels=16 -Wno-ignored-optimization-argument -Wall -Wextra \
      "${cflags[@]}" -fPIC -fexceptions -fno-lto -fvisibility=default \
      -DLLHTTP_DIRECT "${baseline[@]}" -c -o "${objects[-1]}" "$source"
  done
  $ld -r -o "$work/all.o" "${objects[@]}"
  $objcopy --keep-global-symbols="$work/exports.txt" "$work/all.o"
  echo "$hash" >"$work/.stamp"
}

build_lib() {
  need_tools
  alone make_lib
}

make_lib() {
  local out=$build hash object=$build/obj/lib/all.o
  hash=$(sources_hash lib "${LDFLAGS:-}")
  if fresh "$out/lib/.stamp" "$hash" "$out"/lib/{"libllhttp.so.$version","$soname",libllhttp.so,libllhttp.a} \
    "$out"/include/{llhttp.h,llhttp_ext.h,http_parser.h}; then
    say "library is up to date: $out/lib"
    return
  fi
  say "building the library in $out/lib"
  writable "$out"
  rm -f "$out/lib/.stamp"
  build_object
  mkdir -p "$out/lib"
  set_link_flags
  "${cc[@]}" -shared "${cflags[@]}" "${ldflags[@]}" -o "$out/lib/libllhttp.so.$version" "$object" \
    -Wl,-soname,"$soname" "${link_flags[@]}"
  link_names "$out/lib"
  rm -f "$out/lib/libllhttp.a"
  $ar rcsD "$out/lib/libllhttp.a" "$object"
  echo "$hash" >"$out/lib/.stamp"
}

# describe: what CMakeLists.txt wants to know, so that it need not state it again.
describe() {
  need_tools
  set_link_flags
  printf 'soversion=%s\n' "${soname#libllhttp.so.}"
  printf 'object=%s\n' "$build/obj/lib/all.o"
  printf 'map=%s\n' "$build/obj/lib/exports.map"
  printf 'include=%s\n' "$build/include"
  printf 'header=%s\n' "$build"/include/{llhttp.h,llhttp_ext.h,http_parser.h}
  printf 'link_flag=%s\n' "${link_flags[@]}"
  library_files | sed "s|^|file=|"
  library_folders | sed "s|^|folder=|"
}

# build_with_runtime NAME ARGUMENT...: the library as `go build` makes it, with the Go runtime in it, in the folder
# of that name. The arguments are for go build; the variable symbols says whether debugging information is kept.
build_with_runtime() {
  local name=$1 symbols=${symbols:-} out=$build/$1 work=$build/obj/$1 hash map
  shift
  need "${cc[0]}" "compile the driver and link the library"
  hash=$(sources_hash "$name" "$symbols" "$@" "$(cat "$root"/tools/_symbolizer/*)")
  if fresh "$out/lib/.stamp" "$hash" "$out"/lib/{"libllhttp.so.$version","$soname",libllhttp.so} "$out"/include/{llhttp.h,llhttp_ext.h,http_parser.h}; then
    say "$name library is up to date: $out/lib"
    return
  fi
  say "building the $name library in $out/lib"
  writable "$out"
  rm -f "$out/lib/.stamp"
  mkdir -p "$work" "$out/lib"
  put_headers "$out"
  # Flags for the linker are split at blanks, which the build folder's path may have.
  map=$(mktemp)
  version_script >"$map"
  CGO_CFLAGS="-O2 ${symbols:+-g} -fexceptions ${CFLAGS:-}" \
    CGO_LDFLAGS="-Wl,-soname,$soname ${symbols:+-Wl,--wrap=cgoTraceback}" \
    go_build -ldflags="${symbols:--w} -extldflags=-Wl,--version-script=$map" -buildmode=c-shared \
    -o "$work/libllhttp.so" "$@" ./capi
  rm -f "$map"
  mv "$work/libllhttp.so" "$out/lib/libllhttp.so.$version"
  link_names "$out/lib"
  echo "$hash" >"$out/lib/.stamp"
}

build_conventional() {
  need_go
  symbols='' alone build_with_runtime conventional
}

# json TEXT: as a string of JSON.
json() { printf '"%s"' "$(printf '%s' "$1" | sed 's/[\\"]/\\&/g')"; }

# build_symbolizer: the conventional library, and a module that names C functions. The module file and the sources
# that want the module are only put together here: tools/_symbolizer/symbolizer.go says why.
build_symbolizer() {
  need_go
  local sources=$root/tools/_symbolizer work=$build/obj/symbolizer module release file replaced='' why
  read -r module release _ <"$sources/symbolizer.sum"
  writable "$work"
  cp "$root/go.mod" "$work/symbolizer.mod"
  "$go" mod edit -require="$module@$release" "$work/symbolizer.mod"
  cat "$root/go.sum" "$sources/symbolizer.sum" >"$work/symbolizer.sum"
  why=$(cd "$root" && "$go" mod download -modfile="$work/symbolizer.mod" "$module" 2>&1) || {
    printf '%s\n' "$why" >&2
    die "lib --symbolizer needs the Go module $module $release, and it cannot be fetched.
Not every module proxy has it: GOPROXY names another, or \"direct\" for the module's own repository. No other build
needs it."
  }
  for file in symbolizer.go traceback.c; do
    replaced+=${replaced:+,}$(json "$root/capi/$file"):$(json "$sources/$file")
  done
  printf '{"Replace":{%s}}\n' "$replaced" >"$work/overlay.json"
  symbols=' ' alone build_with_runtime symbolizer -modfile="$work/symbolizer.mod" -overlay="$work/overlay.json"
}

# fill TEMPLATE NAME=VALUE...: prints the template with a value for each @NAME@.
fill() {
  local text pair
  text=$(cat "$root/cmake/$1")
  for pair in "${@:2}"; do text=${text//"@${pair%%=*}@"/"${pair#*=}"}; done
  printf '%s\n' "$text"
}

# put FILE: what comes in becomes FILE, for all to read.
put() {
  cat >"$1"
  chmod 644 "$1"
}

# absolute DIR BASE: DIR, which is below BASE if it is relative, without a slash at the end.
absolute() {
  local dir=$1
  case $dir in /*) ;; *) dir=${2%/}/$dir ;; esac
  while [ "$dir" != / ] && [ "${dir%/}" != "$dir" ]; do dir=${dir%/}; done
  printf '%s\n' "$dir"
}

# below PREFIX DIR: DIR relative to PREFIX if it is below it, as it is otherwise. Both are absolute.
below() {
  local prefix=${1%/}/
  printf '%s\n' "${2#"$prefix"}"
}

# back DIR: the way back from a relative DIR: ../.. for lib/pkgconfig.
back() { printf '%s\n' "$1" | sed 's/[^/][^/]*/../g'; }

# set_folders OPTION...: of an installation: prefix, and the other folders relative to it if they are below it.
set_folders() {
  local name
  prefix=/usr/local libdir=lib includedir=include bindir=bin mandir=share/man
  while [ $# -ne 0 ]; do
    case $1 in
      --*=*) set -- "${1%%=*}" "${1#*=}" "${@:2}" ;;
      --prefix | --libdir | --includedir | --bindir | --mandir)
        [ -n "${2:-}" ] || die "$1 wants a folder"
        printf -v "${1#--}" %s "$2"
        shift 2
        ;;
      --goamd64 | --target)
        library_option "$@"
        shift 2
        ;;
      *) die "unknown option $1; see ./build.sh help" ;;
    esac
  done
  prefix=$(absolute "$prefix" "$PWD")
  for name in libdir includedir bindir mandir; do
    printf -v "$name" %s "$(below "$prefix" "$(absolute "${!name}" "$prefix")")"
  done
}

# pkg_config_file: prints libllhttp.pc for these folders.
pkg_config_file() {
  local from=${prefix%/} lib=$libdir include=$includedir
  # A system's own prefix is stated: so pkg-config knows the compiler's own folders, and where a sysroot goes. Another
  # is found from the file, so that the installation may be moved.
  case $prefix-$libdir in
    /-* | /usr-* | /usr/* | *-/*) ;;
    *) from="\${pcfiledir}/$(back "$libdir/pkgconfig")" ;;
  esac
  case $lib in /*) ;; *) lib="\${exec_prefix}/$lib" ;; esac
  case $include in /*) ;; *) include="\${prefix}/$include" ;; esac
  fill libllhttp.pc.in "prefix=$from" "libdir=$lib" "includedir=$include" "version=$version"
}

# library_path: where llhttp-trace finds the library when both are installed: from its own place, so that both may be
# moved; nowhere if that is a system's own place, which the loader knows.
library_path() {
  case $prefix-$libdir-$bindir in
    /usr-*) ;;
    *-/*) absolute "$libdir" "$prefix" ;;
    *) printf '$ORIGIN/%s/%s\n' "$(back "$bindir")" "$libdir" ;;
  esac
}

install_all() {
  local to=${DESTDIR:-} lib include bin man page way path
  [ -z "$to" ] || to=$(absolute "$to" "$PWD")
  lib=$to$(absolute "$libdir" "$prefix")
  include=$to$(absolute "$includedir" "$prefix")
  bin=$to$(absolute "$bindir" "$prefix")
  man=$to$(absolute "$mandir" "$prefix")
  case $libdir-$includedir in
    /* | *-/*) way=$(absolute "$includedir" "$prefix") ;;
    *) way=$(back "$libdir/cmake/llhttp")/$includedir ;;
  esac
  build_lib
  say "installing in $to$prefix"
  umask 022 # the folders, too, are for all to read
  writable "$lib/pkgconfig"
  writable "$lib/cmake/llhttp"
  writable "$include"
  install -m 644 "$build"/include/{llhttp.h,llhttp_ext.h,http_parser.h} "$include"
  install -m 755 "$build/lib/libllhttp.so.$version" "$lib"
  link_names "$lib"
  install -m 644 "$build/lib/libllhttp.a" "$lib"
  pkg_config_file | put "$lib/pkgconfig/libllhttp.pc"
  fill llhttpConfig.cmake | put "$lib/cmake/llhttp/llhttpConfig.cmake"
  fill llhttpConfigVersion.cmake.in "version=$version" | put "$lib/cmake/llhttp/llhttpConfigVersion.cmake"
  fill llhttp-targets.cmake.in "version=$version" "soname=$soname" "includedir=$way" |
    put "$lib/cmake/llhttp/llhttp-targets.cmake"
  writable "$bin"
  path=$(library_path)
  compile_trace "$build/obj/llhttp-trace" ${path:+"-Wl,-rpath,$path"}
  install -m 755 "$build/obj/llhttp-trace" "$bin"
  for page in "$root"/man/*.[0-9]; do
    writable "$man/man${page##*.}"
    install -m 644 "$page" "$man/man${page##*.}"
  done
}

# build_docs: the API reference. What Doxygen warns of stops it.
build_docs() {
  need doxygen "make the API reference"
  writable "$build/docs"
  put_headers "$build"
  (
    cd "$root"
    {
      cat docs/reference/Doxyfile
      printf '%s = "%s"\n' PROJECT_NUMBER "$version" OUTPUT_DIRECTORY "$build/docs" STRIP_FROM_PATH "$build/include"
      printf 'INPUT = "%s" "%s" docs/reference/mainpage.md\n' "$build"/include/{llhttp.h,llhttp_ext.h}
    } | doxygen -
  )
  say "the API reference is in $build/docs/html/index.html"
}

# compile_trace OUTPUT LINKER_FLAG...: llhttp-trace on the shared library of this build.
compile_trace() {
  "${cc[@]}" -std=c11 -O2 -Wall -Wextra -Werror -D_GNU_SOURCE "${cflags[@]}" -I"$build/include" "$root"/tools/trace/*.c \
    -L"$build/lib" -lllhttp -ldl "${ldflags[@]}" "${@:2}" -o "$1"
}

build_trace() {
  local out=$build/bin/llhttp-trace
  build_lib
  if [ ! -e "$out" ] || [ "$build/lib/.stamp" -nt "$out" ] ||
    [ -n "$(find "$root/tools/trace" -newer "$out" -print -quit)" ]; then
    say "building $out"
    mkdir -p "$build/bin"
    compile_trace "$out" -Wl,-rpath,'$ORIGIN/../lib'
  fi
}

# library_option OPTION VALUE...: which library is built.
library_option() {
  case $1 in
    --goamd64)
      case ${2:-} in
        v1 | v2 | v3) export GOAMD64=$2 ;;
        *) die "--goamd64 wants v1, v2 or v3" ;;
      esac
      ;;
    --target) use_target "${2:-}" ;;
  esac
}

case ${1:-help} in
  lib | object | describe)
    case $1 in
      lib) what=build_lib ;;
      object) what='alone build_object' ;;
      describe) what=describe ;;
    esac
    command=$1
    shift
    while [ $# -ne 0 ]; do
      case $1-$what in
        --conventional-build_lib) what=build_conventional ;;
        --symbolizer-build_lib) what=build_symbolizer ;;
        --goamd64-* | --target-*)
          library_option "$@"
          [ "$1-$what" != --target-build_lib ] || what=build_trace
          shift
          ;;
        *) die "unknown option $1 of $command; see ./build.sh help" ;;
      esac
      shift
    done
    $what
    ;;
  install)
    shift
    set_folders "$@"
    install_all
    ;;
  pc)
    shift
    set_folders "$@"
    pkg_config_file
    ;;
  run)
    shift
    build_trace
    [ $# -ne 0 ] || set -- "$root/examples/request.http"
    say "llhttp-trace $*"
    "$build/bin/llhttp-trace" "$@"
    ;;
  test)
    [ $# -eq 1 ] || die "test takes no arguments; see ./build.sh help"
    build_trace
    build_conventional
    say "testing; logs are in $build/test-logs"
    CC="${cc[*]}" CXX="${cxx[*]}" "$root/tests/run.sh" "$build"
    ;;
  lint)
    need python3 "fetch and run the linters"
    shift
    writable "$build"
    "$root/tests/lint/run.sh" --prepare "$build" || die "the linters cannot be fetched"
    exec "$root/tests/lint/run.sh" "$build" "$@"
    ;;
  fuzz)
    shift
    build_lib
    CC="${cc[*]}" exec "$root/tests/fuzz/fuzz.sh" "$build" "$@"
    ;;
  bench)
    need python3 "run the benchmark and its statistics"
    shift
    LLHTTP_BUILD_DIR=$build exec python3 "$root/bench/run.py" "$@"
    ;;
  docs)
    [ $# -eq 1 ] || die "docs takes no arguments; see ./build.sh help"
    build_docs
    ;;
  clean)
    [ $# -eq 1 ] || die "clean takes no arguments; see ./build.sh help"
    if [ "$build" = "$root/build" ]; then
      # With what npm and pip have made beside the packages' sources.
      rm -rf "$build" "$root"/bindings/node/{build,node_modules} "$root"/bindings/python/{build,src/*.egg-info}
    elif [ -d "$build" ]; then
      # Another folder may hold what is not ours.
      (cd "$build" && rm -rf lib include bin obj conventional symbolizer sanitized amd64 arm64 goamd64-v{2,3} \
        tight tests test-logs reference httpparser realworld fuzz bench lint node python pypi consumers examples docs \
        vectors.txt)
      rmdir "$build" 2>/dev/null || true
    fi
    ;;
  help | --help | -h) usage ;;
  *)
    usage >&2
    die "unknown command $1"
    ;;
esac
