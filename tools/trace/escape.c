/* What is printed is ASCII without control bytes whatever the input is, so no input can steer a terminal. */
#include "escape.h"

#include <stdio.h>
#include <string.h>

size_t escape(unsigned char byte, bool json, char out[8]) {
  switch (byte) {
    case '\r': strcpy(out, "\\r"); return 2;
    case '\n': strcpy(out, "\\n"); return 2;
    case '\t': strcpy(out, "\\t"); return 2;
    case '\\': strcpy(out, "\\\\"); return 2;
    case '"': strcpy(out, "\\\""); return 2;
    default: break;
  }
  if (byte >= 0x20 && byte < 0x7f) {
    out[0] = (char)byte;
    out[1] = '\0';
    return 1;
  }
  return (size_t)snprintf(out, 8, json ? "\\u%04x" : "\\x%02x", byte);
}

void print_quoted(const char* text, size_t length, bool json) {
  char cell[8];
  putchar('"');
  for (size_t i = 0; i < length; i++) {
    escape((unsigned char)text[i], json, cell);
    fputs(cell, stdout);
  }
  putchar('"');
}

void print_quoted_string(const char* text, bool json) { print_quoted(text, strlen(text), json); }
