"""What the tests of the examples share: checks that are counted, and a client that sends all it has, and then reads."""

import socket
import sys

counts = {True: 0, False: 0}


def check(name, holds, seen=None):
    counts[bool(holds)] += 1
    if not holds:
        print(f"FAIL {name}\n  {seen!r}"[:2000])


def ask(port, data, size=0):
    """Sends the data in pieces of that size and returns all that comes back, until the server closes or we have."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for start in range(0, len(data), size or len(data)):
            client.sendall(data[start : start + (size or len(data))])
        client.shutdown(socket.SHUT_WR)
        answer = b""
        try:
            while piece := client.recv(65536):
                answer += piece
        except ConnectionResetError:
            answer += b"(reset)"
        return answer


def closing():
    """Ends the test: its last line, and its exit status."""
    print(f"{counts[True]} passed, {counts[False]} failed")
    sys.exit(counts[False] != 0)
