/* Runs of one input by llhttp_ext_execute and by llhttp_execute, which must say the same: the same events at the same places, the
 * same end. Whatever the array's size, the kinds that are wanted, stops at headers, and whichever of the two gets a piece.
 *
 * What callbacks say becomes events by says.h. Each of them that notifies pauses, which tells where the parse stands; but for one
 * whose result says something else. Pieces and arrays begin or end at inaccessible pages. Checks count as in check.h. */
#ifndef TESTS_TAPE_COMPARE_H_
#define TESTS_TAPE_COMPARE_H_

#include "../c/check.h"
#include "../c/guard.h"
#include "../c/recorder.h"

#include "says.h"

enum { MOST_EVENTS = 1 << 16, MOST_PIECES = 1 << 14, MOST_ROOM = 600 };

struct input {
  const char* bytes;
  size_t len;
  int type;
  uint16_t lenient;
  const llhttp_ext_t* ext; /* a copy of it is attached; NULL for nothing */
  size_t pieces[MOST_PIECES]; /* their ends */
  size_t count;
};

struct way { /* how the tape is asked for */
  size_t room;
  uint32_t mask, options;
  uint64_t choices; /* two bits for each header section: what llhttp_ext_after_headers says; 3 says nothing */
  uint64_t callbacks; /* a bit for each piece, again after 64: it goes to llhttp_execute */
};

struct record {
  llhttp_ext_event_t events[MOST_EVENTS]; /* offsets count from the input's first byte */
  size_t count;
  int result, finished; /* finished: what the end of the connection gives, if all of the input is used up */
  size_t consumed, sections;
  const struct way* way;
  int on_tape; /* no callback is due */
  struct rec rec;
  llhttp_ext_t ext;
};

/* Set to plant a difference, to see that it is found: the value that fills an array of more than one event loses a byte. */
static int tape_plant;

static struct guard tape_bytes, tape_arrays;
static uint64_t tape_runs;

static inline void tape_open(void) {
  tape_bytes = guard_new(1 << 17);
  tape_arrays = guard_new(MOST_ROOM * sizeof(llhttp_ext_event_t));
}

/* What a callback does not tell: a name's id, and where the parse stands if it may not pause. */
enum { ANY_ID = 0xffff };
#define ANY_OFFSET UINT32_MAX

static inline llhttp_ext_event_t* tape_add(struct record* log, llhttp_ext_event_t e) {
  if (log->count == MOST_EVENTS) {
    fputs("tape: too many events\n", stderr);
    exit(2);
  }
  log->events[log->count] = e;
  return &log->events[log->count++];
}

/* What is said at the end of the header section under way, or 0. */
static inline int tape_choice(struct record* log) {
  int choice = (int)(log->way->choices >> (2 * (log->sections++ & 31)) & 3);
  return choice == 3 || log->way->options == 0 ? 0 : choice;
}

static inline int tape_callback(struct rec* r, enum rec_kind kind, const char* at, size_t len) {
#define KIND(name) [REC_##name] = (uint8_t)(offsetof(llhttp_settings_t, name) / sizeof(llhttp_cb)),
  static const uint8_t kinds[REC_KINDS] = {REC_SPANS(KIND) REC_NOTIFIES(KIND)};
#undef KIND
  struct record* log = (struct record*)(void*)((char*)r - offsetof(struct record, rec));
  llhttp_ext_event_t e = {.length = (uint32_t)len, .kind = kinds[kind]};
  const int wanted = log->way->mask >> e.kind & 1;
  const int result = kind == REC_on_headers_complete ? tape_choice(log) : 0;
  (void)at;
  CHECK(!log->on_tape);
  if (tape_is_span(e.kind)) {
    e.offset = (uint32_t)r->events[r->count - 1].off;
    if (e.kind == LLHTTP_EXT_EVENT_HEADER_FIELD) e.id = ANY_ID;
    if (wanted) tape_add(log, e);
    return 0;
  }
  e = tape_says(&r->parser, e.kind, llhttp_should_keep_alive(&r->parser));
  e.offset = ANY_OFFSET;
  if (wanted) tape_add(log, e);
  return wanted && result == 0 && r->piece != NULL ? HPE_PAUSED : result;
}

/* Gives bytes to llhttp_execute, up to something that ends the piece; returns how many it has used up. */
static inline size_t tape_by_callbacks(struct record* log, const char* piece, size_t len, size_t off) {
  llhttp_t* p = &log->rec.parser;
  size_t done = 0;
  while ((log->result = rec_execute(&log->rec, piece + done, len - done, off + done)) == HPE_PAUSED) {
    done = (size_t)(llhttp_get_error_pos(p) - piece);
    if (!CHECK(done <= len) || !CHECK(log->count != 0)) return 0;
    log->events[log->count - 1].offset = (uint32_t)(off + done);
    llhttp_resume(p);
  }
  return log->result == HPE_OK ? len : (size_t)(llhttp_get_error_pos(p) - piece);
}

static inline void tape_take(struct record* log, const llhttp_ext_tape_t* tape, size_t left, size_t off) {
  uint32_t k;
  for (k = 0; k < tape->count; k++) {
    llhttp_ext_event_t e = tape->events[k];
    CHECK(log->way->mask >> e.kind & 1);
    CHECK(e.offset <= tape->consumed);
    if (tape_is_span(e.kind)) CHECK(e.offset + (uint64_t)e.length <= left);
    e.offset += (uint32_t)off;
    if (tape_plant && e.kind == LLHTTP_EXT_EVENT_HEADER_VALUE && k == log->way->room - 1 && k != 0) e.length--;
    tape_add(log, e);
  }
}

/* The same with llhttp_ext_execute. */
static inline size_t tape_by_events(struct record* log, const char* piece, size_t len, size_t off) {
  const struct way* way = log->way;
  const size_t size = way->room * sizeof(llhttp_ext_event_t);
  llhttp_ext_tape_t tape = {NULL, (uint32_t)way->room, way->mask, way->options, 0, 0};
  llhttp_t* p = &log->rec.parser;
  size_t done = 0;
  for (;;) {
    tape.events = (llhttp_ext_event_t*)(void*)(tape_runs++ & 1 ? tape_arrays.end - size : tape_arrays.start);
    log->on_tape = 1;
    log->result = llhttp_ext_execute(p, piece + done, len - done, &tape);
    log->on_tape = 0;
    if (!CHECK(tape.count <= way->room && tape.consumed <= len - done)) return 0;
    tape_take(log, &tape, len - done, off + done);
    done += tape.consumed;
    if (log->result == LLHTTP_EXT_TAPE_FULL) {
      CHECK_INT(tape.count, way->room);
    } else if (log->result == LLHTTP_EXT_TAPE_HEADERS) {
      int choice = tape_choice(log), says_nothing = choice == 0 && (tape_runs & 2);
      if (way->mask >> LLHTTP_EXT_EVENT_HEADERS_COMPLETE & 1)
        CHECK(tape.count != 0 && tape.events[tape.count - 1].kind == LLHTTP_EXT_EVENT_HEADERS_COMPLETE);
      if (!says_nothing) CHECK_INT(llhttp_ext_after_headers(p, choice), HPE_OK);
    } else {
      break;
    }
    CHECK_INT(llhttp_get_errno(p), HPE_OK);
  }
  if (log->result == HPE_OK) {
    CHECK_INT(done, len);
  } else {
    CHECK_INT(log->result, llhttp_get_errno(p));
    CHECK_PTR(llhttp_get_error_pos(p), piece + done);
  }
  return done;
}

/* The end of the connection. */
static inline void tape_finish(struct record* log, size_t len, int by_callbacks) {
  llhttp_ext_tape_t tape = {
      (llhttp_ext_event_t*)(void*)tape_arrays.end - 1, 1, log->way->mask, log->way->options, 7, 7};
  const size_t before = log->count;
  if (by_callbacks) {
    log->finished = llhttp_finish(&log->rec.parser);
    if (log->count != before) log->events[before].offset = (uint32_t)len;
    return;
  }
  log->on_tape = 1;
  log->finished = llhttp_ext_finish(&log->rec.parser, &tape);
  log->on_tape = 0;
  if (log->finished != HPE_OK || !CHECK(tape.count <= 1 && tape.consumed == 0)) return;
  tape_take(log, &tape, 0, len);
}

/* Runs one input in one way. */
static inline void tape_run(struct record* log, const struct input* in, const struct way* way) {
  llhttp_t* p = &log->rec.parser;
  size_t i, from = 0;
  int by_callbacks = 0;
  log->count = log->consumed = log->sections = 0;
  log->result = log->finished = HPE_OK;
  log->way = way;
  log->on_tape = 0;
  rec_init(&log->rec, (llhttp_type_t)in->type);
  log->rec.hook = tape_callback;
  if (way->callbacks == 0 && tape_runs & 1) p->settings = NULL;
  p->lenient_flags = in->lenient;
  if (in->ext != NULL) {
    log->ext = *in->ext;
    CHECK_INT(llhttp_ext_attach(p, &log->ext), 0);
  }
  for (i = 0; i < in->count; from = in->pieces[i++]) {
    const size_t len = in->pieces[i] - from;
    const char* piece = tape_runs++ & 1 ? guard_at_end(&tape_bytes, in->bytes + from, len)
                                        : guard_at_start(&tape_bytes, in->bytes + from, len);
    size_t done = 0;
    by_callbacks = (int)(way->callbacks >> (i & 63) & 1);
    do {
      if (log->result == HPE_PAUSED_UPGRADE) llhttp_resume_after_upgrade(p);
      done += (by_callbacks ? tape_by_callbacks : tape_by_events)(log, piece + done, len - done, from + done);
    } while (log->result == HPE_PAUSED_UPGRADE && done < len);
    log->consumed = from + done;
    if (log->result == HPE_PAUSED_UPGRADE) {
      llhttp_resume_after_upgrade(p);
      log->result = HPE_OK;
    }
    if (log->result != HPE_OK) break;
  }
  if (log->result == HPE_OK) tape_finish(log, in->len, by_callbacks);
  CHECK_INT(log->rec.strays, 0);
  rec_free(&log->rec);
}

static inline int tape_same_event(llhttp_ext_event_t a, llhttp_ext_event_t b) {
  if (a.kind == LLHTTP_EXT_EVENT_HEADER_FIELD && (a.id == ANY_ID || b.id == ANY_ID)) a.id = b.id;
  if (a.offset == ANY_OFFSET || b.offset == ANY_OFFSET) a.offset = b.offset;
  return memcmp(&a, &b, sizeof a) == 0;
}

/* The ids of names, in a run of events that has all kinds: that of a name which came whole, 0 for a part of one. What comes before a
 * byte that no name may have, which is an error, or begins a line that is skipped, may have either. */
static inline void tape_names(const struct input* in, const struct record* log) {
  size_t i;
  for (i = 0; i < log->count; i++) {
    const llhttp_ext_event_t* e = &log->events[i];
    const int first = i == 0 || e[-1].kind != LLHTTP_EXT_EVENT_HEADER_FIELD || e[-1].offset + e[-1].length != e->offset;
    const int last = i + 1 == log->count || e[1].kind != LLHTTP_EXT_EVENT_HEADER_FIELD ||
                     e[1].offset != e->offset + e->length;
    if (e->kind != LLHTTP_EXT_EVENT_HEADER_FIELD) continue;
    if (!first || !last) CHECK_INT(e->id, 0);
    else if (e->id != 0 || (i + 1 < log->count && e[1].kind == LLHTTP_EXT_EVENT_HEADER_FIELD_COMPLETE))
      CHECK_INT(e->id, llhttp_ext_field_id(in->bytes + e->offset, e->length));
  }
}

/* Two runs of one input, of which the first has all kinds of events, the other those of its way. */
static inline void tape_agree(const struct record* one, const struct record* other) {
  const llhttp_t *p = &one->rec.parser, *q = &other->rec.parser;
  size_t i, k = 0;
  for (i = 0; i < one->count; i++) {
    const llhttp_ext_event_t *e = &one->events[i], *f = &other->events[k];
    if (!(other->way->mask >> e->kind & 1)) continue;
    if (k == other->count) break;
    if (!CHECK(tape_same_event(*e, *f))) {
      fprintf(
          stderr,
          "  event %zu: kind %u at %u+%u version %x id %u value %x, want kind %u at %u+%u version %x id %u value %x\n",
          k, f->kind, f->offset, f->length, f->version, f->id, f->value, e->kind, e->offset, e->length, e->version,
          e->id, e->value);
      return;
    }
    k++;
  }
  for (; i < one->count; i++) CHECK(!(other->way->mask >> one->events[i].kind & 1));
  CHECK_INT(other->count, k);
  CHECK_INT(other->result, one->result);
  CHECK_INT(other->finished, one->finished);
  CHECK_INT(other->consumed, one->consumed);
  if (one->result != HPE_OK) CHECK_STR(q->reason, p->reason);
  CHECK_INT(llhttp_ext_error_status(q), llhttp_ext_error_status(p));
  CHECK(memcmp(&q->content_length, &p->content_length,
               offsetof(llhttp_t, settings) - offsetof(llhttp_t, content_length)) == 0);
  CHECK(llhttp_ext_attached(p) == NULL || other->ext.skipped_lines == one->ext.skipped_lines);
}

#endif
