/* The events of an llhttp_t on their way to the tape and to JavaScript. */
#include "parser.h"

#include <stdlib.h>
#include <string.h>

#include "tables_gen.h"

enum event {
#define X(name, number) EVENT_##name = number,
  SPAN_CALLBACKS(X) NOTIFY_CALLBACKS(X)
#undef X
};

/* Events that show the message's state, and those that the parser itself wants to know of. */
#define BIT(event) (UINT32_C(1) << (event))
#define SHOW_STATE (BIT(EVENT_headers_complete) | BIT(EVENT_message_complete) | BIT(EVENT_chunk_header))
#define WATCHED (BIT(EVENT_method_complete) | BIT(EVENT_message_complete))

void parser_info(const struct parser* parser, uint32_t* words) {
  llhttp_t* llhttp = (llhttp_t*)&parser->llhttp; /* the getters read it only */
  words[INFO_START_LINE] = (uint32_t)llhttp_get_type(llhttp) | (uint32_t)llhttp_get_method(llhttp) << 8 |
                           (uint32_t)llhttp_get_http_major(llhttp) << 16 |
                           (uint32_t)llhttp_get_http_minor(llhttp) << 24;
  words[INFO_STATUS] = (uint32_t)llhttp_get_status_code(llhttp) | (uint32_t)llhttp->flags << 16;
  words[INFO_LENGTH_LOW] = (uint32_t)llhttp->content_length;
  words[INFO_LENGTH_HIGH] = (uint32_t)(llhttp->content_length >> 32);
  words[INFO_BITS] = 0;
  if (llhttp_get_upgrade(llhttp)) words[INFO_BITS] |= INFO_UPGRADE;
  if (llhttp_should_keep_alive(llhttp)) words[INFO_BITS] |= INFO_KEEP_ALIVE;
  if (llhttp_message_needs_eof(llhttp)) words[INFO_BITS] |= INFO_NEEDS_EOF;
  if (parser->method_known) words[INFO_BITS] |= INFO_METHOD_KNOWN;
  words[INFO_LENIENT] = llhttp->lenient_flags;
  words[INFO_ERRNO] = (uint32_t)llhttp_get_errno(llhttp);
}

/* Whether the memory under the bytes is still there. */
static bool memory_holds(const struct run* run) {
  void* start;
  size_t size;
  if (run->memory == NULL) return true;
  return napi_get_arraybuffer_info(run->env, run->memory, &start, &size) == napi_ok && start == run->memory_start &&
         size >= run->memory_needed;
}

/* Runs the callback of the record that is in its place. Returns the callback's result, or does not return. */
static int call(struct run* run) {
  napi_handle_scope scope;
  napi_value value;
  int32_t result = -1;
  napi_status status = napi_open_handle_scope(run->env, &scope);
  if (status == napi_ok) {
    status = napi_call_function(run->env, run->undefined, run->dispatch, 0, NULL, &value);
    if (status == napi_ok) status = napi_get_value_int32(run->env, value, &result);
    napi_close_handle_scope(run->env, scope);
  }
  if (status != napi_ok) {
    run->threw = true;
    result = -1;
  }
  if (!memory_holds(run)) longjmp(run->leave, 1);
  return result;
}

static int deliver(llhttp_t* llhttp, enum event event, const char* at, size_t length) {
  struct parser* parser = llhttp->data;
  struct run* run = parser->run;
  uint32_t record[RECORD_WORDS];
  uint32_t words = 1;
  int result = 0;

  if (at != NULL) {
    record[1] = (uint32_t)(at - run->bytes);
    record[2] = (uint32_t)length;
    words = 3;
  } else if (SHOW_STATE & BIT(event)) {
    parser_info(parser, record + 1);
    words = RECORD_WORDS;
  }
  record[0] = event | words << 8;

  if (event == EVENT_method_complete) parser->method_known = true;
  if (parser->collected & BIT(event) && !tape_append(&run->tape, record, words)) {
    run->no_memory = true;
    return -1;
  }
  if (parser->called & BIT(event)) {
    memcpy(run->tape.lent + TAPE_RECORD, record, words * sizeof(*record));
    result = call(run);
  }
  if (result == 0 && parser->pausing) {
    parser->pausing = false;
    result = HPE_PAUSED;
  }
  return result;
}

#define X(name, number) \
  static int on_##name(llhttp_t* llhttp, const char* at, size_t length) { \
    return deliver(llhttp, EVENT_##name, at, length); \
  }
SPAN_CALLBACKS(X)
#undef X

#define X(name, number) \
  static int on_##name(llhttp_t* llhttp) { return deliver(llhttp, EVENT_##name, NULL, 0); }
NOTIFY_CALLBACKS(X)
#undef X

struct parser* parser_new(llhttp_type_t type, uint32_t collected, uint32_t called) {
  struct parser* parser = calloc(1, sizeof(*parser));
  if (parser == NULL) return NULL;
  parser->collected = collected;
  parser->called = called;
  llhttp_settings_init(&parser->settings);
#define X(name, number) \
  if ((collected | called | WATCHED) & BIT(number)) parser->settings.on_##name = on_##name;
  SPAN_CALLBACKS(X)
  NOTIFY_CALLBACKS(X)
#undef X
  llhttp_init(&parser->llhttp, type, &parser->settings);
  parser->llhttp.data = parser;
  return parser;
}

void parser_free(struct parser* parser) {
  free(parser->overflow);
  free(parser);
}

/* llhttp wants a parser that was left by longjmp to be initialised again. */
static void start_again(struct parser* parser) {
  uint32_t lenient = parser->llhttp.lenient_flags;
  llhttp_init(&parser->llhttp, (llhttp_type_t)llhttp_get_type(&parser->llhttp), &parser->settings);
  parser->llhttp.data = parser;
  parser_set_lenient(parser, lenient, 1);
}

/* The frame that call leaves for: it has no variables that would be lost. */
static llhttp_errno_t execute_or_leave(struct parser* parser, struct run* run) {
  if (setjmp(run->leave) != 0) {
    parser->left = true;
    return HPE_INTERNAL;
  }
  return llhttp_execute(&parser->llhttp, run->bytes, run->length);
}

static void begin(struct parser* parser, struct run* run) {
  free(parser->overflow);
  parser->overflow = NULL;
  parser->run = run;
  run->before = llhttp_get_errno(&parser->llhttp);
  run->parsed = 0;
}

static void end(struct parser* parser, struct run* run) {
  parser->run = NULL;
  parser->pausing = false;
  parser->overflow = run->tape.overflow;
  parser->overflow_used = run->tape.used;
}

llhttp_errno_t parser_execute(struct parser* parser, struct run* run) {
  llhttp_errno_t result;
  begin(parser, run);
  result = execute_or_leave(parser, run);
  if (parser->left) {
    start_again(parser);
  } else if (result == HPE_OK) {
    run->parsed = run->length;
    if (parser->pausing) {
      llhttp_pause(&parser->llhttp);
      result = HPE_PAUSED;
    }
  } else if (run->before == HPE_OK) { /* otherwise the error's position is in an earlier buffer */
    run->parsed = (size_t)(llhttp_get_error_pos(&parser->llhttp) - run->bytes);
  }
  end(parser, run);
  return result;
}

llhttp_errno_t parser_finish(struct parser* parser, struct run* run) {
  llhttp_errno_t result;
  begin(parser, run);
  result = llhttp_finish(&parser->llhttp);
  end(parser, run);
  switch ((int)result) {
    case HPE_OK:
    case HPE_PAUSED:
    case HPE_INVALID_EOF_STATE:
    case HPE_INTERNAL:
      return result;
    default: /* the callback's result as it is, which llhttp_execute would turn into this */
      return HPE_CB_MESSAGE_COMPLETE;
  }
}

void parser_reset(struct parser* parser) {
  llhttp_reset(&parser->llhttp);
  parser->method_known = false;
  parser->left = false;
}

void parser_pause(struct parser* parser) {
  if (parser->run != NULL) {
    parser->pausing = true;
  } else {
    llhttp_pause(&parser->llhttp);
  }
}

void parser_resume(struct parser* parser) {
  if (parser->run != NULL) {
    parser->pausing = false;
  } else {
    llhttp_resume(&parser->llhttp);
  }
}

void parser_set_lenient(struct parser* parser, uint32_t flags, int enabled) {
#define X(setter, bit) \
  if (flags & (bit)) setter(&parser->llhttp, enabled);
  LENIENT_SETTERS(X)
#undef X
}
