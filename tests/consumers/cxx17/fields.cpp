// A class around the parser: requests as values, errors as exceptions; those of a callback pass through the parser.
#include <llhttp.h>

#include <cstdio>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

struct Request {
  std::string method, target;
  std::map<std::string, std::string, std::less<>> fields;
  std::string body;
  bool keep_alive = false;

  std::optional<std::string_view> field(std::string_view name) const {
    const auto found = fields.find(name);
    if (found == fields.end()) return std::nullopt;
    return found->second;
  }
};

class ParseError : public std::runtime_error {
 public:
  ParseError(llhttp_errno_t code, const char* reason, std::size_t at)
      : std::runtime_error(std::string(llhttp_errno_name(code)) + ": " + reason), code(code), at(at) {}
  llhttp_errno_t code;
  std::size_t at;
};

// Feeds a parser and hands on each request that is complete. Not to be moved: the parser points at it.
class Reader {
 public:
  using Handler = std::function<void(Request&&)>;

  explicit Reader(Handler handler) : handler_(std::move(handler)) {
    llhttp_init(&parser_, HTTP_REQUEST, &settings());
    parser_.data = this;
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  void read(std::string_view bytes) {
    const llhttp_errno_t error = llhttp_execute(&parser_, bytes.data(), bytes.size());
    if (error != HPE_OK) {
      throw ParseError(error, llhttp_get_error_reason(&parser_),
                       static_cast<std::size_t>(llhttp_get_error_pos(&parser_) - bytes.data()));
    }
  }

 private:
  static Reader& self(llhttp_t* p) { return *static_cast<Reader*>(p->data); }

  template <std::string Reader::* text>
  static int append(llhttp_t* p, const char* at, std::size_t n) {
    (self(p).*text).append(at, n);
    return 0;
  }

  static const llhttp_settings_t& settings() {
    static const llhttp_settings_t shared = [] {
      llhttp_settings_t s;
      llhttp_settings_init(&s);
      s.on_url = append<&Reader::target_>;
      s.on_header_field = append<&Reader::name_>;
      s.on_header_value = append<&Reader::value_>;
      s.on_body = append<&Reader::body_>;
      s.on_header_value_complete = [](llhttp_t* p) {
        Reader& r = self(p);
        r.request_.fields.insert_or_assign(std::exchange(r.name_, {}), std::exchange(r.value_, {}));
        return 0;
      };
      s.on_message_complete = [](llhttp_t* p) {
        Reader& r = self(p);
        r.request_.method = llhttp_method_name(static_cast<llhttp_method_t>(llhttp_get_method(p)));
        r.request_.target = std::exchange(r.target_, {});
        r.request_.body = std::exchange(r.body_, {});
        r.request_.keep_alive = llhttp_should_keep_alive(p) != 0;
        r.handler_(std::exchange(r.request_, {}));
        return 0;
      };
      return s;
    }();
    return shared;
  }

  Handler handler_;
  Request request_;
  std::string target_, name_, value_, body_;
  llhttp_t parser_;
};

int failures = 0;

void check(bool ok, const char* what) {
  if (ok) return;
  std::fprintf(stderr, "failed: %s\n", what);
  ++failures;
}

}  // namespace

int main() {
  const std::string_view input =
      "POST /submit?x=1 HTTP/1.1\r\nHost: example.org\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello"
      "GET /next HTTP/1.0\r\nAccept: a,\r\n\r\n";
  for (std::size_t step = 1; step <= input.size(); ++step) {
    std::vector<Request> got;
    Reader reader([&got](Request&& request) { got.push_back(std::move(request)); });
    for (std::size_t at = 0; at < input.size(); at += step) reader.read(input.substr(at, step));
    check(got.size() == 2, "two requests");
    if (got.size() != 2) break;
    check(got[0].method == "POST" && got[0].target == "/submit?x=1" && got[0].body == "hello", "the first request");
    check(got[0].field("Host") == "example.org" && got[0].field("Content-Type") == "text/plain", "its fields");
    check(!got[0].field("Accept").has_value() && got[0].keep_alive, "what it has not");
    check(got[1].method == "GET" && got[1].target == "/next" && got[1].body.empty(), "the second request");
    check(got[1].field("Accept") == "a," && !got[1].keep_alive, "its fields and end");
  }

  try {
    Reader([](Request&&) {}).read("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n");
    check(false, "a request with two lengths is an error");
  } catch (const ParseError& error) {
    check(error.code == HPE_INVALID_CONTENT_LENGTH && error.at > 0, "the code of the error");
    check(std::string_view(error.what()).find("HPE_INVALID_CONTENT_LENGTH: ") == 0, "its text");
  }

  bool thrown = false;
  try {
    Reader([](Request&& request) { throw std::out_of_range(request.target); }).read("GET /thrown HTTP/1.1\r\n\r\n");
  } catch (const std::out_of_range& error) {
    thrown = error.what() == std::string_view("/thrown");
  }
  check(thrown, "what a callback throws arrives");

  if (failures == 0) std::puts("requests as values, errors as exceptions");
  return failures == 0 ? 0 : 1;
}
