"""Shows the HTTP messages on standard input, with nothing but ctypes and the installed library.

    show.py request|response [BYTES_PER_PIECE] < FILE

The parser is one that the library has allocated, so its struct need not be known here; that of the callbacks must be.
"""

import ctypes
import sys

HPE_OK, HPE_PAUSED_UPGRADE = 0, 22
TYPES = {"request": 1, "response": 2}

NOTIFY = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
SPAN = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)


class Settings(ctypes.Structure):
    """llhttp_settings_t."""

    _fields_ = [
        ("on_message_begin", NOTIFY),
        ("on_protocol", SPAN),
        ("on_url", SPAN),
        ("on_status", SPAN),
        ("on_method", SPAN),
        ("on_version", SPAN),
        ("on_header_field", SPAN),
        ("on_header_value", SPAN),
        ("on_chunk_extension_name", SPAN),
        ("on_chunk_extension_value", SPAN),
        ("on_headers_complete", NOTIFY),
        ("on_body", SPAN),
        ("on_message_complete", NOTIFY),
        ("on_protocol_complete", NOTIFY),
        ("on_url_complete", NOTIFY),
        ("on_status_complete", NOTIFY),
        ("on_method_complete", NOTIFY),
        ("on_version_complete", NOTIFY),
        ("on_header_field_complete", NOTIFY),
        ("on_header_value_complete", NOTIFY),
        ("on_chunk_extension_name_complete", NOTIFY),
        ("on_chunk_extension_value_complete", NOTIFY),
        ("on_chunk_header", NOTIFY),
        ("on_chunk_complete", NOTIFY),
        ("on_reset", NOTIFY),
    ]


def load():
    """The library, by the name that programs which are linked to it have in them."""
    lib = ctypes.CDLL("libllhttp.so.9.4")
    parser = ctypes.c_void_p
    for name, result, *arguments in (
        ("llhttp_alloc", parser, ctypes.c_int),
        ("llhttp_free", None, parser),
        ("llhttp_init", None, parser, ctypes.c_int, ctypes.POINTER(Settings)),
        ("llhttp_settings_init", None, ctypes.POINTER(Settings)),
        ("llhttp_execute", ctypes.c_int, parser, ctypes.c_char_p, ctypes.c_size_t),
        ("llhttp_finish", ctypes.c_int, parser),
        ("llhttp_get_method", ctypes.c_uint8, parser),
        ("llhttp_get_status_code", ctypes.c_int, parser),
        ("llhttp_get_http_major", ctypes.c_uint8, parser),
        ("llhttp_get_http_minor", ctypes.c_uint8, parser),
        ("llhttp_get_error_reason", ctypes.c_char_p, parser),
        ("llhttp_should_keep_alive", ctypes.c_int, parser),
        ("llhttp_method_name", ctypes.c_char_p, ctypes.c_int),
        ("llhttp_status_name", ctypes.c_char_p, ctypes.c_int),
        ("llhttp_errno_name", ctypes.c_char_p, ctypes.c_int),
    ):
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib


class Message:
    """Collects one message after the other, and prints each when it is complete."""

    def __init__(self, lib, kind):
        self.lib = lib
        self.kind = kind

    def collect(self, name):
        def on_span(_, at, length):
            setattr(self, name, getattr(self, name) + ctypes.string_at(at, length))
            return 0

        return SPAN(on_span)

    def settings(self):
        settings = Settings()
        self.lib.llhttp_settings_init(settings)
        settings.on_message_begin = NOTIFY(self.begin)
        settings.on_url = self.collect("url")
        settings.on_header_field = self.collect("field")
        settings.on_header_value = self.collect("value")
        settings.on_header_value_complete = NOTIFY(self.end_field)
        settings.on_body = self.collect("body")
        settings.on_message_complete = NOTIFY(self.complete)
        return settings

    def begin(self, _):
        self.url, self.field, self.value, self.fields, self.body = b"", b"", b"", [], b""
        return 0

    def end_field(self, _):
        self.fields.append((self.field, self.value))
        self.field = self.value = b""
        return 0

    def complete(self, parser):
        lib = self.lib
        version = f"HTTP/{lib.llhttp_get_http_major(parser)}.{lib.llhttp_get_http_minor(parser)}"
        if self.kind == "request":
            print(lib.llhttp_method_name(lib.llhttp_get_method(parser)).decode(), self.url.decode(), version)
        else:
            status = lib.llhttp_get_status_code(parser)
            print(version, status, lib.llhttp_status_name(status).decode())
        for field, value in self.fields:
            print(f"  {field.decode()}: {value.decode()}")
        print(f"  {len(self.body)} bytes, keep alive: {lib.llhttp_should_keep_alive(parser)}")
        return 0


def main(kind, size=0):
    lib = load()
    message = Message(lib, kind)
    settings = message.settings()
    parser = lib.llhttp_alloc(TYPES[kind])
    lib.llhttp_init(parser, TYPES[kind], settings)
    data = sys.stdin.buffer.read()
    error = HPE_OK
    for start in range(0, len(data), size or len(data) or 1):
        piece = data[start : start + size] if size else data
        error = lib.llhttp_execute(parser, piece, len(piece))
        if error != HPE_OK:
            break
    if error == HPE_OK:
        error = lib.llhttp_finish(parser)
    if error == HPE_PAUSED_UPGRADE:
        print("upgrade")
    elif error != HPE_OK:
        print(f"{lib.llhttp_errno_name(error).decode()}: {lib.llhttp_get_error_reason(parser).decode()}")
    lib.llhttp_free(parser)
    return 0 if error in (HPE_OK, HPE_PAUSED_UPGRADE) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
