"""A server of uvicorn that does next to nothing: what is measured is HTTP. Prints its port.

app.py LOOP            asyncio or uvloop
"""

import socket
import sys

import uvicorn

BODY = b"Hello, world!\n"
START = {
    "type": "http.response.start",
    "status": 200,
    "headers": [(b"content-type", b"text/plain"), (b"content-length", b"%d" % len(BODY))],
}
END = {"type": "http.response.body", "body": BODY}


async def app(scope, receive, send):
    if scope["type"] == "http":
        await send(START)
        await send(END)


if __name__ == "__main__":
    config = uvicorn.Config(
        app, http="httptools", loop=sys.argv[1], lifespan="off", access_log=False, log_level="error"
    )
    config.load()
    # With its protocol named, so that asyncio sets TCP_NODELAY on what it accepts.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    listening.listen(2048)
    print(listening.getsockname()[1], flush=True)
    uvicorn.Server(config).run(sockets=[listening])
