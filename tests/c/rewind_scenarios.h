/* Included by rewind.c: one callback meddles with the parser, and what follows. The log begins at that callback and ends
 * with the error code and what llhttp_finish returns. "=> 5@20 (reason)": llhttp_execute returned 5, position 20. */

/* Lenient flags. */
{"CR before LF from a line on", HTTP_REQUEST, GET "A: b\r\nC: d\nE: f\n\n", REC_on_header_value_complete, 0,
 do_lenient_cr, 0,
 "header_value_complete header_field=C header_field_complete header_value=d header_value_complete header_field=E "
 "header_field_complete header_value=f header_value_complete headers_complete message_complete end 0 0",
 NULL},
{"CR before LF, in the last callback before it", HTTP_REQUEST, GET "A: b\nC: d\n\n", REC_on_header_value, 0,
 do_lenient_cr, 0,
 "header_value=b header_value_complete header_field=C header_field_complete header_value=d header_value_complete "
 "headers_complete message_complete end 0 0",
 NULL},
{"LF after CR at the end of the headers", HTTP_REQUEST, GET "A: b\r\nC: d\r\n\rGET / HTTP/1.1\r" NL,
 REC_on_header_field, 1, do_lenient_lf, 0,
 "header_field=C header_field_complete header_value=d header_value_complete headers_complete message_complete "
 "reset message_begin method=GET method_complete url=/ url_complete protocol=HTTP protocol_complete version=1.1 "
 "version_complete headers_complete message_complete end 0 0",
 NULL},
{"version, in time", HTTP_REQUEST, "GET / HTTP/5.6" OK, REC_on_protocol_complete, 0, do_lenient_version, 0,
 "protocol_complete version=5.6 version_complete headers_complete message_complete end 0 0",
 NULL},
{"version, too late", HTTP_REQUEST, "GET / HTTP/5.6" OK, REC_on_version, 0, do_lenient_version, 0,
 "version=5.6 => 9@14 (Invalid HTTP version) again 9 end 9 0",
 "version=5.6 version_complete headers_complete message_complete end 0 0"},
{"version of a response, in time", HTTP_RESPONSE, "HTTP/5.6 200 OK" OK, REC_on_message_begin, 0, do_lenient_version,
 0,
 "message_begin protocol=HTTP protocol_complete version=5.6 version_complete status=OK status_complete "
 "headers_complete end 0 0",
 NULL},
{"keep-alive after close", HTTP_REQUEST, GET "Connection: close" OK GET NL, REC_on_message_complete, 0,
 do_lenient_keep_alive, 0,
 "message_complete reset message_begin method=GET method_complete url=/ url_complete protocol=HTTP "
 "protocol_complete version=1.1 version_complete headers_complete message_complete end 0 0",
 NULL},
{"data after close", HTTP_REQUEST, GET "Connection: close" OK "junk", REC_on_message_complete, 0,
 do_lenient_after_close, 0,
 "message_complete end 0 0",
 NULL},
{"chunks without line end, from the first body on", HTTP_RESPONSE, RES "Transfer-Encoding: chunked" OK
 "1\r\na1\r\nb0" OK, REC_on_body, 0, do_lenient_after_chunk, 0,
 "body=a chunk_complete chunk_header body=b chunk_complete chunk_header chunk_complete message_complete end 0 0",
 NULL},
{"chunk lines without CR, from a chunk on", HTTP_RESPONSE, RES "Transfer-Encoding: chunked" OK
 "1\r\na\n1;x=y\nb\n0\n\n\n", REC_on_chunk_header, 0, do_lenient_cr, 0,
 "chunk_header body=a chunk_complete chunk_extension_name=x chunk_extension_name_complete chunk_extension_value=y "
 "chunk_extension_value_complete chunk_header body=b chunk_complete chunk_header chunk_complete message_complete "
 "end 0 0",
 NULL},
{"spaces after a chunk size, from the next chunk on", HTTP_RESPONSE, RES "Transfer-Encoding: chunked" OK
 "1\r\na\r\n1  \r\nb\r\n0" OK, REC_on_chunk_complete, 0, do_lenient_chunk_spaces, 0,
 "chunk_complete chunk_header body=b chunk_complete chunk_header chunk_complete message_complete end 0 0",
 NULL},
{"length beside chunked, in time", HTTP_REQUEST, GET "Transfer-Encoding: chunked\r\nContent-Length: 5" OK "0" OK,
 REC_on_header_field, 1, do_lenient_length, 0,
 "header_field=Content-Length header_field_complete header_value=5 header_value_complete headers_complete "
 "chunk_header chunk_complete message_complete end 0 0",
 NULL},
{"length beside chunked, in the callback just before", HTTP_REQUEST, GET
 "Transfer-Encoding: chunked\r\nContent-Length: 5" OK "0" OK, REC_on_header_field_complete, 1, do_lenient_length, 0,
 "header_field_complete header_value=5 header_value_complete headers_complete chunk_header chunk_complete "
 "message_complete end 0 0",
 NULL},
{"coding after chunked, in time", HTTP_REQUEST, GET "Transfer-Encoding: chunked\r\nTransfer-Encoding: x" OK "0" OK,
 REC_on_header_value_complete, 0, do_lenient_coding, 0,
 "header_value_complete header_field=Transfer-Encoding header_field_complete header_value=x header_value_complete "
 "headers_complete body=0\\x0d\\x0a\\x0d\\x0a end 0 0",
 NULL},
{"odd bytes in the value, in time", HTTP_REQUEST, GET "A: b\1c" OK, REC_on_header_field_complete, 0, relaxed_on, 0,
 "header_field_complete header_value=b\\x01c header_value_complete headers_complete message_complete end 0 0",
 NULL},
{"odd bytes in the next value", HTTP_REQUEST, GET "A: b\r\nC: \1\2\177" OK, REC_on_header_value_complete, 0,
 lenient_on, 0,
 "header_value_complete header_field=C header_field_complete header_value=\\x01\\x02\\x7f header_value_complete "
 "headers_complete message_complete end 0 0",
 NULL},
{"odd bytes no longer", HTTP_REQUEST, GET "A: b\r\nC: d" OK GET "A: \1" OK, REC_on_message_complete, 0, lenient_off,
 0,
 "message_complete reset message_begin method=GET method_complete url=/ url_complete protocol=HTTP "
 "protocol_complete version=1.1 version_complete header_field=A header_field_complete header_value= => 10@49 "
 "(Invalid header value char) again 10 end 10 0",
 NULL},

/* The upgrade member. */
{"upgrade set with the headers", HTTP_REQUEST, GET "A: b" OK "rest", REC_on_headers_complete, 0, do_upgrade_1, 0,
 "headers_complete message_complete => 22@24 (Pause on CONNECT/Upgrade) reset message_begin => 6@24 (Invalid "
 "method encountered) again 6 end 6 0",
 NULL},
{"upgrade set to 2 with the headers", HTTP_REQUEST, GET "A: b" OK "rest", REC_on_headers_complete, 0, do_upgrade_2,
 0,
 "headers_complete message_complete => 22@24 (Pause on CONNECT/Upgrade) reset message_begin => 6@24 (Invalid "
 "method encountered) again 6 end 6 0",
 NULL},
{"upgrade set with the headers of a body", HTTP_REQUEST, GET "Content-Length: 3" OK "abcrest",
 REC_on_headers_complete, 0, do_upgrade_1, 0,
 "headers_complete body=abc message_complete => 22@40 (Pause on CONNECT/Upgrade) reset message_begin => 6@40 "
 "(Invalid method encountered) again 6 end 6 0",
 NULL},
{"upgrade set to 2 with the headers of a body", HTTP_REQUEST, GET "Content-Length: 3" OK "abc" GET NL,
 REC_on_headers_complete, 0, do_upgrade_2, 0,
 "headers_complete body=abc message_complete reset message_begin method=GET method_complete url=/ url_complete "
 "protocol=HTTP protocol_complete version=1.1 version_complete headers_complete message_complete end 0 0",
 NULL},
{"upgrade set too early", HTTP_REQUEST, GET "A: b" OK GET NL, REC_on_header_value_complete, 0, do_upgrade_1, 0,
 "header_value_complete headers_complete message_complete reset message_begin method=GET method_complete url=/ "
 "url_complete protocol=HTTP protocol_complete version=1.1 version_complete headers_complete message_complete end "
 "0 0",
 NULL},
{"upgrade set at the end, no body", HTTP_REQUEST, GET NL GET NL, REC_on_message_complete, 0, do_upgrade_1, 0,
 "message_complete reset message_begin method=GET method_complete url=/ url_complete protocol=HTTP "
 "protocol_complete version=1.1 version_complete headers_complete message_complete end 0 0",
 NULL},
{"upgrade set at the end of a body", HTTP_REQUEST, GET "Content-Length: 3" OK "abc" GET NL, REC_on_message_complete,
 0, do_upgrade_1, 0,
 "message_complete => 22@40 (Pause on CONNECT/Upgrade) reset message_begin method=GET method_complete url=/ "
 "url_complete protocol=HTTP protocol_complete version=1.1 version_complete headers_complete message_complete end "
 "0 0",
 NULL},
{"upgrade set in a chunk", HTTP_RESPONSE, RES "Transfer-Encoding: chunked" OK "1\r\na\r\n0" OK "rest",
 REC_on_chunk_complete, 0, do_upgrade_1, 0,
 "chunk_complete chunk_header chunk_complete message_complete => 22@58 (Pause on CONNECT/Upgrade) reset "
 "message_begin protocol= => 8@58 (Expected HTTP/, RTSP/ or ICE/) again 8 end 8 0",
 NULL},
{"upgrade refused", HTTP_REQUEST, GET "Connection: upgrade\r\nUpgrade: x" OK GET NL, REC_on_headers_complete, 0,
 do_upgrade_0, 0,
 "headers_complete message_complete reset message_begin method=GET method_complete url=/ url_complete "
 "protocol=HTTP protocol_complete version=1.1 version_complete headers_complete message_complete end 0 0",
 NULL},
{"CONNECT refused", HTTP_REQUEST, "CONNECT h:1 HTTP/1.1" OK GET NL, REC_on_headers_complete, 0, do_upgrade_0, 0,
 "headers_complete message_complete reset message_begin method=GET method_complete url=/ url_complete "
 "protocol=HTTP protocol_complete version=1.1 version_complete headers_complete message_complete end 0 0",
 NULL},
{"upgrade refused at the end", HTTP_REQUEST, GET "Connection: upgrade\r\nUpgrade: x\r\nContent-Length: 1" OK "a" GET
 NL, REC_on_message_complete, 0, do_upgrade_0, 0,
 "message_complete reset message_begin method=GET method_complete url=/ url_complete protocol=HTTP "
 "protocol_complete version=1.1 version_complete headers_complete message_complete end 0 0",
 NULL},

/* Other members. */
{"body skipped by flag", HTTP_RESPONSE, RES "Content-Length: 9" OK RES NL, REC_on_headers_complete, 0, do_flags_skip,
 0,
 "headers_complete message_complete reset message_begin protocol=HTTP protocol_complete version=1.1 "
 "version_complete status=OK status_complete headers_complete end 0 0",
 NULL},
{"body skipped by flag, set early", HTTP_RESPONSE, RES "Content-Length: 9" OK RES NL, REC_on_status_complete, 0,
 do_flags_skip, 0,
 "status_complete header_field=Content-Length header_field_complete header_value=9 header_value_complete "
 "headers_complete message_complete reset message_begin protocol=HTTP protocol_complete version=1.1 "
 "version_complete status=OK status_complete headers_complete end 0 0",
 NULL},
{"length shortened", HTTP_REQUEST, GET "Content-Length: 5" OK "ab" GET NL, REC_on_headers_complete, 0, do_length_2, 0,
 "headers_complete body=ab message_complete reset message_begin method=GET method_complete url=/ url_complete "
 "protocol=HTTP protocol_complete version=1.1 version_complete headers_complete message_complete end 0 0",
 NULL},
{"length shortened within the body", HTTP_REQUEST, GET "Content-Length: 5" OK "abcde" GET NL, REC_on_body, 0,
 do_length_2, 0,
 "body=abcde message_complete reset message_begin method=GET method_complete url=/ url_complete protocol=HTTP "
 "protocol_complete version=1.1 version_complete headers_complete message_complete end 0 0",
 "body=abc message_complete reset message_begin => 6@40 (Invalid method encountered) again 6 end 6 0"},
{"chunk shortened", HTTP_REQUEST, GET "Transfer-Encoding: chunked" OK "5\r\nab\r\n0" OK, REC_on_chunk_header, 0,
 do_length_2, 0,
 "chunk_header body=ab chunk_complete chunk_header chunk_complete message_complete end 0 0",
 NULL},
{"chunk made the last one", HTTP_REQUEST, GET "Transfer-Encoding: chunked" OK "5" OK GET NL, REC_on_chunk_header, 0,
 do_length_0, 0,
 "chunk_header chunk_complete message_complete reset message_begin method=GET method_complete url=/ url_complete "
 "protocol=HTTP protocol_complete version=1.1 version_complete headers_complete message_complete end 0 0",
 NULL},
{"last chunk made another", HTTP_REQUEST, GET "Transfer-Encoding: chunked" OK "0\r\nab\r\n0" OK, REC_on_chunk_header,
 0, do_length_2, 0,
 "chunk_header body=ab chunk_complete chunk_header chunk_complete message_complete end 0 0",
 NULL},
{"status made 204", HTTP_RESPONSE, RES "Content-Length: 9" OK RES NL, REC_on_status_complete, 0, do_status_204, 0,
 "status_complete header_field=Content-Length header_field_complete header_value=9 header_value_complete "
 "headers_complete message_complete reset message_begin protocol=HTTP protocol_complete version=1.1 "
 "version_complete status=OK status_complete headers_complete end 0 0",
 NULL},
{"status made 101 with the headers", HTTP_RESPONSE, RES "Content-Length: 9" OK RES NL, REC_on_headers_complete, 0,
 do_status_101, 0,
 "headers_complete message_complete => 22@38 (Pause on CONNECT/Upgrade) reset message_begin protocol=HTTP "
 "protocol_complete version=1.1 version_complete status=OK status_complete headers_complete end 0 0",
 NULL},
{"method made CONNECT", HTTP_REQUEST, "GET h:1 HTTP/1.1" OK, REC_on_method_complete, 0, do_method_connect, 0,
 "method_complete url=h:1 url_complete protocol=HTTP protocol_complete version=1.1 version_complete "
 "headers_complete message_complete => 22@20 (Pause on CONNECT/Upgrade) end 0 0",
 NULL},
{"method no longer CONNECT", HTTP_REQUEST, "CONNECT h:1 HTTP/1.1" OK, REC_on_method_complete, 0, do_method_get, 0,
 "method_complete => 7@10 (Unexpected char in url schema) again 7 end 7 0",
 "method_complete url=h: => 7@10 (Unexpected char in url schema) again 7 end 7 0"},
{"chunked by flag", HTTP_REQUEST, GET NL "1\r\na\r\n0" OK, REC_on_headers_complete, 0, do_flags_chunked, 0,
 "headers_complete chunk_header body=a chunk_complete chunk_header chunk_complete message_complete end 0 0",
 NULL},
{"version made 1.0", HTTP_REQUEST, GET NL GET NL, REC_on_version_complete, 0, do_version_10, 0,
 "version_complete headers_complete message_complete => 5@19 (Data after `Connection: close`) again 5 end 5 0",
 NULL},
{"closed by flag at the end", HTTP_REQUEST, GET NL GET NL, REC_on_message_complete, 0, do_flags_close, 0,
 "message_complete => 5@19 (Data after `Connection: close`) again 5 end 5 0",
 NULL},
{"kept by flag at the end", HTTP_REQUEST, "GET / HTTP/1.0" OK GET NL, REC_on_message_complete, 0, do_flags_keep, 0,
 "message_complete reset message_begin method=GET method_complete url=/ url_complete protocol=HTTP "
 "protocol_complete version=1.1 version_complete headers_complete message_complete end 0 0",
 NULL},
{"type decided by the callback", HTTP_BOTH, RES NL, REC_on_message_begin, 0, do_type_response, 0,
 "message_begin protocol=HTTP protocol_complete version=1.1 version_complete status=OK status_complete "
 "headers_complete end 0 0",
 NULL},
{"type request by the callback", HTTP_BOTH, "HEAD / HTTP/1.1" OK, REC_on_message_begin, 0, do_type_request, 0,
 "message_begin method=HEAD method_complete url=/ url_complete protocol=HTTP protocol_complete version=1.1 "
 "version_complete headers_complete message_complete end 0 0",
 NULL},

/* llhttp_pause and llhttp_resume: nothing happens before the next call. */
{"pause, then the end of the data", HTTP_REQUEST, GET "A: b" OK, REC_on_header_field, 0, do_pause, 0,
 "header_field=A header_field_complete header_value=b header_value_complete headers_complete message_complete "
 "again 21 end 21 0",
 "header_field=A => 21@- (Paused) header_field= header_field_complete header_value=b header_value_complete "
 "headers_complete message_complete end 0 0"},
{"pause, then an error", HTTP_REQUEST, GET "A: b\r\n\1: d" OK, REC_on_header_field, 0, do_pause, 0,
 "header_field=A header_field_complete header_value=b header_value_complete => 10@22 (Invalid header token) again "
 "10 end 10 0",
 "header_field=A => 21@- (Paused) header_field= header_field_complete header_value=b header_value_complete => "
 "10@22 (Invalid header token) again 10 end 10 0"},
{"pause and return HPE_PAUSED", HTTP_REQUEST, GET "A: b" OK, REC_on_header_field_complete, 0, do_pause, HPE_PAUSED,
 "header_field_complete => 21@18 (on_header_field_complete pause) header_value=b header_value_complete "
 "headers_complete message_complete end 0 0",
 NULL},
{"pause and resume", HTTP_REQUEST, GET "A: b" OK, REC_on_header_field, 0, do_pause_resume, 0,
 "header_field=A header_field_complete header_value=b header_value_complete headers_complete message_complete end "
 "0 0",
 NULL},

/* llhttp_reset and llhttp_init: members are cleared, and this call of llhttp_execute goes on where it was. */
{"reset at the end, more data", HTTP_REQUEST, GET NL GET NL, REC_on_message_complete, 0, do_reset, 0,
 "message_complete => 5@19 (Data after `Connection: close`) again 5 end 5 0",
 NULL},
{"reset at the end, no more data", HTTP_REQUEST, GET NL, REC_on_message_complete, 0, do_reset, 0,
 "message_complete end 0 0",
 NULL},
{"reset at the end and paused", HTTP_REQUEST, GET NL GET NL, REC_on_message_complete, 0, do_reset, HPE_PAUSED,
 "message_complete => 21@18 (on_message_complete pause) => 5@19 (Data after `Connection: close`) again 5 end 5 0",
 NULL},
{"reset at the end and stopped", HTTP_REQUEST, GET NL GET NL, REC_on_message_complete, 0, do_reset, -1,
 "message_complete => 18@18 (`on_message_complete` callback error) again 18 end 18 0",
 NULL},
{"reset at the end of a response", HTTP_RESPONSE, RES "Content-Length: 1" OK "a" RES NL, REC_on_message_complete, 0,
 do_reset, 0,
 "message_complete => 5@40 (Data after `Connection: close`) again 5 end 5 0",
 NULL},
{"init at the end, more data", HTTP_REQUEST, GET "Content-Length: 1" OK "a" GET NL, REC_on_message_complete, 0,
 do_init, 0,
 "message_complete => 5@39 (Data after `Connection: close`) again 5 end 5 0",
 NULL},
{"init as response at the end of a request", HTTP_REQUEST, GET NL RES NL, REC_on_message_complete, 0,
 do_init_response, 0,
 "message_complete => 5@19 (Data after `Connection: close`) again 5 end 5 0",
 NULL},
{"reset at the beginning", HTTP_REQUEST, GET "A: b" OK GET NL, REC_on_message_begin, 1, do_reset, 0,
 "message_begin method=GET method_complete url=/ url_complete protocol=HTTP protocol_complete version=1.1 "
 "version_complete headers_complete message_complete end 0 0",
 NULL},
{"reset in the headers", HTTP_REQUEST, GET "Content-Length: 1\r\nC: d" OK "a", REC_on_header_value_complete, 0,
 do_reset, 0,
 "header_value_complete header_field=C header_field_complete header_value=d header_value_complete headers_complete "
 "message_complete => 5@44 (Data after `Connection: close`) again 5 end 5 0",
 NULL},
{"reset in on_headers_complete", HTTP_REQUEST, GET "Content-Length: 1" OK "a", REC_on_headers_complete, 0, do_reset,
 0,
 "headers_complete message_complete => 5@38 (Data after `Connection: close`) again 5 end 5 0",
 NULL},
{"reset in the body", HTTP_REQUEST, GET "Content-Length: 3" OK "abc", REC_on_body, 0, do_reset, 0,
 "body=abc message_complete end 0 0",
 "body=a message_begin => 6@38 (Invalid method encountered) again 6 end 6 0"},
{"reset in a url", HTTP_REQUEST, GET NL, REC_on_url, 0, do_reset, 0,
 "url=/ url_complete protocol=HTTP protocol_complete version=1.1 version_complete headers_complete "
 "message_complete end 0 0",
 "url=/ message_begin => 6@5 (Invalid method encountered) again 6 end 6 0"},
{"reset in a chunk header", HTTP_REQUEST, GET "Transfer-Encoding: chunked" OK "5\r\nabcde\r\n0" OK,
 REC_on_chunk_header, 0, do_reset, 0,
 "chunk_header => 10@54 (Invalid header token) again 10 end 10 0",
 "chunk_header header_field=abcde => 10@54 (Invalid header token) again 10 end 10 0"},
{"reset before a pipelined message", HTTP_REQUEST, GET NL GET NL GET NL, REC_on_reset, 0, do_reset, 0,
 "reset message_begin method=GET method_complete url=/ url_complete protocol=HTTP protocol_complete version=1.1 "
 "version_complete headers_complete message_complete reset message_begin method=GET method_complete url=/ "
 "url_complete protocol=HTTP protocol_complete version=1.1 version_complete headers_complete message_complete end "
 "0 0",
 NULL},
