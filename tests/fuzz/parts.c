// The parts of a message's grammar, each with what brings a parser to it and what makes a whole message of it. In RFC
// 9112's order of sections.
#define _GNU_SOURCE
#include "fuzz.h"

#define REQUEST "GET / HTTP/1.1\r\n"
#define AS_CHUNKS "\r\n\r\n1\r\na\r\n0\r\n\r\n"
#define CHUNKED "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"

const struct part parts[] = {
    {"request-line", HTTP_REQUEST, T(""), T("\r\n\r\n")},
    {"request-target", HTTP_REQUEST, T("GET "), T(" HTTP/1.1\r\n\r\n")},
    {"request-target of CONNECT", HTTP_REQUEST, T("CONNECT "), T(" HTTP/1.1\r\n\r\n")},
    {"absolute-form", HTTP_REQUEST, T("GET http://"), T(" HTTP/1.1\r\n\r\n")},
    {"version of a request", HTTP_REQUEST, T("GET / "), T("\r\n\r\n")},
    {"status-line", HTTP_RESPONSE, T(""), T("\r\n\r\n")},
    {"status code", HTTP_RESPONSE, T("HTTP/1.1 "), T(" OK\r\n\r\n")},
    {"reason-phrase", HTTP_RESPONSE, T("HTTP/1.1 200"), T("\r\nContent-Length: 0\r\n\r\n")},
    {"either start-line", HTTP_BOTH, T(""), T("\r\n\r\n")},
    {"field lines of a request", HTTP_REQUEST, T(REQUEST), T("\r\n\r\n")},
    {"field lines of a response", HTTP_RESPONSE, T("HTTP/1.1 200 OK\r\n"), T("\r\n\r\n")},
    {"field line after others", HTTP_REQUEST, T(REQUEST "Host: a\r\nAccept: */*\r\n"), T("\r\n\r\n")},
    {"field value", HTTP_REQUEST, T(REQUEST "A:"), T("\r\n\r\n")},
    {"Content-Length", HTTP_REQUEST, T("POST / HTTP/1.1\r\nContent-Length:"), T("\r\n\r\nabcdefghij")},
    {"Transfer-Encoding of a request", HTTP_REQUEST, T("POST / HTTP/1.1\r\nTransfer-Encoding:"), T(AS_CHUNKS)},
    {"Transfer-Encoding of a response", HTTP_RESPONSE, T("HTTP/1.1 200 OK\r\nTransfer-Encoding:"), T(AS_CHUNKS)},
    {"Connection", HTTP_REQUEST, T(REQUEST "Upgrade: a\r\nConnection:"), T("\r\n\r\nGET / HTTP/1.1\r\n\r\n")},
    {"after the field section", HTTP_REQUEST, T("POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\n"), T("\r\n\r\n")},
    {"chunk-size line", HTTP_REQUEST, T(CHUNKED), T("\r\na\r\n0\r\n\r\n")},
    {"chunk-ext", HTTP_REQUEST, T(CHUNKED "1"), T("\r\na\r\n0\r\n\r\n")},
    {"quoted chunk-ext-val", HTTP_REQUEST, T(CHUNKED "1;a=\""), T("\"\r\na\r\n0\r\n\r\n")},
    {"after chunk-data", HTTP_REQUEST, T(CHUNKED "1\r\na"), T("0\r\n\r\n")},
    {"trailer section", HTTP_REQUEST, T(CHUNKED "0\r\n"), T("\r\n\r\n")},
    {"after a message", HTTP_REQUEST, T(REQUEST "\r\n"), T("\r\n\r\n")},
    {"after a message that closes", HTTP_REQUEST, T(REQUEST "Connection: close\r\n\r\n"), T("\r\n\r\n")},
    {"after a response", HTTP_RESPONSE, T("HTTP/1.1 204 No Content\r\n\r\n"), T("\r\n\r\n")},
};
const unsigned n_parts = sizeof parts / sizeof parts[0];

// A part begins, in a message of its type, after bytes that end like what comes before it here: its last line, with the
// end of the one before.
int64_t part_find(const struct part* part, const uint8_t* input, uint32_t len) {
  int response = len > 4 && memcmp(input, "HTTP/", 5) == 0;
  if (part->type != HTTP_BOTH && response != (part->type == HTTP_RESPONSE)) return -1;
  const char *start = part->before.s, *end = start + part->before.n, *from = end;
  int empty_line = part->before.n >= 4 && memcmp(end - 4, "\r\n\r\n", 4) == 0;
  if (empty_line) from = end - 4;
  while (from > start && from[-1] != '\n') from--;
  if (from == end && from > start) from -= 2;
  else if (from - start >= 2 && !empty_line) from -= 2;
  if (from == end) return 0;
  const uint8_t* found = memmem(input, len, from, (size_t)(end - from));
  return found ? found - input + (end - from) : -1;
}
