/* A library with the functions of llhttp and layouts of its own, as another version would have. Parses nothing. */
#include <stddef.h>
#include <string.h>

#ifndef PARSER_SIZE
#define PARSER_SIZE 96
#endif
#ifndef SETTINGS_SIZE
#define SETTINGS_SIZE 200
#endif
#ifndef TYPE_AT
#define TYPE_AT 72
#endif

void llhttp_settings_init(char* settings) { memset(settings, 0, SETTINGS_SIZE); }

void llhttp_init(char* parser, int type, void* settings) {
  memset(parser, 0, PARSER_SIZE);
  parser[TYPE_AT] = (char)type;
  memcpy(parser + PARSER_SIZE - sizeof settings, &settings, sizeof settings);
}

int llhttp_execute(void* parser, const char* data, size_t length) {
  (void)parser, (void)data, (void)length;
  return 0;
}

#define NOTHING(name) \
  int name(void) { return 0; }
NOTHING(llhttp_reset)
NOTHING(llhttp_finish)
NOTHING(llhttp_pause)
NOTHING(llhttp_resume)
NOTHING(llhttp_resume_after_upgrade)
NOTHING(llhttp_should_keep_alive)
NOTHING(llhttp_message_needs_eof)
NOTHING(llhttp_get_error_reason)
NOTHING(llhttp_errno_name)
NOTHING(llhttp_method_name)
NOTHING(llhttp_set_lenient_headers)
NOTHING(llhttp_set_lenient_chunked_length)
NOTHING(llhttp_set_lenient_keep_alive)
NOTHING(llhttp_set_lenient_transfer_encoding)
NOTHING(llhttp_set_lenient_version)
NOTHING(llhttp_set_lenient_data_after_close)
NOTHING(llhttp_set_lenient_optional_lf_after_cr)
NOTHING(llhttp_set_lenient_optional_crlf_after_chunk)
NOTHING(llhttp_set_lenient_optional_cr_before_lf)
NOTHING(llhttp_set_lenient_spaces_after_chunk_size)
#ifndef WITHOUT_NEW_FUNCTIONS
NOTHING(llhttp_set_lenient_header_value_relaxed)
#endif
