#include "host.h"

#include "_cgo_export.h"

uint64_t host_mix(uint64_t hash, int kind, const char* at, size_t len) {
  size_t i;
  hash = (hash ^ (uint64_t)kind << 8) * 0x9e3779b97f4a7c15u;
  for (i = 0; i < len; i++) {
    hash = (hash ^ (unsigned char)at[i]) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash;
}

static int c_bytes(llhttp_t* p, const char* at, size_t len) {
  struct host* h = (struct host*)p; /* the first member */
  h->hash = host_mix(h->hash, 1, at, len);
  return 0;
}
static int c_event(llhttp_t* p) {
  struct host* h = (struct host*)p;
  h->hash = host_mix(h->hash, p->method + 1000 * p->status_code, NULL, 0);
  return 0;
}
static int go_bytes(llhttp_t* p, const char* at, size_t len) { return goBytes((struct host*)p, (char*)at, len); }
static int go_event(llhttp_t* p) { return goEvent((struct host*)p); }

#define SETTINGS(bytes, event)                                                                           \
  {                                                                                                      \
    .on_message_begin = event, .on_url = bytes, .on_status = bytes, .on_header_field = bytes,            \
    .on_header_value = bytes, .on_headers_complete = event, .on_body = bytes, .on_chunk_header = event,  \
    .on_chunk_complete = event, .on_message_complete = event, .on_header_value_complete = event,         \
  }
static const llhttp_settings_t settings[2] = {SETTINGS(c_bytes, c_event), SETTINGS(go_bytes, go_event)};

uint64_t host_parse(struct host* h, int in_go, const char* input, size_t len, size_t piece) {
  size_t off;
  llhttp_init(&h->parser, HTTP_BOTH, &settings[in_go]);
  h->hash = 0xcbf29ce484222325u;
  for (off = 0; off < len; off += piece) llhttp_execute(&h->parser, input + off, len - off < piece ? len - off : piece);
  return host_mix(h->hash, llhttp_get_errno(&h->parser), NULL, 0) ^ (uint64_t)llhttp_finish(&h->parser);
}
