// Runs a plan on one library: feeds the pieces, answers the callbacks, goes on after pauses and errors, and logs what
// can be seen from outside. Every piece lies against an inaccessible page, at the same address for both libraries.
// What must hold: decisions depend on the plan and on what the library showed so far, on nothing else.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "diff.h"

const char* const cb_names[NCB] = {
#define X(name) "on_" #name,
    SPANS(X) NOTICES(X)
#undef X
};
const char* const act_names[NACTS] = {
#define X(name) #name,
    ACTS(X)
#undef X
};
const char* const plant_names[NPLANTS] = {
#define X(name) #name,
    PLANTS(X)
#undef X
};

int drive_plant;

// ---- the arena: three readable regions between inaccessible pages

#define REGION 65536u
static uint8_t* arena;
static size_t page, arena_size;
static uint8_t* region[3];
static uint64_t public_mask[PUBLIC_WORDS];

static const char other_messages[][160] = {
    "GET /inner?q=1 HTTP/1.1\r\nHost: inner\r\nConnection: close\r\n\r\n",
    "POST /inner HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n0\r\nT: v\r\n\r\nGET / HTTP/1.1\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcHTTP/1.1 304 Not Modified\r\n\r\n",
    "GET / HTTP/1.1\r\nBad Header: x\r\n\r\n",
};
#define N_OTHER (sizeof other_messages / sizeof other_messages[0])

static const char* const reasons[] = {NULL, "a reason of the caller", "", "another, longer reason of the caller: 100%"};
#define N_REASONS (sizeof reasons / sizeof reasons[0])

static llhttp_settings_t other_settings;

// ---- the state of the run

static struct {
  const struct plan* plan;
  const struct lib* lib;
  struct event *ev, *last;  // the next event, and the last place for one
  uint32_t armed;      // callbacks that have an act
  uint32_t total;
  uint32_t count[NCB];
  int plant, planted;
  int inside;          // in the other parser
  llhttp_t *parser, slot[2];  // the parser lives in one of the slots
  llhttp_ext_t ext[2], other_ext;
  llhttp_settings_t settings[2];
  uint8_t* piece;
  uint32_t piece_len;
  int upgrades, resumes, errors;
  uint32_t resumed;
} run;

static int marker;  // parser.data points here

static inline uint32_t position(const char* p) {
  if (!p) return POS_NULL;
  size_t off = (size_t)((const uint8_t*)p - arena);
  if (off <= arena_size) return (uint32_t)off;
  off = (size_t)(p - other_messages[0]);
  if (off <= sizeof other_messages) return POS_OTHER_PARSER + (uint32_t)off;
  return POS_ELSEWHERE;
}

static void plant(struct event* e);

// ---- what is attached to the tested library's parser, if anything is to be: it must make no difference

static void make_ext(llhttp_ext_t* ext) {
  memset(ext, 0x5a, sizeof *ext);
  run.lib->ext_init(ext);
  if (run.plan->number % 2 == 0) return;
  unsigned bit = 16 + run.plan->number / 2 % 48;  // beyond any input's length
#define X(name, member) ext->member = UINT64_C(1) << bit;
  LLHTTP_EXT_LIMIT_MAP(X)
#undef X
}

static void attach(llhttp_t* parser, llhttp_ext_t* ext) {
  if (run.lib->ext_attach) run.lib->ext_attach(parser, ext);
}

// In the course of some runs the parser gets another struct now and then, or none, and the old one is spoilt.
static void attach_another(llhttp_t* parser, uint32_t turn) {
  if (!run.lib->ext_attach || run.plan->number % 4 != 0 || turn % 5 != run.plan->number / 4 % 5) return;
  unsigned which = turn / 5 % 3;
  if (which == 2) {
    attach(parser, NULL);
    memset(run.ext, 0x5a, sizeof run.ext);
    return;
  }
  make_ext(&run.ext[which]);
  attach(parser, &run.ext[which]);
  memset(&run.ext[1 - which], 0x5a, sizeof run.ext[0]);
}

static inline struct event* note(int kind, llhttp_t* parser) {
  struct event* e = run.ev;
  if (__builtin_expect(e < run.last, 1)) run.ev++;
  e->kind = (uint8_t)kind;
  e->other = (uint8_t)(run.inside ? 1 : parser == run.parser ? 0 : 2);
  if (kind < NSPANS) {  // they tell nothing that the fields do not; at the other events they do get compared
    e->keep_alive = e->needs_eof = 0;
  } else {
    e->keep_alive = (uint8_t)run.lib->should_keep_alive(parser);
    e->needs_eof = (uint8_t)run.lib->message_needs_eof(parser);
  }
  e->data_kept = parser->data == &marker ? 1 : parser->data ? 2 : 0;
  e->settings = parser->settings == &run.settings[0]   ? 0
                : parser->settings == &run.settings[1] ? 1
                : parser->settings == NULL             ? 2
                : parser->settings == &other_settings  ? 4
                                                       : 3;
  e->reason = parser->reason ? reason_number(parser->reason) : 0;
  e->rc = 0;
  e->error = parser->error;
  e->at = e->len = e->offset = 0;
  e->error_pos = position(parser->error_pos);
  memcpy(e->field, (char*)parser + PUBLIC_FROM, sizeof e->field);
  for (unsigned i = 0; i < PUBLIC_WORDS; i++) e->field[i] &= public_mask[i];
  if (__builtin_expect(run.plant, 0)) plant(e);
  return e;
}

// A piece handed over: nothing can have happened to the parser since the last event.
static inline void note_feed(const uint8_t* p, uint32_t n, const uint8_t* from) {
  struct event* e = run.ev;
  if (__builtin_expect(e < run.last, 1)) run.ev++;
  memset(e, 0, sizeof *e);
  e->kind = EV_FEED;
  e->at = (uint32_t)(p - arena);
  e->len = n;
  e->offset = (uint32_t)(from - run.plan->input);
}

// Not memcmp: its masked loads across the edge of an inaccessible page do not fault, but are very slow.
static inline int same_bytes(const uint8_t* a, const uint8_t* b, uint32_t n) {
  uint64_t x, y, d = 0;
  uint32_t i = 0;
  for (; i + 8 <= n; i += 8) {
    memcpy(&x, a + i, 8);
    memcpy(&y, b + i, 8);
    d |= x ^ y;
  }
  for (; i < n; i++) d |= a[i] ^ b[i];
  return d == 0;
}

// ---- acts

static void run_other_parser(unsigned which) {
  if (run.inside) return;
  llhttp_t other;
  memset(&other, 0x5a, sizeof other);
  const char* message = other_messages[which % N_OTHER];
  run.inside = 1;
  run.lib->init(&other, HTTP_BOTH, &other_settings);
  attach(&other, &run.other_ext);
  int rc = run.lib->execute(&other, message, strlen(message));
  note(EV_EXECUTE, &other)->rc = rc;
  run.inside = 0;
}

static void perform(const struct act* a, llhttp_t* parser, int callback) {
  const struct lib* lib = run.lib;
  switch (a->what) {
    case ACT_none: break;
    case ACT_pause: lib->pause(parser); break;
    case ACT_resume: lib->resume(parser); break;
    case ACT_lenient_on: lib->set_lenient[a->arg % NLENIENT](parser, a->arg & 64 ? -1 : 1); break;
    case ACT_lenient_off: lib->set_lenient[a->arg % NLENIENT](parser, 0); break;
    case ACT_upgrade: parser->upgrade = a->arg & 1; break;
    case ACT_reason: lib->set_error_reason(parser, reasons[a->arg % N_REASONS]); break;
    case ACT_reset:
      // The reference has the value's span open here and would measure it from a null pointer.
      if (callback != CB_chunk_extension_name_complete) lib->reset(parser);
      break;
    case ACT_init:
      if (callback != CB_chunk_extension_name_complete)
        lib->init(parser, (llhttp_type_t)((a->arg & 3) % 3), a->arg & 8 ? NULL : &run.settings[a->arg >> 2 & 1]);
      attach(parser, &run.ext[0]);
      break;
    case ACT_settings: parser->settings = a->arg % 3 == 2 ? NULL : &run.settings[a->arg % 3]; break;
    case ACT_or_flags: parser->flags |= (uint16_t)a->arg; break;
    case ACT_and_flags: parser->flags &= (uint16_t)a->arg; break;
    case ACT_content_length: parser->content_length = a->arg; break;
    case ACT_other_parser: run_other_parser((unsigned)a->arg); break;
    case ACT_finish:
      if (callback == WHEN_BETWEEN) {
        int rc = lib->finish(parser);
        note(EV_FINISH, parser)->rc = rc;
      }
      break;
    case ACT_method: parser->method = (uint8_t)(a->arg % 47); break;
    case ACT_status_code: parser->status_code = (uint16_t)(a->arg % 1000); break;
    case ACT_http_version:
      parser->http_major = a->arg & 15;
      parser->http_minor = a->arg >> 4 & 15;
      break;
    case ACT_type: parser->type = (uint8_t)(a->arg % 3); break;
    default: break;
  }
}

static int answer(llhttp_t* parser, int callback) {
  uint32_t nth = run.count[callback]++, total = run.total++;
  attach_another(parser, total);
  if (!(run.armed >> callback & 1)) return 0;
  int ret = 0;
  for (unsigned i = 0; i < run.plan->nacts; i++) {
    const struct act* a = &run.plan->acts[i];
    uint32_t n = a->when == callback ? nth : total;
    if (a->when != callback && a->when != WHEN_ANY) continue;
    if (a->nth != NTH_EVERY && a->nth != n) continue;
    perform(a, parser, callback);
    if (a->ret) ret = a->ret;
  }
  return ret;
}

static inline int on_span(llhttp_t* parser, int callback, const char* at, size_t len) {
  struct event* e = note(callback, parser);
  e->at = position(at);
  e->len = len > 0xfffffff0u ? 0xffffffffu : (uint32_t)len;
  if (__builtin_expect(run.plant, 0)) {
    if (run.plant == PLANT_span_start && len > 5) e->at++;
    if (run.plant == PLANT_span_length && len > 5) e->len++;
  }
  return e->rc = run.inside ? 0 : answer(parser, callback);
}

static inline int on_notice(llhttp_t* parser, int callback) {
  struct event* e = note(callback, parser);
  return e->rc = run.inside ? 0 : answer(parser, callback);
}

#define X(name) \
  static int cb_##name(llhttp_t *parser, const char *at, size_t len) { return on_span(parser, CB_##name, at, len); }
SPANS(X)
#undef X
#define X(name) \
  static int cb_##name(llhttp_t *parser) { return on_notice(parser, CB_##name); }
NOTICES(X)
#undef X

static void set_callbacks(llhttp_settings_t* s, uint32_t mask) {
#define X(name) s->on_##name = mask >> CB_##name & 1 ? cb_##name : NULL;
  SPANS(X) NOTICES(X)
#undef X
}

void drive_init(void) {
  page = (size_t)sysconf(_SC_PAGESIZE);
  size_t step = REGION + page;
  arena_size = 3 * step + page;
  arena = mmap(NULL, arena_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (arena == MAP_FAILED) {
    perror("differential: mmap");
    exit(SETUP_FAILED);
  }
  for (int i = 0; i < 3; i++) {
    region[i] = arena + page + (size_t)i * step;
    if (mprotect(region[i], REGION, PROT_READ | PROT_WRITE)) {
      perror("differential: mprotect");
      exit(SETUP_FAILED);
    }
  }
  llhttp_t m;
  memset(&m, 0, sizeof m);
#define SEEN(f) memset(&m.f, 0xff, sizeof m.f);
  // clang-format off: macros that are statements
  SEEN(content_length) SEEN(type) SEEN(method) SEEN(http_major) SEEN(http_minor) SEEN(lenient_flags) SEEN(upgrade)
  SEEN(finish) SEEN(flags) SEEN(status_code) SEEN(initial_message_completed)
  // clang-format on
#undef SEEN
          memcpy(public_mask, (char*)&m + PUBLIC_FROM, sizeof public_mask);
  set_callbacks(&other_settings, ALL_CBS);
}

// ---- feeding

// What lies beside a piece must not matter; if it does, it should at least do harm each time in the same way.
static const uint8_t beside[64] = "\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n: x, chunked\r\n0\r\n\r\nHTTP/1.1 200";

static uint8_t* put_piece(const uint8_t* from, uint32_t n, unsigned where) {
  uint8_t* p;
  if (where == 1) {
    p = region[1];
    memcpy(p + n, beside, sizeof beside);
  } else {
    p = region[where] + REGION - n;
    memcpy(p - sizeof beside, beside, sizeof beside);
  }
  memcpy(p, from, n);
  return p;
}

static void start_parser(llhttp_t* parser) {
  run.lib->init(parser, (llhttp_type_t)run.plan->type, &run.settings[0]);
  attach(parser, &run.ext[0]);
  parser->data = &marker;
  for (unsigned bits = run.plan->lenient; bits; bits &= bits - 1) run.lib->set_lenient[__builtin_ctz(bits)](parser, 1);
}

// 1 to go on with the next piece, 0 to stop.
static int feed(uint32_t offset, uint32_t n, unsigned where) {
  const struct lib* lib = run.lib;
  const struct plan* plan = run.plan;
  llhttp_t* parser = run.parser;
  const uint8_t* from = plan->input + offset;
  uint8_t* p = put_piece(from, n, where);
  for (;;) {
    run.piece = p;
    run.piece_len = n;
    note_feed(p, n, from);
    int refused = parser->error != 0;
    int rc = lib->execute(parser, (const char*)p, n);
    note(EV_EXECUTE, parser)->rc = rc;
    if (!same_bytes(p, from, n)) note(EV_SCRIBBLED, parser);
    if (rc == 0) return 1;

    const char* pos = parser->error_pos;
    uint32_t used = 0;
    if (!refused && pos >= (char*)p && pos <= (char*)p + n) used = (uint32_t)(pos - (char*)p);
    if (rc == HPE_PAUSED || rc == HPE_PAUSED_UPGRADE) {
      if (rc == HPE_PAUSED) {
        if (--run.resumes < 0) return 0;
        lib->resume(parser);
      } else {
        lib->resume(parser);  // must not help
        if (--run.upgrades < 0) return 0;
        lib->resume_after_upgrade(parser);
      }
      note(EV_RESUME, parser);
    } else {
      lib->resume(parser);
      lib->resume_after_upgrade(parser);
      rc = lib->execute(parser, (const char*)p + used, n - used);
      note(EV_AGAIN, parser)->rc = rc;
      if (--run.errors < 0) return 0;
      switch (plan->on_error) {
        case ERR_FEED_ON: return 1;
        case ERR_RESET_REST: lib->reset(parser); break;
        case ERR_RESET_NEXT: lib->reset(parser); return 1;
        case ERR_INIT_REST: start_parser(parser); break;
        default: return 0;
      }
      note(EV_RESUME, parser);
    }
    from += used;
    p += used;
    n -= used;
    if (plan->moves >> (run.resumed++ & 63) & 1) {
      where = where == 2 ? 0 : 2;
      p = put_piece(from, n, where);
    }
  }
}

static void between(uint32_t piece) {
  for (unsigned i = 0; i < run.plan->nacts; i++) {
    const struct act* a = &run.plan->acts[i];
    if (a->when != WHEN_BETWEEN || (a->nth != piece && a->nth != NTH_EVERY)) continue;
    perform(a, run.parser, WHEN_BETWEEN);
    note(EV_BETWEEN, run.parser);
  }
}

static uint32_t text_hash(const char* s) {
  uint32_t h = 2166136261u;
  while (s && *s) h = (h ^ (uint8_t)*s++) * 16777619u;
  return h;
}

static void note_getters(llhttp_t* parser) {
  const struct lib* lib = run.lib;
  struct event* e = note(EV_GETTERS, parser);
  e->rc = lib->get_errno(parser);
  // The text itself, in case a library keeps changing texts at one address.
  e->at = text_hash(lib->get_error_reason(parser));
  e->len = position(lib->get_error_pos(parser));
  e->offset = (uint32_t)(lib->get_type(parser) | lib->get_method(parser) << 8 | lib->get_http_major(parser) << 16 |
                         (uint32_t)lib->get_http_minor(parser) << 24) ^
              (uint32_t)(lib->get_status_code(parser) << 8 | lib->get_upgrade(parser)) * 2654435761u;
}

static void finish(llhttp_t* parser) {
  int rc = run.lib->finish(parser);
  if (run.plant == PLANT_return_code && rc == HPE_INVALID_EOF_STATE) rc = 0;
  note(EV_FINISH, parser)->rc = rc;
}

void drive(const struct plan* plan, const struct lib* lib, struct log* log) {
  llhttp_t* parser = run.parser = &run.slot[0];
  run.plan = plan;
  run.lib = lib;
  run.ev = log->ev;
  run.last = log->ev + MAX_EVENTS - 1;
  run.armed = run.total = run.resumed = 0;
  memset(run.count, 0, sizeof run.count);
  run.plant = run.planted = run.inside = 0;
  if (drive_plant && lib->label[0] == 't') run.plant = drive_plant;
  int acts_between = 0, both_settings = 0;
  for (unsigned i = 0; i < plan->nacts; i++) {
    unsigned when = plan->acts[i].when;
    run.armed |= when < NCB ? 1u << when : when == WHEN_ANY ? ALL_CBS : 0;
    acts_between |= when == WHEN_BETWEEN;
    both_settings |= plan->acts[i].what == ACT_settings || plan->acts[i].what == ACT_init;
  }
  run.upgrades = plan->upgrades;
  run.resumes = plan->resumes;
  run.errors = plan->errors;
  for (int i = 0; i <= both_settings; i++) {
    memset(&run.settings[i], 0x7e, sizeof run.settings[i]);
    lib->settings_init(&run.settings[i]);
    set_callbacks(&run.settings[i], plan->mask[i]);
  }
  memset(parser, 0xa5, sizeof *parser);
  if (lib->ext_init) {
    make_ext(&run.ext[0]);
    make_ext(&run.ext[1]);
    make_ext(&run.other_ext);
  }
  start_parser(parser);

  if (plan->null_first) {
    int rc = lib->execute(parser, NULL, 0);
    note(EV_EXECUTE, parser)->rc = rc;
  }
  uint32_t offset = 0;
  for (uint32_t i = 0; i < plan->npieces; i++) {
    if (plan->relocate) {
      run.parser = parser == run.slot ? run.slot + 1 : run.slot;
      memcpy(run.parser, parser, sizeof *parser);
      memset(parser, 0xa5, sizeof *parser);
      parser = run.parser;
    }
    if (acts_between) between(i);
    if (!feed(offset, plan->piece[i], plan->place >> (i & 63) & 1)) break;
    offset += plan->piece[i];
  }
  if (plan->ending & END_PAUSE_FIRST) lib->pause(parser);
  if (plan->ending & END_FINISH) finish(parser);
  if (plan->ending & END_EXECUTE) feed(0, plan->npieces ? plan->piece[0] : 0, 0);
  if (plan->ending & END_FINISH_TWICE) finish(parser);
  if (plan->ending & END_REUSE) {
    lib->reset(parser);
    feed(0, plan->len, 0);
    finish(parser);
  }
  note_getters(parser);
  if (run.ev == run.last) run.ev++->kind = EV_FULL;
  log->n = (uint32_t)(run.ev - log->ev);
}

void drive_cut_short(struct log* log) { log->n = (uint32_t)(run.ev - log->ev); }

// ---- planted differences

static void plant(struct event* e) {
  llhttp_t fields;  // only the public ones from content_length on
  memcpy((char*)&fields + PUBLIC_FROM, e->field, sizeof e->field);
  int value = e->kind == CB_header_value, url_error = e->kind == EV_EXECUTE && e->error == HPE_INVALID_URL;
  switch (run.plant) {
      // clang-format off: one in a line
    case PLANT_type: if (e->kind == CB_url) fields.type ^= 1; break;
    case PLANT_method: if (value) fields.method ^= 1; break;
    case PLANT_http_major: if (value) fields.http_major ^= 1; break;
    case PLANT_http_minor: if (value) fields.http_minor ^= 1; break;
    case PLANT_lenient_flags: if (e->kind == CB_headers_complete) fields.lenient_flags ^= 0x400; break;
    case PLANT_upgrade: if (e->kind == CB_message_complete) fields.upgrade ^= 1; break;
    case PLANT_finish: if (e->kind == CB_body) fields.finish ^= 1; break;
    case PLANT_flags: if (e->kind == CB_body) fields.flags ^= 0x200; break;
    case PLANT_status_code: if (e->kind == CB_status) fields.status_code++; break;
    case PLANT_initial_message_completed: if (e->kind == CB_reset) fields.initial_message_completed ^= 1; break;
    case PLANT_content_length: if (e->kind == CB_chunk_header) fields.content_length++; break;
    case PLANT_keep_alive: if (e->kind == CB_message_complete) e->keep_alive ^= 1; break;
    case PLANT_needs_eof: if (e->kind == CB_headers_complete) e->needs_eof ^= 1; break;
    case PLANT_error: if (url_error) e->error++; break;
    case PLANT_reason: if (url_error) e->reason = 0; break;
    case PLANT_error_pos: if (url_error) e->error_pos++; break;
    case PLANT_data: if (e->kind == CB_message_complete) e->data_kept ^= 1; break;
    case PLANT_settings: if (e->kind == CB_message_complete) e->settings ^= 1; break;
    case PLANT_lost_event: if (e->kind == CB_chunk_extension_value) run.ev--; break;
    case PLANT_extra_event: if (e->kind == CB_chunk_extension_value) *run.ev++ = *e; break;
    case PLANT_scribble: if (value && run.piece_len) run.piece[0] ^= 0x20; break;
    // clang-format on
    case PLANT_read_past_end:
      if (value && run.piece_len >= 4) run.planted += *(volatile uint8_t*)(run.piece + run.piece_len);
      break;
    case PLANT_read_before_start:
      if (value && run.piece_len >= 4) run.planted += *(volatile uint8_t*)(run.piece - 1);
      break;
    case PLANT_endless_loop:
      if (e->kind == CB_chunk_extension_name)
        for (volatile int i = 0;; i++) {}
      break;
    case PLANT_abort:
      if (e->kind == CB_chunk_extension_name) abort();
      break;
    default: break;
  }
  memcpy(e->field, (char*)&fields + PUBLIC_FROM, sizeof e->field);
  for (unsigned i = 0; i < PUBLIC_WORDS; i++) e->field[i] &= public_mask[i];
}
