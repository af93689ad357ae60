/* Inputs of any length: each is a part of a message that goes on as long as its unit is repeated. Every place where the grammar
 * has a repetition should be here. */
#ifndef TESTS_C_FLOODS_H_
#define TESTS_C_FLOODS_H_

#include "recorder.h"

static const struct {
  const char* name;
  llhttp_type_t type;
  unsigned lenient;
  const char *before, *unit, *after;
  enum rec_kind kind; /* whose bytes (span) or calls (notify) grow with each unit */
  unsigned long long each;
  int err;
} floods[] = {
    {"header value", HTTP_REQUEST, 0, "GET / HTTP/1.1\r\nA: ", "value/0123456789 ", "x\r\n\r\n", REC_on_header_value,
     17, 0},
    {"header value, high bytes", HTTP_REQUEST, 0, "GET / HTTP/1.1\r\nA: ", "\xe4\xf6\xfc\t", "x\r\n\r\n",
     REC_on_header_value, 4, 0},
    {"header value, lenient", HTTP_REQUEST, LENIENT_HEADERS, "GET / HTTP/1.1\r\nA: ", "\1\2\3\177", "x\r\n\r\n",
     REC_on_header_value, 4, 0},
    {"header value, relaxed", HTTP_REQUEST, LENIENT_HEADER_VALUE_RELAXED, "GET / HTTP/1.1\r\nA: ", "\1\2\3\177",
     "x\r\n\r\n", REC_on_header_value, 4, 0},
    {"header name", HTTP_RESPONSE, 0, "HTTP/1.1 204 N\r\n", "X-Name", ": v\r\n\r\n", REC_on_header_field, 6, 0},
    {"url", HTTP_REQUEST, 0, "GET /", "path/%20", " HTTP/1.1\r\n\r\n", REC_on_url, 8, 0},
    {"query", HTTP_REQUEST, 0, "GET /?", "a=b&?/", " HTTP/1.1\r\n\r\n", REC_on_url, 6, 0},
    {"fragment", HTTP_REQUEST, 0, "GET /#", "?#/a", " HTTP/1.1\r\n\r\n", REC_on_url, 4, 0},
    {"host in the url", HTTP_REQUEST, 0, "GET http://", "host", "/ HTTP/1.1\r\n\r\n", REC_on_url, 4, 0},
    {"reason phrase", HTTP_RESPONSE, 0, "HTTP/1.1 204 ", "No Content ", "\r\n\r\n", REC_on_status, 11, 0},
    {"empty lines before a message", HTTP_REQUEST, 0, "", "\r\n", "GET / HTTP/1.1\r\n\r\n", REC_on_url, 0, 0},
    {"empty lines after the last message", HTTP_REQUEST, 0, "GET / HTTP/1.0\r\n\r\n", "\r\n", "", REC_on_url, 0, 0},
    {"data after the last message", HTTP_REQUEST, LENIENT_DATA_AFTER_CLOSE, "GET / HTTP/1.0\r\n\r\n", "junk\r\n", "",
     REC_on_url, 0, 0},
    {"spaces before a value", HTTP_REQUEST, 0, "GET / HTTP/1.1\r\nA:", " \t", "v\r\n\r\n", REC_on_header_value, 0, 0},
    {"spaces after a length", HTTP_REQUEST, 0, "GET / HTTP/1.1\r\nContent-Length: 1", " ", "\r\n\r\nx",
     REC_on_header_value, 1, 0},
    {"spaces before the url", HTTP_REQUEST, 0, "GET ", " ", "/ HTTP/1.1\r\n\r\n", REC_on_url, 0, 0},
    {"folded value", HTTP_REQUEST, LENIENT_HEADERS, "GET / HTTP/1.1\r\nA: b", "\r\n c", "\r\n\r\n", REC_on_header_value,
     2, 0},
    {"zeros in a length", HTTP_REQUEST, 0, "GET / HTTP/1.1\r\nContent-Length: ", "0", "1\r\n\r\nx", REC_on_header_value,
     1, 0},
    {"connection tokens", HTTP_REQUEST, 0, "GET / HTTP/1.1\r\nConnection: ", "keep-alive, ", "x\r\n\r\n",
     REC_on_header_value, 12, 0},
    {"codings", HTTP_REQUEST, 0, "GET / HTTP/1.1\r\nTransfer-Encoding: ", "gzip, ", "chunked\r\n\r\n0\r\n\r\n",
     REC_on_header_value, 6, 0},
    {"headers", HTTP_REQUEST, 0, "GET / HTTP/1.1\r\n", "A: b\r\n", "\r\n", REC_on_header_value_complete, 1, 0},
    {"empty headers", HTTP_REQUEST, 0, "GET / HTTP/1.1\r\n", "A:\r\n", "\r\n", REC_on_header_value_complete, 1, 0},
    {"length in body", HTTP_REQUEST, 0, "PUT / HTTP/1.1\r\nContent-Length: 18446744073709551615\r\n\r\n",
     "0123456789\r\n", "", REC_on_body, 12, 0},
    {"body up to the end", HTTP_RESPONSE, 0, "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n", "", REC_on_body, 19,
     0},
    {"one chunk", HTTP_REQUEST, 0, "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffff\r\n",
     "0\r\n\r\n", "", REC_on_body, 5, 0},
    {"chunks", HTTP_REQUEST, 0, "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "2\r\nab\r\n", "0\r\n\r\n",
     REC_on_chunk_complete, 1, 0},
    {"zeros in a chunk size", HTTP_REQUEST, 0, "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "0", "\r\n\r\n",
     REC_on_body, 0, 0},
    {"chunk extension name", HTTP_REQUEST, 0, "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;", "name",
     "\r\na\r\n0\r\n\r\n", REC_on_chunk_extension_name, 4, 0},
    {"chunk extension value", HTTP_REQUEST, 0, "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;n=", "value",
     "\r\na\r\n0\r\n\r\n", REC_on_chunk_extension_value, 5, 0},
    {"quoted chunk extension value", HTTP_REQUEST, 0, "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;n=\"",
     "a b\\\"", "\"\r\na\r\n0\r\n\r\n", REC_on_chunk_extension_value, 5, 0},
    {"chunk extensions", HTTP_REQUEST, 0, "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1", ";a=b",
     "\r\na\r\n0\r\n\r\n", REC_on_chunk_extension_value_complete, 1, 0},
    {"spaces after a chunk size", HTTP_REQUEST, LENIENT_SPACES_AFTER_CHUNK_SIZE,
     "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1", " ", "\r\na\r\n0\r\n\r\n", REC_on_body, 0, 0},
    {"trailers", HTTP_REQUEST, 0, "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "T: v\r\n", "\r\n",
     REC_on_header_field_complete, 1, 0},
    {"requests", HTTP_REQUEST, 0, "", "GET / HTTP/1.1\r\n\r\n", "", REC_on_message_complete, 1, 0},
    {"responses", HTTP_RESPONSE, 0, "", "HTTP/1.1 204 N\r\n\r\n", "", REC_on_message_complete, 1, 0},
    {"digits of a length", HTTP_REQUEST, 0, "GET / HTTP/1.1\r\nContent-Length: ", "1", "\r\n\r\n", REC_on_body, 0,
     HPE_INVALID_CONTENT_LENGTH},
    {"digits of a chunk size", HTTP_REQUEST, 0, "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "f", "\r\n",
     REC_on_body, 0, HPE_INVALID_CHUNK_SIZE},
};

enum { FLOODS = sizeof floods / sizeof *floods };

#endif
