/* llhttp_execute for a parser that has an llhttp_ext_t attached. The driver's rules hold here as well. What differs
 * is that every unit is looked at by itself, before its callback and after it, also those that came as a whole line.
 * A parser that has nothing attached never comes here. */
#include "driver.h"
#include "ext_limits.h"

/* What is left of a piece, because something else is attached now. */
struct rest {
  int any;
  const char* at;
};

/* Whether the host has attached another struct, or none, or changed its rules. */
static inline int ext_changed(const llhttp_t* parser, const llhttp_ext_t* ext, const struct llhttp_frame* frame) {
  return ext_of(parser) != ext || ext->rules != frame->rules;
}

/* The callback of a unit, NULL if it is not set. */
static inline llhttp_cb callback_of(const llhttp_t* parser, const llhttp_ext_t* ext, unsigned callback) {
  const char* member = (const char*)settings_of(parser) + callback * sizeof(llhttp_cb);
  llhttp_cb call;
  if (UNLIKELY(callback == LLHTTP_CB_SKIPPED_LINE)) member = (const char*)&ext->on_skipped_line;
  if (UNLIKELY(callback == LLHTTP_CB_SKIPPED_LINE_COMPLETE)) member = (const char*)&ext->on_skipped_line_complete;
  memcpy(&call, member, sizeof(call));
  return call;
}

/* The first limit is exceeded behind the batch's n-th unit, the last one that was delivered. The public fields are
 * those that the bytes before its place lead to. */
static COLD int stop_at_limit(llhttp_t* parser, struct batch* batch, const struct start* start, uint32_t n,
                              const char* p) {
  struct llhttp_frame* frame = &batch->frame;
  const struct llhttp_limits* l = limits_of(ext_of(parser));
  const char* stop = p + (l->first - l->base);
  parser->reason = llhttp_limit_reasons[limits_first(l)].text;
  llhttp_run_again(batch, start, n);
  if (stop < frame->pos) stop = frame->pos; /* only if another parser has used the struct */
  frame->end = stop;
  frame->top = batch->events;
  frame->limit = 1;
  llhttp_core_step(frame);
  CHECK_ROOM(frame);
  SET_WORDS(frame->pub);
  frame->priv.state = LLHTTP_STATE_ERROR;
  memcpy(&parser->_current, &frame->priv, sizeof(frame->priv));
  parser->error_pos = stop;
  return parser->error = HPE_USER;
}

/* As llhttp_last_span, also for what the struct has callbacks for. */
static int last_span(llhttp_t* parser, const llhttp_ext_t* ext, unsigned callback, const char* at, const char* end) {
  int result;
  if (callback != LLHTTP_CB_SKIPPED_LINE) return llhttp_last_span(parser, callback, at, end);
  if (ext->on_skipped_line == NULL || at == NULL) return HPE_OK;
  result = ext->on_skipped_line(parser, at, (size_t)(end - at));
  return UNLIKELY(result) ? llhttp_stop_at_end(parser, callback, result, end) : HPE_OK;
}

/* A unit that stands at a place: a span of so many bytes at an offset, or none. It is delivered unless the parse has
 * gone past a limit, and what its callback does counts from there on. */
#define UNIT(id, is_span, offset, length, place) \
  do { \
    llhttp_cb call_; \
    const int64_t place_ = limits->base + (int64_t)(place); \
    if (is_span) limits_begin(ext, (id), limits->base + (int64_t)(offset)); \
    if (UNLIKELY(place_ > limits->first)) return stop_at_limit(parser, &batch, &start, done, p); \
    limits_unit(ext, (id), place_, expected[MEMBER_WORD(content_length)] == 0); \
    done++; \
    call_ = callback_of(parser, ext, (id)); \
    if (call_ != NULL) { \
      limits->unit_at = place_; \
      result = (is_span) ? ((llhttp_data_cb)(void (*)(void))call_)(parser, p + (offset), (length)) : call_(parser); \
      callback = (id); \
      if (UNLIKELY(result)) goto failed; \
      if (UNLIKELY(changed(parser, expected) || ext_changed(parser, ext, frame))) goto go_back; \
    } \
  } while (0)

/* Units of what comes as a whole. A span's unit stands so many bytes behind the span. */
#define NOTIFY(name, place) UNIT(LLHTTP_CB_##name, 0, 0, 0, (uint64_t)(place))
#define SPAN(name, offset, length, behind) \
  UNIT(LLHTTP_CB_##name, 1, (uint64_t)(offset), (uint64_t)(length), \
       (uint64_t)(offset) + (uint64_t)(length) + (uint64_t)(behind))

#define BEGIN_MESSAGE(head, offset) \
  do { \
    if ((head) >> 8 & 0xff) NOTIFY(RESET, offset); \
    SET(finish, HTTP_FINISH_UNSAFE); \
    NOTIFY(MESSAGE_BEGIN, offset); \
  } while (0)
#define PROTOCOL_AND_VERSION(e) \
  do { \
    SPAN(PROTOCOL, (e)->protocol_offset, 4, 0); \
    NOTIFY(PROTOCOL_COMPLETE, (e)->protocol_offset + 4); \
    SET(http_major, 1); \
    SET(http_minor, (e)->head >> 24 & 0xff); \
    SPAN(VERSION, (e)->protocol_offset + 5, 3, 0); \
    NOTIFY(VERSION_COMPLETE, (e)->protocol_offset + 8); \
  } while (0)

static __attribute__((noinline)) int replay(llhttp_t* parser, const char* p, const char* endp, struct rest* rest) {
  struct batch batch;
  struct llhttp_frame* frame = &batch.frame;
  llhttp_ext_t* ext = ext_of(parser);
  struct llhttp_limits* limits = limits_of(ext);

  begin(&batch, parser, p, endp);
  frame->rules = ext->rules;
  if (parser->_index == 0) parser->_index = UNLIMITED;

  for (;;) {
    struct start start;
    uint64_t expected[3]; /* what the parser's public fields are, if no callback has changed them */
    const struct llhttp_event* event;           /* the next one */
    const struct llhttp_event* replayed = NULL;
    uint32_t before = 0; /* units of the batch before the one replayed */
    uint32_t done = 0;   /* units whose callbacks are done */
    unsigned callback = 0;
    int result = 0;

    start.pos = frame->pos;
    start.span = frame->span;
    start.priv = frame->priv;
    COPY_WORDS(start.pub, frame->pub);
    COPY_WORDS(expected, frame->pub);
    frame->top = batch.events;
    frame->limit = (uint32_t)parser->_index;
    if (parser->_index == UNLIMITED && (frame->rules != 0 || frame->pos == frame->end))
      frame->limit = LLHTTP_FRAME_LINES;
    llhttp_core_step(frame);
    CHECK_ROOM(frame);
    for (event = batch.events; event != frame->top; before = done) {
      const uint64_t at = event->head >> 16; /* in most */
      replayed = event;
      callback = event->head >> 8 & 0xff;
      switch (event->head & 0xff) {
        case LLHTTP_EVENT_NOTIFY:
          UNIT(callback, 0, at, 0, at);
          event++;
          break;
        case LLHTTP_EVENT_SPAN:
        case LLHTTP_EVENT_SPAN_SKIP:
          UNIT(callback, 1, at, event->length, at + event->length + ((event->head & 0xff) == LLHTTP_EVENT_SPAN_SKIP));
          event++;
          break;
        case LLHTTP_EVENT_PUBLIC:
          expected[0] = event->length;
          expected[1] = event[1].head;
          expected[2] = event[1].length;
          SET_WORDS(expected);
          event += 2;
          break;
        case LLHTTP_EVENT_REQUEST: {
          const struct llhttp_request_event* e = (const struct llhttp_request_event*)(const void*)event;
          const uint64_t length = e->head >> 32;
          BEGIN_MESSAGE(e->head, e->method_offset);
          SET(method, e->head >> 16 & 0xff);
          SPAN(METHOD, e->method_offset, length, 0);
          NOTIFY(METHOD_COMPLETE, e->method_offset + length);
          SPAN(URL, e->target_offset, e->target_length, 0);
          NOTIFY(URL_COMPLETE, e->protocol_offset);
          PROTOCOL_AND_VERSION(e);
          event += 2;
          break;
        }
        case LLHTTP_EVENT_STATUS: {
          const struct llhttp_status_event* e = (const struct llhttp_status_event*)(const void*)event;
          BEGIN_MESSAGE(e->head, e->protocol_offset);
          PROTOCOL_AND_VERSION(e);
          SET(status_code, (uint16_t)(e->head >> 32));
          SPAN(STATUS, e->reason_offset, e->reason_length, 1);
          NOTIFY(STATUS_COMPLETE, e->reason_offset + e->reason_length + 2);
          event += 2;
          break;
        }
        case LLHTTP_EVENT_FIELDS: {
          const struct llhttp_field_line* first = (const struct llhttp_field_line*)(const void*)(event + 1);
          const struct llhttp_field_line* end = first + (event->head >> 32);
          const struct llhttp_field_line* line;
          const struct llhttp_effect* effect = (const struct llhttp_effect*)(const void*)end;
          const struct llhttp_effect* last = effect + (event->head >> 16 & 0xffff);
          for (line = first; line != end; line++) {
            const struct llhttp_effect* own = effect != last && first + effect->line == line ? effect++ : NULL;
            SPAN(HEADER_FIELD, line->name_offset, line->name_length, 1);
            NOTIFY(HEADER_FIELD_COMPLETE, line->name_offset + line->name_length + 1);
            if (own != NULL) ADD_FLAGS(own->before);
            if (own != NULL && own->has_length) SET(content_length, own->length);
            /* An empty value is known to be one behind its line end. */
            SPAN(HEADER_VALUE, line->value_offset, line->value_length, line->value_length != 0);
            if (own != NULL) ADD_FLAGS(own->after);
            NOTIFY(HEADER_VALUE_COMPLETE, line->value_offset + line->value_length + (line->value_length != 0 ? 2 : 0));
          }
          event = (const struct llhttp_event*)(const void*)last;
          break;
        }
        case LLHTTP_EVENT_NAME:
          SPAN(HEADER_FIELD, at, event->length, 1);
          NOTIFY(HEADER_FIELD_COMPLETE, at + event->length + 1);
          event++;
          break;
        case LLHTTP_EVENT_VALUE:
          SPAN(HEADER_VALUE, at, event->length, 1);
          NOTIFY(HEADER_VALUE_COMPLETE, at + event->length + 2);
          event++;
          break;
        case LLHTTP_EVENT_CHUNK:
          SET(content_length, event->length);
          NOTIFY(CHUNK_HEADER, at);
          SET(content_length, 0);
          SPAN(BODY, at, event->length, 0);
          NOTIFY(CHUNK_COMPLETE, at + event->length + 2);
          event++;
          break;
        case LLHTTP_EVENT_LAST_CHUNK:
          NOTIFY(CHUNK_HEADER, at);
          ADD_FLAGS(F_TRAILING);
          NOTIFY(CHUNK_COMPLETE, at + 2);
          NOTIFY(MESSAGE_COMPLETE, at + 2);
          NEXT_MESSAGE();
          event++;
          break;
        default:
          NOTIFY(HEADERS_COMPLETE, at);
          SET(content_length, 0);
          if (event->length != 0) SPAN(BODY, at, event->length, 0);
          NOTIFY(MESSAGE_COMPLETE, at + event->length);
          NEXT_MESSAGE();
          event += 2;
          break;
      }
    }

    if (frame->changed) SET_WORDS(frame->pub);
    if (UNLIKELY(parser->_index != UNLIMITED))
      parser->_index = parser->_index < MOST_UNITS ? 2 * parser->_index : UNLIMITED;
    /* What is behind the last unit, up to where the room was used up or the input ends. */
    if (frame->priv.open != 0) limits_begin(ext, frame->priv.open, limits->base + (frame->span - p));
    if (UNLIKELY(limits->base + (frame->pos - p) > limits->first))
      return stop_at_limit(parser, &batch, &start, done, p);
    if (frame->status != LLHTTP_FRAME_MORE) break;
    continue;

  failed:
    result = (llhttp_callback_info[callback].span ? llhttp_span_error : llhttp_notify_error)(parser, callback, result);
    if (result != HPE_OK) {
      llhttp_go_back_to(&batch, &start, replayed, before, done, parser);
      if (ext_of(parser) == ext) limits->base += frame->pos - p;
      if (!llhttp_callback_info[callback].span && result != HPE_PAUSED) frame->priv.state = LLHTTP_STATE_ERROR;
      memcpy(&parser->_current, &frame->priv, sizeof(frame->priv));
      parser->error_pos = frame->pos;
      return parser->error = result;
    }
  go_back:
    llhttp_go_back_to(&batch, &start, replayed, before, done, parser);
    GET_WORDS(frame->pub);
    if (ext_of(parser) != ext) {
      memcpy(&parser->_current, &frame->priv, sizeof(frame->priv));
      rest->any = 1;
      rest->at = frame->pos;
      return HPE_OK;
    }
    frame->rules = ext->rules;
  }

  limits->base += frame->pos - p;
  memcpy(&parser->_current, &frame->priv, sizeof(frame->priv));
  if (UNLIKELY(frame->status == LLHTTP_FRAME_STOPPED)) return llhttp_stopped(parser, frame);
  return frame->priv.open == 0 ? HPE_OK : last_span(parser, ext, frame->priv.open, frame->span, endp);
}

/* A short piece that goes past no limit needs no batch; what the parser says of its bytes takes no rule into account
 * but does not depend on one either, if UTF-8 is left out. */
static inline int passes_over(llhttp_t* parser, llhttp_ext_t* ext, struct llhttp_private* priv, const char* p,
                              const char* end) {
  struct llhttp_limits* limits = limits_of(ext);
  if (limits->base + (end - p) > limits->first || (ext->rules & LLHTTP_EXT_TOLERATE_UTF8_TARGET)) return 0;
  if (!llhttp_passes_over(parser, priv, p, end)) return 0;
  limits->base += end - p;
  return 1;
}

int llhttp_run_extended(llhttp_t* parser, const char* p, const char* end) {
  struct llhttp_private priv;
  if (parser->error != HPE_OK) return parser->error;
  if (passes_over(parser, ext_of(parser), &priv, p, end))
    return priv.open == 0 ? HPE_OK : last_span(parser, ext_of(parser), priv.open, p, end);
  while (ext_of(parser) != NULL) {
    struct rest rest = {0, NULL};
    int result = replay(parser, p, end, &rest);
    if (!rest.any) return result;
    p = rest.at;
  }
  return llhttp_run(parser, p, end);
}
