/* Field values: core/values.go reads them; what is promised is in llhttp_ext.h. */
#include "llhttp_ext.h"

#include <string.h>

#include "entry.h"

void llhttp_ext_list_init(llhttp_ext_list_t* list, const char* value, size_t length) {
  memset(list, 0, sizeof(*list));
  list->value = value;
  list->length = length;
}

int llhttp_ext_list_next(llhttp_ext_list_t* list) { return (int)LLHTTP_CORE(list_next)(list); }

void llhttp_ext_parameters_init(llhttp_ext_parameters_t* parameters, const char* value, size_t length) {
  memset(parameters, 0, sizeof(*parameters));
  parameters->value = value;
  parameters->length = length;
}

int llhttp_ext_parameters_next(llhttp_ext_parameters_t* parameters) {
  return (int)LLHTTP_CORE(parameters_next)(parameters);
}

size_t llhttp_ext_unquote(char* result, const char* value, size_t length) {
  size_t from, to = 0;
  for (from = 0; from < length; from++) {
    if (value[from] == '\\' && from + 1 < length) from++;
    result[to++] = value[from];
  }
  return to;
}

int llhttp_ext_has_token(const char* value, size_t length, const char* token, size_t token_length) {
  return (int)LLHTTP_CORE(has_token)((char*)value, length, (char*)token, token_length);
}

int llhttp_ext_content_length(const char* value, size_t length, uint64_t* number) {
  return (int)LLHTTP_CORE(content_lengths)((char*)value, length, number);
}
