/* Parses bytes that were never written, for a memory checker to find: tests/hosts/debuggers.sh reads its report. */
#include "llhttp.h"

#include <stdlib.h>
#include <string.h>

enum { WRITTEN = 22, ROOM = 400 };

int main(void) {
  llhttp_t parser;
  llhttp_settings_t settings;
  char* bytes = malloc(ROOM);
  if (bytes == NULL) return 2;
  memcpy(bytes, "GET / HTTP/1.1\r\nHost: ", WRITTEN);
  llhttp_settings_init(&settings);
  llhttp_init(&parser, HTTP_REQUEST, &settings);
  llhttp_execute(&parser, bytes, ROOM);
  free(bytes);
  return 0;
}
