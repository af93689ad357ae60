"""Node's own tests for HTTP/1, from the folder that prepare_node_suite.sh made: which of them pass.

    node_suite.py SUITE_DIR

Each test is a program that ends with 0. One that fails gets two more tries, alone: some depend on how busy the machine
is.
"""

import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import common
from common import expect, fact, library

suite = Path(sys.argv[1])


def run(test, slot):
    flags = re.search(r"^// Flags: (.*)$", test.read_text(errors="replace"), re.M)
    command = ["node", *(flags[1].split() if flags else []), str(test)]
    environment = {**os.environ, "TEST_THREAD_ID": str(slot), "NODE_TEST_DIR": "/tmp"}
    if slot:
        environment["TEST_PARALLEL"] = "1"
    try:
        return subprocess.run(
            command, env=environment, cwd=suite, stdin=subprocess.DEVNULL, capture_output=True, timeout=60
        ).returncode
    except subprocess.TimeoutExpired:
        return "timeout"


def main():
    found = {
        folder: sorted(
            p for p in (suite / "test" / folder).glob("test-http*.*js") if not p.name.startswith("test-http2")
        )
        for folder in ("parallel", "sequential")
    }
    results = {}
    with ThreadPoolExecutor(4) as pool:  # many of them wait
        numbers = {test: 1 + i for i, test in enumerate(found["parallel"])}
        results.update(zip(numbers, pool.map(run, numbers, numbers.values())))
    for test in found["sequential"]:
        results[test] = run(test, 0)
    for test in results:
        for _ in range(2):
            if results[test] != 0:
                results[test] = run(test, 0)
        fact(str(test.relative_to(suite)), results[test])
    expect("there are many", len(results) > 400, True)
    script = "const { mapped } = require('/llhttp/tests/node/common.js'); console.log(JSON.stringify(mapped()))"
    library("node", json.loads(subprocess.run(["node", "-e", script], check=True, capture_output=True).stdout))
    return common.status


sys.exit(main())
