/* Reads a request in two pieces, cut at every place in turn, and finds the route: method, target, host. */
#include <stdio.h>
#include <string.h>

#include <llhttp.h>
#include <llhttp_ext.h>

struct route {
  char method[16], target[64], host[64], field[64];
  int complete;
};

static int add(char* text, size_t room, const char* at, size_t length) {
  size_t have = strlen(text);
  if (length >= room - have) return -1;
  memcpy(text + have, at, length);
  text[have + length] = '\0';
  return 0;
}

static int on_method(llhttp_t* p, const char* at, size_t n) {
  struct route* route = p->data;
  return add(route->method, sizeof route->method, at, n);
}

static int on_url(llhttp_t* p, const char* at, size_t n) {
  struct route* route = p->data;
  return add(route->target, sizeof route->target, at, n);
}

static int on_header_field(llhttp_t* p, const char* at, size_t n) {
  struct route* route = p->data;
  return add(route->field, sizeof route->field, at, n);
}

static int on_header_value(llhttp_t* p, const char* at, size_t n) {
  struct route* route = p->data;
  return strcmp(route->field, "Host") == 0 ? add(route->host, sizeof route->host, at, n) : 0;
}

static int on_header_value_complete(llhttp_t* p) {
  struct route* route = p->data;
  route->field[0] = '\0';
  return 0;
}

static int on_message_complete(llhttp_t* p) {
  struct route* route = p->data;
  route->complete = llhttp_should_keep_alive(p);
  return 0;
}

int main(void) {
  static const char request[] = "GET /api/v1/items?page=2 HTTP/1.1\r\nAccept: */*\r\nHost: example.com:8080\r\n\r\n";
  size_t length = sizeof request - 1;
  llhttp_settings_t settings;
  llhttp_settings_init(&settings);
  settings.on_method = on_method;
  settings.on_url = on_url;
  settings.on_header_field = on_header_field;
  settings.on_header_value = on_header_value;
  settings.on_header_value_complete = on_header_value_complete;
  settings.on_message_complete = on_message_complete;

  for (size_t cut = 0; cut <= length; cut++) {
    struct route route = {"", "", "", "", 0};
    llhttp_t parser;
    llhttp_init(&parser, HTTP_REQUEST, &settings);
    parser.data = &route;
    if (llhttp_execute(&parser, request, cut) != HPE_OK ||
        llhttp_execute(&parser, request + cut, length - cut) != HPE_OK || llhttp_finish(&parser) != HPE_OK) {
      fprintf(stderr, "cut at %zu: %s\n", cut, llhttp_get_error_reason(&parser));
      return 1;
    }
    if (strcmp(route.method, "GET") != 0 || strcmp(route.target, "/api/v1/items?page=2") != 0 ||
        strcmp(route.host, "example.com:8080") != 0 || !route.complete) {
      fprintf(stderr, "cut at %zu: %s %s on %s\n", cut, route.method, route.target, route.host);
      return 1;
    }
  }
  printf("routed %zu times, with %s\n", length + 1, llhttp_ext_simd_name(llhttp_ext_simd_get()));
  return 0;
}
