// A callback that does not return: it throws, jumps, ends its thread, or the thread is cancelled in it. What llhttp.h
// promises of that: only the host's and the library's C frames are on the way, what the host has on its stack is
// destroyed, settings, data and lenient flags stay, and llhttp_reset or llhttp_init makes a parser of it again. From
// every callback of every message, also from the one that llhttp_finish calls, at every level. LLHTTP_TEST_EMULATED:
// less of it, where it takes long.
#include <pthread.h>
#include <setjmp.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>

#include "check.h"
#include "llhttp.h"
#include "llhttp_ext.h"

namespace {

struct Message {
  llhttp_type_t type;
  const char* input;
};

const Message messages[] = {
    {HTTP_REQUEST,
     "POST /path?query HTTP/1.1\r\nHost: example.org\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101\r\n"
     "Empty:\r\nTransfer-Encoding: chunked\r\n\r\n5;n=v;q=\"s\"\r\nhello\r\n0\r\nT: v\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n"},
    {HTTP_RESPONSE,
     "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nServer: s\r\n\r\nabcHTTP/1.0 404 Not Found\r\n\r\nup to the end"},
};

enum Way { kThrow, kJump, kExitThread, kCancelThread, kWays };
const char* const way_names[kWays] = {"throw", "longjmp", "pthread_exit", "pthread_cancel"};

struct Left {  // what is thrown
  size_t at;
};

// The parser and what its callbacks know.
struct Host {
  llhttp_t parser;
  uint64_t hash;
  size_t calls;
  size_t leave_at;  // 0: never
  Way way;
  jmp_buf jump;
};

int alive;  // objects of Counted
struct Counted {
  Counted() { alive++; }
  ~Counted() { alive--; }
  Counted(const Counted&) = delete;
};

void mix(Host* h, uint64_t n) {
  h->hash = (h->hash ^ n) * 0x9e3779b97f4a7c15u;
  h->hash ^= h->hash >> 29;
}

__attribute__((noinline)) void leave(Host* h) {
  switch (h->way) {
    case kThrow: {
      Counted counted;
      throw Left{h->calls};
    }
    case kJump: longjmp(h->jump, 1);
    case kExitThread: {
      Counted counted;
      pthread_exit(h);
    }
    default: {
      Counted counted;
      pthread_cancel(pthread_self());
      for (;;) pause();
    }
  }
}

int on_any(llhttp_t* p, uint64_t kind, const char* at, size_t n) {
  Host* h = reinterpret_cast<Host*>(p);  // the first member
  mix(h, kind);
  for (size_t i = 0; i < n; i++) mix(h, static_cast<unsigned char>(at[i]));
  if (++h->calls == h->leave_at) leave(h);
  return 0;
}

template <uint64_t kind>
int on_event(llhttp_t* p) {
  return on_any(p, kind, nullptr, 0);
}
template <uint64_t kind>
int on_bytes(llhttp_t* p, const char* at, size_t n) {
  return on_any(p, kind, at, n);
}

llhttp_settings_t make_settings() {
  llhttp_settings_t s;
  llhttp_settings_init(&s);
  s.on_message_begin = on_event<256>;
  s.on_protocol = on_bytes<257>;
  s.on_url = on_bytes<258>;
  s.on_status = on_bytes<259>;
  s.on_method = on_bytes<260>;
  s.on_version = on_bytes<261>;
  s.on_header_field = on_bytes<262>;
  s.on_header_value = on_bytes<263>;
  s.on_chunk_extension_name = on_bytes<264>;
  s.on_chunk_extension_value = on_bytes<265>;
  s.on_headers_complete = on_event<266>;
  s.on_body = on_bytes<267>;
  s.on_message_complete = on_event<268>;
  s.on_protocol_complete = on_event<269>;
  s.on_url_complete = on_event<270>;
  s.on_status_complete = on_event<271>;
  s.on_method_complete = on_event<272>;
  s.on_version_complete = on_event<273>;
  s.on_header_field_complete = on_event<274>;
  s.on_header_value_complete = on_event<275>;
  s.on_chunk_extension_name_complete = on_event<276>;
  s.on_chunk_extension_value_complete = on_event<277>;
  s.on_chunk_header = on_event<278>;
  s.on_chunk_complete = on_event<279>;
  s.on_reset = on_event<280>;
  return s;
}

const llhttp_settings_t settings = make_settings();

void begin(Host* h, size_t leave_at, Way way) {
  h->hash = 0xcbf29ce484222325u;
  h->calls = 0;
  h->leave_at = leave_at;
  h->way = way;
}

// The whole connection, with an object on the stack at each call.
void feed(Host* h, const Message& m, size_t size) {
  Counted counted;
  const size_t len = std::strlen(m.input);
  for (size_t off = 0; off < len; off += size)
    CHECK_INT(llhttp_execute(&h->parser, m.input + off, len - off < size ? len - off : size), HPE_OK);
  CHECK_INT(llhttp_finish(&h->parser), HPE_OK);
}

struct Job {
  Host* host;
  const Message* message;
  size_t size;
};

void* thread_main(void* arg) {
  Job* job = static_cast<Job*>(arg);
  feed(job->host, *job->message, job->size);
  return nullptr;
}

// Feeds until the callback leaves.
void feed_and_leave(Host* h, const Message& m, size_t size) {
  switch (h->way) {
    case kThrow:
      try {
        feed(h, m, size);
        CHECK(!"nothing was thrown");
      } catch (const Left& left) {
        CHECK_INT(left.at, h->leave_at);
      }
      return;
    case kJump: {
      const int before = alive;
      if (setjmp(h->jump) == 0) {
        feed(h, m, size);
        CHECK(!"the callback returned");
      }
      alive = before;  // what a jump goes over is not destroyed
      return;
    }
    default: {
      Job job = {h, &m, size};
      pthread_t thread;
      void* result = nullptr;
      CHECK_INT(pthread_create(&thread, nullptr, thread_main, &job), 0);
      pthread_join(thread, &result);
      CHECK_PTR(result, h->way == kExitThread ? static_cast<void*>(h) : PTHREAD_CANCELED);
    }
  }
}

char about[100];

void leave_everywhere(Way way, size_t size) {
  const unsigned kFlags = LENIENT_KEEP_ALIVE | LENIENT_VERSION;
  for (size_t m = 0; m < 2; m++) {
    Host calm;
    begin(&calm, 0, way);
    llhttp_init(&calm.parser, messages[m].type, &settings);
    feed(&calm, messages[m], size);
    for (size_t at = 1; at <= calm.calls; at++) {
      snprintf(about, sizeof about, "%s, %s, message %zu in pieces of %zu, callback %zu", way_names[way],
               llhttp_ext_simd_name(llhttp_ext_simd_get()), m, size, at);
      check_about = about;
      Host h;
      llhttp_init(&h.parser, messages[m].type, &settings);
      h.parser.data = &h;
      h.parser.lenient_flags = kFlags;
      for (int turn = 0; turn < 2; turn++) {  // a parser may be left more than once
        begin(&h, at, way);
        feed_and_leave(&h, messages[m], size);
        CHECK_INT(alive, 0);
        CHECK_INT(h.calls, at);
        CHECK_PTR(h.parser.settings, &settings);
        llhttp_reset(&h.parser);
        CHECK_PTR(h.parser.data, &h);
        CHECK_INT(h.parser.lenient_flags, kFlags);
        CHECK_INT(h.parser.type, messages[m].type);
        CHECK_INT(llhttp_get_errno(&h.parser), HPE_OK);
      }
      begin(&h, 0, way);
      feed(&h, messages[m], size);
      CHECK(h.hash == calm.hash && h.calls == calm.calls);
    }
  }
}

// An exception may be caught in the callback of another parser, whose parse goes on.
int outer_value(llhttp_t* p, const char*, size_t) {
  Host inner;
  size_t* caught = static_cast<size_t*>(p->data);
  begin(&inner, 3 + *caught % 20, kThrow);
  llhttp_init(&inner.parser, HTTP_REQUEST, &settings);
  try {
    feed(&inner, messages[0], 17);
  } catch (const Left&) {
    ++*caught;
  }
  return 0;
}

void nested() {
  check_about = "caught in a callback";
  llhttp_settings_t s;
  llhttp_t p;
  size_t caught = 0;
  llhttp_settings_init(&s);
  s.on_header_value = outer_value;
  for (int i = 0; i < 50; i++) {
    llhttp_init(&p, HTTP_REQUEST, &s);
    p.data = &caught;
    CHECK_INT(llhttp_execute(&p, messages[0].input, std::strlen(messages[0].input)), HPE_OK);
  }
  CHECK_INT(caught, 50 * 6);
  CHECK_INT(alive, 0);
}

// While an exception unwinds the stack, a destructor may parse.
struct ParsesAtTheEnd {
  uint64_t* hash;
  ~ParsesAtTheEnd() {
    Host h;
    begin(&h, 0, kThrow);
    llhttp_init(&h.parser, HTTP_REQUEST, &settings);
    feed(&h, messages[0], 29);
    *hash = h.hash;
  }
};

void in_destructors() {
  check_about = "in a destructor";
  Host calm, h;
  uint64_t hash = 0;
  begin(&calm, 0, kThrow);
  llhttp_init(&calm.parser, HTTP_REQUEST, &settings);
  feed(&calm, messages[0], 29);
  begin(&h, 9, kThrow);
  llhttp_init(&h.parser, HTTP_REQUEST, &settings);
  try {
    ParsesAtTheEnd object = {&hash};
    feed(&h, messages[0], 400);
  } catch (const Left&) {}
  CHECK(hash == calm.hash);
}

}  // namespace

int main() {
  const int before = llhttp_ext_simd_get();
  for (int level = 0; level < 4; level++) {
    if (llhttp_ext_simd_set(level) != 0) continue;
    for (int way = 0; way < kWays; way++)
      for (size_t size : {23u, 1000u, 1u}) {
        leave_everywhere(static_cast<Way>(way), size);
        if (getenv("LLHTTP_TEST_EMULATED") != nullptr) break;
      }
  }
  llhttp_ext_simd_set(before);
  nested();
  in_destructors();
  check_about = "";
  return check_done();
}
