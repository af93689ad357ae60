/* What llhttp_ext.h has for the parts of a request: ids of field names, the target's components, lists and parameters.
 * Built as examples/parse.c is. */
#include <stdio.h>
#include <string.h>

#include "llhttp.h"
#include "llhttp_ext.h"

static const char request[] =
    "GET http://example.org:8080/search?q=http HTTP/1.1\r\n"
    "HOST: example.org:8080\r\n"
    "Accept: text/html;level=\"1\", */*;q=0.8\r\n"
    "Connection: keep-alive, Upgrade\r\n"
    "X-Own: a\r\n"
    "\r\n";

static int field; /* id of the field whose value comes next */

static void show(const char* what, const char* at, size_t length) { printf("%s %.*s\n", what, (int)length, at); }

static int on_url(llhttp_t* p, const char* at, size_t length) {
  llhttp_ext_target_t target;
  int error = llhttp_ext_target_parse(at, length, llhttp_get_method(p) == HTTP_CONNECT, &target);
  if (error != 0) {
    printf("error %d at byte %u\n", error, (unsigned)target.error_offset);
    return -1;
  }
  show("host", at + target.host.offset, target.host.length);
  printf("port %u\n", target.port);
  show("path", at + target.path.offset, target.path.length);
  show("query", at + target.query.offset, target.query.length);
  return 0;
}

/* Names and values come whole here, as the request does. */
static int on_header_field(llhttp_t* p, const char* at, size_t length) {
  (void)p;
  field = llhttp_ext_field_id(at, length);
  if (field == LLHTTP_EXT_FIELD_UNKNOWN) show("field", at, length);
  else printf("field %s\n", llhttp_ext_field_name(field, NULL));
  return 0;
}

static int accept(const char* at, size_t length) {
  llhttp_ext_list_t list;
  int found;
  llhttp_ext_list_init(&list, at, length);
  while ((found = llhttp_ext_list_next(&list)) > 0) {
    llhttp_ext_parameters_t p;
    int more;
    show("  member", list.value + list.offset, list.size);
    llhttp_ext_parameters_init(&p, list.value + list.offset, list.size);
    while ((more = llhttp_ext_parameters_next(&p)) > 0) {
      printf("    %.*s is %.*s\n", (int)p.name_length, p.value + p.name_offset, (int)p.value_length,
             p.value + p.value_offset);
    }
    if (more < 0) return -1;
  }
  return found < 0 ? -1 : 0;
}

static int on_header_value(llhttp_t* p, const char* at, size_t length) {
  (void)p;
  switch (field) {
    case LLHTTP_EXT_FIELD_ACCEPT: return accept(at, length);
    case LLHTTP_EXT_FIELD_CONNECTION:
      printf("  upgrade: %s\n", llhttp_ext_has_token(at, length, "upgrade", 7) > 0 ? "yes" : "no");
      return 0;
  }
  return 0;
}

int main(void) {
  llhttp_t parser;
  llhttp_settings_t settings;

  llhttp_settings_init(&settings);
  settings.on_url = on_url;
  settings.on_header_field = on_header_field;
  settings.on_header_value = on_header_value;
  llhttp_init(&parser, HTTP_REQUEST, &settings);
  return llhttp_execute(&parser, request, strlen(request)) == HPE_OK ? 0 : 1;
}
