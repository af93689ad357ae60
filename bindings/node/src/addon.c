/* The addon: functions for lib/index.js, which alone calls them and checks what its users give it.
 *
 * A parser is an external value that lives as long as the HTTPParser that holds it. There is no other state, so that
 * any number of threads and contexts may load the addon. A call that fails throws; its return value is then NULL.
 */
#define NAPI_VERSION 8
#include "parser.h"

#include <stdio.h>
#include <stdlib.h>

#include "llhttp_ext.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Throws what went wrong with a call of Node-API, unless an exception is on its way already. */
static napi_value failed(napi_env env) {
  const napi_extended_error_info* info;
  const char* message = "unknown error";
  bool pending = true;
  if (napi_get_last_error_info(env, &info) == napi_ok && info->error_message != NULL) message = info->error_message;
  if (napi_is_exception_pending(env, &pending) == napi_ok && !pending) napi_throw_error(env, "ERR_NAPI", message);
  return NULL;
}

#define TRY(call) \
  do { \
    if ((call) != napi_ok) return failed(env); \
  } while (0)

static napi_value no_memory(napi_env env) {
  napi_throw_error(env, "ERR_MEMORY_ALLOCATION_FAILED", "Out of memory");
  return NULL;
}

/* Reads exactly `count` arguments, the first of which is the parser if parser is not NULL. */
static bool read_arguments(napi_env env, napi_callback_info info, size_t count, napi_value* arguments,
                           struct parser** parser) {
  size_t given = count;
  if (napi_get_cb_info(env, info, &given, arguments, NULL, NULL) != napi_ok) return false;
  if (given != count) return false;
  return parser == NULL || napi_get_value_external(env, arguments[0], (void**)parser) == napi_ok;
}

#define ARGUMENTS(count, parser) \
  napi_value arguments[count]; \
  if (!read_arguments(env, info, (count), arguments, (parser))) return failed(env)

static napi_value string_value(napi_env env, const char* text) {
  napi_value value;
  if (text == NULL) {
    TRY(napi_get_null(env, &value));
  } else {
    TRY(napi_create_string_utf8(env, text, NAPI_AUTO_LENGTH, &value));
  }
  return value;
}

static void finalize(napi_env env, void* data, void* hint) {
  int64_t ignored;
  (void)hint;
  parser_free(data);
  napi_adjust_external_memory(env, -(int64_t)sizeof(struct parser), &ignored);
}

/* create(type, collected, called) */
static napi_value create(napi_env env, napi_callback_info info) {
  ARGUMENTS(3, NULL);
  uint32_t type, collected, called;
  int64_t ignored;
  struct parser* parser;
  napi_value value;
  TRY(napi_get_value_uint32(env, arguments[0], &type));
  TRY(napi_get_value_uint32(env, arguments[1], &collected));
  TRY(napi_get_value_uint32(env, arguments[2], &called));
  parser = parser_new((llhttp_type_t)type, collected, called);
  if (parser == NULL) return no_memory(env);
  if (napi_create_external(env, parser, finalize, NULL, &value) != napi_ok) {
    parser_free(parser);
    return failed(env);
  }
  TRY(napi_adjust_external_memory(env, sizeof(*parser), &ignored));
  return value;
}

static napi_value refuse(napi_env env, const char* message) {
  napi_throw_type_error(env, "ERR_INVALID_ARG_VALUE", message);
  return NULL;
}

static napi_value refuse_left(napi_env env) {
  napi_throw_error(env, "ERR_INVALID_STATE",
                   "A callback has detached or shrunk the buffer that was being parsed; the parser needs a reset");
  return NULL;
}

/* The words of a Uint32Array. */
static napi_status get_words(napi_env env, napi_value value, uint32_t** words, size_t* count) {
  return napi_get_typedarray_info(env, value, NULL, count, (void**)words, NULL, NULL);
}

/* Sets up a run that dispatches to a function and writes to a tape. */
static napi_status begin_run(napi_env env, struct run* run, napi_value tape, napi_value dispatch) {
  uint32_t* words;
  size_t room;
  napi_status status = get_words(env, tape, &words, &room);
  if (status != napi_ok) return status;
  tape_init(&run->tape, words, room);
  run->env = env;
  run->dispatch = dispatch;
  run->memory = NULL;
  run->threw = false;
  run->no_memory = false;
  return napi_get_undefined(env, &run->undefined);
}

/* What both kinds of run end with. */
static napi_value end_run(napi_env env, const struct parser* parser, const struct run* run, llhttp_errno_t result) {
  napi_value value;
  run->tape.lent[TAPE_USED] = (uint32_t)run->tape.used;
  run->tape.lent[TAPE_PARSED] = (uint32_t)run->parsed;
  run->tape.lent[TAPE_BEFORE] = (uint32_t)run->before;
  if (run->threw) return failed(env);
  if (run->no_memory) return no_memory(env);
  if (parser->left) return refuse_left(env);
  TRY(napi_create_int32(env, (int32_t)result, &value));
  return value;
}

/* execute(parser, buffer, tape, dispatch): the errno */
static napi_value execute(napi_env env, napi_callback_info info) {
  struct parser* parser;
  ARGUMENTS(4, &parser);
  struct run run;
  napi_value memory;
  size_t offset;
  void *bytes, *start;
  bool is_arraybuffer, is_detached;

  if (parser->left) return refuse_left(env);
  TRY(begin_run(env, &run, arguments[2], arguments[3]));
  TRY(napi_get_typedarray_info(env, arguments[1], NULL, &run.length, &bytes, &memory, &offset));
  TRY(napi_is_arraybuffer(env, memory, &is_arraybuffer));
  if (!is_arraybuffer) {
    return refuse(env, "The bytes are in a SharedArrayBuffer, where they may change during the parse: parse a copy");
  }
  if (run.length == 0) {
    TRY(napi_is_detached_arraybuffer(env, memory, &is_detached));
    if (is_detached) return refuse(env, "The buffer is detached");
  }
  if (run.length > UINT32_MAX) {
    napi_throw_range_error(env, "ERR_OUT_OF_RANGE", "The buffer has 4 GiB or more: parse it in pieces");
    return NULL;
  }
  if (parser->called != 0) {
    TRY(napi_get_arraybuffer_info(env, memory, &start, NULL));
    run.memory = memory;
    run.memory_start = start;
    run.memory_needed = offset + run.length;
  }
  run.bytes = bytes;
  return end_run(env, parser, &run, parser_execute(parser, &run));
}

/* finish(parser, tape, dispatch): the errno */
static napi_value finish(napi_env env, napi_callback_info info) {
  struct parser* parser;
  ARGUMENTS(3, &parser);
  struct run run;
  if (parser->left) return refuse_left(env);
  TRY(begin_run(env, &run, arguments[1], arguments[2]));
  return end_run(env, parser, &run, parser_finish(parser, &run));
}

/* overflow(parser, tape): moves what the last run did not find room for to a tape of the size that it had asked for. */
static napi_value overflow(napi_env env, napi_callback_info info) {
  struct parser* parser;
  ARGUMENTS(2, &parser);
  struct tape tape;
  uint32_t* words;
  size_t room;
  TRY(get_words(env, arguments[1], &words, &room));
  tape_init(&tape, words, room);
  if (parser->overflow == NULL || room < parser->overflow_used) return refuse(env, "The tape is too short");
  tape_append(&tape, parser->overflow + TAPE_EVENTS, parser->overflow_used - TAPE_EVENTS);
  free(parser->overflow);
  parser->overflow = NULL;
  return NULL;
}

static napi_value reset(napi_env env, napi_callback_info info) {
  struct parser* parser;
  ARGUMENTS(1, &parser);
  parser_reset(parser);
  return NULL;
}

static napi_value pause_(napi_env env, napi_callback_info info) {
  struct parser* parser;
  ARGUMENTS(1, &parser);
  parser_pause(parser);
  return NULL;
}

static napi_value resume(napi_env env, napi_callback_info info) {
  struct parser* parser;
  ARGUMENTS(1, &parser);
  parser_resume(parser);
  return NULL;
}

static napi_value resume_after_upgrade(napi_env env, napi_callback_info info) {
  struct parser* parser;
  ARGUMENTS(1, &parser);
  llhttp_resume_after_upgrade(&parser->llhttp);
  return NULL;
}

/* setLenient(parser, flags, enabled) */
static napi_value set_lenient(napi_env env, napi_callback_info info) {
  struct parser* parser;
  ARGUMENTS(3, &parser);
  uint32_t flags;
  bool enabled;
  TRY(napi_get_value_uint32(env, arguments[1], &flags));
  TRY(napi_get_value_bool(env, arguments[2], &enabled));
  parser_set_lenient(parser, flags, enabled);
  return NULL;
}

/* info(parser, words) */
static napi_value get_info(napi_env env, napi_callback_info info) {
  struct parser* parser;
  ARGUMENTS(2, &parser);
  uint32_t* words;
  size_t room;
  TRY(get_words(env, arguments[1], &words, &room));
  if (room < INFO_WORDS) return refuse(env, "Too few words");
  parser_info(parser, words);
  return NULL;
}

static napi_value reason(napi_env env, napi_callback_info info) {
  struct parser* parser;
  ARGUMENTS(1, &parser);
  return string_value(env, llhttp_get_error_reason(&parser->llhttp));
}

static napi_value errno_name(napi_env env, napi_callback_info info) {
  ARGUMENTS(1, NULL);
  int32_t number;
  TRY(napi_get_value_int32(env, arguments[0], &number));
  return string_value(env, llhttp_errno_name((llhttp_errno_t)number));
}

static const struct {
  const char* name;
  napi_callback call;
} functions[] = {
    {"create", create},
    {"execute", execute},
    {"finish", finish},
    {"overflow", overflow},
    {"reset", reset},
    {"pause", pause_},
    {"resume", resume},
    {"resumeAfterUpgrade", resume_after_upgrade},
    {"setLenient", set_lenient},
    {"info", get_info},
    {"reason", reason},
    {"errnoName", errno_name},
};

/* The layout of the tape, tape.h, for the JavaScript that reads it. */
static const struct {
  const char* name;
  uint32_t value;
} constants[] = {
#define X(name) {#name, name}
    X(TAPE_USED),       X(TAPE_BEFORE),       X(TAPE_PARSED),     X(TAPE_RECORD),      X(TAPE_EVENTS),
    X(EVENT_OFFSET),    X(EVENT_LENGTH),      X(EVENT_KIND),      X(EVENT_VALUE),      X(EVENT_WORDS),
    X(EVENT_UPGRADE),   X(EVENT_KEEP_ALIVE),  X(EVENT_NEEDS_EOF), X(EVENT_RESPONSE),   X(EVENT_BLANK),
    X(INFO_START_LINE), X(INFO_STATUS),       X(INFO_LENGTH_LOW), X(INFO_LENGTH_HIGH), X(INFO_BITS),
    X(INFO_LENIENT),    X(INFO_ERRNO),        X(INFO_WORDS),      X(INFO_UPGRADE),     X(INFO_KEEP_ALIVE),
    X(INFO_NEEDS_EOF),  X(INFO_METHOD_KNOWN),
#undef X
};

static napi_status set_string(napi_env env, napi_value object, const char* name, const char* text) {
  napi_value value = string_value(env, text);
  return value == NULL ? napi_pending_exception : napi_set_named_property(env, object, name, value);
}

NAPI_MODULE_INIT() {
  char version[32];
  napi_value value;
  for (size_t i = 0; i < COUNT(functions); i++) {
    TRY(napi_create_function(env, functions[i].name, NAPI_AUTO_LENGTH, functions[i].call, NULL, &value));
    TRY(napi_set_named_property(env, exports, functions[i].name, value));
  }
  for (size_t i = 0; i < COUNT(constants); i++) {
    TRY(napi_create_uint32(env, constants[i].value, &value));
    TRY(napi_set_named_property(env, exports, constants[i].name, value));
  }
  snprintf(version, sizeof(version), "%d.%d.%d", LLHTTP_VERSION_MAJOR, LLHTTP_VERSION_MINOR, LLHTTP_VERSION_PATCH);
  TRY(set_string(env, exports, "version", version));
  TRY(set_string(env, exports, "simdLevel", llhttp_ext_simd_name(llhttp_ext_simd_get())));
  TRY(set_string(env, exports, "simdError", llhttp_ext_simd_error()));
  return exports;
}
