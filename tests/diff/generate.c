// Makes inputs: a message of the corpus, or one composed from the pools below, or both spliced, then mutated. The
// pools hold the words the parser knows, their near misses, and what a careless or hostile peer sends. Most inputs
// must be nearly valid, or nothing behind the first error is ever reached: `wild` says how far one may stray.
#include "generate.h"

// clang-format off: lists, as many in a line as it holds
static const struct text methods[] = {
    T("GET"), T("POST"), T("HEAD"), T("PUT"), T("DELETE"), T("CONNECT"), T("OPTIONS"), T("TRACE"), T("COPY"), T("LOCK"),
    T("MKCOL"), T("MOVE"), T("PROPFIND"), T("PROPPATCH"), T("SEARCH"), T("UNLOCK"), T("BIND"), T("REBIND"),
    T("UNBIND"), T("ACL"), T("REPORT"), T("MKACTIVITY"), T("CHECKOUT"), T("MERGE"), T("M-SEARCH"), T("NOTIFY"),
    T("SUBSCRIBE"), T("UNSUBSCRIBE"), T("PATCH"), T("PURGE"), T("MKCALENDAR"), T("LINK"), T("UNLINK"), T("SOURCE"),
    T("PRI"), T("DESCRIBE"), T("ANNOUNCE"), T("SETUP"), T("PLAY"), T("PAUSE"), T("TEARDOWN"), T("GET_PARAMETER"),
    T("SET_PARAMETER"), T("REDIRECT"), T("RECORD"), T("FLUSH"), T("QUERY"),
};
static const struct text odd_methods[] = {
    T("GETS"), T("GE"), T("G"), T("get"), T("Post"), T("HEA"), T("HEADX"), T("HTTP"), T("MSEARCH"), T("M-"),
    T("M_SEARCH"),
    T("PROP"), T("PROPFINDX"), T("SUBSCRIB"), T("UNSUBSCRIBEX"), T("UN"), T("CON"), T("CONNEC"), T("GET_"), T("SET"),
    T("PRIX"), T("PR"), T("SOURC"), T("DESCRIBEX"), T("QUER"), T("\xc7" "ET"), T("G ET"), T("G\0T"), T(""),
    T("FOO"), T("*"),
    T("REPOR"), T("RE"), T("MK"), T("MKCALENDA"), T("LIN"), T("LOC"), T("P"), T("PU"), T("PA"), T("S"), T("T"),
    T("A"), T("B"),
};
static const struct text odd_spaces[] = {T(""), T("  "), T("\t"), T(" \t "), T("\r\n"), T("\n"), T("\f"), T(" \f"),
    T("\0"), T("    ")};

static const struct text targets[] = {
    T("/"), T("/"), T("/index.html"), T("/a/b/c"), T("/a?b=c&d=e"), T("/a#f"), T("/?"), T("/a?b#c"), T("*"),
    T("//"), T("/a//b/../c"),
    T("http://h/"), T("http://h"), T("https://h:443/p?q#f"), T("http://user:pw@h/x"), T("http://h?q"), T("ftp://h/"),
    T("http://[2001:db8::1]:80/"), T("/%41%zz%"), T("/a;b=c,d:e@f!g$h&i'j(k)l*m+n=o"), T("/~u/_-.x"), T("rtsp://h/m"),
};
static const struct text odd_targets[] = {
    T(""), T("a"), T("?q"), T("#f"), T("http:"), T("http:/"), T("http:/h"), T("http:///"), T("http://"),
    T("h2tp://x/"), T("://h/"),
    T("http://a@b@c"), T("http://@"), T("http://h:80:80"), T("http://h{}/"), T("http://%/"), T("http://a\\b"),
    T("/\x80\xff"),
    T("/a\tb"), T("/a\fb"), T("/a\x01"), T("/a\x7f"), T("/a\0b"), T("/a?\xe9"), T("/#\t"), T("/a##"), T("/a#?#"),
    T("/?\x7f"), T("/\"<>\\^`{|}"),
    T("\f"), T("\t/"), T("/ \f"), T("/?\f"), T("/#\f"), T("http\f"), T("http:\f"), T("http:/\f"), T("http://\f"),
    T("http://h\f"), T("http://u@\f"),
    T("**"), T("*/"), T("HTTP/1.1"), T("h:80"), T(":80"), T("-"), T(".")
};
static const struct text authorities[] = {
    T("h:443"), T("host.example:80"), T("[::1]:443"), T("h"), T("u@h:1"), T("127.0.0.1:8080"), T("a_b-c.d~e:1"),
};
static const struct text versions[] = {
    T("HTTP/1.1"), T("HTTP/1.1"), T("HTTP/1.1"), T("HTTP/1.1"), T("HTTP/1.1"), T("HTTP/1.1"), T("HTTP/1.1"),
    T("HTTP/1.1"), T("HTTP/1.0"), T("HTTP/1.0"), T("HTTP/2.0"), T("HTTP/0.9"),
};
static const struct text odd_versions[] = {
    T("HTTP/1.2"), T("HTTP/2.1"), T("HTTP/0.0"), T("HTTP/9.9"), T("HTTP/3.0"), T("HTTP/11"), T("HTTP/1."),
    T("HTTP/.1"), T("HTTP/1,1"), T("HTTP/a.b"),
    T("HTTP/1.a"), T("HTTP/1.10"), T("HTTP/01.1"), T("HTTP1.1"), T("HTTP/"), T("HTTP"), T("HTT"), T("http/1.1"),
    T("HTTPS/1.1"), T("RTSP/1.0"), T("RTSP/2.0"),
    T("RTSP"), T("RTS/1.0"), T("ICE/1.0"), T("ICE/1"), T("ICY/1.0"), T("IC"), T(" HTTP/1.1"), T("HTTP/1.1 "),
    T("HTTP /1.1"), T("HTTP/ 1.1"), T("X"), T("R"), T("I"),
    T("HTTP/1\0" "1"), T("HTTP/\xb1.1"),
};
static const struct text codes[] = {
    T("200"), T("200"), T("200"), T("204"), T("304"), T("100"), T("101"), T("102"), T("103"), T("199"), T("205"),
    T("206"), T("301"), T("302"), T("404"), T("500"), T("503"),
};
static const struct text odd_codes[] = {
    T("000"), T("999"), T("20"), T("2"), T(""), T("2000"), T("2x0"), T("x00"), T("20x"), T("-20"), T("2 0"),
    T("0200"), T("\xb2" "00"), T("010"), T("114"), T("600"),
};
static const struct text phrases[] = {
    T("OK"), T("OK"), T("Not Found"), T("No Content"), T("Continue"), T(""), T("Switching Protocols"), T("a b\tc"),
    T("caf\xc3\xa9"), T("\x80"), T("HTTP/1.1 200 OK"),
};
static const struct text odd_phrases[] = {T("a\0b"), T("a\rb"), T("a\nb"), T("\x01"), T("\x7f"), T("\r\n "),
    T("  "), T("\t"), T("OK \r")};

static const struct text names[] = {
    T("Host"), T("User-Agent"), T("Accept"), T("Accept-Encoding"), T("Accept-Language"), T("Cookie"),
    T("Set-Cookie"), T("Date"), T("Server"),
    T("Content-Type"), T("Cache-Control"), T("ETag"), T("Referer"), T("Origin"), T("X-Forwarded-For"),
    T("X-Request-Id"), T("Authorization"), T("Expect"),
    T("Trailer"), T("TE"), T("Vary"), T("A"), T("b"), T("x"), T("Sec-WebSocket-Key"),
    T("Strict-Transport-Security"), T("Content-Security-Policy"),
    T("If-None-Match"), T("Range"), T("Location"), T("Keep-Alive"), T("Via"), T("0"), T("!#$%&'*+-.^_`|~"),
    T("Proxy-Authorization"), T("Upgrade-Insecure-Requests"),
    T("Access-Control-Allow-Credentials"), T("Content-Encoding"), T("Content-MD5"), T("Connect"), T("Transfer"),
    T("Upgrader"), T("Proxy-"),
};
static const struct text near_names[] = {
    T("c"), T("co"), T("con"), T("conn"), T("cont"), T("content"), T("content-"), T("content-l"),
    T("content-lengt"), T("content-lengtx"), T("content-lengthx"), T("content_length"),
    T("content-length-"), T("xcontent-length"), T("connectio"), T("connectiom"), T("connections"), T("connection-"),
    T("xconnection"), T("p"), T("proxy"), T("proxy-c"), T("proxy-connectio"),
    T("proxy-connections"), T("proxy_connection"), T("t"), T("transfer"), T("transfer-"), T("transfer-encodin"),
    T("transfer-encodinx"), T("transfer-encodings"), T("transfer_encoding"),
    T("transferencoding"), T("u"), T("upgrad"), T("upgradx"), T("upgrades"), T("upgrade-"), T("xupgrade"),
    T("\x03ontent-length"), T("Conten\xd4-Length"), T("con_ection"),
};
static const struct text odd_names[] = {
    T(""), T("a b"), T("a\tb"), T("a:b"), T("(a)"), T("a\x80"), T("\xff"), T("a\0b"), T("a\x7f"), T("a/b"),
    T("a@b"), T("[a]"), T("{a}"), T("a="), T("\"a\""), T("a,b"), T(" a"), T("\ta"), T("a "), T("a\t"),
    T("Content-Length "), T("Connection\t"), T("Transfer-Encoding "), T("\r\na"), T("a\r"), T("a\n"), T("a\rb"),
    T("Upgrade "), T("Content Length"),
};
static const struct text colons[] = {T(": "), T(": "), T(": "), T(": "), T(":"), T(":\t"), T(":  "), T(": \t ")};
static const struct text odd_colons[] = {
    T(" : "), T("\t: "), T(""), T(" "), T("::"), T(":\r\n "), T(":\r\n\t"), T(":\n "), T(":\r "), T(":\0"), T(" :"),
    T(": \r\n \r\n "), T(": \n"), T(": \r"), T(":\r\n \n "), T(":\r\n \r "),
};
static const struct text values[] = {
    T("a"), T(""), T("localhost"), T("*/*"), T("text/html, application/xhtml+xml;q=0.9, */*;q=0.8"),
    T("gzip, deflate, br"), T("en-US,en;q=0.5"), T("no-cache"), T("\"0123-4567\""),
    T("Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0"),
    T("id=0123456789abcdef; theme=dark; s=\"x y\""), T("Thu, 01 Jan 2026 00:00:00 GMT"),
    T("text/plain; charset=utf-8"), T("max-age=0"), T("100-continue"), T("trailers"), T("bytes=0-99"),
    T("caf\xc3\xa9 \xf0\x9f\x8d\xb5"), T("\x80\x81\xfe\xff"), T("a\tb"), T("a  b"),
    T("close"), T("chunked"), T("5"), T("upgrade"), T("http://h/p?q#f"), T("x:y:z"), T("timeout=5, max=100"),
};
static const struct text odd_values[] = {
    T("a\x01" "b"), T("a\x7f"), T("a\0b"), T("\0"), T("a\rb"), T("a\nb"), T("\x1b[0m"), T("a\r\n b"), T("a\r\n\tb"),
    T("\r\n b"), T("a\r\n \r\n b"), T("a \r\n  b \r\n\t c"), T("a\n b"), T("a\r b"), T("a\r\n"),
    T("\r"), T("\n"), T("\r\r\n"), T("a\r\r"), T(" "), T("\t"), T("a "), T("a\t \t"), T("a\x08"), T("a\x1f"),
    T("a\r\n\r b"), T("a\r\n \n"), T("\x0b"), T("\x0c"), T("a\r\n "), T("\r\n \r\n\r\n"),
};
static const struct text connections[] = {
    T("close"), T("keep-alive"), T("Keep-Alive"), T("upgrade"), T("Upgrade"), T("close, upgrade"),
    T("keep-alive, Upgrade"), T("Close"), T("keep-alive,close"), T("upgrade, HTTP2-Settings"), T("TE, close"),
};
static const struct text odd_connections[] = {
    T("close ,upgrade"), T(" close"), T("close "), T("close\t"), T("CLOSE"), T("clos"), T("closed"), T("close;"),
    T("close,"), T(","), T(" ,"), T(",,close"), T(", ,keep-alive"), T("keep-alivex"), T("keep-aliv"),
    T("upgrade,close,keep-alive"), T("\tclose\t"), T("close\r\n , keep-alive"), T("foo, close, bar"),
    T("upgrade\t,\tclose"), T("Upgrad"), T("upgradex, close"), T("clo se"), T("close close"),
    T("xclose"), T("x close"), T("close\x80"), T("clo\0se"), T("k"), T("kclose"), T("u,c,k"),
    T("close,\r\n upgrade"), T("keep-alive\r\n"), T("\r\n close"), T("close\x01"), T("c,close"), T("close, \x7f"),
    T("close\r"), T("upgrade\n"),
    T("keep-alive , close , upgrade , "), T("upgrade \r\n ,close"), T("\"close\""), T("close:"), T("KEEP-ALIVE"),
    T("uPGRADE"), T("clOse,KeEp-AlIvE"),
};
static const struct text codings[] = {
    T("chunked"), T("chunked"), T("Chunked"), T("gzip, chunked"), T("gzip,chunked"), T("CHUNKED"),
    T("deflate, gzip, chunked"), T("gzip"), T("identity"),
};
static const struct text odd_codings[] = {
    T("chunked, gzip"), T("chunked, chunked"), T("chunke"), T("chunkedx"), T("chunked "), T("chunked\t"),
    T("chunked;q=1"), T("chunked,"), T(" chunked"), T(",chunked"), T("gzip,chunkedd"), T("gzip\r\n chunked"),
    T("chunked\r\n ,gzip"), T(""), T(" "), T("xchunked"), T("x chunked"), T("chunked  , identity"),
    T("gzip chunked"), T("chunked chunked"), T("gzip, chunke"), T("c"), T("chunked\x80"), T("\"chunked\""),
    T("\r\n chunked"), T("chunked\r\n"), T("chunked\r\n "), T("ch\0unked"), T("chunked\x01"), T("gzip , chunked"),
    T("gzip,\tchunked"), T("gzip,,chunked"), T("chunked,\r\n"), T("chunked \r\n"), T("chunked\r"), T("chunked\n"),
    T("chunked , chunked"), T("chunked ,"), T("chun,ked"), T("gzip, x, chunked \t"), T("chunked\xff,gzip"),
};
static const struct text odd_lengths[] = {
    T(""), T(" "), T("0"), T("00"), T("005"), T("5 "), T("5\t"), T(" 5"), T("5 5"), T("5,5"), T("5, 5"), T("+5"),
    T("-5"), T("0x5"), T("5x"), T("x"), T("5.0"), T("5\r\n 5"), T("\r\n 5"), T("5\r\n "), T("5\x80"), T("5\0"),
    T("5\r"), T("5\n"),
    T("18446744073709551615"), T("18446744073709551616"), T("18446744073709551614"), T("1844674407370955161"),
    T("1844674407370955162"), T("99999999999999999999999"), T("9223372036854775808"), T("4294967296"),
    T("4294967295"), T("2147483648"),
    T("000000000000000000000000005"), T("5  \t "), T("5;"), T("\t5"),
};
static const struct text upgrades[] = {T("websocket"), T("h2c"), T("TLS/1.0, HTTP/1.1"), T(""), T("x"), T("\r\n x"),
    T("foo/1\r\n bar")};

static const struct text extensions[] = {
    T(";a"), T(";a=b"), T(";a=b;c=d"), T(";name=\"quoted value\""), T(";a=\"x\\\"y\\\\z\""), T(";a=\"\""),
    T(";a;b;c"), T(";a=\"b\";c"), T(";a=b;c"),
};
static const struct text odd_extensions[] = {
    T(" "), T("  "), T(";"), T(";;"), T(";="), T(";=b"), T(";a="), T(";a=;b"), T(";a==b"), T(";a=\""), T(";a=\"b"),
    T(";a=\"b\"c"), T(";a=\"\\"), T(";a=\"\\\x01\""), T(";a=\"\x01\""), T(";a=b\"c"), T(" ;a"), T("; a"),
    T("; a=b"), T(";a ;b"), T(";a =b"), T(";a= b"),
    T(";a\x80"), T(";a=\x80"), T(";a=\"\x80\xff\""), T(";a=\"\\\xff\""), T(";a\0"), T(";a=\0"), T(";(a)"),
    T(";a=(b)"), T("\t"), T("x"), T(";a=\"\t\""), T(";a=\"\\\t\""), T(";a\t"), T(";a=\"b\" "), T(";a=\"b\" ;c"),
    T(";a=\"b\";"), T(";a;"), T(";a=b;"), T("\r"), T(";a\r"), T(";a=b\r"), T(";a=\"b\"\r"),
    T(";a\n"), T(";a=b\n"), T(";a=\"\r\n\""), T(" \r"), T(" \n"), T(";\r"), T(";\n"), T(" ;"), T("  x"), T("\0"),
    T(";a=\"b\\"), T(";a=\"b\"\"c\""), T(";a=\"b\"=c"),
};
// clang-format on
static const struct text chunk_sizes[] = {
    T("ffffffffffffffff"),
    T("10000000000000000"),
    T("FFFFFFFFFFFFFFF"),
    T("0x5"),
    T("-5"),
    T("+5"),
    T(""),
    T("g"),
    T("5g"),
    T("00000000000000000005"),
    T(" 5"),
    T("\r\n5"),
    T("80000000"),
    T("100000000"),
    T("5\0"),
    T("5.5"),
    T("7fffffffffffffff"),
    T("8000000000000000"),
    T("ffffffff"),
    T("G"),
    T("5 5"),
    T("@"),
    T("`"),
    T(":"),
    T("/"),
};
static const struct text line_ends[] = {
    T("\n"),    T("\r"), T("\n\r"), T("\r\r\n"), T("\r\n\n"), T(" \r\n"),  T("\t\r\n"),   T("\r\n "), T("\r\n\t"),
    T("\r \n"), T(""),   T("\r\r"), T("\n\n"),   T("\r\n\r"), T("\0\r\n"), T("\r\n\r\n"), T("\r\0"),  T("\rx"),
};
static const uint8_t special_bytes[] = "\0\t\n\r :,;=\"\\\x7f\x80\xff\x01/?#@%()x0";
static const char filler[] =
    "abcdefghijklmnopqrstuvwxyz-ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789."
    "zyxwvutsrqponmlkjihgfedcba~ZYXWVUTSRQPONMLKJIHGFEDCBA!9876543210";

// ---- putting together

struct gen {
  struct rng* r;
  uint8_t* out;
  uint32_t n, cap;
  uint16_t lenient;
  uint8_t wild;  // 0: as valid as can be, 1: a slip here and there, 2: anything
  uint8_t ends;  // line ends: 0 CRLF, 1 LF, 2 CR, 3 anything
};

#define BELOW(n) rng_below(g->r, (n))
#define PICK(pool) pool[BELOW(sizeof pool / sizeof pool[0])]
#define PUT(pool) do { const struct text *t_ = &PICK(pool); put(g, t_->s, t_->n); } while (0)
#define LITERAL(s) put(g, s, sizeof(s) - 1)

static inline void put(struct gen* g, const void* s, uint32_t n) {
  if (n > g->cap - g->n) n = g->cap - g->n;
  memcpy(g->out + g->n, s, n);
  g->n += n;
}

static inline int odd(struct gen* g) { return g->wild && BELOW(g->wild == 1 ? 80 : 16) == 0; }

// A run of harmless bytes, of any length around the widths of vector registers; sometimes with one that is not.
static void put_filler(struct gen* g, uint32_t limit) {
  uint32_t n = BELOW(limit), from = g->n;
  for (uint32_t left = n; left;) {
    uint32_t k = left < sizeof filler - 1 ? left : sizeof filler - 1, at = BELOW((uint32_t)(sizeof filler - 1) - k + 1);
    put(g, filler + at, k);
    left -= k;
  }
  if (g->n > from && g->wild && BELOW(8) == 0)
    g->out[from + BELOW(g->n - from)] = BELOW(2) ? PICK(special_bytes) : (uint8_t)BELOW(256);
}

static void put_any_byte(struct gen* g) {
  uint8_t c = (uint8_t)BELOW(256);
  if (g->wild && BELOW(3) == 0) put(g, &c, 1);
}

static uint32_t filler_limit(struct gen* g) {
  uint32_t k = BELOW(256);
  return k < 250 ? 72 : k < 255 ? 300 : 3000;
}

static void put_end(struct gen* g) {
  switch (odd(g) ? 3 : g->ends) {
    case 0: LITERAL("\r\n"); break;
    case 1: LITERAL("\n"); break;
    case 2: LITERAL("\r"); break;
    default: PUT(line_ends); break;
  }
}

static void put_space(struct gen* g) {
  if (odd(g)) {
    uint8_t any[2] = {' ', (uint8_t)BELOW(BELOW(2) ? 33 : 256)};
    if (BELOW(2)) PUT(odd_spaces);
    else put(g, any, 2);
  } else {
    LITERAL(" ");
  }
}

// A name or a value in one of the spellings that must mean the same, or must not.
static void put_cased(struct gen* g, const char* s, uint32_t n) {
  uint32_t from = g->n, how = BELOW(8);
  put(g, s, n);
  if (how < 5) return;
  for (uint32_t i = from; i < g->n; i++) {
    uint8_t c = g->out[i];
    if ((c | 0x20) < 'a' || (c | 0x20) > 'z') continue;
    if (how == 5) g->out[i] = c | 0x20;
    else if (how == 6) g->out[i] = c & 0xdf;
    else if (BELOW(2)) g->out[i] = c ^ 0x20;
  }
}

// A word the parser knows, with one thing wrong.
static void put_near_miss(struct gen* g, const struct text* t) {
  uint32_t from = g->n;
  put(g, t->s, t->n);
  if (g->n == from) return;
  uint32_t at = from + BELOW(g->n - from);
  switch (BELOW(6)) {
    case 0: g->n = at; break;
    case 1: g->out[at] = PICK(special_bytes); break;
    case 2: g->out[at] ^= (uint8_t)(1u << BELOW(8)); break;
    case 3: put(g, filler + BELOW(100), 1); break;
    case 4: g->out[at] = (uint8_t)filler[BELOW(100)]; break;
    default: g->out[at] = g->out[g->n - 1]; break;
  }
}

static void put_version(struct gen* g, const char* protocol) {
  char s[4] = {'/', (char)('0' + BELOW(10)), '.', (char)('0' + BELOW(10))};
  put(g, protocol, (uint32_t)strlen(protocol));
  put(g, s, 4);
}

static void put_odd_version(struct gen* g) {
  if (BELOW(3) == 0) put_version(g, BELOW(4) ? "HTTP" : BELOW(2) ? "RTSP" : "ICE");
  else if (BELOW(4) == 0) put_near_miss(g, &PICK(versions));
  else PUT(odd_versions);
}

static void put_number(struct gen* g, uint32_t v, int hex) {
  char s[24];
  int at = sizeof s;
  do {
    unsigned d = hex ? v & 15 : v % 10;
    s[--at] = (char)(d < 10 ? '0' + d : (hex == 2 ? 'A' : 'a') + d - 10);
    v = hex ? v >> 4 : v / 10;
  } while (v);
  if (hex && BELOW(8) == 0) s[--at] = '0';
  put(g, s + at, (uint32_t)sizeof s - (uint32_t)at);
}

static void put_body(struct gen* g, uint32_t n) {
  if (BELOW(4) == 0) {
    static const char tricky[] = "\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\nHTTP/1.1 200 OK\r\n\r\n5\r\n";
    while (n) {
      uint32_t k = n < sizeof tricky - 1 ? n : sizeof tricky - 1;
      put(g, tricky, k);
      n -= k;
    }
    return;
  }
  while (n) {
    uint32_t k = n < 100 ? n : 100;
    put(g, filler, k);
    n -= k;
  }
}

static void put_target(struct gen* g) {
  if (odd(g)) {
    PUT(odd_targets);
  } else if (BELOW(4)) {
    PUT(targets);
  } else {
    if (BELOW(3) == 0) {  // absolute-form
      static const struct text schemes[] = {T("http"), T("https"), T("rtsp"), T("x")},
                               hosts[] = {T("h"), T("h.example"), T("[::1]"), T("1.2.3.4"), T("h_-~!$&'()*+,;=%41")};
      PUT(schemes);
      LITERAL("://");
      if (BELOW(3) == 0) {
        put_filler(g, 12);
        LITERAL("@");
        if (odd(g)) LITERAL("u@");
        if (BELOW(4) == 0) put_any_byte(g);
      }
      PUT(hosts);
      if (BELOW(3) == 0) LITERAL(":8080");
      if (g->wild && BELOW(8) == 0) g->out[g->n - 1] = PICK(special_bytes);
    }
    if (BELOW(8)) {
      LITERAL("/");
      put_filler(g, filler_limit(g));
    }
    if (BELOW(3) == 0) {
      LITERAL("?");
      put_filler(g, 40);
    }
    if (BELOW(6) == 0) {
      LITERAL("#");
      put_filler(g, 20);
    }
  }
}

enum { BODY_NONE, BODY_LENGTH, BODY_CHUNKED, BODY_EOF, BODY_CONFLICT, BODY_UPGRADE };

static void put_plain_field(struct gen* g) {
  if (odd(g)) PUT(odd_names);
  else if (BELOW(12) == 0) {
    static const struct text special[] = {T("Content-Length"), T("Connection"), T("Transfer-Encoding"), T("Upgrade"),
                                          T("Proxy-Connection")};
    const struct text* t = &PICK(near_names);
    if (!g->wild || BELOW(3)) put_cased(g, t->s, t->n);
    else put_near_miss(g, &PICK(special));
  } else if (BELOW(8) == 0) {
    uint32_t from = g->n;
    put_filler(g, 70);
    if (g->n == from) LITERAL("n");
  } else {
    PUT(names);
  }
  if (odd(g)) PUT(odd_colons);
  else PUT(colons);
  if (odd(g)) PUT(odd_values);
  else if (BELOW(4) == 0) put_filler(g, filler_limit(g));
  else PUT(values);
  if (BELOW(16) == 0) LITERAL(" ");
  put_end(g);
}

static void put_special(struct gen* g, const char* name, uint32_t n) {
  put_cased(g, name, n);
  if (odd(g)) PUT(odd_colons);
  else PUT(colons);
}
#define SPECIAL(name) put_special(g, name, sizeof(name) - 1)

static void put_length_field(struct gen* g, uint32_t n) {
  SPECIAL("Content-Length");
  if (odd(g)) PUT(odd_lengths);
  else put_number(g, n, 0);
  put_end(g);
}

static void put_coding_field(struct gen* g, int chunked) {
  SPECIAL("Transfer-Encoding");
  if (odd(g)) {
    if (BELOW(4)) PUT(odd_codings);
    else put_near_miss(g, &PICK(codings));
  } else if (chunked) {
    const struct text* t = &codings[BELOW(chunked == 2 ? 9 : 7)];
    put(g, t->s, t->n);
  } else PUT(codings);
  put_end(g);
}

static void put_connection_field(struct gen* g) {
  if (BELOW(8) == 0) SPECIAL("Proxy-Connection");
  else SPECIAL("Connection");
  if (g->wild && BELOW(3) == 0) {
    if (BELOW(4)) PUT(odd_connections);
    else put_near_miss(g, &PICK(connections));
  } else {
    PUT(connections);
  }
  put_end(g);
}

static void put_fields(struct gen* g, int body, uint32_t length) {
  uint32_t k = BELOW(2048);
  uint32_t plain = k < 1400 ? BELOW(4) : k < 2036 ? BELOW(9) : k < 2044 ? 60 + BELOW(20) : 190 + BELOW(60);
  uint32_t before = BELOW(plain + 1);
  for (uint32_t i = 0; i < before; i++) put_plain_field(g);
  if (BELOW(4) == 0 && body != BODY_UPGRADE) put_connection_field(g);
  switch (body) {
    case BODY_LENGTH: put_length_field(g, length); break;
    case BODY_CHUNKED: put_coding_field(g, 1); break;
    case BODY_EOF:
      if (BELOW(4) == 0) put_coding_field(g, 2);
      break;
    case BODY_CONFLICT:
      for (uint32_t n = 2 + BELOW(2); n; n--) {
        if (BELOW(2)) put_length_field(g, length);
        else put_coding_field(g, 2);
      }
      break;
    case BODY_UPGRADE:
      if (BELOW(8)) {
        SPECIAL("Connection");
        if (BELOW(2)) PUT(connections);
        else LITERAL("Upgrade");
        put_end(g);
      }
      if (BELOW(8)) {
        SPECIAL("Upgrade");
        PUT(upgrades);
        put_end(g);
      }
      if (BELOW(4) == 0) put_length_field(g, length);
      break;
    default: break;
  }
  for (uint32_t i = before; i < plain; i++) put_plain_field(g);
  if (odd(g) && BELOW(2)) {
    LITERAL(" ");
    put_plain_field(g);
  }
  put_end(g);
}

static void put_chunks(struct gen* g) {
  uint32_t k = BELOW(256), n = k < 240 ? BELOW(4) : BELOW(24);
  while (n--) {
    uint32_t size = BELOW(64) ? 1 + BELOW(20) : BELOW(2000);
    if (odd(g)) PUT(chunk_sizes);
    else put_number(g, size, 1 + (int)BELOW(2));
    if (BELOW(3) == 0) {
      if (odd(g) || (g->wild && BELOW(4) == 0)) PUT(odd_extensions);
      else PUT(extensions);
      if (BELOW(4) == 0) {
        LITERAL(";");
        put_filler(g, 40);
        if (BELOW(4) == 0) put_any_byte(g);
        LITERAL("=");
        int quoted = (int)BELOW(2);
        if (quoted) LITERAL("\"");
        put_filler(g, 40);
        if (quoted && BELOW(2)) LITERAL("\\");
        put_any_byte(g);
        if (quoted) LITERAL("\"");
        if (BELOW(8) == 0) put_any_byte(g);
      }
    }
    put_end(g);
    put_body(g, size);
    if (g->lenient & LENIENT_OPTIONAL_CRLF_AFTER_CHUNK && BELOW(3) == 0) continue;
    put_end(g);
  }
  if (odd(g)) return;
  LITERAL("0");
  if (BELOW(16) == 0) PUT(extensions);
  put_end(g);
  if (BELOW(4) == 0) {
    put_plain_field(g);
    if (BELOW(4) == 0) put_connection_field(g);
    if (odd(g)) put_length_field(g, 3);
  }
  put_end(g);
}

static void put_message(struct gen* g, int response) {
  int body;
  uint32_t kind = BELOW(32);
  if (BELOW(12) == 0) put_end(g);
  if (response) {
    body = kind < 6    ? BODY_NONE
           : kind < 14 ? BODY_LENGTH
           : kind < 23 ? BODY_CHUNKED
           : kind < 27 ? BODY_EOF
           : kind < 30 ? BODY_CONFLICT
                       : BODY_UPGRADE;
    if (odd(g)) put_odd_version(g);
    else PUT(versions);
    put_space(g);
    if (odd(g)) PUT(odd_codes);
    else if (BELOW(16) == 0) put_number(g, 100 + BELOW(900), 0);
    else if (body != BODY_NONE && BELOW(8)) put(g, codes[BELOW(3)].s, 3);
    else PUT(codes);
    if (BELOW(16)) {
      put_space(g);
      if (odd(g)) PUT(odd_phrases);
      else if (BELOW(8) == 0) put_filler(g, filler_limit(g));
      else PUT(phrases);
    }
  } else {
    body = kind < 12   ? BODY_NONE
           : kind < 19 ? BODY_LENGTH
           : kind < 27 ? BODY_CHUNKED
           : kind < 29 ? BODY_CONFLICT
           : kind < 30 ? BODY_EOF
                       : BODY_UPGRADE;
    uint32_t which = BELOW(3) ? BELOW(6) : BELOW((uint32_t)(sizeof methods / sizeof methods[0]));
    if (odd(g)) {
      if (BELOW(2)) PUT(odd_methods);
      else put_near_miss(g, &PICK(methods));
    } else put(g, methods[which].s, methods[which].n);
    put_space(g);
    if (which == 5 && BELOW(4)) PUT(authorities);
    else put_target(g);
    if (!odd(g) && BELOW(24)) {  // else HTTP/0.9
      put_space(g);
      if (odd(g)) put_odd_version(g);
      else if (which >= 35 && which <= 45 && BELOW(4)) LITERAL("RTSP/1.0");
      else if (which == 33 && BELOW(2)) LITERAL("ICE/1.0");
      else if (which == 34 && BELOW(2)) LITERAL("HTTP/2.0\r\n\r\nSM");
      else PUT(versions);
    }
  }
  put_end(g);
  uint32_t length = BELOW(64) ? BELOW(24) : BELOW(3000);
  put_fields(g, body, length);
  switch (body) {
    case BODY_LENGTH: put_body(g, length); break;
    case BODY_CHUNKED: put_chunks(g); break;
    case BODY_EOF: put_body(g, BELOW(40)); break;
    case BODY_CONFLICT:
      if (BELOW(2)) put_chunks(g);
      else put_body(g, length);
      break;
    case BODY_UPGRADE: put_body(g, BELOW(20)); break;
    default: break;
  }
}

static void put_corpus(struct gen* g, int response) {
  if (response) {
    const struct text* t = &corpus_responses[BELOW(n_corpus_responses)];
    put(g, t->s, t->n);
  } else {
    const struct text* t = &corpus_requests[BELOW(n_corpus_requests)];
    put(g, t->s, t->n);
  }
}

// ---- mutation

static void delete_range(struct gen* g, uint32_t at, uint32_t n) {
  memmove(g->out + at, g->out + at + n, g->n - at - n);
  g->n -= n;
}

static void insert_bytes(struct gen* g, uint32_t at, const void* s, uint32_t n) {
  uint8_t copy[64];
  if (n > sizeof copy) n = sizeof copy;
  if (n > g->cap - g->n) return;
  memcpy(copy, s, n);
  memmove(g->out + at + n, g->out + at, g->n - at);
  memcpy(g->out + at, copy, n);
  g->n += n;
}

static void mutate(struct gen* g) {
  if (g->n == 0) return;
  uint32_t at = BELOW(g->n), rest = g->n - at, n;
  switch (BELOW(12)) {
    case 0: g->out[at] ^= (uint8_t)(1u << BELOW(8)); break;
    case 1: g->out[at] = (uint8_t)BELOW(256); break;
    case 2:
    case 3: g->out[at] = PICK(special_bytes); break;
    case 4: {
      uint8_t c = PICK(special_bytes);
      insert_bytes(g, at, &c, 1);
      break;
    }
    case 5: delete_range(g, at, 1); break;
    case 6:
      n = 1 + BELOW(20);
      delete_range(g, at, n < rest ? n : rest);
      break;
    case 7:  // double a range
      n = 1 + BELOW(30);
      insert_bytes(g, at, g->out + at, n < rest ? n : rest);
      break;
    case 8: g->out[at] ^= 0x20; break;
    case 9: {
      const struct text* t = &PICK(line_ends);
      insert_bytes(g, at, t->s, t->n);
      break;
    }
    case 10:  // another end for one of the lines
      for (uint32_t i = at; i + 1 < g->n; i++)
        if (g->out[i] == '\r') {
          const struct text* t = &PICK(line_ends);
          delete_range(g, i, 2);
          insert_bytes(g, i, t->s, t->n);
          break;
        }
      break;
    default: {  // a piece from elsewhere in the input
      uint32_t from = BELOW(g->n), left = g->n - from;
      n = 1 + BELOW(24);
      insert_bytes(g, at, g->out + from, n < left ? n : left);
      break;
    }
  }
}

static void compose(struct gen* g, int response, uint32_t how) {
  if (how < 8) {
    uint32_t more = BELOW(8), n = more < 5 ? 1 : more < 7 ? 2 : 3;
    while (n--) put_message(g, response);
  } else {
    put_corpus(g, response);
    if (BELOW(6) == 0) put_corpus(g, response);
  }
}

uint32_t generate_input(struct rng* r, uint8_t* out, uint32_t cap, int response, uint16_t lenient) {
  struct gen gen = {.r = r, .out = out, .cap = cap, .lenient = lenient}, *g = &gen;
  uint32_t k = BELOW(16), how = BELOW(11);
  g->wild = k < 7 ? 0 : k < 13 ? 1 : 2;
  if (g->wild == 0) how &= 7;
  k = BELOW(16);
  if (lenient & LENIENT_OPTIONAL_CR_BEFORE_LF && k < 6) g->ends = 1;
  else if (lenient & LENIENT_OPTIONAL_LF_AFTER_CR && k < 4) g->ends = 2;
  else if (k == 15) g->ends = (uint8_t)(1 + BELOW(3));
  if (how < 10) {
    compose(g, response, how);
  } else {  // the head of one and the tail of another
    compose(g, response, BELOW(10));
    uint32_t cut = BELOW(g->n + 1), from = cut;
    g->n = cut;
    compose(g, BELOW(8) ? response : !response, BELOW(10));
    if (g->n > from) delete_range(g, from, BELOW(g->n - from));
  }
  k = BELOW(32);
  if (g->wild == 0 && k < 28) return g->n;
  uint32_t mutations = k < 19 ? 0 : k < 27 ? 1 : k < 30 ? 2 + BELOW(2) : k < 31 ? 4 + BELOW(4) : BELOW(24);
  while (mutations--) mutate(g);
  if (BELOW(8) == 0) g->n = BELOW(g->n + 1);
  return g->n;
}
