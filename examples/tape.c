/* The request of parse.c, with its callbacks as an array of events: one call for each piece. Built as parse.c is. */
#include <stdio.h>
#include <string.h>

#include "llhttp.h"
#include "llhttp_ext.h"

/* What is wanted; other events are not written. */
#define WANTED (1u << LLHTTP_EXT_EVENT_URL | 1u << LLHTTP_EXT_EVENT_HEADER_FIELD | 1u << LLHTTP_EXT_EVENT_HEADER_VALUE | \
                1u << LLHTTP_EXT_EVENT_HEADERS_COMPLETE | 1u << LLHTTP_EXT_EVENT_MESSAGE_COMPLETE)

static void show(const char* data, const llhttp_ext_event_t* e) {
  static const char* const spans[] = {[LLHTTP_EXT_EVENT_URL] = "url",
                                      [LLHTTP_EXT_EVENT_HEADER_FIELD] = "field",
                                      [LLHTTP_EXT_EVENT_HEADER_VALUE] = "value"};
  switch (e->kind) {
    case LLHTTP_EXT_EVENT_HEADERS_COMPLETE:
      printf("headers  %s, HTTP/%d.%d\n", llhttp_method_name((llhttp_method_t)e->id), e->version >> 4, e->version & 15);
      break;
    case LLHTTP_EXT_EVENT_MESSAGE_COMPLETE:
      printf("message  %s\n", e->value & LLHTTP_EXT_EVENT_KEEP_ALIVE ? "keep the connection" : "close the connection");
      break;
    default: printf("%-8s %.*s\n", spans[e->kind], (int)e->length, data + e->offset);
  }
}

int main(void) {
  static const char* const pieces[] = {"GET /index.html HTTP/1.1\r\nHost: exam", "ple.com\r\nAccept: */*\r\n\r\n"};
  llhttp_ext_event_t events[256];
  llhttp_ext_tape_t tape = {events, 256, WANTED, 0, 0, 0};
  llhttp_t parser;

  llhttp_init(&parser, HTTP_REQUEST, NULL);
  for (int i = 0; i < 2; i++) {
    const char* data = pieces[i];
    size_t len = strlen(data);
    int result;
    do {
      result = llhttp_ext_execute(&parser, data, len, &tape);
      for (uint32_t k = 0; k < tape.count; k++) show(data, &events[k]);
      data += tape.consumed;
      len -= tape.consumed;
    } while (result == LLHTTP_EXT_TAPE_FULL);
    if (result == HPE_PAUSED_UPGRADE) { /* the rest of the connection is not HTTP */
      printf("upgrade  at byte %d of piece %d\n", (int)(data - pieces[i]), i);
      return 0;
    }
    if (result != HPE_OK) {
      fprintf(stderr, "%s: %s, at byte %d of piece %d\n", llhttp_errno_name((llhttp_errno_t)result),
              llhttp_get_error_reason(&parser), (int)(data - pieces[i]), i);
      return 1;
    }
  }
  return llhttp_ext_finish(&parser, &tape) == HPE_OK ? 0 : 1;
}
