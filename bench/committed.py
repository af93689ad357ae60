"""The committed results: the newest of each kind, and the fingerprint by which a picture tells what it shows."""

import hashlib
import json
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "results"
KINDS = ("endtoend", "loadcost")  # the others are the benchmark's own


def newest(kind=""):
    """Path and content of the newest results of a kind; "" is the benchmark of the parser itself."""
    found = []
    for path in FOLDER.glob("*.json"):
        prefix = path.name.split("-")[0]
        if prefix == kind or (kind == "" and prefix not in KINDS):
            kept = json.loads(path.read_text())
            found.append((kept["about"]["date"], path.name, path, kept))
    if not found:
        raise SystemExit(f"there are no results of the kind '{kind}' in {FOLDER}")
    *_, path, kept = max(found, key=lambda one: one[:2])
    return path, kept


def fingerprint(kept):
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()[:16]
