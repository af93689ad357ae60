/* Faults for `llhttp-trace --diff` to find: linked in front of an object of the library in which the functions below
 * have been renamed to real_*. FAULT says which: it is compiled once for each.
 */
#include <string.h>

#include "llhttp.h"

enum { NONE, KEEP_ALIVE, STOPS, REASON, POSITION, LAYOUT };

int real_should_keep_alive(const llhttp_t* parser);
llhttp_errno_t real_execute(llhttp_t* parser, const char* data, size_t len);
const char* real_get_error_reason(const llhttp_t* parser);
const char* real_get_error_pos(const llhttp_t* parser);
void real_settings_init(llhttp_settings_t* settings);

int llhttp_should_keep_alive(const llhttp_t* parser) { return real_should_keep_alive(parser) ^ (FAULT == KEEP_ALIVE); }

llhttp_errno_t llhttp_execute(llhttp_t* parser, const char* data, size_t len) {
  /* The last byte of a piece goes unseen. */
  return real_execute(parser, data, FAULT == STOPS && len > 0 ? len - 1 : len);
}

const char* llhttp_get_error_reason(const llhttp_t* parser) {
  return FAULT == REASON ? "Another\001 reason" : real_get_error_reason(parser);
}

const char* llhttp_get_error_pos(const llhttp_t* parser) {
  return real_get_error_pos(parser) + (FAULT == POSITION && parser->error != HPE_PAUSED);
}

void llhttp_settings_init(llhttp_settings_t* settings) {
  real_settings_init(settings);
  /* As in a version of llhttp with one callback more. */
  if (FAULT == LAYOUT) memset(settings + 1, 0, sizeof(llhttp_cb));
}
