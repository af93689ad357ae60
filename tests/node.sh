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
passed=0 failed=0
export LLHTTP_BUILD_DIR=$build npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false

# count FILE: adds the results of node --test, or of another test of ours, to the sum.
count() {
  local p f
  p=$(sed -n 's/^# pass \([0-9]*\)/\1/p; s/^\([0-9]*\) passed, .*/\1/p' "$1" | tail -n 1)
  f=$(sed -n 's/^# fail \([0-9]*\)/\1/p; s/^[0-9]* passed, \([0-9]*\) failed.*/\1/p' "$1" | tail -n 1)
  passed=$((passed + ${p:-1}))
  failed=$((failed + ${f:-0}))
}

# run NAME COMMAND...: COMMAND must succeed.
run() {
  local name=$1 started=$SECONDS
  shift
  if "$@" >"$work/log" 2>&1 </dev/null; then
    printf 'ok    %s, %d s\n' "$name" $((SECONDS - started))
    count "$work/log"
  else
    printf 'FAIL  %s:\n' "$name"
    { grep -A 30 '^ *not ok' "$work/log" || tail -n 80 "$work/log"; } | head -n 200 | sed 's/^/      /'
    failed=$((failed + 1))
  fi
}

# refuses TEXT COMMAND...: COMMAND must fail with a message that has TEXT.
refuses() {
  local text=$1
  shift
  if "$@" >"$work/log" 2>&1 </dev/null; then
    printf 'FAIL  that should have failed: %s\n' "$text"
    failed=$((failed + 1))
  elif ! grep -qF -- "$text" "$work/log"; then
    printf 'FAIL  the message lacks "%s":\n' "$text"
    sed 's/^/      /' "$work/log"
    failed=$((failed + 1))
  else
    passed=$((passed + 1))
  fi
}

in_dir() { (cd "$1" && shift && "$@"); }

# tests_by NODE FILE...
tests_by() {
  local node=$1
  shift
  LLHTTP_VECTORS_FILE=$build/vectors.txt "$node" --test --test-reporter=tap "$@"
}

run "install with the development tools" in_dir "$package" npm ci
# The addon as it is built, but warnings are errors.
strictly() {
  local options
  mapfile -t options < <(sed -n 's/^\(NODE\|LLHTTP\)\(_[A-Z_]*\):[A-Z]*=/-D\1\2=/p' "$package/build/CMakeCache.txt")
  cmake -S "$package" -B "$work/strict" -DCMAKE_C_FLAGS=-Werror "${options[@]}" && cmake --build "$work/strict"
}
run "no warnings" strictly
# Two at once do not disturb each other.
twice() {
  node "$package/scripts/build.js" & local first=$!
  node "$package/scripts/build.js" && wait "$first" && node -e 'require(process.argv[1])' "$package" &&
    [ -z "$(find "$package/build" -name 'cmake-*')" ]
}
run "two builds at once" twice
# Only the build folder that is meant goes, with what npm has made if that is the checkout's own.
cleaned() {
  LLHTTP_BUILD_DIR=$work/other "$root/build.sh" clean && [ -e "$package/build/llhttp.node" ] && [ -e "$package/node_modules" ]
}
run "clean of another build folder" cleaned
run "lint" in_dir "$package" npm run --silent lint
run "tests" tests_by node "$package"/test/*.test.js
run "cases" in_dir "$root" go run ./tests/cases/runner --batch --trace bindings/node/test/trace.js --splits=false \
  --plain tests/cases/*.md
IFS=: read -r -a nodes <<<"${LLHTTP_TEST_NODES:-}"
for node in "${nodes[@]}"; do
  run "tests, by Node $("$node" --version)" \
    tests_by "$node" "$package"/test/{parser,messages,input,modules,isolation,workers,vectors,http-server}.test.js
done

export npm_config_offline=true

# By path: npm makes a link, and builds what it points to.
cp -R "$consumer" "$work/by path"
sed -i "s|file:[^\"]*|file:$package|" "$work/by path/package.json"
run "a project that depends on it by path" in_dir "$work/by path" npm install --no-package-lock
run "its tests" tests_by node "$work/by path/server.test.js"

# What the README says.
readme() {
  sed -n '/^## Node$/,/^## /{/^```sh$/,/^```$/{/^```/!p}}' "$root/README.md" |
    sed "s|[./]*bindings/node|'$package'|" >"$work/readme.sh"
  (cd "$work" && bash -e readme.sh) && grep -qx 'headerField Host' "$work/log"
}
run "README" readme

# Packed: what is in the package is enough, without this repository and without Go's module proxy.
run "pack" in_dir "$package" npm pack --pack-destination "$work"
cp -R "$consumer" "$work/packed"
cp "$work"/llhttpgo-*.tgz "$work/llhttpgo.tgz"
sed -i 's|file:[^"]*|file:../llhttpgo.tgz|' "$work/packed/package.json"
run "a project that depends on it packed" in_dir "$work/packed" \
  env -u LLHTTP_BUILD_DIR GOPROXY=off GOMODCACHE="$work/no modules" npm install --no-package-lock
run "its tests" tests_by node "$work/packed/server.test.js"

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
run "build with LLHTTP_PREFIX" "${without_go[@]}" LLHTTP_PREFIX="$prefix" "${build_it[@]}"
run "run that" "${works[@]}"
run "build with pkg-config" "${without_go[@]}" PKG_CONFIG_LIBDIR="$work/prefix.pc" "${build_it[@]}"
run "run that" "${works[@]}"
refuses "go is missing, which compiles the library, LLHTTP_PREFIX is not set, and pkg-config knows no libllhttp" \
  "${without_go[@]}" PKG_CONFIG_LIBDIR="$work" "${build_it[@]}"
refuses "and the libllhttp that pkg-config knows will not do: llhttp_ext.h is missing in $work/another/include" \
  "${without_go[@]}" PKG_CONFIG_LIBDIR="$work/another.pc" "${build_it[@]}"
refuses "llhttp.h is missing in $work/nowhere/include" env LLHTTP_PREFIX="$work/nowhere" "${build_it[@]}"
refuses "cmake is missing" env PATH="$work/no cmake:$PATH" "${build_it[@]}"
refuses "node_api.h is missing" env npm_config_nodedir="$work/nowhere" "${build_it[@]}"
rm -rf "$alone/_llhttp" "$alone/build"
refuses "there are no sources of the library here" env PKG_CONFIG_LIBDIR="$work" "${build_it[@]}"
refuses "npm rebuild llhttpgo" "${works[@]}"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
