/* Takes an upload of a limited size: decides by the header section whether to read the body at all. */
#ifndef UPLOAD_H_
#define UPLOAD_H_

#include <stddef.h>
#include <stdint.h>

enum upload_result {
  UPLOAD_COMPLETE,
  UPLOAD_INCOMPLETE, /* the input ends too early */
  UPLOAD_TOO_LARGE,  /* by its Content-Length; the body has not been looked at */
  UPLOAD_BAD         /* not HTTP */
};

/* Parses a whole request. Its body is put into `body`, unless it is more than `room` bytes; `size` is its length. */
enum upload_result upload_receive(const char* request, size_t length, char* body, size_t room, uint64_t* size);

#endif
