/* llhttp_ext_execute and what belongs to it: core/tape.go fills the array; what is promised is in llhttp_ext.h.
 *
 * The parser's state between two calls is that of llhttp_execute (driver.c), so that both may be used on one parser. A
 * parser that has more attached to it than llhttp_t shows would have to be looked at here first. */
#include <string.h>

#include "frame.h"
#include "llhttp_ext.h"
#include "states_gen.h"
#include "tables_gen.h"
#include "tape.h"

/* Room for the parser's own events, of 16 bytes each. Tests build with little room. */
#ifdef LLHTTP_TEST_EVENTS
#define EVENTS LLHTTP_TEST_EVENTS
#else
#define EVENTS 160
#endif

/* The parser takes the public fields as words: see frame.h. */
static void load(struct llhttp_frame* frame, const llhttp_t* parser) {
  memcpy(frame->pub, (const char*)parser + LLHTTP_PUBLIC_OFFSET, sizeof(frame->pub));
  memcpy(&frame->priv, &parser->_current, sizeof(frame->priv));
}

static void store(llhttp_t* parser, const struct llhttp_frame* frame) {
  memcpy((char*)parser + LLHTTP_PUBLIC_OFFSET, frame->pub, sizeof(frame->pub));
  memcpy(&parser->_current, &frame->priv, sizeof(frame->priv));
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
  load(frame, parser);
  frame->buf = frame->pos = frame->span = data;
  frame->end = data + taken;
  frame->few = 0;
  frame->rules = 0;
  frame->at_headers = (tape->options & LLHTTP_EXT_TAPE_STOP_AT_HEADERS) != 0;
  run.top = tape->events;
  run.end = tape->events + tape->room;
  run.batch = batch;
  run.room = batch + EVENTS;
  run.mask = tape->mask;
  LLHTTP_CORE(run_tape)(&run);
  store(parser, frame);
  tape->count = (uint32_t)(run.top - tape->events);
  switch (run.result) {
    case LLHTTP_TAPE_EXHAUSTED:
      tape->consumed = taken;
      return taken == len ? HPE_OK : LLHTTP_EXT_TAPE_FULL;
    case LLHTTP_TAPE_STOPPED:
      parser->reason = llhttp_core_reasons[frame->reason].text;
      parser->error_pos = frame->pos;
      parser->error = llhttp_core_reasons[frame->reason].error;
      tape->consumed = (size_t)(frame->pos - data);
      return parser->error;
    case LLHTTP_TAPE_HEADERS:
      tape->consumed = (size_t)(frame->pos - data);
      return LLHTTP_EXT_TAPE_HEADERS;
    default:
      tape->consumed = (size_t)(frame->pos - data);
      return LLHTTP_EXT_TAPE_FULL;
  }
}

int llhttp_ext_after_headers(llhttp_t* parser, int result) {
  struct llhttp_private priv;
  memcpy(&priv, &parser->_current, sizeof(priv));
  if (parser->error != HPE_OK || priv.state != LLHTTP_STATE_AFTER_HEADERS || result < 0 || result > 2) return HPE_USER;
  if (result == 2) parser->upgrade = 1;
  if (result != 0) parser->flags |= F_SKIPBODY;
  return HPE_OK;
}

/* What core/tape.go's section says, here for the end of the connection. */
static llhttp_ext_event_t message_complete(const llhttp_t* parser) {
  const uint64_t most = (UINT64_C(1) << 40) - 1;
  uint64_t length = parser->content_length < most ? parser->content_length : most;
  llhttp_ext_event_t event;
  memset(&event, 0, sizeof(event));
  event.length = (uint32_t)length;
  event.kind = LLHTTP_EXT_EVENT_MESSAGE_COMPLETE;
  event.version = (uint8_t)(parser->http_major << 4 | (parser->http_minor & 15));
  event.id = parser->type == HTTP_RESPONSE ? parser->status_code : parser->method;
  event.value = parser->flags | (uint32_t)(length >> 32) << 24;
  if (parser->upgrade & 1) event.value |= LLHTTP_EXT_EVENT_UPGRADE;
  if (llhttp_should_keep_alive(parser)) event.value |= LLHTTP_EXT_EVENT_KEEP_ALIVE;
  return event;
}

int llhttp_ext_finish(llhttp_t* parser, llhttp_ext_tape_t* tape) {
  tape->count = 0;
  tape->consumed = 0;
  if (parser->error != HPE_OK || parser->finish != HTTP_FINISH_SAFE_WITH_CB) return llhttp_finish(parser);
  if (tape->mask >> LLHTTP_EXT_EVENT_MESSAGE_COMPLETE & 1) {
    if (tape->room == 0) return LLHTTP_EXT_TAPE_FULL;
    tape->events[0] = message_complete(parser);
    tape->count = 1;
  }
  return HPE_OK;
}
