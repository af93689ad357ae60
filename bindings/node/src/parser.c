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

#define BIT(event) (UINT32_C(1) << (event))

/* Events of which the parser itself wants to know. */
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

/* What llhttp_ext_execute leaves out of the events that show the message's state. */
static void show_state(const llhttp_t* llhttp, uint64_t content_length, uint32_t* event) {
  event[EVENT_OFFSET] = (uint32_t)(content_length >> 32);
  event[EVENT_LENGTH] = (uint32_t)content_length;
  event[EVENT_VALUE] &= 0xffff | EVENT_UPGRADE | EVENT_KEEP_ALIVE;
  if (llhttp->type == HTTP_RESPONSE) {
    llhttp_t message = {0};
    message.type = HTTP_RESPONSE;
    message.status_code = (uint16_t)(event[EVENT_KIND] >> 16);
    message.flags = (uint16_t)event[EVENT_VALUE];
    event[EVENT_VALUE] |= EVENT_RESPONSE;
    if (llhttp_message_needs_eof(&message)) event[EVENT_VALUE] |= EVENT_NEEDS_EOF;
  }
}

/* The event that a callback stands for, as llhttp_ext_execute writes it. */
static void describe(const llhttp_t* llhttp, enum event event, uint32_t* words) {
  memset(words, 0, EVENT_WORDS * sizeof(*words));
  words[EVENT_KIND] = event;
  if (event == EVENT_chunk_header) {
    words[EVENT_LENGTH] = (uint32_t)llhttp->content_length;
    words[EVENT_VALUE] = (uint32_t)(llhttp->content_length >> 32);
  } else if (event == EVENT_headers_complete || event == EVENT_message_complete) {
    uint32_t number = llhttp->type == HTTP_RESPONSE ? llhttp->status_code : llhttp->method;
    words[EVENT_KIND] |= (uint32_t)(llhttp->http_major << 4 | (llhttp->http_minor & 15)) << 8 | number << 16;
    words[EVENT_VALUE] = llhttp->flags;
    if (llhttp->upgrade) words[EVENT_VALUE] |= EVENT_UPGRADE;
    if (llhttp_should_keep_alive(llhttp)) words[EVENT_VALUE] |= EVENT_KEEP_ALIVE;
    show_state(llhttp, llhttp->content_length, words);
  }
}

static int deliver(llhttp_t* llhttp, enum event event, const char* at, size_t length) {
  struct parser* parser = llhttp->data;
  struct run* run = parser->run;
  uint32_t record[EVENT_WORDS];
  int result = 0;

  describe(llhttp, event, record);
  if (at != NULL) {
    record[EVENT_OFFSET] = (uint32_t)(at - run->bytes);
    record[EVENT_LENGTH] = (uint32_t)length;
  }
  if (event == EVENT_method_complete) parser->method_known = true;
  if (parser->collected & BIT(event) && !tape_append(&run->tape, record, EVENT_WORDS)) {
    run->no_memory = true;
    return -1;
  }
  if (parser->called & BIT(event)) {
    memcpy(run->tape.lent + TAPE_RECORD, record, sizeof(record));
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

/* A call of llhttp_ext_execute once more, event by event, as far as it has been needed. */
struct replay {
  llhttp_t llhttp;
  const char* bytes;
  size_t length;
  uint32_t mask;
  uint32_t events; /* that have come */
};

/* content_length at an event, whose number must not be less than the last time: an event has no room for one so large. */
static uint64_t large_length(struct replay* replay, uint32_t number) {
  llhttp_ext_event_t event;
  llhttp_ext_tape_t tape = {&event, 1, replay->mask, 0, 0, 0};
  for (; replay->events <= number; replay->events++) {
    llhttp_ext_execute(&replay->llhttp, replay->bytes, replay->length, &tape);
    replay->bytes += tape.consumed;
    replay->length -= tape.consumed;
  }
  return replay->llhttp.content_length;
}

/* Tells rows of whole lines. The last line of a tape is none of them: its value may go on. */
static void tell_lines(const struct run* run) {
  uint32_t* event = run->tape.words + TAPE_EVENTS;
  const uint32_t* behind = run->tape.words + run->tape.used;
  while (event < behind) {
    uint32_t *first = event, *value = event + EVENT_WORDS, *next = value + EVENT_WORDS;
    uint32_t lines = 0;
    for (; next < behind && (event[EVENT_KIND] & 0xff) == EVENT_header_field &&
           (value[EVENT_KIND] & 0xff) == EVENT_header_value && (next[EVENT_KIND] & 0xff) != EVENT_header_value;
         event = next, value = event + EVENT_WORDS, next = value + EVENT_WORDS) {
      lines++;
      if (value[EVENT_LENGTH] != 0) {
        char last = run->bytes[value[EVENT_OFFSET] + value[EVENT_LENGTH] - 1];
        if (last == ' ' || last == '\t') lines |= EVENT_BLANK;
      }
    }
    if (lines != 0) {
      first[EVENT_VALUE] = lines;
    } else {
      event += EVENT_WORDS;
    }
  }
}

/* Parses without callbacks. */
static llhttp_errno_t execute_on_tape(struct parser* parser, struct run* run) {
  const char* bytes = run->bytes;
  size_t left = run->length;
  /* Whether there is a method is of interest until there is one. */
  uint32_t mask = parser->collected | (parser->method_known ? 0 : BIT(EVENT_method_complete));
  for (;;) {
    struct replay replay = {parser->llhttp, bytes, left, mask, 0};
    llhttp_ext_tape_t tape;
    uint32_t *event, *kept;
    int result;
    if (!tape_reserve(&run->tape, EVENT_WORDS)) {
      run->no_memory = true;
      parser->left = true;
      return HPE_USER;
    }
    event = kept = run->tape.words + run->tape.used;
    tape.events = (llhttp_ext_event_t*)event;
    tape.room = (uint32_t)((run->tape.room - run->tape.used) / EVENT_WORDS);
    tape.mask = mask;
    tape.options = 0;
    result = llhttp_ext_execute(&parser->llhttp, bytes, left, &tape);
    for (uint32_t i = 0; i < tape.count; i++, event += EVENT_WORDS) {
      uint32_t kind = event[EVENT_KIND] & 0xff;
      if (kind == EVENT_headers_complete || kind == EVENT_message_complete) {
        uint64_t length = event[EVENT_LENGTH] | (uint64_t)(event[EVENT_VALUE] >> 24) << 32;
        if (length == (UINT64_C(1) << 40) - 1) length = large_length(&replay, i);
        show_state(&parser->llhttp, length, event);
      } else {
        event[EVENT_OFFSET] += (uint32_t)(bytes - run->bytes);
      }
      if (kind == EVENT_method_complete) {
        parser->method_known = true;
        if (!(parser->collected & BIT(EVENT_method_complete))) continue;
      }
      if (kept != event) memcpy(kept, event, EVENT_WORDS * sizeof(*event));
      kept += EVENT_WORDS;
    }
    run->tape.used = (size_t)(kept - run->tape.words);
    bytes += tape.consumed;
    left -= tape.consumed;
    if (result != LLHTTP_EXT_TAPE_FULL) {
      tell_lines(run);
      if (run->before == HPE_OK) run->parsed = (size_t)(bytes - run->bytes);
      return (llhttp_errno_t)result;
    }
  }
}

llhttp_errno_t parser_execute(struct parser* parser, struct run* run) {
  llhttp_errno_t result;
  begin(parser, run);
  if (parser->called == 0) {
    result = execute_on_tape(parser, run);
    end(parser, run);
    return result;
  }
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
    case HPE_INTERNAL: return result;
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
