#ifndef http_parser_h
#define http_parser_h

/* http_parser's function for URLs, for programs that have stayed with http_parser for its sake: llhttp has none. It is part of
 * libllhttp. Of http_parser's own header there is nothing else here; its parser is llhttp's now (llhttp.h).
 *
 * Names, values and layout are those of http_parser 2.9.4, and so are the results; docs/http_parser.md lists the
 * differences. llhttp_ext_target_parse (llhttp_ext.h) follows the RFCs instead, tells what is wrong and where, and knows
 * targets of more than 64 KiB.
 */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef LLHTTP_EXPORT
#if defined(__wasm__)
#define LLHTTP_EXPORT __attribute__((visibility("default")))
#elif defined(_WIN32)
#define LLHTTP_EXPORT __declspec(dllexport)
#else
#define LLHTTP_EXPORT
#endif
#endif

enum http_parser_url_fields {
  UF_SCHEMA = 0,
  UF_HOST = 1, /* of an IPv6 address what is inside the brackets, the zone included */
  UF_PORT = 2,
  UF_PATH = 3,
  UF_QUERY = 4,    /* without the question mark */
  UF_FRAGMENT = 5, /* without the number sign */
  UF_USERINFO = 6, /* without the at-sign */
  UF_MAX = 7
};

/* What a URL is made of. A field is there if its bit, 1 << UF_..., is set in field_set; otherwise its offset and length mean
 * nothing. No field is empty.
 */
struct http_parser_url {
  uint16_t field_set;
  uint16_t port; /* the number, if UF_PORT is there */
  struct {
    uint16_t off; /* in bytes from the URL's first one */
    uint16_t len;
  } field_data[UF_MAX];
};

/* Sets all members to 0. */
LLHTTP_EXPORT
void http_parser_url_init(struct http_parser_url* u);

/* Takes a URL of buflen bytes apart: "/path?query" or "*", or "scheme://user@host:port/path?query#fragment", or, if is_connect
 * is not 0, "host:port". Returns 0, or another value if it is none, or longer than 65535 bytes: then what is in *u means
 * nothing. Fields that are not there keep their offset and length.
 *
 * Nothing is allocated or copied, no byte outside the URL is read. Any thread may call it at any time.
 */
LLHTTP_EXPORT
int http_parser_parse_url(const char* buf, size_t buflen, int is_connect, struct http_parser_url* u);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* http_parser_h */
