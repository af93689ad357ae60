"""Finds the library, loads it, and makes sure that it is the right one.

The places are tried in this order: the one that the environment variable ``LLHTTP_LIBRARY`` names (then no other), the
folder of this package, the system. The layouts of ``llhttp_t`` and ``llhttp_settings_t`` differ between versions of
llhttp, and a wrong one would overwrite memory; so what the library does to a parser is looked at before it is used.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path
from typing import Optional

from ._errors import LibraryError
from ._tables_gen import CALLBACKS, HEAD_MEMBERS, MEMBERS, SONAME, TAPE_MEMBERS, VERSION, Lenient, ParserType

VARIABLE = "LLHTTP_LIBRARY"
CALLBACKS_VARIABLE = "LLHTTPGO_CALLBACKS"  # not empty: callbacks even if the library has the tape, to test them
BUNDLED = Path(__file__).with_name("libllhttp.so")

# The kinds of callbacks, with addresses as numbers: int (llhttp_t*), and int (llhttp_t*, const char*, size_t).
NOTIFY = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
SPAN = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)


class llhttp_t(ctypes.Structure):
    """The parser's struct in C. It is read, and written by the library alone."""

    error: int
    error_pos: Optional[int]
    content_length: int
    type: int
    method: int
    http_major: int
    http_minor: int
    lenient_flags: int
    upgrade: int
    finish: int
    flags: int
    status_code: int
    _fields_ = MEMBERS


class llhttp_settings_t(ctypes.Structure):
    """The callbacks' struct in C."""

    _fields_ = tuple(("on_" + name, SPAN if span else NOTIFY) for name, span in CALLBACKS)


class llhttp_ext_tape_t(ctypes.Structure):
    """What ``llhttp_ext_execute`` works on, in C."""

    events: int
    room: int
    mask: int
    options: int
    count: int
    consumed: int
    _fields_ = TAPE_MEMBERS


class llhttp_ext_head_t(ctypes.Structure):
    """A header section in C, as far as it is read here."""

    content_length: int
    method: int
    http_major: int
    http_minor: int
    upgrade: int
    fields: int
    size: int
    count: int
    reason: Optional[int]
    body: int
    keep_alive: int
    _fields_ = HEAD_MEMBERS


def _declare(library: ctypes.PyDLL) -> None:
    """Says what the functions take and return. Raises AttributeError if one is missing."""
    pointer, number, text = ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p
    signatures = {
        "llhttp_settings_init": (None, [pointer]),
        "llhttp_init": (None, [pointer, number, pointer]),
        "llhttp_reset": (None, [pointer]),
        "llhttp_execute": (number, [pointer, pointer, ctypes.c_size_t]),
        "llhttp_finish": (number, [pointer]),
        "llhttp_pause": (None, [pointer]),
        "llhttp_resume": (None, [pointer]),
        "llhttp_resume_after_upgrade": (None, [pointer]),
        "llhttp_should_keep_alive": (number, [pointer]),
        "llhttp_message_needs_eof": (number, [pointer]),
        "llhttp_get_error_reason": (text, [pointer]),
        "llhttp_errno_name": (text, [number]),
        "llhttp_method_name": (text, [number]),
    }
    signatures.update((setter(flag), (None, [pointer, number])) for flag in Lenient)
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments


def setter(flag: Lenient) -> str:
    """The name of the function that sets a lenient flag."""
    assert flag.name is not None
    return "llhttp_set_lenient_" + flag.name.lower()


def _complaint(library: ctypes.PyDLL) -> Optional[str]:
    """Returns what is wrong with a library, None if nothing is."""
    try:
        _declare(library)
    except AttributeError as error:
        return f"not llhttp {VERSION}: {error}"
    margin = b"\xa5" * 256

    def written(struct: type[ctypes.Structure], function: str, *arguments: int) -> Optional[ctypes.Structure]:
        """What a function makes of a struct, None if it goes beyond it."""
        memory = bytearray(b"\xa5" * ctypes.sizeof(struct) + margin)
        block = (ctypes.c_ubyte * len(memory)).from_buffer(memory)
        getattr(library, function)(ctypes.addressof(block), *arguments)
        return struct.from_buffer_copy(memory) if memory.endswith(margin) else None

    settings = written(llhttp_settings_t, "llhttp_settings_init")
    if settings is None or any(bytes(settings)):
        return f"not llhttp {VERSION}: its llhttp_settings_t is another"
    expected = llhttp_t(type=ParserType.RESPONSE, settings=ctypes.addressof(settings))
    parser = written(llhttp_t, "llhttp_init", ParserType.RESPONSE, ctypes.addressof(settings))
    # The last member is among those that are looked at, so the struct is no shorter either.
    public = [name for name, _ in MEMBERS if not name.startswith("_")]
    if parser is None or any(getattr(parser, name) != getattr(expected, name) for name in public):
        return f"not llhttp {VERSION}: its llhttp_t is another"
    return None


def _has_tape(library: ctypes.PyDLL) -> bool:
    """Tells whether the library has llhttp_ext_execute, and works on an array as this package reads it."""
    if not hasattr(library, "llhttp_ext_execute") or sys.byteorder != "little" or os.environ.get(CALLBACKS_VARIABLE):
        return False
    parser, data = llhttp_t(), b"G /"
    array = (ctypes.c_uint32 * 8)(*[0xA5A5A5A5] * 8)
    tape = llhttp_ext_tape_t(ctypes.addressof(array), 1, 1 << CALLBACKS.index(("method", True)))
    library.llhttp_init(ctypes.addressof(parser), ParserType.REQUEST, None)
    execute = library["llhttp_ext_execute"]
    execute.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p]
    execute(ctypes.addressof(parser), data, 1, ctypes.addressof(tape))
    return (tape.count, tape.consumed, *array) == (1, 1, 0, 1, CALLBACKS.index(("method", True)), 0, *[0xA5A5A5A5] * 4)


def _in_subinterpreter() -> bool:
    this, main = ctypes.pythonapi.PyInterpreterState_Get, ctypes.pythonapi.PyInterpreterState_Main
    this.restype = main.restype = ctypes.c_void_p
    return bool(this() != main())


def load() -> ctypes.PyDLL:
    """Returns the library. Raises LibraryError, which says what was tried and why it would not do."""
    if _in_subinterpreter():
        # A callback would wait for ever for the interpreter's lock, which its own thread holds.
        raise LibraryError(
            "llhttpgo works in the main interpreter alone, as the callbacks of ctypes do; "
            "this is a subinterpreter (in mod_wsgi, WSGIApplicationGroup %{GLOBAL} chooses the main one)"
        )
    chosen = os.environ.get(VARIABLE)
    places = [(chosen, VARIABLE)] if chosen else [(str(BUNDLED), "beside the package"), (SONAME, "on the system")]
    tried = []
    for name, place in places:
        try:
            # PyDLL: a parse keeps the interpreter's lock. It is short, and it takes the lock for every callback; to
            # wait for it each time would cost more than all the rest wherever other threads are busy.
            library = ctypes.PyDLL(name)
        except OSError as error:
            complaint: Optional[str] = str(error)
        else:
            complaint = _complaint(library)
        if complaint is None:
            return library
        tried.append(f"{name} ({place}): {complaint}")
    raise LibraryError("no usable libllhttp; tried\n  " + "\n  ".join(tried))


library = load()

# Whether the tape takes the place of callbacks.
TAPE = _has_tape(library)

# Whether there is llhttp_ext_head_parse, which came with the tape.
HEAD = TAPE and hasattr(library, "llhttp_ext_head_parse")

# The file, or the name by which the system knows it.
LIBRARY = library._name
