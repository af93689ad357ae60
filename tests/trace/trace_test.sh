#!/bin/sh
# What llhttp-trace itself does: options, output formats, errors with their caret, exit status, input and output trouble.
# What the parser does is in tests/cases.
#
# Usage: tests/trace/trace_test.sh [TRACE]      TRACE: the tool, default build/bin/llhttp-trace
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
trace=${1:-$root/build/bin/llhttp-trace}
case $trace in */*) trace=$(cd "$(dirname "$trace")" && pwd)/$(basename "$trace") ;; esac
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 2' HUP INT TERM
cd "$work" || exit 2

passed=0 failed=0

# check NAME COMMAND...: passes if COMMAND succeeds.
check() {
  name=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAIL $name"
    echo "  exit status $status, output and complaint:"
    sed 's/^/  | /' out err
  fi
}

# run ARGUMENT...: the tool on the file in, as standard input; sets status, out, err.
run() {
  status=0
  "$trace" "$@" <in >out 2>err || status=$?
}

status_is() { [ "$status" -eq "$1" ]; }
out_is() { cat >expected && diff expected out; }                       # the expected output on standard input
out_has() { grep -qF -e "$1" out; }
err_has() { grep -qF -e "$1" err; }
out_lacks() { ! out_has "$1"; }
silent() { [ ! -s err ]; }
empty_out() { [ ! -s out ]; }
complains() { status_is 2 && empty_out && err_has "llhttp-trace: " && err_has "$1"; }

# The caret under the error must stand below the text $1, and no line may be wider than the window and its margin.
caret_under() {
  want=$1 awk '
    BEGIN { want = ENVIRON["want"] }
    /^ *\^$/ { column = index($0, "^"); found = substr(line, column, length(want)) == want }
    { line = $0 }
    substr($0, 1, 16) ~ /^ *$/ && length($0) > 16 + 72 + 3 { wide = 1 }
    END { exit !(found && !wide) }' out
}

json_valid() {
  if command -v python3 >/dev/null 2>&1; then
    python3 -c '
import json, sys
for line in open(sys.argv[1], encoding="ascii"):
    json.loads(line)["event"]' out
  else
    ! grep -vq '^{"event":"[a-z_0-9]*"[^[:cntrl:]]*}$' out
  fi
}

# ---- help, version, usage ----

: >in
run --help
check "--help: status" status_is 0
check "--help: silent" silent
for option in type lenient rule limit pieces chunk split finish skip-body upgrade ignore-upgrade no-pause explain diff \
  stats json color help version; do
  check "--help names --$option" out_has "--$option"
done
run -h
check "-h" out_has "Usage: llhttp-trace"
run --version
check "--version: status" status_is 0
check "--version" grep -q '^llhttp-trace [0-9][0-9]*\.[0-9][0-9]*\.[0-9][0-9]*$' out

run --nonsense
check "unknown option: status" status_is 2
check "unknown option: hint" err_has "--help"
run --type
check "option without its value" status_is 2
status=0
LLHTTP_SIMD=quick "$trace" in >out 2>err || status=$?
check "a level that there is not" complains "LLHTTP_SIMD=quick is ignored"
run missing.http
check "missing file" complains "missing.http"
mkdir directory
run directory
check "directory" complains "directory"
run --type both-ways
check "unknown type" complains "both-ways"
check "unknown type: known ones" err_has "request, response, both"
run --lenient everything
check "unknown lenient flag" complains "everything"
for flag in headers chunked_length keep_alive transfer_encoding version data_after_close optional_lf_after_cr \
  optional_cr_before_lf optional_crlf_after_chunk spaces_after_chunk_size header_value_relaxed all; do
  check "unknown lenient flag: names $flag" err_has "$flag"
done
run --rule everything
check "unknown rule" complains "everything"
for rule in strict_close strict_all tolerate_unknown_methods; do
  check "unknown rule: names $rule" err_has "$rule"
done
for value in everything everything=1 fields fields= fields=0 fields=x fields=1x fields=-1 field=1 =1 ''; do
  run --limit "$value"
  check "--limit '$value'" complains "'$value'"
  check "--limit '$value': names field_line_length" err_has "field_line_length"
done
for value in 0 -1 x 1x '' ' 1' 99999999999999999999; do
  run --pieces "$value"
  check "--pieces '$value'" complains "--pieces"
done
for value in 0 5,3 3,3 '1,' ',1' x 1,x '' all; do
  run --split "$value"
  check "--split '$value'" complains "--split"
done
for pair in "--pieces 1 --split 2" "--pieces 1 --split each" "--stats --split 1" "--stats --explain" \
  "--stats --diff x.so" "--explain --diff x.so"; do
  run $pair
  check "$pair" complains "exclude"
done
run --color sometimes
check "--color sometimes" complains "auto, always or never"

# ---- the text output ----

printf 'POST /a HTTP/1.1\r\nHost: b\r\nContent-Length: 3\r\n\r\nxyz' >in
cp in post.http
run
check "text: status" status_is 0
check "text: silent" silent
check "text" out_is <<'END'
offset  length  callback
     0          on_message_begin
     0       4  on_method                "POST"
     4          on_method_complete
     5       2  on_url                   "/a"
     8          on_url_complete
     8       4  on_protocol              "HTTP"
    12          on_protocol_complete
    13       3  on_version               "1.1"
    16          on_version_complete
    18       4  on_header_field          "Host"
    23          on_header_field_complete
    24       1  on_header_value          "b"
    27          on_header_value_complete
    27      14  on_header_field          "Content-Length"
    42          on_header_field_complete
    43       1  on_header_value          "3"
    46          on_header_value_complete
    48          on_headers_complete      type=request method=POST version=1.1 flags=CONTENT_LENGTH content_length=3 upgrade=no keep_alive=yes
    48       3  on_body                  "xyz"
    51          on_message_complete      upgrade=no keep_alive=yes
END
cp out whole
for file in - post.http ./post.http; do
  run "$file"
  check "input from '$file'" cmp -s out whole
done
cp post.http ./-odd
run -- -odd
check "file whose name begins with a dash" cmp -s out whole
for flag in headers chunked_length keep_alive transfer_encoding version data_after_close optional_lf_after_cr \
  optional_cr_before_lf optional_crlf_after_chunk spaces_after_chunk_size header_value_relaxed all; do
  run --lenient "$flag"
  check "--lenient $flag" cmp -s out whole
done
# Rules and limits that change nothing here; the reference has none.
if "$trace" --rule strict_all post.http >/dev/null 2>&1; then
  run --rule strict_all --rule tolerate_unknown_methods --limit fields=2 --limit header_bytes=48
  check "rules and limits that change nothing" cmp -s out whole
  run --limit fields=2 --limit fields=1
  check "--limit: status" status_is 1
  check "--limit: the last one counts" out_has "    27          error  HPE_USER: Field lines exceed max_fields"
else
  run --rule strict_all
  check "--rule without extensions" complains "llhttp_ext_init"
  run --limit fields=1
  check "--limit without extensions" complains "llhttp_ext_init"
fi
printf 'BREW /a HTTP/1.1\r\nX Y: b\r\n\r\n' >in
if run --rule tolerate_unknown_methods --rule tolerate_bad_field_lines && [ "$status" -ne 2 ]; then
  check "--rule: status" status_is 0
  check "--rule: a skipped line" out_has '    19       5  on_skipped_line          " Y: b"'
  check "--rule: its end" out_has "    26          on_skipped_line_complete"
  run --rule tolerate_bad_field_lines
  check "--rule: without the other one" out_has "HPE_INVALID_METHOD"
fi
cp post.http in
run --type request
check "--type request" cmp -s out whole
run --type response
check "--type response: status" status_is 1
check "--type response" out_has "error  HPE_INVALID_CONSTANT: Expected HTTP/, RTSP/ or ICE/"

run --pieces 1000
check "--pieces larger than the input" cmp -s out whole
run --split 51,52
check "--split behind the input" cmp -s out whole
run --pieces 2
check "--pieces: pieces of the method" out_has '     2       2  on_method                "ST"'
check "--pieces: pieces of the body" out_has '    48       2  on_body                  "xy"'
check "--pieces: rest of the body" out_has '    50       1  on_body                  "z"'
cp out pieces
run --chunk 2
check "--chunk is --pieces" cmp -s out pieces
run --split 2,49
check "--split: first piece" out_has '     0       2  on_method                "PO"'
check "--split: second piece" out_has '    49       2  on_body                  "yz"'
run --split each
check "--split each: status" status_is 0
check "--split each" [ "$(grep -c '^cut at ' out)" -eq 50 ]
check "--split each: every parse is whole" [ "$(grep -c on_message_complete out)" -eq 50 ]

run --no-pause
check "--no-pause: notifications" out_has '     -          on_message_complete      upgrade=no'
check "--no-pause: spans" out_has '    48       3  on_body                  "xyz"'
run --finish
check "--finish" out_has "    51          finish  HPE_OK"
run --skip-body
check "--skip-body: no body" out_lacks on_body
check "--skip-body: next message" out_has "    48          on_reset"
check "--skip-body: offset of complete headers" out_has "    48          on_headers_complete"
run --upgrade
check "--upgrade: status" status_is 0
check "--upgrade" out_has "    48          upgrade  HPE_PAUSED_UPGRADE: Pause on CONNECT/Upgrade, 3 bytes follow"
check "--upgrade: offset of complete headers" out_has "    48          on_headers_complete"
run --upgrade --ignore-upgrade
check "--ignore-upgrade" out_has "    48          on_reset"

: >in
run
check "empty input: status" status_is 0
check "empty input" out_is <<'END'
offset  length  callback
END
run --json
check "empty input, JSON" empty_out
run --split each
check "empty input, --split each" empty_out
run --finish
check "empty input, --finish" out_has "     0          finish  HPE_OK"

printf 'HTTP/1.1 200 a\tb\000c\177\r\n\r\n\000\001\r\n\t"\\\377' >in
run --type response --finish
check "binary input: status" status_is 0
check "binary input: tab, null byte and DEL" out_has '"a\tb\x00c\x7f"'
check "binary input: body" out_has '"\x00\x01\r\n\t\"\\\xff"'

printf 'CONNECT a:1 HTTP/1.1\r\n\r\n\000\377' >in
run
check "CONNECT: status" status_is 0
check "CONNECT" out_has "    24          upgrade  HPE_PAUSED_UPGRADE: Pause on CONNECT/Upgrade, 2 bytes follow"
check "CONNECT: nothing behind" [ "$(tail -n 1 out | grep -c upgrade)" -eq 1 ]
printf 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nrest' >in
run
check "HTTP/2 preface: status" status_is 0
check "HTTP/2 preface" out_has "    24          upgrade  HPE_PAUSED_H2_UPGRADE: Pause on PRI/Upgrade, 4 bytes follow"
run --ignore-upgrade
check "HTTP/2 preface is not ignored" out_has "HPE_PAUSED_H2_UPGRADE"

# ---- errors ----

printf 'GET / HTTP/1.1\r\nHost : a\r\n\r\n' >in
run
check "error: status" status_is 1
check "error: silent" silent
tail -n 5 out >end && mv end out
check "error" out_is <<'END'
    20          error  HPE_INVALID_HEADER_TOKEN: Invalid header token
                line 2, column 5

                Host : a\r\n
                    ^
END
printf 'GET / HTTP/1.1\r\nA: \001\002\t\200\000x\r\n\r\n' >in
run
check "error: control bytes" caret_under '\x01\x02\t\x80\x00x\r\n'
run --lenient header_value_relaxed --pieces 1 --split 1
check "error: not reached by bad usage" status_is 2
printf 'GET / HTTP/1.1\r\nA: b\001\r\n\r\n' >in
run
check "error: behind text" caret_under '\x01\r\n'
check "error: column" out_has "line 2, column 5"
run --pieces 1
check "error: in pieces" caret_under '\x01\r\n'
long=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
printf 'GET /%s HTTP/1.1\r\nA: %s\001\002\003%s\r\n\r\n' $long $long $long >in
run
check "error: long line, in the middle" caret_under '\x01\x02\x03aaa'
check "error: long line, cut on the left" grep -q '^ *\.\.\.aaa' out
check "error: long line, cut on the right" grep -q 'aaa\.\.\.$' out
printf 'GET / HTTP/1.1\r\nA(%s%s\r\n\r\n' $long $long >in
run
check "error: long line, near its start" caret_under '(aaa'
check "error: long line, not cut on the left" grep -q '^ *A(aaa' out
printf 'GET / HTTP/1.1\r\n%s(\r\n\r\n' $long >in
run
check "error: long line, near its end" caret_under '(\r\n'
printf 'GET / HTTP/1.1\r\n\001%s\r\n' $long >in
run
check "error: long line, at its start" caret_under '\x01aaa'
printf 'GET / HTTP/1.1\nHost: a\n\n' >in
run
check "error: line end of the wrong kind" caret_under 'Host: a\n'
printf 'GET /\303\244 HTTP/1.1\r\n\r\n' >in
run
check "error: first line" caret_under '\xc3\xa4'
check "error: first line, number" out_has "line 1, column 6"
printf 'GET / HT' >in
run --finish
check "error: incomplete, status" status_is 1
check "error: incomplete" out_has "     8          error  HPE_INVALID_EOF_STATE: Invalid EOF state"
check "error: incomplete, caret behind the last byte" caret_under ''
printf 'GET / HTTP/1.1\r\n' >in
run --finish
check "error: incomplete behind a line" caret_under '(end of input)'
printf 'GET / HTTP/1.1\r\nConnection: close\r\n\r\nx' >in
run
check "error: behind the last byte" out_has "HPE_CLOSED_CONNECTION"

# ---- JSON ----

cp post.http in
run --json --finish
check "JSON: status" status_is 0
check "JSON" out_is <<'END'
{"event":"on_message_begin","offset":0}
{"event":"on_method","offset":0,"length":4,"text":"POST"}
{"event":"on_method_complete","offset":4}
{"event":"on_url","offset":5,"length":2,"text":"/a"}
{"event":"on_url_complete","offset":8}
{"event":"on_protocol","offset":8,"length":4,"text":"HTTP"}
{"event":"on_protocol_complete","offset":12}
{"event":"on_version","offset":13,"length":3,"text":"1.1"}
{"event":"on_version_complete","offset":16}
{"event":"on_header_field","offset":18,"length":4,"text":"Host"}
{"event":"on_header_field_complete","offset":23}
{"event":"on_header_value","offset":24,"length":1,"text":"b"}
{"event":"on_header_value_complete","offset":27}
{"event":"on_header_field","offset":27,"length":14,"text":"Content-Length"}
{"event":"on_header_field_complete","offset":42}
{"event":"on_header_value","offset":43,"length":1,"text":"3"}
{"event":"on_header_value_complete","offset":46}
{"event":"on_headers_complete","offset":48,"type":"request","method":"POST","version":"1.1","flags":["CONTENT_LENGTH"],"content_length":3,"upgrade":false,"keep_alive":true}
{"event":"on_body","offset":48,"length":3,"text":"xyz"}
{"event":"on_message_complete","offset":51,"upgrade":false,"keep_alive":true}
{"event":"finish","offset":51,"errno":"HPE_OK"}
END
check "JSON: valid" json_valid
run --json --no-pause
check "JSON: --no-pause" out_has '{"event":"on_message_begin"}'
run --json --split each
check "JSON: --split each" out_has '{"event":"split","offset":50}'
check "JSON: --split each, valid" json_valid
printf 'HTTP/1.1 200 OK\r\n\r\n\000\037"\\\177\200\377\r\n' >in
run --type response --json
check "JSON: one code unit per byte" out_has '"length":9,"text":"\u0000\u001f\"\\\u007f\u0080\u00ff\r\n"'
check "JSON: bytes, valid" json_valid
check "JSON: response" out_has '"type":"response","status":200,"version":"1.1","flags":[],"content_length":0,"upgrade":false,"keep_alive":false'
printf 'GET / HTTP/1.1\r\nHost : a\r\n\r\n' >in
run --json
check "JSON: error, status" status_is 1
check "JSON: error" [ "$(tail -n 1 out)" = '{"event":"error","offset":20,"errno":"HPE_INVALID_HEADER_TOKEN","reason":"Invalid header token","line":2,"column":5}' ]
check "JSON: error, valid" json_valid
printf 'CONNECT a:1 HTTP/1.1\r\n\r\nabc' >in
run --json
check "JSON: upgrade" [ "$(tail -n 1 out)" = '{"event":"upgrade","offset":24,"errno":"HPE_PAUSED_UPGRADE","reason":"Pause on CONNECT/Upgrade","rest":3}' ]
printf 'POST / HTTP/1.1\r\nContent-Length: 18446744073709551615\r\n\r\n' >in
run --json
check "JSON: largest length" out_has '"content_length":18446744073709551615'

# ---- several inputs

printf 'GET / HTTP/1.1\r\nHost : a\r\n\r\n' >bad.http
cp post.http in
run post.http - bad.http
check "several inputs: status of the worst" status_is 1
check "several inputs: all are there" [ "$(grep -c on_url_complete out)" -eq 3 ]
check "several inputs: names" [ "$(grep -c '^==> "' out)" -eq 3 ]
check "several inputs: standard input" out_has '==> "standard input" <=='
sed -n '/standard input/,/bad.http/p' out | sed '1d;$d' | sed '$d' >second
check "several inputs: each as it is alone" cmp -s second whole
run missing.http post.http
check "several inputs: one is missing, status" status_is 2
check "several inputs: one is missing, the rest" out_has on_message_complete
run post.http directory bad.http
check "several inputs: trouble goes before a parse error" status_is 2
cp post.http "$(printf 'a\033[31m\303\244".http')"
run --json post.http "$(printf 'a\033[31m\303\244".http')"
check "several inputs: JSON" out_has '{"event":"input","name":"post.http"}'
check "several inputs: a name of any bytes" out_has '{"event":"input","name":"a\u001b[31m\u00c3\u00a4\".http"}'
check "several inputs: JSON, valid" json_valid
run post.http "$(printf 'a\033[31m\303\244".http')"
check "several inputs: a name steers no terminal" out_has '==> "a\x1b[31m\xc3\xa4\".http" <=='

# ---- colour

plain_again() { sed "s/$(printf '\033')\[[0-9;]*m//g" out | cmp -s - whole; }
coloured() { grep -q "$(printf '\033')" out; }
cp post.http in
run --color=always
check "--color=always" coloured
check "--color=always: the same text" plain_again
status=0; NO_COLOR=1 "$trace" --color always <in >out 2>err || status=$?
check "--color=always goes before NO_COLOR" coloured
for when in auto never; do
  run --color $when
  check "--color=$when: no terminal, no colour" cmp -s out whole
done
cp bad.http in
run --color always
check "--color=always: an error" coloured

# ---- --explain

cp bad.http in
run
cp out unexplained
run --explain
check "--explain: status" status_is 1
check "--explain: what comes before is the same" sh -c 'head -n "$(wc -l <unexplained)" out | cmp -s - unexplained'
check "--explain: the rule" out_has "rule     RFC 9112, Section 5.1. A field name is a token"
check "--explain: the status" out_has "answer   400 BAD_REQUEST"
check "--explain: no flag" out_has "lenient  no lenient flag accepts this"
printf 'GET / HTTP/1.1\r\nA: b\001\r\n\r\n' >in
run --explain
check "--explain: one flag" out_has "lenient  headers accepts the input"
check "--explain: the other" out_has "         header_value_relaxed accepts the input"
check "--explain: what it accepts" out_has "flag     header_value_relaxed"
printf 'GET / HTTP/1.1\nHost: a\n\n' >in
run --explain
check "--explain: two flags" out_has "lenient  optional_lf_after_cr + optional_cr_before_lf accepts the input"
run --explain --lenient optional_cr_before_lf
check "--explain: beside a flag that is set" out_has "lenient  optional_lf_after_cr accepts the input"
printf 'GET / HTTP/1.1\r\nA: b\001\r\nC D: e\r\n\r\n' >in
run --explain
check "--explain: another error behind" out_has "headers gets past this; then, at 24, HPE_INVALID_HEADER_TOKEN"
run --explain --json
check "--explain: JSON" sh -c 'tail -n 1 out | grep -q "\"accepts\":false,\"lenient\":\[\[\"headers\"\],\[\"header_value_relaxed\"\]\]}$"'
check "--explain: JSON, valid" json_valid
cp post.http in
run --explain
check "--explain: nothing to explain" cmp -s out whole
printf 'GET / HT' >in
run --explain --finish
check "--explain: no rule, but a meaning" out_has "meaning  llhttp_finish: the message is incomplete"

# ---- --stats

cat post.http >in
printf 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\nT: u\r\n\r\nGET / HTTP/1.1\r\n\r\n' >>in
run --stats
check "--stats: status" status_is 0
check "--stats: silent" silent
stat_is() { grep -q "^$1  *$2\$" out; }
for pair in "inputs 1" "bytes $(($(wc -c <in)))" "messages 3" "requests 3" "responses 0" "fields 4" "body_bytes 5" \
  "chunks 1" "upgrades 0" "bytes_after_upgrade 0" "errors 0" "method GET 1" "method POST 2"; do
  check "--stats: $pair" stat_is "${pair% *}" "${pair##* }"
done
check "--stats: throughput" grep -q '^throughput  *[0-9]* MB/s, [0-9]* messages/s$' out
sed '/^time\|^throughput/d' out >counts
for pieces in 1 7; do
  run --stats --pieces $pieces
  check "--stats: in pieces of $pieces" sh -c "sed '/^time\|^throughput/d' out | cmp -s - counts"
done
printf 'HTTP/1.1 204 x\r\n\r\nHTTP/1.1 404 x\r\nContent-Length: 1\r\n\r\nyHTTP/1.1 200 x\r\n\r\nzz' >responses
printf 'CONNECT a:1 HTTP/1.1\r\n\r\n12345' >upgrade
run --stats --json --finish responses upgrade
check "--stats: several inputs, JSON" out_has '"inputs":2,"bytes":105,"messages":4,"requests":1,"responses":3,"fields":1,"body_bytes":3,"chunks":0,"upgrades":1,"bytes_after_upgrade":5,"errors":0,"methods":{"CONNECT":1},"statuses":{"2xx":2,"4xx":1}'
check "--stats: JSON, valid" json_valid
run --stats --ignore-upgrade upgrade
check "--stats --ignore-upgrade: the rest is parsed" err_has "upgrade: HPE_INVALID_METHOD at 24"
run --stats bad.http post.http
check "--stats: an error, status" status_is 1
check "--stats: an error is said" err_has "bad.http: HPE_INVALID_HEADER_TOKEN at 20: Invalid header token"
check "--stats: an error, the other input counts" stat_is messages 1
run --stats missing.http
check "--stats: a missing file" complains missing.http

# ---- large input, and no room for the output ----

size=3000000
{
  printf 'POST / HTTP/1.1\r\nContent-Length: %s\r\n\r\n' $size
  dd if=/dev/zero bs=1000 count=3000 2>/dev/null
  printf 'GET / HTTP/1.1\r\n\r\n'
} >in
run --json
check "large input: status" status_is 0
check "large input: body" out_has '"event":"on_body","offset":44,"length":3000000,"text":"\u0000\u0000'
check "large input: next message" out_has '{"event":"on_reset","offset":3000044}'
run
check "large input: columns" out_has '3000044           on_reset'
cat in | "$trace" - >piped
check "large input through a pipe" cmp -s out piped
run --stats
check "large input: --stats" stat_is body_bytes 3000000
check "large input: no bar where there is no terminal" silent
cp post.http in
if [ -w /dev/full ]; then
  status=0
  "$trace" in >/dev/full 2>err || status=$?
  : >out
  check "full device" complains "cannot write"
fi

# ---- the examples ----

cp "$root/examples/request.http" in
run --finish
check "examples/request.http" status_is 0
check "examples/request.http: two messages" [ "$(grep -c on_message_complete out)" -eq 2 ]
check "examples/request.http: an extension" out_has on_chunk_extension_value
cp "$root/examples/response.http" in
run --type response --finish
check "examples/response.http" status_is 0
cp "$root/examples/bad.http" in
run
check "examples/bad.http" status_is 1
check "examples/bad.http: caret" caret_under ' : '

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
