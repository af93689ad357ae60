#!/usr/bin/env bash
# Linters: called by `./build.sh lint` and tests/run.sh. No warning is left: what a linter should not say is switched off
# where it reads that, with the reason. The packages in bindings/ run theirs (ruff, mypy, eslint) by their own tests.
#
#   run.sh BUILD_DIR [NAME...]     NAME is one of the list `all` below; without names, all of them
#   run.sh --prepare BUILD_DIR     fetches the linters into BUILD_DIR/lint, unless they are there
#
# Their versions are pinned: requirements.txt, and staticcheck here. The last line is "N passed, M failed".
set -uo pipefail

staticcheck=honnef.co/go/tools/cmd/staticcheck@v0.8.2
all=(gofmt vet staticcheck shellcheck ruff mypy clang-format cppcheck)

prepare=
if [ "$1" = --prepare ]; then prepare=1 && shift; fi
build=$(cd "$1" && pwd) || exit 2
cd "$(dirname "$0")/../.." || exit 2
shift
tools=$build/lint
bin=$tools/bin
export PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1

# The stamp tells whether the linters are as they are wanted. staticcheck has to be built by the Go whose code it reads.
stamp=$(sha256sum tests/lint/requirements.txt; echo "$staticcheck"; go version)
fetch() {
  [ "$(cat "$tools/stamp" 2>/dev/null)" = "$stamp" ] && return
  rm -rf "$tools"
  python3 -m venv "$tools" && "$bin/pip" install --quiet -r tests/lint/requirements.txt &&
    GOBIN=$bin go install "$staticcheck" && printf '%s\n' "$stamp" >"$tools/stamp"
}

# files PATTERN...: those of the repository, without what is built or fetched, each with a zero byte.
files() {
  local pattern names=()
  for pattern; do names+=(-o -path "./$pattern"); done
  find . \( -path ./build -o -path ./bindings/node/build -o -path ./bindings/python/build -o -name node_modules -o -name _llhttp -o -name .git \) -prune -o \
    -type f \( "${names[@]:1}" \) -printf '%P\0' | LC_ALL=C sort -z
}

lint_gofmt() {
  local wrong
  wrong=$(gofmt -l ./*.go bench core capi examples tools tests) && [ -z "$wrong" ] || { printf 'not formatted: %s\n' "$wrong" && return 1; }
}

# The parser makes addresses of integers, as it must not hold pointers: vet's unsafeptr has nothing to say there.
lint_vet() { go vet -unsafeptr=false ./... ./core/_gen ./capi/_gen; }

lint_staticcheck() {
  "$bin/staticcheck" ./... ./core/_gen ./capi/_gen &&
    GOARCH=arm64 CGO_ENABLED=0 "$bin/staticcheck" ./core/...
}

# .shellcheckrc says what is off.
lint_shellcheck() {
  local scripts
  mapfile -d '' scripts < <(files '*.sh')
  "$bin/shellcheck" .ci/run "${scripts[@]}"
}

# ruff.toml; bindings/python has its own.
lint_ruff() {
  "$bin/ruff" check --quiet --cache-dir "$tools/ruff" . && "$bin/ruff" format --quiet --diff --cache-dir "$tools/ruff" .
}

# mypy.ini. Scripts of different folders have the same names: each folder alone.
lint_mypy() {
  local folder status=0 scripts
  for folder in bench bench/endtoend tests/c tests/consumers/python tests/hosts tests/realworld tests/realworld/python \
    examples tests/examples tests/trace; do
    mapfile -d '' scripts < <(files "$folder/*.py" | grep -zv "^$folder/.*/")
    MYPYPATH=$folder "$bin/mypy" --no-error-summary --cache-dir "$tools/mypy" "${scripts[@]}" || status=1
  done
  return "$status"
}

lint_cppcheck() {
  local sources
  mapfile -d '' sources < <(files 'capi/*.c' 'tools/*.c' 'examples/*.c' 'bindings/node/src/*.c')
  mkdir -p "$tools/cppcheck"
  "$bin/cppcheck" --quiet --error-exitcode=1 --std=c11 --language=c --enable=warning,style,performance,portability \
    --check-level=exhaustive --inline-suppr --suppressions-list=tests/lint/cppcheck.txt \
    --cppcheck-build-dir="$tools/cppcheck" -Icapi -Ibindings/node/src "${sources[@]}"
}

# .clang-format; .clang-format-ignore lists what is generated.
lint_clang-format() {
  local sources
  mapfile -d '' sources < <(files '*.c' '*.h' '*.cpp')
  "$bin/clang-format" --dry-run --Werror "${sources[@]}"
}

if [ -n "$prepare" ]; then
  fetch
  exit
fi
passed=0 failed=0
[ $# -ne 0 ] || set -- "${all[@]}"
for name; do
  case " ${all[*]} " in
    *" $name "*) ;;
    *)
      printf 'lint: there is no linter %s; known: %s\n' "$name" "${all[*]}" >&2
      exit 2
      ;;
  esac
  started=$SECONDS
  if "lint_$name"; then
    passed=$((passed + 1))
    printf 'ok    %s, %d s\n' "$name" $((SECONDS - started))
  else
    failed=$((failed + 1))
    printf 'FAIL  %s\n' "$name"
  fi
done
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
