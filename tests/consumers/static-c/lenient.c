/* A request that lacks its CRs: refused at the right byte, accepted if that is asked for, and forgotten by a reset. */
#include <llhttp.h>
#include <llhttp_ext.h>
#include <stdio.h>
#include <string.h>

static int fields;

static int on_header_value_complete(llhttp_t* p) {
  (void)p;
  fields++;
  return 0;
}

int main(void) {
  static const char input[] = "GET / HTTP/1.1\r\nHost: a\nAccept: b\n\r\n";
  llhttp_settings_t settings;
  llhttp_t parser;
  llhttp_settings_init(&settings);
  settings.on_header_value_complete = on_header_value_complete;
  llhttp_init(&parser, HTTP_REQUEST, &settings);

  llhttp_errno_t error = llhttp_execute(&parser, input, strlen(input));
  if (error == HPE_OK || fields != 0) {
    fprintf(stderr, "%s after %d fields\n", llhttp_errno_name(error), fields);
    return 1;
  }
  const char* line_end = strchr(strstr(input, "Host"), '\n');
  if (llhttp_get_error_pos(&parser) < line_end || llhttp_get_error_pos(&parser) > line_end + 1) {
    fprintf(stderr, "refused at byte %d\n", (int)(llhttp_get_error_pos(&parser) - input));
    return 1;
  }

  llhttp_reset(&parser);
  llhttp_set_lenient_optional_cr_before_lf(&parser, 1);
  error = llhttp_execute(&parser, input, strlen(input));
  if (error != HPE_OK || fields != 2) {
    fprintf(stderr, "%s after %d fields, though lenient\n", llhttp_errno_name(error), fields);
    return 1;
  }
  if (llhttp_ext_simd_error() != NULL || llhttp_ext_simd_available() == 0) {
    fprintf(stderr, "kernels: %s\n", llhttp_ext_simd_error() ? llhttp_ext_simd_error() : "none");
    return 1;
  }
  printf("lenient, with %s\n", llhttp_ext_simd_name(llhttp_ext_simd_get()));
  return 0;
}
