/* Parses a request that arrives in two pieces. README.md says how to build it. */
#include <stdio.h>
#include <string.h>

#include "llhttp.h"

static int show(const char* what, const char* at, size_t length) {
  printf("%-8s %.*s\n", what, (int)length, at);
  return 0;
}

/* What lies on both sides of a cut comes in two calls; llhttp also has on_url_complete and the like. */
static int on_url(llhttp_t* p, const char* at, size_t n) {
  (void)p;
  return show("url", at, n);
}
static int on_header_field(llhttp_t* p, const char* at, size_t n) {
  (void)p;
  return show("field", at, n);
}
static int on_header_value(llhttp_t* p, const char* at, size_t n) {
  (void)p;
  return show("value", at, n);
}

static int on_headers_complete(llhttp_t* p) {
  printf("headers  %s, HTTP/%d.%d\n", llhttp_method_name(llhttp_get_method(p)), llhttp_get_http_major(p),
         llhttp_get_http_minor(p));
  return 0;
}

static int on_message_complete(llhttp_t* p) {
  printf("message  %s\n", llhttp_should_keep_alive(p) ? "keep the connection" : "close the connection");
  return 0;
}

int main(void) {
  static const char* const pieces[] = {"GET /index.html HTTP/1.1\r\nHost: exam", "ple.com\r\nAccept: */*\r\n\r\n"};
  llhttp_t parser;
  llhttp_settings_t settings;

  llhttp_settings_init(&settings);
  settings.on_url = on_url;
  settings.on_header_field = on_header_field;
  settings.on_header_value = on_header_value;
  settings.on_headers_complete = on_headers_complete;
  settings.on_message_complete = on_message_complete;
  llhttp_init(&parser, HTTP_REQUEST, &settings);

  for (int i = 0; i < 2; i++) {
    llhttp_errno_t error = llhttp_execute(&parser, pieces[i], strlen(pieces[i]));
    if (error == HPE_PAUSED_UPGRADE) { /* after CONNECT, or an upgrade: the rest of the connection is not HTTP */
      printf("upgrade  at byte %d of piece %d\n", (int)(llhttp_get_error_pos(&parser) - pieces[i]), i);
      return 0;
    }
    if (error != HPE_OK) {
      fprintf(stderr, "%s: %s, at byte %d of piece %d\n", llhttp_errno_name(error), llhttp_get_error_reason(&parser),
              (int)(llhttp_get_error_pos(&parser) - pieces[i]), i);
      return 1;
    }
  }
  return llhttp_finish(&parser) == HPE_OK ? 0 : 1;
}
