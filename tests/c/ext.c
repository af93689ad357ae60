/* What llhttp_ext.h promises of a struct that is attached to a parser: when it is, when it is not any more, and that the
 * library never touches one that is not. */
#include "check.h"
#include "recorder.h"

#include "llhttp_ext.h"

static const char message[] = "POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\nX: y\r\n\r\n3;a=b\r\nabc\r\n0\r\nT: u\r\n\r\n";
enum { LENGTH = sizeof message - 1 };

static char expected[2000];

static void attached(void) {
  llhttp_t parser;
  llhttp_settings_t settings;
  llhttp_ext_t ext, other, raw;
  check_about = "attached";
  memset(&ext, 0xa5, sizeof ext);
  memset(&other, 0xa5, sizeof other);
  memset(&raw, 0xa5, sizeof raw);
  llhttp_ext_init(&ext);
  llhttp_ext_init(&other);
  CHECK_INT(sizeof ext, 256);
  CHECK_INT(ext.version, LLHTTP_EXT_VERSION);
  CHECK_INT(ext.rules, 0);
  llhttp_settings_init(&settings);
  memset(&parser, 0xa5, sizeof parser);
  llhttp_init(&parser, HTTP_REQUEST, &settings);
  CHECK_PTR(llhttp_ext_attached(&parser), NULL);
  CHECK_INT(llhttp_ext_attach(&parser, &ext), 0);
  CHECK_PTR(llhttp_ext_attached(&parser), &ext);
  CHECK_INT(llhttp_ext_attach(&parser, &raw), -1);
  CHECK_PTR(llhttp_ext_attached(&parser), &ext);
  CHECK_INT(llhttp_ext_attach(&parser, &other), 0);
  CHECK_PTR(llhttp_ext_attached(&parser), &other);
  CHECK_INT((int)llhttp_execute(&parser, message, LENGTH), HPE_OK);
  CHECK_PTR(llhttp_ext_attached(&parser), &other);
  llhttp_reset(&parser);
  CHECK_PTR(llhttp_ext_attached(&parser), &other);
  CHECK_INT(llhttp_ext_attach(&parser, NULL), 0);
  CHECK_PTR(llhttp_ext_attached(&parser), NULL);
  CHECK_INT(llhttp_ext_attach(&parser, &ext), 0);
  llhttp_init(&parser, HTTP_REQUEST, &settings);
  CHECK_PTR(llhttp_ext_attached(&parser), NULL);
}

/* In the k-th callback the struct is detached or another is attached, and its bytes are spoilt at once. */
enum act { NOTHING, DETACH, REPLACE, INIT, ATTACH };

struct plan {
  size_t at;
  enum act act;
  llhttp_ext_t ext, other;
};

static int plan_hook(struct rec *r, enum rec_kind kind, const char *at, size_t len) {
  struct plan *p = r->hook_data;
  (void)kind, (void)at, (void)len;
  if (r->count - 1 != p->at) return 0;
  switch (p->act) {
    case DETACH: CHECK_INT(llhttp_ext_attach(&r->parser, NULL), 0); break;
    case REPLACE: CHECK_INT(llhttp_ext_attach(&r->parser, &p->other), 0); break;
    case ATTACH: CHECK_INT(llhttp_ext_attach(&r->parser, &p->ext), 0); return 0;
    case INIT: {
      /* llhttp_init clears the fields under way, too: only what is attached counts here. */
      llhttp_t now = r->parser;
      llhttp_init(&r->parser, HTTP_REQUEST, &r->settings);
      CHECK_PTR(llhttp_ext_attached(&r->parser), NULL);
      r->parser = now;
      CHECK_INT(llhttp_ext_attach(&r->parser, NULL), 0);
      break;
    }
    default: return 0;
  }
  memset(&p->ext, 0xff, sizeof p->ext);
  return 0;
}

static void changed_in_callbacks(void) {
  static const enum act acts[] = {NOTHING, DETACH, REPLACE, INIT, ATTACH};
  size_t a, k, size, count = 1;
  for (a = 0; a < sizeof acts / sizeof *acts; a++) {
    for (k = 0; k < count; k++) {
      for (size = 1; size <= LENGTH; size = size < 4 ? size + 1 : size == LENGTH ? size + 1 : LENGTH) {
        struct plan p;
        struct rec r;
        size_t off;
        char *log;
        check_about = "changed in callbacks";
        p.at = k;
        p.act = acts[a];
        llhttp_ext_init(&p.ext);
        llhttp_ext_init(&p.other);
        rec_init(&r, HTTP_REQUEST);
        r.hook = plan_hook;
        r.hook_data = &p;
        if (p.act != ATTACH) CHECK_INT(llhttp_ext_attach(&r.parser, &p.ext), 0);
        for (off = 0; off < LENGTH; off += size)
          CHECK_INT((int)rec_execute(&r, message + off, LENGTH - off < size ? LENGTH - off : size, off), HPE_OK);
        if (p.act == NOTHING && size == LENGTH) count = r.count;
        r.count = rec_merge(r.events, r.count);
        log = rec_log(r.events, r.count, message);
        CHECK_STR(log, expected);
        CHECK_PTR(llhttp_ext_attached(&r.parser),
                  p.act == NOTHING || p.act == ATTACH ? &p.ext : p.act == REPLACE ? &p.other : NULL);
        free(log);
        rec_free(&r);
      }
    }
  }
  CHECK(count > 20);
}

int main(void) {
  struct rec r;
  char *log;
  rec_init(&r, HTTP_REQUEST);
  CHECK_INT((int)rec_execute(&r, message, LENGTH, 0), HPE_OK);
  log = rec_log(r.events, r.count, message);
  CHECK(strlen(log) < sizeof expected);
  strcpy(expected, log);
  free(log);
  rec_free(&r);
  attached();
  changed_in_callbacks();
  return check_done();
}
