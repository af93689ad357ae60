/* The server's side of an upgrade: the request asks for another protocol, and what may be its first bytes is in the
 * same buffer. The server declines, and they are HTTP. */
#include <llhttp.h>
#include <stdio.h>
#include <string.h>

static int requests;

static int on_message_complete(llhttp_t* p) {
  (void)p;
  requests++;
  return 0;
}

static int fail(const char* what, llhttp_t* p) {
  fprintf(stderr, "%s: %s\n", what, llhttp_errno_name(llhttp_get_errno(p)));
  return 1;
}

int main(void) {
  static const char input[] =
      "GET /chat HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n\r\n"
      "GET /plain HTTP/1.1\r\nHost: a\r\n\r\n";
  const char* second = strstr(input, "GET /plain");
  llhttp_settings_t settings;
  llhttp_t parser;
  llhttp_settings_init(&settings);
  settings.on_message_complete = on_message_complete;
  llhttp_init(&parser, HTTP_REQUEST, &settings);

  if (llhttp_execute(&parser, input, strlen(input)) != HPE_PAUSED_UPGRADE) return fail("no upgrade", &parser);
  if (requests != 1 || !llhttp_get_upgrade(&parser)) return fail("not the first request", &parser);
  if (llhttp_get_error_pos(&parser) != second) return fail("the other protocol begins elsewhere", &parser);

  llhttp_resume_after_upgrade(&parser);
  if (llhttp_execute(&parser, second, strlen(second)) != HPE_OK) return fail("HTTP does not go on", &parser);
  if (requests != 2 || llhttp_get_upgrade(&parser)) return fail("not the second request", &parser);
  puts("upgraded, and declined");
  return 0;
}
