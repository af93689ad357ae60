/* Every result that an upload can have. */
#include <stdio.h>
#include <string.h>

#include "upload.h"

static int failed;

static void expect(const char* request, enum upload_result want, uint64_t want_size, const char* want_body) {
  char body[16] = "";
  uint64_t size;
  enum upload_result got = upload_receive(request, strlen(request), body, sizeof body, &size);
  if (got != want || size != want_size || memcmp(body, want_body, strlen(want_body)) != 0) {
    fprintf(stderr, "%s\nresult %d, size %llu, body %.16s\n", request, (int)got, (unsigned long long)size, body);
    failed = 1;
  }
}

int main(void) {
  expect("PUT /f HTTP/1.1\r\nContent-Length: 11\r\n\r\nhello world", UPLOAD_COMPLETE, 11, "hello world");
  expect("PUT /f HTTP/1.1\r\nContent-Length: 11\r\n\r\nhello", UPLOAD_INCOMPLETE, 11, "hello");
  expect("PUT /f HTTP/1.1\r\nContent-Length: 17\r\n\r\n0123456789abcdefg", UPLOAD_TOO_LARGE, 17, "");
  expect("PUT /f HTTP/1.1\r\nContent-Length: 1x\r\n\r\n", UPLOAD_BAD, 0, "");
  expect("PUT /f HTTP/1.1\r\nContent-Le", UPLOAD_INCOMPLETE, 0, "");
  if (!failed) puts("five uploads");
  return failed;
}
