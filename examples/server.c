/* A small HTTP/1.1 server: one thread, epoll, no library but this one.
 *
 *     cc -O2 examples/server.c $(pkg-config --cflags --libs libllhttp) -o server
 *     server [PORT [SECONDS]]     PORT: default 8080, 0 for any; SECONDS: what a client may take, default 10
 *
 * It answers / and /chunked, and sends back what is posted to /echo, in chunked coding if it came so. What it shows:
 * keep-alive; pipelining, with back-pressure; bodies in both codings; Expect: 100-continue; limits; an answer for each
 * error, then a close that does not lose it; timeouts; partial writes; an orderly end at SIGTERM.
 *
 * Bytes go read -> llhttp_execute -> the callbacks, which write answers into the connection's buffer -> write. What
 * must hold: answers are in the order of the requests, and after the last one (`closing`) nothing is parsed any more.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "llhttp.h"
#include "llhttp_ext.h"

enum {
  MAX_TARGET = 8000,      /* bytes of a request-target: 414 beyond */
  MAX_HEAD = 65536,       /* bytes of a head: 431 beyond */
  MAX_TRAILERS = 65536,   /* bytes of a trailer section: 431 beyond */
  MAX_FIELDS = 100,       /* field lines: 431 beyond */
  MAX_EXTENSIONS = 16384, /* bytes of all chunk extensions of a request: 413 beyond */
  MAX_BODY = 1 << 20,     /* bytes of a body: 413 beyond */
  MAX_ANSWERS = 1 << 18,  /* bytes that wait to be written: no further request is parsed beyond */
  MAX_CONNECTIONS = 1000,
  READ_SIZE = 65536,
  TICK = 100              /* milliseconds between two looks at the clock */
};

struct buffer {
  char* data;
  size_t start, end, capacity; /* what counts is [start, end) */
};

struct request {
  struct buffer target, body;
  char name[32], value[32]; /* of the field line under way, as much of it as the names that matter here are long */
  size_t name_length, value_length;
  bool has_host, expects, expects_other;
  int refused; /* the status of an answer that a callback gives in place of the resource's */
};

struct connection {
  int fd;
  uint32_t events;         /* what epoll watches */
  llhttp_t parser;
  llhttp_ext_t ext;        /* the parser's limits and rules */
  struct request request;
  bool busy;               /* a request has begun and is not answered */
  bool paused;             /* too many answers wait; `in` is what is not parsed yet */
  bool closing;            /* no further request; the connection ends once `out` is written */
  bool lingering;          /* the answers are written and our side is shut; the client's rest is thrown away */
  struct buffer in, out;
  int64_t deadline;        /* in milliseconds of now() */
  struct connection *next, *previous;
};

static struct {
  int epoll, listener, signals;
  int64_t patience;        /* milliseconds */
  struct connection* first;
  int count;
  bool accepting, ending;
  llhttp_settings_t settings;
} server;

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void die(const char* what) {
  perror(what);
  exit(1);
}

/* ---- buffers ---- */

static size_t buffer_size(const struct buffer* b) { return b->end - b->start; }

static void buffer_add(struct buffer* b, const char* data, size_t length) {
  if (b->start == b->end) b->start = b->end = 0;
  if (length > b->capacity - b->end) {
    if (b->start > 0) memmove(b->data, b->data + b->start, buffer_size(b));
    b->end -= b->start;
    b->start = 0;
    if (length > b->capacity - b->end) {
      size_t capacity = (b->end + length) * 2;
      char* larger = realloc(b->data, capacity);
      if (larger == NULL) die("realloc");
      b->data = larger;
      b->capacity = capacity;
    }
  }
  if (length > 0) memcpy(b->data + b->end, data, length);
  b->end += length;
}

static void buffer_free(struct buffer* b) {
  free(b->data);
  *b = (struct buffer){0};
}

/* ---- answers ---- */

static const char* reason_phrase(int status) {
  switch (status) {
    case 200: return "OK";
    case 400: return "Bad Request";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 408: return "Request Timeout";
    case 413: return "Content Too Large";
    case 414: return "URI Too Long";
    case 417: return "Expectation Failed";
    case 431: return "Request Header Fields Too Large";
    case 501: return "Not Implemented";
    case 505: return "HTTP Version Not Supported";
    default: return "Error";
  }
}

static const char* date(void) {
  static char text[40];
  static time_t made;
  time_t t = time(NULL);
  if (t != made) {
    struct tm utc;
    gmtime_r(&t, &utc);
    strftime(text, sizeof(text), "%a, %d %b %Y %H:%M:%S GMT", &utc);
    made = t;
  }
  return text;
}

__attribute__((format(printf, 2, 3))) static void print(struct connection* c, const char* format, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(line, sizeof(line), format, arguments);
  va_end(arguments);
  buffer_add(&c->out, line, (size_t)length);
}

/* Writes an answer. Chunked coding only to clients that know it; no body for HEAD. */
static void answer(struct connection* c, int status, const char* body, size_t length, bool chunked, bool keep_alive) {
  bool old = c->parser.http_major == 1 && c->parser.http_minor == 0;
  bool head = c->busy && buffer_size(&c->request.target) > 0 && c->parser.method == HTTP_HEAD;
  chunked = chunked && !old;
  print(c, "HTTP/1.1 %d %s\r\nDate: %s\r\nContent-Type: text/plain\r\n", status, reason_phrase(status), date());
  if (status == 405) print(c, "Allow: GET, HEAD, POST\r\n");
  if (!keep_alive) {
    print(c, "Connection: close\r\n");
  } else if (old) {
    print(c, "Connection: keep-alive\r\n");
  }
  if (chunked) {
    print(c, "Transfer-Encoding: chunked\r\n\r\n");
    if (head) return;
    if (length > 0) {
      print(c, "%zx\r\n", length);
      buffer_add(&c->out, body, length);
      print(c, "\r\n");
    }
    print(c, "0\r\n\r\n");
  } else {
    print(c, "Content-Length: %zu\r\n\r\n", length);
    if (!head) buffer_add(&c->out, body, length);
  }
}

/* The last answer of a connection: nothing behind it can be parsed, or shall be. */
static void refuse(struct connection* c, int status) {
  const char* text = reason_phrase(status);
  answer(c, status, text, strlen(text), false, false);
  c->closing = true;
}

/* The status for an error of the parser; 0: there is nobody to answer. */
static int status_of(const struct connection* c, llhttp_errno_t error) {
  if (c->request.refused != 0) return c->request.refused;
  return error == HPE_PAUSED_H2_UPGRADE ? 505 : llhttp_ext_error_status(&c->parser);
}

/* ---- resources ---- */

static bool target_is(const struct connection* c, const char* path) {
  const struct buffer* t = &c->request.target;
  return buffer_size(t) == strlen(path) && memcmp(t->data + t->start, path, strlen(path)) == 0;
}

static void respond(struct connection* c, bool keep_alive) {
  static const char hello[] = "Hello, world\n";
  unsigned method = c->parser.method;
  const struct buffer* body = &c->request.body;
  bool reads = method == HTTP_GET || method == HTTP_HEAD;
  bool echo = target_is(c, "/echo");
  if (!reads && method != HTTP_POST) {
    answer(c, 501, "", 0, false, keep_alive);
  } else if (!echo && !target_is(c, "/") && !target_is(c, "/chunked")) {
    answer(c, 404, "Not Found\n", 10, false, keep_alive);
  } else if (reads == echo) {
    answer(c, 405, "", 0, false, keep_alive);
  } else if (echo) {
    answer(c, 200, body->data + body->start, buffer_size(body), (c->parser.flags & F_CHUNKED) != 0, keep_alive);
  } else {
    answer(c, 200, hello, sizeof(hello) - 1, target_is(c, "/chunked"), keep_alive);
  }
}

/* ---- callbacks: an answer of the callback's own is left in request.refused, and -1 stops the parser ---- */

static int refusing(struct connection* c, int status) {
  c->request.refused = status;
  return -1;
}

static int on_message_begin(llhttp_t* p) {
  struct connection* c = p->data;
  struct buffer target = c->request.target, body = c->request.body; /* their memory is used again */
  target.start = target.end = body.start = body.end = 0;
  c->request = (struct request){.target = target, .body = body};
  c->busy = true;
  c->deadline = now() + server.patience; /* for the whole head: single bytes do not prolong it */
  return 0;
}

static int on_url(llhttp_t* p, const char* at, size_t length) {
  struct connection* c = p->data;
  buffer_add(&c->request.target, at, length); /* MAX_TARGET at most */
  return 0;
}

/* Keeps the beginning of a name or value; of longer ones the length is enough to see that they are none of ours. */
static void keep(char* text, size_t* length, const char* at, size_t n) {
  for (size_t i = 0; i < n && *length + i < sizeof(((struct request*)0)->name); i++) text[*length + i] = at[i];
  *length += n;
}

static int on_header_field(llhttp_t* p, const char* at, size_t length) {
  struct connection* c = p->data;
  keep(c->request.name, &c->request.name_length, at, length);
  return 0;
}

static int on_header_value(llhttp_t* p, const char* at, size_t length) {
  struct connection* c = p->data;
  keep(c->request.value, &c->request.value_length, at, length);
  return 0;
}

static bool is(const char* text, size_t length, const char* word) {
  return length == strlen(word) && strncasecmp(text, word, length) == 0;
}

static int on_header_value_complete(llhttp_t* p) {
  struct connection* c = p->data;
  struct request* r = &c->request;
  if ((p->flags & F_TRAILING) == 0) {
    r->has_host |= is(r->name, r->name_length, "host");
    if (is(r->name, r->name_length, "expect")) {
      bool known = is(r->value, r->value_length, "100-continue");
      r->expects |= known;
      r->expects_other |= !known;
    }
  }
  r->name_length = r->value_length = 0;
  return 0;
}

static int on_headers_complete(llhttp_t* p) {
  struct connection* c = p->data;
  const struct request* r = &c->request;
  bool has_body = (p->flags & F_CHUNKED) != 0 || p->content_length > 0;
  if (p->http_major != 1) return refusing(c, 505);
  if (p->http_minor >= 1 && !r->has_host) return refusing(c, 400); /* RFC 9112, Section 3.2 */
  if (p->method == HTTP_CONNECT) return refusing(c, 501);
  if (r->expects_other) return refusing(c, 417);
  if ((p->flags & F_CONTENT_LENGTH) != 0 && p->content_length > MAX_BODY) return refusing(c, 413);
  if (r->expects && has_body && p->http_minor >= 1) print(c, "HTTP/1.1 100 Continue\r\n\r\n");
  return 0;
}

static int on_body(llhttp_t* p, const char* at, size_t length) {
  struct connection* c = p->data;
  if (length > MAX_BODY - buffer_size(&c->request.body)) return refusing(c, 413);
  buffer_add(&c->request.body, at, length);
  c->deadline = now() + server.patience;
  return 0;
}

static int on_message_complete(llhttp_t* p) {
  struct connection* c = p->data;
  bool keep_alive = llhttp_should_keep_alive(p) && !server.ending;
  respond(c, keep_alive);
  c->busy = false;
  c->deadline = now() + server.patience;
  if (!keep_alive) c->closing = true;
  /* A client that sends requests and reads no answers must not fill our memory. */
  return c->closing || buffer_size(&c->out) > MAX_ANSWERS ? HPE_PAUSED : 0;
}

/* ---- connections ---- */

static void close_connection(struct connection* c) {
  if (c->next != NULL) c->next->previous = c->previous;
  *(c->previous != NULL ? &c->previous->next : &server.first) = c->next;
  server.count--;
  close(c->fd);
  buffer_free(&c->in);
  buffer_free(&c->out);
  buffer_free(&c->request.target);
  buffer_free(&c->request.body);
  free(c);
}

static void parse(struct connection* c, const char* data, size_t length) {
  while (!c->closing) {
    llhttp_errno_t error = llhttp_execute(&c->parser, data, length);
    if (error == HPE_OK) return;
    const char* rest = llhttp_get_error_pos(&c->parser);
    length = (size_t)(data + length - rest);
    data = rest;
    if (error == HPE_PAUSED) {
      if (c->closing) return;
      c->paused = true;
      buffer_add(&c->in, data, length);
      return;
    }
    if (error != HPE_PAUSED_UPGRADE) {
      int status = status_of(c, error);
      c->closing = true;
      if (status != 0) refuse(c, status);
      return;
    }
    llhttp_resume_after_upgrade(&c->parser); /* declined: the answer is that of any request */
  }
}

/* Goes on with what was put aside, once there is room for answers. */
static void go_on(struct connection* c) {
  if (!c->paused || buffer_size(&c->out) > MAX_ANSWERS / 2) return;
  struct buffer in = c->in;
  c->in = (struct buffer){0};
  c->paused = false;
  llhttp_resume(&c->parser);
  parse(c, in.data + in.start, buffer_size(&in)); /* even if nothing is left: callbacks may be due */
  buffer_free(&in);
}

/* Writes what it can. Returns false if the connection is gone. */
static bool flush(struct connection* c) {
  while (buffer_size(&c->out) > 0) {
    ssize_t n = send(c->fd, c->out.data + c->out.start, buffer_size(&c->out), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return true;
    if (n < 0) return false;
    c->out.start += (size_t)n;
    c->deadline = now() + server.patience;
    go_on(c);
  }
  if (server.ending && !c->busy) c->closing = true;
  if (c->closing && !c->lingering) {
    /* To close with bytes unread would reset the connection, and the client might lose the answer. */
    shutdown(c->fd, SHUT_WR);
    c->lingering = true;
  }
  return true;
}

/* Returns false if the connection is gone. */
static bool receive(struct connection* c) {
  static char bytes[READ_SIZE];
  ssize_t n = recv(c->fd, bytes, sizeof(bytes), 0);
  if (n < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
  if (c->closing) return n > 0;
  if (n == 0) {
    /* No more requests; answers that wait are still written. A request that is cut off is not answered. */
    c->closing = true;
  } else {
    parse(c, bytes, (size_t)n);
  }
  return true;
}

static void watch(struct connection* c) {
  uint32_t events = 0;
  if (!c->paused && (!c->closing || c->lingering)) events |= EPOLLIN;
  if (buffer_size(&c->out) > 0) events |= EPOLLOUT;
  if (events == c->events) return;
  struct epoll_event e = {.events = events, .data.ptr = c};
  if (epoll_ctl(server.epoll, EPOLL_CTL_MOD, c->fd, &e) != 0) die("epoll_ctl");
  c->events = events;
}

static void serve(struct connection* c, uint32_t events) {
  bool there = (events & (EPOLLERR | EPOLLHUP)) == 0 || (events & EPOLLIN) != 0;
  if (there && (events & EPOLLIN) != 0) there = receive(c);
  if (there) there = flush(c);
  if (there) {
    watch(c);
  } else {
    close_connection(c);
  }
}

/* More connections than MAX_CONNECTIONS wait in the kernel's queue. */
static void set_accepting(bool accepting) {
  struct epoll_event e = {.events = EPOLLIN, .data.ptr = &server.listener};
  if (accepting == server.accepting) return;
  if (epoll_ctl(server.epoll, accepting ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, server.listener, &e) != 0) die("epoll_ctl");
  server.accepting = accepting;
}

static void prepare_parser(struct connection* c) {
  llhttp_init(&c->parser, HTTP_REQUEST, &server.settings);
  c->parser.data = c;
  llhttp_ext_init(&c->ext);
  c->ext.rules = LLHTTP_EXT_STRICT_ALL; /* a second Host, for one, is an error */
  c->ext.max_target_length = MAX_TARGET;
  c->ext.max_header_bytes = MAX_HEAD;
  c->ext.max_trailer_bytes = MAX_TRAILERS;
  c->ext.max_fields = MAX_FIELDS;
  c->ext.max_message_chunk_extension_bytes = MAX_EXTENSIONS;
  llhttp_ext_attach(&c->parser, &c->ext);
}

static void accept_connections(void) {
  while (server.count < MAX_CONNECTIONS) {
    int fd = accept4(server.listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return;
    struct connection* c = calloc(1, sizeof(*c));
    if (c == NULL) die("calloc");
    *c = (struct connection){.fd = fd, .events = EPOLLIN, .next = server.first, .deadline = now() + server.patience};
    prepare_parser(c);
    if (server.first != NULL) server.first->previous = c;
    server.first = c;
    server.count++;
    struct epoll_event e = {.events = EPOLLIN, .data.ptr = c};
    if (epoll_ctl(server.epoll, EPOLL_CTL_ADD, fd, &e) != 0) die("epoll_ctl");
  }
  set_accepting(false);
}

/* ---- the loop ---- */

static void look_at_clock(void) {
  static int64_t last;
  int64_t t = now();
  if (t - last < TICK) return;
  last = t;
  for (struct connection *c = server.first, *next; c != NULL; c = next) {
    next = c->next;
    if (t < c->deadline) continue;
    /* Who is slow with a request is told; who is slow to read, or has nothing to ask, is not. */
    if (c->busy && !c->closing) {
      refuse(c, 408);
      c->deadline = t + server.patience;
      serve(c, 0);
    } else {
      close_connection(c);
    }
  }
}

/* Requests under way are answered; connections without one are closed. */
static void begin_to_end(void) {
  if (server.ending) exit(1); /* asked twice */
  server.ending = true;
  set_accepting(false);
  close(server.listener);
  for (struct connection *c = server.first, *next; c != NULL; c = next) {
    next = c->next;
    if (!c->busy && buffer_size(&c->out) == 0) close_connection(c);
  }
}

static void listen_on(uint16_t port) {
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof(address);
  int one = 1;
  server.listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (server.listener < 0) die("socket");
  setsockopt(server.listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
  if (bind(server.listener, (struct sockaddr*)&address, length) != 0) die("bind");
  if (listen(server.listener, SOMAXCONN) != 0) die("listen");
  if (getsockname(server.listener, (struct sockaddr*)&address, &length) != 0) die("getsockname");
  printf("listening on http://127.0.0.1:%u/\n", ntohs(address.sin_port));
  fflush(stdout);
}

static void prepare(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigprocmask(SIG_BLOCK, &signals, NULL);
  server.signals = signalfd(-1, &signals, SFD_CLOEXEC);
  server.epoll = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event e = {.events = EPOLLIN, .data.ptr = &server.signals};
  if (server.signals < 0 || server.epoll < 0) die("epoll");
  if (epoll_ctl(server.epoll, EPOLL_CTL_ADD, server.signals, &e) != 0) die("epoll_ctl");

  llhttp_settings_init(&server.settings);
  server.settings.on_message_begin = on_message_begin;
  server.settings.on_url = on_url;
  server.settings.on_header_field = on_header_field;
  server.settings.on_header_value = on_header_value;
  server.settings.on_header_value_complete = on_header_value_complete;
  server.settings.on_headers_complete = on_headers_complete;
  server.settings.on_body = on_body;
  server.settings.on_message_complete = on_message_complete;
}

static void run(void) {
  while (!server.ending || server.first != NULL) {
    struct epoll_event events[64];
    int n = epoll_wait(server.epoll, events, 64, TICK);
    if (n < 0 && errno != EINTR) die("epoll_wait");
    bool asked = false, clients = false;
    for (int i = 0; i < n; i++) {
      void* what = events[i].data.ptr;
      if (what == &server.signals) {
        asked = true;
      } else if (what == &server.listener) {
        clients = true;
      } else {
        serve(what, events[i].events);
      }
    }
    /* These may end connections, so they come after all events that name one. */
    if (asked) {
      struct signalfd_siginfo info;
      if (read(server.signals, &info, sizeof(info)) > 0) begin_to_end();
    }
    look_at_clock();
    if (clients && !server.ending) accept_connections();
    if (!server.ending) set_accepting(server.count < MAX_CONNECTIONS);
  }
}

int main(int argc, char** argv) {
  int port = argc > 1 ? atoi(argv[1]) : 8080;
  int seconds = argc > 2 ? atoi(argv[2]) : 10;
  if (argc > 3 || port < 0 || port > 65535 || seconds < 1) {
    fprintf(stderr, "usage: %s [PORT [SECONDS]]\n", argv[0]);
    return 2;
  }
  server.patience = (int64_t)seconds * 1000;
  prepare();
  listen_on((uint16_t)port);
  set_accepting(true);
  run();
  return 0;
}
