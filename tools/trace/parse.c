/* A callback for a span gets a pointer and so has an offset; a notification has none. To learn it, the callback returns
 * HPE_PAUSED, llhttp_get_error_pos is read, and the parse goes on at that byte. Pauses change nothing else: the
 * callbacks, their order and their bytes are those of a program that never pauses.
 */
#include "parse.h"

#include <string.h>

struct run {
  const struct library* library;
  const struct parse_options* options;
  const char* data;
  size_t size;
  event_sink sink;
  void* context;
  bool finishing; /* inside llhttp_finish: a pause would become its result */
  /* Notifications whose offset is not known yet. At most two wait: on_headers_complete, which cannot pause when it has
   * to return 1 or 2, and the on_message_complete that then follows at the same byte. */
  struct event pending[2];
  size_t pending_count;
};

static void flush(struct run* r, bool known, size_t offset) {
  for (size_t i = 0; i < r->pending_count; i++) {
    r->pending[i].known = known;
    r->pending[i].offset = known ? offset : 0;
    r->sink(r->context, &r->pending[i]);
  }
  r->pending_count = 0;
}

static int span(llhttp_t* parser, enum event_id id, const char* at, size_t length) {
  const struct run* r = parser->data;
  struct event e = {.id = id, .known = true, .offset = (size_t)(at - r->data), .at = at, .length = length};
  r->sink(r->context, &e);
  return HPE_OK;
}

static int notification(llhttp_t* parser, enum event_id id) {
  struct run* r = parser->data;
  const struct library* l = r->library;
  r->pending[r->pending_count++] = (struct event){
      .id = id,
      .fields =
          {
              .type = l->get_type(parser),
              .method = l->get_method(parser),
              .status = (unsigned)l->get_status_code(parser),
              .major = l->get_http_major(parser),
              .minor = l->get_http_minor(parser),
              .flags = parser->flags,
              .content_length = parser->content_length,
              .upgrade = l->get_upgrade(parser) != 0,
              .keep_alive = l->should_keep_alive(parser) != 0,
          },
  };
  int result = id == EVENT_headers_complete ? r->options->headers_result : HPE_OK;
  if (r->options->no_pause) {
    flush(r, false, 0);
  } else if (r->finishing) {
    flush(r, true, r->size);
  } else if (result == HPE_OK) {
    return HPE_PAUSED;
  }
  return result;
}

#define X(NAME)                                                                                    \
  static int on_##NAME(llhttp_t* parser, const char* at, size_t length) {                          \
    return span(parser, EVENT_##NAME, at, length);                                                 \
  }
SPANS(X)
EXT_SPANS(X)
#undef X

#define X(NAME) static int on_##NAME(llhttp_t* parser) { return notification(parser, EVENT_##NAME); }
NOTIFICATIONS(X)
EXT_NOTIFICATIONS(X)
#undef X

/* Without a sink: the result steers the parse all the same. */
static int on_headers_complete_quietly(llhttp_t* parser) {
  const struct run* r = parser->data;
  return r->options->headers_result;
}

static void set_callbacks(const struct run* r, llhttp_settings_t* settings) {
  r->library->settings_init(settings);
  if (r->sink == NULL) {
    settings->on_headers_complete = on_headers_complete_quietly;
    return;
  }
#define X(NAME) settings->on_##NAME = on_##NAME;
  SPANS(X)
  NOTIFICATIONS(X)
#undef X
}

void parse_extensions(const struct library* library, const struct parse_options* o, llhttp_ext_t* ext) {
  library->ext_init(ext);
  ext->rules = o->rules;
#define X(NAME, MEMBER) ext->MEMBER = o->limits[LIMIT_##NAME];
  LLHTTP_EXT_LIMIT_MAP(X)
#undef X
}

static size_t piece_end(const struct parse_options* o, size_t start, size_t size) {
  if (o->piece != 0 && o->piece < size - start) return start + o->piece;
  for (size_t i = 0; i < o->cut_count; i++) {
    if (o->cuts[i] > start && o->cuts[i] < size) return o->cuts[i];
  }
  return size;
}

static const char* reason_of(const struct run* r, const llhttp_t* parser) {
  const char* reason = r->library->get_error_reason(parser);
  return reason == NULL ? "" : reason;
}

/* Hands the end of the parse, or an upgrade that is ignored, to the sink. */
static void tell(struct run* r, const llhttp_t* parser, enum event_id id, llhttp_errno_t error, size_t offset) {
  if (r->sink == NULL) return;
  struct event e = {.id = id, .known = true, .offset = offset, .error = error};
  e.reason = error == HPE_OK ? "" : reason_of(r, parser);
  if (id == EVENT_upgrade) e.length = r->size - offset;
  r->sink(r->context, &e);
}

/* One piece, with every pause on the way. Returns what llhttp_execute said last. */
static llhttp_errno_t feed(struct run* r, llhttp_t* parser, const char* at, const char* end) {
  for (;;) {
    llhttp_errno_t error = r->library->execute(parser, at, (size_t)(end - at));
    if (error == HPE_PAUSED_UPGRADE && r->options->ignore_upgrade) {
      at = r->library->get_error_pos(parser);
      tell(r, parser, EVENT_upgrade, error, (size_t)(at - r->data));
      r->library->resume_after_upgrade(parser);
    } else if (error == HPE_PAUSED) {
      at = r->library->get_error_pos(parser);
      flush(r, true, (size_t)(at - r->data));
      r->library->resume(parser);
    } else {
      return error;
    }
    /* Also with nothing left: callbacks can still be due at the end of the piece. */
  }
}

struct result parse(const struct library* library, const struct parse_options* options, const char* data, size_t size,
                    event_sink sink, void* context) {
  struct run run = {
      .library = library, .options = options, .data = data, .size = size, .sink = sink, .context = context};
  llhttp_settings_t settings;
  llhttp_t parser;
  llhttp_ext_t ext;
  set_callbacks(&run, &settings);
  library->init(&parser, options->type, &settings);
  parser.data = &run;
  for (size_t i = 0; i < LENIENT_COUNT; i++) {
    if (options->lenient[i]) library->set_lenient[i](&parser, 1);
  }

  if (options->extended) {
    parse_extensions(library, options, &ext);
    if (sink != NULL) {
#define X(NAME) ext.on_##NAME = on_##NAME;
      EXT_SPANS(X)
      EXT_NOTIFICATIONS(X)
#undef X
    }
    library->ext_attach(&parser, &ext);
  }

  llhttp_errno_t error = HPE_OK;
  for (size_t start = 0, end; start < size && error == HPE_OK; start = end) {
    end = piece_end(options, start, size);
    error = feed(&run, &parser, data + start, data + end);
  }
  struct result result = {error, reason_of(&run, &parser), size};
  if (error != HPE_OK) {
    result.offset = (size_t)(library->get_error_pos(&parser) - data);
    flush(&run, true, result.offset);
    tell(&run, &parser, result_is_error(&result) ? EVENT_error : EVENT_upgrade, error, result.offset);
  } else if (options->finish) {
    run.finishing = true;
    result.error = library->finish(&parser);
    result.reason = reason_of(&run, &parser);
    tell(&run, &parser, result_is_error(&result) ? EVENT_error : EVENT_finish, result.error, size);
  }
  return result;
}
