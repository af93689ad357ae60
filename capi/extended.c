/* llhttp_execute for a parser that has an llhttp_ext_t attached. The driver's rules hold here as well. What differs is that
 * every unit comes as an event of its own, so that it can be looked at before its callback; nothing is passed over, and
 * no line is taken as a whole. A parser that has nothing attached never comes here. */
#include "driver.h"
#include "limits.h"

/* What is left of a piece, because something else is attached now. */
struct rest {
  int any;
  const char* at;
};

/* Whether the host has attached another struct, or none, or changed its rules. */
static inline int ext_changed(const llhttp_t* parser, const llhttp_ext_t* ext, const struct llhttp_frame* frame) {
  return ext_of(parser) != ext || ext->rules != frame->rules;
}

/* Calls a unit's callback, if it is set. */
static int call(llhttp_t* parser, const llhttp_ext_t* ext, const struct llhttp_event* event, const char* at) {
  const unsigned callback = event->head >> 8 & 0xff;
  const char* member = (const char*)settings_of(parser) + callback * sizeof(llhttp_cb);
  llhttp_cb notify;
  llhttp_data_cb deliver;
  if (UNLIKELY(callback >= LLHTTP_CB_COUNT)) {
    member = callback == LLHTTP_CB_SKIPPED_LINE ? (const char*)&ext->on_skipped_line
                                                : (const char*)&ext->on_skipped_line_complete;
  }
  if ((event->head & 0xff) == LLHTTP_EVENT_NOTIFY) {
    memcpy(&notify, member, sizeof(notify));
    return notify == NULL ? 0 : notify(parser);
  }
  memcpy(&deliver, member, sizeof(deliver));
  return deliver == NULL ? 0 : deliver(parser, at, event->length);
}

/* The first limit is exceeded behind the batch's n-th unit, the last one that was delivered. The public fields are those that
 * the bytes before its place lead to. */
static COLD int stop_at_limit(llhttp_t* parser, struct batch* batch, const struct start* start, uint32_t n, const char* p) {
  struct llhttp_frame* frame = &batch->frame;
  const struct llhttp_limits* l = limits_of(ext_of(parser));
  const char* stop = p + l->first;
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
    const struct llhttp_event* event;
    uint32_t done = 0; /* units whose callbacks are done */
    int64_t place;
    int result;

    start.pos = frame->pos;
    start.span = frame->span;
    start.priv = frame->priv;
    COPY_WORDS(start.pub, frame->pub);
    COPY_WORDS(expected, frame->pub);
    frame->top = batch.events;
    frame->limit = parser->_index == UNLIMITED ? LLHTTP_FRAME_BY_UNITS : (uint32_t)parser->_index;
    llhttp_core_step(frame);
    CHECK_ROOM(frame);
    for (event = batch.events; event != frame->top; event++) {
      if ((event->head & 0xff) == LLHTTP_EVENT_PUBLIC) {
        expected[0] = event->length;
        event++;
        expected[1] = event->head;
        expected[2] = event->length;
        SET_WORDS(expected);
        continue;
      }
      place = (int64_t)(event->head >> 16);
      if ((event->head & 0xff) != LLHTTP_EVENT_NOTIFY) {
        limits_begin(ext, event->head >> 8 & 0xff, place);
        place += (int64_t)event->length + ((event->head & 0xff) == LLHTTP_EVENT_SPAN_SKIP);
      }
      if (UNLIKELY(place > limits->first)) return stop_at_limit(parser, &batch, &start, done, p);
      limits_unit(ext, event->head >> 8 & 0xff, place, expected[MEMBER_WORD(content_length)] == 0);
      done++;
      result = call(parser, ext, event, p + (event->head >> 16));
      if (UNLIKELY(result)) goto failed;
      if (UNLIKELY(changed(parser, expected) || ext_changed(parser, ext, frame))) goto go_back;
    }

    if (frame->changed) SET_WORDS(frame->pub);
    if (UNLIKELY(parser->_index != UNLIMITED))
      parser->_index = parser->_index < MOST_UNITS ? 2 * parser->_index : UNLIMITED;
    if (frame->status == LLHTTP_FRAME_MORE) continue;
    if (frame->priv.open != 0) limits_begin(ext, frame->priv.open, frame->span - p);
    if (UNLIKELY(frame->pos - p > limits->first)) return stop_at_limit(parser, &batch, &start, done, p);
    break;

  failed:
    result = ((event->head & 0xff) == LLHTTP_EVENT_NOTIFY ? llhttp_notify_error : llhttp_span_error)(
        parser, event->head >> 8 & 0xff, result);
    if (result != HPE_OK) {
      llhttp_go_back_to(&batch, &start, event, 0, done, parser);
      if (ext_of(parser) == ext) limits_shift(limits, frame->pos - p);
      if ((event->head & 0xff) == LLHTTP_EVENT_NOTIFY && result != HPE_PAUSED) frame->priv.state = LLHTTP_STATE_ERROR;
      memcpy(&parser->_current, &frame->priv, sizeof(frame->priv));
      parser->error_pos = frame->pos;
      return parser->error = result;
    }
  go_back:
    llhttp_go_back_to(&batch, &start, event, 0, done, parser);
    GET_WORDS(frame->pub);
    if (ext_of(parser) != ext) {
      memcpy(&parser->_current, &frame->priv, sizeof(frame->priv));
      rest->any = 1;
      rest->at = frame->pos;
      return HPE_OK;
    }
    frame->rules = ext->rules;
  }

  limits_shift(limits, frame->pos - p);
  memcpy(&parser->_current, &frame->priv, sizeof(frame->priv));
  if (UNLIKELY(frame->status == LLHTTP_FRAME_STOPPED)) return llhttp_stopped(parser, frame);
  return frame->priv.open == 0 ? HPE_OK : last_span(parser, ext, frame->priv.open, frame->span, endp);
}

int llhttp_run_extended(llhttp_t* parser, const char* p, const char* end) {
  if (parser->error != HPE_OK) return parser->error;
  while (ext_of(parser) != NULL) {
    struct rest rest = {0, NULL};
    int result = replay(parser, p, end, &rest);
    if (!rest.any) return result;
    p = rest.at;
  }
  return llhttp_run(parser, p, end);
}
