"""tangd, the server of Clevis and Tang: with a listening socket of its own, and started by a super-server with the
connection as standard input and output; then every request of tests/cases.

    tang.py CASES_FILE
"""

import base64
import json
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

import common
from common import cases, exchange, expect, fact, library, mapped

TANGD = "/usr/libexec/tangd"


def jose(*arguments, data=""):
    return subprocess.run(["jose", *arguments], input=data, check=True, capture_output=True, text=True).stdout.strip()


def from_super_server(folder, data):
    """What tangd answers on a connection that it did not accept itself."""
    ours, its = socket.socketpair()
    with (
        ours,
        subprocess.Popen(
            [TANGD, folder], stdin=its.fileno(), stdout=its.fileno(), stderr=subprocess.DEVNULL
        ) as process,
    ):
        its.close()
        received = b""
        try:
            ours.sendall(data)
            ours.shutdown(socket.SHUT_WR)
            while part := ours.recv(65536):
                received += part
        except ConnectionError:
            pass
        status = process.wait()
    return [received.decode("latin-1"), status]


def main():
    folder = tempfile.mkdtemp()
    for algorithm in ("ES512", "ECMR"):
        jwk = jose("jwk", "gen", "-i", json.dumps({"alg": algorithm}))
        thumbprint = jose("jwk", "thp", "-i-", "-a", "S256", data=jwk)
        with open(f"{folder}/{thumbprint}.jwk", "w") as file:
            file.write(jwk)
    exchange_name = thumbprint

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    daemon = subprocess.Popen([TANGD, "-l", "-p", str(port), folder], stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except ConnectionError:
                time.sleep(0.02)
        paths = mapped(daemon.pid)

        # The advertisement: a signed set of keys. Signatures differ from one to the next, keys do not.
        head, body = exchange(port, b"GET /adv HTTP/1.1\r\nHost: h\r\n\r\n").split("\r\n\r\n", 1)
        fact("advertisement", re.sub(r"Content-Length: \d+", "Content-Length: N", head))
        keys = json.loads(base64.urlsafe_b64decode(json.loads(body)["payload"] + "=="))
        expect("keys that are advertised", sorted(k["alg"] for k in keys["keys"]), ["ECMR", "ES512"])

        # Recovery: the client's point times the server's key. jose, which has the key here, must come to the same.
        point = jose("jwk", "pub", "-i-", data=jose("jwk", "gen", "-i", '{"alg":"ECMR"}'))
        with tempfile.NamedTemporaryFile("w") as remote:
            remote.write(point)
            remote.flush()
            expected = json.loads(jose("jwk", "exc", "-l", f"{folder}/{exchange_name}.jwk", "-r", remote.name))

        def recover(framing):
            body = point.encode()
            request = (
                f"POST /rec/{exchange_name} HTTP/1.1\r\nHost: h\r\nContent-Type: application/jwk+json\r\n".encode()
            )
            if framing == "length":
                request += b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
            else:
                chunks = [body[i : i + 50] for i in range(0, len(body), 50)]
                request += b"Transfer-Encoding: chunked\r\n\r\n"
                request += b"".join(b"%x\r\n%s\r\n" % (len(c), c) for c in chunks) + b"0\r\n\r\n"
            return exchange(port, request).split("\r\n\r\n", 1)

        for framing in ("length", "chunked"):
            head, body = recover(framing)
            expect(f"recovery, {framing}: status", head.split("\r\n")[0], "HTTP/1.1 200 OK")
            answer = json.loads(body)
            expect(f"recovery, {framing}: point", [answer["x"], answer["y"]] == [expected["x"], expected["y"]], True)

        for data in (
            b"GET /adv/nothing HTTP/1.1\r\n\r\n",
            b"GET /other HTTP/1.1\r\n\r\n",
            b"PUT /adv HTTP/1.1\r\nContent-Length: 0\r\n\r\n",
            b"POST /rec/nothing HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}",
            b"POST /rec/nothing HTTP/1.1\r\nContent-Length: 70000\r\n\r\n",
            b"GET /adv HTTP/1.1\r\nBad Name: x\r\n\r\n",
            b"GET /%s HTTP/1.1\r\n\r\n" % (b"a" * 70000),
            b"",
            b"GET /a",
            b"GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\nGET /adv/c HTTP/1.1\r\n\r\n",
        ):
            fact(f"answer to {data[:60]!r}", exchange(port, data))
            fact("the same from a super-server", from_super_server(folder, data))
    finally:
        daemon.send_signal(signal.SIGTERM)
        daemon.wait()
    for name, data in cases(sys.argv[1], "request"):
        fact(name, from_super_server(folder, data))
    library("tangd", paths)
    return common.status


sys.exit(main())
