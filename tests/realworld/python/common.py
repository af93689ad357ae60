"""What the Python scripts of this test share; node/common.js says what they print."""

import base64
import json
import re
import socket
import socketserver
import sys
import threading

status = 0


def fact(name, value):
    print(json.dumps({"fact": name, "value": value}), flush=True)


def expect(name, value, wanted):
    global status
    fact(name, value)
    if value != wanted:
        print(f"{name}: got\n  {value!r}\nwant\n  {wanted!r}", file=sys.stderr)
        status = 1


def library(role, paths=None):
    """What this process has mapped, or what another one had: mapped(pid)."""
    print(json.dumps({"library": role, "paths": mapped() if paths is None else paths}), flush=True)


def mapped(pid="self"):
    with open(f"/proc/{pid}/maps") as maps:
        return sorted(set(re.findall(r"^[^/]*(/.*libllhttp.*)$", maps.read(), re.M)))


def cases(path, kind):
    """Pairs of name and bytes from tests/cases: requests or responses."""
    with open(path) as lines:
        found = [json.loads(line) for line in lines]
    return [(c["name"], base64.b64decode(c["input"])) for c in found if c["type"] in (kind, "both")]


def exchange(port, data, half_close=True):
    """Sends bytes; returns what comes back until the server closes, without what changes from time to time."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        received = b""
        try:
            connection.sendall(data)
            if half_close:
                connection.shutdown(socket.SHUT_WR)
            while part := connection.recv(65536):
                received += part
        except ConnectionError:
            pass  # a way to close
    return re.sub(r"(?mi)^date: .*\r\n", "", received.decode("latin-1"))


class Canned(socketserver.ThreadingTCPServer):
    """Answers the first request of each connection with `response`, and closes it."""

    allow_reuse_address = True
    daemon_threads = True
    response = b""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), self.Handler)
        self.port = self.server_address[1]
        threading.Thread(target=self.serve_forever, daemon=True).start()

    class Handler(socketserver.BaseRequestHandler):
        server: "Canned"

        def handle(self):
            try:
                head = b""
                while b"\r\n\r\n" not in head and (part := self.request.recv(65536)):
                    head += part
                self.request.sendall(self.server.response)
                self.request.shutdown(socket.SHUT_WR)
                while self.request.recv(65536):
                    pass
            except ConnectionError:
                pass
