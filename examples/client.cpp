// A small HTTP/1.1 client: asks for every target twice on one connection, by HEAD and by GET, all at once, and prints
// what comes back. It shows what a client must tell the parser, which does not know what was asked, and what it does
// about 1xx, exceptions in callbacks, and a connection that ends.
//
//     c++ -std=c++17 -O2 examples/client.cpp $(pkg-config --cflags --libs libllhttp) -o client
//     client HOST PORT TARGET...
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <deque>
#include <stdexcept>
#include <string>

#include "llhttp.h"

namespace {

// Parses the responses of one connection. What must hold: `asked` has the methods of the requests that are not answered
// yet, in their order.
class Responses {
 public:
  std::deque<std::string> asked;

  Responses() {
    llhttp_init(&parser_, HTTP_RESPONSE, &settings());
    parser_.data = this;
  }
  // The parser knows where this object is.
  Responses(const Responses&) = delete;
  Responses& operator=(const Responses&) = delete;

  // Throws what a callback has thrown, or an error of the parser. No bytes may be parsed afterwards.
  void feed(const char* data, std::size_t size) {
    const llhttp_errno_t error = llhttp_execute(&parser_, data, size);
    if (error != HPE_OK) fail(error);
  }

  // The server has closed: that is the end of a body whose length was not told, and too early for anything else.
  void finish() {
    const llhttp_errno_t error = llhttp_finish(&parser_);
    if (error != HPE_OK) fail(error);
    if (!asked.empty()) throw std::runtime_error("the connection has ended before the last response");
  }

 private:
  llhttp_t parser_;
  std::size_t body_ = 0;

  [[noreturn]] void fail(llhttp_errno_t error) const {
    throw std::runtime_error(std::string(llhttp_errno_name(error)) + ": " + llhttp_get_error_reason(&parser_));
  }

  static Responses& self(llhttp_t* parser) { return *static_cast<Responses*>(parser->data); }

  // 1xx but 101 comes before the response proper, and answers nothing.
  bool interim() const {
    return parser_.status_code / 100 == 1 && parser_.status_code != HTTP_STATUS_SWITCHING_PROTOCOLS;
  }

  // 1: no body, whatever the fields say. 2: none, and the connection leaves HTTP.
  int on_headers_complete() {
    body_ = 0;
    if (interim()) return 0;
    if (asked.empty()) throw std::runtime_error("a response to nothing");
    if (asked.front() == "CONNECT" && parser_.status_code / 100 == 2) return 2;
    return asked.front() == "HEAD" ? 1 : 0;
  }

  int on_message_complete() {
    if (interim()) {
      std::printf("%d, and more to come\n", parser_.status_code);
      return 0;
    }
    std::printf("%s: %d, %zu bytes, %s\n", asked.front().c_str(), parser_.status_code, body_,
                llhttp_should_keep_alive(&parser_) ? "keep the connection" : "close the connection");
    asked.pop_front();
    return 0;
  }

  // One for all parsers: it is only read.
  static const llhttp_settings_t& settings() {
    static const llhttp_settings_t shared = [] {
      llhttp_settings_t s;
      llhttp_settings_init(&s);
      s.on_headers_complete = [](llhttp_t* p) { return self(p).on_headers_complete(); };
      s.on_message_complete = [](llhttp_t* p) { return self(p).on_message_complete(); };
      s.on_body = [](llhttp_t* p, const char*, std::size_t size) {
        self(p).body_ += size;
        return 0;
      };
      return s;
    }();
    return shared;
  }
};

class Socket {
 public:
  Socket(const char* host, const char* port) {
    addrinfo hints{}, *list = nullptr;
    hints.ai_socktype = SOCK_STREAM;
    if (const int error = getaddrinfo(host, port, &hints, &list)) throw std::runtime_error(gai_strerror(error));
    for (const addrinfo* a = list; a != nullptr && fd_ < 0; a = a->ai_next) {
      fd_ = socket(a->ai_family, a->ai_socktype, a->ai_protocol);
      if (fd_ >= 0 && connect(fd_, a->ai_addr, a->ai_addrlen) != 0) {
        close(fd_);
        fd_ = -1;
      }
    }
    freeaddrinfo(list);
    if (fd_ < 0) throw std::runtime_error("cannot connect");
  }
  ~Socket() { close(fd_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  void send_all(const std::string& text) const {
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t n = send(fd_, text.data() + done, text.size() - done, MSG_NOSIGNAL);
      if (n < 0) throw std::runtime_error("cannot send");
      done += static_cast<std::size_t>(n);
    }
  }

  std::size_t receive(char* data, std::size_t size) const {
    const ssize_t n = recv(fd_, data, size, 0);
    if (n < 0) throw std::runtime_error("cannot receive");
    return static_cast<std::size_t>(n);
  }

 private:
  int fd_ = -1;
};

void run(int argc, char** argv) {
  const Socket socket(argv[1], argv[2]);
  Responses responses;
  std::string requests;
  for (int i = 3; i < argc; i++) {
    for (const char* method : {"HEAD", "GET"}) {
      const bool last = i == argc - 1 && *method == 'G';
      requests += std::string(method) + ' ' + argv[i] + " HTTP/1.1\r\nHost: " + argv[1] + "\r\n" +
                  (last ? "Connection: close\r\n\r\n" : "\r\n");
      responses.asked.push_back(method);
    }
  }
  socket.send_all(requests);
  char bytes[65536];
  while (const std::size_t size = socket.receive(bytes, sizeof(bytes))) responses.feed(bytes, size);
  responses.finish();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: %s HOST PORT TARGET...\n", argv[0]);
    return 2;
  }
  try {
    run(argc, argv);
  } catch (const std::exception& error) {
    std::fflush(stdout);
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 1;
  }
  return 0;
}
