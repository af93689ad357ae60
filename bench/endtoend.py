#!/usr/bin/env python3
"""CPU time per request of whole servers, on llhttp as Debian ships it and on this library: a parser is a part of a
server, and this says how large a part. Needs what tests/realworld needs (root or user namespaces, a Debian mirror,
PyPI); perf for the parser's share.

    bench/endtoend.py                  Node and uvicorn; about a quarter of an hour
    bench/endtoend.py --quick          a first look, in a minute
    bench/endtoend.py --add            more launches of the same; on a busy machine, whenever it is quiet
    bench/endtoend.py --save           also writes bench/results/endtoend-<machine>-<date>.json
    bench/endtoend.py --show FILE      the tables of such a file

Two estimates. A profiler's samples say which part of the server's CPU time is spent in the library, callbacks not
included: what changes, if all else takes the same time. And the CPU time per request is measured, which shows effects
on all else too, but needs a quiet machine.

A launch starts the same server twice, once on each library, and warms both up. Then wrk sends one request over and
over on 16 connections that are kept, in turns: llhttp, ours, ours, llhttp; such a block gives one ratio of CPU time
per request. The CPU time is that of all threads of the server, user and system. Several launches, since a process's
place in memory and its JIT's choices last as long as it does. Medians; 95 % intervals from resampled launches. Before
it is timed each server must answer rightly and have the right library, and no other, in its memory.
"""

import argparse
import json
import math
import os
import random
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import peers
from run import about_machine

sys.path.insert(0, str(peers.ROOT / "tests/realworld"))
from worlds import Failure, Scenario, Worlds

HERE = peers.BENCH / "endtoend"
CONNECTIONS = 16
REQUESTS = ("headers4", "browser")  # of bench/corpus.c
LIBRARIES = ("llhttp", "ours")
RESAMPLES = 4000
PARSER, KERNEL = "libllhttp", r"^\[kernel|^\[guest"  # names of files in perf's report
SERVERS = {
    "node": Scenario("node", ["node", "{work}/server.js"], "debian"),
    "uvicorn": Scenario("uvicorn", ["python", "-B", "{work}/app.py", "uvloop"], "pypi"),
}


# ---- one server ----


def cpu_time(pid):
    """Nanoseconds that the threads of a process have run."""
    return sum(int(Path(task, "schedstat").read_text().split()[0]) for task in Path(f"/proc/{pid}/task").iterdir())


def child_of(pid):
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(path.read_text().rsplit(")", 1)[1].split()[1]) == pid:
                return int(path.parent.name)
        except (FileNotFoundError, ProcessLookupError):
            pass
    raise Failure("the server has gone")


class Server:
    def __init__(self, worlds, kind, which, cpus):
        scenario = SERVERS[kind]
        self.worlds, self.cpus = worlds, cpus
        self.process = worlds.start(scenario, which, stderr=sys.stderr, preexec_fn=pinned(cpus[-1]))
        line = self.process.stdout.readline()
        if not line.strip().isdigit():
            raise Failure(f"{kind} does not start on {which}")
        self.port = int(line)
        self.pid = child_of(self.process.pid) if scenario.world == "debian" else self.process.pid
        maps = Path(f"/proc/{self.pid}/maps").read_text()
        found = set(re.findall(r" (/.*libllhttp.*)$", maps, re.M))
        if scenario.world == "debian":  # seen from outside the root
            found = {path.removeprefix(str(worlds.root)) for path in found}
        if found != {worlds.mapped(scenario, which)}:
            raise Failure(f"{kind} has {found} in its memory, not {worlds.mapped(scenario, which)}")

    def load(self, message, seconds):
        """Requests that were answered, and CPU time of the server in nanoseconds."""
        wrk = Scenario(
            "wrk",
            [
                "wrk",
                "-t",
                "1",
                "-c",
                str(CONNECTIONS),
                "-d",
                f"{seconds}s",
                "-s",
                "{work}/load.lua",
                f"http://127.0.0.1:{self.port}/",
                "--",
                f"{{work}}/{message}",
            ],
            "debian",
        )
        before = cpu_time(self.pid)
        with self.worlds.start(wrk, "llhttp", preexec_fn=pinned(self.cpus[0])) as process:
            out = process.stdout.read()
        spent = cpu_time(self.pid) - before
        counts = json.loads(out.splitlines()[-1])
        if counts["errors"] or counts["status"] or not counts["requests"]:
            raise Failure(f"the load went wrong: {counts}")
        return counts["requests"], spent

    def answer(self, message):
        """What the server says to the message, without the date."""
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            connection.sendall(message)
            received = b""
            while not received.endswith(b"Hello, world!\n"):
                part = connection.recv(65536)
                if not part:
                    break
                received += part
        return re.sub(rb"(?mi)^date: .*\r\n", b"", received).decode()

    def samples(self, message, seconds, folder):
        """Samples of a profiler under load, by file that they fell into."""
        data = folder / "perf.data"
        perf = subprocess.Popen(
            ["perf", "record", "-q", "-e", "cpu-clock", "-F", "4999", "-p", str(self.pid), "-o", data],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.load(message, seconds)
        perf.send_signal(signal.SIGINT)
        perf.wait()
        report = subprocess.run(
            ["perf", "report", "--stdio", "-n", "--sort", "dso", "-i", data], capture_output=True, text=True
        ).stdout
        return {name: int(count) for count, name in re.findall(r"^ *[\d.]+% +(\d+) +(.*?) *$", report, re.M)}

    def stop(self):
        self.worlds.stop(self.process)
        self.process.wait()


def pinned(cpu):
    return lambda: os.sched_setaffinity(0, {cpu})


# ---- rounds ----


def launch(worlds, kind, options, kept, generator):
    """One launch of both servers; adds to kept[request] the CPU time per request of each sample, and the profiler's
    samples."""
    cpus = sorted(os.sched_getaffinity(0))
    servers = {}
    try:
        for which in generator.sample(LIBRARIES, 2):
            servers[which] = Server(worlds, kind, which, cpus)
        for request in REQUESTS:
            message = (worlds.work / request).read_bytes()
            answers = {which: server.answer(message) for which, server in servers.items()}
            if len(set(answers.values())) != 1 or "200 OK" not in answers["ours"]:
                raise Failure(f"the answers differ: {answers}")
            for server in servers.values():
                server.load(request, options.warm_up)
        for request in generator.sample(REQUESTS, len(REQUESTS)):
            blocks = []
            for _ in range(options.blocks):
                first, second = generator.sample(LIBRARIES, 2)
                block = {which: [] for which in LIBRARIES}
                for which in (first, second, second, first):
                    requests, spent = servers[which].load(request, options.seconds)
                    block[which].append(spent / requests)
                blocks.append(block)
            kept[request]["launches"].append(blocks)
            if options.perf:
                samples = {which: servers[which].samples(request, options.seconds, worlds.work) for which in LIBRARIES}
                kept[request]["profiles"].append(samples)
    finally:
        for server in servers.values():
            server.stop()


def launches(worlds, wanted, options, samples):
    """Launches; each becomes a line of the file `samples`, but for one that goes wrong or is interrupted."""
    generator = random.Random()
    for number in range(options.launches):
        before = os.getloadavg()[0]
        fresh = {kind: {request: {"launches": [], "profiles": []} for request in REQUESTS} for kind in wanted}
        try:
            for kind in generator.sample(wanted, len(wanted)):
                launch(worlds, kind, options, fresh[kind], generator)
        except KeyboardInterrupt:
            print(f"interrupted in launch {number + 1}", file=sys.stderr)
            return
        except Failure as failure:
            print(f"launch {number + 1} of {options.launches} is left out: {failure}", file=sys.stderr)
            continue
        with samples.open("a") as out:
            print(json.dumps({"load": [before, os.getloadavg()[0]], "servers": fresh}), file=out)
        ratios = [
            f"{kind} {request} {timed_ratio(entry['launches']):.3f}"
            for kind, requests in fresh.items()
            for request, entry in requests.items()
        ]
        print(f"launch {number + 1} of {options.launches}: {', '.join(ratios)}", file=sys.stderr)


# ---- what can be said ----


def interval(statistic, launches, generator):
    """The statistic and its 95 % interval, from launches that are drawn again."""
    values = sorted(statistic(generator.choices(launches, k=len(launches))) for _ in range(RESAMPLES))
    return [statistic(launches), values[int(RESAMPLES * 0.025)], values[int(RESAMPLES * 0.975)]]


def timed_ratio(launches):
    """CPU time on this library to that on llhttp: the median over launches of the geometric mean over blocks."""

    def of(block):
        return math.log(sum(block["ours"]) / sum(block["llhttp"]))

    return math.exp(statistics.median(statistics.fmean(map(of, blocks)) for blocks in launches))


def nanoseconds(which):
    """Per request: the median over launches of the median over blocks."""
    return lambda launches: statistics.median(
        statistics.median(statistics.fmean(b[which]) for b in blocks) for blocks in launches
    )


def share(which, pattern):
    """The part of all samples that fell into files of that name."""

    def of(profiles):
        counts = [(name, count) for profile in profiles for name, count in profile[which].items()]
        return sum(n for name, n in counts if re.search(pattern, name)) / sum(n for _, n in counts)

    return of


def sampled_ratio(profiles):
    """CPU time on this library to that on llhttp, if all but the parser takes the same time."""
    theirs, ours = (share(which, PARSER)(profiles) for which in LIBRARIES)
    return (1 - theirs) / (1 - ours)


def summary(measured):
    """A row for each server and request, from the launches that were measured."""
    generator = random.Random(1)
    kept = {}
    for line in measured:
        for kind, requests in line["servers"].items():
            for request, entry in requests.items():
                into = kept.setdefault(kind, {}).setdefault(request, {"launches": [], "profiles": []})
                for key, values in entry.items():
                    into[key] += values
    rows = []
    for kind, requests in kept.items():
        for request, entry in requests.items():
            launches, profiles = entry["launches"], entry["profiles"]
            row = {
                "server": kind,
                "request": request,
                "nanoseconds": {which: interval(nanoseconds(which), launches, generator) for which in LIBRARIES},
                "ratio": interval(timed_ratio, launches, generator),
                "ratios of launches": sorted(timed_ratio([blocks]) for blocks in launches),
            }
            if profiles:
                row["samples"] = sum(sum(profile[which].values()) for profile in profiles for which in LIBRARIES)
                row["parser"] = {which: interval(share(which, PARSER), profiles, generator) for which in LIBRARIES}
                row["kernel"] = {which: interval(share(which, KERNEL), profiles, generator) for which in LIBRARIES}
                row["sampled ratio"] = interval(sampled_ratio, profiles, generator)
            rows.append(row)
    return rows


def rounded(value):
    if isinstance(value, float):
        return round(value, 4) if value < 100 else round(value)
    if isinstance(value, list):
        return [rounded(v) for v in value]
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    return value


def percent(values, sign=""):
    return "{:{s}.2f} % [{:{s}.2f} {:{s}.2f}]".format(*(100 * v for v in values), s=sign)


def table_lines(results):
    """The table of results, in Markdown."""
    columns = ["server", "request", "llhttp", "this library", "parser's part: llhttp", "this library"]
    columns += ["change by these parts", "change as timed", "kernel's part"]
    lines = [f"| {' | '.join(columns)} |", f"|{' --- |' * len(columns)}"]
    for row in results["rows"]:
        cells = [row["server"], row["request"]]
        cells += [f"{row['nanoseconds'][which][0] / 1000:.1f} µs" for which in LIBRARIES]
        if "parser" in row:
            cells += [percent(row["parser"][which]) for which in LIBRARIES]
            cells.append(percent([v - 1 for v in row["sampled ratio"]], "+"))
        else:
            cells += [""] * 3
        cells.append(percent([v - 1 for v in row["ratio"]], "+"))
        cells.append(f"{100 * row['kernel']['llhttp'][0]:.0f} %" if "kernel" in row else "")
        lines.append(f"| {' | '.join(cells)} |")
    return lines


# ---- the front door ----


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--server", action="append", choices=list(SERVERS), help="only this one")
    parser.add_argument("--quick", action="store_true", help="few rounds")
    parser.add_argument("--launches", type=int, metavar="N")
    parser.add_argument("--blocks", type=int, metavar="N", help="per launch and request")
    parser.add_argument("--seconds", type=int, metavar="N", help="of one load")
    parser.add_argument(
        "--add", action="store_true", help="to the launches of the run before, which would be forgotten"
    )
    parser.add_argument("--no-perf", action="store_true", help="leave out the parser's share")
    parser.add_argument("--machine", metavar="NAME", help="its name in the results (default: the CPU's)")
    parser.add_argument("--save", action="store_true", help="write bench/results/endtoend-<machine>-<date>.json")
    parser.add_argument("--show", type=Path, metavar="FILE", help="print the table of a results file, measure nothing")
    options = parser.parse_args()
    options.launches = options.launches or (2 if options.quick else 12)
    options.blocks = options.blocks or (1 if options.quick else 4)
    options.seconds = options.seconds or 1
    options.warm_up = 1 if options.quick else 3
    options.perf = not options.no_perf and shutil.which("perf") is not None
    return options


def prepare(build, worlds, wanted):
    for kind in wanted:
        world = SERVERS[kind].world
        if world in worlds.absent:
            raise Failure(worlds.absent[world])
    if "debian" in worlds.absent:  # wrk
        raise Failure(worlds.absent["debian"])
    runner = peers.runner(build)
    for request in REQUESTS:
        message = subprocess.run([runner, "--print", request], check=True, capture_output=True).stdout
        (worlds.work / request).write_bytes(message)
    for name in ("server.js", "app.py", "load.lua"):
        shutil.copy(HERE / name, worlds.work / name)
    if "uvicorn" in wanted:
        subprocess.run(
            [
                worlds.python / "bin/pip",
                "install",
                "-q",
                "--disable-pip-version-check",
                "-r",
                HERE / "requirements.txt",
            ],
            check=True,
        )


def versions(worlds):
    """Of what was measured with."""
    debian = worlds.versions()
    pypi = {}
    for path in (peers.ROOT / "tests/realworld/python/requirements.txt", HERE / "requirements.txt"):
        pypi |= dict(line.split("==") for line in path.read_text().split() if "==" in line)
    return {
        **{name: debian[name] for name in ("nodejs", "libllhttp9.4", "wrk")},
        **{name: pypi[name] for name in ("uvicorn", "httptools", "uvloop")},
    }


def main():
    options = arguments()
    if options.show:
        print(*table_lines(json.loads(options.show.read_text())), sep="\n")
        return 0
    build = Path(os.environ.get("LLHTTP_BUILD_DIR", peers.ROOT / "build")).resolve()
    subprocess.run([peers.ROOT / "build.sh", "lib"], check=True, stdout=sys.stderr)
    samples = build / "bench/endtoend.jsonl"
    samples.parent.mkdir(parents=True, exist_ok=True)
    if not options.add:
        samples.unlink(missing_ok=True)
    wanted = options.server or list(SERVERS)
    signal.signal(signal.SIGTERM, signal.getsignal(signal.SIGINT))
    with tempfile.TemporaryDirectory(prefix="llhttp-endtoend.") as work:
        worlds = Worlds(build, build / "lib", Path(work))
        try:
            prepare(build, worlds, wanted)
            launches(worlds, wanted, options, samples)
        finally:
            worlds.stop_all()
    if not samples.exists():
        raise Failure("nothing was measured")
    measured = [json.loads(line) for line in samples.read_text().splitlines()]
    loads = sorted(load for line in measured for load in line["load"])
    facts = {
        **about_machine(options.machine),
        "launches": len(measured),
        "blocks": options.blocks,
        "seconds": options.seconds,
        "connections": CONNECTIONS,
        "load average": [round(v, 1) for v in (loads[0], statistics.median(loads), loads[-1])],
        **versions(worlds),
    }
    rows = rounded(summary(measured))
    print(*table_lines({"rows": rows}), sep="\n")
    if options.save:
        target = peers.BENCH / f"results/endtoend-{facts['machine']}-{facts['date']}.json"
        target.parent.mkdir(exist_ok=True)
        lines = ",\n  ".join(json.dumps(row) for row in rows)
        target.write_text(f'{{\n "about": {json.dumps(facts)},\n "rows": [\n  {lines}\n ]\n}}\n')
        print(f"saved as {target.relative_to(peers.ROOT)}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Failure, peers.Missing) as problem:
        sys.exit(f"endtoend: {problem}")
