"""libgit2 through pygit2: clone, fetch and push over HTTP with git's own http-backend behind a small server, in each
framing that a response may have; redirects and authentication; then every response of tests/cases as an answer.

    git_remote.py CASES_FILE
"""

import base64
import os
import re
import subprocess
import sys
import tempfile
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pygit2

import common
from common import Canned, cases, expect, fact, library

work = Path(tempfile.mkdtemp())
served = work / "served"
os.environ |= {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_AUTHOR_DATE": "1700000000 +0000",
    "GIT_COMMITTER_NAME": "C",
    "GIT_COMMITTER_EMAIL": "c@example.org",
    "GIT_COMMITTER_DATE": "1700000000 +0000",
}


def git(*arguments, folder=work):
    return subprocess.run(["git", "-C", folder, *arguments], check=True, capture_output=True, text=True).stdout.strip()


def make_repository():
    source = work / "source"
    git("init", "-q", "-b", "main", str(source))
    for i in range(40):
        (source / f"file{i}").write_bytes(bytes((i * 7 + j * j) % 256 for j in range(i * 500)))
        git("add", ".", folder=source)
        git("commit", "-q", "-m", f"commit {i}", folder=source)
    git("tag", "first", "main~39", folder=source)
    git("clone", "-q", "--bare", str(source), str(served / "project.git"))
    git("config", "http.receivepack", "true", folder=served / "project.git")
    return git("rev-parse", "main", folder=source)


class Handler(BaseHTTPRequestHandler):
    """/FRAMING/project.git/...; FRAMING is length, chunked, close (with a length) or end (without: the body ends with
    the connection), or what comes before such an answer: redirect, login."""

    protocol_version = "HTTP/1.1"
    login = "Basic " + base64.b64encode(b"user:secret").decode()

    def log_message(self, *_):
        """Says nothing."""

    def handle(self):
        with suppress(ConnectionError):  # once the client has what it wants
            super().handle()

    def do_GET(self):
        self.answer(b"")

    def do_POST(self):
        if self.headers.get("Transfer-Encoding") == "chunked":
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            body = self.rfile.read(int(self.headers["Content-Length"]))
        self.answer(body)

    def answer(self, body):
        _, framing, rest = self.path.split("/", 2)
        if framing == "redirect":
            self.send(302, [("Location", f"/chunked/{rest}")], b"moved", "length")
            return
        if framing == "login" and self.headers.get("Authorization") != self.login:
            self.send(401, [("WWW-Authenticate", 'Basic realm="here"')], b"who?", "chunked")
            return
        path, _, query = rest.partition("?")
        environment = {
            "PATH": os.environ["PATH"],
            "GIT_PROJECT_ROOT": str(served),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": f"/{path}",
            "QUERY_STRING": query,
            "REQUEST_METHOD": self.command,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "REMOTE_USER": "user",
            "REMOTE_ADDR": "127.0.0.1",
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "safe.directory",
            "GIT_CONFIG_VALUE_0": "*",
        }
        result = subprocess.run(
            ["git", "http-backend"], input=body, env=environment, capture_output=True, check=True
        ).stdout
        head, _, content = result.partition(b"\r\n\r\n")
        fields = [tuple(line.split(": ", 1)) for line in head.decode().split("\r\n")]
        status = next((int(value[:3]) for name, value in fields if name == "Status"), 200)
        self.send(status, [f for f in fields if f[0] not in ("Status", "Content-Length")], content, framing)

    def send(self, status, fields, content, framing):
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        if framing in ("length", "close"):
            self.send_header("Content-Length", str(len(content)))
        if framing in ("close", "end"):
            self.send_header("Connection", "close")
            self.close_connection = True
        if framing in ("length", "close", "end"):
            self.end_headers()
            self.wfile.write(content)
            return
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        while content:  # chunks of several sizes, with extensions and a trailer section
            size = min(len(content), 1 + (len(content) * 31) % 3000)
            self.wfile.write(b"%x;name=value\r\n%s\r\n" % (size, content[:size]))
            content = content[size:]
        self.wfile.write(b"0\r\nChecksum: none\r\n\r\n")


class Login(pygit2.RemoteCallbacks):
    def credentials(self, url, username, allowed):
        return pygit2.UserPass("user", "secret")


def references(repository):
    return {name: str(repository.references[name].peel().id) for name in sorted(repository.references)}


def error_of(action):
    """The type and message of what an action raises, without ports and folders."""
    try:
        return ["nothing", repr(action())]
    except Exception as error:  # whatever it is, it must be the same
        return [type(error).__name__, re.sub(r"127\.0\.0\.1:\d+", "HOST", str(error)).replace(str(work), "WORK")]


def main():
    pygit2.option(pygit2.enums.Option.SET_OWNER_VALIDATION, False)
    head = make_repository()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}"

    for framing in ("length", "chunked", "close", "redirect", "login"):
        url = f"{base}/{framing}/project.git"
        clone = pygit2.clone_repository(url, str(work / framing), callbacks=Login())
        expect(f"{framing}: head of the clone", str(clone.head.target), head)
        expect(f"{framing}: the clone is sound", git("fsck", "--full", "--strict", folder=work / framing), "")
        fact(f"{framing}: references", references(clone))

        # Push a commit to a branch, fetch it from another clone.
        parent = clone.head.peel()
        tree = clone.TreeBuilder(parent.tree)
        tree.insert("more", clone.create_blob(framing.encode() * 3000), pygit2.enums.FileMode.BLOB)
        who = pygit2.Signature("A", "a@example.org", 1700000001, 0)
        commit = clone.create_commit(f"refs/heads/{framing}", who, who, "pushed", tree.write(), [parent.id])
        clone.remotes["origin"].push([f"refs/heads/{framing}"], callbacks=Login())
        expect(
            f"{framing}: what was pushed",
            git("rev-parse", f"refs/heads/{framing}", folder=served / "project.git"),
            str(commit),
        )
        other = pygit2.init_repository(str(work / f"{framing}-other"), bare=True)
        progress = other.remotes.create_anonymous(url).fetch(["+refs/*:refs/*"], callbacks=Login())
        fact(f"{framing}: objects fetched", [progress.received_objects, progress.total_objects])
        expect(f"{framing}: what was fetched", str(other.references[f"refs/heads/{framing}"].target), str(commit))
        listed = clone.remotes["origin"].list_heads(callbacks=Login())
        fact(f"{framing}: references of the remote", sorted([r.name, str(r.oid)] for r in listed))

    fact(
        "a response that ends with the connection",
        error_of(lambda: pygit2.clone_repository(f"{base}/end/project.git", str(work / "end"))),
    )
    fact(
        "no such repository",
        error_of(lambda: pygit2.clone_repository(f"{base}/length/nothing.git", str(work / "nothing"))),
    )
    fact("no login", error_of(lambda: pygit2.clone_repository(f"{base}/login/project.git", str(work / "nothing"))))

    repository = pygit2.init_repository(str(work / "empty"))
    canned = Canned()
    remote = repository.remotes.create_anonymous(f"http://127.0.0.1:{canned.port}/x.git")
    for name, response in cases(sys.argv[1], "response"):
        canned.response = response
        fact(name, error_of(lambda: [r.name for r in remote.list_heads()]))
    library("git client")
    return common.status


sys.exit(main())
