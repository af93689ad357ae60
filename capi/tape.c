/* llhttp_ext_execute and what belongs to it: core/tape.go fills the array; what is promised is in llhttp_ext.h.
 *
 * The parser's state between two calls is that of llhttp_execute (driver.c), so that both may be used on one parser. Of one that
 * has an llhttp_ext_t attached the array is filled by callbacks, which extended.c calls as the limits and rules want. */
#include "tape.h"

#include "driver.h"
#include "ext_limits.h"
#include "states_gen.h"

/* What core/tape.go's section says: of the end of a header section, and of a message. */
static llhttp_ext_event_t section(const llhttp_t* parser, unsigned kind, uint32_t offset) {
  const uint64_t most = (UINT64_C(1) << 40) - 1;
  uint64_t length = parser->content_length < most ? parser->content_length : most;
  llhttp_ext_event_t event;
  memset(&event, 0, sizeof(event));
  event.offset = offset;
  event.length = (uint32_t)length;
  event.kind = (uint8_t)kind;
  event.version = (uint8_t)(parser->http_major << 4 | (parser->http_minor & 15));
  event.id = parser->type == HTTP_RESPONSE ? parser->status_code : parser->method;
  event.value = parser->flags | (uint32_t)(length >> 32) << 24;
  if (parser->upgrade & 1) event.value |= LLHTTP_EXT_EVENT_UPGRADE;
  if (llhttp_should_keep_alive(parser)) event.value |= LLHTTP_EXT_EVENT_KEEP_ALIVE;
  return event;
}

/* The parser's settings while callbacks fill the array. */
struct recorder {
  llhttp_settings_t settings; /* first: it is how the callbacks find the rest */
  llhttp_ext_tape_t* tape;
  const char* data;
  const char* end;
  int cut;        /* a field's name has begun before the data */
  int at_headers; /* the last callback was on_headers_complete, and the call is to end there */
};

/* The parser stops when the array is full, since what it has said already cannot be taken back. */
static int record(struct recorder* r, const llhttp_ext_event_t* event) {
  r->tape->events[r->tape->count++] = *event;
  return r->tape->count == r->tape->room ? HPE_PAUSED : 0;
}

static int record_span(const llhttp_t* parser, unsigned kind, const char* at, size_t length) {
  struct recorder* r = (struct recorder*)parser->settings;
  llhttp_ext_event_t event;
  memset(&event, 0, sizeof(event));
  event.offset = (uint32_t)(at - r->data);
  event.length = (uint32_t)length;
  event.kind = (uint8_t)kind;
  if (kind == LLHTTP_EXT_EVENT_HEADER_FIELD && at + length != r->end && !(r->cut && at == r->data))
    event.id = (uint16_t)llhttp_ext_field_id(at, length);
  return record(r, &event);
}

static int record_notice(const llhttp_t* parser, unsigned kind) {
  struct recorder* r = (struct recorder*)parser->settings;
  const struct llhttp_limits* limits = limits_of(ext_of(parser));
  const uint32_t offset = (uint32_t)(limits->unit_at - limits->base);
  llhttp_ext_event_t event;
  if (kind == LLHTTP_EXT_EVENT_HEADERS_COMPLETE || kind == LLHTTP_EXT_EVENT_MESSAGE_COMPLETE) {
    event = section(parser, kind, offset);
  } else {
    memset(&event, 0, sizeof(event));
    event.offset = offset;
    event.kind = (uint8_t)kind;
    if (kind == LLHTTP_EXT_EVENT_METHOD_COMPLETE) event.value = parser->method;
    if (kind == LLHTTP_EXT_EVENT_VERSION_COMPLETE) event.value = (uint32_t)parser->http_major << 8 | parser->http_minor;
    if (kind == LLHTTP_EXT_EVENT_STATUS_COMPLETE) event.value = parser->status_code;
    if (kind == LLHTTP_EXT_EVENT_CHUNK_HEADER) {
      event.length = (uint32_t)parser->content_length;
      event.value = (uint32_t)(parser->content_length >> 32);
    }
  }
  return record(r, &event);
}

#define RECORD_SPAN(name, kind) \
  static int record_##name(llhttp_t* parser, const char* at, size_t length) { \
    return record_span(parser, LLHTTP_EXT_EVENT_##kind, at, length); \
  }
#define RECORD_NOTICE(name, kind) \
  static int record_##name(llhttp_t* parser) { return record_notice(parser, LLHTTP_EXT_EVENT_##kind); }
LLHTTP_CALLBACKS(RECORD_SPAN, RECORD_NOTICE)

/* What comes at the end of a header section, if the call is to end there. */
static int stop_at_headers(llhttp_t* parser) {
  struct recorder* r = (struct recorder*)parser->settings;
  if (r->tape->mask >> LLHTTP_EXT_EVENT_HEADERS_COMPLETE & 1) record_headers_complete(parser);
  r->at_headers = 1;
  return HPE_PAUSED;
}

static int execute_extended(llhttp_t* parser, const char* data, size_t len, llhttp_ext_tape_t* tape) {
  llhttp_ext_t* ext = ext_of(parser);
  const llhttp_data_cb on_skipped_line = ext->on_skipped_line;
  const llhttp_cb on_skipped_line_complete = ext->on_skipped_line_complete;
  void* const settings = parser->settings;
  const char* const reason = parser->reason;
  struct recorder r;
  struct llhttp_private priv;
  int result;

  memset(&r, 0, sizeof(r));
  memcpy(&priv, &parser->_current, sizeof(priv));
  r.tape = tape;
  r.data = data;
  r.end = data + len;
  r.cut = priv.open == LLHTTP_CB_HEADER_FIELD;
#define SET_CALLBACK(name, kind) \
  if (tape->mask >> LLHTTP_EXT_EVENT_##kind & 1) r.settings.on_##name = record_##name;
  LLHTTP_CALLBACKS(SET_CALLBACK, SET_CALLBACK)
  if (tape->options & LLHTTP_EXT_TAPE_STOP_AT_HEADERS) r.settings.on_headers_complete = stop_at_headers;
  ext->on_skipped_line = NULL;
  ext->on_skipped_line_complete = NULL;
  parser->settings = &r.settings;
  result = llhttp_execute(parser, data, len);
  parser->settings = settings;
  ext->on_skipped_line = on_skipped_line;
  ext->on_skipped_line_complete = on_skipped_line_complete;

  tape->consumed = result == HPE_OK ? len : (size_t)(parser->error_pos - data);
  if (result != HPE_PAUSED) return result;
  /* Only the array's callbacks pause. */
  parser->error = HPE_OK;
  parser->reason = reason;
  if (r.at_headers) return LLHTTP_EXT_TAPE_HEADERS;
  memcpy(&priv, &parser->_current, sizeof(priv));
  /* A span that is open at the end of the input has been delivered as far as it goes. */
  return priv.open != 0 && tape->consumed == len ? HPE_OK : LLHTTP_EXT_TAPE_FULL;
}

int llhttp_ext_execute(llhttp_t* parser, const char* data, size_t len, llhttp_ext_tape_t* tape) {
  struct llhttp_tape run;
  struct llhttp_event batch[EVENTS];
  struct llhttp_frame* frame = &run.frame;
  size_t taken = len < LLHTTP_EXT_TAPE_MOST ? len : LLHTTP_EXT_TAPE_MOST;

  tape->count = 0;
  tape->consumed = 0;
  if (parser->error != HPE_OK) return parser->error;
  if (tape->room == 0) return LLHTTP_EXT_TAPE_FULL;
  if (ext_of(parser) != NULL) {
    int result = execute_extended(parser, data, taken, tape);
    return result == HPE_OK && taken != len ? LLHTTP_EXT_TAPE_FULL : result;
  }
  begin_frame(frame, parser, data, data + taken);
  frame->at_headers = (tape->options & LLHTTP_EXT_TAPE_STOP_AT_HEADERS) != 0;
  run.top = tape->events;
  run.end = tape->events + tape->room;
  run.batch = batch;
  run.room = batch + EVENTS;
  run.mask = tape->mask;
  LLHTTP_CORE(run_tape)(&run);
  SET_WORDS(frame->pub);
  memcpy(&parser->_current, &frame->priv, sizeof(frame->priv));
  tape->count = (uint32_t)(run.top - tape->events);
  tape->consumed = (size_t)(frame->pos - data);
  switch (run.result) {
    case LLHTTP_TAPE_EXHAUSTED: return taken == len ? HPE_OK : LLHTTP_EXT_TAPE_FULL;
    case LLHTTP_TAPE_STOPPED: return llhttp_stopped(parser, frame);
    case LLHTTP_TAPE_HEADERS: return LLHTTP_EXT_TAPE_HEADERS;
    default: return LLHTTP_EXT_TAPE_FULL;
  }
}

int llhttp_ext_after_headers(llhttp_t* parser, int result) {
  struct llhttp_private priv;
  memcpy(&priv, &parser->_current, sizeof(priv));
  if (parser->error != HPE_OK || priv.state != LLHTTP_STATE_AFTER_HEADERS || result < 0 || result > 2) return HPE_USER;
  if (result != 0) llhttp_skip_body(parser, result);
  return HPE_OK;
}

int llhttp_ext_finish(llhttp_t* parser, llhttp_ext_tape_t* tape) {
  tape->count = 0;
  tape->consumed = 0;
  if (parser->error != HPE_OK || parser->finish != HTTP_FINISH_SAFE_WITH_CB) return llhttp_finish(parser);
  if (tape->mask >> LLHTTP_EXT_EVENT_MESSAGE_COMPLETE & 1) {
    if (tape->room == 0) return LLHTTP_EXT_TAPE_FULL;
    tape->events[0] = section(parser, LLHTTP_EXT_EVENT_MESSAGE_COMPLETE, 0);
    tape->count = 1;
  }
  return HPE_OK;
}
