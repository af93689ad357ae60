#!/usr/bin/env bash
# The package for Node, bindings/node: its own tests, the documents of tests/cases, and a project that depends on it in
# every way in which it can be installed.
#
#   tests/node.sh BUILD_DIR
#
# Needs node with its headers, npm and cmake. Only the package's development tools come from npm's registry; everything
# else works offline, and is run so. LLHTTP_TEST_NODES: paths of further node executables, separated by colons, which
# load the addon as it is built here and run the tests, but for those that do not depend on them.
set -uo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd) || exit 2
package=$root/bindings/node
consumer=$root/tests/consumers/node
work=$(mktemp -d "${TMPDIR:-/tmp}/llhttp node.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/checks.sh
. "$root/tests/checks.sh"
export LLHTTP_BUILD_DIR=$build npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false

in_dir() { (cd "$1" && shift && "$@"); }

# tests_by NODE FILE...: Node's runner says its counts at the end, as other tests do; and what has failed.
tests_by() {
  local status=0
  LLHTTP_VECTORS_FILE=$build/vectors.txt "$1" --test --test-reporter=tap "${@:2}" >"$work/tap" || status=$?
  [ "$status" -eq 0 ] || grep -A 30 '^ *not ok' "$work/tap" || cat "$work/tap"
  echo "$(sed -n 's/^# pass //p' "$work/tap") passed, $(sed -n 's/^# fail //p' "$work/tap") failed"
  return "$status"
}

check "install with the development tools" in_dir "$package" npm ci
# The addon as it is built, but warnings are errors.
strictly() {
  local options
  mapfile -t options < <(sed -n 's/^\(NODE\|LLHTTP\)\(_[A-Z_]*\):[A-Z]*=/-D\1\2=/p' "$package/build/CMakeCache.txt")
  cmake -S "$package" -B "$work/strict" -DCMAKE_C_FLAGS=-Werror "${options[@]}" && cmake --build "$work/strict"
}
check "no warnings" strictly
# Two at once do not disturb each other.
twice() {
  node "$package/scripts/build.js" & local first=$!
  node "$package/scripts/build.js" && wait "$first" && node -e 'require(process.argv[1])' "$package" &&
    [ -z "$(find "$package/build" -name 'cmake-*')" ]
}
check "two builds at once" twice
# Only the build folder that is meant goes, with what npm has made if that is the checkout's own.
cleaned() {
  LLHTTP_BUILD_DIR=$work/other "$root/build.sh" clean && [ -e "$package/build/llhttp.node" ] && [ -e "$package/node_modules" ]
}
check "clean of another build folder" cleaned
check "lint" in_dir "$package" npm run --silent lint
check "tests" tests_by node "$package"/test/*.test.js
check "cases" in_dir "$root" go run ./tests/cases/runner --batch --trace bindings/node/test/trace.js --splits=false \
  --plain tests/cases/*.md
IFS=: read -r -a nodes <<<"${LLHTTP_TEST_NODES:-}"
for node in "${nodes[@]}"; do
  check "tests, by Node $("$node" --version)" \
    tests_by "$node" "$package"/test/{parser,messages,input,modules,isolation,workers,vectors,http-server}.test.js
done

export npm_config_offline=true

# By path: npm makes a link, and builds what it points to.
cp -R "$consumer" "$work/by path"
sed -i "s|file:[^\"]*|file:$package|" "$work/by path/package.json"
check "a project that depends on it by path" in_dir "$work/by path" npm install --no-package-lock
check "its tests" tests_by node "$work/by path/server.test.js"

# What the README says.
readme() {
  sed -n '/^## Node$/,/^## /{/^```sh$/,/^```$/{/^```/!p}}' "$root/README.md" |
    sed "s|[./]*bindings/node|'$package'|" >"$work/readme.sh"
  (cd "$work" && bash -e readme.sh) && grep -qx 'headerField Host' "$work/log"
}
check "README" readme

# Packed: what is in the package is enough, without this repository and without Go's module proxy.
check "pack" in_dir "$package" npm pack --pack-destination "$work"
cp -R "$consumer" "$work/packed"
cp "$work"/llhttpgo-*.tgz "$work/llhttpgo.tgz"
sed -i 's|file:[^"]*|file:../llhttpgo.tgz|' "$work/packed/package.json"
check "a project that depends on it packed" in_dir "$work/packed" \
  env -u LLHTTP_BUILD_DIR GOPROXY=off GOMODCACHE="$work/no modules" npm install --no-package-lock
check "its tests" tests_by node "$work/packed/server.test.js"

# Where Go is missing, an installed library will do: one that an environment variable names, or that pkg-config knows.
alone=$work/alone
prefix=$work/prefix
mkdir -p "$work/no go" "$work/no cmake" "$prefix/lib" "$prefix/include" "$work/another/include" "$work/another/lib"
for name in go cmake; do
  printf '#!/bin/sh\nexit 127\n' >"$work/no $name/$name"
  chmod +x "$work/no $name/$name"
done
cp "$build"/include/llhttp*.h "$prefix/include"
cp "$build/lib/libllhttp.a" "$prefix/lib"
cp "$build/include/llhttp.h" "$work/another/include"
cp "$build/lib/libllhttp.a" "$work/another/lib"
for name in prefix another; do
  mkdir -p "$work/$name.pc"
  printf '%s\n' "prefix=$work/$name" 'includedir=${prefix}/include' 'libdir=${prefix}/lib' \
    'Name: libllhttp' 'Description: -' 'Version: 9.4.3' >"$work/$name.pc/libllhttp.pc"
done
mkdir "$alone" && tar -xzf "$work/llhttpgo.tgz" -C "$alone" --strip-components=1
without_go=(env "PATH=$work/no go:$PATH")
build_it=(node "$alone/scripts/build.js")
works=(node -e 'const { HTTPParser } = require(process.argv[1]); new HTTPParser(HTTPParser.REQUEST)' "$alone")
check "build with LLHTTP_PREFIX" "${without_go[@]}" LLHTTP_PREFIX="$prefix" "${build_it[@]}"
check "run that" "${works[@]}"
check "build with pkg-config" "${without_go[@]}" PKG_CONFIG_LIBDIR="$work/prefix.pc" "${build_it[@]}"
check "run that" "${works[@]}"
check "without Go, pkg-config or LLHTTP_PREFIX" refuses \
  "go is missing, which compiles the library, LLHTTP_PREFIX is not set, and pkg-config knows no libllhttp" \
  "${without_go[@]}" PKG_CONFIG_LIBDIR="$work" "${build_it[@]}"
check "an installed library that is too old" refuses \
  "and the libllhttp that pkg-config knows will not do: llhttp_ext.h is missing in $work/another/include" \
  "${without_go[@]}" PKG_CONFIG_LIBDIR="$work/another.pc" "${build_it[@]}"
check "LLHTTP_PREFIX without a library" refuses \
  "llhttp.h is missing in $work/nowhere/include" \
  env LLHTTP_PREFIX="$work/nowhere" "${build_it[@]}"
check "without cmake" refuses "cmake is missing" env PATH="$work/no cmake:$PATH" "${build_it[@]}"
check "without Node's headers" refuses "node_api.h is missing" env npm_config_nodedir="$work/nowhere" "${build_it[@]}"
rm -rf "$alone/_llhttp" "$alone/build"
check "without sources" refuses "there are no sources of the library here" env PKG_CONFIG_LIBDIR="$work" "${build_it[@]}"
check "without the addon" refuses "npm rebuild llhttpgo" "${works[@]}"

closing
