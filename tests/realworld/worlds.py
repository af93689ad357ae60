"""Where programs that know nothing of this library run, and how one file is swapped for them.

A Debian root (prepare.sh, enter.sh) and a Python environment with packages from PyPI (prepare_python.sh). In each a
program gets llhttp 9.4.3 as Debian ships it, or this library, by LD_LIBRARY_PATH or LD_PRELOAD, and nothing else is
different.
"""

import os
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TIMEOUT = 300  # seconds for one run; most take less than ten


@dataclass
class Scenario:
    """A program. In its command {tests} is this folder, {work} a folder that the programs share, as they see them."""

    name: str
    command: list
    world: str  # "debian" or "pypi"
    preload: bool = False  # it has a copy of llhttp inside
    alone: bool = False  # with this library only: llhttp cannot do it
    timeout: int = TIMEOUT


class Failure(Exception):
    pass


def script(*command, **more):
    """The output of a command that must succeed."""
    result = subprocess.run(command, capture_output=True, text=True, **more)
    if result.returncode != 0:
        raise Failure(result.stderr.strip() or f"{command[0]}: exit status {result.returncode}")
    return result.stdout.strip()


class Worlds:
    """`library` is the folder of the build that takes llhttp's place, `work` the folder that programs share. A world
    that cannot be made is in `absent`, with the reason."""

    def __init__(self, build, library, work):
        self.build, self.library, self.work = build, library, work
        self.running = set()
        self.closed = False
        self.absent = {}
        with ThreadPoolExecutor(2) as pool:
            attempts = {"debian": pool.submit(self.make_debian), "pypi": pool.submit(self.make_pypi)}
        for world, attempt in attempts.items():
            if isinstance(attempt.exception(), Failure):
                self.absent[world] = str(attempt.exception())
            else:
                attempt.result()

    def make_debian(self):
        self.root = Path(script(str(HERE / "prepare.sh"), str(self.build / "realworld")))
        script(str(HERE / "enter.sh"), "--probe", str(self.root))
        self.debian_library = "/" + str(next(self.root.glob("usr/lib/*/libllhttp.so.9.4")).relative_to(self.root))

    def make_pypi(self):
        reference = script("sh", str(ROOT / "tests/diff/fetch-reference.sh"), str(self.build / "reference"))
        # LD_PRELOAD takes no path with blanks.
        (self.work / "llhttp").symlink_to(Path(reference.splitlines()[-1]).parent)
        (self.work / "ours").symlink_to(self.library)
        tree = self.build / "reference" / "tree"
        self.python = Path(script(str(HERE / "prepare_python.sh"), str(tree), str(self.build / "realworld")))

    def versions(self):
        """Of the packages in the Debian root."""
        lines = (self.build / "realworld/packages").read_text().splitlines()
        return dict(line.split()[:2] for line in lines)

    def expected(self, scenario, which):
        """The soname link that the loader must find; `which` is "llhttp" or "ours"."""
        if scenario.world == "pypi":
            return str(self.work / which / "libllhttp.so.9.4")
        return self.debian_library if which == "llhttp" else "/llhttp/library/libllhttp.so.9.4"

    def mapped(self, scenario, which):
        """The file behind it, as the process's memory map names it."""
        link = self.expected(scenario, which)
        if scenario.world == "debian":
            outside = self.library / "libllhttp.so.9.4" if link.startswith("/llhttp/") else self.root / link[1:]
            return str(Path(link).parent / outside.resolve().name)
        return str(Path(link).resolve())

    def start(self, scenario, which, extra=(), **more):
        """Starts a program with a library; its output is to be read. Its children are in a session of its own."""
        if self.closed:
            raise Failure("stopped")
        link = self.expected(scenario, which)
        variables = {}
        if scenario.preload:
            variables["LD_PRELOAD"] = link
        elif scenario.world == "pypi" or which == "ours":
            variables["LD_LIBRARY_PATH"] = str(Path(link).parent)
        variables.update(extra)
        debian = scenario.world == "debian"
        tests, work = ("/llhttp/tests", "/llhttp/work") if debian else (HERE, self.work)
        command = [part.format(tests=tests, work=work) for part in scenario.command]
        if debian:
            library = str(self.library) if which == "ours" else ""
            assignments = [f"{name}={value}" for name, value in variables.items()]
            command = [str(HERE / "enter.sh"), str(self.root), library, str(self.work), *assignments, *command]
            environment = None
        else:
            command[0] = str(self.python / "bin" / command[0])
            environment = {"PATH": os.environ["PATH"], "HOME": str(self.work), "LC_ALL": "C.UTF-8", **variables}
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
            start_new_session=True,
            **more,
        )
        self.running.add(process)
        return process

    def stop(self, process):
        """Ends a program and what it started, if any of it still runs."""
        self.running.discard(process)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)

    def stop_all(self):
        """Ends every program; none can be started after that."""
        self.closed = True
        for process in list(self.running):
            self.stop(process)

    def run(self, scenario, which, extra=()):
        """Output, complaints, exit status and seconds of a program with a library."""
        started = time.monotonic()
        process = self.start(scenario, which, extra, stderr=subprocess.PIPE)
        try:
            out, complaints = process.communicate(timeout=scenario.timeout)
        except subprocess.TimeoutExpired:
            self.stop(process)
            out, complaints = process.communicate()
            complaints += f"\nstopped after {scenario.timeout} s"
        finally:
            self.stop(process)
        return out, complaints, process.returncode, time.monotonic() - started
