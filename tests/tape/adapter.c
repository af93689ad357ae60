/* llhttp_execute on top of llhttp_ext_execute: calls the callbacks that the tape's events stand for. Linked with the
 * library's own objects in place of its llhttp_execute, or loaded before the library (run.sh), it makes every test of
 * callbacks a test of the tape.
 *
 * The array has room for one event, so that the parser is as in the callback, and what the callback does to it counts. What
 * llhttp_execute promises besides, such as that a reset in a callback does not move the parse, is done here. Each
 * event's numbers are held against the parser's fields. Some pieces go to the library's own llhttp_execute, since both
 * may be used in turns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../capi/frame.h"
#include "../../capi/tables_gen.h"
#include "llhttp.h"
#include "llhttp_ext.h"
#include "says.h"

#ifdef TAPE_TEST_PRELOAD /* before a library that is as it is */
#include <dlfcn.h>
static int tape_test_plain_execute(llhttp_t* parser, const char* data, size_t len) {
  int (*execute)(llhttp_t*, const char*, size_t);
  void* found = dlsym(RTLD_NEXT, "llhttp_execute");
  memcpy(&execute, &found, sizeof execute);
  return execute(parser, data, len);
}
#else
int tape_test_plain_execute(llhttp_t* parser, const char* data, size_t len);
#endif

static void wrong(const llhttp_ext_event_t* e, const char* what) {
  fprintf(stderr, "tape: %s of event %u: offset %u, length %u, version %x, id %u, value %x\n", what, e->kind, e->offset,
          e->length, e->version, e->id, e->value);
  abort();
}

static void check(const llhttp_t* p, const llhttp_ext_event_t* e) {
  llhttp_ext_event_t want = {.length = e->length, .kind = e->kind};
  if (e->kind >= LLHTTP_CB_COUNT) wrong(e, "kind");
  if (llhttp_callback_info[e->kind].span)
    want.id = e->kind == LLHTTP_CB_HEADER_FIELD ? e->id : 0; /* tape.c looks at it */
  else want = tape_says(p, e->kind, llhttp_should_keep_alive(p));
  want.offset = e->offset;
  if (memcmp(&want, e, sizeof want) != 0) wrong(e, "what it says");
}

static int call(llhttp_t* p, const llhttp_ext_event_t* e, const char* data) {
  const llhttp_settings_t* settings = p->settings;
  if (settings == NULL) return 0;
  if (llhttp_callback_info[e->kind].span) {
    llhttp_data_cb f;
    memcpy(&f, (const char*)settings + e->kind * sizeof f, sizeof f);
    return f == NULL ? 0 : f(p, data + e->offset, e->length);
  }
  llhttp_cb f;
  memcpy(&f, (const char*)settings + e->kind * sizeof f, sizeof f);
  return f == NULL ? 0 : f(p);
}

/* What the result of a callback comes to: an errno, or HPE_OK. */
static int result_of(llhttp_t* p, const llhttp_ext_event_t* e, int result) {
  const struct llhttp_callback_info* info = &llhttp_callback_info[e->kind];
  if (info->span) {
    if (result != -1) return result;
    p->reason = info->error_reason;
    return HPE_USER;
  }
  if (e->kind == LLHTTP_CB_HEADERS_COMPLETE && (result == 1 || result == 2)) {
    if (llhttp_ext_after_headers(p, result) != HPE_OK) wrong(e, "llhttp_ext_after_headers after it");
    return HPE_OK;
  }
  if (result == HPE_PAUSED) {
    p->reason = info->pause_reason;
    return HPE_PAUSED;
  }
  p->reason = info->error_reason;
  return info->error;
}

/* The tape has no events for what an attached struct has callbacks for. */
static int has_callbacks(const llhttp_t* p) {
  const llhttp_ext_t* ext = llhttp_ext_attached(p);
  return ext != NULL && (ext->on_skipped_line != NULL || ext->on_skipped_line_complete != NULL);
}

static int execute(llhttp_t* p, const char* data, size_t len) {
  llhttp_ext_event_t event;
  llhttp_ext_tape_t tape = {&event, 1, LLHTTP_EXT_TAPE_ALL, 0, 0, 0};
  struct llhttp_private priv;
  int error = p->error;
  if (error != HPE_OK) return error;
  tape.options = len & 1 ? LLHTTP_EXT_TAPE_STOP_AT_HEADERS : 0;
  for (;;) {
    int rc, result, stops;
    if (has_callbacks(p)) {
      p->error = error;
      return tape_test_plain_execute(p, data, len);
    }
    p->error = HPE_OK; /* a pause that a callback asks for counts at the next piece */
    rc = llhttp_ext_execute(p, data, len, &tape);
    stops = rc == LLHTTP_EXT_TAPE_FULL || rc == LLHTTP_EXT_TAPE_HEADERS;
    if (!stops) {
      if (rc != HPE_OK) {
        if (p->error != rc || p->error_pos != data + tape.consumed) wrong(&event, "error after it, or its position");
        if (tape.count != 0) wrong(&event, "error with it");
        return rc;
      }
      if (tape.consumed != len) wrong(&event, "end of input");
      p->error = error;
      if (tape.count == 0) return HPE_OK;
    } else if (tape.count != 1 || tape.consumed > len) {
      wrong(&event, "return without it");
    }
    check(p, &event);
    if ((rc == LLHTTP_EXT_TAPE_HEADERS) != (tape.options != 0 && event.kind == LLHTTP_CB_HEADERS_COMPLETE))
      wrong(&event, "stop");
    if (!llhttp_callback_info[event.kind].span && event.offset != tape.consumed) wrong(&event, "offset");
#ifdef TAPE_TEST_PLANT /* shows that a difference is noticed */
    if (event.kind == LLHTTP_CB_CHUNK_HEADER && event.length == 0) event.kind = LLHTTP_CB_CHUNK_COMPLETE;
#endif
    memcpy(&priv, &p->_current, sizeof priv);
    p->error = error;
    p->_index = -1;
    result = call(p, &event, data);
    if (stops) {
      if (p->_index == 0) priv.field = 0; /* a reset forgets the kind of field */
      memcpy(&p->_current, &priv, sizeof priv);
    }
    error = p->error;
    if (result != 0) {
      p->error = HPE_OK;
      result = result_of(p, &event, result);
    }
    if (result != HPE_OK) {
      if (!llhttp_callback_info[event.kind].span && result != HPE_PAUSED) {
        priv.state = LLHTTP_STATE_ERROR;
        memcpy(&p->_current, &priv, sizeof priv);
      }
      p->error = result;
      p->error_pos = data + tape.consumed;
      return result;
    }
    if (!stops) {
      p->error = error;
      return HPE_OK;
    }
    data += tape.consumed;
    len -= tape.consumed;
  }
}

llhttp_errno_t llhttp_execute(llhttp_t* parser, const char* data, size_t len) {
  if (len % 5 == 4) return (llhttp_errno_t)tape_test_plain_execute(parser, data, len);
  return (llhttp_errno_t)execute(parser, data, len);
}

int llhttp__internal_execute(llhttp__internal_t* parser, const char* data, const char* end) {
  return llhttp_execute(parser, data, (size_t)(end - data));
}
