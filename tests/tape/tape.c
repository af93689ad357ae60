/* llhttp_ext_execute with arrays of any size, masks, stops at headers, and llhttp_execute in its place for all pieces or some:
 * each run must give the events of the run in which the array has room for one event and all kinds are wanted.
 *
 *   tape [--seed N] [--count N] [VECTORS.txt]
 *
 * Inputs: the vectors with every cut into two pieces and in pieces of 1 to 16 bytes; then `count` random ones of the
 * differential test's generator, in random pieces. Each piece ends, and each array begins or ends, at an inaccessible page. */
#include "../diff/generate.h"
#include "../vectors/inputs.h"
#include "compare.h"

static struct record one, other;

/* Against the run in which the array has room for one event and all kinds are wanted. */
static void compare(const struct input* in, const struct way* way) {
  const struct way plain = {1, LLHTTP_EXT_TAPE_ALL, way->options, way->choices, 0};
  char about[200];
  snprintf(about, sizeof about,
           "room %zu, mask %x, options %u, type %d, lenient %x, %zu bytes in %zu pieces, first %zu", way->room,
           way->mask, way->options, in->type, in->lenient, in->len, in->count, in->count ? in->pieces[0] : 0);
  check_about = about;
  tape_run(&one, in, &plain);
  tape_names(in, &one);
  tape_run(&other, in, way);
  tape_agree(&one, &other);
  check_about = "";
}

static struct way random_way(struct rng* r) {
  struct way way = {1, 0, 0, 0, 0};
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
  if (rng_below(r, 2)) way.callbacks = rng_below(r, 2) ? UINT64_MAX : rng_next(r);
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

/* Lines that are skipped: nothing of them is complete, and what follows is no part of them, wherever the input is cut. */
static void skipped(void) {
  static const char input[] = "GET / HTTP/1.1\r\nX\x0b\r\nHost: a\r\nY: b\x01\r\nZ: c\r\n\r\n";
  static const char* const names[] = {"X", "Host", "Y", "Z"};
  static struct input in = {input, sizeof input - 1, HTTP_REQUEST, 0, NULL, {0}, 2};
  static const struct way way = {MOST_ROOM, LLHTTP_EXT_TAPE_ALL, 0, 0, 0};
  llhttp_ext_t ext;
  llhttp_ext_init(&ext);
  ext.rules = LLHTTP_EXT_TOLERATE_BAD_FIELD_LINES;
  in.ext = &ext;
  in.pieces[1] = in.len;
  for (in.pieces[0] = 0; in.pieces[0] < in.len; in.pieces[0]++) {
    char about[50];
    size_t i, from[5] = {0}, end = 0, found = 0, fields = 0;
    snprintf(about, sizeof about, "cut at %zu", in.pieces[0]);
    check_about = about;
    tape_run(&one, &in, &way);
    CHECK_INT(one.result, HPE_OK);
    CHECK_INT(one.ext.skipped_lines, 2);
    for (i = 0; i < one.count; i++) {
      const llhttp_ext_event_t* e = &one.events[i];
      if (e->kind == LLHTTP_EXT_EVENT_HEADER_FIELD) {
        if (e->offset != end && CHECK(found < 4)) from[found++] = e->offset;
        end = e->offset + e->length;
      }
      if (e->kind != LLHTTP_EXT_EVENT_HEADER_VALUE_COMPLETE) continue;
      CHECK(found == 2 || found == 4);
      fields++;
    }
    for (i = 0; i < found; i++) CHECK(strncmp(input + from[i], names[i], strlen(names[i])) == 0);
    CHECK_INT(found, 4);
    CHECK_INT(fields, 2);
  }
  check_about = "";
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
  tape_open();
  layout();
  edges();
  skipped();
  if (path != NULL) vectors(path, &r);
  random_inputs(&r, count);
  return check_done();
}
