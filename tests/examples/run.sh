#!/usr/bin/env bash
# The programs of examples/, built as their first lines say and used as clients would use them; those in C and C++ with
# sanitizers, the server in C also under load. The last line is "N passed, M failed".
#
#   tests/examples/run.sh BUILD_DIR
#
# Needs wrk, Python 3, and Node with its headers and cmake. All work is done in BUILD_DIR/examples.
set -uo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd) || exit 2
here=$root/tests/examples
examples=$root/examples
work=$build/examples
# shellcheck source=tests/checks.sh
. "$root/tests/checks.sh"
export PYTHONDONTWRITEBYTECODE=1
unset LLHTTP_SIMD
rm -rf "$work"
mkdir -p "$work" && cd "$work" || exit 2

# compile NAME SOURCE OPTION...: a C program on the shared library.
compile() {
  "${CC:-gcc}" -std=c11 -Wall -Wextra -Werror "${@:3}" -I"$build/include" "$examples/$2" -o "$1" \
    -L"$build/lib" -lllhttp -Wl,-rpath,"$build/lib"
}

# compile_cxx NAME SOURCE OPTION...: the same for C++.
compile_cxx() {
  "${CXX:-g++}" -std=c++17 -Wall -Wextra -Werror "${@:3}" -I"$build/include" "$examples/$2" -o "$1" \
    -L"$build/lib" -lllhttp -Wl,-rpath,"$build/lib"
}

# load ARGUMENT...: wrk loads the server; every answer must be there, and every one must be 200.
load() {
  local server url status=0
  : >port
  ./server 0 >port &
  server=$!
  for _ in $(seq 100); do
    url=$(sed -n 's/^listening on //p' port)
    [ -z "$url" ] || break
    sleep 0.05
  done
  wrk --threads 1 --connections 64 "$@" "$url" >wrk.log || status=$?
  kill "$server"
  wait "$server" || status=$?
  cat wrk.log
  grep -q '^ *[1-9][0-9]* requests in ' wrk.log || status=1
  ! grep -E 'Socket errors|Non-2xx' wrk.log || status=1
  return "$status"
}

# The addon as scripts/build.js makes it, in a copy: other tests work in bindings/node.
addon() {
  local package=$work/node_modules/llhttpgo
  mkdir -p "$package"
  cp -r "$root"/bindings/node/{package.json,CMakeLists.txt,lib,src,scripts} "$package" &&
    LLHTTP_PREFIX=$build node "$package/scripts/build.js"
}

# start NAME COMMAND...: in the background; `check NAME ended NAME` waits for it.
declare -A job
start() {
  "${@:2}" >"$1.log" 2>&1 </dev/null &
  job[$1]=$!
}
ended() {
  local status=0
  wait "${job[$1]}" || status=$?
  cat "$1.log"
  return "$status"
}

check "server.c: compile" compile server server.c -O2
check "server.c: compile with sanitizers" compile server-sanitized server.c -O1 -g -fsanitize=address,undefined \
  -fno-sanitize-recover=all
check "client.cpp: compile with sanitizers" compile_cxx client client.cpp -O1 -g -fsanitize=address,undefined \
  -fno-sanitize-recover=all
check "the addon for Node" addon
export NODE_PATH=$work/node_modules
python=(env PYTHONPATH="$root/bindings/python/src" LLHTTP_LIBRARY="$build/lib/libllhttp.so" python3)

# The tests mostly wait.
start server.c "$here/server_test.py" ./server-sanitized
start server.py "$here/server_test.py" --no-extension-limit "${python[@]}" "$examples/server.py"
start server.js "$here/server_test.py" node "$examples/server.js"
start client.cpp "$here/client_test.py" ./client
start websocket.py "$here/websocket_test.py" "${python[@]}" "$examples/websocket.py"
start proxy.js "$here/proxy_test.py" node "$examples/proxy.js"
for name in server.c server.py server.js client.cpp websocket.py proxy.js; do check "$name" ended "$name"; done

check "server.c: 3 s of wrk" load --duration 3
cat >16.lua <<'END'
init = function() many = string.rep(wrk.format("GET", "/chunked"), 16) end
request = function() return many end
END
check "server.c: 1 s of wrk, 16 requests at once" load --duration 1 --script 16.lua

closing
