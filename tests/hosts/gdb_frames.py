"""Run by gdb: what its user sees of the library. Stops once at the start, in the middle and at the end of every Go and
assembly function, and in a callback; each time the function must be known by its name and all frames up to main must be
there.

    gdb -nx -batch -x tests/hosts/gdb_frames.py --args build/tests/unwind --parse

SYMBOLS_OF: the file whose symbol table says which functions there are, the library or a program that contains it. The
closing line is "N passed, M failed".
"""

import os
import re
import subprocess

import gdb

passed = failed = 0


def check(ok, what):
    global passed, failed
    if ok:
        passed += 1
    else:
        failed += 1
        print(f"gdb_frames.py: {what}")


def symbols(path):
    """The functions of the library: name to offset and size."""
    out = {}
    for line in subprocess.run(["nm", "-S", path], capture_output=True, text=True, check=True).stdout.splitlines():
        part = re.fullmatch("([0-9a-f]+) ([0-9a-f]+) [tT] (.+)", line)
        if part:
            out[part[3]] = int(part[1], 16), int(part[2], 16)
    return out


def names():
    frame, out = gdb.newest_frame(), []
    while frame is not None and len(out) < 100:
        # gdb takes some of Go's names for another language's, and shows llhttpgo/core.Step as llhttpgo/core[Step].
        out.append(re.sub(r"\[(\w+)\]$", r".\1", frame.name() or "") or None)
        frame = frame.older()
    return out


def complete(stack, *callers):
    """Whether all frames have a name, one of the callers of the library and main among them."""
    return not set(callers).isdisjoint(stack) and stack[-1] == "main" and None not in stack


def is_ours(name):
    return name.startswith(("llhttpgo/", "llhttp_core_", "tailmasks"))


def places(start, size):
    """The first instruction, one in the middle, and the last one."""
    code = gdb.selected_inferior().architecture().disassemble(start, start + size - 1)
    code = [i["addr"] for i in code if not i["asm"].startswith(("int3", "nop"))]
    return {code[0], code[len(code) // 2], code[-1]}


def main():
    gdb.execute("set pagination off")
    gdb.execute("set confirm off")
    gdb.execute("set breakpoint pending on")
    gdb.execute("handle SIGALRM nostop noprint")
    first = gdb.Breakpoint("main")
    gdb.execute("run")
    first.delete()
    functions = symbols(os.environ["SYMBOLS_OF"])
    base = int(gdb.parse_and_eval("(unsigned long) &llhttp_execute")) - functions["llhttp_execute"][0]
    waiting = {}
    for name, (offset, size) in functions.items():
        if is_ours(name):
            for at in places(base + offset, size):
                waiting[at] = name, gdb.Breakpoint(f"*{at:#x}")
    callback = gdb.Breakpoint("on_event")
    reached = set()
    while gdb.selected_inferior().pid != 0:
        gdb.execute("continue", to_string=True)
        if gdb.selected_inferior().pid == 0:
            break
        at, stack = gdb.newest_frame().pc(), names()
        if stack[0] == "on_event":
            check(complete(stack, "parse"), f"in a callback the frames are {stack}")
            callback.delete()
            reached.add("on_event")
            continue
        if at not in waiting:
            check(False, f"stopped at {at:#x}, in {stack}")
            break
        name, point = waiting.pop(at)
        check(stack[0] == name, f"{name} is called {stack[0]}")
        callers = (
            ["parse_all"]
            if name.startswith("llhttp_core_") and name.endswith("_level")
            else ["parse", "extensions", "tape_and_head"]
        )
        check(complete(stack, *callers), f"from {name}+{at - base - functions[name][0]}: {stack}")
        reached.add(name)
        point.delete()
    check("on_event" in reached, "no callback")
    for name in functions:
        if is_ours(name):
            check(name in reached, f"{name} was not reached")


try:
    main()
except Exception as error:  # gdb would go on to the end, and say nothing
    failed += 1
    print(f"gdb_frames.py: {error!r}")
print(f"{passed} passed, {failed} failed")
gdb.execute(f"quit {int(failed != 0 or passed == 0)}")
