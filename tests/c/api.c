/* The functions around llhttp_execute: getters, setters, names, pause and resume, llhttp_finish, and the two questions about
 * the connection. */
#include "check.h"
#include "recorder.h"

static char about[120];

/* ---- names ---- */

static void names(void) {
  check_about = "names";
#define ERRNO(number, name, text)                                        \
  CHECK_INT(HPE_##name, number);                                         \
  CHECK_STR(llhttp_errno_name((llhttp_errno_t)(number)), "HPE_" #text);
  HTTP_ERRNO_MAP(ERRNO)
#undef ERRNO
#define METHOD(number, name, text) CHECK_STR(llhttp_method_name((llhttp_method_t)(number)), #text);
  HTTP_ALL_METHOD_MAP(METHOD)
  HTTP_METHOD_MAP(METHOD)
  RTSP_METHOD_MAP(METHOD)
#undef METHOD
#define STATUS(number, name, text) CHECK_STR(llhttp_status_name((llhttp_status_t)(number)), #text);
  HTTP_STATUS_MAP(STATUS)
#undef STATUS
  CHECK_STR(llhttp_errno_name(HPE_CB_PROTOCOL_COMPLETE), "HPE_CB_PROTOCOL_COMPLETE");
  CHECK_STR(llhttp_method_name(HTTP_MSEARCH), "M-SEARCH");
  CHECK_STR(llhttp_method_name(HTTP_GET_PARAMETER), "GET_PARAMETER");
  CHECK_STR(llhttp_status_name(HTTP_STATUS_IM_A_TEAPOT), "IM_A_TEAPOT");
}

/* llhttp aborts on a number that it does not know; a library should not. */
static void unknown_names(void) {
  static const int numbers[] = {-1, 9999, 36, 37, 39, 47, 99, 104, 427, 600, 1000000, -2147483647 - 1, 2147483647};
  size_t i;
  if (check_reference()) return;
  check_about = "unknown names";
  for (i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    const char* name = llhttp_errno_name((llhttp_errno_t)numbers[i]);
    CHECK(name != NULL && *name != '\0' && strcmp(name, "HPE_OK") != 0);
    name = llhttp_method_name((llhttp_method_t)(numbers[i] >= 0 && numbers[i] < 47 ? 47 : numbers[i]));
    CHECK(name != NULL && *name != '\0' && strcmp(name, "GET") != 0);
    name = llhttp_status_name((llhttp_status_t)numbers[i]);
    CHECK(name != NULL && *name != '\0' && strcmp(name, "OK") != 0);
  }
}

/* ---- getters and setters ---- */

static void getters(void) {
  llhttp_t p;
  llhttp_settings_t s;
  int n;
  check_about = "getters";
  llhttp_settings_init(&s);
  for (n = 0; n < 256; n++) {
    llhttp_init(&p, (llhttp_type_t)(n % 3), &s);
    CHECK_INT(llhttp_get_type(&p), n % 3);
    p.type = (uint8_t)n;
    p.http_major = (uint8_t)(255 - n);
    p.http_minor = (uint8_t)(n ^ 0x55);
    p.method = (uint8_t)(n ^ 0xaa);
    p.status_code = (uint16_t)(n * 257);
    p.upgrade = (uint8_t)(n ^ 0x0f);
    p.error = n * 7654321 - 5;
    CHECK_INT(llhttp_get_type(&p), n);
    CHECK_INT(llhttp_get_http_major(&p), 255 - n);
    CHECK_INT(llhttp_get_http_minor(&p), n ^ 0x55);
    CHECK_INT(llhttp_get_method(&p), n ^ 0xaa);
    CHECK_INT(llhttp_get_status_code(&p), n * 257);
    CHECK_INT(llhttp_get_upgrade(&p), n ^ 0x0f);
    CHECK_INT((int)llhttp_get_errno(&p), n * 7654321 - 5);
    p.error_pos = (const char*)&p + n;
    CHECK_PTR(llhttp_get_error_pos(&p), (const char*)&p + n);
    llhttp_set_error_reason(&p, about + n % 100);
    CHECK_PTR(llhttp_get_error_reason(&p), about + n % 100);
    CHECK_PTR(p.reason, about + n % 100);
    llhttp_set_error_reason(&p, NULL);
    CHECK_PTR(llhttp_get_error_reason(&p), NULL);
  }
}

static void lenient_setters(void) {
  static const struct {
    void (*set)(llhttp_t*, int);
    unsigned bit;
  } setters[] = {
      {llhttp_set_lenient_headers, LENIENT_HEADERS},
      {llhttp_set_lenient_chunked_length, LENIENT_CHUNKED_LENGTH},
      {llhttp_set_lenient_keep_alive, LENIENT_KEEP_ALIVE},
      {llhttp_set_lenient_transfer_encoding, LENIENT_TRANSFER_ENCODING},
      {llhttp_set_lenient_version, LENIENT_VERSION},
      {llhttp_set_lenient_data_after_close, LENIENT_DATA_AFTER_CLOSE},
      {llhttp_set_lenient_optional_lf_after_cr, LENIENT_OPTIONAL_LF_AFTER_CR},
      {llhttp_set_lenient_optional_crlf_after_chunk, LENIENT_OPTIONAL_CRLF_AFTER_CHUNK},
      {llhttp_set_lenient_optional_cr_before_lf, LENIENT_OPTIONAL_CR_BEFORE_LF},
      {llhttp_set_lenient_spaces_after_chunk_size, LENIENT_SPACES_AFTER_CHUNK_SIZE},
      {llhttp_set_lenient_header_value_relaxed, LENIENT_HEADER_VALUE_RELAXED},
  };
  static const int yes[] = {1, 2, -1, 256, 65536};
  size_t i, n;
  unsigned all = 0;
  check_about = "lenient setters";
  for (i = 0; i < sizeof setters / sizeof *setters; i++) {
    CHECK_INT(all & setters[i].bit, 0);
    all |= setters[i].bit;
    for (n = 0; n < sizeof yes / sizeof *yes; n++) {
      llhttp_t p, before;
      llhttp_init(&p, HTTP_REQUEST, NULL);
      setters[i].set(&p, yes[n]);
      CHECK_INT(p.lenient_flags, setters[i].bit);
      setters[i].set(&p, yes[n]);
      CHECK_INT(p.lenient_flags, setters[i].bit);
      setters[i].set(&p, 0);
      CHECK_INT(p.lenient_flags, 0);
      setters[i].set(&p, 0);
      CHECK_INT(p.lenient_flags, 0);
      p.lenient_flags = 0xffff;
      before = p;
      setters[i].set(&p, 0);
      CHECK_INT(p.lenient_flags, 0xffff & ~setters[i].bit);
      setters[i].set(&p, yes[n]);
      CHECK_INT(p.lenient_flags, 0xffff);
      CHECK(memcmp(&p, &before, sizeof p) == 0);
    }
  }
  CHECK_INT(all, 0x7ff);
}

/* ---- pause and resume ---- */

static void pause_and_resume(void) {
  static const char input[] = "GET / HTTP/1.1\r\n\r\n";
  struct rec r;
  int err;
  check_about = "pause and resume";

  /* Before any data. */
  rec_init(&r, HTTP_REQUEST);
  llhttp_resume(&r.parser);
  llhttp_resume_after_upgrade(&r.parser);
  CHECK_INT(llhttp_get_errno(&r.parser), HPE_OK);
  llhttp_pause(&r.parser);
  CHECK_INT(llhttp_get_errno(&r.parser), HPE_PAUSED);
  CHECK_STR(llhttp_get_error_reason(&r.parser), "Paused");
  CHECK_PTR(llhttp_get_error_pos(&r.parser), NULL);
  CHECK_INT(rec_execute(&r, input, sizeof input - 1, 0), HPE_PAUSED);
  CHECK_INT(rec_execute(&r, input, 0, 0), HPE_PAUSED);
  CHECK_INT(r.count, 0);
  llhttp_resume_after_upgrade(&r.parser);
  CHECK_INT(llhttp_get_errno(&r.parser), HPE_PAUSED);
  CHECK_INT(llhttp_finish(&r.parser), HPE_OK);
  llhttp_resume(&r.parser);
  CHECK_INT(llhttp_get_errno(&r.parser), HPE_OK);
  CHECK_STR(llhttp_get_error_reason(&r.parser), "Paused");
  CHECK_INT(rec_execute(&r, input, 9, 0), HPE_OK);

  /* Between two pieces, twice. */
  llhttp_pause(&r.parser);
  llhttp_set_error_reason(&r.parser, "mine");
  llhttp_pause(&r.parser);
  CHECK_STR(llhttp_get_error_reason(&r.parser), "mine");
  CHECK_INT(rec_execute(&r, input + 9, sizeof input - 1 - 9, 9), HPE_PAUSED);
  llhttp_resume(&r.parser);
  CHECK_INT(rec_execute(&r, input + 9, sizeof input - 1 - 9, 9), HPE_OK);
  CHECK_INT(r.events[r.count - 1].kind, REC_on_message_complete);
  rec_free(&r);

  /* With any other error, none of the three does anything. */
  for (err = 1; err <= 38; err++) {
    llhttp_t p, before;
    llhttp_init(&p, HTTP_RESPONSE, NULL);
    p.error = err;
    p.reason = "kept";
    before = p;
    llhttp_pause(&p);
    CHECK(memcmp(&p, &before, sizeof p) == 0);
    if (err != HPE_PAUSED) llhttp_resume(&p);
    if (err != HPE_PAUSED_UPGRADE) llhttp_resume_after_upgrade(&p);
    CHECK(memcmp(&p, &before, sizeof p) == 0);
    CHECK_INT((int)llhttp_execute(&p, input, sizeof input - 1), err);
    CHECK(memcmp(&p, &before, sizeof p) == 0);
    if (err == HPE_PAUSED) llhttp_resume(&p);
    if (err == HPE_PAUSED_UPGRADE) llhttp_resume_after_upgrade(&p);
    CHECK_INT(p.error, err == HPE_PAUSED || err == HPE_PAUSED_UPGRADE ? 0 : err);
    p.error = err;
    CHECK(memcmp(&p, &before, sizeof p) == 0);
  }
}

static void no_data(void) {
  static const char input[] = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;a=b\r\nx\r\n0\r\nT: v\r\n\r\n";
  struct rec calm, r;
  size_t off, i;
  check_about = "no data";
  rec_init(&r, HTTP_BOTH);
  CHECK_INT(rec_execute(&r, NULL, 0, 0), HPE_OK);
  CHECK_INT(rec_execute(&r, input, 0, 0), HPE_OK);
  CHECK_INT(r.count, 0);
  CHECK_INT(llhttp_finish(&r.parser), HPE_OK);
  rec_free(&r);

  /* Between any two bytes: at most an empty piece of the span that is open. */
  rec_init(&calm, HTTP_REQUEST);
  CHECK_INT(rec_execute(&calm, input, sizeof input - 1, 0), HPE_OK);
  rec_init(&r, HTTP_REQUEST);
  for (off = 0; off < sizeof input - 1; off++) {
    size_t count;
    CHECK_INT(rec_execute(&r, input + off, 0, off), HPE_OK);
    count = r.count;
    CHECK_INT(rec_execute(&r, input + off, 0, off), HPE_OK);
    CHECK(r.count <= count + 1);
    CHECK_INT(rec_execute(&r, input + off, 1, off), HPE_OK);
    /* llhttp loses the span that is open at a NULL pointer; it must not be lost. */
    if (!check_reference()) CHECK_INT(llhttp_execute(&r.parser, NULL, 0), HPE_OK);
  }
  for (i = off = 0; i < r.count; i++) {
    if (rec_is_span(r.events[i].kind) && r.events[i].len == 0) continue;
    r.events[off++] = r.events[i];
  }
  off = rec_merge(r.events, off);
  CHECK_INT(off, calm.count);
  for (i = 0; i < off && i < calm.count; i++)
    if (!CHECK(rec_same(&r.events[i], &calm.events[i]))) break;
  rec_free(&r);
  rec_free(&calm);
}

/* ---- llhttp_finish ---- */

static const struct {
  const char* name;
  llhttp_type_t type;
  const char* input;
  int finish; /* state before */
  int value; /* what llhttp_finish returns */
  int calls; /* of on_message_complete */
} finishes[] = {
    {"nothing yet", HTTP_REQUEST, "", HTTP_FINISH_SAFE, HPE_OK, 0},
    {"empty lines before a message", HTTP_REQUEST, "\r\n\r\n", HTTP_FINISH_SAFE, HPE_OK, 0},
    {"first byte of a request", HTTP_REQUEST, "G", HTTP_FINISH_UNSAFE, HPE_INVALID_EOF_STATE, 0},
    {"first byte of either", HTTP_BOTH, "H", HTTP_FINISH_UNSAFE, HPE_INVALID_EOF_STATE, 0},
    {"inside of the headers", HTTP_RESPONSE, "HTTP/1.1 200 OK\r\nA: b\r\n", HTTP_FINISH_UNSAFE, HPE_INVALID_EOF_STATE,
     0},
    {"inside of a body with length", HTTP_RESPONSE, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na", HTTP_FINISH_UNSAFE,
     HPE_INVALID_EOF_STATE, 0},
    {"inside of a chunk", HTTP_RESPONSE, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\na",
     HTTP_FINISH_UNSAFE, HPE_INVALID_EOF_STATE, 0},
    {"before the end of the trailers", HTTP_RESPONSE, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
     HTTP_FINISH_UNSAFE, HPE_INVALID_EOF_STATE, 0},
    {"after a request", HTTP_REQUEST, "GET / HTTP/1.1\r\n\r\n", HTTP_FINISH_SAFE, HPE_OK, 0},
    {"after a request that closes", HTTP_REQUEST, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", HTTP_FINISH_SAFE,
     HPE_OK, 0},
    {"after a request with body", HTTP_REQUEST, "PUT / HTTP/1.1\r\nContent-Length: 1\r\n\r\na", HTTP_FINISH_SAFE,
     HPE_OK, 0},
    {"between two requests", HTTP_REQUEST, "GET / HTTP/1.1\r\n\r\n\r\n", HTTP_FINISH_SAFE, HPE_OK, 0},
    {"in the second request", HTTP_REQUEST, "GET / HTTP/1.1\r\n\r\nG", HTTP_FINISH_UNSAFE, HPE_INVALID_EOF_STATE, 0},
    {"body up to the end, no byte of it", HTTP_RESPONSE, "HTTP/1.1 200 OK\r\n\r\n", HTTP_FINISH_SAFE_WITH_CB, HPE_OK,
     1},
    {"body up to the end", HTTP_RESPONSE, "HTTP/1.1 200 OK\r\n\r\nbytes", HTTP_FINISH_SAFE_WITH_CB, HPE_OK, 1},
    {"last coding is not chunked", HTTP_RESPONSE, "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nx",
     HTTP_FINISH_SAFE_WITH_CB, HPE_OK, 1},
    {"after an upgrade", HTTP_REQUEST, "CONNECT h:1 HTTP/1.1\r\n\r\n", HTTP_FINISH_UNSAFE, HPE_OK, 0},
    {"after an error", HTTP_REQUEST, "\1", HTTP_FINISH_UNSAFE, HPE_OK, 0},
};

struct complete {
  int calls, value;
};

static int complete_hook(struct rec* r, enum rec_kind kind, const char* at, size_t len) {
  struct complete* c = r->hook_data;
  (void)at, (void)len;
  if (kind != REC_on_message_complete) return 0;
  c->calls++;
  return c->value;
}

static void finish(void) {
  static const int values[] = {0, -1, 1, HPE_PAUSED, HPE_PAUSED_UPGRADE, HPE_USER, 1000};
  size_t i, v;
  for (i = 0; i < sizeof finishes / sizeof *finishes; i++) {
    struct complete c = {0, 0};
    struct rec r;
    int err;
    const char* pos;
    snprintf(about, sizeof about, "finish: %s", finishes[i].name);
    check_about = about;
    rec_init(&r, finishes[i].type);
    r.hook = complete_hook;
    r.hook_data = &c;
    rec_execute(&r, finishes[i].input, strlen(finishes[i].input), 0);
    err = (int)llhttp_get_errno(&r.parser);
    pos = llhttp_get_error_pos(&r.parser);
    CHECK_INT(r.parser.finish, finishes[i].finish);
    c.calls = 0;
    CHECK_INT((int)llhttp_finish(&r.parser), finishes[i].value);
    CHECK_INT(c.calls, finishes[i].calls);
    /* It is only told, not remembered: errno stays, and a second call does the same. */
    CHECK_INT((int)llhttp_get_errno(&r.parser), err);
    CHECK_PTR(llhttp_get_error_pos(&r.parser), pos);
    CHECK_INT(r.parser.finish, finishes[i].finish);
    if (finishes[i].value == HPE_INVALID_EOF_STATE) CHECK_STR(llhttp_get_error_reason(&r.parser), "Invalid EOF state");
    else if (err == HPE_OK) CHECK_STR(llhttp_get_error_reason(&r.parser), NULL);
    CHECK_INT((int)llhttp_finish(&r.parser), finishes[i].value);
    CHECK_INT(c.calls, 2 * finishes[i].calls);
    if (finishes[i].calls > 0) {
      for (v = 0; v < sizeof values / sizeof *values; v++) {
        c.value = values[v];
        CHECK_INT((int)llhttp_finish(&r.parser), values[v]);
        CHECK_INT((int)llhttp_get_errno(&r.parser), HPE_OK);
        CHECK_STR(llhttp_get_error_reason(&r.parser), NULL);
      }
      r.settings.on_message_complete = NULL;
      CHECK_INT((int)llhttp_finish(&r.parser), HPE_OK);
      r.parser.settings = NULL;
      CHECK_INT((int)llhttp_finish(&r.parser), HPE_OK);
    }
    rec_free(&r);
  }
  /* A state that does not exist must not end the program. */
  if (!check_reference()) {
    llhttp_t p;
    llhttp_init(&p, HTTP_REQUEST, NULL);
    p.finish = 77;
    CHECK(llhttp_finish(&p) != HPE_OK);
  }
}

/* ---- does the message need the end of the connection; does the connection live on ---- */

static void questions(void) {
  static const unsigned statuses[] = {0,   1,   99,  100, 101, 102, 103, 150, 199, 200, 201,  203,  204,
                                      205, 206, 299, 300, 303, 304, 305, 404, 500, 999, 1099, 1204, 65535};
  unsigned type, major, minor, flags;
  size_t i;
  check_about = "questions";
  for (type = 0; type < 4; type++) {
    for (flags = 0; flags < 0x800; flags++) {
      for (i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        unsigned status = statuses[i];
        llhttp_t p;
        int eof;
        llhttp_init(&p, (llhttp_type_t)type, NULL);
        p.flags = (uint16_t)flags;
        p.status_code = (uint16_t)status;
        eof = type != HTTP_REQUEST && !(status >= 100 && status < 200) && status != 204 && status != 304 &&
              !(flags & F_SKIPBODY) && !(flags & F_CHUNKED) &&
              ((flags & F_TRANSFER_ENCODING) || !(flags & F_CONTENT_LENGTH));
        if (llhttp_message_needs_eof(&p) != eof)
          check_that(0, __FILE__, __LINE__, "type %u status %u flags %x: needs eof %d", type, status, flags, !eof);
        for (major = 0; major < 3; major++) {
          for (minor = 0; minor < 3; minor++) {
            int alive = (major > 0 && minor > 0 ? !(flags & F_CONNECTION_CLOSE)
                                                : (flags & F_CONNECTION_KEEP_ALIVE) != 0) &&
                        !eof;
            p.http_major = (uint8_t)major;
            p.http_minor = (uint8_t)minor;
            if (llhttp_should_keep_alive(&p) != alive)
              check_that(0, __FILE__, __LINE__, "type %u status %u flags %x %u.%u: keep alive %d", type, status, flags,
                         major, minor, !alive);
          }
        }
      }
    }
    CHECK(1);
  }
}

/* The same for messages, seen in on_headers_complete, in on_message_complete and afterwards. */
static const struct {
  llhttp_type_t type;
  const char* input;
  int headers, complete, after;
} alive[] = {
    {HTTP_REQUEST, "GET / HTTP/1.1\r\n\r\n", 1, 1, 1},
    {HTTP_REQUEST, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 0, 0, 1},
    {HTTP_REQUEST, "GET / HTTP/1.1\r\nConnection: Close , x\r\n\r\n", 0, 0, 1},
    {HTTP_REQUEST, "GET / HTTP/1.1\r\nConnection: closed\r\n\r\n", 1, 1, 1},
    {HTTP_REQUEST, "GET / HTTP/1.1\r\nConnection: keep-alive, close\r\n\r\n", 0, 0, 1},
    {HTTP_REQUEST, "GET / HTTP/1.0\r\n\r\n", 0, 0, 0},
    {HTTP_REQUEST, "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", 1, 1, 0},
    {HTTP_REQUEST, "GET / HTTP/1.0\r\nConnection: keep-alives\r\n\r\n", 0, 0, 0},
    {HTTP_REQUEST, "GET / HTTP/2.0\r\n\r\n", 0, 0, 0},
    {HTTP_REQUEST, "GET /\r\n\r\n", 0, 0, 0},
    {HTTP_RESPONSE, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 1, 1, 0},
    {HTTP_RESPONSE, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", 0, 0, 0},
    {HTTP_RESPONSE, "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", 0, 0, 0},
    {HTTP_RESPONSE, "HTTP/1.1 204 No\r\n\r\n", 1, 1, 1},
    {HTTP_RESPONSE, "HTTP/1.1 304 No\r\n\r\n", 1, 1, 1},
    {HTTP_RESPONSE, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 1, 1, 0},
    {HTTP_RESPONSE, "HTTP/1.1 200 OK\r\n\r\n", 0, -1, 0},
    {HTTP_RESPONSE, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, gzip\r\n\r\n", 0, -1, 0},
};

static void keep_alive(void) {
  size_t i, n;
  for (i = 0; i < sizeof alive / sizeof *alive; i++) {
    struct rec r;
    int headers = -1, complete = -1;
    check_about = alive[i].input;
    rec_init(&r, alive[i].type);
    CHECK_INT(rec_execute(&r, alive[i].input, strlen(alive[i].input), 0), HPE_OK);
    for (n = 0; n < r.count; n++) {
      if (r.events[n].kind == REC_on_headers_complete) headers = (int)r.events[n].fields[REC_F_KEEP_ALIVE];
      if (r.events[n].kind == REC_on_message_complete) complete = (int)r.events[n].fields[REC_F_KEEP_ALIVE];
    }
    CHECK_INT(headers, alive[i].headers);
    CHECK_INT(complete, alive[i].complete);
    CHECK_INT(llhttp_should_keep_alive(&r.parser), alive[i].after);
    rec_free(&r);
  }
}

/* After llhttp_init every listed member has its first value, whatever the memory held. */
static void init(void) {
  static const unsigned char fills[] = {0, 0x11, 0xff};
  size_t i;
  int type;
  check_about = "llhttp_init";
  for (i = 0; i < sizeof fills; i++) {
    for (type = 0; type < 3; type++) {
      llhttp_settings_t s;
      llhttp_t p;
      memset(&p, fills[i], sizeof p);
      llhttp_init(&p, (llhttp_type_t)type, &s);
      CHECK_INT(p.type, type);
      CHECK_PTR(p.settings, &s);
      CHECK_PTR(p.data, NULL);
      CHECK_INT(p.error, 0);
      CHECK_PTR(p.reason, NULL);
      CHECK_PTR(p.error_pos, NULL);
      CHECK_INT(p.content_length, 0);
      CHECK_INT(p.method, 0);
      CHECK_INT(p.http_major, 0);
      CHECK_INT(p.http_minor, 0);
      CHECK_INT(p.lenient_flags, 0);
      CHECK_INT(p.upgrade, 0);
      CHECK_INT(p.finish, 0);
      CHECK_INT(p.flags, 0);
      CHECK_INT(p.status_code, 0);
      CHECK_INT(llhttp_finish(&p), HPE_OK);
    }
  }
}

int main(void) {
  names();
  unknown_names();
  getters();
  lenient_setters();
  pause_and_resume();
  no_data();
  finish();
  questions();
  keep_alive();
  init();
  check_about = "";
  return check_done();
}
