"""Messages that more than one test uses."""

GET = b"GET /index.html?q=1 HTTP/1.1\r\nHost: example.com\r\nAccept: */*\r\n\r\n"
POST = b"POST /form HTTP/1.1\r\nHost: example.com\r\nContent-Length: 5\r\n\r\nhello"
CHUNKED = (
    b"POST /up HTTP/1.1\r\nHost: example.com\r\nTransfer-Encoding: chunked\r\n\r\n"
    b'4;name="v"\r\nbody\r\n0\r\nTrailer: t\r\n\r\n'
)
OK = b"HTTP/1.1 200 Fine\r\nContent-Length: 2\r\n\r\nok"
UNTIL_CLOSE = b"HTTP/1.1 200 OK\r\n\r\nuntil the end"
UPGRADE = b"GET /chat HTTP/1.1\r\nHost: example.com\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n"
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
