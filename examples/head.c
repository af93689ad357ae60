/* Parses the header section of a request that arrives in two reads, and looks fields up. Built as parse.c is. */
#include <stdio.h>
#include <string.h>

#include "llhttp.h"
#include "llhttp_ext.h"

int main(void) {
  static const char data[] =
      "GET /index.html HTTP/1.1\r\nHost: example.com\r\nCookie: a=1\r\nX-Trace: 7\r\nCookie: b=2\r\n\r\n";
  static uint64_t memory[LLHTTP_EXT_HEAD_MEMORY(100) / 8]; /* for 100 fields */
  llhttp_ext_head_t head;
  int result, i;

  llhttp_ext_head_init(&head, HTTP_REQUEST, memory, sizeof(memory));
  result = llhttp_ext_head_parse(&head, data, 40); /* what the first read has brought */
  if (result == LLHTTP_EXT_HEAD_PARTIAL) result = llhttp_ext_head_parse(&head, data, strlen(data));
  if (result != HPE_OK) {
    fprintf(stderr, "%d: %s, at byte %d\n", result, result > 0 ? head.reason : "no section", (int)head.size);
    return 1;
  }
  printf("%s %.*s HTTP/%d.%d\n", llhttp_method_name((llhttp_method_t)head.method), (int)head.target_length,
         data + head.target_offset, head.http_major, head.http_minor);
  for (i = llhttp_ext_head_first(&head, LLHTTP_EXT_FIELD_COOKIE); i >= 0; i = llhttp_ext_head_next(&head, i))
    printf("cookie   %.*s\n", (int)head.fields[i].value_length, data + head.fields[i].value_offset);
  i = llhttp_ext_head_find(&head, data, "x-trace", 7);
  if (i >= 0) printf("trace    %.*s\n", (int)head.fields[i].value_length, data + head.fields[i].value_offset);
  printf("%d fields, %d bytes, %s\n", (int)head.count, (int)head.size,
         head.keep_alive ? "keep the connection" : "close the connection");
  return 0;
}
