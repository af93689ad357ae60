/* Request-targets and URLs: core/components.go and core/url.go take them apart; what is promised is in llhttp_ext.h and http_parser.h. */
#include <string.h>

#include "entry.h"
#include "http_parser.h"
#include "llhttp_ext.h"

int llhttp_ext_target_parse(const char* target, size_t length, int connect, llhttp_ext_target_t* result) {
  return (int)LLHTTP_CORE(parse_target)((char*)target, length, connect != 0, result);
}

/* Weak: a program may have http_parser itself in it, beside libllhttp.a, and then calls that. */
__attribute__((weak)) void http_parser_url_init(struct http_parser_url* u) { memset(u, 0, sizeof(*u)); }

__attribute__((weak)) int http_parser_parse_url(const char* buf, size_t buflen, int is_connect,
                                                struct http_parser_url* u) {
  return (int)LLHTTP_CORE(parse_url)((char*)buf, buflen, is_connect != 0, u);
}
