/* libtape.so: this project's parser without its driver. One step takes a message that has arrived whole and leaves its
 * events; nobody is called. Linked from the library's own objects, since the entry is not exported. */
#include <stddef.h>

#include "../capi/frame.h"
#include "../capi/tables_gen.h"
#include "bench.h"
#include "tape.h"

/* The frame is filled in words: bytes that are read again as a word at once take long to come back. */
static inline int parse(struct llhttp_frame* frame, const char* data, size_t size, int response, void* events,
                        size_t room) {
  const struct llhttp_private fresh = {0};
  frame->buf = frame->pos = frame->span = data;
  frame->end = data + size;
  frame->priv = fresh;
  frame->pub[0] = frame->pub[2] = 0;
  frame->pub[offsetof(struct llhttp_public, type) / 8] = response ? HTTP_RESPONSE : HTTP_REQUEST; /* its lowest byte */
  frame->top = events;
  frame->room = (struct llhttp_event*)events + room / sizeof(struct llhttp_event);
  frame->limit = LLHTTP_FRAME_UNLIMITED;
  frame->rules = frame->at_headers = 0;
  frame->few = 0;
  frame->rules = 0;
  frame->at_headers = 0;
  llhttp_core_step(frame);
  return frame->status == LLHTTP_FRAME_EXHAUSTED && frame->priv.open == 0;
}
typedef char type_is_the_lowest_byte_of_a_word
    [offsetof(struct llhttp_public, type) % 8 == 0 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 1 : -1];

TAPE_EXPORT int bench_tape(const char* data, size_t size, int response, void* events, size_t room) {
  struct llhttp_frame frame;
  return parse(&frame, data, size, response, events, room);
}

static void say(emit_fn emit, void* context, unsigned id, const char* at, size_t length) {
  switch (id) {
    case LLHTTP_CB_METHOD: emit(context, SPAN_METHOD, at, length); break;
    case LLHTTP_CB_URL: emit(context, SPAN_TARGET, at, length); break;
    case LLHTTP_CB_STATUS: emit(context, SPAN_REASON, at, length); break;
    case LLHTTP_CB_HEADER_FIELD: emit(context, SPAN_NAME, at, length); break;
    case LLHTTP_CB_HEADER_VALUE: emit(context, SPAN_VALUE, at, length); break;
    default: break;
  }
}

TAPE_EXPORT int bench_tape_spans(const char* data, size_t size, int response, void* events, size_t room, emit_fn emit,
                                 void* context) {
  struct llhttp_frame frame;
  if (!parse(&frame, data, size, response, events, room)) return -1;
  for (const struct llhttp_event* event = events; event != frame.top;) {
    const struct llhttp_event* next = event + 1;
    switch (event->head & 0xff) {
      case LLHTTP_EVENT_SPAN:
      case LLHTTP_EVENT_SPAN_SKIP:
        say(emit, context, event->head >> 8 & 0xff, data + (event->head >> 16), event->length);
        break;
      case LLHTTP_EVENT_PUBLIC:
      case LLHTTP_EVENT_REQUEST:
      case LLHTTP_EVENT_STATUS:
        next = event + 2;
        if ((event->head & 0xff) == LLHTTP_EVENT_REQUEST) {
          const struct llhttp_request_event* e = (const void*)event;
          emit(context, SPAN_METHOD, data + e->method_offset, e->head >> 32);
          emit(context, SPAN_TARGET, data + e->target_offset, e->target_length);
        } else if ((event->head & 0xff) == LLHTTP_EVENT_STATUS) {
          const struct llhttp_status_event* e = (const void*)event;
          emit(context, SPAN_REASON, data + e->reason_offset, e->reason_length);
        }
        break;
      case LLHTTP_EVENT_FIELDS: {
        const struct llhttp_field_line* line = (const void*)(event + 1);
        const struct llhttp_field_line* end = line + (event->head >> 32);
        next = event + 1 + (event->head >> 32) + (event->head >> 16 & 0xffff);
        for (; line != end; line++) {
          emit(context, SPAN_NAME, data + line->name_offset, line->name_length);
          emit(context, SPAN_VALUE, data + line->value_offset, line->value_length);
        }
        break;
      }
      default: break;
    }
    event = next;
  }
  return 0;
}
