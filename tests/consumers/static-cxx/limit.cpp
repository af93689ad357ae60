// Limits the size of a header section by an exception that passes through the parser, which then serves again.
#include <llhttp.h>

#include <cstdio>
#include <stdexcept>
#include <string>

namespace {

constexpr std::size_t limit = 1000;
std::size_t size;

struct TooLarge : std::length_error {
  using std::length_error::length_error;
};

int count(llhttp_t*, const char*, std::size_t n) {
  size += n;
  if (size > limit) throw TooLarge("header section of more than " + std::to_string(limit) + " bytes");
  return 0;
}

// Returns the size, or throws.
std::size_t measure(const std::string& request) {
  llhttp_settings_t settings;
  llhttp_settings_init(&settings);
  settings.on_header_field = settings.on_header_value = count;
  llhttp_t parser;
  llhttp_init(&parser, HTTP_REQUEST, &settings);
  size = 0;
  if (llhttp_execute(&parser, request.data(), request.size()) != HPE_OK) throw std::runtime_error(parser.reason);
  return size;
}

std::string request(int lines) {
  std::string text = "GET / HTTP/1.1\r\n";
  for (int i = 100; i < 100 + lines; ++i) text += "Field-" + std::to_string(i) + ": value\r\n";
  return text + "\r\n";
}

}  // namespace

int main() {
  const std::size_t line = std::string("Field-100value").size();
  for (int round = 0; round < 3; ++round) {
    if (measure(request(50)) != 50 * line) return std::puts("a request of 50 lines has another size"), 1;
    bool thrown = false;
    try {
      measure(request(500));
    } catch (const TooLarge&) {
      thrown = size > limit && size <= limit + 10;
    }
    if (!thrown) return std::printf("500 lines: %zu bytes went through\n", size), 1;
  }
  std::puts("limited");
  return 0;
}
