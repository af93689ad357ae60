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

#include "states_gen.h"
#include "tables_gen.h"

#define UNLIKELY(x) __builtin_expect((x) != 0, 0)
#define COLD __attribute__((noinline, cold))

/* Room for events, of 16 bytes each. The batch stays below 4 KiB with the frames of the parser and of a callback. Tests
 * build with little room, and stop if the parser does not keep to it. */
#ifdef LLHTTP_TEST_EVENTS
#define EVENTS LLHTTP_TEST_EVENTS
#define CHECK_ROOM(frame) ((frame)->top > (frame)->room ? __builtin_trap() : (void)0)
#else
#define EVENTS 160
#define CHECK_ROOM(frame) (void)0
#endif

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
  uint64_t pub[3];
};

static const llhttp_settings_t no_callbacks;

/* The callbacks to call now: a callback may have changed them, so they are looked up after each. */
static inline const llhttp_settings_t* settings_of(const llhttp_t* parser) {
  const llhttp_settings_t* settings = (const llhttp_settings_t*)parser->settings;
  return UNLIKELY(settings == NULL) ? &no_callbacks : settings;
}

/* The public fields as three words, in llhttp_t and in a copy of what they are expected to be. Stored and loaded as whole
 * words: a word that was stored in parts takes long to come back as a whole. */
static inline uint64_t get_word(const llhttp_t* parser, int i) {
  uint64_t word;
  memcpy(&word, (const char*)parser + LLHTTP_PUBLIC_OFFSET + 8 * i, sizeof(word));
  return word;
}

static inline void set_word(llhttp_t* parser, int i, uint64_t word) {
  memcpy((char*)parser + LLHTTP_PUBLIC_OFFSET + 8 * i, &word, sizeof(word));
}

#define COPY_WORDS(to, from) ((to)[0] = (from)[0], (to)[1] = (from)[1], (to)[2] = (from)[2])
#define GET_WORDS(to) ((to)[0] = get_word(parser, 0), (to)[1] = get_word(parser, 1), (to)[2] = get_word(parser, 2))
#define SET_WORDS(from) (set_word(parser, 0, (from)[0]), set_word(parser, 1, (from)[1]), set_word(parser, 2, (from)[2]))

/* Where a member stands in its word. */
#define MEMBER_SIZE(member) sizeof(((struct llhttp_public*)0)->member)
#define MEMBER_WORD(member) (offsetof(struct llhttp_public, member) / 8)
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define MEMBER_SHIFT(member) (8 * (offsetof(struct llhttp_public, member) % 8))
#else
#define MEMBER_SHIFT(member) (64 - 8 * (offsetof(struct llhttp_public, member) % 8 + MEMBER_SIZE(member)))
#endif
#define MEMBER_MASK(member) ((UINT64_MAX >> (64 - 8 * MEMBER_SIZE(member))) << MEMBER_SHIFT(member))

/* Changes a public field, as a whole line does, in the parser and in what is expected. The word must be as expected: a
 * CHECK stands between it and the last callback. */
#define SET(member, value) \
  (expected[MEMBER_WORD(member)] = \
       (expected[MEMBER_WORD(member)] & ~MEMBER_MASK(member)) | (uint64_t)(value) << MEMBER_SHIFT(member), \
   set_word(parser, MEMBER_WORD(member), expected[MEMBER_WORD(member)]))
#define ADD_FLAGS(value) \
  (expected[MEMBER_WORD(flags)] |= (uint64_t)(value) << MEMBER_SHIFT(flags), \
   set_word(parser, MEMBER_WORD(flags), expected[MEMBER_WORD(flags)]))

/* What a message that is over leaves behind, if another may follow. */
#define NEXT_MESSAGE() \
  (expected[MEMBER_WORD(flags)] &= ~(MEMBER_MASK(flags) | MEMBER_MASK(finish)), SET(initial_message_completed, 1))
typedef char llhttp_message_state_is_one_word
    [MEMBER_WORD(flags) == MEMBER_WORD(finish) && MEMBER_WORD(flags) == MEMBER_WORD(initial_message_completed) &&
             HTTP_FINISH_SAFE == 0
         ? 1
         : -1];

/* Whether the host has changed a public field, or called llhttp_init or llhttp_reset. */
static inline int changed(const llhttp_t* parser, const uint64_t* expected) {
  return ((get_word(parser, 0) ^ expected[0]) | (get_word(parser, 1) ^ expected[1]) |
          (get_word(parser, 2) ^ expected[2])) != 0 ||
         parser->_index == 0;
}

/* The same for the word that a start-line's reading depends on: type, method, version, and the lenient flags. */
static inline int start_changed(const llhttp_t* parser, const uint64_t* expected) {
  return get_word(parser, MEMBER_WORD(type)) != expected[MEMBER_WORD(type)];
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

/* Stops at the end of the input: the callback of the span that is open there wants it. */
static COLD int stop_at_end(llhttp_t* parser, unsigned callback, int result, const char* end) {
  parser->error_pos = end;
  return parser->error = span_error(parser, callback, result);
}

/* Delivers what there is of the span that is open at the end of the input; the parser is ready for the next piece. Without
 * data, at NULL, there is nothing to deliver; llhttp loses the rest of the span there. */
static __attribute__((noinline)) int last_span(llhttp_t* parser, unsigned callback, const char* at, const char* end) {
  llhttp_data_cb call;
  int result;
  memcpy(&call, (const char*)settings_of(parser) + callback * sizeof(call), sizeof(call));
  if (call == NULL || at == NULL) return HPE_OK;
  result = call(parser, at, (size_t)(end - at));
  return UNLIKELY(result) ? stop_at_end(parser, callback, result, end) : HPE_OK;
}

/* The frame at the beginning of a piece. */
static inline void begin(struct batch* batch, const llhttp_t* parser, const char* p, const char* end) {
  struct llhttp_frame* frame = &batch->frame;
  memcpy(&frame->priv, &parser->_current, sizeof(frame->priv));
  frame->buf = p;
  frame->pos = p;
  frame->end = end;
  frame->span = p;
  GET_WORDS(frame->pub);
  frame->room = batch->events + EVENTS;
  frame->few = 0;
  frame->at_headers = 0;
}

/* The parser has found an error, or pauses of its own. */
static COLD int stopped(llhttp_t* parser, const struct llhttp_frame* frame) {
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
  return frame->status == LLHTTP_FRAME_STOPPED ? stopped(parser, frame) : HPE_OK;
}

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
    GET_WORDS(frame->pub);
  }

  memcpy(&parser->_current, &frame->priv, sizeof(frame->priv));
  if (UNLIKELY(frame->status == LLHTTP_FRAME_STOPPED)) return stopped(parser, frame);
  return frame->priv.open == 0 ? HPE_OK : last_span(parser, frame->priv.open, frame->span, endp);
}

static __attribute__((noinline)) int run(llhttp_t* parser, const char* p, const char* end) {
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

static inline int execute(llhttp_t* parser, const char* p, const char* end) {
  if (UNLIKELY(parser->error != HPE_OK)) return parser->error;
  if (end - p <= SHORT_PIECE) {
    struct llhttp_private priv;
    memcpy(&priv, &parser->_current, sizeof(priv));
    if (end - p == 1 ? continues_byte(parser, &priv, (unsigned char)*p) : continues(priv.state, p, end))
      return priv.open == 0 ? HPE_OK : last_span(parser, priv.open, p, end);
  }
  return run(parser, p, end);
}

int llhttp__internal_execute(llhttp__internal_t* parser, const char* p, const char* endp) {
  return execute(parser, p, endp);
}

llhttp_errno_t llhttp_execute(llhttp_t* parser, const char* data, size_t len) {
  return (llhttp_errno_t)execute(parser, data, data + len);
}
