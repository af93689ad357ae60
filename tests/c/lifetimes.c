/* Who owns what: spans point into the caller's buffer; a buffer may go as soon as llhttp_execute has returned; settings may
 * be shared; the parser is plain memory that may be copied and moved; nothing outside of it is written. */
#include "check.h"
#include "guard.h"
#include "recorder.h"

static const struct {
  llhttp_type_t type;
  const char* input;
} messages[] = {
    {HTTP_REQUEST,
     "POST /path?query#fragment HTTP/1.1\r\nHost: example.org\r\nTransfer-Encoding: chunked\r\nEmpty:\r\nTwo: a b\r\n"
     "\r\n7;name=value;q=\"quoted \\\"\"\r\nsevenby\r\n0\r\nTrailer: t\r\n\r\n"
     "GET /second HTTP/1.1\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\n12345GET /third HTTP/1.0\r\n\r\n"},
    {HTTP_RESPONSE,
     "HTTP/1.1 200 A reason\r\nContent-Length: 4\r\nX: y\r\n\r\nbodyHTTP/1.1 404\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"
     "a\r\n0123456789\r\n0\r\n\r\nHTTP/1.0 200 Last\r\n\r\nup to the end"},
    {HTTP_BOTH, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"},
    {HTTP_BOTH, "HEAD / HTTP/1.1\r\nA: b\r\n\r\n"},
};
enum { MESSAGES = sizeof messages / sizeof *messages };

static struct rec calm[MESSAGES];
static char about[120];

static void busy(const char* what, size_t m, size_t cut) {
  snprintf(about, sizeof about, "%s, message %zu, cut %zu", what, m, cut);
  check_about = about;
}

static void check_same(struct rec* r, size_t m) {
  uint64_t got[REC_FIELDS], want[REC_FIELDS];
  size_t i;
  CHECK_INT(r->strays, 0);
  r->count = rec_merge(r->events, r->count);
  CHECK_INT(r->count, calm[m].count);
  for (i = 0; i < r->count && i < calm[m].count; i++)
    if (!CHECK(rec_same(&r->events[i], &calm[m].events[i]))) break;
  rec_fields(&r->parser, got);
  rec_fields(&calm[m].parser, want);
  CHECK(memcmp(got, want, sizeof got) == 0);
  CHECK_INT(llhttp_get_errno(&r->parser), HPE_OK);
}

static void undisturbed(void) {
  size_t m;
  check_about = "undisturbed";
  for (m = 0; m < MESSAGES; m++) {
    rec_init(&calm[m], messages[m].type);
    CHECK_INT((int)rec_execute(&calm[m], messages[m].input, strlen(messages[m].input), 0), HPE_OK);
    CHECK_INT(calm[m].strays, 0);
    CHECK(calm[m].count > 10);
  }
}

/* ---- buffers ---- */

/* The bytes behind each span are the ones that were passed in, at that place; then the buffer is unmapped. */
static int bytes_hook(struct rec* r, enum rec_kind kind, const char* at, size_t len) {
  const char* input = r->hook_data;
  const struct rec_event* e = &r->events[r->count - 1];
  if (rec_is_span(kind)) {
    CHECK(at >= r->piece && at + len <= r->piece + r->piece_len);
    CHECK(memcmp(at, input + e->off, len) == 0);
  }
  return 0;
}

static void buffers_may_go(void) {
  size_t m, cut;
  for (m = 0; m < MESSAGES; m++) {
    const char* input = messages[m].input;
    size_t len = strlen(input);
    for (cut = 0; cut <= len; cut++) {
      struct guard first = guard_new(len), second = guard_new(len);
      struct rec r;
      busy("unmapped buffers", m, cut);
      rec_init(&r, messages[m].type);
      r.hook = bytes_hook;
      r.hook_data = (void*)input;
      CHECK_INT((int)rec_execute(&r, guard_at_end(&first, input, cut), cut, 0), HPE_OK);
      guard_free(&first);
      CHECK_INT((int)rec_execute(&r, guard_at_start(&second, input + cut, len - cut), len - cut, cut), HPE_OK);
      guard_free(&second);
      check_same(&r, m);
      rec_free(&r);
    }
  }
}

/* One buffer for all pieces, overwritten in between with bytes that would break any token. */
static void buffers_may_change(void) {
  size_t m, size, off;
  for (m = 0; m < MESSAGES; m++) {
    const char* input = messages[m].input;
    size_t len = strlen(input);
    for (size = 1; size <= 40; size++) {
      char buffer[40];
      struct rec r;
      busy("overwritten buffer", m, size);
      rec_init(&r, messages[m].type);
      r.hook = bytes_hook;
      r.hook_data = (void*)input;
      for (off = 0; off < len; off += size) {
        size_t n = len - off < size ? len - off : size;
        memcpy(buffer, input + off, n);
        CHECK_INT((int)rec_execute(&r, buffer, n, off), HPE_OK);
        memset(buffer, off % 2 ? 0 : 0xff, sizeof buffer);
      }
      check_same(&r, m);
      rec_free(&r);
    }
  }
}

/* The input is not written to: it may be in read-only memory. */
static void buffers_stay(void) {
  size_t m;
  for (m = 0; m < MESSAGES; m++) {
    size_t len = strlen(messages[m].input);
    struct guard g = guard_new(len);
    char* data = guard_at_end(&g, messages[m].input, len);
    struct rec r;
    busy("read-only buffer", m, 0);
    CHECK_INT(mprotect(g.start, (size_t)(g.end - g.start), PROT_READ), 0);
    rec_init(&r, messages[m].type);
    CHECK_INT((int)rec_execute(&r, data, len, 0), HPE_OK);
    check_same(&r, m);
    rec_free(&r);
    guard_free(&g);
  }
}

/* ---- settings ---- */

/* Many parsers on one settings struct in read-only memory, taking turns byte by byte. */
static void settings_shared(void) {
  enum { PARSERS = 12 };
  static struct rec r[PARSERS];
  struct guard g = guard_new(sizeof(llhttp_settings_t));
  llhttp_settings_t* shared = (llhttp_settings_t*)g.start;
  size_t i, off, longest = 0;
  check_about = "shared settings";
  rec_settings(shared);
  CHECK_INT(mprotect(g.start, (size_t)(g.end - g.start), PROT_READ), 0);
  for (i = 0; i < PARSERS; i++) {
    size_t len = strlen(messages[i % MESSAGES].input);
    rec_init(&r[i], messages[i % MESSAGES].type);
    llhttp_init(&r[i].parser, messages[i % MESSAGES].type, shared);
    if (len > longest) longest = len;
  }
  for (off = 0; off < longest; off++) {
    for (i = 0; i < PARSERS; i++) {
      const char* input = messages[i % MESSAGES].input;
      if (off < strlen(input)) CHECK_INT(rec_execute(&r[i], input + off, 1, off), HPE_OK);
    }
  }
  for (i = 0; i < PARSERS; i++) {
    check_same(&r[i], i % MESSAGES);
    CHECK_PTR(r[i].parser.settings, shared);
    rec_free(&r[i]);
  }
  guard_free(&g);
}

static void settings_init(void) {
  struct {
    unsigned char before[64];
    llhttp_settings_t s;
    unsigned char after[64];
  } box;
  unsigned char zero[sizeof(llhttp_settings_t)] = {0}, canary[64];
  check_about = "llhttp_settings_init";
  memset(&box, 0xa5, sizeof box);
  memset(canary, 0xa5, sizeof canary);
  llhttp_settings_init(&box.s);
  CHECK(memcmp(&box.s, zero, sizeof zero) == 0);
  CHECK(memcmp(box.before, canary, 64) == 0);
  CHECK(memcmp(box.after, canary, 64) == 0);
}

static void no_settings(void) {
  size_t m, cut;
  for (m = 0; m < MESSAGES; m++) {
    const char* input = messages[m].input;
    size_t len = strlen(input);
    for (cut = 0; cut <= len; cut++) {
      uint64_t got[REC_FIELDS], want[REC_FIELDS];
      llhttp_t p;
      busy("settings NULL", m, cut);
      llhttp_init(&p, messages[m].type, NULL);
      CHECK_INT(llhttp_execute(&p, input, cut), HPE_OK);
      CHECK_INT(llhttp_execute(&p, input + cut, len - cut), HPE_OK);
      rec_fields(&p, got);
      rec_fields(&calm[m].parser, want);
      CHECK(memcmp(got, want, sizeof got) == 0);
      CHECK_INT(llhttp_finish(&p), HPE_OK);
      CHECK_PTR(p.settings, NULL);
    }
  }
}

/* ---- the parser as memory ---- */

/* Copied in the middle, both go on alone; the original is destroyed first, then the copy of the copy is used. */
static void copies(void) {
  size_t m, cut;
  for (m = 0; m < MESSAGES; m++) {
    const char* input = messages[m].input;
    size_t len = strlen(input), i;
    for (cut = 0; cut <= len; cut++) {
      struct rec a, b;
      size_t half = (cut + len) / 2;
      busy("copied parser", m, cut);
      rec_init(&a, messages[m].type);
      CHECK_INT((int)rec_execute(&a, input, cut, 0), HPE_OK);
      b = a;
      b.events = malloc((a.count + 1) * sizeof *b.events);
      if (b.events == NULL) abort();
      if (a.count > 0) memcpy(b.events, a.events, a.count * sizeof *b.events);
      b.room = a.count + 1;
      b.parser.settings = &b.settings;
      CHECK_INT((int)rec_execute(&b, input + cut, half - cut, cut), HPE_OK);
      CHECK_INT((int)rec_execute(&a, input + cut, len - cut, cut), HPE_OK);
      check_same(&a, m);
      rec_free(&a);
      memset(&a, 0x5a, sizeof a);
      for (i = half; i < len; i++) CHECK_INT(rec_execute(&b, input + i, 1, i), HPE_OK);
      check_same(&b, m);
      rec_free(&b);
    }
  }
}

/* Nothing around the parser is written, whatever the memory held before llhttp_init; `data` is the caller's. */
static void canaries(void) {
  static const unsigned char fills[] = {0x00, 0xff, 0xa5};
  size_t m, fill, size;
  for (m = 0; m < MESSAGES; m++) {
    const char* input = messages[m].input;
    size_t len = strlen(input), off, i;
    for (fill = 0; fill < sizeof fills; fill++) {
      for (size = 1; size <= len; size = size * 3 + 1) {
        struct {
          unsigned char before[128];
          struct rec r;
          unsigned char after[128];
        } box;
        llhttp_settings_t settings;
        int mine = 0;
        busy("canaries", m, size);
        memset(&box, fills[fill], sizeof box);
        box.r.events = NULL;
        box.r.count = box.r.room = box.r.strays = 0;
        box.r.hook = NULL;
        rec_settings(&box.r.settings);
        settings = box.r.settings;
        llhttp_init(&box.r.parser, messages[m].type, &box.r.settings);
        CHECK_PTR(box.r.parser.data, NULL);
        CHECK_INT(box.r.parser.lenient_flags, 0);
        CHECK_INT(llhttp_get_errno(&box.r.parser), HPE_OK);
        CHECK_PTR(llhttp_get_error_reason(&box.r.parser), NULL);
        CHECK_PTR(llhttp_get_error_pos(&box.r.parser), NULL);
        box.r.parser.data = &mine;
        for (off = 0; off < len; off += size)
          CHECK_INT((int)rec_execute(&box.r, input + off, len - off < size ? len - off : size, off), HPE_OK);
        check_same(&box.r, m);
        CHECK_INT(llhttp_finish(&box.r.parser), HPE_OK);
        CHECK_PTR(box.r.parser.data, &mine);
        CHECK_PTR(box.r.parser.settings, &box.r.settings);
        CHECK(memcmp(&settings, &box.r.settings, sizeof settings) == 0);
        for (i = 0; i < sizeof box.before; i++)
          if (!CHECK(box.before[i] == fills[fill] && box.after[i] == fills[fill])) break;
        rec_free(&box.r);
      }
    }
  }
}

/* The parser against an inaccessible page on either side, so that no access misses it. */
static void parser_at_the_edge(void) {
  struct guard g = guard_new(sizeof(llhttp_t));
  size_t m, side;
  for (m = 0; m < MESSAGES; m++) {
    for (side = 0; side < 2; side++) {
      llhttp_t* p = (llhttp_t*)(side ? g.end - sizeof *p : g.start);
      const char* input = messages[m].input;
      size_t len = strlen(input), off;
      busy("parser at the edge", m, side);
      llhttp_init(p, messages[m].type, NULL);
      CHECK_INT(llhttp_execute(p, input, len), HPE_OK);
      llhttp_reset(p);
      for (off = 0; off < len; off++) CHECK_INT(llhttp_execute(p, input + off, 1), HPE_OK);
      CHECK_INT(llhttp_finish(p), HPE_OK);
      llhttp_pause(p);
      llhttp_resume(p);
      CHECK_INT(p->error, 0);
    }
  }
  guard_free(&g);
}

/* Wherever the parse stands, also after an error: llhttp_reset clears all but type, settings, data and lenient flags. */
static void reset_keeps(void) {
  size_t m, cut;
  for (m = 0; m < MESSAGES; m++) {
    const char* input = messages[m].input;
    size_t len = strlen(input);
    for (cut = 0; cut <= len; cut++) {
      int mine, turn;
      for (turn = 0; turn < 2; turn++) {
        struct rec r;
        llhttp_t fresh;
        busy(turn ? "reset after an error" : "reset", m, cut);
        rec_init(&r, messages[m].type);
        r.parser.data = &mine;
        r.parser.lenient_flags = LENIENT_KEEP_ALIVE | LENIENT_VERSION;
        CHECK_INT((int)rec_execute(&r, input, cut, 0), HPE_OK);
        if (turn) rec_execute(&r, "\001\002\003", 3, 0);
        llhttp_reset(&r.parser);
        CHECK_INT(r.parser.lenient_flags, LENIENT_KEEP_ALIVE | LENIENT_VERSION);
        CHECK_PTR(r.parser.settings, &r.settings);
        CHECK_PTR(r.parser.data, &mine);
        if (messages[m].type != HTTP_BOTH) CHECK_INT(r.parser.type, messages[m].type);
        llhttp_init(&fresh, (llhttp_type_t)r.parser.type, &r.settings);
        CHECK_INT(r.parser.error, 0);
        CHECK_PTR(r.parser.reason, NULL);
        CHECK_PTR(r.parser.error_pos, NULL);
        CHECK_INT(r.parser.content_length, 0);
        CHECK_INT(r.parser.method, 0);
        CHECK_INT(r.parser.http_major, 0);
        CHECK_INT(r.parser.http_minor, 0);
        CHECK_INT(r.parser.upgrade, 0);
        CHECK_INT(r.parser.finish, HTTP_FINISH_SAFE);
        CHECK_INT(r.parser.flags, 0);
        CHECK_INT(r.parser.status_code, 0);
        r.count = 0;
        r.parser.lenient_flags = 0;
        r.parser.type = (uint8_t)messages[m].type;
        CHECK_INT((int)rec_execute(&r, input, len, 0), HPE_OK);
        check_same(&r, m);
        rec_free(&r);
      }
    }
  }
}

int main(void) {
  size_t m;
  undisturbed();
  buffers_may_go();
  buffers_may_change();
  buffers_stay();
  settings_shared();
  settings_init();
  no_settings();
  copies();
  canaries();
  parser_at_the_edge();
  reset_keeps();
  for (m = 0; m < MESSAGES; m++) rec_free(&calm[m]);
  check_about = "";
  return check_done();
}
