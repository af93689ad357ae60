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

/* A batch's replay. */
struct replay {
  llhttp_t* parser;
  const char* buf;
  struct llhttp_public expected; /* what the parser's public fields are, if no callback has changed them */
  uint32_t unit;                 /* units done; the one that stopped included */
  int final;                     /* the callback's error ends the parse: not a pause, nor a span's own errno */
};

static inline struct llhttp_public* public_of(llhttp_t* parser) {
  return (struct llhttp_public*)(void*)((char*)parser + LLHTTP_PUBLIC_OFFSET);
}

static inline int changed(const struct replay* r) {
  uint64_t now[3], then[3];
  memcpy(now, (const char*)r->parser + LLHTTP_PUBLIC_OFFSET, sizeof(now));
  memcpy(then, &r->expected, sizeof(then));
  return ((now[0] ^ then[0]) | (now[1] ^ then[1]) | (now[2] ^ then[2])) != 0;
}

/* The callbacks. Each counts its unit and gives 0 to go on, else an errno. The settings are looked up each time, since
 * a callback may change them. */

static __attribute__((noinline, cold)) int failed_span(struct replay* r, unsigned id, int result) {
  if (result != -1) return result;
  r->parser->reason = llhttp_callback_info[id].error_reason;
  return HPE_USER;
}

static __attribute__((noinline, cold)) int failed_notify(struct replay* r, unsigned id, int result) {
  if (id == LLHTTP_CB_HEADERS_COMPLETE && (result == 1 || result == 2)) {
    if (result == 2) r->parser->upgrade = 1;
    r->parser->flags |= F_SKIPBODY;
    return HPE_OK;
  }
  if (result == HPE_PAUSED) {
    r->parser->reason = llhttp_callback_info[id].pause_reason;
    return HPE_PAUSED;
  }
  r->final = 1;
  r->parser->reason = llhttp_callback_info[id].error_reason;
  return llhttp_callback_info[id].error;
}

static inline int span(struct replay* r, unsigned id, const char* at, size_t length) {
  const char* settings = (const char*)r->parser->settings;
  llhttp_data_cb callback = NULL;
  int result;
  r->unit++;
  if (UNLIKELY(settings == NULL)) return 0;
  memcpy(&callback, settings + id * sizeof(callback), sizeof(callback));
  if (callback == NULL) return 0;
  result = callback(r->parser, at, length);
  return UNLIKELY(result) ? failed_span(r, id, result) : 0;
}

static inline int notify(struct replay* r, unsigned id) {
  const char* settings = (const char*)r->parser->settings;
  llhttp_cb callback = NULL;
  int result;
  r->unit++;
  if (UNLIKELY(settings == NULL)) return 0;
  memcpy(&callback, settings + id * sizeof(callback), sizeof(callback));
  if (callback == NULL) return 0;
  result = callback(r->parser);
  return UNLIKELY(result) ? failed_notify(r, id, result) : 0;
}

/* A whole line's callbacks. What changes on the way is set in the parser and expected of it. */
#define SET(r, member, value) ((r)->parser->member = (r)->expected.member = (value))
#define TRY(call) \
  do { \
    int error_ = (call); \
    if (UNLIKELY(error_)) return error_; \
  } while (0)

static inline int begin_message(struct replay* r, uint64_t head) {
  if (head >> 8 & 0xff) TRY(notify(r, LLHTTP_CB_RESET));
  SET(r, finish, HTTP_FINISH_UNSAFE);
  return notify(r, LLHTTP_CB_MESSAGE_BEGIN);
}

static inline int protocol_and_version(struct replay* r, uint64_t head, uint32_t offset) {
  TRY(span(r, LLHTTP_CB_PROTOCOL, r->buf + offset, 4));
  TRY(notify(r, LLHTTP_CB_PROTOCOL_COMPLETE));
  SET(r, http_major, 1);
  SET(r, http_minor, head >> 24 & 0xff);
  TRY(span(r, LLHTTP_CB_VERSION, r->buf + offset + 5, 3));
  return notify(r, LLHTTP_CB_VERSION_COMPLETE);
}

static inline int request_line(struct replay* r, const struct llhttp_request_event* e) {
  TRY(begin_message(r, e->head));
  SET(r, method, e->head >> 16 & 0xff);
  TRY(span(r, LLHTTP_CB_METHOD, r->buf + e->method_offset, e->head >> 32));
  TRY(notify(r, LLHTTP_CB_METHOD_COMPLETE));
  TRY(span(r, LLHTTP_CB_URL, r->buf + e->target_offset, e->target_length));
  TRY(notify(r, LLHTTP_CB_URL_COMPLETE));
  return protocol_and_version(r, e->head, e->protocol_offset);
}

static inline int status_line(struct replay* r, const struct llhttp_status_event* e) {
  TRY(begin_message(r, e->head));
  TRY(protocol_and_version(r, e->head, e->protocol_offset));
  SET(r, status_code, (uint16_t)(e->head >> 32));
  TRY(span(r, LLHTTP_CB_STATUS, r->buf + e->reason_offset, e->reason_length));
  return notify(r, LLHTTP_CB_STATUS_COMPLETE);
}

static inline int field_lines(struct replay* r, const struct llhttp_field_line* line,
                              const struct llhttp_field_line* end) {
  for (; line != end; line++) {
    TRY(span(r, LLHTTP_CB_HEADER_FIELD, r->buf + line->name_offset, line->name_length));
    TRY(notify(r, LLHTTP_CB_HEADER_FIELD_COMPLETE));
    TRY(span(r, LLHTTP_CB_HEADER_VALUE, r->buf + line->value_offset, line->value_length));
    TRY(notify(r, LLHTTP_CB_HEADER_VALUE_COMPLETE));
  }
  return 0;
}

/* Lines that change the message are read with regard to the public fields: *go_back if those have changed by then. */
static inline int field_section(struct replay* r, const struct llhttp_event* event, const struct llhttp_event* next,
                                int* go_back) {
  const struct llhttp_field_line* first = (const struct llhttp_field_line*)(const void*)(event + 1);
  const struct llhttp_field_line* end = first + (event->head >> 32);
  const struct llhttp_effect* effect = (const struct llhttp_effect*)(const void*)end;
  const struct llhttp_field_line* line = first;
  for (; effect != (const struct llhttp_effect*)(const void*)next; effect++) {
    TRY(field_lines(r, line, first + effect->line));
    line = first + effect->line;
    TRY(span(r, LLHTTP_CB_HEADER_FIELD, r->buf + line->name_offset, line->name_length));
    TRY(notify(r, LLHTTP_CB_HEADER_FIELD_COMPLETE));
    if (UNLIKELY(changed(r))) {
      *go_back = 1;
      return 0;
    }
    SET(r, flags, r->expected.flags | effect->before);
    if (effect->has_length) SET(r, content_length, effect->length);
    TRY(span(r, LLHTTP_CB_HEADER_VALUE, r->buf + line->value_offset, line->value_length));
    r->parser->flags |= effect->after;
    r->expected.flags |= effect->after;
    TRY(notify(r, LLHTTP_CB_HEADER_VALUE_COMPLETE));
    line++;
  }
  return field_lines(r, line, end);
}

static inline int chunk(struct replay* r, const struct llhttp_event* event, int* go_back) {
  SET(r, content_length, event->length);
  TRY(notify(r, LLHTTP_CB_CHUNK_HEADER));
  if (UNLIKELY(changed(r))) {
    *go_back = 1;
    return 0;
  }
  SET(r, content_length, 0);
  TRY(span(r, LLHTTP_CB_BODY, r->buf + (event->head >> 16), event->length));
  if (UNLIKELY(changed(r))) {
    *go_back = 1;
    return 0;
  }
  return notify(r, LLHTTP_CB_CHUNK_COMPLETE);
}

/* Where a batch begins: what running it again starts from. */
struct start {
  const char* pos;
  const char* span;
  struct llhttp_private priv;
  struct llhttp_public pub;
};

/* Brings the frame to where the callback of the batch's n-th unit was due. If that was a callback without a span and the
 * event is its own, the event holds the parser's state. */
static __attribute__((noinline, cold)) void go_back_to(struct batch* batch, const struct start* start,
                                                       const struct llhttp_event* event, uint32_t n) {
  struct llhttp_frame* frame = &batch->frame;
  if ((event->head & 0xff) == LLHTTP_EVENT_NOTIFY) {
    frame->pos = frame->buf + (event->head >> 16);
    frame->span = frame->pos; /* the one span that is open at such a callback has just begun */
    memcpy(&frame->priv, &event->length, sizeof(frame->priv));
    return;
  }
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

int llhttp__internal_execute(llhttp__internal_t* parser, const char* p, const char* endp) {
  struct batch batch;
  struct llhttp_frame* frame = &batch.frame;
  struct replay r;

  if (UNLIKELY(parser->error != HPE_OK)) return parser->error;

  frame->buf = p;
  frame->pos = p;
  frame->end = endp;
  frame->span = p;
  memcpy(&frame->priv, &parser->_current, sizeof(frame->priv));
  frame->pub = *public_of(parser);
  frame->room = batch.events + EVENTS;
  if (parser->_index == 0) parser->_index = UNLIMITED;
  r.parser = parser;
  r.buf = p;
  r.final = 0;

  for (;;) {
    struct start start;
    const struct llhttp_event* event;
    int go_back = 0;
    int error = 0;

    start.pos = frame->pos;
    start.span = frame->span;
    start.priv = frame->priv;
    start.pub = r.expected = frame->pub;
    r.unit = 0;
    frame->top = batch.events;
    frame->limit = (uint32_t)parser->_index;
    llhttp_core_step(frame);

    for (event = batch.events; event != frame->top;) {
      const struct llhttp_event* next = event + 1;
      switch (event->head & 0xff) {
        case LLHTTP_EVENT_NOTIFY:
          error = notify(&r, event->head >> 8 & 0xff);
          break;
        case LLHTTP_EVENT_SPAN:
        case LLHTTP_EVENT_SPAN_SKIP:
          error = span(&r, event->head >> 8 & 0xff, p + (event->head >> 16), event->length);
          break;
        case LLHTTP_EVENT_PUBLIC:
          memcpy(&r.expected, &event->length, sizeof(r.expected));
          *public_of(parser) = r.expected;
          event = event + 2;
          continue;
        case LLHTTP_EVENT_REQUEST:
          next = event + 2;
          error = request_line(&r, (const struct llhttp_request_event*)(const void*)event);
          break;
        case LLHTTP_EVENT_STATUS:
          next = event + 2;
          error = status_line(&r, (const struct llhttp_status_event*)(const void*)event);
          break;
        case LLHTTP_EVENT_FIELDS:
          next = event + 1 + (event->head >> 32) + (event->head >> 16 & 0xffff);
          error = field_section(&r, event, next, &go_back);
          break;
        default:
          error = chunk(&r, event, &go_back);
          break;
      }
      if (UNLIKELY(error)) {
        go_back_to(&batch, &start, event, r.unit);
        if (r.final) frame->priv.state = LLHTTP_STATE_ERROR;
        parser->_index = UNITS_AFTER_REWIND;
        memcpy(&parser->_current, &frame->priv, sizeof(frame->priv));
        parser->error = error;
        parser->error_pos = frame->pos;
        return error;
      }
      if (UNLIKELY(go_back | changed(&r))) {
        go_back_to(&batch, &start, event, r.unit);
        frame->pub = *public_of(parser);
        if (parser->_index == 0) frame->priv.field = 0; /* llhttp_reset forgets the kind of field, too */
        parser->_index = UNITS_AFTER_REWIND;
        go_back = 1;
        break;
      }
      event = next;
    }
    if (UNLIKELY(go_back)) continue;

    *public_of(parser) = frame->pub;
    if (UNLIKELY(parser->_index != UNLIMITED))
      parser->_index = parser->_index < MOST_UNITS ? 2 * parser->_index : UNLIMITED;
    if (frame->status != LLHTTP_FRAME_MORE) break;
  }

  memcpy(&parser->_current, &frame->priv, sizeof(frame->priv));
  if (UNLIKELY(frame->status == LLHTTP_FRAME_STOPPED)) {
    parser->reason = llhttp_core_reasons[frame->reason].text;
    parser->error_pos = frame->pos;
    return parser->error = llhttp_core_reasons[frame->reason].error;
  }
  if (frame->priv.open != 0) {
    int error = span(&r, frame->priv.open, frame->span, (size_t)(endp - frame->span));
    if (UNLIKELY(error)) {
      parser->error = error;
      parser->error_pos = endp;
      return error;
    }
  }
  return HPE_OK;
}

llhttp_errno_t llhttp_execute(llhttp_t* parser, const char* data, size_t len) {
  return (llhttp_errno_t)llhttp__internal_execute(parser, data, data + len);
}
