/* A difference that the comparison must notice: preloaded, it gives every error another reason. */
const char* llhttp_get_error_reason(const void* parser) {
  (void)parser;
  return "Planted";
}
