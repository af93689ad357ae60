/* What a program compiled against llhttp 9.4.3's header relies on, in literal numbers: sizes, offsets, enum values,
 * macros, and that every function is there with its prototype. Included by layout_c.c and layout_cxx.cpp, so that both
 * languages see the same. The offsets hold where pointers have 64 bits. */
#ifndef TESTS_C_LAYOUT_H_
#define TESTS_C_LAYOUT_H_

#include <llhttp.h>

#include "check.h"

/* llhttp declares these and its shared library lacks them. */
#pragma weak llhttp_alloc
#pragma weak llhttp_free
#pragma weak llhttp__internal_init
#pragma weak llhttp__internal_execute

static void check_parser_layout(void) {
#define MEMBER(name, offset, size)             \
  CHECK_INT(offsetof(llhttp_t, name), offset); \
  CHECK_INT(sizeof(((llhttp_t *)NULL)->name), size);
  MEMBER(_index, 0, 4)
  MEMBER(_span_pos0, 8, 8)
  MEMBER(_span_cb0, 16, 8)
  MEMBER(error, 24, 4)
  MEMBER(reason, 32, 8)
  MEMBER(error_pos, 40, 8)
  MEMBER(data, 48, 8)
  MEMBER(_current, 56, 8)
  MEMBER(content_length, 64, 8)
  MEMBER(type, 72, 1)
  MEMBER(method, 73, 1)
  MEMBER(http_major, 74, 1)
  MEMBER(http_minor, 75, 1)
  MEMBER(header_state, 76, 1)
  MEMBER(lenient_flags, 78, 2)
  MEMBER(upgrade, 80, 1)
  MEMBER(finish, 81, 1)
  MEMBER(flags, 82, 2)
  MEMBER(status_code, 84, 2)
  MEMBER(initial_message_completed, 86, 1)
  MEMBER(settings, 88, 8)
#undef MEMBER
  CHECK_INT(sizeof(llhttp_t), 96);
  CHECK_INT(sizeof(llhttp__internal_t), 96);
}

static void check_settings_layout(void) {
#define MEMBER(name, offset) CHECK_INT(offsetof(llhttp_settings_t, name), offset);
  MEMBER(on_message_begin, 0)
  MEMBER(on_protocol, 8)
  MEMBER(on_url, 16)
  MEMBER(on_status, 24)
  MEMBER(on_method, 32)
  MEMBER(on_version, 40)
  MEMBER(on_header_field, 48)
  MEMBER(on_header_value, 56)
  MEMBER(on_chunk_extension_name, 64)
  MEMBER(on_chunk_extension_value, 72)
  MEMBER(on_headers_complete, 80)
  MEMBER(on_body, 88)
  MEMBER(on_message_complete, 96)
  MEMBER(on_protocol_complete, 104)
  MEMBER(on_url_complete, 112)
  MEMBER(on_status_complete, 120)
  MEMBER(on_method_complete, 128)
  MEMBER(on_version_complete, 136)
  MEMBER(on_header_field_complete, 144)
  MEMBER(on_header_value_complete, 152)
  MEMBER(on_chunk_extension_name_complete, 160)
  MEMBER(on_chunk_extension_value_complete, 168)
  MEMBER(on_chunk_header, 176)
  MEMBER(on_chunk_complete, 184)
  MEMBER(on_reset, 192)
#undef MEMBER
  CHECK_INT(sizeof(llhttp_settings_t), 200);
}

static void check_values(void) {
  CHECK_INT(LLHTTP_VERSION_MAJOR, 9);
  CHECK_INT(LLHTTP_VERSION_MINOR, 4);
  CHECK_INT(LLHTTP_VERSION_PATCH, 3);

  CHECK_INT(HPE_OK, 0);
  CHECK_INT(HPE_INTERNAL, 1);
  CHECK_INT(HPE_INVALID_METHOD, 6);
  CHECK_INT(HPE_INVALID_EOF_STATE, 14);
  CHECK_INT(HPE_CB_MESSAGE_BEGIN, 16);
  CHECK_INT(HPE_PAUSED, 21);
  CHECK_INT(HPE_PAUSED_UPGRADE, 22);
  CHECK_INT(HPE_PAUSED_H2_UPGRADE, 23);
  CHECK_INT(HPE_USER, 24);
  CHECK_INT(HPE_CB_CHUNK_EXTENSION_VALUE_COMPLETE, 35);
  CHECK_INT(HPE_CB_PROTOCOL_COMPLETE, 38);

  CHECK_INT(F_CONNECTION_KEEP_ALIVE, 0x1);
  CHECK_INT(F_CHUNKED, 0x8);
  CHECK_INT(F_CONTENT_LENGTH, 0x20);
  CHECK_INT(F_SKIPBODY, 0x40);
  CHECK_INT(F_TRAILING, 0x80);
  CHECK_INT(F_TRANSFER_ENCODING, 0x200);

  CHECK_INT(LENIENT_HEADERS, 0x1);
  CHECK_INT(LENIENT_CHUNKED_LENGTH, 0x2);
  CHECK_INT(LENIENT_KEEP_ALIVE, 0x4);
  CHECK_INT(LENIENT_TRANSFER_ENCODING, 0x8);
  CHECK_INT(LENIENT_VERSION, 0x10);
  CHECK_INT(LENIENT_DATA_AFTER_CLOSE, 0x20);
  CHECK_INT(LENIENT_OPTIONAL_LF_AFTER_CR, 0x40);
  CHECK_INT(LENIENT_OPTIONAL_CRLF_AFTER_CHUNK, 0x80);
  CHECK_INT(LENIENT_OPTIONAL_CR_BEFORE_LF, 0x100);
  CHECK_INT(LENIENT_SPACES_AFTER_CHUNK_SIZE, 0x200);
  CHECK_INT(LENIENT_HEADER_VALUE_RELAXED, 0x400);

  CHECK_INT(HTTP_BOTH, 0);
  CHECK_INT(HTTP_REQUEST, 1);
  CHECK_INT(HTTP_RESPONSE, 2);
  CHECK_INT(HTTP_FINISH_SAFE, 0);
  CHECK_INT(HTTP_FINISH_SAFE_WITH_CB, 1);
  CHECK_INT(HTTP_FINISH_UNSAFE, 2);

  CHECK_INT(HTTP_DELETE, 0);
  CHECK_INT(HTTP_GET, 1);
  CHECK_INT(HTTP_POST, 3);
  CHECK_INT(HTTP_CONNECT, 5);
  CHECK_INT(HTTP_MSEARCH, 24);
  CHECK_INT(HTTP_SOURCE, 33);
  CHECK_INT(HTTP_PRI, 34);
  CHECK_INT(HTTP_GET_PARAMETER, 41);
  CHECK_INT(HTTP_FLUSH, 45);
  CHECK_INT(HTTP_QUERY, 46);

  CHECK_INT(HTTP_STATUS_CONTINUE, 100);
  CHECK_INT(HTTP_STATUS_OK, 200);
  CHECK_INT(HTTP_STATUS_NOT_MODIFIED, 304);
  CHECK_INT(HTTP_STATUS_IM_A_TEAPOT, 418);
  CHECK_INT(HTTP_STATUS_REQUEST_HEADER_FIELDS_TOO_LARGE_UNOFFICIAL, 430);
  CHECK_INT(HTTP_STATUS_TIMEOUT_OCCURED, 524);
  CHECK_INT(HTTP_STATUS_NETWORK_CONNECT_TIMEOUT, 599);

  CHECK_INT(sizeof(llhttp_errno_t), 4);
  CHECK_INT(sizeof(llhttp_type_t), 4);
}

/* Each map: its constants have the numbers it gives, it has this many entries, and these numbers add up to this. */
static void check_maps(void) {
  int count, sum;
#define MAP(map, entries, total)        \
  count = sum = 0;                      \
  map(ENTRY) CHECK_INT(count, entries); \
  CHECK_INT(sum, total);

#define ENTRY(number, name, text) CHECK_INT(HPE_##name, number), count++, sum += (number);
  MAP(HTTP_ERRNO_MAP, 37, 668)
#undef ENTRY
#define ENTRY(number, name, text) CHECK_INT(HTTP_##name, number), count++, sum += (number);
  MAP(HTTP_METHOD_MAP, 35, 607)
  MAP(RTSP_METHOD_MAP, 14, 450)
  MAP(HTTP_ALL_METHOD_MAP, 47, 1081)
#undef ENTRY
#define ENTRY(number, name, text) CHECK_INT(HTTP_STATUS_##name, number), count++, sum += (number);
  MAP(HTTP_STATUS_MAP, 99, 38438)
#undef ENTRY
#undef MAP
}

/* Every name function gives the text of its map. */
static void check_names(void) {
#define ENTRY(number, name, text) CHECK_STR(llhttp_errno_name((llhttp_errno_t)(number)), "HPE_" #text);
  HTTP_ERRNO_MAP(ENTRY)
#undef ENTRY
#define ENTRY(number, name, text) CHECK_STR(llhttp_method_name((llhttp_method_t)(number)), #text);
  HTTP_ALL_METHOD_MAP(ENTRY)
#undef ENTRY
#define ENTRY(number, name, text) CHECK_STR(llhttp_status_name((llhttp_status_t)(number)), #text);
  HTTP_STATUS_MAP(ENTRY)
#undef ENTRY
  CHECK_STR(llhttp_method_name(HTTP_MSEARCH), "M-SEARCH");
  if (check_reference()) return; /* llhttp ends the process */
  CHECK_STR(llhttp_errno_name((llhttp_errno_t)36), "<unknown>");
  CHECK_STR(llhttp_method_name((llhttp_method_t)47), "<unknown>");
  CHECK_STR(llhttp_status_name((llhttp_status_t)0), "<unknown>");
}

typedef void (*any_function)(void);

/* Takes the address of every function through a pointer of its exact type. */
static void check_functions(void) {
  any_function functions[64];
  int count = 0, i, j;
#define FUNCTION(result, name, parameters)    \
  {                                           \
    result(*typed) parameters = name;         \
    functions[count++] = (any_function)typed; \
  }
#define GETTER(result, name) FUNCTION(result, name, (llhttp_t *))
#define QUERY(result, name) FUNCTION(result, name, (const llhttp_t *))
#define SETTER(name) FUNCTION(void, llhttp_set_lenient_##name, (llhttp_t *, int))
  if (!check_reference()) {
    FUNCTION(llhttp_t*, llhttp_alloc, (llhttp_type_t))
    FUNCTION(void, llhttp_free, (llhttp_t*))
    FUNCTION(int, llhttp__internal_init, (llhttp__internal_t*))
    FUNCTION(int, llhttp__internal_execute, (llhttp__internal_t*, const char*, const char*))
  }
  FUNCTION(void, llhttp_init, (llhttp_t*, llhttp_type_t, const llhttp_settings_t*))
  FUNCTION(void, llhttp_reset, (llhttp_t*))
  FUNCTION(void, llhttp_settings_init, (llhttp_settings_t*))
  FUNCTION(llhttp_errno_t, llhttp_execute, (llhttp_t*, const char*, size_t))
  FUNCTION(llhttp_errno_t, llhttp_finish, (llhttp_t*))
  FUNCTION(void, llhttp_pause, (llhttp_t*))
  FUNCTION(void, llhttp_resume, (llhttp_t*))
  FUNCTION(void, llhttp_resume_after_upgrade, (llhttp_t*))
  FUNCTION(void, llhttp_set_error_reason, (llhttp_t*, const char*))
  GETTER(uint8_t, llhttp_get_type)
  GETTER(uint8_t, llhttp_get_http_major)
  GETTER(uint8_t, llhttp_get_http_minor)
  GETTER(uint8_t, llhttp_get_method)
  GETTER(int, llhttp_get_status_code)
  GETTER(uint8_t, llhttp_get_upgrade)
  QUERY(int, llhttp_message_needs_eof)
  QUERY(int, llhttp_should_keep_alive)
  QUERY(llhttp_errno_t, llhttp_get_errno)
  QUERY(const char*, llhttp_get_error_reason)
  QUERY(const char*, llhttp_get_error_pos)
  FUNCTION(const char*, llhttp_errno_name, (llhttp_errno_t))
  FUNCTION(const char*, llhttp_method_name, (llhttp_method_t))
  FUNCTION(const char*, llhttp_status_name, (llhttp_status_t))
  SETTER(headers)
  SETTER(chunked_length)
  SETTER(keep_alive)
  SETTER(transfer_encoding)
  SETTER(version)
  SETTER(data_after_close)
  SETTER(optional_lf_after_cr)
  SETTER(optional_cr_before_lf)
  SETTER(optional_crlf_after_chunk)
  SETTER(spaces_after_chunk_size)
  SETTER(header_value_relaxed)
#undef SETTER
#undef QUERY
#undef GETTER
#undef FUNCTION
  CHECK_INT(count, check_reference() ? 34 : 38);
  for (i = 0; i < count; i++) {
    CHECK(functions[i] != NULL);
    for (j = 0; j < i; j++) CHECK(functions[i] != functions[j]);
  }
}

/* Each setter sets its own flag and nothing else, and clears it again. */
static void check_setters(void) {
  llhttp_t parser;
  llhttp_init(&parser, HTTP_BOTH, NULL);
#define SETTER(name, flag)               \
  parser.lenient_flags = 0;              \
  llhttp_set_lenient_##name(&parser, 1); \
  CHECK_INT(parser.lenient_flags, flag); \
  parser.lenient_flags = 0xffff;         \
  llhttp_set_lenient_##name(&parser, 0); \
  CHECK_INT(parser.lenient_flags, 0xffff & ~(flag));
  SETTER(headers, 0x1)
  SETTER(chunked_length, 0x2)
  SETTER(keep_alive, 0x4)
  SETTER(transfer_encoding, 0x8)
  SETTER(version, 0x10)
  SETTER(data_after_close, 0x20)
  SETTER(optional_lf_after_cr, 0x40)
  SETTER(optional_crlf_after_chunk, 0x80)
  SETTER(optional_cr_before_lf, 0x100)
  SETTER(spaces_after_chunk_size, 0x200)
  SETTER(header_value_relaxed, 0x400)
#undef SETTER
}

/* Silent if all is well; returns main's exit status. */
static int check_layout(void) {
  check_parser_layout();
  check_settings_layout();
  check_values();
  check_maps();
  check_names();
  check_functions();
  check_setters();
  return check_failed != 0;
}

#endif
