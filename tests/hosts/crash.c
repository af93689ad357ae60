/* Crashes in the parser: the buffer ends in a page that is not there. tests/hosts/symbolizer.sh reads what Go's
 * runtime reports. */
#include "llhttp.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

__attribute__((noinline)) static int serve_connection(llhttp_t* parser, const char* bytes, size_t count) {
  int err = (int)llhttp_execute(parser, bytes, count);
  return err + 1;
}

int main(void) {
  static const char request[] = "GET / HTTP/1.1\r\nHost: ";
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), len = sizeof request - 1;
  llhttp_t parser;
  char* room = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED || mprotect(room + page, page, PROT_NONE) != 0) return 2;
  memcpy(room + page - len, request, len);
  llhttp_init(&parser, HTTP_REQUEST, NULL);
  serve_connection(&parser, "GET / HTTP/1.1\r\n\r\n", 18); /* Go has started when it returns */
  return serve_connection(&parser, room + page - len, len + 100);
}
