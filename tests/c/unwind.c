/* What a debugger, a profiler and an exception need: from every instruction of the library the stack can be unwound
 * to main, and the registers that a caller must get back are found where the library has put them.
 *
 * The unwinder is the one of the C++ runtime, which reads the tables in the library. On x86-64 parses, and calls of
 * llhttp_ext.h's functions, are stepped through with the CPU's trap flag, at every level: the table is asked at each
 * instruction. On every machine it is asked in a storm of signals, as profilers do. LLHTTP_TEST_STORM: how many signals
 * (400). LLHTTP_TEST_EMULATED: do without the trap flag.
 *
 *   unwind            everything
 *   unwind --parse    only these calls, at every level, so that each function of the library is called: for a debugger to
 *                     look at */
#include "../head/collide.h"
#include "check.h"
#include "http_parser.h"
#include "llhttp.h"
#include "llhttp_ext.h"

#include <errno.h>
#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <ucontext.h>
#include <unwind.h>

#define STRICT LLHTTP_EXT_STRICT_ALL
#define TOLERANT \
  (LLHTTP_EXT_TOLERATE_REPEATED_CONTENT_LENGTH | LLHTTP_EXT_TOLERATE_UNKNOWN_METHODS | \
   LLHTTP_EXT_TOLERATE_UTF8_TARGET | LLHTTP_EXT_TOLERATE_STATUS_LINE_SPACES | LLHTTP_EXT_TOLERATE_BAD_FIELD_LINES)

static const struct {
  llhttp_type_t type;
  const char* input;
  uint32_t rules; /* with some, limits are set as well */
} messages[] = {
    {HTTP_REQUEST,
     "POST /path?query#fragment HTTP/1.1\r\nHost: example.org\r\n"
     "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko\r\nA:\r\nConnection: keep-alive\r\n"
     "Transfer-Encoding: chunked\r\n\r\n5;n=v;q=\"s\"\r\nhello\r\n0\r\nT: v\r\n\r\n"
     "GET http://h:80/ HTTP/1.0\r\nHost: h\r\n\r\n",
     0},
    {HTTP_RESPONSE,
     "HTTP/1.1 200 OK\r\nServer: s\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 3\r\n\r\nabc"
     "HTTP/1.1 304 Not Modified\r\nETag: \"0123456789\"\r\n\r\nHTTP/1.0 404 Not Found\r\n\r\nrest",
     0},
    {HTTP_REQUEST,
     "CONNECT [::1]:443 HTTP/1.1\r\nUpgrade: x\r\nConnection: upgrade, close\r\nContent-Length: 0\r\n\r\nmore", 0},
    {HTTP_REQUEST, "GET / HTTP/1.1\r\nGood: line\r\nBad\001: x\r\n\r\n", 0},
    {HTTP_REQUEST, "GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n", 0},
    {HTTP_REQUEST,
     "POST / HTTP/1.0\r\nHost: example.org\r\nUser-Agent: a browser\r\nConnection: keep-alive\r\n"
     "Content-Length: 1\r\n\r\nxCONNECT a.b:443 HTTP/1.1\r\nHost: a.b\r\nHost: c\r\n\r\n",
     STRICT},
    {HTTP_BOTH,
     "HEADS /\303\274 HTTP/1.1\r\nContent-Length: 12, 12\r\nX (y): z\r\n: no name\r\nA: b\001c\r\n\r\n123456789012",
     TOLERANT},
    {HTTP_RESPONSE, "HTTP/1.0  200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: ,chunked\t\r\n\r\n0\r\n\r\n",
     STRICT | TOLERANT},
};
enum { MESSAGES = sizeof messages / sizeof *messages };

static int on_event(llhttp_t* p) {
  (void)p;
  return 0;
}
static int on_bytes(llhttp_t* p, const char* at, size_t len) {
  (void)p, (void)at, (void)len;
  return 0;
}
/* Pauses, so that the driver goes back in its batch. */
static int on_value(llhttp_t* p, const char* at, size_t len) {
  (void)at;
  return len == 1 && p->data != NULL ? HPE_PAUSED : 0;
}

static const llhttp_settings_t settings = {
    .on_message_begin = on_event,
    .on_url = on_bytes,
    .on_status = on_bytes,
    .on_method = on_bytes,
    .on_version = on_bytes,
    .on_header_field = on_bytes,
    .on_header_value = on_value,
    .on_headers_complete = on_event,
    .on_body = on_bytes,
    .on_chunk_extension_name = on_bytes,
    .on_chunk_header = on_event,
    .on_chunk_complete = on_event,
    .on_message_complete = on_event,
    .on_reset = on_event,
};

typedef llhttp_errno_t execute_fn(llhttp_t* p, const char* data, size_t len);

/* The message in pieces, by llhttp_execute or by what calls it. */
static void parse(execute_fn* execute, size_t m, size_t size, const llhttp_settings_t* s, int pausing) {
  const char *at = messages[m].input, *end = at + strlen(at);
  llhttp_t p;
  llhttp_ext_t ext;
  llhttp_init(&p, messages[m].type, s);
  if (messages[m].rules != 0) {
    llhttp_ext_init(&ext);
    ext.rules = messages[m].rules;
    ext.max_target_length = ext.max_field_line_length = ext.max_header_bytes = 1000;
    llhttp_ext_attach(&p, &ext);
  }
  if (pausing) p.data = &p;
  while (at < end) {
    size_t n = (size_t)(end - at) < size ? (size_t)(end - at) : size;
    llhttp_errno_t err = execute(&p, at, n);
    if (err == HPE_PAUSED) {
      at = llhttp_get_error_pos(&p);
      llhttp_resume(&p);
    } else if (err == HPE_OK) {
      at += n;
    } else {
      break;
    }
  }
}

/* Calls the functions beside the parser, each on what takes it everywhere. */
static void extensions(void) {
  static const char text[] = "close, \"a\\\",\" , text/html;q=\"0.5\";level=1;flag, Close";
  static const char* const lengths[] = {"12, 12", "12, 13", "99999999999999999999", "\"", "x"};
  static const char* const targets[] = {"/path?query#fragment of no form",
                                        "https://user%20@[1:2::3:4.5.6.7]:80/path?query#fragment",
                                        "http://[v1.x]/",
                                        "example.org:443",
                                        "http://1.2.3.4/",
                                        "http://a%2/",
                                        "*"};
  llhttp_ext_list_t list;
  llhttp_ext_parameters_t parameters;
  llhttp_ext_target_t target;
  struct http_parser_url url;
  uint64_t number;
  size_t i;
  llhttp_ext_list_init(&list, text, sizeof text - 1);
  while (llhttp_ext_list_next(&list) > 0) {
    llhttp_ext_parameters_init(&parameters, list.value + list.offset, list.size);
    while (llhttp_ext_parameters_next(&parameters) > 0) continue;
  }
  for (i = 0; i < sizeof lengths / sizeof *lengths; i++)
    llhttp_ext_content_length(lengths[i], strlen(lengths[i]), &number);
  llhttp_ext_has_token(text, sizeof text - 1, "close", 5);
  for (i = 0; i < sizeof targets / sizeof *targets; i++) {
    llhttp_ext_target_parse(targets[i], strlen(targets[i]), 0, &target);
    llhttp_ext_target_parse(targets[i], strlen(targets[i]), 1, &target);
    http_parser_parse_url(targets[i], strlen(targets[i]), 0, &url);
    http_parser_parse_url(targets[i], strlen(targets[i]), 1, &url);
  }
  llhttp_ext_list_init(&list, "a\001", 2);
  llhttp_ext_list_next(&list);
  llhttp_ext_parameters_init(&parameters, "a;b=\"", 6);
  llhttp_ext_parameters_next(&parameters);
}

/* Calls the tape and the head, likewise. The names in section collide, so that they are sorted. */
static char section[1024];

static void make_section(void) {
  char names[12][17];
  size_t i, len = (size_t)sprintf(section,
                                  "GET / HTTP/1.1\r\nSec-Fetch-Mode: a \r\nHost: b\r\nTE: c\r\nHost: d\r\nHost: e\r\n"
                                  "Content-Security-Policy-Report-Only: f\r\nX-A-Name-That-Is-Rather-Long: g\r\n");
  collide(names, 12);
  for (i = 0; i < 24; i++) len += (size_t)sprintf(section + len, "%s: h\r\n", names[i % 12]);
  sprintf(section + len, "\r\n");
}

static void tape_and_head(void) {
  static const char request[] =
      "POST /a HTTP/1.1\r\nHost: b\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nc\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n";
  static const char response[] = "HTTP/1.1 200 OK\r\nConnection: a, close\r\nX: b\r\n\r\nc";
  static const char names[] =
      "A: 1\r\nB: 1\r\nC: 1\r\nD: 1\r\nE: 1\r\nF: 1\r\nG: 1\r\nH: 1\r\nI: 1\r\nJ: 1\r\nK: 1\r\nL: 1\r\na: 2\r\n";
  static uint64_t memory[LLHTTP_EXT_HEAD_MEMORY(50) / 8];
  static char many[sizeof names + 64];
  llhttp_ext_event_t events[200];
  llhttp_ext_tape_t tape = {events, 200, LLHTTP_EXT_TAPE_ALL, 0, 0, 0};
  llhttp_ext_head_t head;
  llhttp_t p;
  size_t i;
  for (tape.room = 3; tape.room <= 200; tape.room += 197) {
    const char* at = request;
    llhttp_init(&p, HTTP_REQUEST, NULL);
    while (llhttp_ext_execute(&p, at, (size_t)(request + sizeof request - 1 - at), &tape) == LLHTTP_EXT_TAPE_FULL)
      at += tape.consumed;
    llhttp_init(&p, HTTP_RESPONSE, NULL);
    llhttp_ext_execute(&p, response, sizeof response - 1, &tape);
    llhttp_ext_finish(&p, &tape);
  }
  llhttp_ext_head_init(&head, HTTP_REQUEST, memory, sizeof memory);
  llhttp_ext_head_parse(&head, section, 60);
  llhttp_ext_head_parse(&head, section, strlen(section));
  llhttp_ext_head_find(&head, section, "x-a-name-that-is-rather-long", 28);
  llhttp_ext_head_find(&head, section, "host", 4);
  i = (size_t)sprintf(many, "GET / HTTP/1.1\r\n%s\r\n", names);
  llhttp_ext_head_parse(&head, many, i);
  llhttp_ext_head_find(&head, many, "L", 1);
  llhttp_ext_head_init(&head, HTTP_RESPONSE, memory, sizeof memory);
  llhttp_ext_head_parse(&head, response, sizeof response - 1);
}

/* ---- the library's place ---- */

static uintptr_t text_start, text_end;
static char library_path[4096];
static uintptr_t library_base;

static int find_library(struct dl_phdr_info* info, size_t size, void* unused) {
  int i;
  (void)size, (void)unused;
  if (strstr(info->dlpi_name, "libllhttp.so") == NULL) return 0;
  for (i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_LOAD || !(info->dlpi_phdr[i].p_flags & PF_X)) continue;
    text_start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    text_end = text_start + info->dlpi_phdr[i].p_memsz;
  }
  snprintf(library_path, sizeof library_path, "%s", info->dlpi_name);
  library_base = info->dlpi_addr;
  return 1;
}

/* The library's functions. */
struct function {
  uintptr_t start, size;
  const char* name;
  int go; /* Go or assembly: of what a call in it must keep, it needs the frame pointer alone */
};

static struct function* functions;
static size_t function_count;
static char* names_file;

static const struct function* function_at(uintptr_t pc) {
  size_t i;
  for (i = 0; i < function_count; i++)
    if (pc - functions[i].start < functions[i].size) return &functions[i];
  return NULL;
}

static const char* const go_prefixes[] = {"llhttpgo/", "llhttp_core_", "tailmasks"};

/* All functions, from the symbol table in the file. The file's content stays: the names are in it. */
static void read_symbols(void) {
  FILE* f = fopen(library_path, "rb");
  const ElfW(Ehdr) * header;
  const ElfW(Shdr) * sections;
  char* file;
  long size;
  size_t i, k, g;
  if (f == NULL || fseek(f, 0, SEEK_END) != 0 || (size = ftell(f)) < (long)sizeof *header) exit(2);
  if ((file = malloc((size_t)size)) == NULL) exit(2);
  rewind(f);
  if (fread(file, 1, (size_t)size, f) != (size_t)size) exit(2);
  fclose(f);
  header = (const ElfW(Ehdr)*)file;
  sections = (const ElfW(Shdr)*)(file + header->e_shoff);
  for (i = 0; i < header->e_shnum; i++) {
    const ElfW(Sym)* symbols = (const ElfW(Sym)*)(file + sections[i].sh_offset);
    const char* names = file + sections[sections[i].sh_link].sh_offset;
    size_t count = sections[i].sh_size / sizeof *symbols;
    if (sections[i].sh_type != SHT_SYMTAB) continue;
    functions = calloc(count, sizeof *functions);
    if (functions == NULL) exit(2);
    for (k = 0; k < count; k++) {
      const char* name = names + symbols[k].st_name;
      if ((symbols[k].st_info & 15) != STT_FUNC || symbols[k].st_size == 0) continue;
      functions[function_count].start = library_base + symbols[k].st_value;
      functions[function_count].size = symbols[k].st_size;
      functions[function_count].name = name;
      for (g = 0; g < sizeof go_prefixes / sizeof *go_prefixes; g++)
        functions[function_count].go |= strncmp(name, go_prefixes[g], strlen(go_prefixes[g])) == 0;
      function_count++;
    }
  }
  names_file = file;
}

/* ---- each instruction ---- */

#if defined(__x86_64__)

/* Calls f(a, b, c) with the trap flag set, and a known value in each register that f must keep. A frame that returns to
 * stepped_call_site is this function's. */
long stepped_call(void* f, void* a, const void* b, size_t c);
extern const char stepped_call_site[];
__asm__(
    ".text\n"
    ".globl stepped_call\n"
    ".type stepped_call, @function\n"
    "stepped_call:\n"
    "  .cfi_startproc\n"
    "  pushq %rbx\n  .cfi_adjust_cfa_offset 8\n  .cfi_rel_offset %rbx, 0\n"
    "  pushq %rbp\n  .cfi_adjust_cfa_offset 8\n  .cfi_rel_offset %rbp, 0\n"
    "  pushq %r12\n  .cfi_adjust_cfa_offset 8\n  .cfi_rel_offset %r12, 0\n"
    "  pushq %r13\n  .cfi_adjust_cfa_offset 8\n  .cfi_rel_offset %r13, 0\n"
    "  pushq %r14\n  .cfi_adjust_cfa_offset 8\n  .cfi_rel_offset %r14, 0\n"
    "  pushq %r15\n  .cfi_adjust_cfa_offset 8\n  .cfi_rel_offset %r15, 0\n"
    "  subq $8, %rsp\n  .cfi_adjust_cfa_offset 8\n"
    "  movq %rdi, %rax\n  movq %rsi, %rdi\n  movq %rdx, %rsi\n  movq %rcx, %rdx\n"
    "  movq $0x1111111, %rbx\n  movq $0x2222222, %rbp\n  movq $0x3333333, %r12\n"
    "  movq $0x4444444, %r13\n  movq $0x5555555, %r14\n  movq $0x6666666, %r15\n"
    "  pushfq\n  .cfi_adjust_cfa_offset 8\n"
    "  orq $0x100, (%rsp)\n"
    "  popfq\n  .cfi_adjust_cfa_offset -8\n"
    "  call *%rax\n"
    ".globl stepped_call_site\n"
    "stepped_call_site:\n"
    "  pushfq\n  .cfi_adjust_cfa_offset 8\n"
    "  andq $~0x100, (%rsp)\n"
    "  popfq\n  .cfi_adjust_cfa_offset -8\n"
    "  addq $8, %rsp\n  .cfi_adjust_cfa_offset -8\n"
    "  popq %r15\n  .cfi_adjust_cfa_offset -8\n  .cfi_restore %r15\n"
    "  popq %r14\n  .cfi_adjust_cfa_offset -8\n  .cfi_restore %r14\n"
    "  popq %r13\n  .cfi_adjust_cfa_offset -8\n  .cfi_restore %r13\n"
    "  popq %r12\n  .cfi_adjust_cfa_offset -8\n  .cfi_restore %r12\n"
    "  popq %rbp\n  .cfi_adjust_cfa_offset -8\n  .cfi_restore %rbp\n"
    "  popq %rbx\n  .cfi_adjust_cfa_offset -8\n  .cfi_restore %rbx\n"
    "  ret\n"
    "  .cfi_endproc\n"
    ".size stepped_call, .-stepped_call\n");

enum { KEPT = 6, DEEPEST = 32 };
static const struct {
  int number, greg; /* DWARF's, the context's */
  uint64_t value;
} kept[KEPT] = {{6, REG_RBP, 0x2222222},  {3, REG_RBX, 0x1111111},  {12, REG_R12, 0x3333333},
                {13, REG_R13, 0x4444444}, {14, REG_R14, 0x5555555}, {15, REG_R15, 0x6666666}};

/* The calls under way into functions of the library: what the unwinder has to find in the frame of the caller. */
static struct call {
  uintptr_t site, sp;
  uint64_t regs[KEPT];
  int from_go;
} calls[DEEPEST];
static size_t call_count;

static uintptr_t main_site; /* where the function that main called returns to */
static unsigned long stepped, steps_bad;
static uintptr_t first_bad;
static unsigned char* stepped_at; /* how often, for each byte of the library's code */

/* What a walk has found. */
struct look {
  int at_call, at_main, kept;
  size_t calls; /* still to be found */
  int wrong;
};

static _Unwind_Reason_Code look_at(struct _Unwind_Context* context, void* arg) {
  struct look* look = arg;
  uintptr_t pc = (uintptr_t)_Unwind_GetIP(context), sp = (uintptr_t)_Unwind_GetCFA(context);
  size_t i;
  if (look->calls > 0 && pc == calls[look->calls - 1].site && sp == calls[look->calls - 1].sp) {
    const struct call* c = &calls[--look->calls];
    for (i = 0; i < (c->from_go ? 1 : KEPT); i++) look->wrong |= _Unwind_GetGR(context, kept[i].number) != c->regs[i];
  }
  if (pc == (uintptr_t)stepped_call_site) {
    look->at_call = 1;
    for (i = 0; i < KEPT; i++) look->kept += _Unwind_GetGR(context, kept[i].number) == kept[i].value;
  }
  look->at_main |= pc == main_site;
  return _URC_NO_REASON;
}

/* Notes calls and returns, those into the host, too. */
static void follow(const greg_t* regs) {
  const uintptr_t sp = (uintptr_t)regs[REG_RSP];
  const struct function *f = function_at((uintptr_t)regs[REG_RIP]), *caller;
  struct call* c;
  size_t i;
  while (call_count > 0 && sp >= calls[call_count - 1].sp) call_count--;
  if (f == NULL || (uintptr_t)regs[REG_RIP] != f->start || strstr(f->name, ".cold") != NULL) return;
  if (call_count > 0 && calls[call_count - 1].sp == sp + 8) return; /* jumped to, by what was called */
  if (call_count == DEEPEST) abort();
  c = &calls[call_count];
  c->site = *(const uintptr_t*)sp;
  c->sp = sp + 8;
  for (i = 0; i < KEPT; i++) c->regs[i] = (uint64_t)regs[kept[i].greg];
  caller = function_at(c->site);
  c->from_go = caller != NULL && caller->go;
  call_count++;
}

static void on_trap(int sig, siginfo_t* info, void* context) {
  const greg_t* regs = ((ucontext_t*)context)->uc_mcontext.gregs;
  uintptr_t pc = (uintptr_t)regs[REG_RIP];
  struct look look = {0, 0, 0, 0, 0};
  (void)sig, (void)info;
  follow(regs);
  if (pc < text_start || pc >= text_end) return;
  stepped++;
  if (stepped_at[pc - text_start] == 8) return; /* looked at in enough states */
  stepped_at[pc - text_start]++;
  look.calls = call_count;
  _Unwind_Backtrace(look_at, &look);
  if (look.at_call && look.at_main && look.kept == KEPT && look.calls == 0 && !look.wrong) return;
  if (steps_bad++ == 0) first_bad = pc;
}

static long step_through(void* f, void* a, const void* b, size_t c) {
  call_count = 0;
  return stepped_call(f, a, b, c);
}

static llhttp_errno_t execute_stepped(llhttp_t* p, const char* data, size_t len) {
  return (llhttp_errno_t)step_through((void*)llhttp_execute, p, data, len);
}

__attribute__((noinline)) static void each_instruction(void) {
  const int before = llhttp_ext_simd_get();
  struct sigaction sa, old;
  size_t m, i, places = 0;
  int level;
  main_site = (uintptr_t)__builtin_return_address(0);
  stepped_at = calloc(1, text_end - text_start);
  if (stepped_at == NULL) exit(2);
  memset(&sa, 0, sizeof sa);
  sa.sa_sigaction = on_trap;
  sa.sa_flags = SA_SIGINFO;
  sigaction(SIGTRAP, &sa, &old);
  for (level = LLHTTP_EXT_SIMD_GENERIC; level <= LLHTTP_EXT_SIMD_AVX2; level++) {
    if (!(llhttp_ext_simd_available() >> level & 1)) continue;
    check_about = llhttp_ext_simd_name(level);
    step_through((void*)llhttp_ext_simd_set, (void*)(intptr_t)level, NULL, 0);
    CHECK_INT(step_through((void*)llhttp_ext_simd_get, NULL, NULL, 0), level);
    for (m = 0; m < MESSAGES; m++) {
      parse(execute_stepped, m, SIZE_MAX, &settings, 0);
      if (llhttp_ext_simd_available() >> level != 1) continue; /* what follows is long, and not about kernels */
      parse(execute_stepped, m, SIZE_MAX, &settings, 1);
      parse(execute_stepped, m, 37, &settings, 0);
      parse(execute_stepped, m, SIZE_MAX, NULL, 0);
    }
    step_through((void*)extensions, NULL, NULL, 0);
    step_through((void*)tape_and_head, NULL, NULL, 0);
    check_that(steps_bad == 0, __FILE__, __LINE__, "%lu of %lu steps are unwound wrongly, the first at %s+0x%lx",
               steps_bad, stepped, function_at(first_bad) ? function_at(first_bad)->name : "?",
               (unsigned long)(first_bad - (function_at(first_bad) ? function_at(first_bad)->start : text_start)));
  }
  llhttp_ext_simd_set(before);
  sigaction(SIGTRAP, &old, NULL);
  for (i = 0; i < text_end - text_start; i++) places += stepped_at[i] != 0;
  check_about = "each instruction";
  printf("%lu steps on %zu instructions\n", stepped, places);
  for (i = 0; i < function_count; i++) {
    const struct function* f = &functions[i];
    if (f->go) check_that(stepped_at[f->start - text_start] != 0, __FILE__, __LINE__, "%s was not called", f->name);
  }
  free(stepped_at);
}

#endif

/* ---- a storm ---- */

static uintptr_t storm_site;
static volatile sig_atomic_t storm_signals, storm_inside, storm_bad;
static int storm_over;
static pthread_t storm_target;

static void on_profile(int sig, siginfo_t* info, void* context) {
  void* frames[64];
  int n = backtrace(frames, 64), i, found = 0;
  int err = errno;
  uintptr_t pc = 0;
  (void)sig, (void)info;
#if defined(__x86_64__)
  pc = (uintptr_t)((ucontext_t*)context)->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  pc = (uintptr_t)((ucontext_t*)context)->uc_mcontext.pc;
#endif
  for (i = 0; i < n; i++) found |= (uintptr_t)frames[i] == storm_site;
  storm_signals++;
  /* Elsewhere others have to see to it: some linkers' stubs cannot be unwound. */
  storm_inside += function_at(pc) != NULL;
  storm_bad += function_at(pc) != NULL && !found;
  errno = err;
}

static void* storm_sender(void* arg) {
  struct timespec pause = {0, 30000};
  (void)arg;
  while (!__atomic_load_n(&storm_over, __ATOMIC_ACQUIRE)) {
    pthread_kill(storm_target, SIGPROF);
    nanosleep(&pause, NULL);
  }
  return NULL;
}

__attribute__((noinline)) static void storm(void) {
  const char* want = getenv("LLHTTP_TEST_STORM");
  const int least = want != NULL ? atoi(want) : 400, before = llhttp_ext_simd_get();
  struct sigaction sa, old;
  sigset_t prof;
  pthread_t sender;
  void* frame[1];
  int i, level;
  storm_site = (uintptr_t)__builtin_return_address(0);
  backtrace(frame, 1); /* loads what it needs */
  memset(&sa, 0, sizeof sa);
  sa.sa_sigaction = on_profile;
  sa.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(SIGPROF, &sa, &old);
  storm_target = pthread_self();
  sigemptyset(&prof);
  sigaddset(&prof, SIGPROF);
  for (level = LLHTTP_EXT_SIMD_GENERIC; level <= LLHTTP_EXT_SIMD_NEON; level++) {
    if (llhttp_ext_simd_set(level) != 0) continue;
    check_about = llhttp_ext_simd_name(level);
    storm_signals = storm_inside = storm_bad = 0;
    storm_over = 0;
    if (pthread_create(&sender, NULL, storm_sender, NULL) != 0) exit(2);
    for (i = 0; storm_signals < least || storm_inside < least / 10; i++) {
      parse(llhttp_execute, (size_t)i % MESSAGES, i % 3 ? SIZE_MAX : (size_t)i % 40 + 1, &settings, i & 1);
      extensions();
      tape_and_head();
    }
    __atomic_store_n(&storm_over, 1, __ATOMIC_RELEASE);
    pthread_join(sender, NULL);
    CHECK_INT(storm_bad, 0);
    CHECK(storm_inside >= least / 10);
  }
  llhttp_ext_simd_set(before);
  sigaction(SIGPROF, &old, NULL);
}

/* ---- a callback ---- */

static uintptr_t callback_site;
static int callbacks, callbacks_bad;

static _Unwind_Reason_Code look_for_main(struct _Unwind_Context* context, void* arg) {
  *(int*)arg |= (uintptr_t)_Unwind_GetIP(context) == callback_site;
  return _URC_NO_REASON;
}

static int looking(llhttp_t* p) {
  int found = 0;
  (void)p;
  _Unwind_Backtrace(look_for_main, &found);
  callbacks++;
  callbacks_bad += !found;
  return 0;
}

__attribute__((noinline)) static void in_callbacks(void) {
  llhttp_settings_t s;
  size_t m;
  check_about = "in callbacks";
  callback_site = (uintptr_t)__builtin_return_address(0);
  llhttp_settings_init(&s);
  s.on_message_begin = s.on_url_complete = s.on_header_field_complete = s.on_header_value_complete = looking;
  s.on_headers_complete = s.on_chunk_header = s.on_chunk_complete = s.on_message_complete = looking;
  for (m = 0; m < MESSAGES; m++) {
    parse(llhttp_execute, m, SIZE_MAX, &s, 0);
    parse(llhttp_execute, m, 7, &s, 0);
  }
  CHECK(callbacks > 50);
  CHECK_INT(callbacks_bad, 0);
}

/* What the steps go through, at full speed. */
static void parse_all(void) {
  size_t m;
  int level;
  for (level = LLHTTP_EXT_SIMD_GENERIC; level <= LLHTTP_EXT_SIMD_NEON; level++) {
    if (llhttp_ext_simd_set(level) != 0 || llhttp_ext_simd_get() != level) continue;
    for (m = 0; m < MESSAGES; m++) {
      parse(llhttp_execute, m, SIZE_MAX, &settings, 1);
      parse(llhttp_execute, m, 37, &settings, 0);
      parse(llhttp_execute, m, SIZE_MAX, NULL, 0);
    }
    extensions();
    tape_and_head();
  }
}

int main(int argc, char** argv) {
  make_section();
  if (argc == 2 && strcmp(argv[1], "--parse") == 0) {
    parse_all();
    return 0;
  }
  if (!dl_iterate_phdr(find_library, NULL) || text_start == 0) {
    fprintf(stderr, "unwind: the library is not loaded\n");
    return 2;
  }
  read_symbols();
  in_callbacks();
#if defined(__x86_64__)
  if (getenv("LLHTTP_TEST_EMULATED") == NULL) each_instruction();
#endif
  storm();
  free(functions);
  free(names_file);
  check_about = "";
  return check_done();
}
