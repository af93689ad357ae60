#!/usr/bin/env python3
"""Programs that know nothing of this library, once with llhttp and once with it in llhttp's place: the same must come out.

    tests/realworld/run.py BUILD_DIR            BUILD_DIR/lib has the library
    tests/realworld/run.py BUILD_DIR --list     the programs
    tests/realworld/run.py BUILD_DIR --only TEXT --library DIR --show

Node, libgit2, tang and ruby-llhttp come from Debian, in a root that prepare.sh makes; where it cannot be made or entered, a line that
begins with "note" says so and they are left out (those from PyPI too, unless LLHTTP_TEST_STRICT is 1). httptools, uvicorn and geventhttpclient come from PyPI (prepare_python.sh).
One file is swapped, by LD_LIBRARY_PATH; by LD_PRELOAD for programs that have a copy of llhttp inside.

Each run prints what it saw (node/common.js has the format). Both runs must have seen the same, what must come out must have come out
in both, and every process must have had the right library, and no other llhttp library, in its memory. The last line is
"N passed, M failed"; what passes is a fact that both runs agree on, or a run in which all was right.
"""
import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TIMEOUT = 300  # seconds for one run; most take less than ten


@dataclass
class Scenario:
    name: str
    command: list  # {tests} and {cases} are filled in
    world: str  # "debian" or "pypi"
    preload: bool = False
    alone: bool = False  # with this library only: llhttp cannot do it


def node(name, *arguments, alone=False):
    script = arguments[0]
    return Scenario(f"node: {name}", ["node", f"{{tests}}/node/{script}", *arguments[1:]], "debian", alone=alone)


SCENARIOS = [
    node("features of node:http", "features.js"),
    *(node(f"{what} of tests/cases, {how}", f"{what}.js", "--cases", "{cases}", "--validation", how)
      for what in ("requests", "responses") for how in ("strict", "relaxed", "insecure")),
    node("cluster and worker threads", "processes.js"),
    node("a NUL that llhttp does not return from", "nul.js", alone=True),
    Scenario("libgit2", ["python3", "-B", "{tests}/python/git_remote.py", "{cases}"], "debian"),
    Scenario("tang", ["python3", "-B", "{tests}/python/tang.py", "{cases}"], "debian"),
    Scenario("ruby-llhttp", ["ruby", "{tests}/ruby/llhttp.rb", "{cases}"], "debian", preload=True),
    Scenario("httptools", ["python", "-B", "{tests}/python/httptools_cases.py", "{cases}"], "pypi"),
    Scenario("uvicorn", ["python", "-B", "{tests}/python/uvicorn_server.py", "{cases}"], "pypi"),
    Scenario("geventhttpclient", ["python", "-B", "{tests}/python/gevent_client.py", "{cases}"], "pypi", preload=True),
]

# For each user of the library: something that loads it, and the file that must be bound to the right one.
USERS = [
    (Scenario("node", ["node", "-e", "0"], "debian"), "libnode.so"),
    (Scenario("libgit2", ["python3", "-c", "import pygit2"], "debian"), "libgit2.so"),
    (Scenario("tang", ["tangd", "--help"], "debian"), "tangd"),
    (Scenario("ruby-llhttp", ["ruby", "-e", "require 'llhttp'"], "debian", preload=True), "llhttp_ext.so"),
    (Scenario("httptools", ["python", "-c", "import httptools"], "pypi"), "httptools/parser/parser."),
    (Scenario("geventhttpclient", ["python", "-c", "import geventhttpclient"], "pypi", preload=True), "geventhttpclient/_parser."),
]


class Failure(Exception):
    pass


def script(*command, **more):
    result = subprocess.run(command, capture_output=True, text=True, **more)
    if result.returncode != 0:
        raise Failure(result.stderr.strip() or f"{command[0]}: exit status {result.returncode}")
    return result.stdout.strip()


class Worlds:
    """Where programs run, and which library they get there: "llhttp" or "ours"."""

    def __init__(self, build, library):
        self.build = build
        self.library = library
        self.work = Path(tempfile.mkdtemp(prefix="llhttp-realworld."))
        self.absent = {}  # world: why
        cases = script("go", "run", "./tests/cases/runner", "--inputs", "--reference",
                       *(str(p) for p in sorted((ROOT / "tests/cases").glob("*.md"))), cwd=ROOT)
        (self.work / "cases.json").write_text(cases + "\n")
        cache = build / "realworld"
        with ThreadPoolExecutor(2) as pool:
            for world, problem in zip(("debian", "pypi"), pool.map(lambda make: self.attempt(make, cache), (self.make_debian, self.make_pypi))):
                if problem:
                    self.absent[world] = problem

    @staticmethod
    def attempt(make, cache):
        try:
            make(cache)
        except Failure as failure:
            return str(failure)

    def make_debian(self, cache):
        self.root = Path(script(str(HERE / "prepare.sh"), str(cache)))
        script(str(HERE / "enter.sh"), "--probe", str(self.root))
        self.debian_library = "/" + str(next(self.root.glob("usr/lib/*/libllhttp.so.9.4")).relative_to(self.root))

    def make_pypi(self, cache):
        reference = script("sh", str(ROOT / "tests/diff/fetch-reference.sh"), str(self.build / "reference"))
        self.reference = Path(reference.splitlines()[-1]).parent
        tree = self.build / "reference" / "tree"
        self.python = Path(script(str(HERE / "prepare_python.sh"), str(tree), str(cache)))

    def expected(self, scenario, which):
        """The soname link that the loader must find."""
        if scenario.world == "pypi":
            return str((self.reference if which == "llhttp" else self.library) / "libllhttp.so.9.4")
        return self.debian_library if which == "llhttp" else "/llhttp/library/libllhttp.so.9.4"

    def mapped(self, scenario, which):
        """The file behind it, as the process's memory map names it."""
        link = self.expected(scenario, which)
        if scenario.world == "debian":
            inside = self.library / "libllhttp.so.9.4" if link.startswith("/llhttp/") else self.root / link[1:]
            return str(Path(link).parent / inside.resolve().name)
        return str(Path(link).resolve())

    def run(self, scenario, which, extra={}, plant=None):
        """Output, complaints, exit status and seconds of a program with a library."""
        link = self.expected(scenario, which)
        variables = dict(extra)
        if scenario.preload:
            variables["LD_PRELOAD"] = link
        elif scenario.world == "pypi" or which == "ours":
            variables["LD_LIBRARY_PATH"] = str(Path(link).parent)
        if plant:
            variables["LD_PRELOAD"] = plant
        tests, work = ("/llhttp/tests", "/llhttp/work") if scenario.world == "debian" else (HERE, self.work)
        command = [part.format(tests=tests, cases=f"{work}/cases.json") for part in scenario.command]
        if scenario.world == "debian":
            assignments = [f"{name}={value}" for name, value in variables.items()]
            command = [str(HERE / "enter.sh"), str(self.root), str(self.library) if which == "ours" else "", str(self.work), *assignments, *command]
            environment = None
        else:
            command[0] = str(self.python / "bin" / command[0])
            environment = {"PATH": os.environ["PATH"], "HOME": str(self.work), "LC_ALL": "C.UTF-8", **variables}
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=environment, start_new_session=True)
        started = time.monotonic()
        running.add(process)
        try:
            out, complaints = process.communicate(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            stop(process)
            out, complaints = process.communicate()
            complaints += f"\nstopped after {TIMEOUT} s"
        finally:
            stop(process)  # what it may have left running
            running.discard(process)
        return out, complaints, process.returncode, time.monotonic() - started


running = set()


def stop(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


class Score:
    def __init__(self):
        self.passed = self.failed = 0

    def tell(self, name, passed, problems, seconds=None):
        self.passed += passed
        self.failed += len(problems)
        print(f"{'FAIL' if problems else 'ok'}  {name}: {passed} passed{f', {seconds:.1f} s' if seconds else ''}", flush=True)
        for problem in problems[:20]:
            print("      " + problem.replace("\n", "\n      "))
        if len(problems) > 20:
            print(f"      and {len(problems) - 20} more")


def shortened(value, other=""):
    """A value as text, from a little before it begins to differ from another."""
    text = json.dumps(value)
    same = len(os.path.commonprefix([text, json.dumps(other)]))
    start = max(0, same - 100)
    return ("..." if start else "") + text[start : start + 400]


def transcript(out):
    """The facts, in order, and the libraries that were seen; such a line is the last of each transcript."""
    facts, libraries = [], []
    entry = {}
    for line in out.rstrip("\n").split("\n"):
        entry = json.loads(line)
        if "fact" in entry:
            facts.append((entry["fact"], entry["value"]))
        else:
            libraries.append((entry["library"], entry["paths"]))
    if "library" not in entry:
        raise ValueError("it breaks off")
    return facts, libraries


def judge(result, wanted_library):
    """Facts of a run, and what was wrong with it."""
    out, complaints, status, _ = result
    problems = []
    try:
        facts, libraries = transcript(out)
    except ValueError as error:
        facts, libraries = [], []
        problems.append(f"no whole transcript: {error}")
    if status != 0:
        problems.append(f"exit status {status}:\n{complaints.strip()[-3000:]}")
    if not facts:
        problems.append("no facts")
    if not libraries:
        problems.append("it does not say which library it had")
    problems += [f"{role} has {paths}, not {wanted_library}" for role, paths in libraries if paths != [wanted_library]]
    return facts, problems


def differences(theirs, ours):
    """How two lists of facts differ, one entry for each difference."""
    found = []
    for (name, value), (our_name, our_value) in zip(theirs, ours):
        if name != our_name:
            return found + [f"llhttp goes on with {name!r}, this library with {our_name!r}"]
        if value != our_value:
            found.append(f"{name}\n  llhttp:       {shortened(value, our_value)}\n  this library: {shortened(our_value, value)}")
    if len(theirs) != len(ours):
        found.append(f"llhttp: {len(theirs)} facts, this library: {len(ours)}")
    return found


def merged(path):
    """A path in a system whose /lib is /usr/lib."""
    return re.sub("^/lib/", "/usr/lib/", path)


def check_users(worlds, users, score):
    """The dynamic linker says what it bound."""
    for scenario, user in users:
        passed, problems = 0, []
        for which in ("llhttp", "ours"):
            _, log, *_ = worlds.run(scenario, which, extra={"LD_DEBUG": "bindings", "LD_BIND_NOW": "1"})
            bound = re.findall(r"binding file (.*) \[0\] to (.*) \[0\]: normal symbol `llhttp_execute'", log)
            targets = {merged(target) for file, target in bound if user in file}
            wanted = merged(worlds.expected(scenario, which))
            if targets == {wanted}:
                passed += 1
            else:
                problems.append(f"with {which}: llhttp_execute of {user} is bound to {sorted(targets)}, not {wanted}")
        score.tell(f"{scenario.name} is bound to the right library", passed, problems)


def check_notices(worlds, score):
    """A library that differs is found out."""
    scenario = next(s for s in SCENARIOS if "requests of tests/cases, strict" in s.name)
    plant = worlds.work / "plant.so"
    script(*os.environ.get("CC", "cc").split(), "-shared", "-fPIC", "-o", str(plant), str(HERE / "plant.c"))
    theirs = transcript(worlds.run(scenario, "llhttp")[0])[0]
    planted = transcript(worlds.run(scenario, "llhttp", plant="/llhttp/work/plant.so")[0])[0]
    found = differences(theirs, planted)
    score.tell("a planted difference is noticed", int(bool(found)), [] if found else ["it is not"])


def check_scenarios(worlds, scenarios, score, show):
    jobs = [(s, which) for s in scenarios for which in ("llhttp", "ours") if which == "ours" or not s.alone]
    with ThreadPoolExecutor(3) as pool:  # some of them mostly wait
        results = dict(zip(((s.name, which) for s, which in jobs), pool.map(lambda job: worlds.run(*job), jobs)))
    for s in scenarios:
        facts, problems, passed = {}, [], 0
        for which in ("llhttp", "ours"):
            if (s.name, which) in results:
                if show:
                    print(results[s.name, which][0], end="")
                facts[which], wrong = judge(results[s.name, which], worlds.mapped(s, which))
                problems += [f"with {which}: {w}" for w in wrong]
                passed += not wrong
        if not s.alone:
            found = differences(facts["llhttp"], facts["ours"])
            problems += found
            passed += max(0, min(len(facts["llhttp"]), len(facts["ours"])) - len(found))
        score.tell(s.name, passed, problems, sum(results[s.name, which][3] for which in facts))


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("build", type=lambda path: Path(path).resolve())
    arguments.add_argument("--library", type=lambda path: Path(path).resolve(), help="folder of another build of the library")
    arguments.add_argument("--only", default="", help="only programs whose name has this text")
    arguments.add_argument("--list", action="store_true", help="name the programs and stop")
    arguments.add_argument("--show", action="store_true", help="print what each run printed")
    options = arguments.parse_args()
    scenarios = [s for s in SCENARIOS if options.only in s.name]
    users = [user for user in USERS if options.only in user[0].name]
    if options.list:
        print("\n".join(s.name for s in scenarios))
        return 0

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        worlds = Worlds(options.build, options.library or options.build / "lib")
        score = Score()
        for world, why in worlds.absent.items():
            if world == "pypi" and os.environ.get("LLHTTP_TEST_STRICT") == "1":
                score.tell("programs from PyPI", 0, [why])
                continue
            print(f"note  programs from {'Debian' if world == 'debian' else 'PyPI'} are left out: {why.splitlines()[-1]}")
            print("      " + why.replace("\n", "\n      "))
        if (worlds.build / "realworld/packages").exists() and "debian" not in worlds.absent:
            versions = dict(line.split()[:2] for line in (worlds.build / "realworld/packages").read_text().splitlines())
            print("Debian: " + ", ".join(f"{p} {versions[p]}" for p in ("nodejs", "libgit2-1.9", "tang", "ruby-llhttp", "libllhttp9.4") if p in versions))
        check_users(worlds, [u for u in users if u[0].world not in worlds.absent], score)
        if "debian" not in worlds.absent and not options.only:
            check_notices(worlds, score)
        check_scenarios(worlds, [s for s in scenarios if s.world not in worlds.absent], score, options.show)
    finally:
        for process in list(running):
            stop(process)
    print(f"{score.passed} passed, {score.failed} failed")
    return 1 if score.failed or score.passed == 0 and not worlds.absent else 0


if __name__ == "__main__":
    sys.exit(main())
