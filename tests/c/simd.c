/* The levels of llhttp_ext.h: what is available, choosing one, and that a parse has the same events on each.
 *
 *   simd            everything; starts itself again with LLHTTP_SIMD set
 *   simd --state    prints what is available, what is in use, and what llhttp_ext_simd_error says
 *
 * LLHTTP_TEST_EMULATED: leave out what starts the program again, which an emulator would do on the real CPU. */
#include "check.h"
#include "llhttp_ext.h"
#include "recorder.h"

#include <limits.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LEVELS = 4, UNKNOWN_LEVELS = 7 };
static const char* const level_names[LEVELS] = {"generic", "sse4.2", "avx2", "neon"};
static const int unknown_levels[UNKNOWN_LEVELS] = {-1, LEVELS, 255, 256, 1 << 30, INT_MAX, INT_MIN};

static unsigned available;

static int best(void) {
  int level = LEVELS - 1;
  while (level > 0 && !(available >> level & 1)) level--;
  return level;
}

static int lowest(void) {
  int level = 0;
  while (level < LEVELS && !(available >> level & 1)) level++;
  return level;
}

static void add_names(char* text, unsigned levels) {
  const char* separator = "";
  for (int level = 0; level < LEVELS; level++) {
    if (!(levels >> level & 1)) continue;
    strcat(strcat(text, separator), level_names[level]);
    separator = ", ";
  }
}

static void test_available(void) {
  CHECK(available != 0);
  CHECK_INT(available >> LEVELS, 0);
#if defined(__x86_64__)
  CHECK_INT(available >> LLHTTP_EXT_SIMD_NEON, 0);
#elif defined(__aarch64__)
  CHECK_INT(available & (1u << LLHTTP_EXT_SIMD_SSE42 | 1u << LLHTTP_EXT_SIMD_AVX2), 0);
#else
  CHECK_INT(available, 1u << LLHTTP_EXT_SIMD_GENERIC);
#endif
  /* There is nothing between the lowest level of an architecture and the best but what the CPU has, too. */
  if (best() == LLHTTP_EXT_SIMD_AVX2) CHECK(lowest() == LLHTTP_EXT_SIMD_AVX2 || available >> LLHTTP_EXT_SIMD_SSE42 & 1);
}

static void test_names(void) {
  for (int level = 0; level < LEVELS; level++) {
    CHECK_STR(llhttp_ext_simd_name(level), level_names[level]);
    CHECK_INT(llhttp_ext_simd_by_name(level_names[level]), level);
  }
  for (int i = 0; i < UNKNOWN_LEVELS; i++) CHECK_STR(llhttp_ext_simd_name(unknown_levels[i]), "<unknown>");
  static const char* const others[] = {"", "AVX2", "avx2 ", " avx2", "avx", "sse4.2\n", "<unknown>"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    CHECK_INT(llhttp_ext_simd_by_name(others[i]), LLHTTP_EXT_SIMD_UNKNOWN);
}

static void test_set(void) {
  const int before = llhttp_ext_simd_get();
  const char* error = llhttp_ext_simd_error();
  CHECK(available >> before & 1);
  for (int level = 0; level < LEVELS; level++) {
    if (available >> level & 1) {
      CHECK_INT(llhttp_ext_simd_set(level), 0);
      CHECK_INT(llhttp_ext_simd_get(), level);
    }
  }
  const int last = llhttp_ext_simd_get();
  for (int level = 0; level < LEVELS; level++) {
    if (available >> level & 1) continue;
    CHECK_INT(llhttp_ext_simd_set(level), level < lowest() ? LLHTTP_EXT_SIMD_NOT_BUILT : LLHTTP_EXT_SIMD_UNAVAILABLE);
  }
  for (int i = 0; i < UNKNOWN_LEVELS; i++) CHECK_INT(llhttp_ext_simd_set(unknown_levels[i]), LLHTTP_EXT_SIMD_UNKNOWN);
  CHECK_INT(llhttp_ext_simd_get(), last);
  CHECK_PTR(llhttp_ext_simd_error(), error);
  CHECK_INT(llhttp_ext_simd_available(), available);
  CHECK_INT(llhttp_ext_simd_set(before), 0);
}

/* ---- the same events ---- */

static const struct {
  llhttp_type_t type;
  const char* input;
} messages[] = {
    {HTTP_REQUEST,
     "GET /a/long/path/to/something?with=a&query=string#and-a-fragment HTTP/1.1\r\n"
     "Host: www.example.org\r\n"
     "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:138.0) Gecko/20100101 Firefox/138.0\r\n"
     "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n"
     "Accept-Language: de,en-US;q=0.7,en;q=0.3\r\nEmpty:\r\nTabs:\t\tx\ty\t\r\nX:y\r\nHigh: \x80\xff\r\n"
     "Connection: keep-alive, upgrade\r\nUpgrade: websocket\r\nDNT: 1\r\n\r\n"},
    {HTTP_REQUEST,
     "POST http://example.org:8080/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\nFolded: a\r\n b\r\n\tc\r\nLast: d\r\n\r\n"
     "5;name=value;other=\"quoted \\\" text that is longer than a block\"\r\nhello\r\n0\r\nTrailer: one\r\nOther: two\r\n\r\n"
     "PUT /second HTTP/1.1\r\nContent-Length: 3\r\nProxy-Connection: close\r\n\r\nabc"},
    {HTTP_RESPONSE,
     "HTTP/1.1 200 A Reason Phrase that is longer than thirty-two bytes\r\nContent-Type: text/html; charset=utf-8\r\n"
     "Set-Cookie: session=0123456789abcdef0123456789abcdef; Path=/; HttpOnly\r\nContent-Length: 4\r\n\r\nbody"},
    {HTTP_REQUEST,
     "GET / HTTP/1.1\r\nGood: line\r\nAnother-Good-One: with a value of some length, to be sure\r\nBad\x01: x\r\n\r\n"},
    {HTTP_REQUEST,
     "GET / HTTP/1.1\r\nGood: line\r\nAnother-Good-One: with a control byte \x7f in its value, to be sure\r\n\r\n"},
};
enum { MESSAGES = sizeof messages / sizeof *messages };

/* The log of a message in pieces of so many bytes, with how it ended. */
static char* parse(size_t m, size_t piece, int (*hook)(struct rec*, enum rec_kind, const char*, size_t)) {
  struct rec r;
  const char* input = messages[m].input;
  const size_t len = strlen(input);
  llhttp_errno_t error = HPE_OK;
  rec_init(&r, messages[m].type);
  r.hook = hook;
  for (size_t off = 0; off < len && error == HPE_OK; off += piece)
    error = rec_execute(&r, input + off, off + piece < len ? piece : len - off, off);
  r.count = rec_merge(r.events, r.count);
  char* events = rec_log(r.events, r.count, input);
  const char* reason = llhttp_get_error_reason(&r.parser);
  const char* pos = llhttp_get_error_pos(&r.parser);
  const size_t size = strlen(events) + 200;
  char* log = (char*)malloc(size);
  snprintf(log, size, "%s\n%s %s at %td", events, llhttp_errno_name(error), reason ? reason : "-",
           error == HPE_OK ? (ptrdiff_t)0 : pos - input);
  free(events);
  rec_free(&r);
  return log;
}

static void compare(const char* what, size_t m, size_t piece, const char* log, const char* want) {
  static char about[100];
  snprintf(about, sizeof about, "%s, message %zu in pieces of %zu", what, m, piece);
  check_about = about;
  CHECK_STR(log, want);
  check_about = "";
}

static void test_events(void) {
  const int before = llhttp_ext_simd_get();
  for (size_t m = 0; m < MESSAGES; m++) {
    for (size_t piece = 1; piece <= strlen(messages[m].input); piece++) {
      CHECK_INT(llhttp_ext_simd_set(lowest()), 0);
      char* want = parse(m, piece, NULL);
      for (int level = lowest() + 1; level < LEVELS; level++) {
        if (!(available >> level & 1)) continue;
        CHECK_INT(llhttp_ext_simd_set(level), 0);
        char* log = parse(m, piece, NULL);
        compare(level_names[level], m, piece, log, want);
        free(log);
      }
      free(want);
    }
  }
  CHECK_INT(llhttp_ext_simd_set(before), 0);
}

static int next_level(struct rec* r, enum rec_kind kind, const char* at, size_t len) {
  (void)r, (void)kind, (void)at, (void)len;
  int level = llhttp_ext_simd_get();
  do level = (level + 1) % LEVELS;
  while (llhttp_ext_simd_set(level) != 0);
  return 0;
}

/* A callback may change the level of the parse that it is part of. */
static void test_change_in_callbacks(void) {
  const int before = llhttp_ext_simd_get();
  for (size_t m = 0; m < MESSAGES; m++) {
    const size_t len = strlen(messages[m].input);
    for (size_t piece = 1; piece <= len; piece += 1 + piece / 3) {
      char* want = parse(m, piece, NULL);
      char* log = parse(m, piece, next_level);
      compare("changed in callbacks", m, piece, log, want);
      free(log);
      free(want);
    }
  }
  CHECK_INT(llhttp_ext_simd_set(before), 0);
}

static int stop;

static void* change_levels(void* unused) {
  while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE)) next_level(NULL, REC_on_url, NULL, 0);
  return unused;
}

static void test_change_in_thread(void) {
  const int before = llhttp_ext_simd_get();
  char* want[MESSAGES];
  pthread_t thread;
  for (size_t m = 0; m < MESSAGES; m++) want[m] = parse(m, strlen(messages[m].input), NULL);
  CHECK_INT(pthread_create(&thread, NULL, change_levels, NULL), 0);
  for (int round = 0; round < 2000; round++) {
    const size_t m = (size_t)round % MESSAGES;
    char* log = parse(m, strlen(messages[m].input), NULL);
    compare("changed in a thread", m, 0, log, want[m]);
    free(log);
  }
  __atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
  pthread_join(thread, NULL);
  for (size_t m = 0; m < MESSAGES; m++) free(want[m]);
  CHECK_INT(llhttp_ext_simd_set(before), 0);
}

/* ---- the environment ---- */

/* The state's text, as the program itself prints it. */
static void state_text(char* text, size_t size, int level, const char* error) {
  char names[60] = "";
  add_names(names, available);
  snprintf(text, size, "available: %s\nlevel: %s\nerror: %s\n", names, llhttp_ext_simd_name(level),
           error ? error : "none");
}

/* Starts the program again with LLHTTP_SIMD as given, and compares. */
static void test_value(const char* value, int level, const char* error) {
  char got[600] = "", want[600];
  size_t len = 0;
  ssize_t n;
  int fds[2], status;
  if (pipe(fds) != 0) abort();
  const pid_t child = fork();
  if (child == 0) {
    dup2(fds[1], 1);
    if (value != NULL ? setenv("LLHTTP_SIMD", value, 1) : unsetenv("LLHTTP_SIMD")) _exit(1);
    execl("/proc/self/exe", "simd", "--state", (char*)NULL);
    _exit(1);
  }
  close(fds[1]);
  while ((n = read(fds[0], got + len, sizeof got - 1 - len)) > 0) len += (size_t)n;
  close(fds[0]);
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  state_text(want, sizeof want, level, error);
  check_about = value ? value : "(not set)";
  CHECK_STR(got, want);
  check_about = "";
}

static void test_environment(void) {
  char error[300], names[60] = "";
  const char* const x32 = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
  add_names(names, available);
  test_value(NULL, best(), NULL);
  test_value("", best(), NULL);
  for (int level = 0; level < LEVELS; level++) {
    const int has = available >> level & 1;
    snprintf(error, sizeof error, "LLHTTP_SIMD=%s is ignored: not %s; available: %s", level_names[level],
             level < lowest() ? "in this build" : "available on this CPU", names);
    test_value(level_names[level], has ? level : best(), has ? NULL : error);
  }
  static const struct {
    const char *value, *shown;
  } unknown[] = {
      {"avx9", "avx9"},
      {"AVX2", "AVX2"},
      {" avx2", " avx2"},
      {"avx2,sse4.2", "avx2,sse4.2"},
      {"a: \n\x80\x7f", "a: ???"},
      {"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"},
      {"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..."},
  };
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
    snprintf(error, sizeof error, "LLHTTP_SIMD=%s is ignored: unknown level; known: generic, sse4.2, avx2, neon",
             unknown[i].shown);
    test_value(unknown[i].value, best(), error);
  }
  char* big = (char*)malloc(100001);
  memset(big, 'x', 100000);
  big[100000] = '\0';
  snprintf(error, sizeof error, "LLHTTP_SIMD=%s... is ignored: unknown level; known: generic, sse4.2, avx2, neon", x32);
  test_value(big, best(), error);
  free(big);
}

int main(int argc, char** argv) {
  available = llhttp_ext_simd_available();
  if (argc == 2 && strcmp(argv[1], "--state") == 0) {
    char text[600];
    state_text(text, sizeof text, llhttp_ext_simd_get(), llhttp_ext_simd_error());
    fputs(text, stdout);
    return 0;
  }
  test_available();
  test_names();
  test_set();
  test_events();
  test_change_in_callbacks();
  test_change_in_thread();
  if (getenv("LLHTTP_TEST_EMULATED") == NULL) test_environment();
  return check_done();
}
