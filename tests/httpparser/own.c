/* A program with an http_parser_parse_url of its own, beside the parser: linked with libllhttp.a, it calls its own. */
#include "../c/check.h"
#include "http_parser.h"
#include "llhttp.h"

int http_parser_parse_url(const char* buf, size_t buflen, int is_connect, struct http_parser_url* u) {
  (void)buf, (void)is_connect, (void)u;
  return (int)buflen;
}

int main(void) {
  struct http_parser_url u;
  llhttp_t parser;
  llhttp_settings_t settings;
  http_parser_url_init(&u);
  CHECK_INT(http_parser_parse_url("/path", 5, 0, &u), 5);
  llhttp_settings_init(&settings);
  llhttp_init(&parser, HTTP_REQUEST, &settings);
  CHECK_INT(llhttp_execute(&parser, "GET / HTTP/1.1\r\n\r\n", 18), HPE_OK);
  return check_done();
}
