/* Header sections in one buffer: core/head.go parses them; what is promised is in llhttp_ext.h. */
#include <string.h>

#include "entry.h"
#include "ext.h"
#include "frame.h"
#include "ext_limits.h"
#include "llhttp_ext.h"
#include "states_gen.h"
#include "tables_gen.h"

/* What head_parse returns for an error; the others are the public ones. */
enum { HEAD_ERROR = -3 };

void llhttp_ext_head_init(llhttp_ext_head_t* head, int type, void* memory, size_t size) {
  size_t fields;
  memset(head, 0, sizeof(*head));
  head->type = (uint8_t)type;
  if (size < LLHTTP_EXT_HEAD_BASE) return; /* each section then has too many fields */
  fields = (size - LLHTTP_EXT_HEAD_BASE) / LLHTTP_EXT_HEAD_PER_FIELD;
  if (fields > LLHTTP_EXT_HEAD_MOST_FIELDS) fields = LLHTTP_EXT_HEAD_MOST_FIELDS;
  LLHTTP_CORE(head_memory)(head, (char*)memory, fields);
}

void llhttp_ext_head_reset(llhttp_ext_head_t* head) {
  head->_stage = 0;
  head->count = 0;
  memset(head->present, 0, sizeof(head->present));
}

int llhttp_ext_head_parse(llhttp_ext_head_t* head, const char* data, size_t len) {
  intptr_t result = LLHTTP_CORE(head_parse)(head, (char*)data, len);
  if (result != HEAD_ERROR) return (int)result;
  head->reason = llhttp_core_reasons[head->_reason].text;
  return llhttp_core_reasons[head->_reason].error;
}

int llhttp_ext_head_first(const llhttp_ext_head_t* head, int id) {
  if (id < 0 || id >= LLHTTP_EXT_HEAD_IDS || !(head->present[id / 64] >> (id % 64) & 1)) return -1;
  return head->first[id];
}

int llhttp_ext_head_find(const llhttp_ext_head_t* head, const char* data, const char* name, size_t length) {
  return (int)LLHTTP_CORE(head_find)((llhttp_ext_head_t*)head, (char*)data, (char*)name, length);
}

int llhttp_ext_head_next(const llhttp_ext_head_t* head, int index) {
  int next = index < 0 || (uint32_t)index >= head->count ? 0 : head->infos[index].next;
  return next == 0 ? -1 : next;
}

void llhttp_ext_head_continue(const llhttp_ext_head_t* head, llhttp_t* parser) {
  struct llhttp_private priv;
  memset(&priv, 0, sizeof(priv));
  priv.state = LLHTTP_STATE_AFTER_HEADERS;
  memcpy((char*)parser + LLHTTP_PUBLIC_OFFSET, &head->content_length, sizeof(struct llhttp_public));
  parser->finish = HTTP_FINISH_UNSAFE;
  parser->error = HPE_OK;
  memcpy(&parser->_current, &priv, sizeof(priv));
  if (ext_of(parser) == NULL) return;
  /* What has been counted is an earlier message's. */
  limits_clear(limits_of(ext_of(parser)));
  limits_of(ext_of(parser))->fields = head->count;
}
