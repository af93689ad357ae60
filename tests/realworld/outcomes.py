"""Compares what the same tests have come to on two builds, and wants them all passed.

    outcomes.py OURS.xml THEIRS.xml [OURS.xml THEIRS.xml]...

The files are JUnit reports. A test that is skipped or expected to fail on both counts as neither. The last line is
"N passed, M failed".
"""

import sys
import xml.etree.ElementTree as ElementTree


def outcomes(path):
    """The outcome of each test: passed, or the element of the report that says what else."""
    found = {}
    for case in ElementTree.parse(path).iter("testcase"):
        name = case.get("classname"), case.get("name")
        kinds = [child.tag for child in case if child.tag in ("failure", "error", "skipped")]
        # Some tests are reported more than once: in parts, or with an error behind them.
        found[name] = max([*kinds, found.get(name, "passed")], key=["passed", "skipped", "failure", "error"].index)
    return found


def main(paths):
    passed = failed = 0
    for ours_path, theirs_path in zip(paths[::2], paths[1::2]):
        ours, theirs = outcomes(ours_path), outcomes(theirs_path)
        for name in sorted(ours.keys() | theirs.keys()):
            pair = ours.get(name, "missing"), theirs.get(name, "missing")
            if pair == ("passed", "passed"):
                passed += 1
            elif pair != ("skipped", "skipped"):
                failed += 1
                print("{}::{}: {} on this library, {} on llhttp".format(*name, *pair))
        print(f"{ours_path}: {len(ours)} tests, {list(ours.values()).count('skipped')} skipped")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
