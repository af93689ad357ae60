"""Where the bytes of an object with the buffer protocol lie.

``ctypes`` gives the address of writable buffers alone; the C API of Python gives it for all, and keeps the object from
being resized until it is released.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import Buffer

PyBUF_SIMPLE = 0
PyBUF_READ = 0x100


class Py_buffer(ctypes.Structure):
    """``Py_buffer`` of Python's C API."""

    buf: int
    len: int
    _fields_ = (
        ("buf", ctypes.c_void_p),
        ("obj", ctypes.c_void_p),
        ("len", ctypes.c_ssize_t),
        ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int),
        ("ndim", ctypes.c_int),
        ("format", ctypes.c_void_p),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("suboffsets", ctypes.c_void_p),
        ("internal", ctypes.c_void_p),
    )


# Without argtypes: near the limit of recursion their conversion fails, and ctypes says that of the argument.
_get: Any = ctypes.pythonapi["PyObject_GetBuffer"]

release: Any = ctypes.pythonapi["PyBuffer_Release"]
release.restype = None

_view: Any = ctypes.pythonapi["PyMemoryView_FromMemory"]
_view.restype = ctypes.py_object


def hold(data: Buffer) -> Py_buffer:
    """Returns where the bytes of data are. They stay there until the caller gives it to release, by reference.

    Raises TypeError for an object without bytes, BufferError for bytes that do not lie one behind the other.
    """
    buffer = Py_buffer()
    _get(ctypes.py_object(data), ctypes.byref(buffer), PyBUF_SIMPLE)
    return buffer


def view(buffer: Py_buffer) -> memoryview:
    """Returns the bytes of a buffer that is held, whatever the items of its object are. Valid while it is held."""
    return _view(ctypes.c_void_p(buffer.buf), ctypes.c_ssize_t(buffer.len), PyBUF_READ)  # type: ignore[no-any-return]
