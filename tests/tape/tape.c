/* llhttp_ext_execute with arrays of any size, masks, and stops at headers: each run must give the events of the run in
 * which the array has room for one event and all kinds are wanted, which adapter.c holds against the callbacks.
 *
 *   tape [--seed N] [--count N] [VECTORS.txt]
 *
 * Inputs: the vectors with every cut into two pieces and in pieces of 1 to 16 bytes; then `count` random ones of the
 * differential test's generator, in random pieces. Each piece ends, and each array begins or ends, at an inaccessible page. */
#include "../c/check.h"
#include "../c/guard.h"
#include "../diff/generate.h"
#include "../vectors/inputs.h"

#include "llhttp_ext.h"

enum { MOST_EVENTS = 1 << 16, MOST_PIECES = 1 << 14, MOST_ROOM = 600 };

struct input {
  const char* bytes;
  size_t len;
  int type;
  uint16_t lenient;
  size_t pieces[MOST_PIECES]; /* their ends */
  size_t count;
};

struct way { /* how the tape is asked for */
  size_t room;
  uint32_t mask, options;
  uint64_t choices; /* two bits for each header section: what llhttp_ext_after_headers says; 3 says nothing */
};

struct record {
  llhttp_ext_event_t events[MOST_EVENTS]; /* offsets count from the input's first byte */
  size_t count;
  int result;
  size_t consumed;
  llhttp_t parser;
};

static struct guard bytes, arrays;
static uint64_t runs;

/* Runs one input in one way. */
static void run(struct record* log, const struct input* in, const struct way* way) {
  llhttp_t* p = &log->parser;
  size_t i, from = 0, sections = 0;
  llhttp_ext_tape_t tape = {NULL, (uint32_t)way->room, way->mask, way->options, 0, 0};
  size_t size = way->room * sizeof *tape.events;
  log->count = 0;
  log->result = HPE_OK;
  log->consumed = 0;
  llhttp_init(p, (llhttp_type_t)in->type, NULL);
  p->lenient_flags = in->lenient;
  for (i = 0; i < in->count; from = in->pieces[i++]) {
    size_t left = in->pieces[i] - from, done = 0;
    const char* piece = guard_at_end(&bytes, in->bytes + from, left);
    for (;;) {
      uint32_t k;
      size_t first = log->count;
      tape.events = (llhttp_ext_event_t*)(void*)(runs++ & 1 ? arrays.end - size : arrays.start);
      log->result = llhttp_ext_execute(p, piece + done, left, &tape);
      if (!CHECK(tape.count <= way->room && tape.consumed <= left)) return;
      for (k = 0; k < tape.count; k++) {
        llhttp_ext_event_t* e = &log->events[log->count];
        *e = tape.events[k];
        CHECK(way->mask >> e->kind & 1);
        CHECK(e->offset <= tape.consumed);
        if (e->kind <= LLHTTP_EXT_EVENT_HEADERS_COMPLETE || e->kind == LLHTTP_EXT_EVENT_BODY)
          CHECK(e->offset + (uint64_t)e->length <= left || e->kind == LLHTTP_EXT_EVENT_HEADERS_COMPLETE);
        e->offset += (uint32_t)(from + done);
        if (++log->count == MOST_EVENTS) exit(2);
      }
      done += tape.consumed;
      left -= tape.consumed;
      if (log->result == LLHTTP_EXT_TAPE_FULL) {
        CHECK_INT(tape.count, way->room);
      } else if (log->result != LLHTTP_EXT_TAPE_HEADERS) {
        break;
      }
      if (log->result == LLHTTP_EXT_TAPE_HEADERS && (way->mask >> LLHTTP_EXT_EVENT_HEADERS_COMPLETE & 1))
        CHECK(log->count > first && log->events[log->count - 1].kind == LLHTTP_EXT_EVENT_HEADERS_COMPLETE);
      if (log->result == LLHTTP_EXT_TAPE_HEADERS) {
        int choice = (int)(way->choices >> (2 * (sections++ & 31)) & 3);
        if (choice != 3) CHECK_INT(llhttp_ext_after_headers(p, choice), HPE_OK);
      }
      CHECK_INT(llhttp_get_errno(p), HPE_OK);
    }
    log->consumed = from + done;
    if (log->result != HPE_OK) {
      CHECK_INT(log->result, llhttp_get_errno(p));
      CHECK_PTR(llhttp_get_error_pos(p), piece + done);
      if (log->result == HPE_PAUSED_UPGRADE) llhttp_resume_after_upgrade(p);
      else break;
    } else {
      CHECK_INT(left, 0);
    }
  }
}

static struct record one, other;

/* The ids of names, in a run that has all events: that of a name which came whole, else 0. */
static void names(const struct input* in, const struct record* log) {
  size_t i;
  for (i = 0; i < log->count; i++) {
    const llhttp_ext_event_t* e = &log->events[i];
    int whole = i + 1 < log->count && e[1].kind == LLHTTP_EXT_EVENT_HEADER_FIELD_COMPLETE &&
                (i == 0 || e[-1].kind != LLHTTP_EXT_EVENT_HEADER_FIELD);
    if (e->kind != LLHTTP_EXT_EVENT_HEADER_FIELD) continue;
    if (whole) CHECK_INT(e->id, llhttp_ext_field_id(in->bytes + e->offset, e->length));
    else if (i + 1 < log->count) /* the last may have failed behind a whole name */ CHECK_INT(e->id, 0);
  }
}

/* An event as the other run must have it: the same, if its kind is wanted. */
static void compare(const struct input* in, const struct way* way) {
  size_t i, k = 0;
  static const struct way all = {1, LLHTTP_EXT_TAPE_ALL, 0, 0};
  struct way plain = all;
  char about[200];
  plain.options = way->options;
  plain.choices = way->choices;
  snprintf(about, sizeof about,
           "room %zu, mask %x, options %u, type %d, lenient %x, %zu bytes in %zu pieces, first %zu", way->room,
           way->mask, way->options, in->type, in->lenient, in->len, in->count, in->count ? in->pieces[0] : 0);
  check_about = about;
  run(&one, in, &plain);
  names(in, &one);
  run(&other, in, way);
  for (i = 0; i < one.count; i++) {
    const llhttp_ext_event_t* e = &one.events[i];
    if (!(way->mask >> e->kind & 1)) continue;
    if (k == other.count) break;
    if (!CHECK(memcmp(e, &other.events[k], sizeof *e) == 0)) {
      fprintf(stderr, "  event %zu: kind %u at %u+%u id %u value %x, want kind %u at %u+%u id %u value %x\n", k,
              other.events[k].kind, other.events[k].offset, other.events[k].length, other.events[k].id,
              other.events[k].value, e->kind, e->offset, e->length, e->id, e->value);
      return;
    }
    k++;
  }
  for (; i < one.count; i++) CHECK(!(way->mask >> one.events[i].kind & 1));
  CHECK_INT(other.count, k);
  CHECK_INT(other.result, one.result);
  CHECK_INT(other.consumed, one.consumed);
  CHECK_STR(other.parser.reason, one.parser.reason);
  CHECK(memcmp(&other.parser.content_length, &one.parser.content_length,
               offsetof(llhttp_t, settings) - offsetof(llhttp_t, content_length)) == 0);
  check_about = "";
}

static struct way random_way(struct rng* r) {
  struct way way = {1, 0, 0, 0};
  static const uint32_t masks[] = {LLHTTP_EXT_TAPE_ALL, 0,
                                   1u << LLHTTP_EXT_EVENT_HEADER_FIELD | 1u << LLHTTP_EXT_EVENT_HEADER_VALUE,
                                   1u << LLHTTP_EXT_EVENT_URL | 1u << LLHTTP_EXT_EVENT_HEADER_FIELD |
                                       1u << LLHTTP_EXT_EVENT_HEADER_VALUE | 1u << LLHTTP_EXT_EVENT_HEADERS_COMPLETE |
                                       1u << LLHTTP_EXT_EVENT_BODY | 1u << LLHTTP_EXT_EVENT_MESSAGE_COMPLETE};
  switch (rng_below(r, 3)) {
    case 0: way.room = 1 + rng_below(r, 8); break;
    case 1: way.room = 1 + rng_below(r, 120); break;
    default: way.room = 1 + rng_below(r, MOST_ROOM); break;
  }
  way.mask = rng_below(r, 3) ? masks[rng_below(r, 4)] : (uint32_t)rng_next(r) & LLHTTP_EXT_TAPE_ALL;
  if (rng_below(r, 2)) {
    way.options = LLHTTP_EXT_TAPE_STOP_AT_HEADERS;
    way.choices = rng_below(r, 3) ? 0 : rng_next(r);
  }
  return way;
}

static void pieces_of(struct input* in, size_t size) {
  size_t at;
  in->count = 0;
  for (at = size; at < in->len; at += size) in->pieces[in->count++] = at;
  in->pieces[in->count++] = in->len;
}

static void vectors(const char* path, struct rng* r) {
  static struct vector v;
  static struct input in;
  FILE* f = vectors_open(path);
  size_t i, found = 0;
  for (; vectors_next(f, &v); found++) {
    struct way way;
    in.bytes = v.bytes;
    in.len = v.len;
    in.type = v.type;
    in.lenient = v.lenient;
    for (i = 1; i <= in.len; i++) {
      way = random_way(r);
      in.count = i < in.len ? 2 : 1;
      in.pieces[0] = i;
      in.pieces[1] = in.len;
      compare(&in, &way);
    }
    for (i = 1; i <= 16; i++) {
      way = random_way(r);
      pieces_of(&in, i);
      compare(&in, &way);
    }
  }
  fclose(f);
  CHECK(found > 0);
}

static void random_inputs(struct rng* r, unsigned long count) {
  static uint8_t data[MAX_INPUT];
  static struct input in;
  for (; count != 0; count--) {
    struct way way = random_way(r);
    uint32_t cap = rng_below(r, 8) == 0 ? MAX_INPUT : 2000;
    in.type = (int)rng_below(r, 3);
    in.lenient = rng_below(r, 2) ? 0 : (uint16_t)(rng_next(r) & ((1u << NLENIENT) - 1));
    in.len = generate_input(r, data, cap, in.type == HTTP_RESPONSE || (in.type == HTTP_BOTH && rng_below(r, 2)),
                            in.lenient);
    in.bytes = (const char*)data;
    switch (rng_below(r, 4)) {
      case 0: pieces_of(&in, in.len + 1); break;
      case 1: pieces_of(&in, 1 + rng_below(r, 100)); break;
      default: {
        size_t at = 0;
        for (in.count = 0; at < in.len && in.count < 20; at += 1 + rng_below(r, (uint32_t)in.len))
          in.pieces[in.count++] = at;
        in.pieces[in.count++] = in.len;
      }
    }
    compare(&in, &way);
  }
}

/* What a call promises that has nothing to parse. */
static void edges(void) {
  static const char request[] = "POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\nbody";
  static const char forever[] = "HTTP/1.0 200 OK\r\n\r\nbody";
  llhttp_ext_event_t events[64], before;
  llhttp_ext_tape_t tape = {events, 64, LLHTTP_EXT_TAPE_ALL, 0, 7, 7};
  llhttp_t p;
  llhttp_init(&p, HTTP_REQUEST, NULL);
  CHECK_INT(llhttp_ext_execute(&p, NULL, 0, &tape), HPE_OK);
  CHECK_INT(tape.count, 0);
  CHECK_INT(tape.consumed, 0);
  CHECK_INT(llhttp_ext_after_headers(&p, 1), HPE_USER);

  memset(events, 0x55, sizeof events);
  before = events[0];
  tape.room = 0;
  CHECK_INT(llhttp_ext_execute(&p, request, sizeof request - 1, &tape), LLHTTP_EXT_TAPE_FULL);
  CHECK_INT(tape.count, 0);
  CHECK_INT(tape.consumed, 0);
  CHECK(memcmp(&before, events, sizeof before) == 0);

  /* Without a body, as the answer to HEAD: what would be one is the next message. */
  tape.room = 64;
  tape.options = LLHTTP_EXT_TAPE_STOP_AT_HEADERS;
  CHECK_INT(llhttp_ext_execute(&p, request, sizeof request - 1, &tape), LLHTTP_EXT_TAPE_HEADERS);
  CHECK_INT(tape.consumed, sizeof request - 1 - 4);
  CHECK_INT(p.content_length, 4);
  CHECK_INT(p.flags, F_CONTENT_LENGTH);
  CHECK_INT(llhttp_ext_after_headers(&p, 3), HPE_USER);
  CHECK_INT(llhttp_ext_after_headers(&p, -1), HPE_USER);
  CHECK_INT(llhttp_ext_after_headers(&p, 1), HPE_OK);
  CHECK_INT(llhttp_ext_execute(&p, request + tape.consumed, 0, &tape), HPE_OK);
  CHECK_INT(tape.count, 1);
  CHECK_INT(events[0].kind, LLHTTP_EXT_EVENT_MESSAGE_COMPLETE);
  CHECK_INT(llhttp_ext_after_headers(&p, 1), HPE_USER);

  /* It leaves HTTP. */
  llhttp_init(&p, HTTP_REQUEST, NULL);
  CHECK_INT(llhttp_ext_execute(&p, request, sizeof request - 1, &tape), LLHTTP_EXT_TAPE_HEADERS);
  CHECK_INT(llhttp_ext_after_headers(&p, 2), HPE_OK);
  CHECK_INT(llhttp_ext_execute(&p, request + tape.consumed, 4, &tape), HPE_PAUSED_UPGRADE);
  CHECK_INT(tape.count, 1);
  CHECK_INT(tape.consumed, 0);
  CHECK_INT(p.upgrade, 1);

  /* A parser that has an error, or is paused, says so again. */
  llhttp_init(&p, HTTP_REQUEST, NULL);
  tape.options = 0;
  CHECK_INT(llhttp_ext_execute(&p, "?", 1, &tape), HPE_INVALID_METHOD);
  CHECK_INT(llhttp_ext_execute(&p, request, sizeof request - 1, &tape), HPE_INVALID_METHOD);
  CHECK_INT(tape.count, 0);
  llhttp_init(&p, HTTP_REQUEST, NULL);
  llhttp_pause(&p);
  CHECK_INT(llhttp_ext_execute(&p, request, sizeof request - 1, &tape), HPE_PAUSED);
  CHECK_INT(tape.count, 0);
  llhttp_resume(&p);
  CHECK_INT(llhttp_ext_execute(&p, request, sizeof request - 1, &tape), HPE_OK);
  CHECK(tape.count > 0);
  CHECK_INT(llhttp_ext_finish(&p, &tape), HPE_OK);
  CHECK_INT(tape.count, 0);

  /* The end of the connection ends a message, or comes too early. */
  llhttp_init(&p, HTTP_RESPONSE, NULL);
  CHECK_INT(llhttp_ext_execute(&p, forever, sizeof forever - 1, &tape), HPE_OK);
  CHECK_INT(events[tape.count - 1].kind, LLHTTP_EXT_EVENT_BODY);
  before = events[tape.count - 2];
  CHECK_INT(before.kind, LLHTTP_EXT_EVENT_HEADERS_COMPLETE);
  tape.room = 0;
  CHECK_INT(llhttp_ext_finish(&p, &tape), LLHTTP_EXT_TAPE_FULL);
  tape.room = 1;
  CHECK_INT(llhttp_ext_finish(&p, &tape), HPE_OK);
  CHECK_INT(tape.count, 1);
  before.kind = LLHTTP_EXT_EVENT_MESSAGE_COMPLETE; /* says what the header section said */
  before.offset = 0;
  CHECK(memcmp(&before, events, sizeof before) == 0);
  tape.mask = 0;
  CHECK_INT(llhttp_ext_finish(&p, &tape), HPE_OK);
  CHECK_INT(tape.count, 0);
  llhttp_init(&p, HTTP_REQUEST, NULL);
  CHECK_INT(llhttp_ext_execute(&p, request, 5, &tape), HPE_OK);
  CHECK_INT(llhttp_ext_finish(&p, &tape), HPE_INVALID_EOF_STATE);
}

/* The layout, as llhttp_ext.h has it for those who read it as numbers. */
static void layout(void) {
  llhttp_ext_event_t e = {1, 2, 3, 4, 5, 6};
  uint32_t words[4];
  _Static_assert(sizeof e == 16 && sizeof words == sizeof e, "an event has 16 bytes");
  _Static_assert(offsetof(llhttp_ext_event_t, offset) == 0 && offsetof(llhttp_ext_event_t, length) == 4 &&
                     offsetof(llhttp_ext_event_t, value) == 12,
                 "its members stand where the header says");
  e.offset = 1, e.length = 2, e.kind = 3, e.version = 4, e.id = 5, e.value = 6;
  memcpy(words, &e, sizeof e);
  CHECK_INT(words[0], 1);
  CHECK_INT(words[1], 2);
  CHECK_INT(words[2], 3 | 4 << 8 | 5 << 16);
  CHECK_INT(words[3], 6);
  CHECK_INT(LLHTTP_EXT_EVENT_KINDS, NCB);
  CHECK_INT(LLHTTP_EXT_EVENT_BODY, offsetof(llhttp_settings_t, on_body) / sizeof(llhttp_cb));
  CHECK_INT(LLHTTP_EXT_EVENT_RESET, offsetof(llhttp_settings_t, on_reset) / sizeof(llhttp_cb));
}

int main(int argc, char** argv) {
  struct rng r = {1};
  unsigned long count = 20000;
  const char* path = NULL;
  int i;
  for (i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc) r.s = strtoull(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "--count") == 0 && i + 1 < argc) count = strtoul(argv[++i], NULL, 10);
    else path = argv[i];
  }
  bytes = guard_new(1 << 17);
  arrays = guard_new(MOST_ROOM * sizeof(llhttp_ext_event_t));
  layout();
  edges();
  if (path != NULL) vectors(path, &r);
  random_inputs(&r, count);
  return check_done();
}
