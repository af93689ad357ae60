/* Reads pipelined requests and responses: chunked bodies, trailers, the response to a HEAD, and connections that end
 * with an error, whose code and position are checked. */
#include <stdio.h>
#include <string.h>

#include <llhttp.h>

struct log {
  char text[1000];
  size_t length;
  int head; /* the response is to a HEAD */
};

static void note(llhttp_t* p, const char* before, const char* at, size_t n, const char* after) {
  struct log* log = p->data;
  size_t room = sizeof log->text - log->length;
  log->length += (size_t)snprintf(log->text + log->length, room, "%s%.*s%s", before, (int)n, at, after);
}

static int on_url(llhttp_t* p, const char* at, size_t n) {
  note(p, " ", at, n, "");
  return 0;
}
static int on_body(llhttp_t* p, const char* at, size_t n) {
  note(p, "[", at, n, "]");
  return 0;
}
static int on_chunk_extension_name(llhttp_t* p, const char* at, size_t n) {
  note(p, ";", at, n, "");
  return 0;
}
static int on_chunk_extension_value(llhttp_t* p, const char* at, size_t n) {
  note(p, "=", at, n, "");
  return 0;
}

static int on_header_field(llhttp_t* p, const char* at, size_t n) {
  if (p->flags & F_TRAILING) note(p, "trailer ", at, n, "");
  return 0;
}

static int on_headers_complete(llhttp_t* p) {
  struct log* log = p->data;
  char text[32];
  if (llhttp_get_type(p) == HTTP_REQUEST) {
    const char* method = llhttp_method_name((llhttp_method_t)llhttp_get_method(p));
    note(p, " by ", method, strlen(method), "");
    return 0;
  }
  snprintf(text, sizeof text, "%d", llhttp_get_status_code(p));
  note(p, " ", text, strlen(text), "");
  return log->head;
}

static int on_message_complete(llhttp_t* p) {
  note(p, ".", "", 0, "");
  return 0;
}

static int parse(llhttp_type_t type, int head, const char* input, const char* want, llhttp_errno_t want_error,
                 size_t want_at) {
  struct log log = {"", 0, head};
  llhttp_settings_t settings;
  llhttp_t parser;
  llhttp_settings_init(&settings);
  settings.on_url = on_url;
  settings.on_body = on_body;
  settings.on_chunk_extension_name = on_chunk_extension_name;
  settings.on_chunk_extension_value = on_chunk_extension_value;
  settings.on_header_field = on_header_field;
  settings.on_headers_complete = on_headers_complete;
  settings.on_message_complete = on_message_complete;
  llhttp_init(&parser, type, &settings);
  parser.data = &log;
  llhttp_errno_t error = llhttp_execute(&parser, input, strlen(input));
  size_t at = error == HPE_OK ? 0 : (size_t)(llhttp_get_error_pos(&parser) - input);
  if (strcmp(log.text, want) == 0 && error == want_error && at == want_at) return 0;
  fprintf(stderr, "%s\ngot  %s, %s at %zu\nwant %s, %s at %zu\n", input, log.text, llhttp_errno_name(error), at, want,
          llhttp_errno_name(want_error), want_at);
  return 1;
}

int main(void) {
  int failed = 0;
  failed |= parse(HTTP_REQUEST, 0,
                  "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nHEAD /2 HTTP/1.1\r\nHost: a\r\n\r\n"
                  "DELETE /3 HTTP/1.1\r\nHost: a\r\n\r\n",
                  " /1 by GET. /2 by HEAD. /3 by DELETE.", HPE_OK, 0);
  failed |= parse(HTTP_RESPONSE, 0,
                  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                  "5;part=first\r\nhello\r\n6\r\n world\r\n0\r\nDigest: x\r\n\r\n"
                  "HTTP/1.1 404 Not Found\r\nContent-Length: 3\r\n\r\nno!",
                  " 200;part=first[hello][ world]trailer Digest. 404[no!].", HPE_OK, 0);
  failed |= parse(HTTP_RESPONSE, 1, "HTTP/1.1 200 OK\r\nContent-Length: 300\r\n\r\n", " 200.", HPE_OK, 0);
  failed |= parse(HTTP_REQUEST, 0, "GET / HTTP/1.1\r\nBad Name: x\r\n\r\n", " /", HPE_INVALID_HEADER_TOKEN, 19);
  failed |= parse(HTTP_REQUEST, 0, "GET / HTTP/1.1\r\nConnection: close\r\n\r\nGET / HTTP/1.1\r\n\r\n", " / by GET.",
                  HPE_CLOSED_CONNECTION, 38);
  if (!failed) puts("five connections");
  return failed;
}
