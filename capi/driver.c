/* llhttp_execute: replays the parser's events into the host's callbacks. No parsing decision is made here.
 *
 * One batch of events at a time. What must hold:
 *  - At every callback llhttp_t's public fields show what llhttp shows there. They change only here, from the
 *    events, and by the host.
 *  - A callback that stops the parse, or changes a public field, takes effect at that very point: the driver
 *    goes back to where the batch began and runs it again up to the unit whose callback it was. The parser is
 *    deterministic, so the frame is then exactly as it was when that callback was due.
 *  - The parser's own state is written to llhttp_t when execute returns, and before the last span is delivered;
 *    what a callback does to it before that (llhttp_reset) is overwritten, as in llhttp. */
#include "frame.h"

#include <string.h>

#include "tables_gen.h"

/* Units in a batch. Kept small enough that the events stay in the first-level cache and the frame below 4 KiB. */
#define BATCH 40

/* After a rewind the next batches are short, so that a host that pauses at every callback pays for few events
 * at a time; each batch without a rewind doubles the length. */
#define BATCH_AFTER_REWIND 4

/* llhttp_t's _index holds the length of the next batch; zero in a fresh parser. That it is not zero while execute
 * runs shows that the host has not called llhttp_init or llhttp_reset in a callback. */

struct batch {
  struct llhttp_frame frame;
  struct llhttp_event events[BATCH * LLHTTP_UNIT_EVENTS];
};

/* Where a batch begins: what running it again starts from. */
struct start {
  const char* pos;
  const char* span;
  struct llhttp_private priv;
  struct llhttp_public pub;
};

static struct llhttp_public get_public(const llhttp_t* parser) {
  struct llhttp_public pub;
  memcpy(&pub, (const char*)parser + LLHTTP_PUBLIC_OFFSET, sizeof(pub));
  return pub;
}

static void set_public(llhttp_t* parser, const struct llhttp_public* pub) {
  memcpy((char*)parser + LLHTTP_PUBLIC_OFFSET, pub, sizeof(*pub));
}

static int changed(const llhttp_t* parser, const struct llhttp_public* pub) {
  struct llhttp_public now = get_public(parser);
  return ((now.words[0] ^ pub->words[0]) | (now.words[1] ^ pub->words[1]) | (now.words[2] ^ pub->words[2])) != 0;
}

static struct llhttp_private get_private(const llhttp_t* parser) {
  struct llhttp_private priv;
  memcpy(&priv, &parser->_current, sizeof(priv));
  return priv;
}

static void set_private(llhttp_t* parser, struct llhttp_private priv) {
  memcpy(&parser->_current, &priv, sizeof(priv));
}

static llhttp_cb notify_callback(const llhttp_t* parser, unsigned id) {
  llhttp_cb callback = NULL;
  if (parser->settings != NULL)
    memcpy(&callback, (const char*)parser->settings + id * sizeof(callback), sizeof(callback));
  return callback;
}

static llhttp_data_cb span_callback(const llhttp_t* parser, unsigned id) {
  llhttp_data_cb callback = NULL;
  if (parser->settings != NULL)
    memcpy(&callback, (const char*)parser->settings + id * sizeof(callback), sizeof(callback));
  return callback;
}

static int call_span(llhttp_t* parser, unsigned id, const char* at, size_t length) {
  llhttp_data_cb callback = span_callback(parser, id);
  int result = callback == NULL ? 0 : callback(parser, at, length);
  if (result == -1) {
    result = HPE_USER;
    parser->reason = llhttp_callback_info[id].error_reason;
  }
  return result;
}

/* Turns the result of a callback without a span into an errno, HPE_OK to go on. */
static int call_notify(llhttp_t* parser, unsigned id) {
  llhttp_cb callback = notify_callback(parser, id);
  int result = callback == NULL ? 0 : callback(parser);
  if (result == 0) return HPE_OK;
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

/* Brings the frame to the state in which the callback of the batch's n-th unit was due and done. */
static void rewind_to(struct batch* batch, const struct start* start, uint32_t n) {
  struct llhttp_frame* frame = &batch->frame;
  frame->pos = start->pos;
  frame->span = start->span;
  frame->priv = start->priv;
  frame->pub = start->pub;
  frame->top = batch->events;
  frame->limit = n;
  llhttp_core_step(frame);
}

/* Ends the parse with an error or a pause of a callback; the frame is where that callback was due. */
static int stop(llhttp_t* parser, const struct llhttp_frame* frame, int error) {
  set_private(parser, frame->priv);
  parser->error = error;
  parser->error_pos = frame->pos;
  return error;
}

int llhttp__internal_execute(llhttp__internal_t* parser, const char* p, const char* endp) {
  struct batch batch;
  struct llhttp_frame* frame = &batch.frame;
  uint32_t length;

  if (parser->error != HPE_OK) return parser->error;

  frame->buf = p;
  frame->pos = p;
  frame->end = endp;
  frame->span = p;
  frame->priv = get_private(parser);
  frame->pub = get_public(parser);
  length = parser->_index != 0 ? (uint32_t)parser->_index : BATCH;

  for (;;) {
    struct start start;
    struct llhttp_public expected;
    const struct llhttp_event* event;
    uint32_t unit = 0;
    int rewound = 0;

    parser->_index = (int32_t)length;
    start.pos = frame->pos;
    start.span = frame->span;
    start.priv = frame->priv;
    start.pub = expected = frame->pub;
    frame->top = batch.events;
    frame->limit = length;
    llhttp_core_step(frame);

    for (event = batch.events; event != frame->top; event++) {
      unsigned kind = event->head & 0xff;
      unsigned id = event->head >> 8 & 0xff;
      int error;

      if (kind == LLHTTP_EVENT_PUBLIC) {
        expected.words[0] = event->length;
        event++;
        expected.words[1] = event->head;
        expected.words[2] = event->length;
        set_public(parser, &expected);
        continue;
      }
      unit++;
      if (kind == LLHTTP_EVENT_NOTIFY) {
        error = call_notify(parser, id);
        if (error != HPE_OK) {
          rewind_to(&batch, &start, unit);
          if (error != HPE_PAUSED) frame->priv.state = LLHTTP_STATE_ERROR;
        }
      } else {
        error = call_span(parser, id, frame->buf + (event->head >> 16), event->length);
        if (error != HPE_OK) rewind_to(&batch, &start, unit);
      }
      if (error != HPE_OK) {
        parser->_index = BATCH_AFTER_REWIND;
        return stop(parser, frame, error);
      }
      if (changed(parser, &expected)) {
        rewind_to(&batch, &start, unit);
        frame->pub = get_public(parser);
        if (parser->_index == 0) frame->priv.field = 0; /* llhttp_reset forgets the kind of field, too */
        rewound = 1;
        break;
      }
    }
    if (rewound) {
      length = BATCH_AFTER_REWIND;
      continue;
    }

    set_public(parser, &frame->pub);
    if (frame->status != LLHTTP_FRAME_MORE) break;
    length = length * 2 < BATCH ? length * 2 : BATCH;
  }

  set_private(parser, frame->priv);
  if (frame->status == LLHTTP_FRAME_STOPPED) {
    parser->reason = llhttp_core_reasons[frame->reason].text;
    return stop(parser, frame, llhttp_core_reasons[frame->reason].error);
  }
  if (frame->priv.open != 0) {
    int error = call_span(parser, frame->priv.open, frame->span, (size_t)(frame->end - frame->span));
    if (error != HPE_OK) {
      parser->error = error;
      parser->error_pos = frame->end;
      return error;
    }
  }
  return HPE_OK;
}

llhttp_errno_t llhttp_execute(llhttp_t* parser, const char* data, size_t len) {
  return (llhttp_errno_t)llhttp__internal_execute(parser, data, data + len);
}
