/* llhttp_execute: replays the parser's events into the host's callbacks. No parsing decision is made here.
 *
 * One batch of events at a time. What must hold:
 *  - At every callback llhttp_t's public fields show what llhttp shows there. They change only here, from the
 *    events, and by the host.
 *  - A callback that stops the parse, or changes a public field, takes effect at that very point: the driver
 *    goes back to where the batch began and runs it again up to the unit whose callback it was. The parser is
 *    deterministic, so the frame is then exactly as it was when that callback was due.
 *  - Whole lines are not under the influence of public fields, so that a change is looked for after a run of
 *    them, not after each.
 *  - The parser's own state is written to llhttp_t when execute returns, and before the last span is delivered;
 *    what a callback does to it before that (llhttp_reset) is overwritten, as in llhttp. */
#include "frame.h"

#include <string.h>

#include "tables_gen.h"

#define UNLIKELY(x) __builtin_expect((x) != 0, 0)
#define COLD __attribute__((noinline, cold))

/* Room for events, of 16 bytes each. The batch stays below 4 KiB with the frames of the parser and of a callback. */
#define EVENTS 160

/* After a rewind the next batches are short, so that a host that pauses at every callback pays for few units
 * at a time; each batch without a rewind doubles the length, up to the most, after which there is no limit again. */
#define UNITS_AFTER_REWIND 4
#define MOST_UNITS 64

/* llhttp_t's _index between two calls: the units of the next batch, or UNLIMITED. Zero, for a parser that is fresh or
 * has been reset, means the same as UNLIMITED; that it is zero after a callback shows a reset. */
#define UNLIMITED (-1)

struct batch {
  struct llhttp_frame frame;
  struct llhttp_event events[EVENTS];
};

/* Where a batch begins: what running it again starts from. */
struct start {
  const char* pos;
  const char* span;
  struct llhttp_private priv;
  struct llhttp_public pub;
};

static const llhttp_settings_t no_callbacks;

/* The callbacks to call now: a callback may have changed them, so they are looked up after each. */
static inline const llhttp_settings_t* settings_of(const llhttp_t* parser) {
  const llhttp_settings_t* settings = (const llhttp_settings_t*)parser->settings;
  return UNLIKELY(settings == NULL) ? &no_callbacks : settings;
}

static inline struct llhttp_public* public_of(llhttp_t* parser) {
  return (struct llhttp_public*)(void*)((char*)parser + LLHTTP_PUBLIC_OFFSET);
}

/* Whether the host has changed a public field, or called llhttp_init or llhttp_reset. */
static inline int changed(const llhttp_t* parser, const struct llhttp_public* expected) {
  uint64_t now[3], then[3];
  memcpy(now, (const char*)parser + LLHTTP_PUBLIC_OFFSET, sizeof(now));
  memcpy(then, expected, sizeof(then));
  return ((now[0] ^ then[0]) | (now[1] ^ then[1]) | (now[2] ^ then[2])) != 0 || parser->_index == 0;
}

/* The same for what a start-line's reading depends on: type, method and version. */
static inline int start_changed(const llhttp_t* parser, const struct llhttp_public* expected) {
  uint32_t now, then;
  memcpy(&now, &parser->type, sizeof(now));
  memcpy(&then, &expected->type, sizeof(then));
  return now != then;
}

/* What a callback's result that is not zero comes to: an errno, or HPE_OK to go on. */
static COLD int span_error(llhttp_t* parser, unsigned id, int result) {
  if (result != -1) return result;
  parser->reason = llhttp_callback_info[id].error_reason;
  return HPE_USER;
}

static COLD int notify_error(llhttp_t* parser, unsigned id, int result) {
  if (id == LLHTTP_CB_HEADERS_COMPLETE && (result == 1 || result == 2)) {
    if (result == 2) parser->upgrade = 1;
    parser->flags |= F_SKIPBODY;
    return HPE_OK;
  }
  if (result == HPE_PAUSED) {
    parser->reason = llhttp_callback_info[id].pause_reason;
    return HPE_PAUSED;
  }
  parser->reason = llhttp_callback_info[id].error_reason;
  return llhttp_callback_info[id].error;
}

/* Brings the frame to where the callback of the batch's n-th unit was done. If that was a callback without a span, and the
 * event is not a line's, the event holds the parser's state. The next batches are short. */
static COLD void go_back_to(struct batch* batch, const struct start* start, const struct llhttp_event* event,
                            uint32_t before, uint32_t n, llhttp_t* parser) {
  struct llhttp_frame* frame = &batch->frame;
  const struct llhttp_message_event* message = (const struct llhttp_message_event*)(const void*)event;
  unsigned kind = event->head & 0xff;
  int was_reset = parser->_index == 0;
  parser->_index = UNITS_AFTER_REWIND;
  frame->pos = frame->buf + (event->head >> 16);
  frame->span = frame->pos; /* a span that is open at a callback without one has just begun */
  if (kind == LLHTTP_EVENT_NOTIFY) {
    memcpy(&frame->priv, &event->length, sizeof(frame->priv));
  } else if (kind == LLHTTP_EVENT_MESSAGE && n == before + 1) {
    frame->priv = message->after_headers;
  } else if (kind == LLHTTP_EVENT_MESSAGE && n == before + 2 + (message->length != 0)) {
    frame->priv = message->after_complete;
    frame->pos += message->length;
  } else {
    frame->pos = start->pos;
    frame->span = start->span;
    frame->priv = start->priv;
    frame->pub = start->pub;
    while (n != 0) {
      /* The events have been seen: only where they end counts. */
      uint32_t limit = n < EVENTS / 3 ? n : EVENTS / 3;
      frame->top = batch->events;
      frame->limit = limit;
      llhttp_core_step(frame);
      n -= limit;
    }
  }
  if (was_reset) frame->priv.field = 0; /* llhttp_reset forgets the kind of field, too */
}

/* The callback of the k-th unit since `done`. A callback that is not set costs a look. */
#define NOTIFY(member, id, k) \
  do { \
    if (s->member != NULL) { \
      int result_ = s->member(parser); \
      s = settings_of(parser); \
      if (UNLIKELY(result_)) { \
        done += (k); \
        callback = (id); \
        result = result_; \
        goto notify_failed; \
      } \
    } \
  } while (0)

#define SPAN(member, id, k, at, length) \
  do { \
    if (s->member != NULL) { \
      int result_ = s->member(parser, (at), (length)); \
      s = settings_of(parser); \
      if (UNLIKELY(result_)) { \
        done += (k); \
        callback = (id); \
        result = result_; \
        goto span_failed; \
      } \
    } \
  } while (0)

/* After the k-th unit: goes back there if a callback has changed something that the reading of the rest depends on. */
#define CHECK(test, k) \
  do { \
    if (UNLIKELY(test(parser, &expected))) { \
      done += (k); \
      goto go_back; \
    } \
  } while (0)

/* A public field that a whole line changes. */
#define SET(member, value) (parser->member = expected.member = (value))

/* The four callbacks of a field line; k units are done since `done`. */
#define FIELD_NAME(line, k) \
  do { \
    SPAN(on_header_field, LLHTTP_CB_HEADER_FIELD, (k) + 1, p + (line)->name_offset, (line)->name_length); \
    NOTIFY(on_header_field_complete, LLHTTP_CB_HEADER_FIELD_COMPLETE, (k) + 2); \
  } while (0)
#define FIELD_VALUE(line, k) \
  SPAN(on_header_value, LLHTTP_CB_HEADER_VALUE, (k) + 3, p + (line)->value_offset, (line)->value_length)
#define FIELD_COMPLETE(k) NOTIFY(on_header_value_complete, LLHTTP_CB_HEADER_VALUE_COMPLETE, (k) + 4)

/* The lines before the one called end; none of them changes the message. */
#define FIELD_LINES(end) \
  for (; line != (end); line++, done += 4) { \
    FIELD_NAME(line, 0); \
    FIELD_VALUE(line, 0); \
    FIELD_COMPLETE(0); \
  }

int llhttp__internal_execute(llhttp__internal_t* parser, const char* p, const char* endp) {
  struct batch batch;
  struct llhttp_frame* frame = &batch.frame;
  const llhttp_settings_t* s;

  if (UNLIKELY(parser->error != HPE_OK)) return parser->error;

  s = settings_of(parser);
  memcpy(&frame->priv, &parser->_current, sizeof(frame->priv));
  frame->buf = p;
  frame->pos = p;
  frame->end = endp;
  frame->span = p;
  frame->pub = *public_of(parser);
  frame->room = batch.events + EVENTS;
  if (parser->_index == 0) parser->_index = UNLIMITED;

  for (;;) {
    struct start start;
    struct llhttp_public expected; /* what the parser's public fields are, if no callback has changed them */
    const struct llhttp_event* event; /* the next one */
    const struct llhttp_event* replayed = NULL;
    uint32_t before = 0; /* units of the batch before the one replayed */
    uint32_t done = 0;   /* units whose callbacks are done */
    unsigned callback = 0;
    int result = 0;
    int error;

    start.pos = frame->pos;
    start.span = frame->span;
    start.priv = frame->priv;
    start.pub = expected = frame->pub;
    frame->top = batch.events;
    frame->limit = (uint32_t)parser->_index;
    llhttp_core_step(frame);

    for (event = batch.events; event != frame->top; before = done) {
      replayed = event;
      switch (event->head & 0xff) {
        case LLHTTP_EVENT_NOTIFY: {
          llhttp_cb call;
          callback = event->head >> 8 & 0xff;
          done++;
          memcpy(&call, (const char*)s + callback * sizeof(call), sizeof(call));
          if (call != NULL) {
            result = call(parser);
            s = settings_of(parser);
            if (UNLIKELY(result)) goto notify_failed;
            CHECK(changed, 0);
          }
          event++;
          continue;
        }
        case LLHTTP_EVENT_SPAN:
        case LLHTTP_EVENT_SPAN_SKIP: {
          llhttp_data_cb call;
          callback = event->head >> 8 & 0xff;
          done++;
          memcpy(&call, (const char*)s + callback * sizeof(call), sizeof(call));
          if (call != NULL) {
            result = call(parser, p + (event->head >> 16), event->length);
            s = settings_of(parser);
            if (UNLIKELY(result)) goto span_failed;
            CHECK(changed, 0);
          }
          event++;
          continue;
        }
        case LLHTTP_EVENT_PUBLIC:
          memcpy(&expected, &event->length, sizeof(expected));
          *public_of(parser) = expected;
          event += 2;
          continue;
        case LLHTTP_EVENT_REQUEST: {
          const struct llhttp_request_event* e = (const struct llhttp_request_event*)(const void*)event;
          if (e->head >> 8 & 0xff) {
            NOTIFY(on_reset, LLHTTP_CB_RESET, 1);
            done++;
          }
          SET(finish, HTTP_FINISH_UNSAFE);
          NOTIFY(on_message_begin, LLHTTP_CB_MESSAGE_BEGIN, 1);
          CHECK(start_changed, 1);
          SET(method, e->head >> 16 & 0xff);
          SPAN(on_method, LLHTTP_CB_METHOD, 2, p + e->method_offset, e->head >> 32);
          NOTIFY(on_method_complete, LLHTTP_CB_METHOD_COMPLETE, 3);
          CHECK(start_changed, 3);
          SPAN(on_url, LLHTTP_CB_URL, 4, p + e->target_offset, e->target_length);
          NOTIFY(on_url_complete, LLHTTP_CB_URL_COMPLETE, 5);
          SPAN(on_protocol, LLHTTP_CB_PROTOCOL, 6, p + e->protocol_offset, 4);
          NOTIFY(on_protocol_complete, LLHTTP_CB_PROTOCOL_COMPLETE, 7);
          CHECK(start_changed, 7);
          SET(http_major, 1);
          SET(http_minor, e->head >> 24 & 0xff);
          SPAN(on_version, LLHTTP_CB_VERSION, 8, p + e->protocol_offset + 5, 3);
          NOTIFY(on_version_complete, LLHTTP_CB_VERSION_COMPLETE, 9);
          done += 9;
          event += 2;
          break;
        }
        case LLHTTP_EVENT_STATUS: {
          const struct llhttp_status_event* e = (const struct llhttp_status_event*)(const void*)event;
          if (e->head >> 8 & 0xff) {
            NOTIFY(on_reset, LLHTTP_CB_RESET, 1);
            done++;
          }
          SET(finish, HTTP_FINISH_UNSAFE);
          NOTIFY(on_message_begin, LLHTTP_CB_MESSAGE_BEGIN, 1);
          CHECK(start_changed, 1);
          SPAN(on_protocol, LLHTTP_CB_PROTOCOL, 2, p + e->protocol_offset, 4);
          NOTIFY(on_protocol_complete, LLHTTP_CB_PROTOCOL_COMPLETE, 3);
          CHECK(start_changed, 3);
          SET(http_major, 1);
          SET(http_minor, e->head >> 24 & 0xff);
          SPAN(on_version, LLHTTP_CB_VERSION, 4, p + e->protocol_offset + 5, 3);
          NOTIFY(on_version_complete, LLHTTP_CB_VERSION_COMPLETE, 5);
          SET(status_code, (uint16_t)(e->head >> 32));
          SPAN(on_status, LLHTTP_CB_STATUS, 6, p + e->reason_offset, e->reason_length);
          NOTIFY(on_status_complete, LLHTTP_CB_STATUS_COMPLETE, 7);
          done += 7;
          event += 2;
          break;
        }
        case LLHTTP_EVENT_FIELDS: {
          const struct llhttp_field_line* first = (const struct llhttp_field_line*)(const void*)(event + 1);
          const struct llhttp_field_line* line = first;
          const struct llhttp_field_line* end = first + (event->head >> 32);
          const struct llhttp_effect* effect = (const struct llhttp_effect*)(const void*)end;
          unsigned effects = event->head >> 16 & 0xffff;
          /* Lines that change the message are read with regard to the public fields, and to whether llhttp_reset was
           * called since their name was known. */
          for (; effects != 0; effects--, effect++) {
            FIELD_LINES(first + effect->line);
            CHECK(changed, 0);
            FIELD_NAME(line, 0);
            CHECK(changed, 2);
            SET(flags, expected.flags | effect->before);
            if (effect->has_length) SET(content_length, effect->length);
            FIELD_VALUE(line, 0);
            CHECK(changed, 3);
            SET(flags, expected.flags | effect->after);
            FIELD_COMPLETE(0);
            line++;
            done += 4;
          }
          FIELD_LINES(end);
          event = (const struct llhttp_event*)(const void*)effect;
          break;
        }
        case LLHTTP_EVENT_CHUNK:
          SET(content_length, event->length);
          NOTIFY(on_chunk_header, LLHTTP_CB_CHUNK_HEADER, 1);
          CHECK(changed, 1);
          SET(content_length, 0);
          SPAN(on_body, LLHTTP_CB_BODY, 2, p + (event->head >> 16), event->length);
          CHECK(changed, 2);
          NOTIFY(on_chunk_complete, LLHTTP_CB_CHUNK_COMPLETE, 3);
          done += 3;
          event++;
          break;
        default:
          NOTIFY(on_headers_complete, LLHTTP_CB_HEADERS_COMPLETE, 1);
          CHECK(changed, 1);
          SET(content_length, 0);
          if (event->length != 0) {
            SPAN(on_body, LLHTTP_CB_BODY, 2, p + (event->head >> 16), event->length);
            CHECK(changed, 2);
            done++;
          }
          NOTIFY(on_message_complete, LLHTTP_CB_MESSAGE_COMPLETE, 2);
          CHECK(changed, 2);
          SET(finish, HTTP_FINISH_SAFE);
          SET(flags, 0);
          SET(initial_message_completed, 1);
          done += 2;
          event += 2;
          continue;
      }
      CHECK(changed, 0);
    }

    if (frame->changed) *public_of(parser) = frame->pub;
    if (UNLIKELY(parser->_index != UNLIMITED))
      parser->_index = parser->_index < MOST_UNITS ? 2 * parser->_index : UNLIMITED;
    if (frame->status != LLHTTP_FRAME_MORE) break;
    continue;

  notify_failed:
    error = notify_error(parser, callback, result);
    if (error == HPE_OK) goto go_back;
    go_back_to(&batch, &start, replayed, before, done, parser);
    if (error != HPE_PAUSED) frame->priv.state = LLHTTP_STATE_ERROR;
    goto stop;
  span_failed:
    error = span_error(parser, callback, result);
    go_back_to(&batch, &start, replayed, before, done, parser);
  stop:
    memcpy(&parser->_current, &frame->priv, sizeof(frame->priv));
    parser->error = error;
    parser->error_pos = frame->pos;
    return error;
  go_back:
    go_back_to(&batch, &start, replayed, before, done, parser);
    frame->pub = *public_of(parser);
  }

  memcpy(&parser->_current, &frame->priv, sizeof(frame->priv));
  if (UNLIKELY(frame->status == LLHTTP_FRAME_STOPPED)) {
    parser->reason = llhttp_core_reasons[frame->reason].text;
    parser->error_pos = frame->pos;
    return parser->error = llhttp_core_reasons[frame->reason].error;
  }
  if (frame->priv.open != 0) {
    unsigned callback = frame->priv.open;
    llhttp_data_cb call;
    memcpy(&call, (const char*)s + callback * sizeof(call), sizeof(call));
    if (call != NULL) {
      int error = call(parser, frame->span, (size_t)(endp - frame->span));
      if (UNLIKELY(error)) {
        parser->error = span_error(parser, callback, error);
        parser->error_pos = endp;
        return parser->error;
      }
    }
  }
  return HPE_OK;
}

llhttp_errno_t llhttp_execute(llhttp_t* parser, const char* data, size_t len) {
  return (llhttp_errno_t)llhttp__internal_execute(parser, data, data + len);
}
