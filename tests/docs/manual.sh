#!/usr/bin/env bash
# The manual pages and the API reference: no warning of mandoc, groff or Doxygen; every option, function, callback and
# error is described.
#
#   tests/docs/manual.sh BUILD_DIR
#
# Needs mandoc, groff and doxygen.
set -uo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd) || exit 2
work=$build/tests/manual
mkdir -p "$work" && cd "$work" || exit 2
# shellcheck source=tests/checks.sh
. "$root/tests/checks.sh"

# silent COMMAND...: succeeds, and says nothing. That a page it refers to is not installed here is no matter.
silent() {
  local said
  said=$("$@" 2>&1) || { printf '%s\n' "$said"; return 1; }
  ! grep -v 'referenced manual not found\|outdated mandoc.db' <<<"$said" | grep .
}
# lint PAGE: mandoc's status is that of the worst it found.
lint() { silent sh -c 'mandoc -T lint -W style "$1" || :' sh "$1"; }

for page in "$root"/man/*.[0-9]; do
  name=${page##*/}
  check "$name: mandoc" lint "$page"
  check "$name: groff" silent groff -mdoc -ww -Tutf8 -z "$page"
  groff -mdoc -Tascii -P-c -P-b -P-u "$page" >"$name.txt"
done

# same_words FILE FILE: two lists, a word a line.
same_words() { diff <(sort -u "$1") <(sort -u "$2"); }

"$build/bin/llhttp-trace" --help | grep -oE -- '--[a-z]+(-[a-z]+)*' >options.help
sed -n '/^\.It Fl Fl /p' "$root/man/llhttp-trace.1" | grep -oE 'Fl Fl [a-z-]+' | sed 's/Fl Fl /--/' >options.page
check "llhttp-trace.1: the options are those of --help" same_words options.help options.page
"$build/bin/llhttp-trace" --help | sed -n '/^Exit status/,$p' | grep -oE '[0-9] [a-z]+' | cut -d ' ' -f 1 >statuses.help
sed -n '/^\.Sh EXIT STATUS/,/^\.El/s/^\.It \([0-9]\)$/\1/p' "$root/man/llhttp-trace.1" >statuses.page
check "llhttp-trace.1: the exit statuses are those of --help" same_words statuses.help statuses.page

functions() { sed -n 's/^[a-z].*[ *]\(llhttp_[a-z_0-9]*\)(.*/\1/p' "$1" | grep -v llhttp__; }
for page in llhttp llhttp_ext; do
  functions "$build/include/$page.h" >functions.header
  sed -n 's/^\.Fo //p' "$root/man/$page.3" >functions.synopsis
  sed -n 's/^\.It Fn //p' "$root/man/$page.3" >functions.list
  check "$page.3: the synopsis has every function of $page.h" same_words functions.header functions.synopsis
  check "$page.3: every function is described" same_words functions.header functions.list
done
# But for the ids of field names, which are very many, and what one macro is made of.
names() { grep -oE '\b(llhttp_ext_[a-z_]+_t|LLHTTP_EXT_[A-Z_0-9]+)\b' "$1" | grep -v '_EXT_FIELD_\|_HEAD_BASE\|_HEAD_PER_FIELD'; }
names "$build/include/llhttp_ext.h" >names.header
names "$root/man/llhttp_ext.3" >names.page
check "llhttp_ext.3: every type and constant" same_words names.header names.page
grep -oE '^  llhttp_(data_)?cb on_[a-z_]+' "$build/include/llhttp.h" | sed 's/.* //' >callbacks.header
sed -n 's/^\.It Va \([a-z_]*\).*/\1/p' "$root/man/llhttp.3" >callbacks.page
check "llhttp.3: every callback" same_words callbacks.header callbacks.page
grep -oE '^  HPE_[A-Z_0-9]+' "$build/include/llhttp.h" | tr -d ' ' >errors.header
sed -n 's/^\.It Bq Er //p' "$root/man/llhttp.3" >errors.page
check "llhttp.3: every error" same_words errors.header errors.page
(cd "$root/docs/errors" && printf '%s\n' HPE_*.md | sed 's/\.md$//') >errors.docs
check "docs/errors: every error" same_words errors.header errors.docs

check "Doxygen" env LLHTTP_BUILD_DIR="$build" "$root/build.sh" docs
described() { # described: each function has text in the reference
  python3 - "$build"/docs/xml/llhttp*_8h.xml <<'END'
import sys
import xml.etree.ElementTree as tree

names = set()
bare = set()
for path in sys.argv[1:]:
    for member in tree.parse(path).iter("memberdef"):
        if member.get("kind") != "function":
            continue
        name = member.findtext("name")
        names.add(name)
        if not "".join(member.find("briefdescription").itertext()).strip():
            bare.add(name)
# These follow their sibling, which speaks for them.
bare -= {"llhttp_get_http_minor", "llhttp_method_name", "llhttp_status_name"}
print("without a word:", *sorted(bare))
sys.exit(bool(bare) or len(names) < 40)
END
}
check "the API reference: every function is described" described

closing
