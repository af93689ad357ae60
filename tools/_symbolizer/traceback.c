/* The host's C frames behind a call into Go, for Go's crash reports: the module that symbolizer.go imports gives
 * names to addresses, but finds addresses on the current stack only, and Go runs on another one.
 *
 * Go asks for a context at each call from C, and for the addresses that belong to it at a crash. They are taken at
 * the call, as the C stack cannot be unwound later. Calls do not nest, since the parser never calls back: one context
 * a thread will do. A call that comes while Go is still starting, as the first one does, has no context. The linker
 * is told to --wrap the module's function. */
#include <stdint.h>
#include <string.h>
#include <unwind.h>

enum { MOST = 64 };

/* Return addresses, a 0 behind the last. */
static __thread uintptr_t callers[MOST + 1];

struct walk {
  int skip, count;
};

static _Unwind_Reason_Code note(struct _Unwind_Context* context, void* arg) {
  struct walk* walk = arg;
  if (walk->skip > 0) {
    walk->skip--;
    return _URC_NO_REASON;
  }
  if (_Unwind_GetIP(context) == 0) return _URC_END_OF_STACK;
  /* Of the call, not of what comes after it. */
  callers[walk->count] = (uintptr_t)_Unwind_GetIP(context) - 1;
  return ++walk->count == MOST ? _URC_END_OF_STACK : _URC_NO_REASON;
}

/* Arguments as runtime.SetCgoTraceback has them. */

extern void llhttp_symbolizer_context(void* arg);
void llhttp_symbolizer_context(void* arg) {
  uintptr_t* context = arg;
  struct walk walk = {2, 0}; /* this function, and cgo's that calls it */
  if (*context != 0) return; /* the call is over */
  _Unwind_Backtrace(note, &walk);
  callers[walk.count] = 0;
  *context = (uintptr_t)callers;
}

extern void __real_cgoTraceback(void* arg);
extern void __wrap_cgoTraceback(void* arg);
void __wrap_cgoTraceback(void* arg) {
  struct {
    uintptr_t context, signal_context;
    uintptr_t* addresses;
    uintptr_t most;
  }* wanted = arg;
  const uintptr_t* from = (const uintptr_t*)wanted->context;
  uintptr_t i;
  if (from == NULL) {
    __real_cgoTraceback(arg);
    return;
  }
  for (i = 0; i < wanted->most; i++)
    if ((wanted->addresses[i] = from[i]) == 0) break;
}
