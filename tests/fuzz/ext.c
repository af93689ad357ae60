// The target ext: the functions of llhttp_ext.h and http_parser.h that take a text apart, at every level, against others that look
// at one byte after the other and know nothing of how the library does it: names, request-targets, URLs, lists, parameters,
// tokens, Content-Length. In a case:
//
//   0-1    a well-known name's id
//   2      a place in that name; 3 a byte to change there, by its difference
//   4-5    a token to look for: the place of a member, and which of its letters change their case
//
// then the text. Every function gets it, between inaccessible pages, beginning and ending at one.
#define _GNU_SOURCE
#include "../c/check.h"
#include "../c/guard.h"

#include <arpa/inet.h>

#include "beyond.h"
#include "http_parser.h"

enum { HEAD = 6 };

static struct guard page, token_page;

// Set to plant a difference, to see that it is found: a port of more than one digit is another.
static int plant;

// ---- bytes

static int is_digit(char c) { return c >= '0' && c <= '9'; }
static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static int is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
static int is_one_of(char c, const char* set) { return c != '\0' && strchr(set, c) != NULL; }
static int is_token(char c) { return is_digit(c) || is_letter(c) || is_one_of(c, "!#$%&'*+-.^_`|~"); }
static int is_visible(char c) { return c > ' ' && c < 0x7f; }
static int is_text(char c) { return c == '\t' || ((unsigned char)c >= ' ' && c != 0x7f); }
static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c; }

static int same_folded(const char* a, const char* b, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (lower(a[i]) != lower(b[i])) return 0;
  return 1;
}

// ---- names

static const char* const names[] = {"",
#define NAME(id, name, spelling) spelling,
                                    LLHTTP_EXT_FIELD_MAP(NAME)
#undef NAME
};
enum { NAMES = sizeof names / sizeof *names };

static int want_id(const char* s, size_t n) {
  for (int id = 1; id < NAMES; id++)
    if (strlen(names[id]) == n && same_folded(s, names[id], n)) return id;
  return LLHTTP_EXT_FIELD_UNKNOWN;
}

static void check_names(const uint8_t* head) {
  const int id = (int)(beyond_get(head, 2) % NAMES);
  const size_t n = strlen(names[id]);
  char text[128];
  size_t length = 7;
  CHECK_STR(llhttp_ext_field_name(id, &length), id == 0 ? NULL : names[id]);
  CHECK_INT(length, n);
  memcpy(text, names[id], n);
  if (n != 0) text[head[2] % n] ^= (char)head[3];
  CHECK_INT(llhttp_ext_field_id(guard_at_end(&page, text, n), n), want_id(text, n));
  CHECK_INT(llhttp_ext_field_id(guard_at_start(&page, text, n), n), want_id(text, n));
  // Without its last byte, and without its first.
  if (n == 0) return;
  CHECK_INT(llhttp_ext_field_id(guard_at_end(&page, text, n - 1), n - 1), want_id(text, n - 1));
  CHECK_INT(llhttp_ext_field_id(guard_at_start(&page, text + 1, n - 1), n - 1), want_id(text + 1, n - 1));
}

// ---- request-targets

static size_t find(const char* s, size_t from, size_t to, const char* set) {
  while (from < to && !is_one_of(s[from], set)) from++;
  return from;
}

static int all_visible(const char* s, size_t from, size_t to) {
  while (from < to && is_visible(s[from])) from++;
  return from == to;
}

static llhttp_ext_span_t span(size_t from, size_t to) {
  return (llhttp_ext_span_t){(uint32_t)from, (uint32_t)(to - from)};
}

// RFC 3986, Section 3.2.2, with what else the characters of a set may be.
static int is_name(const char* s, size_t from, size_t to, const char* more) {
  for (; from < to; from++) {
    if (s[from] == '%') {
      if (to - from < 3 || !is_hex(s[from + 1]) || !is_hex(s[from + 2])) return 0;
      from += 2;
    } else if (!is_digit(s[from]) && !is_letter(s[from]) && !is_one_of(s[from], "-._~!$&'()*+,;=") &&
               !is_one_of(s[from], more)) {
      return 0;
    }
  }
  return 1;
}

static int is_future(const char* s, size_t n) {
  size_t dot = find(s, 0, n, ".");
  if (n == 0 || lower(s[0]) != 'v' || dot < 2 || dot + 1 >= n) return 0;
  for (size_t i = 1; i < dot; i++)
    if (!is_hex(s[i])) return 0;
  return memchr(s, '%', n) == NULL && is_name(s, dot + 1, n, ":");
}

static int is_address(int family, const char* s, size_t n) {
  char text[64], address[16];
  if (n >= sizeof text || memchr(s, '\0', n) != NULL) return 0;
  memcpy(text, s, n);
  text[n] = '\0';
  return inet_pton(family, text, address) == 1;
}

// A port's number, or -1.
static int port_of(const char* s, size_t from, size_t to) {
  int port = 0;
  for (; from < to; from++) {
    if (!is_digit(s[from])) return -1;
    port = port * 10 + s[from] - '0';
    if (port > 65535) return -1;
  }
  return port;
}

static int want_authority(const char* s, size_t from, size_t to, int connect, llhttp_ext_target_t* t) {
  size_t at = find(s, from, to, "@"), end;
  if (at < to) {
    if (connect || !is_name(s, from, at, ":")) return 0;
    t->flags |= LLHTTP_EXT_TARGET_HAS_USERINFO;
    t->userinfo = span(from, at);
    from = at + 1;
  }
  if (from < to && s[from] == '[') {
    end = find(s, from, to, "]");
    if (end == to) return 0;
    t->host = span(from + 1, end);
    if (is_address(AF_INET6, s + from + 1, end - from - 1)) t->host_kind = LLHTTP_EXT_HOST_IPV6;
    else if (is_future(s + from + 1, end - from - 1)) t->host_kind = LLHTTP_EXT_HOST_IPFUTURE;
    else return 0;
    end++;
  } else {
    end = find(s, from, to, ":");
    if (end == from || !is_name(s, from, end, "")) return 0;
    t->host = span(from, end);
    t->host_kind = is_address(AF_INET, s + from, end - from) ? LLHTTP_EXT_HOST_IPV4 : LLHTTP_EXT_HOST_NAME;
  }
  if (end < to) {
    if (s[end] != ':' || port_of(s, end + 1, to) < 0) return 0;
    t->flags |= LLHTTP_EXT_TARGET_HAS_PORT;
    t->port_text = span(end + 1, to);
    t->port = (uint16_t)port_of(s, end + 1, to);
  }
  return !connect || t->port_text.length != 0;
}

static int want_path(const char* s, size_t from, size_t n, llhttp_ext_target_t* t) {
  size_t hash = find(s, from, n, "#"), question = find(s, from, hash, "?");
  if (!all_visible(s, from, n)) return 0;
  if (question != from) t->path = span(from, question);
  if (question < hash) {
    t->flags |= LLHTTP_EXT_TARGET_HAS_QUERY;
    t->query = span(question + 1, hash);
  }
  if (hash < n) {
    t->flags |= LLHTTP_EXT_TARGET_HAS_FRAGMENT;
    t->fragment = span(hash + 1, n);
  }
  return hash == n || find(s, hash + 1, n, "#") == n;
}

static int want_target(const char* s, size_t n, int connect, llhttp_ext_target_t* t) {
  size_t colon = find(s, 0, n, ":"), end;
  memset(t, 0, sizeof *t);
  t->form = LLHTTP_EXT_TARGET_AUTHORITY;
  if (connect) return want_authority(s, 0, n, 1, t);
  t->form = LLHTTP_EXT_TARGET_ASTERISK;
  if (n == 1 && s[0] == '*') {
    t->path = span(0, 1);
    return 1;
  }
  t->form = LLHTTP_EXT_TARGET_ORIGIN;
  if (n != 0 && s[0] == '/') return want_path(s, 0, n, t);
  t->form = LLHTTP_EXT_TARGET_ABSOLUTE;
  if (n - colon < 3 || memcmp(s + colon, "://", 3) != 0 || !is_letter(s[0])) return 0;
  for (size_t i = 1; i < colon; i++)
    if (!is_letter(s[i]) && !is_digit(s[i]) && !is_one_of(s[i], "+-.")) return 0;
  t->scheme = span(0, colon);
  end = find(s, colon + 3, n, "/?#");
  return want_authority(s, colon + 3, end, 0, t) && want_path(s, end, n, t);
}

static void check_target(const char* s, size_t n, int connect) {
  llhttp_ext_target_t got, want;
  memset(&got, 0xa5, sizeof got);
  const int err = llhttp_ext_target_parse(s, n, connect, &got);
  if (!want_target(s, n, connect, &want)) {
    CHECK(err < 0 && err > LLHTTP_EXT_TARGET_TOO_LARGE);
    CHECK_INT(got.form, LLHTTP_EXT_TARGET_NONE);
    CHECK(got.error_offset <= n);
    return;
  }
  if (!CHECK_INT(err, 0)) return;
  if (plant && got.port_text.length > 1) got.port++;
  CHECK_INT(got.form, want.form);
  CHECK_INT(got.host_kind, want.host_kind);
  CHECK_INT(got.flags, want.flags);
  CHECK_INT(got.port, want.port);
#define SAME(part) CHECK(got.part.offset == want.part.offset && got.part.length == want.part.length);
  SAME(scheme)
  SAME(userinfo)
  SAME(host)
  SAME(port_text)
  SAME(path)
  SAME(query)
  SAME(fragment)
#undef SAME
}

// ---- http_parser's URLs

static void want_field(struct http_parser_url* u, int field, size_t from, size_t to) {
  if (from == to) return;
  u->field_set |= (uint16_t)(1 << field);
  u->field_data[field].off = (uint16_t)from;
  u->field_data[field].len = (uint16_t)(to - from);
}

static int want_url_host(const char* s, size_t from, size_t to, struct http_parser_url* u) {
  size_t at = find(s, from, to, "@"), end, i;
  if (at < to) {
    for (i = from; i < at; i++)
      if (!is_digit(s[i]) && !is_letter(s[i]) && !is_one_of(s[i], "_.!~*'()%;:&=+$,-")) return 0;
    want_field(u, UF_USERINFO, from, at);
    from = at + 1;
  }
  if (from < to && s[from] == '[') {
    end = find(s, from, to, "]");
    size_t zone = find(s, from, end, "%");
    if (end == to || zone == from + 1 || end == from + 1 || zone + 1 == end) return 0;
    for (i = from + 1; i < zone; i++)
      if (!is_hex(s[i]) && !is_one_of(s[i], ":.")) return 0;
    for (i = zone + 1; i < end; i++)
      if (!is_digit(s[i]) && !is_letter(s[i]) && !is_one_of(s[i], "%._~-")) return 0;
    want_field(u, UF_HOST, from + 1, end);
    end++;
  } else {
    end = find(s, from, to, ":");
    for (i = from; i < end; i++)
      if (!is_digit(s[i]) && !is_letter(s[i]) && !is_one_of(s[i], "._-")) return 0;
    if (from == end) return 0;
    want_field(u, UF_HOST, from, end);
  }
  if (end == to) return 1;
  if (s[end] != ':' || end + 1 == to || port_of(s, end + 1, to) < 0) return 0;
  want_field(u, UF_PORT, end + 1, to);
  u->port = (uint16_t)port_of(s, end + 1, to);
  return 1;
}

static int want_url(const char* s, size_t n, int connect, struct http_parser_url* u) {
  size_t from = 0, hash, question;
  u->field_set = u->port = 0;
  if (connect) return want_url_host(s, 0, n, u) && u->field_set == (1 << UF_HOST | 1 << UF_PORT);
  if (n == 0) return 0;
  if (s[0] != '/' && s[0] != '*') {
    size_t colon = 0;
    while (colon < n && is_letter(s[colon])) colon++;
    if (colon == 0 || n - colon < 3 || memcmp(s + colon, "://", 3) != 0) return 0;
    want_field(u, UF_SCHEMA, 0, colon);
    // A number sign may not follow the host.
    from = find(s, colon + 3, n, "/?");
    if (!want_url_host(s, colon + 3, from, u)) return 0;
  }
  hash = find(s, from, n, "#");
  question = find(s, from, hash, "?");
  if (!all_visible(s, from, n)) return 0;
  want_field(u, UF_PATH, from, question);
  if (question < hash) want_field(u, UF_QUERY, question + 1, hash);
  while (hash < n && s[hash] == '#') hash++;
  want_field(u, UF_FRAGMENT, hash, n);
  return 1;
}

static void check_url(const char* s, size_t n, int connect) {
  struct http_parser_url got, want;
  memset(&got, 0xa5, sizeof got);
  memset(&want, 0xa5, sizeof want);
  const int err = http_parser_parse_url(s, n, connect, &got);
  if (!CHECK_INT(err == 0, want_url(s, n, connect, &want)) || err != 0) return;
  CHECK(memcmp(&got, &want, sizeof got) == 0);
}

// ---- field values

// The end of the quoted string at `at`; or an error, and where.
static int want_quoted(const char* s, size_t n, size_t at, size_t* end) {
  for (*end = at + 1; *end < n; ++*end) {
    if (s[*end] == '"') {
      ++*end;
      return 0;
    }
    if (s[*end] == '\\' && ++*end == n) break;
    if (!is_text(s[*end])) return LLHTTP_EXT_VALUE_INVALID;
  }
  *end = at;
  return LLHTTP_EXT_VALUE_UNTERMINATED;
}

static int is_blank(char c) { return c == ' ' || c == '\t'; }

enum { MOST_MEMBERS = BEYOND_MOST };
struct members {
  struct {
    size_t offset, size;
  } member[MOST_MEMBERS];
  size_t count, fault;
  int err;  // how it ends: 0 or an error
};

// Goes on to a byte outside quoted strings, or the end; an error if there is one before it, and then to that.
static int want_up_to(const char* s, size_t n, size_t* at, char stop) {
  while (*at < n && s[*at] != stop) {
    size_t end = *at + 1;
    int err = 0;
    if (s[*at] == '"') err = want_quoted(s, n, *at, &end);
    else if (!is_text(s[*at])) err = LLHTTP_EXT_VALUE_INVALID, end = *at;
    *at = end;
    if (err != 0) return err;
  }
  return 0;
}

static void want_members(const char* s, size_t n, struct members* m) {
  size_t at = 0, from, to;
  m->count = 0;
  for (;;) {
    from = at;
    m->err = want_up_to(s, n, &at, ',');
    m->fault = at;
    if (m->err != 0) return;
    to = at;
    while (from < to && is_blank(s[from])) from++;
    while (from < to && is_blank(s[to - 1])) to--;
    if (from < to) {
      m->member[m->count].offset = from;
      m->member[m->count++].size = to - from;
    }
    if (at++ == n) return;
  }
}

static void check_list(const char* s, size_t n, const struct members* m) {
  llhttp_ext_list_t list;
  llhttp_ext_list_init(&list, s, n);
  for (size_t i = 0; i < m->count; i++) {
    if (!CHECK_INT(llhttp_ext_list_next(&list), 1)) return;
    CHECK_INT(list.offset, m->member[i].offset);
    CHECK_INT(list.size, m->member[i].size);
  }
  for (int again = 0; again < 2; again++) {
    CHECK_INT(llhttp_ext_list_next(&list), m->err);
    if (m->err != 0) CHECK_INT(list.next, m->fault);
  }
}

// What is in quotes, without its backslashes.
static void check_unquote(const char* s, size_t n) {
  static char want[BEYOND_MOST], got[BEYOND_MOST];
  size_t length = 0;
  for (size_t i = 0; i < n; i++) {
    if (s[i] == '\\' && i + 1 < n) i++;
    want[length++] = s[i];
  }
  CHECK_INT(llhttp_ext_unquote(got, s, n), length);
  CHECK(memcmp(got, want, length) == 0);
  memcpy(got, s, n);
  CHECK_INT(llhttp_ext_unquote(got, got, n), length);
  CHECK(memcmp(got, want, length) == 0);
}

// Goes through them together with the library: returns 1 for a parameter, in *p, 0 at the end, or an error with p->next.
static int want_parameter(const char* s, size_t n, size_t* at, llhttp_ext_parameters_t* p) {
  size_t end;
  int err;
  while (*at < n && (s[*at] == ';' || is_blank(s[*at]))) ++*at;
  if (*at == n) return 0;
  p->name_offset = *at;
  while (*at < n && is_token(s[*at])) ++*at;
  p->name_length = *at - p->name_offset;
  p->next = *at;
  if (p->name_length == 0) return LLHTTP_EXT_VALUE_INVALID;
  p->value_offset = p->value_length = p->flags = 0;
  if (*at < n && s[*at] == '=') {
    end = ++*at;
    p->flags = LLHTTP_EXT_PARAMETER_HAS_VALUE;
    p->value_offset = *at;
    if (end < n && s[end] == '"') {
      err = want_quoted(s, n, *at, &end);
      p->next = end;
      if (err != 0) return err;
      p->value_offset++;
      p->value_length = end - 1 - p->value_offset;
      p->flags |= LLHTTP_EXT_PARAMETER_QUOTED;
      if (memchr(s + p->value_offset, '\\', p->value_length) != NULL) p->flags |= LLHTTP_EXT_PARAMETER_ESCAPED;
    } else {
      while (end < n && is_token(s[end])) end++;
      p->value_length = end - p->value_offset;
      p->next = end;
      if (p->value_length == 0) return LLHTTP_EXT_VALUE_INVALID;
    }
    *at = end;
  }
  while (*at < n && is_blank(s[*at])) ++*at;
  p->next = *at;
  return *at == n || s[*at] == ';' ? 1 : LLHTTP_EXT_VALUE_INVALID;
}

static void check_parameters(const char* s, size_t n) {
  llhttp_ext_parameters_t got, want;
  size_t at = 0;
  int result = want_up_to(s, n, &at, ';');
  want.next = at;
  llhttp_ext_parameters_init(&got, s, n);
  if (result == 0) {
    while ((result = want_parameter(s, n, &at, &want)) == 1) {
      if (!CHECK_INT(llhttp_ext_parameters_next(&got), 1)) return;
      CHECK_INT(got.name_offset, want.name_offset);
      CHECK_INT(got.name_length, want.name_length);
      CHECK_INT(got.value_length, want.value_length);
      if (want.value_length != 0) CHECK_INT(got.value_offset, want.value_offset);
      CHECK_INT(got.flags, want.flags);
      if (got.flags & LLHTTP_EXT_PARAMETER_QUOTED) check_unquote(s + got.value_offset, got.value_length);
    }
  }
  for (int again = 0; again < 2; again++) {
    CHECK_INT(llhttp_ext_parameters_next(&got), result);
    if (result < 0) CHECK_INT(got.next, want.next);
  }
}

static int want_token(const char* s, const struct members* m, const char* token, size_t length) {
  int result = 0;
  if (m->err != 0) return m->err;
  for (size_t i = 0; i < m->count; i++)
    if (m->member[i].size == length && same_folded(s + m->member[i].offset, token, length))
      result = i == m->count - 1 ? 2 : 1;
  return result;
}

static void check_tokens(const char* s, size_t n, const struct members* m, const uint8_t* head) {
  static char token[BEYOND_MOST];
  const char* at;
  size_t length = 0;
  if (m->count != 0) {
    const size_t i = head[4] % m->count;
    length = m->member[i].size;
    for (size_t k = 0; k < length; k++) {
      const char c = s[m->member[i].offset + k];
      token[k] = is_letter(c) && (head[5] >> k % 8 & 1) ? c ^ 0x20 : c;
    }
    at = guard_at_end(&token_page, token, length);
    CHECK_INT(llhttp_ext_has_token(s, n, at, length), want_token(s, m, at, length));
    at = guard_at_start(&token_page, token, length - 1);
    CHECK_INT(llhttp_ext_has_token(s, n, at, length - 1), want_token(s, m, at, length - 1));
  }
  at = guard_at_end(&token_page, "close", 5);
  CHECK_INT(llhttp_ext_has_token(s, n, at, 5), want_token(s, m, at, 5));
}

static int want_length(const char* s, const struct members* m, uint64_t* number) {
  uint64_t first = 0;
  for (size_t i = 0; i < m->count; i++) {
    const char* text = s + m->member[i].offset;
    uint64_t value = 0;
    size_t k = 0;
    for (; k < m->member[i].size && is_digit(text[k]); k++)
      if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, (uint64_t)(text[k] - '0'), &value))
        return LLHTTP_EXT_VALUE_TOO_LARGE;
    if (k < m->member[i].size) return LLHTTP_EXT_VALUE_INVALID;
    if (i != 0 && value != first) return LLHTTP_EXT_VALUE_DIFFERENT;
    first = value;
  }
  if (m->err != 0) return m->err;
  if (m->count == 0) return LLHTTP_EXT_VALUE_INVALID;
  *number = first;
  return 1;
}

static void check_length(const char* s, size_t n, const struct members* m) {
  uint64_t got = 7, want = 7;
  CHECK_INT(llhttp_ext_content_length(s, n, &got), want_length(s, m, &want));
  CHECK(got == want);
}

// ---- the target

static void check_text(const char* s, size_t n, const uint8_t* head) {
  static struct members m;
  CHECK_INT(llhttp_ext_field_id(s, n), want_id(s, n));
  for (int connect = 0; connect < 2; connect++) {
    check_target(s, n, connect);
    check_url(s, n, connect);
  }
  want_members(s, n, &m);
  check_list(s, n, &m);
  check_parameters(s, n);
  check_tokens(s, n, &m, head);
  check_length(s, n, &m);
  check_unquote(s, n);
}

static unsigned long check(const uint8_t* data, size_t size) {
  static char text[BEYOND_MOST];
  const int before = llhttp_ext_simd_get();
  uint8_t head[HEAD];
  size_t n;
  if (size > BEYOND_MOST) return check_failed;
  if (page.start == NULL) {
    page = guard_new(BEYOND_MOST);
    token_page = guard_new(BEYOND_MOST);
  }
  n = beyond_parts(data, size, head, HEAD, text);
  for (int level = 0; level < 8; level++) {
    if (llhttp_ext_simd_set(level) != 0) continue;
    check_names(head);
    check_text(guard_at_end(&page, text, n), n, head);
    check_text(guard_at_start(&page, text, n), n, head);
  }
  llhttp_ext_simd_set(before);
  return check_failed;
}

// What stands between the first two spaces of the first line, and behind the colon of each other one; if there is none, the line.
// With it come the well-known names in turn, as they are or with letters of the other case.
static size_t encode(const struct plan* p, unsigned n, uint8_t out[BEYOND_MOST]) {
  static unsigned turn;
  const char *s = (const char*)p->input, *const end = s + p->len, *line_end, *from;
  for (unsigned skip = n;; skip--) {
    if (s == end) return 0;
    line_end = memchr(s, '\n', (size_t)(end - s));
    if (line_end == NULL) line_end = end;
    if (skip == 0) break;
    s = line_end < end ? line_end + 1 : end;
  }
  if (line_end > s && line_end[-1] == '\r') line_end--;
  from = memchr(s, n == 0 ? ' ' : ':', (size_t)(line_end - s));
  if (from != NULL) s = from + 1;
  from = n == 0 ? memchr(s, ' ', (size_t)(line_end - s)) : NULL;
  if (from != NULL) line_end = from;
  memset(out, 0, HEAD);
  beyond_put(out, 2, ++turn % NAMES);
  out[2] = (uint8_t)turn;
  out[3] = (uint8_t)(turn / NAMES % 2 * 0x20);
  out[5] = 0x55;
  return beyond_input(out, HEAD, (const uint8_t*)s, (size_t)(line_end - s));
}

const struct beyond beyond_ext = {"ext", &plant, check, encode};
