/* What an event of the tape must say, by the parser's fields: the promise of llhttp_ext.h in one place. */
#ifndef TESTS_TAPE_SAYS_H_
#define TESTS_TAPE_SAYS_H_

#include "llhttp.h"
#include "llhttp_ext.h"

static inline int tape_is_span(unsigned kind) {
  return (kind >= LLHTTP_EXT_EVENT_PROTOCOL && kind <= LLHTTP_EXT_EVENT_CHUNK_EXTENSION_VALUE) ||
         kind == LLHTTP_EXT_EVENT_BODY;
}

/* The event of a notification, its offset aside. keep_alive is what llhttp_should_keep_alive gives. */
static inline llhttp_ext_event_t tape_says(const llhttp_t* p, unsigned kind, int keep_alive) {
  llhttp_ext_event_t e = {.kind = (uint8_t)kind};
  const uint64_t most = (UINT64_C(1) << 40) - 1, length = p->content_length > most ? most : p->content_length;
  switch (kind) {
    case LLHTTP_EXT_EVENT_METHOD_COMPLETE: e.value = p->method; break;
    case LLHTTP_EXT_EVENT_VERSION_COMPLETE: e.value = (uint32_t)p->http_major << 8 | p->http_minor; break;
    case LLHTTP_EXT_EVENT_STATUS_COMPLETE: e.value = p->status_code; break;
    case LLHTTP_EXT_EVENT_CHUNK_HEADER:
      e.length = (uint32_t)p->content_length;
      e.value = (uint32_t)(p->content_length >> 32);
      break;
    case LLHTTP_EXT_EVENT_HEADERS_COMPLETE:
    case LLHTTP_EXT_EVENT_MESSAGE_COMPLETE:
      e.length = (uint32_t)length;
      e.value = p->flags | (uint32_t)(p->upgrade & 1) << 16 | (uint32_t)keep_alive << 17 |
                (uint32_t)(length >> 32) << 24;
      e.version = (uint8_t)(p->http_major << 4 | (p->http_minor & 15));
      e.id = p->type == HTTP_RESPONSE ? p->status_code : p->method;
      break;
    default: break;
  }
  return e;
}

#endif
