/* The parser's functions besides Step (frame.h) that C calls. core/entry_*.s says what a new one takes.
 *
 * LLHTTP_CORE(name) is the function to call: the parser's own entry in a library that has no Go runtime (LLHTTP_DIRECT),
 * otherwise its cgo export. */
#ifndef LLHTTP_ENTRY_H_
#define LLHTTP_ENTRY_H_

#include <stddef.h>
#include <stdint.h>

#include "http_parser.h"
#include "llhttp_ext.h"

#ifdef LLHTTP_DIRECT
#define LLHTTP_CORE(name) llhttp_core_##name
#define LLHTTP_CORE_HIDDEN __attribute__((visibility("hidden")))
#else
#define LLHTTP_CORE(name) llhttp_core_##name##_cgo
#define LLHTTP_CORE_HIDDEN
#endif

struct llhttp_tape; /* tape.h */

struct llhttp_ext_head_s;

extern intptr_t LLHTTP_CORE(head_parse)(struct llhttp_ext_head_s* head, char* data, size_t len) LLHTTP_CORE_HIDDEN;
extern intptr_t LLHTTP_CORE(head_find)(struct llhttp_ext_head_s* head, char* data, char* name,
                                       size_t len) LLHTTP_CORE_HIDDEN;
extern void LLHTTP_CORE(head_memory)(struct llhttp_ext_head_s* head, char* memory, size_t fields) LLHTTP_CORE_HIDDEN;
extern void LLHTTP_CORE(run_tape)(struct llhttp_tape* tape) LLHTTP_CORE_HIDDEN;
extern intptr_t LLHTTP_CORE(list_next)(llhttp_ext_list_t* list) LLHTTP_CORE_HIDDEN;
extern intptr_t LLHTTP_CORE(parameters_next)(llhttp_ext_parameters_t* parameters) LLHTTP_CORE_HIDDEN;
extern intptr_t LLHTTP_CORE(has_token)(char* value, size_t length, char* token, size_t token_length) LLHTTP_CORE_HIDDEN;
extern intptr_t LLHTTP_CORE(content_lengths)(char* value, size_t length, uint64_t* number) LLHTTP_CORE_HIDDEN;
extern intptr_t LLHTTP_CORE(parse_target)(char* target, size_t length, size_t connect,
                                          llhttp_ext_target_t* result) LLHTTP_CORE_HIDDEN;
extern intptr_t LLHTTP_CORE(parse_url)(char* url, size_t length, size_t connect,
                                       struct http_parser_url* result) LLHTTP_CORE_HIDDEN;

#endif
