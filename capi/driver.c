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
#include "driver.h"
#include "states_gen.h"

/* The same for the word that a start-line's reading depends on: type, method, version, and the lenient flags. */
static inline int start_changed(const llhttp_t* parser, const uint64_t* expected) {
  return get_word(parser, MEMBER_WORD(type)) != expected[MEMBER_WORD(type)];
}

COLD int llhttp_span_error(llhttp_t* parser, unsigned id, int result) {
  if (result != -1) return result;
  parser->reason = llhttp_callback_info[id].error_reason;
  return HPE_USER;
}

COLD int llhttp_notify_error(llhttp_t* parser, unsigned id, int result) {
  if (id == LLHTTP_CB_HEADERS_COMPLETE && (result == 1 || result == 2)) {
    llhttp_skip_body(parser, result);
    return HPE_OK;
  }
  if (result == HPE_PAUSED) {
    parser->reason = llhttp_callback_info[id].pause_reason;
    return HPE_PAUSED;
  }
  parser->reason = llhttp_callback_info[id].error_reason;
  return llhttp_callback_info[id].error;
}

COLD void llhttp_run_again(struct batch* batch, const struct start* start, uint32_t n) {
  struct llhttp_frame* frame = &batch->frame;
  frame->pos = start->pos;
  frame->span = start->span;
  frame->priv = start->priv;
  COPY_WORDS(frame->pub, start->pub);
  while (n != 0) {
    /* The events have been seen: only where they end counts. */
    uint32_t limit = n < EVENTS / 3 ? n : EVENTS / 3;
    frame->top = batch->events;
    frame->limit = limit;
    llhttp_core_step(frame);
    CHECK_ROOM(frame);
    n -= limit;
  }
}

COLD void llhttp_go_back_to(struct batch* batch, const struct start* start, const struct llhttp_event* event,
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
    llhttp_run_again(batch, start, n);
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
    if (UNLIKELY(test(parser, expected))) { \
      done += (k); \
      goto go_back; \
    } \
  } while (0)

/* What requests and responses share: the beginning of a message, and the protocol's name and version 1.x, of which the
 * k-th unit is the first. */
#define BEGIN_MESSAGE(head) \
  do { \
    if ((head) >> 8 & 0xff) { \
      NOTIFY(on_reset, LLHTTP_CB_RESET, 1); \
      CHECK(changed, 1); \
      done++; \
    } \
    SET(finish, HTTP_FINISH_UNSAFE); \
    NOTIFY(on_message_begin, LLHTTP_CB_MESSAGE_BEGIN, 1); \
    CHECK(start_changed, 1); \
  } while (0)
#define PROTOCOL_AND_VERSION(e, k) \
  do { \
    SPAN(on_protocol, LLHTTP_CB_PROTOCOL, k, p + (e)->protocol_offset, 4); \
    NOTIFY(on_protocol_complete, LLHTTP_CB_PROTOCOL_COMPLETE, (k) + 1); \
    CHECK(start_changed, (k) + 1); \
    SET(http_major, 1); \
    SET(http_minor, (e)->head >> 24 & 0xff); \
    SPAN(on_version, LLHTTP_CB_VERSION, (k) + 2, p + (e)->protocol_offset + 5, 3); \
    NOTIFY(on_version_complete, LLHTTP_CB_VERSION_COMPLETE, (k) + 3); \
  } while (0)

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

COLD int llhttp_stop_at_end(llhttp_t* parser, unsigned callback, int result, const char* end) {
  parser->error_pos = end;
  return parser->error = llhttp_span_error(parser, callback, result);
}

__attribute__((noinline)) int llhttp_last_span(llhttp_t* parser, unsigned callback, const char* at, const char* end) {
  llhttp_data_cb call;
  int result;
  memcpy(&call, (const char*)settings_of(parser) + callback * sizeof(call), sizeof(call));
  if (call == NULL || at == NULL) return HPE_OK;
  result = call(parser, at, (size_t)(end - at));
  return UNLIKELY(result) ? llhttp_stop_at_end(parser, callback, result, end) : HPE_OK;
}

COLD int llhttp_stopped(llhttp_t* parser, const struct llhttp_frame* frame) {
  parser->reason = llhttp_core_reasons[frame->reason].text;
  parser->error_pos = frame->pos;
  return parser->error = llhttp_core_reasons[frame->reason].error;
}

/* Where no callback is set nobody looks: the public fields at the end will do. */
static __attribute__((noinline)) int run_silently(llhttp_t* parser, const char* p, const char* endp) {
  struct batch batch;
  struct llhttp_frame* frame = &batch.frame;
  begin(&batch, parser, p, endp);
  do {
    frame->top = batch.events;
    frame->limit = LLHTTP_FRAME_UNLIMITED;
    llhttp_core_step(frame);
    CHECK_ROOM(frame);
  } while (frame->status == LLHTTP_FRAME_MORE);
  SET_WORDS(frame->pub);
  memcpy(&parser->_current, &frame->priv, sizeof(frame->priv));
  return frame->status == LLHTTP_FRAME_STOPPED ? llhttp_stopped(parser, frame) : HPE_OK;
}

/* Long, as every kind of event is a case of one loop: what is replayed, and where, is in its local variables, and each
 * callback that stops the parse leaves by the same way. */
static __attribute__((noinline)) int replay(llhttp_t* parser, const char* p, const char* endp) {
  struct batch batch;
  struct llhttp_frame* frame = &batch.frame;
  const llhttp_settings_t* s = settings_of(parser);

  begin(&batch, parser, p, endp);
  if (parser->_index == 0) parser->_index = UNLIMITED;

  for (;;) {
    struct start start;
    uint64_t expected[3]; /* what the parser's public fields are, if no callback has changed them */
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
    COPY_WORDS(start.pub, frame->pub);
    COPY_WORDS(expected, frame->pub);
    frame->top = batch.events;
    frame->limit = (uint32_t)parser->_index;
    llhttp_core_step(frame);
    CHECK_ROOM(frame);
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
          expected[0] = event->length;
          expected[1] = event[1].head;
          expected[2] = event[1].length;
          SET_WORDS(expected);
          event += 2;
          continue;
        case LLHTTP_EVENT_REQUEST: {
          const struct llhttp_request_event* e = (const struct llhttp_request_event*)(const void*)event;
          BEGIN_MESSAGE(e->head);
          SET(method, e->head >> 16 & 0xff);
          SPAN(on_method, LLHTTP_CB_METHOD, 2, p + e->method_offset, e->head >> 32);
          NOTIFY(on_method_complete, LLHTTP_CB_METHOD_COMPLETE, 3);
          CHECK(start_changed, 3);
          SPAN(on_url, LLHTTP_CB_URL, 4, p + e->target_offset, e->target_length);
          NOTIFY(on_url_complete, LLHTTP_CB_URL_COMPLETE, 5);
          PROTOCOL_AND_VERSION(e, 6);
          done += 9;
          event += 2;
          break;
        }
        case LLHTTP_EVENT_STATUS: {
          const struct llhttp_status_event* e = (const struct llhttp_status_event*)(const void*)event;
          BEGIN_MESSAGE(e->head);
          PROTOCOL_AND_VERSION(e, 2);
          CHECK(changed, 5);
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
            ADD_FLAGS(effect->before);
            if (effect->has_length) SET(content_length, effect->length);
            FIELD_VALUE(line, 0);
            CHECK(changed, 3);
            ADD_FLAGS(effect->after);
            FIELD_COMPLETE(0);
            line++;
            done += 4;
          }
          FIELD_LINES(end);
          event = (const struct llhttp_event*)(const void*)effect;
          break;
        }
        case LLHTTP_EVENT_NAME:
          SPAN(on_header_field, LLHTTP_CB_HEADER_FIELD, 1, p + (event->head >> 16), event->length);
          NOTIFY(on_header_field_complete, LLHTTP_CB_HEADER_FIELD_COMPLETE, 2);
          done += 2;
          event++;
          break;
        case LLHTTP_EVENT_VALUE:
          SPAN(on_header_value, LLHTTP_CB_HEADER_VALUE, 1, p + (event->head >> 16), event->length);
          NOTIFY(on_header_value_complete, LLHTTP_CB_HEADER_VALUE_COMPLETE, 2);
          done += 2;
          event++;
          break;
        case LLHTTP_EVENT_CHUNK:
          if (s->on_chunk_header != NULL) { /* nobody else sees the size */
            SET(content_length, event->length);
            NOTIFY(on_chunk_header, LLHTTP_CB_CHUNK_HEADER, 1);
            CHECK(changed, 1);
            SET(content_length, 0);
          }
          if (s->on_body != NULL) {
            SPAN(on_body, LLHTTP_CB_BODY, 2, p + (event->head >> 16), event->length);
            CHECK(changed, 2);
          }
          if (s->on_chunk_complete != NULL) {
            NOTIFY(on_chunk_complete, LLHTTP_CB_CHUNK_COMPLETE, 3);
            CHECK(changed, 3);
          }
          done += 3;
          event++;
          continue;
        case LLHTTP_EVENT_LAST_CHUNK:
          NOTIFY(on_chunk_header, LLHTTP_CB_CHUNK_HEADER, 1);
          CHECK(changed, 1);
          ADD_FLAGS(F_TRAILING);
          NOTIFY(on_chunk_complete, LLHTTP_CB_CHUNK_COMPLETE, 2);
          CHECK(changed, 2);
          NOTIFY(on_message_complete, LLHTTP_CB_MESSAGE_COMPLETE, 3);
          CHECK(changed, 3);
          NEXT_MESSAGE();
          done += 3;
          event++;
          continue;
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
          NEXT_MESSAGE();
          done += 2;
          event += 2;
          continue;
      }
      CHECK(changed, 0);
    }

    if (frame->changed) SET_WORDS(frame->pub);
    if (UNLIKELY(parser->_index != UNLIMITED))
      parser->_index = parser->_index < MOST_UNITS ? 2 * parser->_index : UNLIMITED;
    if (frame->status != LLHTTP_FRAME_MORE) break;
    continue;

  notify_failed:
    error = llhttp_notify_error(parser, callback, result);
    if (error == HPE_OK) goto go_back;
    llhttp_go_back_to(&batch, &start, replayed, before, done, parser);
    if (error != HPE_PAUSED) frame->priv.state = LLHTTP_STATE_ERROR;
    goto stop;
  span_failed:
    error = llhttp_span_error(parser, callback, result);
    llhttp_go_back_to(&batch, &start, replayed, before, done, parser);
  stop:
    memcpy(&parser->_current, &frame->priv, sizeof(frame->priv));
    parser->error = error;
    parser->error_pos = frame->pos;
    return error;
  go_back:
    llhttp_go_back_to(&batch, &start, replayed, before, done, parser);
    GET_WORDS(frame->pub);
  }

  memcpy(&parser->_current, &frame->priv, sizeof(frame->priv));
  if (UNLIKELY(frame->status == LLHTTP_FRAME_STOPPED)) return llhttp_stopped(parser, frame);
  return frame->priv.open == 0 ? HPE_OK : llhttp_last_span(parser, frame->priv.open, frame->span, endp);
}

__attribute__((noinline)) int llhttp_run(llhttp_t* parser, const char* p, const char* end) {
  const llhttp_settings_t* s = settings_of(parser);
  if (s->on_message_begin == NULL && memcmp(s, &no_callbacks, sizeof(*s)) == 0) return run_silently(parser, p, end);
  return replay(parser, p, end);
}

/* The most of a piece that is looked at byte by byte. */
#define SHORT_PIECE 16

/* Whether all of [p, end) leaves the state as it is. */
static inline int continues(unsigned state, const char* p, const char* end) {
  unsigned classes = llhttp_core_continues[state];
  if (classes == 0) return 0;
  for (; p != end; p++)
    if (!(llhttp_core_classes[(unsigned char)*p] & classes)) return 0;
  return 1;
}

/* The same for a piece of one byte, which may also change the state and nothing else. */
static inline int continues_byte(llhttp_t* parser, struct llhttp_private* priv, unsigned char byte) {
  unsigned classes = llhttp_core_classes[byte];
  if (llhttp_core_continues[priv->state] & classes) return 1;
  if (!(llhttp_core_moves[priv->state].classes & classes) || priv->field != 0) return 0;
  priv->open = llhttp_core_moves[priv->state].open;
  priv->state = llhttp_core_moves[priv->state].next;
  memcpy(&parser->_current, priv, sizeof(*priv));
  return 1;
}

int llhttp_passes_over(llhttp_t* parser, struct llhttp_private* priv, const char* p, const char* end) {
  if (end - p > SHORT_PIECE) return 0;
  memcpy(priv, &parser->_current, sizeof(*priv));
  return end - p == 1 ? continues_byte(parser, priv, (unsigned char)*p) : continues(priv->state, p, end);
}

static inline int execute(llhttp_t* parser, const char* p, const char* end) {
  /* Two tests in one: a parser without an error and with nothing attached is asked nothing else. */
  if (UNLIKELY(((uint32_t)parser->error | (uintptr_t)ext_of(parser)) != 0)) return llhttp_run_extended(parser, p, end);
  if (end - p <= SHORT_PIECE) {
    struct llhttp_private priv;
    memcpy(&priv, &parser->_current, sizeof(priv));
    if (end - p == 1 ? continues_byte(parser, &priv, (unsigned char)*p) : continues(priv.state, p, end))
      return priv.open == 0 ? HPE_OK : llhttp_last_span(parser, priv.open, p, end);
  }
  return llhttp_run(parser, p, end);
}

int llhttp__internal_execute(llhttp__internal_t* parser, const char* p, const char* endp) {
  return execute(parser, p, endp);
}

llhttp_errno_t llhttp_execute(llhttp_t* parser, const char* data, size_t len) {
  return (llhttp_errno_t)execute(parser, data, data + len);
}
