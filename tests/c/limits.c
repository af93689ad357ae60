/* The limits of llhttp_ext.h: each at the exact byte, however the input is cut, whatever the callbacks do, beside
 * errors and other limits. What they must come to is worked out by limits_expect.h; here are the inputs, and some
 * places by hand. */
#include "check.h"
#include "limits_expect.h"

static const struct {
  llhttp_type_t type;
  uint16_t lenient;
  const char* input;
} inputs[] = {
    {HTTP_REQUEST, 0, "GET /index.html?a=b#c HTTP/1.1\r\nHost: example.org\r\nAccept:\r\nX: y\r\n\r\n"},
    {HTTP_REQUEST, 0,
     "\r\n\r\nPOST http://u@h:80/p HTTP/1.1\r\nTransfer-Encoding: chunked\r\nA: b\r\n\r\n3;name=value;q=\"x\\\"y\"\r\nabc\r\n"
     "2;e\r\nab\r\n1\r\na\r\n0;last=1\r\nTrailer: t\r\nUu: v\r\n\r\n\r\n\nGET / HTTP/1.1\r\nLast: one\r\n\r\n"},
    {HTTP_REQUEST, 0,
     "GET /a HTTP/1.1\r\nA: b\r\nC: d\r\n\r\nPUT /bb HTTP/1.1\r\nContent-Length: 3\r\nE: ffffff\r\n\r\nxyz"
     "CONNECT host.example:443 HTTP/1.1\r\nG: h\r\n\r\n"},
    {HTTP_RESPONSE, 0,
     "HTTP/1.1 200 A long reason phrase\r\nTransfer-Encoding: chunked\r\nServer: s\r\n\r\n4;x;y;z=1\r\nbody\r\n0\r\n\r\n"
     "HTTP/1.1 204 \r\nA: b\r\nCc: d\r\n\r\nHTTP/1.1 200 OK\r\nLonger-Name: longer value\r\n\r\nup to the end"},
    {HTTP_BOTH, 0, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nA: b\r\n\r\n"},
    {HTTP_REQUEST, LENIENT_HEADERS,
     "GET / HTTP/1.1\r\n A: b\r\n  folded\r\n\tmore\r\nConnection : close\r\nEmpty:\r\n x\r\nLast: \x01\r\n\r\n"},
    {HTTP_RESPONSE, LENIENT_OPTIONAL_CR_BEFORE_LF,
     "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nA: b\n\n2\r\nab\n0\r\nT: u\nV:\n\n"},
    {HTTP_REQUEST, LENIENT_OPTIONAL_LF_AFTER_CR | LENIENT_OPTIONAL_CRLF_AFTER_CHUNK | LENIENT_SPACES_AFTER_CHUNK_SIZE,
     "POST / HTTP/1.1\rTransfer-Encoding: chunked\r\n\r3 ;a=b\rabc2 \rab0;c\rT: u\r\n\r"},
    /* with errors */
    {HTTP_REQUEST, 0, "GET /aaaa\x80 HTTP/1.1\r\n\r\n"},
    {HTTP_REQUEST, 0, "GET / HTTP/1.1\r\nAaaa: b\r\nBbbb ccc: d\r\n\r\n"},
    {HTTP_REQUEST, 0, "GET / HTTP/1.1\r\nAaaa: b\r\n(bad: d\r\n\r\n"},
    {HTTP_REQUEST, 0,
     "GET / HTTP/1.1\r\nAaaa: bb\x01"
     "b\r\n\r\n"},
    {HTTP_REQUEST, 0, "GET / HTTP/1.1\r\nAaaa: bb\r\n cc\r\n\r\n"},
    {HTTP_REQUEST, 0, "GET / HTTP/1.1\r\nContent-Length: 12345x\r\n\r\n"},
    {HTTP_REQUEST, 0, "GET / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"},
    {HTTP_REQUEST, 0, "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;aaaa=\"b\rc\"\r\n"},
    {HTTP_REQUEST, 0, "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;a;b;c\r\naX"},
    {HTTP_REQUEST, 0, "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nAa: b\r\nCc d\r\n\r\n"},
};
enum { INPUTS = sizeof inputs / sizeof *inputs };

static char about[200];
static size_t cut_step = 1;

enum mode { PLAIN, PAUSES, NODE, NOTHING, MODES };

/* An open span that was paused at the end of a piece comes again, empty, when the parse goes on with nothing. */
static int pause_hook(struct rec* r, enum rec_kind kind, const char* at, size_t len) {
  (void)r, (void)at;
  return rec_is_span(kind) && len == 0 ? 0 : HPE_PAUSED;
}

/* What is left of the callbacks. */
static void set_mode(struct rec* r, enum mode mode) {
  const llhttp_settings_t all = r->settings;
  if (mode == PAUSES) r->hook = pause_hook;
  if (mode != NODE && mode != NOTHING) return;
  llhttp_settings_init(&r->settings);
  if (mode == NOTHING) return;
  r->settings.on_url = all.on_url;
  r->settings.on_header_field = all.on_header_field;
  r->settings.on_header_value = all.on_header_value;
  r->settings.on_headers_complete = all.on_headers_complete;
  r->settings.on_message_complete = all.on_message_complete;
}

/* Gives the input in two pieces, cut at `cut`, or in pieces of `size` if that is not 0. */
static void limited(const struct calm* c, const struct limits* l, enum mode mode, size_t cut, size_t size,
                    uint64_t fields[REC_FIELDS]) {
  const struct outcome want = calm_outcome(c, l);
  struct rec r;
  llhttp_ext_t ext;
  llhttp_errno_t err = HPE_OK;
  size_t at = 0, end;
  uint64_t now[REC_FIELDS];
  snprintf(about, sizeof about, "input %.30s, limits %d %d %d %d %d %d %d, mode %d, cut at %zu, pieces of %zu",
           c->input, (int)l->most[0], (int)l->most[1], (int)l->most[2], (int)l->most[3], (int)l->most[4],
           (int)l->most[5], (int)l->most[6], (int)mode, cut, size);
  check_about = about;
  rec_init(&r, c->type);
  rec_lenient(&r, c->lenient);
  set_mode(&r, mode);
  llhttp_ext_init(&ext);
  limits_to(&ext, l);
  CHECK_INT(llhttp_ext_attach(&r.parser, &ext), 0);
  while (at < c->len && err == HPE_OK) {
    end = size != 0 ? (c->len - at < size ? c->len : at + size) : at < cut ? cut : c->len;
    while ((err = rec_execute(&r, c->input + at, end - at, at)) == HPE_PAUSED) {
      at = (size_t)(llhttp_get_error_pos(&r.parser) - c->input);
      llhttp_resume(&r.parser);
    }
    if (err == HPE_OK) at = end;
  }
  if (err != HPE_OK) at = (size_t)(llhttp_get_error_pos(&r.parser) - c->input);
  CHECK_INT((int)err, (int)want.err);
  CHECK_INT(at, want.at);
  if (err != HPE_OK) {
    CHECK_STR(llhttp_get_error_reason(&r.parser), want.reason);
    CHECK_INT((int)llhttp_get_errno(&r.parser), (int)want.err);
    if (err == HPE_USER) CHECK_INT((int)llhttp_execute(&r.parser, c->input, c->len), HPE_USER);
  }
  if (mode == PLAIN || mode == PAUSES) CHECK(calm_prefix(c, &r, want.at));
  rec_fields(&r.parser, now);
  if (fields[0] == UINT64_MAX) memcpy(fields, now, sizeof now);
  CHECK(memcmp(fields, now, sizeof now) == 0);
  rec_free(&r);
}

static void every_way(const struct calm* c, const struct limits* l) {
  static const size_t sizes[] = {1, 2, 3, 7};
  uint64_t fields[REC_FIELDS];
  enum mode mode;
  size_t cut, i;
  fields[0] = UINT64_MAX;
  for (mode = PLAIN; mode < MODES; mode++) {
    limited(c, l, mode, 0, 0, fields);
    for (i = 0; i < sizeof sizes / sizeof *sizes; i++) limited(c, l, mode, 0, sizes[i], fields);
  }
  for (cut = 1; cut < c->len; cut += cut_step) limited(c, l, PLAIN, cut, 0, fields);
}

/* Each limit alone, at every number from 1 to one that nothing exceeds. */
static void each_alone(const struct calm* c) {
  int limit;
  for (limit = 0; limit < LIMITS; limit++) {
    struct limits l;
    memset(&l, 0, sizeof l);
    for (;;) {
      struct strike s;
      l.most[limit]++;
      s = calm_strike(c, &l);
      every_way(c, &l);
      if (s.at == SIZE_MAX) break;
      CHECK_INT(s.limit, limit);
    }
  }
}

/* Several together, among them equal places. */
static void together(const struct calm* c) {
  unsigned turn;
  for (turn = 0; turn < 40; turn++) {
    struct limits l;
    int limit;
    for (limit = 0; limit < LIMITS; limit++) {
      const unsigned k = turn * 7 + (unsigned)limit * 5;
      const unsigned range = limit == LIMIT_fields ? 4 : limit == LIMIT_header_bytes ? 90 : 23;
      l.most[limit] = k % 3 == 0 ? 0 : 1 + k % range;
    }
    every_way(c, &l);
  }
}

/* The room for events ends at any line, also at one that is not taken as a whole and whose value changes the public
 * fields with its first byte: see core/fieldvalue.go. With little room, as tests/run.sh builds it, a few lines are
 * enough. */
static void at_the_end_of_the_room(void) {
  static const char* const first[] = {"HTTP/0.9 200 x\r\n", "HTTP/1.1 200 OK\r\n"};
  static const char* const last[] = {"Upgrade: x\r\n y\r\n", "Transfer-Encoding: x\r\n"};
  char input[300];
  size_t i, k, lines, stop;
  for (i = 0; i < 2; i++) {
    for (k = 0; k < 2; k++) {
      for (lines = 0; lines < 10; lines++) {
        struct calm c;
        struct limits l;
        size_t n = (size_t)snprintf(input, sizeof input, "%s", first[i]), j;
        for (j = 0; j < lines; j++)
          n += (size_t)snprintf(input + n, sizeof input - n, "%s", j & 1 ? "Upgrade: y\r\n" : "A: b\r\n");
        n += (size_t)snprintf(input + n, sizeof input - n, "%s", last[k]);
        stop = n;
        n += (size_t)snprintf(input + n, sizeof input - n, "Long-Enough: for kernels, which take %060d\r\n\r\n", 0);
        memset(&c, 0, sizeof c);
        c.input = input;
        c.len = n;
        c.type = HTTP_RESPONSE;
        calm_run(&c);
        for (j = 1; j <= stop; j++) {
          uint64_t fields[REC_FIELDS];
          memset(&l, 0, sizeof l);
          l.most[LIMIT_header_bytes] = j;
          fields[0] = UINT64_MAX;
          limited(&c, &l, PLAIN, 0, 1, fields);
          limited(&c, &l, PLAIN, 0, 0, fields);
        }
        rec_free(&c.rec);
      }
    }
  }
}

/* ---- by hand: what the numbers mean ---- */

static size_t stops_at(const char* input, const struct limits* l, llhttp_type_t type, const char** reason) {
  struct rec r;
  llhttp_ext_t ext;
  size_t at = SIZE_MAX;
  rec_init(&r, type);
  llhttp_ext_init(&ext);
  limits_to(&ext, l);
  llhttp_ext_attach(&r.parser, &ext);
  *reason = NULL;
  if (llhttp_execute(&r.parser, input, strlen(input)) != HPE_OK) {
    at = (size_t)(llhttp_get_error_pos(&r.parser) - input);
    *reason = llhttp_get_error_reason(&r.parser);
  }
  rec_free(&r);
  return at;
}

static void by_hand(void) {
  static const char get[] = "GET /abc HTTP/1.1\r\nA: b\r\nCc:  d\r\n\r\n";
#define HEAD "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
  static const char post[] = HEAD "1;a=b\r\nx\r\n2;cc\r\nyy\r\n0\r\nT: u\r\n\r\n";
  const size_t head = sizeof HEAD - 1;
  static const struct {
    const char* input;
    enum limit limit;
    uint64_t most;
    size_t at; /* 0: nowhere */
    size_t after_head;
  } cases[] = {
      {get, LIMIT_target_length, 4, 0, 0},
      {get, LIMIT_target_length, 3, 7, 0},
      {get, LIMIT_target_length, 1, 5, 0},
      {get, LIMIT_target_length, 0, 0, 0},
      {get, LIMIT_field_line_length, 8, 0, 0},
      {get, LIMIT_field_line_length, 7, 32, 0}, /* the second LF */
      {get, LIMIT_field_line_length, 5, 24, 0},
      {get, LIMIT_field_line_length, UINT64_MAX, 0, 0},
      {get, LIMIT_fields, 2, 0, 0},
      {get, LIMIT_fields, 1, 25, 0},
      {get, LIMIT_header_bytes, sizeof get - 1, 0, 0},
      {get, LIMIT_header_bytes, sizeof get - 2, sizeof get - 2, 0},
      {get, LIMIT_header_bytes, 1, 1, 0},
      {get, LIMIT_chunk_extension_bytes, 1, 0, 0},
      {post, LIMIT_chunk_extension_bytes, 5, 0, 0},
      {post, LIMIT_chunk_extension_bytes, 4, 6, 1}, /* the LF after a=b */
      {post, LIMIT_message_chunk_extension_bytes, 9, 0, 0},
      {post, LIMIT_message_chunk_extension_bytes, 8, 15, 1},
      {post, LIMIT_message_chunk_extension_bytes, 5, 12, 1}, /* the first byte of the second chunk's */
      {post, LIMIT_trailer_bytes, 8, 0, 0},
      {post, LIMIT_trailer_bytes, 7, 30, 1},
      {post, LIMIT_fields, 1, 23, 1}, /* trailers count */
      {post, LIMIT_field_line_length, UINT64_C(1) << 63, 0, 0},
  };
  size_t i;
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct limits l;
    const char* reason;
    size_t at, want = cases[i].at;
    memset(&l, 0, sizeof l);
    l.most[cases[i].limit] = cases[i].most;
    at = stops_at(cases[i].input, &l, HTTP_REQUEST, &reason);
    if (want == 0) want = SIZE_MAX;
    else if (cases[i].after_head) want += head;
    snprintf(about, sizeof about, "by hand, case %zu", i);
    check_about = about;
    CHECK_INT((long long)at, (long long)want);
    CHECK_STR(reason, want == SIZE_MAX ? NULL : limit_reasons[cases[i].limit]);
  }
}

/* llhttp_reset begins to count anew and keeps the limits; so does attaching. A limit that is changed is for what
 * comes. */
static void counting_anew(void) {
  static const char piece[] = "GET /ab HTTP/1.1\r\nAa: ";
  llhttp_settings_t settings;
  llhttp_t parser;
  llhttp_ext_t ext;
  int turn;
  check_about = "counting anew";
  llhttp_settings_init(&settings);
  llhttp_init(&parser, HTTP_REQUEST, &settings);
  llhttp_ext_init(&ext);
  ext.max_header_bytes = 30;
  ext.max_field_line_length = 12;
  ext.max_fields = 1;
  CHECK_INT(llhttp_ext_attach(&parser, &ext), 0);
  for (turn = 0; turn < 4; turn++) {
    CHECK_INT((int)llhttp_execute(&parser, piece, sizeof piece - 1), HPE_OK);
    if (turn & 1) {
      CHECK_INT((int)llhttp_execute(&parser, "bcdefghijklm", 12), HPE_USER);
      CHECK_STR(llhttp_get_error_reason(&parser), "Field line exceeds max_field_line_length");
      CHECK_INT((int)llhttp_execute(&parser, "b", 1), HPE_USER);
    }
    llhttp_reset(&parser);
    CHECK_INT((int)llhttp_get_errno(&parser), HPE_OK);
    CHECK_INT(ext.max_fields, 1);
  }
  CHECK_INT((int)llhttp_execute(&parser, piece, sizeof piece - 1), HPE_OK);
  llhttp_init(&parser, HTTP_REQUEST, &settings);
  CHECK_INT(llhttp_ext_attach(&parser, &ext), 0);
  CHECK_INT((int)llhttp_execute(&parser, piece, sizeof piece - 1), HPE_OK);
  ext.max_field_line_length = 1; /* not for the line under way */
  CHECK_INT((int)llhttp_execute(&parser, "b\r", 2), HPE_OK);
  ext.max_fields = 0;
  CHECK_INT((int)llhttp_execute(&parser, "\nB", 2), HPE_OK);
  CHECK_INT((int)llhttp_execute(&parser, "B", 1), HPE_USER);
  CHECK_STR(llhttp_get_error_reason(&parser), "Field line exceeds max_field_line_length");
  /* Without the struct nothing is limited. */
  llhttp_init(&parser, HTTP_REQUEST, &settings);
  ext.max_target_length = 1;
  CHECK_INT((int)llhttp_execute(&parser, piece, sizeof piece - 1), HPE_OK);
}

/* A callback that fails, pauses or resets does so before a limit that is exceeded behind it. */
static int act_hook(struct rec* r, enum rec_kind kind, const char* at, size_t len) {
  const int* what = r->hook_data;
  (void)at, (void)len;
  if (kind != REC_on_header_field_complete || r->events[r->count - 2].off > 20) return 0; /* the first line's */
  if (*what == 1) llhttp_reset(&r->parser);
  if (*what == 2) ((llhttp_ext_t*)r->parser.data)->max_field_line_length = 2;
  return *what == 0 ? HPE_USER : 0;
}

static void callbacks_act(void) {
  static const char input[] = "GET / HTTP/1.1\r\nAaa: bbbbbbbb\r\nC: dddddddddddd\r\n\r\n";
  static const struct {
    llhttp_errno_t err;
    size_t at;
  } want[] = {{HPE_CB_HEADER_FIELD_COMPLETE, 20}, {HPE_USER, 41}, {HPE_USER, 26}};
  int what;
  size_t size;
  for (what = 0; what < 3; what++) {
    for (size = 1; size < sizeof input; size++) {
      struct rec r;
      llhttp_ext_t ext;
      llhttp_errno_t err = HPE_OK;
      size_t at;
      check_about = "callbacks act";
      rec_init(&r, HTTP_REQUEST);
      r.hook = act_hook;
      r.hook_data = &what;
      r.parser.data = &ext;
      llhttp_ext_init(&ext);
      ext.max_field_line_length = 10;
      CHECK_INT(llhttp_ext_attach(&r.parser, &ext), 0);
      for (at = 0; at < sizeof input - 1 && err == HPE_OK; at += size)
        err = rec_execute(&r, input + at, sizeof input - 1 - at < size ? sizeof input - 1 - at : size, at);
      CHECK_INT((int)err, (int)want[what].err);
      CHECK_INT(llhttp_get_error_pos(&r.parser) - input, (long long)want[what].at);
      rec_free(&r);
    }
  }
}

int main(void) {
  size_t i;
  if (getenv("LLHTTP_TEST_EMULATED") != NULL) cut_step = 17;
  by_hand();
  counting_anew();
  callbacks_act();
  at_the_end_of_the_room();
  for (i = 0; i < INPUTS; i++) {
    struct calm c;
    memset(&c, 0, sizeof c);
    c.input = inputs[i].input;
    c.len = strlen(c.input);
    c.type = inputs[i].type;
    c.lenient = inputs[i].lenient;
    calm_run(&c);
    each_alone(&c);
    together(&c);
    rec_free(&c.rec);
  }
  return check_done();
}
