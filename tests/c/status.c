/* llhttp_ext_error_status: the HTTP status for every kind of error, of a parser of requests and of one of responses. */
#include "check.h"
#include "recorder.h"

#include "llhttp_ext.h"

#define GET "GET / HTTP/1.1\r\n"
#define CHUNKED "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
#define OK "HTTP/1.1 200 OK\r\n"

static const struct {
  const char* input;
  llhttp_errno_t err;
  int status;
} requests[] = {
    {GET "\r\n", HPE_OK, 0},
    {"BREW / HTTP/1.1\r\n", HPE_INVALID_METHOD, 501},
    {"GET\t/ HTTP/1.1\r\n", HPE_INVALID_METHOD, 400},
    {"DESCRIBE / HTTP/1.1\r\n", HPE_INVALID_CONSTANT, 501},
    {"PUT / RTSP/1.0\r\n", HPE_INVALID_CONSTANT, 501},
    {"GET / ICE/1.0\r\n", HPE_INVALID_CONSTANT, 501},
    {"GET / HTTQ/1.1\r\n", HPE_INVALID_CONSTANT, 400},
    {"GET \x80 HTTP/1.1\r\n", HPE_INVALID_URL, 400},
    {"GET / HTTP/1.2\r\n", HPE_INVALID_VERSION, 505},
    {"GET / HTTP/11\r\n", HPE_INVALID_VERSION, 400},
    {"GET / HTTP/1.1\n", HPE_INVALID_VERSION, 400},
    {GET " A: b\r\n", HPE_UNEXPECTED_SPACE, 400},
    {GET "A b\r\n", HPE_INVALID_HEADER_TOKEN, 400},
    {GET "A: \x01\r\n", HPE_INVALID_HEADER_TOKEN, 400},
    {GET "A: b\rc\r\n", HPE_LF_EXPECTED, 400},
    {GET "A: b\nc\r\n", HPE_CR_EXPECTED, 400},
    {GET "Content-Length: 1\r\nContent-Length: 1\r\n", HPE_UNEXPECTED_CONTENT_LENGTH, 400},
    {GET "Content-Length: x\r\n", HPE_INVALID_CONTENT_LENGTH, 400},
    {GET "Content-Length: 18446744073709551616\r\n", HPE_INVALID_CONTENT_LENGTH, 413},
    {GET "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n", HPE_INVALID_TRANSFER_ENCODING, 400},
    {GET "Transfer-Encoding: gzip\r\n\r\n", HPE_INVALID_TRANSFER_ENCODING, 400},
    {CHUNKED "x\r\n", HPE_INVALID_CHUNK_SIZE, 400},
    {CHUNKED "10000000000000000\r\n", HPE_INVALID_CHUNK_SIZE, 413},
    {CHUNKED "1;\r\n", HPE_STRICT, 400},
    {GET "Connection: close\r\n\r\nmore", HPE_CLOSED_CONNECTION, 0},
    {"CONNECT a:1 HTTP/1.1\r\n\r\n", HPE_PAUSED_UPGRADE, 0},
    {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", HPE_PAUSED_H2_UPGRADE, 0},
};

static const struct {
  const char* input;
  llhttp_errno_t err;
  int status;
} responses[] = {
    {OK "\r\n", HPE_OK, 0},
    {"HTTP/1.2 200 OK\r\n", HPE_INVALID_VERSION, 502},
    {"HTTP/1.1 2x0 OK\r\n", HPE_INVALID_STATUS, 502},
    {OK "Content-Length: 18446744073709551616\r\n", HPE_INVALID_CONTENT_LENGTH, 502},
    {"HTTP/1.1 204 \r\nConnection: close\r\n\r\nmore", HPE_CLOSED_CONNECTION, 0},
};

static int fail_with;
static int hook(struct rec* r, enum rec_kind kind, const char* at, size_t len) {
  const enum rec_kind* which = r->hook_data;
  (void)at, (void)len;
  return kind == *which ? fail_with : 0;
}

/* Every callback fails: with -1, with an errno of its choice, with a number that is none. */
static void callbacks(void) {
  static const char input[] =
      "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;a=b\r\nx\r\n0\r\n\r\nGET / HTTP/1.1\r\n";
  static const struct {
    int result, span, notify;
  } cases[] = {{-1, 500, 500}, {1000, 500, 500}, {36, 500, 500}, {HPE_INVALID_URL, 400, 500}, {HPE_PAUSED, 0, 0}};
  int kind;
  size_t i;
  for (kind = 0; kind < REC_KINDS; kind++) {
    if (kind == REC_on_status || kind == REC_on_status_complete) continue;
    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
      struct rec r;
      enum rec_kind which = (enum rec_kind)kind;
      check_about = rec_names[kind];
      rec_init(&r, HTTP_REQUEST);
      r.hook = hook;
      r.hook_data = &which;
      fail_with = cases[i].result;
      CHECK((int)rec_execute(&r, input, sizeof input - 1, 0) != HPE_OK);
      CHECK_INT(llhttp_ext_error_status(&r.parser), rec_is_span(which) ? cases[i].span : cases[i].notify);
      rec_free(&r);
    }
  }
}

static void limits(llhttp_type_t type, const char* input, const int* want) {
  int limit;
  for (limit = 0; limit < 7; limit++) {
    struct rec r;
    llhttp_ext_t ext;
    check_about = input;
    rec_init(&r, type);
    llhttp_ext_init(&ext);
    (&ext.max_target_length)[limit] = 1;
    llhttp_ext_attach(&r.parser, &ext);
    CHECK_INT(llhttp_ext_error_status(&r.parser), 0);
    CHECK_INT((int)rec_execute(&r, input, strlen(input), 0), want[limit] == 0 ? HPE_OK : HPE_USER);
    CHECK_INT(llhttp_ext_error_status(&r.parser), want[limit]);
    llhttp_ext_attach(&r.parser, NULL); /* it is the parser's error, not the struct's */
    CHECK_INT(llhttp_ext_error_status(&r.parser), want[limit]);
    llhttp_reset(&r.parser);
    CHECK_INT(llhttp_ext_error_status(&r.parser), 0);
    rec_free(&r);
  }
}

int main(void) {
  static const int of_request[] = {414, 431, 431, 431, 413, 413, 431};
  static const int of_response[] = {0, 502, 502, 502, 502, 502, 502};
  size_t i;
  for (i = 0; i < sizeof requests / sizeof *requests; i++) {
    struct rec r;
    check_about = requests[i].input;
    rec_init(&r, HTTP_REQUEST);
    CHECK_INT(llhttp_ext_error_status(&r.parser), 0);
    CHECK_INT((int)rec_execute(&r, requests[i].input, strlen(requests[i].input), 0), (int)requests[i].err);
    CHECK_INT(llhttp_ext_error_status(&r.parser), requests[i].status);
    rec_free(&r);
  }
  for (i = 0; i < sizeof responses / sizeof *responses; i++) {
    struct rec r;
    check_about = responses[i].input;
    rec_init(&r, HTTP_RESPONSE);
    CHECK_INT((int)rec_execute(&r, responses[i].input, strlen(responses[i].input), 0), (int)responses[i].err);
    CHECK_INT(llhttp_ext_error_status(&r.parser), responses[i].status);
    rec_free(&r);
  }
  callbacks();
#define REST "Transfer-Encoding: chunked\r\nA: b\r\n\r\n1;aa\r\nx\r\n0\r\nT: u\r\n\r\n"
  limits(HTTP_REQUEST, "POST /a HTTP/1.1\r\n" REST, of_request);
  limits(HTTP_RESPONSE, OK REST, of_response);
  return check_done();
}
