/* A program that is not linked with the library loads it when it already has threads, parses in them, closes it, and
 * does so again.
 *
 *   dlopen LIBRARY
 */
#include "check.h"
#include "llhttp.h"

#include <dlfcn.h>
#include <pthread.h>

enum { THREADS = 4, TIMES = 5, PARSES = 1000 };

static const char request[] =
    "POST /path?query HTTP/1.1\r\nHost: example.org\r\nTransfer-Encoding: chunked\r\n\r\n"
    "5;a=b\r\nhello\r\n0\r\nTrailer: t\r\n\r\n";

static struct {
  __typeof__(&llhttp_settings_init) settings_init;
  __typeof__(&llhttp_init) init;
  __typeof__(&llhttp_execute) execute;
  __typeof__(&llhttp_errno_name) errno_name;
} api;

static pthread_barrier_t loaded;

static int on_body(llhttp_t* p, const char* at, size_t length) {
  *(size_t*)p->data += length;
  return memcmp(at, "hello", length);
}

static void* parse(void* unused) {
  llhttp_settings_t settings;
  llhttp_t parser;
  size_t i, body;
  pthread_barrier_wait(&loaded);
  api.settings_init(&settings);
  settings.on_body = on_body;
  for (i = 0; i < PARSES; i++) {
    body = 0;
    api.init(&parser, HTTP_REQUEST, &settings);
    parser.data = &body;
    CHECK_INT(api.execute(&parser, request, sizeof request - 1), HPE_OK);
    CHECK_INT(parser.method, HTTP_POST);
    CHECK_INT(body, 5);
    CHECK_INT(api.execute(&parser, "\001", 1), HPE_INVALID_METHOD);
  }
  return unused;
}

int main(int argc, char** argv) {
  int i, t;
  if (argc != 2) {
    fprintf(stderr, "usage: dlopen LIBRARY\n");
    return 2;
  }
  for (i = 0; i < TIMES; i++) {
    pthread_t threads[THREADS];
    void* handle;
    pthread_barrier_init(&loaded, NULL, THREADS + 1);
    for (t = 0; t < THREADS; t++) CHECK_INT(pthread_create(&threads[t], NULL, parse, NULL), 0);
    handle = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!CHECK(handle != NULL)) {
      fprintf(stderr, "%s\n", dlerror());
      return check_done();
    }
    *(void**)&api.settings_init = dlsym(handle, "llhttp_settings_init");
    *(void**)&api.init = dlsym(handle, "llhttp_init");
    *(void**)&api.execute = dlsym(handle, "llhttp_execute");
    *(void**)&api.errno_name = dlsym(handle, "llhttp_errno_name");
    CHECK(api.settings_init != NULL && api.init != NULL && api.execute != NULL && api.errno_name != NULL);
    CHECK_STR(api.errno_name(HPE_INVALID_METHOD), "HPE_INVALID_METHOD");
    pthread_barrier_wait(&loaded);
    for (t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
    pthread_barrier_destroy(&loaded);
    CHECK_INT(dlclose(handle), 0);
  }
  return check_done();
}
