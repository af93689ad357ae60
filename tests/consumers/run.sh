#!/usr/bin/env bash
# Projects that use the library as others would: by CMake in three ways, by pkg-config and make, linked statically,
# beside another Go library, and built for Debian's llhttp; and what CMakeLists.txt and the install rules promise.
#
#   tests/consumers/run.sh BUILD_DIR
#
# BUILD_DIR holds both builds of the library. All work is done in BUILD_DIR/consumers, on a copy of the sources, in
# folders that have blanks in their names. Needs cmake 3.16 or newer, ninja, make, pkg-config, g++, and Go.
# LLHTTP_TEST_CMAKE: the oldest cmake that is supported, which takes turns with the system's (default: that one alone).
# A part whose needs are missing is skipped with a word; LLHTTP_TEST_STRICT=1 makes that a failure.
set -uo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd) || exit 2
here=$root/tests/consumers
work="$build/consumers/a folder"
source="$work/the sources"
cmake=${CMAKE:-cmake}
old_cmake=${LLHTTP_TEST_CMAKE:-$cmake}
version=9.4.3
multiarch=lib/$("${CC:-gcc}" -print-multiarch) # where Debian has its libraries
unset LLHTTP_SIMD DESTDIR LLHTTP_BUILD_DIR CFLAGS LDFLAGS PKG_CONFIG_PATH PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
unset CMAKE_GENERATOR CMAKE_PREFIX_PATH CMAKE_BUILD_PARALLEL_LEVEL MAKEFLAGS
rm -rf "$build/consumers"
mkdir -p "$source" || exit 2
# shellcheck source=tests/checks.sh
. "$root/tests/checks.sh"

# configure BUILD SOURCE GENERATOR CMAKE [OPTION...]
configure() { "$4" -S "$2" -B "$1" -G "$3" "${@:5}"; }

# make_and_test BUILD CMAKE: builds with two jobs, and runs the project's tests.
make_and_test() {
  "$2" --build "$1" --parallel 2 && (cd "$1" && "$(dirname "$(command -v "$2")")/ctest" --output-on-failure) |
    tee /dev/stderr | grep '^100% tests passed' >/dev/null
}

# project NAME SOURCE GENERATOR CMAKE [OPTION...]: configured, built and tested in $work/NAME.
project() {
  local name=$1
  shift
  check "$name: configure" configure "$work/$name" "$@"
  check "$name: build and test" make_and_test "$work/$name" "$3"
}

listing() { (cd "$1" && find . -printf '%p %T@ %s %l\n' | LC_ALL=C sort); }

cp -a "$root"/{build.sh,CMakeLists.txt,go.mod,go.sum,cmake,capi,core,tools,man} "$source" || exit 2
listing "$source" >"$work/sources.before"

# ---- build.sh install

sh_prefix="$work/installed by sh"
check "build.sh install" env LLHTTP_BUILD_DIR="$work/by sh" "$source/build.sh" install --prefix "$work/elsewhere"
# What was installed may be moved.
mv "$work/elsewhere" "$sh_prefix"
# installed PREFIX LIBDIR [FILE]: every file is there, and nothing else but FILE.
installed() {
  diff <(cd "$1" && find . ! -type d -printf '%P %l\n' | sed 's/ $//' | LC_ALL=C sort) - <<END
bin/llhttp-trace
include/http_parser.h
include/llhttp.h
include/llhttp_ext.h
${3:+$2/cmake/llhttp/$3
}$2/cmake/llhttp/llhttp-targets.cmake
$2/cmake/llhttp/llhttpConfig.cmake
$2/cmake/llhttp/llhttpConfigVersion.cmake
$2/libllhttp.a
$2/libllhttp.so libllhttp.so.9.4
$2/libllhttp.so.9.4 libllhttp.so.$version
$2/libllhttp.so.$version
$2/pkgconfig/libllhttp.pc
share/man/man1/llhttp-trace.1
share/man/man3/llhttp.3
share/man/man3/llhttp_ext.3
END
}
check "build.sh install: the files" installed "$sh_prefix" lib
# tool PREFIX: llhttp-trace finds the library that is installed beside it, wherever both are now.
tool() {
  ldd "$1/bin/llhttp-trace" | grep -F "=> $(cd "$1" && pwd)/" && "$1/bin/llhttp-trace" "$root/examples/request.http"
}
check "build.sh install: llhttp-trace" tool "$sh_prefix"
check "build.sh install: DESTDIR, prefix /usr" env LLHTTP_BUILD_DIR="$work/by sh" DESTDIR="$work/staged by sh" \
  "$source/build.sh" install --prefix=/usr --libdir="$multiarch"
check "build.sh install: the files below DESTDIR" installed "$work/staged by sh/usr" "$multiarch"
for_all() { (umask 077 && "$@" --prefix "$work/for all") && ! find "$work/for all" ! -type l ! -perm -444 | grep .; }
check "build.sh install: all may read it" for_all env LLHTTP_BUILD_DIR="$work/by sh" "$source/build.sh" install
check "build.sh install refuses a prefix that is a file" refuses 'cannot write to' \
  env LLHTTP_BUILD_DIR="$work/by sh" "$source/build.sh" install --prefix "$source/go.mod"
check "build.sh install refuses an unknown option" refuses 'unknown option --perfix' \
  "$source/build.sh" install --perfix /x
# What is built goes: all of it in the checkout, what is ours elsewhere.
cleaned() {
  local copy="$work/cleaned" other="$work/cleaned elsewhere"
  mkdir -p "$copy"/{capi,build/lib,build/parse,bindings/{node/{build,node_modules,lib},python/{build,src/llhttpgo.egg-info}}}
  mkdir -p "$other"/{lib,goamd64-v2,theirs}
  cp "$source/build.sh" "$copy" && cp "$source/capi/llhttp_compat.h" "$copy/capi" && (cd "$copy" && ./build.sh clean) &&
    LLHTTP_BUILD_DIR=$other "$copy/build.sh" clean && LLHTTP_BUILD_DIR=$work/nowhere "$copy/build.sh" clean &&
    equal "$(cd "$work" && find cleaned* -empty | LC_ALL=C sort)" "cleaned elsewhere/theirs
cleaned/bindings/node/lib
cleaned/bindings/python/src"
}
check "build.sh clean" cleaned
# A build waits for another one in the same folder.
waits() {
  local folder="$work/by sh" held="$work/held" status
  flock "$folder" sh -c 'touch "$0" && sleep 1 && rm "$0"' "$held" &
  while [ ! -e "$held" ]; do sleep 0.1; done
  LLHTTP_BUILD_DIR="$folder" "$source/build.sh" lib && [ ! -e "$held" ]
  status=$?
  wait
  return $status
}
check "build.sh lib waits for its turn" waits
# Flags of packagers: link-time optimisation and hidden symbols must not reach what is a library's interface.
check "build.sh lib, with a packager's flags" env LLHTTP_BUILD_DIR="$work/flags" LDFLAGS=-Wl,-z,separate-code \
  CFLAGS='-g -O2 -flto=auto -fvisibility=hidden -fPIE -fstack-protector-strong' "$source/build.sh" lib
check "with a packager's flags: exports" "$root/tests/c/exports.sh" "$work/flags/lib/libllhttp.so.$version"
check "with a packager's flags: link statically" "${CC:-gcc}" -I"$sh_prefix/include" "$here/pkg-config/upgrade.c" \
  "$work/flags/lib/libllhttp.a" -o "$work/flags/upgrade"
check "with a packager's flags: a parse" "$work/flags/upgrade"
if command -v clang >/dev/null; then
  by_clang="$work/clang, a comma"
  check "clang: build.sh lib" env CC=clang LLHTTP_BUILD_DIR="$by_clang" "$source/build.sh" lib
  check "clang: exports" "$root/tests/c/exports.sh" "$by_clang/lib/libllhttp.so.$version"
  check "clang: link" clang -I"$by_clang/include" "$here/pkg-config/upgrade.c" "$by_clang/lib/libllhttp.so" \
    -o "$by_clang/upgrade"
  check "clang: a parse" env LD_LIBRARY_PATH="$by_clang/lib" "$by_clang/upgrade"
else
  skip "clang" "it is missing"
fi

# ---- CMake: the library by itself

ninja="$work/library ninja"
make="$work/library make"
both=(-DLLHTTP_BUILD_SHARED_LIBS=ON -DLLHTTP_BUILD_STATIC_LIBS=ON)
check "Ninja: configure" configure "$ninja" "$source" Ninja "$cmake" "${both[@]}" \
  "-DCMAKE_INSTALL_PREFIX=$work/not here"
check "Ninja: build" "$cmake" --build "$ninja" --parallel 2
check "Ninja: compiled once" test "$(grep -c 'Compiling the HTTP parser' "$work/log")" = 1
check "Make: configure" configure "$make" "$source" 'Unix Makefiles' "$old_cmake" "${both[@]}" \
  "-DCMAKE_INSTALL_PREFIX=$work/installed by make" -DCMAKE_INSTALL_LIBDIR="$multiarch"
check "Make: build" "$old_cmake" --build "$make" --parallel 2
check "Make: compiled once" test "$(grep -c 'Compiling the HTTP parser' "$work/log")" = 1
check "nothing is written into the sources" diff "$work/sources.before" <(listing "$source")

# again BUILD PATTERN: builds once more, and looks for PATTERN in what is said.
again() {
  "$cmake" --build "$1" --parallel 2 >"$work/again" 2>&1
  local status=$?
  cat "$work/again"
  [ $status = 0 ] && grep -q -- "$2" "$work/again"
}
# idle BUILD: a second build has nothing to do.
idle() {
  "$cmake" --build "$1" --parallel 2 >"$work/again" 2>&1 || { cat "$work/again"; return 1; }
  cat "$work/again"
  ! grep -q 'Compiling\|Linking\|build\.sh\|Generating\|Configuring' "$work/again"
}
check "Ninja: nothing to do" again "$ninja" 'no work to do'
check "Make: nothing to do" idle "$make"

# A file that the library is made of is looked at again; but nothing is compiled if only its date has changed.
stamp() { stat -c %y "$1"/libllhttp.so.$version "$1"/libllhttp.a "$1"/parser/*/include/llhttp.h; }
touched() { # touched BUILD FILE
  local before
  before=$(stamp "$1")
  touch "$source/$2"
  again "$1" 'Compiling the HTTP parser' && [ "$(stamp "$1")" = "$before" ] && idle "$1"
}
for file in core/step.go core/asm/skip_avx2_amd64.s core/asm/fieldlines_amd64.h core/entry_arm64.s capi/driver.c \
  capi/llhttp_ext.h tools/extract/main.go go.mod go.sum build.sh; do
  check "Ninja: $file is touched" touched "$ninja" "$file"
done
check "Make: core/step.go is touched" touched "$make" core/step.go
check "Make: capi/driver.c is touched" touched "$make" capi/driver.c
untouched() {
  again "$1" . && touch "$source"/{core/step_test.go,core/_gen/main.go,tools/_symbolizer/symbolizer.go} && idle "$1"
}
check "Ninja: other files are touched" untouched "$ninja"
check "Make: other files are touched" untouched "$make"

# rebuilt BUILD COMMAND...: COMMAND changes the sources so that the libraries are made again, and then stay.
rebuilt() {
  local build=$1 before header
  shift
  before=$(stat -c %y "$build"/libllhttp.so.$version) header=$(stat -c %y "$build"/parser/*/include/llhttp.h)
  (cd "$source" && "$@") && again "$build" 'Linking C shared' && idle "$build" &&
    [ "$(stat -c %y "$build"/libllhttp.so.$version)" != "$before" ] &&
    [ "$(stat -c %y "$build"/parser/*/include/llhttp.h)" = "$header" ]
}
append() { printf '%s\n' "$2" >>"$1"; }
add() { printf 'package core\n' >core/added.go; }
check "Ninja: a Go file changes" rebuilt "$ninja" append core/step.go '// One more line.'
check "Ninja: an assembly file changes" rebuilt "$ninja" append core/asm/skip_avx2_amd64.s '// One more line.'
check "Make: a C file changes" rebuilt "$make" append capi/driver.c '/* One more line. */'
check "Ninja: a Go file is added" rebuilt "$ninja" add
check "Ninja: a Go file is removed" rebuilt "$ninja" rm core/added.go
check "Make: a Go file is added" rebuilt "$make" add
check "Make: a Go file is removed" rebuilt "$make" rm core/added.go
check "Ninja: other flags" configure "$ninja" "$source" Ninja "$cmake" -DCMAKE_C_FLAGS=-fstack-protector-strong
check "Ninja: other flags compile again" rebuilt "$ninja" true
# A file that does not compile stops the build, and the next build says so again.
broken() { refuses "expected 'package'" "$cmake" --build "$1" && refuses "expected 'package'" "$cmake" --build "$1"; }
echo 'no Go' >"$source/core/broken.go"
check "Ninja: a mistake stops the build" broken "$ninja"
check "Make: a mistake stops the build" broken "$make"
rm "$source/core/broken.go"
check "Make: clean" "$cmake" --build "$make" --target clean
check "Make: after clean" again "$make" 'Linking C shared'
check "Ninja: after the mistake" "$cmake" --build "$ninja" --parallel 2

# ---- CMake: install

check "Ninja: install, prefix given late" "$cmake" --install "$ninja" --prefix "$work/elsewhere"
mv "$work/elsewhere" "$work/installed by ninja"
lib=$(sed -n 's/^CMAKE_INSTALL_LIBDIR:PATH=//p' "$ninja/CMakeCache.txt")
configuration=llhttp-targets-noconfig.cmake
check "Ninja: install: the files" installed "$work/installed by ninja" "$lib" $configuration
check "Ninja: install: llhttp-trace" tool "$work/installed by ninja"
check "Make: install" "$old_cmake" --build "$make" --target install
check "Make: install: the files" installed "$work/installed by make" "$multiarch" $configuration
check "Ninja: DESTDIR: prefix /usr" configure "$ninja" "$source" Ninja "$cmake" -DCMAKE_INSTALL_PREFIX=/usr \
  -DCMAKE_INSTALL_LIBDIR="$multiarch"
check "Ninja: DESTDIR: install" env DESTDIR="$work/staged by ninja" "$cmake" --build "$ninja" --target install
check "Ninja: DESTDIR: the files" installed "$work/staged by ninja/usr" "$multiarch" $configuration
pc=usr/$multiarch/pkgconfig/libllhttp.pc
no_path() { ! readelf -d "$1" | grep -E 'RPATH|RUNPATH'; }
check "build.sh install: no run path in /usr" no_path "$work/staged by sh/usr/bin/llhttp-trace"
check "Ninja: DESTDIR: no run path in /usr" no_path "$work/staged by ninja/usr/bin/llhttp-trace"
check "libllhttp.pc in /usr says so" grep -qx 'prefix=/usr' "$work/staged by sh/$pc"
check "libllhttp.pc is the same by build.sh and CMake" diff "$work/staged by sh/$pc" "$work/staged by ninja/$pc"
for dir in "$sh_prefix/lib" "$work/installed by ninja/$lib" "$work/installed by make/$multiarch"; do
  check "exports, in ${dir#"$work/"}" "$root/tests/c/exports.sh" "$dir/libllhttp.so.$version" "$sh_prefix/include"
done

# ---- CMake: options and what is missing

check "static alone, for newer CPUs: configure" configure "$work/static" "$source" Ninja "$cmake" \
  -DLLHTTP_BUILD_SHARED_LIBS=OFF -DLLHTTP_BUILD_STATIC_LIBS=ON -DLLHTTP_GOAMD64=v2
check "static alone: build" "$cmake" --build "$work/static"
check "static alone: install" "$cmake" --install "$work/static" --prefix "$work/installed by static"
check "static alone: llhttp-trace" "$work/installed by static/bin/llhttp-trace" --stats "$root/examples/request.http"
static_alone() { compgen -G "$1/*/libllhttp.a" && ! compgen -G "$1/*/libllhttp.so*"; }
check "static alone: no shared library" static_alone "$work/installed by static"
has_generic() { nm "$1" | grep 'fieldLinesGeneric'; }
for_newer() { has_generic "$make/libllhttp.a" && ! has_generic "$work/static/libllhttp.a"; }
[ "$(uname -m)" != x86_64 ] || check "for newer CPUs: nothing for older ones is in it" for_newer
check "for no CPUs: refused" refuses 'wants v1, v2 or v3' configure "$work/neither" "$source" Ninja "$cmake" \
  -DLLHTTP_GOAMD64=v5
defaults() {
  configure "$work/defaults" "$source" Ninja "$old_cmake" >/dev/null &&
    grep -x 'LLHTTP_BUILD_SHARED_LIBS:BOOL=ON' "$work/defaults/CMakeCache.txt" &&
    grep -x 'LLHTTP_BUILD_STATIC_LIBS:BOOL=OFF' "$work/defaults/CMakeCache.txt"
}
check "defaults: shared, not static" defaults
check "neither: refused" refuses 'are both off' configure "$work/neither" "$source" Ninja "$cmake" \
  -DLLHTTP_BUILD_SHARED_LIBS=OFF
wanted=$(sed -n 's/^go //p' "$root/go.mod")
mkdir "$work/tools"
IFS=: read -ra folders <<<"$PATH"
for folder in "${folders[@]}"; do ln -s "$folder"/* "$work/tools/" 2>/dev/null; done
rm -f "$work"/tools/go
system=-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF
check "without Go: CMake" refuses "go is missing.*Go $wanted or newer" \
  env PATH="$work/tools" "$cmake" -S "$source" -B "$work/no go, CMake" -G Ninja $system
check "without Go: build.sh" refuses "go is missing.*Go $wanted or newer" \
  env PATH="$work/tools" LLHTTP_BUILD_DIR="$work/no go, build.sh" "$source/build.sh" lib
check "without Go: install what is built" env PATH="$work/tools" "$cmake" --install "$ninja" --prefix "$work/no go"
check "without Go: the files" installed "$work/no go" "$multiarch" $configuration
printf '#!/bin/sh\ncase $* in *GOVERSION*) echo go1.9.7 ;; *) echo amd64 ;; esac\n' >"$work/tools/go"
chmod +x "$work/tools/go"
check "with an old Go: CMake" refuses "Go $wanted or newer is needed.* go1.9.7" \
  env PATH="$work/tools" "$cmake" -S "$source" -B "$work/old go" -G Ninja $system
rm -f "$work"/tools/{go,ld}
check "without a linker: build.sh" refuses 'ld is missing' \
  env PATH="$work/tools" GO="$(command -v go)" LLHTTP_BUILD_DIR="$work/no ld" "$source/build.sh" lib
rm -rf "$work/tools"

# ---- CMake: projects

project "add_subdirectory Ninja" "$here/cmake-subdirectory" Ninja "$cmake" -DLLHTTP_SOURCE="$source"
project "add_subdirectory Make" "$here/cmake-subdirectory" 'Unix Makefiles' "$old_cmake" -DLLHTTP_SOURCE="$source"
project "FetchContent Make" "$here/cmake-fetchcontent" 'Unix Makefiles' "$cmake" -DLLHTTP_SOURCE="$source"
project "FetchContent Ninja" "$here/cmake-fetchcontent" Ninja "$old_cmake" -DLLHTTP_SOURCE="$source"
header_changes() {
  append "$source/capi/llhttp_ext.h" '/* One more line. */'
  again "$1" 'Building C object .*route.c' && idle "$1"
}
check "add_subdirectory: a header changes" header_changes "$work/add_subdirectory Ninja"
whole() { "$cmake" --install "$1" --prefix "$2" && "$2/bin/route"; }
check "add_subdirectory: install with the program" whole "$work/add_subdirectory Ninja" "$work/installed whole"

for by in sh ninja make static; do
  prefix="$work/installed by $by"
  generator=Ninja tool=$cmake
  [ $by = ninja ] || generator='Unix Makefiles' tool=$old_cmake
  project "find_package by $by" "$here/cmake-find-package" "$generator" "$tool" -DCMAKE_PREFIX_PATH="$prefix"
  project "C++17 by $by" "$here/cxx17" "$generator" "$tool" -DCMAKE_PREFIX_PATH="$prefix"
done
versions() { configure "$work/versions $1" "$here/cmake-versions" Ninja "$2" -DLLHTTP_PACKAGE="$3"; }
check "versions, by sh" versions 1 "$old_cmake" "$sh_prefix/lib/cmake/llhttp"
check "versions, by sh, with this CMake" versions 2 "$cmake" "$sh_prefix/lib/cmake/llhttp"
check "versions, by make" versions 3 "$cmake" "$work/installed by make/$multiarch/cmake/llhttp"
incomplete() {
  cp -a "$1" "$work/incomplete" && rm "$work"/incomplete/*/libllhttp.so.$version &&
    refuses 'libllhttp.so.9.4.3' configure "$work/find incomplete" "$here/cmake-find-package" Ninja "$cmake" \
      -DCMAKE_PREFIX_PATH="$work/incomplete"
}
check "find_package names a file that is missing" incomplete "$sh_prefix"

# ---- pkg-config and make; static linking

# with_make NAME FOLDER [ARGUMENT...]: a copy of the project, built and run by make.
with_make() {
  cp -a "$here/$2" "$work/$1" && make -C "$work/$1" check "${@:3}"
}
dynamic_on() { readelf -d "$1" | grep 'NEEDED.*libllhttp\.so\.9\.4'; }
not_dynamic() { ! readelf -d "$1" | grep NEEDED; }
for by in sh make; do
  libdir="$work/installed by $by/lib"
  [ -d "$libdir/pkgconfig" ] || libdir="$work/installed by $by/$multiarch"
  export PKG_CONFIG_PATH="$libdir/pkgconfig" LD_LIBRARY_PATH="$libdir"
  check "pkg-config by $by: version" test "$(pkg-config --modversion libllhttp)" = $version
  check "pkg-config by $by" with_make "pkg-config by $by" pkg-config
  check "pkg-config by $by: is linked to the soname" dynamic_on "$work/pkg-config by $by/upgrade"
  check "static C by $by" with_make "static C by $by" static-c
  check "static C by $by: needs no library" not_dynamic "$work/static C by $by/lenient"
  check "static C++ by $by" with_make "static C++ by $by" static-cxx
  check "static C++ by $by: needs no library" not_dynamic "$work/static C++ by $by/limit"
done
check "static-pie" with_make "static pie" static-c EXTRA=-static-pie
# In a folder that stands for another system's root; pkg-config wants its name without blanks.
nest=$(mktemp -d)
trap 'rm -rf "$nest"' EXIT
sysroot=$nest/sysroot
cp -a "$work/staged by ninja" "$sysroot"
export PKG_CONFIG_PATH='' PKG_CONFIG_SYSROOT_DIR="$sysroot" PKG_CONFIG_LIBDIR="$sysroot/usr/$multiarch/pkgconfig"
check "pkg-config in a sysroot" test "$(pkg-config --cflags --libs libllhttp | xargs)" = \
  "-I$sysroot/usr/include -L$sysroot/usr/$multiarch -lllhttp"
check "static C in a sysroot" with_make "static C in a sysroot" static-c
unset PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_LIBDIR LD_LIBRARY_PATH

# ---- for arm64, with the toolchain file

if command -v aarch64-linux-gnu-g++ >/dev/null && command -v qemu-aarch64 >/dev/null; then
  toolchain=-DCMAKE_TOOLCHAIN_FILE=$source/cmake/aarch64-linux-gnu.cmake
  project "arm64 add_subdirectory" "$here/cmake-subdirectory" Ninja "$cmake" -DLLHTTP_SOURCE="$source" "$toolchain"
  check "arm64, it uses NEON" grep -q 'with neon' "$work/arm64 add_subdirectory/Testing/Temporary/LastTest.log"
  check "arm64, configure" configure "$work/arm64 library" "$source" 'Unix Makefiles' "$old_cmake" "${both[@]}" \
    "$toolchain"
  check "arm64, build" "$old_cmake" --build "$work/arm64 library" --parallel 2
  check "arm64, install" "$old_cmake" --install "$work/arm64 library" --prefix "$work/installed arm64"
  project "arm64 find_package" "$here/cmake-find-package" 'Unix Makefiles' "$old_cmake" "$toolchain" \
    -Dllhttp_DIR="$work/installed arm64/lib/cmake/llhttp"
  project "arm64 C++17" "$here/cxx17" Ninja "$cmake" "$toolchain" -Dllhttp_DIR="$work/installed arm64/lib/cmake/llhttp"
else
  skip "arm64" "aarch64-linux-gnu-g++ or qemu-aarch64 is missing"
fi

# ---- programs built for Debian's llhttp run on this library, and the other way round, without a rebuild

reference=$(sh "$root/tests/diff/fetch-reference.sh" "$build/reference" 2>"$work/log" | tail -n 1)
if [ -e "$reference" ]; then
  reference_lib=$(dirname "$reference")
  reference_include=$build/reference/tree/usr/include
  project "find_package of Debian" "$here/cmake-find-package" Ninja "$cmake" \
    -Dllhttp_DIR="$reference_lib/cmake/llhttp"
  project "C++17 of Debian" "$here/cxx17" Ninja "$cmake" -Dllhttp_DIR="$reference_lib/cmake/llhttp"
  check "versions, of Debian" versions 4 "$cmake" "$reference_lib/cmake/llhttp"
  compile() { # compile OUTPUT INCLUDE LIBDIR SOURCE
    "${CC:-gcc}" -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra -I"$2" -o "$1" "$4" -L"$3" -lllhttp -pthread -ldl
  }
  # on LIBDIR PROGRAM: runs the program on the library in that folder, and on no other.
  on() {
    local loaded
    loaded=$(LD_LIBRARY_PATH=$1 ldd "$2" | sed -n 's/.*libllhttp\.so\.9\.4 => \(.*\) (.*/\1/p')
    [ "$loaded" = "$1/libllhttp.so.9.4" ] || { echo "it runs on $loaded"; return 1; }
    LD_LIBRARY_PATH=$1 "$2"
  }
  direct=$sh_prefix/lib conventional=$build/conventional/lib
  for kind in direct conventional; do
    check "built for Debian's, on $kind: find_package" \
      on "${!kind}" "$work/find_package of Debian/pipeline_llhttp_llhttp"
    check "built for Debian's, on $kind: C++17" on "${!kind}" "$work/C++17 of Debian/fields"
  done
  check "built for ours, on Debian's: find_package" \
    on "$reference_lib" "$work/find_package by sh/pipeline_llhttp_llhttp"
  check "built for ours, on Debian's: C++17" on "$reference_lib" "$work/C++17 by sh/fields"
  for name in results fields lifetimes api abi layout_c; do
    theirs=$work/$name-theirs mine=$work/$name-ours
    check "compile $name for Debian's" compile "$theirs" "$reference_include" "$reference_lib" "$root/tests/c/$name.c"
    check "built for Debian's, on direct: $name" on "$direct" "$theirs"
    export LLHTTP_TEST_GO_RUNTIME=1
    check "built for Debian's, on conventional: $name" on "$conventional" "$theirs"
    unset LLHTTP_TEST_GO_RUNTIME
    check "compile $name for ours" compile "$mine" "$sh_prefix/include" "$direct" "$root/tests/c/$name.c"
    export LLHTTP_TEST_REFERENCE=1
    check "built for ours, on Debian's: $name" on "$reference_lib" "$mine"
    unset LLHTTP_TEST_REFERENCE
  done
else
  skip "programs for Debian's llhttp" "it cannot be had: $(tail -n 1 "$work/log")"
fi

# ---- beside another library in Go

beside=$work/beside
mkdir "$beside"
go_library() {
  (cd "$root" &&
    go build -buildvcs=false -buildmode=c-shared -o "$beside/libbeside.so" ./tests/consumers/beside-go/library)
}
check "beside: build a Go library" go_library
check "beside: compile" "${CC:-gcc}" -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -I"$sh_prefix/include" \
  "$here/beside-go/beside.c" -o "$beside/beside" -pthread -ldl
for kind in direct conventional; do
  [ $kind = direct ] && lib=$sh_prefix/lib || lib=$build/conventional/lib
  lib=$lib/libllhttp.so.$version
  check "beside: $kind, loaded first" "$beside/beside" "$lib" "$beside/libbeside.so"
  check "beside: $kind, loaded second" "$beside/beside" "$beside/libbeside.so" "$lib"
done

closing
