#!/usr/bin/env python3
"""The benchmark's front door: builds what is needed, runs the rounds, hands the samples to report.py. Behind
`./build.sh bench`; see --help and docs/performance.md."""

import argparse
import datetime
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import peers

ROOT, BENCH = peers.ROOT, peers.BENCH

EXAMPLES = """examples:
  ./build.sh bench --quick                             a first look, in half a minute
  ./build.sh bench                                     everything against everything
  ./build.sh bench --corpus browser,realistic --set node --level avx2
  ./build.sh bench --corpus message.http@1460          a file of one's own, arriving in pieces
  ./build.sh bench --check-figures                     the promised figures: promised, measured
  ./build.sh bench --ab old/libllhttp.so build/lib/libllhttp.so --set node
  ./build.sh bench --profile browser --level avx2      loops for a profiler: perf record ./build.sh bench --profile ...
  ./build.sh bench --instructions --corpus geomean     instructions per pass, which do not depend on the machine's mood
"""


def arguments():
    parser = argparse.ArgumentParser(
        prog="./build.sh bench",
        description="Measures this library against others.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    mode = parser.add_argument_group("what to do (default: measure and print tables)").add_mutually_exclusive_group()
    mode.add_argument("--check-figures", action="store_true", help="compare what is measured with what is promised")
    mode.add_argument("--ab", nargs=2, metavar=("LIB_A", "LIB_B"), help="compare two builds of this library")
    mode.add_argument("--profile", metavar="CORPUS", help="run one input for --seconds or --passes, nothing else")
    mode.add_argument("--instructions", action="store_true", help="count instructions per pass with valgrind")
    mode.add_argument("--ask", action="store_true", help="print each parser's answer to each input, measure nothing")
    mode.add_argument("--list", action="store_true", help="print the named inputs")

    what = parser.add_argument_group("what with")
    what.add_argument(
        "--corpus",
        metavar="LIST",
        help="names, NAME@BYTES for pieces, files, and the groups realistic, adversarial, "
        "arrival, geomean, heads, all (default: all; --instructions: geomean)",
    )
    what.add_argument(
        "--set",
        metavar="LIST",
        help="callbacks: none, node (the 8 that Node sets), all, heads (no callbacks: spans "
        "of whole heads); names, targets (functions for parts of a message, all their inputs); default: all, "
        "for --profile, --ab and --instructions node",
    )
    what.add_argument(
        "--level",
        metavar="LIST",
        help="kernels: avx2, sse4.2, neon, generic (default: all this CPU has; for "
        "--profile, --ab and --instructions the best)",
    )
    what.add_argument(
        "--extended", action="store_true", help="also this library with limits and all strict rules (llhttp_ext.h)"
    )
    what.add_argument(
        "--peer",
        metavar="NAME",
        help="--profile: a parser other than this library (debian, llhttp-msse4.2, pico, "
        "httparse, tape-LEVEL, head-LEVEL, with --extended extended-LEVEL)",
    )
    what.add_argument("--lib", type=Path, metavar="FILE", help="another build of this library (default: build/lib)")

    what.add_argument("--parts", action="store_true", help="--instructions: also which part of the work takes them")

    how = parser.add_argument_group("how long")
    how.add_argument("--quick", action="store_true", help="few rounds")
    how.add_argument("--rounds", type=int, metavar="N", help="per launch (default: 100)")
    how.add_argument(
        "--launches", type=int, metavar="N", help="of the runner, since the place in memory matters (default: 3)"
    )
    how.add_argument("--sample-us", type=int, metavar="N", help="length of a sample (default: 300)")
    how.add_argument("--seconds", type=float, default=5, metavar="N", help="--profile: default 5")
    how.add_argument("--passes", type=int, metavar="N", help="--profile: so many passes instead")

    out = parser.add_argument_group("results")
    out.add_argument("--save", action="store_true", help="keep them as bench/results/<machine>-<date>.json")
    out.add_argument("--machine", metavar="NAME", help="the machine's name in there (default: from the CPU's)")
    out.add_argument("--svg", type=Path, metavar="FILE", help="draw them")
    out.add_argument("--samples", type=Path, metavar="FILE", help="write every sample, as JSON lines")
    args = parser.parse_args()
    if args.quick:
        args.rounds, args.launches, args.sample_us = args.rounds or 60, args.launches or 1, args.sample_us or 200
    args.rounds, args.sample_us = args.rounds or 100, args.sample_us or 300
    args.launches = args.launches or (4 if args.ab else 3)
    return args


def cpu_name():
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def about_machine(name=None):
    """Where and with what something was measured."""

    def ask(*command):
        try:
            return peers.run(list(command), cwd=ROOT).splitlines()[0].strip()
        except (peers.Missing, IndexError):
            return "?"

    cpu = re.sub(r"\((R|TM)\)|@.*", "", cpu_name()).strip()
    return {
        "machine": re.sub(r"[^a-z0-9]+", "-", (name or cpu).lower()).strip("-"),
        "cpu": cpu,
        "cpus": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "date": datetime.date.today().isoformat(),
        "revision": ask("git", "describe", "--always", "--dirty"),
        "cc": ask(peers.CC, "--version"),
        "go": ask("go", "version"),
    }


def about(args):
    """What a reader of the results must know."""
    return {
        **about_machine(args.machine),
        "rounds": args.rounds,
        "launches": args.launches,
        "sample_us": args.sample_us,
    }


def copy_of(library, folder, name):
    """A build under way must not change a file that is in use; and a file is loaded once only, whatever its name."""
    target = folder / f"{name}.so"
    shutil.copyfile(library, folder / f"{name}.new")
    os.replace(folder / f"{name}.new", target)
    return target


class Parsers:
    """What there is to measure, as options of the runner."""

    def __init__(self, args, build, heads):
        self.build, self.names = build, []
        self.levels = args.level.split(",") if args.level else peers.levels()
        self.options = ["--levels", ",".join(self.levels)]
        self.add("--llhttp", "debian", peers.debian)
        self.add("--llhttp", "llhttp-msse4.2", peers.llhttp_sse42)
        self.add("--ours", "ours", lambda build: args.lib or build / "lib/libllhttp.so", levels=True)
        if args.extended:
            self.add("--extended", "extended", lambda build: args.lib or build / "lib/libllhttp.so", levels=True)
        if heads:
            self.add("--tape", "tape", peers.tape, levels=True)
            self.add("--head", "head", lambda build: args.lib or build / "lib/libllhttp.so", levels=True)
            self.add("--pico", "pico", peers.pico)
            self.add("--httparse", "httparse", peers.httparse)

    def add(self, option, name, make, levels=False):
        path = peers.or_left_out(name, make, self.build)
        if path is None:
            return
        self.options += [option, str(path) if levels else f"{name}={path}"]
        self.names += [f"{name}-{level}" for level in self.levels] if levels else [name]


def measure(runners, args, samples):
    """Launches each runner several times; all samples go into one file. A runner is a command, or two that take
    turns. True if every answer was right."""
    right = True
    collected = {}  # keeps its order
    for launch, turns in ((launch, turns) for launch in range(args.launches) for turns in runners):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder, "samples")
            done = subprocess.run(
                [
                    *turns[launch % len(turns)],
                    "--rounds",
                    str(args.rounds),
                    "--sample-us",
                    str(args.sample_us),
                    "--seed",
                    str(launch + 1),
                    "--json",
                    str(out),
                ]
            )
            if not out.exists():
                sys.exit(done.returncode or 1)
            right = right and done.returncode == 0
            for line in out.read_text().splitlines():
                entry = json.loads(line)
                key = tuple(entry.get(k) for k in ("group", "corpus", "set", "peer"))
                if key not in collected:
                    collected[key] = entry
                elif "ns" in entry:
                    collected[key]["ns"] += entry["ns"]
    samples.write_text("".join(json.dumps(entry) + "\n" for entry in collected.values()))
    return right


PARTS = ("names", "targets")


def parts_command(args, build):
    """What measures the functions for the parts of a message."""
    command = [peers.parts(build), "--ours", args.lib or build / "lib/libllhttp.so"]
    for option, name, make in (("--gperf", "gperf", peers.gperf), ("--http-parser", "http_parser", peers.http_parser)):
        path = peers.or_left_out(name, make, build)
        command += [option, path] if path else []
    return [str(part) for part in command]


def profile(runner, parsers, args):
    level = parsers.levels[0]
    sets = args.set or (
        "heads" if args.peer in ("pico", "httparse") or (args.peer or "").startswith(("tape", "head")) else "node"
    )
    length = ["--passes", str(args.passes)] if args.passes else ["--profile", str(args.seconds)]
    os.execv(
        runner,
        [
            str(runner),
            *parsers.options,
            "--only",
            args.peer or f"ours-{level}",
            "--corpus",
            args.profile,
            "--set",
            sets,
            *length,
        ],
    )


# The parts of the work, by the functions' names in valgrind's list; the first pattern that fits counts.
PARTS_OF_WORK = {
    "kernels": re.compile(r"core/asm\.|knowLines"),
    "parser": re.compile(r"llhttpgo/core\.|llhttp_core_"),
    "driver": re.compile(r"replay|llhttp_|last_span|go_back|:run \[.*\.so\]|:parse \[.*\.so\]|bench_tape"),
    "host": re.compile(r"/bench\]"),
}


def instructions(runner, parsers, args):
    """Two runs that differ in the number of passes only: the difference is what the passes take."""
    if not shutil.which("valgrind"):
        sys.exit("bench: valgrind is missing")

    def parts_of(out):
        counts = dict.fromkeys(PARTS_OF_WORK, 0)
        for line in peers.run(["callgrind_annotate", "--threshold=100", str(out)]).splitlines():
            found = re.match(r" *([\d,]+) \(.*?\) +(\S.*)", line)
            if not found:
                continue
            part = next((name for name, pattern in PARTS_OF_WORK.items() if pattern.search(found[2])), None)
            if part:
                counts[part] += int(found[1].replace(",", ""))
        return counts

    def count(only, corpus, callbacks, passes):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [
                    "valgrind",
                    "--tool=callgrind",
                    f"--callgrind-out-file={folder}/out",
                    str(runner),
                    *parsers.options,
                    "--only",
                    only,
                    "--corpus",
                    corpus,
                    "--set",
                    callbacks,
                    "--passes",
                    str(passes),
                ],
                capture_output=True,
                text=True,
            )
            found = re.search(r"Collected : (\d+)", done.stderr)
            if done.returncode != 0 or not found:
                sys.exit(f"bench: valgrind failed:\n{done.stderr}")
            return {"": int(found.group(1)), **(parts_of(Path(folder, "out")) if args.parts else {})}

    def each(only, corpus, callbacks):
        few, many = (2, 12) if "1m" in corpus else (20, 220)
        less, more = count(only, corpus, callbacks, few), count(only, corpus, callbacks, many)
        return {part: (more[part] - less[part]) / (many - few) for part in more}

    listed = {}
    for line in peers.run([str(runner), "--groups"]).splitlines():
        name, *members = line.split()
        listed[name] = members
    corpora = list(dict.fromkeys(c for name in (args.corpus or "geomean").split(",") for c in listed.get(name, [name])))
    for callbacks in (args.set or "node").split(","):
        # Not picohttpparser: valgrind does not know the string instruction it uses.
        wanted = (
            ["httparse", *(f"{what}-{level}" for what in ("tape", "head") for level in parsers.levels)]
            if callbacks == "heads"
            else ["debian", *(f"{name}-{level}" for name in ("ours", "extended") for level in parsers.levels)]
        )
        names = [name for name in wanted if name in parsers.names]
        print(
            f"\ninstructions per pass, callbacks: {callbacks}; x: times as many in {names[0]}\n{'':14}"
            + "".join(f" {name:>20}" for name in names)
        )
        for corpus in corpora:
            print(f"{corpus:14}", end="")
            base = None
            for name in names:
                shares = each(name, corpus, callbacks)
                own = shares.pop("")
                print(f" {own:12.1f} " + (f"x {base / own:5.2f}" if base else " " * 7), end="", flush=True)
                if name != names[0] and shares:
                    print("  ".join(["", *(f"{part} {n:.0f}" for part, n in shares.items())]), end="", flush=True)
                base = base or own
            print()


def main():
    args = arguments()
    build = Path(os.environ.get("LLHTTP_BUILD_DIR", ROOT / "build")).resolve()
    if not args.lib:
        subprocess.run([ROOT / "build.sh", "lib"], check=True, stdout=sys.stderr)
    try:
        runner = peers.runner(build)
    except peers.Missing as reason:
        sys.exit(f"bench: the runner cannot be built: {reason}")
    if args.list:
        os.execv(runner, [str(runner), "--list"])
    single = args.profile or args.instructions or args.ab
    if single and not args.level:
        args.level = peers.levels()[0]
    corpus = ["--corpus", args.corpus] if args.corpus else []
    sets = ["--set", args.set] if args.set else []
    samples = (args.samples or build / "bench/samples.jsonl").resolve()
    about_file = build / "bench/about.json"

    if args.ab:
        os.environ["LLHTTP_SIMD"] = args.level
        a, b = (f"{name}={copy_of(Path(path), build / 'bench', name)}" for name, path in zip("ab", args.ab))
        options = ["--base", "a", *corpus, *(sets or ["--set", "node"])]
        right = measure(
            [
                [
                    [runner, "--quiet", "--llhttp", a, "--llhttp", b, *options],
                    [runner, "--quiet", "--llhttp", b, "--llhttp", a, *options],
                ]
            ],
            args,
            samples,
        )
        mode = ["--ab"]
    else:
        parsers = Parsers(args, build, heads=not args.instructions or "heads" in (args.set or ""))
        if args.profile:
            profile(runner, parsers, args)
        if args.instructions:
            instructions(runner, parsers, args)
            return 0
        if args.ask:
            os.execv(runner, [str(runner), *parsers.options, *corpus, *sets, "--ask"])
        wanted = args.set.split(",") if args.set else ["none", "node", "all", "heads", *PARTS]
        parts = [name for name in wanted if name in PARTS] if not args.corpus else []
        rest = ",".join(name for name in wanted if name not in PARTS)
        runners = (
            [[[runner, "--quiet", *parsers.options, *corpus, *(["--set", rest] if args.set else [])]]] if rest else []
        )
        right = measure([*runners, *([[parts_command(args, build)]] if parts else [])], args, samples)
        mode = ["--figures"] if args.check_figures else ["--table"]

    facts = about(args)
    about_file.write_text(json.dumps(facts))
    if args.save:
        results = BENCH / "results"
        results.mkdir(exist_ok=True)
        mode += ["--save", str(results / f"{facts['machine']}-{facts['date']}.json")]
    if args.svg:
        mode += ["--svg", str(args.svg.resolve())]
    try:
        python = peers.report_python(build)
    except peers.Missing as reason:
        print(
            f"bench: no report, as numpy, scipy or matplotlib cannot be installed: {reason}\nsamples: {samples}",
            file=sys.stderr,
        )
        return 1
    done = subprocess.run([python, BENCH / "report.py", *mode, "--about", about_file, samples])
    return done.returncode or (0 if right else 1)


if __name__ == "__main__":
    sys.exit(main())
