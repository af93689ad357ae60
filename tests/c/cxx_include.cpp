// The headers in C++11: lambdas as callbacks, a parse before main, exceptions and RAII around the parser.
#include "llhttp.h"
#include "llhttp_ext.h"
#include "http_parser.h"

#include "check.h"

#include <map>
#include <string>
#include <type_traits>
#include <vector>

static_assert(std::is_standard_layout<llhttp_t>::value, "plain memory");
static_assert(std::is_trivially_destructible<llhttp_t>::value, "plain memory");
static_assert(LLHTTP_VERSION_MAJOR == 9 && LLHTTP_VERSION_MINOR == 4, "the version it replaces");
static_assert(std::is_same<decltype(&llhttp_execute), llhttp_errno_t (*)(llhttp_t*, const char*, size_t)>::value, "");

namespace {

struct Message {
  std::string method, url, body;
  std::vector<std::pair<std::string, std::string>> headers;
  bool complete = false;
  bool in_value = false;
};

class Parser {
 public:
  explicit Parser(llhttp_type_t type) {
    llhttp_settings_init(&settings_);
    settings_.on_url = [](llhttp_t* p, const char* at, size_t n) {
      current(p).url.append(at, n);
      return 0;
    };
    settings_.on_method = [](llhttp_t* p, const char* at, size_t n) {
      current(p).method.append(at, n);
      return 0;
    };
    settings_.on_header_field = [](llhttp_t* p, const char* at, size_t n) {
      Message& m = current(p);
      if (m.headers.empty() || m.in_value) m.headers.emplace_back();
      m.in_value = false;
      m.headers.back().first.append(at, n);
      return 0;
    };
    settings_.on_header_value = [](llhttp_t* p, const char* at, size_t n) {
      Message& m = current(p);
      m.in_value = true;
      m.headers.back().second.append(at, n);
      return 0;
    };
    settings_.on_body = [](llhttp_t* p, const char* at, size_t n) {
      current(p).body.append(at, n);
      return 0;
    };
    settings_.on_message_begin = [](llhttp_t* p) {
      static_cast<Parser*>(p->data)->messages.emplace_back();
      return 0;
    };
    settings_.on_message_complete = [](llhttp_t* p) -> int {
      current(p).complete = true;
      return static_cast<Parser*>(p->data)->pause_at_end ? HPE_PAUSED : 0;
    };
    llhttp_init(&parser_, type, &settings_);
    parser_.data = this;
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  // Feeds everything, pauses included.
  void feed(const std::string& data) {
    const char *p = data.data(), *end = p + data.size();
    for (;;) {
      llhttp_errno_t err = llhttp_execute(&parser_, p, static_cast<size_t>(end - p));
      if (err == HPE_OK) return;
      if (err != HPE_PAUSED) throw std::string(llhttp_errno_name(err)) + ": " + llhttp_get_error_reason(&parser_);
      p = llhttp_get_error_pos(&parser_);
      llhttp_resume(&parser_);
      pauses++;
    }
  }

  llhttp_t* raw() { return &parser_; }

  std::vector<Message> messages;
  bool pause_at_end = false;
  int pauses = 0;

 private:
  static Message& current(llhttp_t* p) { return static_cast<Parser*>(p->data)->messages.back(); }

  llhttp_t parser_;
  llhttp_settings_t settings_;
};

const char kRequests[] =
    "POST /a?b=c HTTP/1.1\r\nHost: example.org\r\nContent-Length: 5\r\n\r\nhello"
    "PUT /d HTTP/1.1\r\nTransfer-Encoding: chunked\r\nEmpty:\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nTrailer: t\r\n\r\n";

// A static initialiser runs before main: the library must be ready.
struct Early {
  Early() : parser(HTTP_REQUEST) { parser.feed(kRequests); }
  Parser parser;
} early;

void check_messages(const std::vector<Message>& m) {
  if (!CHECK_INT(m.size(), 2)) return;
  CHECK_STR(m[0].method.c_str(), "POST");
  CHECK_STR(m[0].url.c_str(), "/a?b=c");
  CHECK_STR(m[0].body.c_str(), "hello");
  CHECK(m[0].complete && m[1].complete);
  CHECK_INT(m[0].headers.size(), 2);
  CHECK(m[0].headers[0] == std::make_pair(std::string("Host"), std::string("example.org")));
  CHECK(m[0].headers[1] == std::make_pair(std::string("Content-Length"), std::string("5")));
  CHECK_STR(m[1].method.c_str(), "PUT");
  CHECK_STR(m[1].body.c_str(), "abcde");
  CHECK_INT(m[1].headers.size(), 3);
  CHECK(m[1].headers[1] == std::make_pair(std::string("Empty"), std::string()));
  CHECK(m[1].headers[2] == std::make_pair(std::string("Trailer"), std::string("t")));
}

}  // namespace

int main() {
  check_about = "before main";
  check_messages(early.parser.messages);

  const std::string input(kRequests);
  for (size_t size = 1; size <= input.size(); size++) {
    check_about = "pieces";
    Parser p(HTTP_REQUEST);
    p.pause_at_end = size % 2 != 0;
    for (size_t off = 0; off < input.size(); off += size) p.feed(input.substr(off, size));
    check_messages(p.messages);
    CHECK_INT(p.pauses, size % 2 ? 2 : 0);
    CHECK_INT(llhttp_should_keep_alive(p.raw()), 1);
    CHECK_INT(llhttp_get_method(p.raw()), HTTP_PUT);
    CHECK_INT(llhttp_finish(p.raw()), HPE_OK);
  }

  check_about = "error";
  std::string thrown;
  try {
    Parser p(HTTP_RESPONSE);
    p.feed("HTTP/1.1 2x0 OK\r\n\r\n");
  } catch (const std::string& s) {
    thrown = s;
  }
  CHECK_STR(thrown.c_str(), "HPE_INVALID_STATUS: Invalid status code");

  // An exception may leave a callback: the frames of the library are unwound. The parser has to be initialised after that.
  check_about = "exception";
  llhttp_settings_t settings;
  llhttp_settings_init(&settings);
  settings.on_header_value = [](llhttp_t*, const char* at, size_t n) -> int { throw std::string(at, n); };
  for (int turn = 0; turn < 100; turn++) {
    llhttp_t p;
    thrown.clear();
    llhttp_init(&p, HTTP_REQUEST, &settings);
    try {
      llhttp_execute(&p, kRequests, sizeof kRequests - 1);
    } catch (const std::string& s) {
      thrown = s;
    }
    CHECK_STR(thrown.c_str(), "example.org");
    llhttp_init(&p, HTTP_REQUEST, nullptr);
    CHECK_INT(llhttp_execute(&p, kRequests, sizeof kRequests - 1), HPE_OK);
  }

  check_about = "names";
  std::map<int, std::string> names;
#define NAME(number, name, text) names[number] = #text;
  HTTP_STATUS_MAP(NAME)
#undef NAME
  CHECK(names.size() > 80);
  for (const auto& n : names) CHECK_STR(llhttp_status_name(static_cast<llhttp_status_t>(n.first)), n.second.c_str());

  check_about = "";
  return check_done();
}
