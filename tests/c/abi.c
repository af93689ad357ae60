/* The calling convention, on both sides: llhttp_execute keeps the registers that a function must keep and the floating-point
 * mode; a callback finds an aligned stack, may spoil every register that a function may spoil, and may leave by longjmp. */
#include "check.h"
#include "recorder.h"

#include <setjmp.h>

#if defined(__x86_64__)

enum { KEPT = 6 };
/* Calls f(a, b, c) with a known value in each register that f must keep; afterwards out[] holds what is in them. */
long call_and_look(void* f, void* a, const void* b, size_t c, uint64_t* out);
__asm__(
    ".text\n"
    ".globl call_and_look\n"
    ".type call_and_look, @function\n"
    "call_and_look:\n"
    "  pushq %rbx\n  pushq %rbp\n  pushq %r12\n  pushq %r13\n  pushq %r14\n  pushq %r15\n"
    "  pushq %r8\n"
    "  movq %rdi, %rax\n  movq %rsi, %rdi\n  movq %rdx, %rsi\n  movq %rcx, %rdx\n"
    "  movq $0x1111111, %rbx\n  movq $0x2222222, %rbp\n  movq $0x3333333, %r12\n"
    "  movq $0x4444444, %r13\n  movq $0x5555555, %r14\n  movq $0x6666666, %r15\n"
    "  call *%rax\n"
    "  popq %r8\n"
    "  movq %rbx, (%r8)\n  movq %rbp, 8(%r8)\n  movq %r12, 16(%r8)\n"
    "  movq %r13, 24(%r8)\n  movq %r14, 32(%r8)\n  movq %r15, 40(%r8)\n"
    "  popq %r15\n  popq %r14\n  popq %r13\n  popq %r12\n  popq %rbp\n  popq %rbx\n"
    "  ret\n"
    ".size call_and_look, .-call_and_look\n"
    ".section .note.GNU-stack,\"\",@progbits\n.text\n");

static void spoil_registers(void) {
  __asm__ volatile(
      "movq $-1, %%rax\n movq $-2, %%rcx\n movq $-3, %%rdx\n movq $-4, %%rsi\n movq $-5, %%rdi\n"
      "movq $-6, %%r8\n movq $-7, %%r9\n movq $-8, %%r10\n movq $-9, %%r11\n"
      "pcmpeqb %%xmm0, %%xmm0\n movdqa %%xmm0, %%xmm1\n movdqa %%xmm0, %%xmm2\n movdqa %%xmm0, %%xmm3\n"
      "movdqa %%xmm0, %%xmm4\n movdqa %%xmm0, %%xmm5\n movdqa %%xmm0, %%xmm6\n movdqa %%xmm0, %%xmm7\n"
      "movdqa %%xmm0, %%xmm8\n movdqa %%xmm0, %%xmm9\n movdqa %%xmm0, %%xmm10\n movdqa %%xmm0, %%xmm11\n"
      "movdqa %%xmm0, %%xmm12\n movdqa %%xmm0, %%xmm13\n movdqa %%xmm0, %%xmm14\n movdqa %%xmm0, %%xmm15\n"
      "cmpq %%rax, %%rcx\n"
      :
      :
      : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",
        "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "cc", "memory");
}

static uint64_t get_mode(void) {
  uint32_t mxcsr;
  uint16_t x87, tags[14];
  uint64_t flags;
  __asm__ volatile("stmxcsr %0\n fnstcw %1\n fnstenv %2\n fldenv %2" : "=m"(mxcsr), "=m"(x87), "=m"(tags));
  __asm__ volatile("pushfq\n popq %0" : "=r"(flags));
  /* The control bits, the direction flag and the x87 tags: all empty, or nobody could use it. */
  return (mxcsr & 0xffc0u) | (uint64_t)x87 << 16 | (flags & 0x400) << 32 | (uint64_t)tags[4] << 48;
}

static void set_mode(int odd) {
  uint32_t mxcsr = odd ? 0xffc0u : 0x1f80u; /* round towards zero, flush to zero */
  uint16_t x87 = odd ? 0x0f7f : 0x037f;
  __asm__ volatile("ldmxcsr %0\n fldcw %1" : : "m"(mxcsr), "m"(x87));
}

#elif defined(__aarch64__)

enum { KEPT = 19 };
long call_and_look(void* f, void* a, const void* b, size_t c, uint64_t* out);
__asm__(
    ".text\n"
    ".globl call_and_look\n"
    ".type call_and_look, %function\n"
    "call_and_look:\n"
    "  stp x29, x30, [sp, #-176]!\n"
    "  stp x19, x20, [sp, #16]\n  stp x21, x22, [sp, #32]\n  stp x23, x24, [sp, #48]\n"
    "  stp x25, x26, [sp, #64]\n  stp x27, x28, [sp, #80]\n"
    "  stp d8, d9, [sp, #96]\n  stp d10, d11, [sp, #112]\n  stp d12, d13, [sp, #128]\n  stp d14, d15, [sp, #144]\n"
    "  str x4, [sp, #160]\n"
    "  mov x9, x0\n  mov x0, x1\n  mov x1, x2\n  mov x2, x3\n"
    "  mov x19, #0x1919\n  mov x20, #0x2020\n  mov x21, #0x2121\n  mov x22, #0x2222\n  mov x23, #0x2323\n"
    "  mov x24, #0x2424\n  mov x25, #0x2525\n  mov x26, #0x2626\n  mov x27, #0x2727\n  mov x28, #0x2828\n"
    "  mov x29, #0x2929\n"
    "  mov x10, #0x0808\n  fmov d8, x10\n  mov x10, #0x0909\n  fmov d9, x10\n  mov x10, #0x1010\n  fmov d10, x10\n"
    "  mov x10, #0x1111\n  fmov d11, x10\n  mov x10, #0x1212\n  fmov d12, x10\n  mov x10, #0x1313\n  fmov d13, x10\n"
    "  mov x10, #0x1414\n  fmov d14, x10\n  mov x10, #0x1515\n  fmov d15, x10\n"
    "  blr x9\n"
    "  ldr x4, [sp, #160]\n"
    "  stp x19, x20, [x4]\n  stp x21, x22, [x4, #16]\n  stp x23, x24, [x4, #32]\n  stp x25, x26, [x4, #48]\n"
    "  stp x27, x28, [x4, #64]\n  str x29, [x4, #80]\n"
    "  stp d8, d9, [x4, #88]\n  stp d10, d11, [x4, #104]\n  stp d12, d13, [x4, #120]\n  stp d14, d15, [x4, #136]\n"
    "  ldp x19, x20, [sp, #16]\n  ldp x21, x22, [sp, #32]\n  ldp x23, x24, [sp, #48]\n"
    "  ldp x25, x26, [sp, #64]\n  ldp x27, x28, [sp, #80]\n"
    "  ldp d8, d9, [sp, #96]\n  ldp d10, d11, [sp, #112]\n  ldp d12, d13, [sp, #128]\n  ldp d14, d15, [sp, #144]\n"
    "  ldp x29, x30, [sp], #176\n"
    "  ret\n"
    ".size call_and_look, .-call_and_look\n"
    ".section .note.GNU-stack,\"\",%progbits\n.text\n");

static void spoil_registers(void) {
  __asm__ volatile(
      "mov x0, #-1\n mov x1, #-2\n mov x2, #-3\n mov x3, #-4\n mov x4, #-5\n mov x5, #-6\n mov x6, #-7\n mov x7, #-8\n"
      "mov x8, #-9\n mov x9, #-10\n mov x10, #-11\n mov x11, #-12\n mov x12, #-13\n mov x13, #-14\n mov x14, #-15\n"
      "mov x15, #-16\n mov x16, #-17\n mov x17, #-18\n"
      "movi v0.16b, #255\n mov v1.16b, v0.16b\n mov v2.16b, v0.16b\n mov v3.16b, v0.16b\n mov v4.16b, v0.16b\n"
      "mov v5.16b, v0.16b\n mov v6.16b, v0.16b\n mov v7.16b, v0.16b\n mov v16.16b, v0.16b\n mov v17.16b, v0.16b\n"
      "mov v18.16b, v0.16b\n mov v19.16b, v0.16b\n mov v20.16b, v0.16b\n mov v21.16b, v0.16b\n mov v22.16b, v0.16b\n"
      "mov v23.16b, v0.16b\n mov v24.16b, v0.16b\n mov v25.16b, v0.16b\n mov v26.16b, v0.16b\n mov v27.16b, v0.16b\n"
      "mov v28.16b, v0.16b\n mov v29.16b, v0.16b\n mov v30.16b, v0.16b\n mov v31.16b, v0.16b\n"
      :
      :
      : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16",
        "x17", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23",
        "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31", "memory");
}

static uint64_t get_mode(void) {
  uint64_t fpcr;
  __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
  return fpcr;
}

static void set_mode(int odd) {
  uint64_t fpcr = odd ? 3u << 22 | 1u << 24 : 0; /* round towards zero, flush to zero */
  __asm__ volatile("msr fpcr, %0" : : "r"(fpcr));
}

#endif

static const struct {
  llhttp_type_t type;
  const char* input;
} messages[] = {
    {HTTP_REQUEST,
     "POST /path?query HTTP/1.1\r\nHost: example.org\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101\r\n"
     "Cookie: a=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\r\nA:\r\n"
     "Transfer-Encoding: chunked\r\n\r\n5;n=v;q=\"s\"\r\nhello\r\n0\r\nT: v\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n"},
    {HTTP_RESPONSE, "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nServer: s\r\n\r\nabcHTTP/1.0 404 Not Found\r\n\r\nrest"},
    {HTTP_REQUEST, "GET / HTTP/1.1\r\nA: b\r\nContent-Length: x\r\n\r\n"},
};
enum { MESSAGES = sizeof messages / sizeof *messages };

static void check_same(struct rec* got, struct rec* want) {
  size_t i, n = rec_merge(got->events, got->count);
  CHECK_INT(n, want->count);
  for (i = 0; i < n && i < want->count; i++)
    if (!CHECK(rec_same(&got->events[i], &want->events[i]))) break;
  CHECK_INT((int)llhttp_get_errno(&got->parser), (int)llhttp_get_errno(&want->parser));
}

#if defined(__x86_64__) || defined(__aarch64__)

static uint64_t mode_before;
static uintptr_t misaligned;
static int modes_changed;

__attribute__((noinline)) static int spoiling_hook(struct rec* r, enum rec_kind kind, const char* at, size_t len) {
  (void)r, (void)kind, (void)at, (void)len;
  misaligned |= (uintptr_t)__builtin_frame_address(0) & 15;
  modes_changed += get_mode() != mode_before;
  spoil_registers();
  return 0;
}

static void registers(void) {
  size_t m, size, off;
  int odd;
  for (m = 0; m < MESSAGES; m++) {
    const char* input = messages[m].input;
    size_t len = strlen(input);
    for (odd = 0; odd < 2; odd++) {
      for (size = 1; size <= len; size = size < 40 ? size + 1 : size < len ? len : len + 1) {
        struct rec calm, r;
        int err = HPE_OK;
        rec_init(&calm, messages[m].type);
        rec_execute(&calm, input, len, 0);
        rec_init(&r, messages[m].type);
        r.hook = spoiling_hook;
        for (off = 0; off < len && err == HPE_OK; off += size) {
          uint64_t kept[KEPT];
          size_t n = len - off < size ? len - off : size, i;
          r.piece = input + off;
          r.piece_len = n;
          r.piece_off = off;
          set_mode(odd);
          mode_before = get_mode();
          err = (int)call_and_look((void*)llhttp_execute, &r.parser, input + off, n, kept);
          modes_changed += get_mode() != mode_before;
          set_mode(0);
          for (i = 0; i < KEPT; i++) {
#if defined(__x86_64__)
            uint64_t want = 0x1111111u * (i + 1);
#else
            static const uint64_t want_kept[KEPT] = {0x1919, 0x2020, 0x2121, 0x2222, 0x2323, 0x2424, 0x2525,
                                                     0x2626, 0x2727, 0x2828, 0x2929, 0x0808, 0x0909, 0x1010,
                                                     0x1111, 0x1212, 0x1313, 0x1414, 0x1515};
            uint64_t want = want_kept[i];
#endif
            check_that(kept[i] == want, __FILE__, __LINE__, "kept register %zu is %llx", i,
                       (unsigned long long)kept[i]);
          }
        }
        check_same(&r, &calm);
        rec_free(&r);
        rec_free(&calm);
      }
    }
  }
  CHECK_INT(misaligned, 0);
  CHECK_INT(modes_changed, 0);
}

#endif

/* ---- longjmp out of a callback ---- */

static jmp_buf jump;
static size_t jump_at;

static int jumping_hook(struct rec* r, enum rec_kind kind, const char* at, size_t len) {
  (void)kind, (void)at, (void)len;
  if (r->count == jump_at) longjmp(jump, 1);
  return 0;
}

static void jumps(void) {
  static struct rec calm, r;
  static size_t m, at;
  check_about = "longjmp out of a callback";
  for (m = 0; m < MESSAGES; m++) {
    size_t len = strlen(messages[m].input);
    rec_init(&calm, messages[m].type);
    rec_execute(&calm, messages[m].input, len, 0);
    for (at = 1; at <= calm.count; at++) {
      rec_init(&r, messages[m].type);
      jump_at = at;
      r.hook = jumping_hook;
      if (setjmp(jump) == 0) {
        rec_execute(&r, messages[m].input, strlen(messages[m].input), 0);
        CHECK(!"the callback returned");
      }
      CHECK_INT(r.count, at);
      /* The parser is of no use any more, until it is initialised. */
      rec_free(&r);
      rec_init(&r, messages[m].type);
      rec_execute(&r, messages[m].input, strlen(messages[m].input), 0);
      check_same(&r, &calm);
      rec_free(&r);
    }
    rec_free(&calm);
  }
}

int main(void) {
#if defined(__x86_64__) || defined(__aarch64__)
  registers();
#endif
  jumps();
  check_about = "";
  return check_done();
}
