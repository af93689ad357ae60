package core

// This file lists the lenient flags, each with the rule that it relaxes and what that opens.
// A flag is read at the byte where its rule would be broken, so a change counts from the next byte on.
//
//	lenientHeaders                 control bytes in field values, SP before the colon of the fields that frame a
//	                               message, obs-fold, SP after the start-line, bare CR after an empty value (RFC 9112, Sections 2.2, 5.1, 5.2;
//	                               RFC 9110, Section 5.5): another recipient may see other fields
//	lenientChunkedLength           Transfer-Encoding beside Content-Length (RFC 9112, Section 6.1): two lengths. Also a request
//	                               whose last coding is not chunked: its body goes on until EOF
//	lenientKeepAlive               another message after Connection: close (RFC 9112, Section 9.6)
//	lenientTransferEncoding        codings after chunked in a request (RFC 9112, Section 6.1): no sure length
//	lenientVersion                 versions that do not exist (RFC 9112, Section 2.3)
//	lenientDataAfterClose          bytes after the last message are dropped, not refused (RFC 9112, Section 9.6)
//	lenientOptionalLFAfterCR       bare CR ends a line, but not a field line (RFC 9112, Section 2.2)
//	lenientOptionalCRLFAfterChunk  no line end, or bare CR, after chunk data (RFC 9112, Section 7.1)
//	lenientOptionalCRBeforeLF      bare LF ends a line, but after a request-line or a chunk-size it only takes the place
//	                               of the CR (RFC 9112, Section 2.2)
//	lenientSpacesAfterChunkSize    SP and HTAB after chunk-size (RFC 9112, Section 7.1)
//	lenientHeaderValueRelaxed      control bytes in field values, but for NUL, CR and LF (RFC 9110, Section 5.5)

// lenient tells whether a flag is set.
//
//go:nosplit
func (f *Frame) lenient(flag uint16) bool { return f.Public.Lenient&flag != 0 }
