#!/usr/bin/env python3
"""Programs that know nothing of this library, once with llhttp and once with it in llhttp's place: the same must come
out.

    tests/realworld/run.py BUILD_DIR            BUILD_DIR/lib has the library
    tests/realworld/run.py BUILD_DIR --list     the programs
    tests/realworld/run.py BUILD_DIR --only TEXT --library DIR --show
    tests/realworld/run.py BUILD_DIR --node-suite       Node's own tests for HTTP/1 instead; takes some minutes

Node, libgit2, tang and ruby-llhttp come from Debian, in a root that prepare.sh makes; where it cannot be made or
entered, a line that begins with "note" says so and they are left out (those from PyPI too, unless LLHTTP_TEST_STRICT
is 1). httptools, uvicorn and geventhttpclient come from PyPI (prepare_python.sh). One file is swapped, by
LD_LIBRARY_PATH; by LD_PRELOAD for programs that have a copy of llhttp inside.

Each run prints what it saw (node/common.js has the format). Both runs must have seen the same, what must come out must
have come out in both, and every process must have had the right library, and no other llhttp library, in its memory.
The last line is "N passed, M failed"; what passes is a fact that both runs agree on, or a run in which all was right.
"""

import argparse
import json
import os
import re
import signal
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from worlds import HERE, ROOT, Failure, Scenario, Worlds, script

SUITE_TIMEOUT = 1800  # seconds


def node(name, *arguments, alone=False):
    script = arguments[0]
    return Scenario(f"node: {name}", ["node", f"{{tests}}/node/{script}", *arguments[1:]], "debian", alone=alone)


SCENARIOS = [
    node("features of node:http", "features.js"),
    *(
        node(f"{what} of tests/cases, {how}", f"{what}.js", "--cases", "{work}/cases.json", "--validation", how)
        for what in ("requests", "responses")
        for how in ("strict", "relaxed", "insecure")
    ),
    node("cluster and worker threads", "processes.js"),
    node("a NUL that llhttp does not return from", "nul.js", alone=True),
    Scenario("libgit2", ["python3", "-B", "{tests}/python/git_remote.py", "{work}/cases.json"], "debian"),
    Scenario("tang", ["python3", "-B", "{tests}/python/tang.py", "{work}/cases.json"], "debian"),
    Scenario("ruby-llhttp", ["ruby", "{tests}/ruby/llhttp.rb", "{work}/cases.json"], "debian", preload=True),
    Scenario("httptools", ["python", "-B", "{tests}/python/httptools_cases.py", "{work}/cases.json"], "pypi"),
    Scenario("uvicorn", ["python", "-B", "{tests}/python/uvicorn_server.py", "{work}/cases.json"], "pypi"),
    Scenario(
        "geventhttpclient",
        ["python", "-B", "{tests}/python/gevent_client.py", "{work}/cases.json"],
        "pypi",
        preload=True,
    ),
]

NODE_SUITE = Scenario(
    "node: its own tests for HTTP/1",
    ["python3", "-B", "{tests}/python/node_suite.py", "{work}"],
    "debian",
    timeout=SUITE_TIMEOUT,
)

# For each user of the library: something that loads it, and the file that must be bound to the right one.
USERS = [
    (Scenario("node", ["node", "-e", "0"], "debian"), "libnode.so"),
    (Scenario("libgit2", ["python3", "-c", "import pygit2"], "debian"), "libgit2.so"),
    (Scenario("tang", ["tangd", "--help"], "debian"), "tangd"),
    (Scenario("ruby-llhttp", ["ruby", "-e", "require 'llhttp'"], "debian", preload=True), "llhttp_ext.so"),
    (Scenario("httptools", ["python", "-c", "import httptools"], "pypi"), "httptools/parser/parser."),
    (
        Scenario("geventhttpclient", ["python", "-c", "import geventhttpclient"], "pypi", preload=True),
        "geventhttpclient/_parser.",
    ),
]


class Score:
    def __init__(self):
        self.passed = self.failed = 0

    def tell(self, name, passed, problems, seconds=None):
        self.passed += passed
        self.failed += len(problems)
        print(
            f"{'FAIL' if problems else 'ok'}  {name}: {passed} passed{f', {seconds:.1f} s' if seconds else ''}",
            flush=True,
        )
        for problem in problems[:20]:
            print("      " + problem.replace("\n", "\n      "))
        if len(problems) > 20:
            print(f"      and {len(problems) - 20} more")


def shortened(value, other=""):
    """A value as text, from a little before it begins to differ from another."""
    text = json.dumps(value)
    same = len(os.path.commonprefix([text, json.dumps(other)]))  # noqa: RUF071 # character by character is meant
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
            return [*found, f"llhttp goes on with {name!r}, this library with {our_name!r}"]
        if value != our_value:
            found.append(
                f"{name}\n  llhttp:       {shortened(value, our_value)}\n  this library: {shortened(our_value, value)}"
            )
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
    planted = transcript(
        worlds.run(scenario, "llhttp", extra={"LD_PRELOAD": os.path.join("/llhttp", "work", "plant.so")})[0]
    )[0]
    found = differences(theirs, planted)
    score.tell("a planted difference is noticed", int(bool(found)), [] if found else ["it is not"])


def check_scenarios(worlds, scenarios, score, show, at_a_time=3):  # some of them mostly wait
    jobs = [(s, which) for s in scenarios for which in ("llhttp", "ours") if which == "ours" or not s.alone]
    with ThreadPoolExecutor(at_a_time) as pool:
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


def check_absent(worlds, score):
    """Says what cannot be run. PyPI counts as a failure where nothing may be left out; a root is not to be had
    everywhere."""
    for world, why in worlds.absent.items():
        if world == "pypi" and os.environ.get("LLHTTP_TEST_STRICT") == "1":
            score.tell("programs from PyPI", 0, [why])
        else:
            print(
                f"note  programs from {'Debian' if world == 'debian' else 'PyPI'} are left out: {why.splitlines()[-1]}"
            )
            print("      " + why.replace("\n", "\n      "))


def check_programs(worlds, options, score):
    def there(scenario):
        return scenario.world not in worlds.absent and options.only in scenario.name

    cases = script(
        "go",
        "run",
        "./tests/cases/runner",
        "--inputs",
        "--reference",
        *(str(path) for path in sorted((ROOT / "tests/cases").glob("*.md"))),
        cwd=ROOT,
    )
    (worlds.work / "cases.json").write_text(cases + "\n")
    if "debian" not in worlds.absent:
        versions = worlds.versions()
        print(
            "Debian: "
            + ", ".join(
                f"{p} {versions[p]}"
                for p in ("nodejs", "libgit2-1.9", "tang", "ruby-llhttp", "libllhttp9.4")
                if p in versions
            )
        )
        if not options.only:
            check_notices(worlds, score)
    check_users(worlds, [(scenario, user) for scenario, user in USERS if there(scenario)], score)
    check_scenarios(worlds, [scenario for scenario in SCENARIOS if there(scenario)], score, options.show)


def check_node_suite(worlds, options, score):
    if "debian" in worlds.absent:
        raise Failure(worlds.absent["debian"])
    worlds.work = Path(script(str(HERE / "prepare_node_suite.sh"), str(worlds.build / "realworld")))
    check_scenarios(
        worlds, [NODE_SUITE], score, options.show, at_a_time=1
    )  # its tests share port numbers and the folder


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("build", type=lambda path: Path(path).resolve())
    arguments.add_argument(
        "--library", type=lambda path: Path(path).resolve(), help="folder of another build of the library"
    )
    arguments.add_argument("--only", default="", help="only programs whose name has this text")
    arguments.add_argument("--node-suite", action="store_true", help="run Node's own tests for HTTP/1 instead")
    arguments.add_argument("--list", action="store_true", help="name the programs and stop")
    arguments.add_argument("--show", action="store_true", help="print what each run printed")
    options = arguments.parse_args()
    if options.list:
        print("\n".join(s.name for s in SCENARIOS if options.only in s.name))
        return 0

    score = Score()
    with tempfile.TemporaryDirectory(prefix="llhttp-realworld.") as work:
        worlds = Worlds(options.build, options.library or options.build / "lib", Path(work))
        signal.signal(signal.SIGTERM, lambda *_: worlds.stop_all())
        check_absent(worlds, score)
        try:
            (check_node_suite if options.node_suite else check_programs)(worlds, options, score)
        finally:
            worlds.stop_all()
    print(f"{score.passed} passed, {score.failed} failed")
    return 1 if score.failed or (not score.passed and not worlds.absent) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        sys.exit(f"run.py: {failure}")
