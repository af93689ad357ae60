/* Pauses the parser when the header section is complete, looks at the length, and goes on or gives up. */
#include "upload.h"

#include <llhttp.h>
#include <string.h>

struct sink {
  char* body;
  size_t have;
  int complete;
};

static int on_headers_complete(llhttp_t* p) {
  (void)p;
  return HPE_PAUSED;
}

static int on_body(llhttp_t* p, const char* at, size_t n) {
  struct sink* sink = p->data;
  memcpy(sink->body + sink->have, at, n);
  sink->have += n;
  return 0;
}

static int on_message_complete(llhttp_t* p) {
  struct sink* sink = p->data;
  sink->complete = 1;
  return 0;
}

enum upload_result upload_receive(const char* request, size_t length, char* body, size_t room, uint64_t* size) {
  struct sink sink = {body, 0, 0};
  llhttp_settings_t settings;
  llhttp_t parser;
  llhttp_settings_init(&settings);
  settings.on_headers_complete = on_headers_complete;
  settings.on_body = on_body;
  settings.on_message_complete = on_message_complete;
  llhttp_init(&parser, HTTP_REQUEST, &settings);
  parser.data = &sink;

  *size = 0;
  llhttp_errno_t error = llhttp_execute(&parser, request, length);
  if (error == HPE_OK) return UPLOAD_INCOMPLETE;
  if (error != HPE_PAUSED) return UPLOAD_BAD;
  *size = parser.content_length;
  if (*size > room) return UPLOAD_TOO_LARGE;
  const char* rest = llhttp_get_error_pos(&parser);
  llhttp_resume(&parser);
  if (llhttp_execute(&parser, rest, length - (size_t)(rest - request)) != HPE_OK) return UPLOAD_BAD;
  return sink.complete && sink.have == *size ? UPLOAD_COMPLETE : UPLOAD_INCOMPLETE;
}
