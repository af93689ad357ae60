/* llhttp's functions around llhttp_execute, which is in driver.c: making a parser ready, its fields, pauses, names, lenient
 * flags, the end of the input. What each promises is in llhttp_compat.h.
 *
 * A cleared llhttp_t is a parser that has seen nothing: the core relies on it. */
#include <stdlib.h>
#include <string.h>

#include "ext.h"

int llhttp__internal_init(llhttp__internal_t* s) {
  memset(s, 0, sizeof(*s));
  return 0;
}

void llhttp_init(llhttp_t* parser, llhttp_type_t type, const llhttp_settings_t* settings) {
  llhttp__internal_init(parser);
  parser->type = (uint8_t)type;
  parser->settings = (void*)settings;
}

void llhttp_reset(llhttp_t* parser) {
  const llhttp_t old = *parser;
  llhttp__internal_init(parser);
  parser->type = old.type;
  parser->settings = old.settings;
  parser->data = old.data;
  parser->lenient_flags = old.lenient_flags;
  llhttp_set_ext(parser, ext_of(&old));
}

llhttp_t* llhttp_alloc(llhttp_type_t type) {
  llhttp_t* parser = (llhttp_t*)malloc(sizeof(*parser));
  if (parser != NULL) llhttp_init(parser, type, NULL);
  return parser;
}

void llhttp_free(llhttp_t* parser) { free(parser); }

void llhttp_settings_init(llhttp_settings_t* settings) { memset(settings, 0, sizeof(*settings)); }

/* Fields. */

uint8_t llhttp_get_type(llhttp_t* parser) { return parser->type; }

uint8_t llhttp_get_http_major(llhttp_t* parser) { return parser->http_major; }

uint8_t llhttp_get_http_minor(llhttp_t* parser) { return parser->http_minor; }

uint8_t llhttp_get_method(llhttp_t* parser) { return parser->method; }

int llhttp_get_status_code(llhttp_t* parser) { return parser->status_code; }

uint8_t llhttp_get_upgrade(llhttp_t* parser) { return parser->upgrade; }

/* RFC 9112, Section 6.3: a body lasts until the connection ends if the message is a response that may have one, and
 * neither chunked coding nor Content-Length gives its length. A coding other than chunked in the last place voids
 * Content-Length. */
int llhttp_message_needs_eof(const llhttp_t* parser) {
  const unsigned status = parser->status_code;

  if (parser->type == HTTP_REQUEST) return 0;
  if (status / 100 == 1 || status == HTTP_STATUS_NO_CONTENT || status == HTTP_STATUS_NOT_MODIFIED) return 0;
  if (parser->flags & (F_SKIPBODY | F_CHUNKED)) return 0;
  if (parser->flags & F_TRANSFER_ENCODING) return 1;
  return (parser->flags & F_CONTENT_LENGTH) == 0;
}

/* RFC 9112, Section 9.3: HTTP/1.1 persists unless closed, HTTP/1.0 only if asked to. A version x.0 counts as 1.0. */
int llhttp_should_keep_alive(const llhttp_t* parser) {
  const int persistent = parser->http_major > 0 && parser->http_minor > 0;
  const llhttp_ext_t* ext = ext_of(parser);
  const uint32_t rules = ext == NULL ? 0 : ext->rules;

  if ((rules & LLHTTP_EXT_STRICT_CLOSE) && (parser->flags & F_CONNECTION_CLOSE)) return 0;
  if ((rules & LLHTTP_EXT_STRICT_HTTP10_TRANSFER_ENCODING) && !persistent && (parser->flags & F_TRANSFER_ENCODING))
    return 0;
  if (persistent ? (parser->flags & F_CONNECTION_CLOSE) != 0 : (parser->flags & F_CONNECTION_KEEP_ALIVE) == 0) return 0;
  return !llhttp_message_needs_eof(parser);
}

llhttp_errno_t llhttp_finish(llhttp_t* parser) {
  const llhttp_settings_t* settings = (const llhttp_settings_t*)parser->settings;

  if (parser->error != HPE_OK) return HPE_OK;
  switch (parser->finish) {
    case HTTP_FINISH_SAFE: return HPE_OK;
    case HTTP_FINISH_SAFE_WITH_CB:
      if (settings == NULL || settings->on_message_complete == NULL) return HPE_OK;
      return (llhttp_errno_t)settings->on_message_complete(parser);
    case HTTP_FINISH_UNSAFE: parser->reason = "Invalid EOF state"; return HPE_INVALID_EOF_STATE;
    default: return HPE_INTERNAL;
  }
}

/* Errors and pauses. */

void llhttp_pause(llhttp_t* parser) {
  if (parser->error != HPE_OK) return;
  parser->error = HPE_PAUSED;
  parser->reason = "Paused";
}

void llhttp_resume(llhttp_t* parser) {
  if (parser->error == HPE_PAUSED) parser->error = HPE_OK;
}

void llhttp_resume_after_upgrade(llhttp_t* parser) {
  if (parser->error == HPE_PAUSED_UPGRADE) parser->error = HPE_OK;
}

llhttp_errno_t llhttp_get_errno(const llhttp_t* parser) { return (llhttp_errno_t)parser->error; }

const char* llhttp_get_error_reason(const llhttp_t* parser) { return parser->reason; }

void llhttp_set_error_reason(llhttp_t* parser, const char* reason) { parser->reason = reason; }

const char* llhttp_get_error_pos(const llhttp_t* parser) { return parser->error_pos; }

/* Names. */

const char* llhttp_errno_name(llhttp_errno_t err) {
  switch ((int)err) {
#define CASE(number, name, text) \
  case number:                   \
    return "HPE_" #text;
    HTTP_ERRNO_MAP(CASE)
#undef CASE
    default: return "<unknown>";
  }
}

#define CASE(number, name, text) \
  case number:                   \
    return #text;

const char* llhttp_method_name(llhttp_method_t method) {
  switch ((int)method) {
    HTTP_ALL_METHOD_MAP(CASE)
    default: return "<unknown>";
  }
}

const char* llhttp_status_name(llhttp_status_t status) {
  switch ((int)status) {
    HTTP_STATUS_MAP(CASE)
    default: return "<unknown>";
  }
}

#undef CASE

/* Lenient flags. */

static void set_lenient(llhttp_t* parser, int flag, int enabled) {
  const int flags = enabled ? parser->lenient_flags | flag : parser->lenient_flags & ~flag;
  parser->lenient_flags = (uint16_t)flags;
}

#define LENIENT(setter, flag) \
  void llhttp_set_lenient_##setter(llhttp_t* parser, int enabled) { set_lenient(parser, flag, enabled); }

LENIENT(headers, LENIENT_HEADERS)
LENIENT(chunked_length, LENIENT_CHUNKED_LENGTH)
LENIENT(keep_alive, LENIENT_KEEP_ALIVE)
LENIENT(transfer_encoding, LENIENT_TRANSFER_ENCODING)
LENIENT(version, LENIENT_VERSION)
LENIENT(data_after_close, LENIENT_DATA_AFTER_CLOSE)
LENIENT(optional_lf_after_cr, LENIENT_OPTIONAL_LF_AFTER_CR)
LENIENT(optional_crlf_after_chunk, LENIENT_OPTIONAL_CRLF_AFTER_CHUNK)
LENIENT(optional_cr_before_lf, LENIENT_OPTIONAL_CR_BEFORE_LF)
LENIENT(spaces_after_chunk_size, LENIENT_SPACES_AFTER_CHUNK_SIZE)
LENIENT(header_value_relaxed, LENIENT_HEADER_VALUE_RELAXED)
