"""The generated names and numbers are those of the library, and the layouts those of the C compiler."""

from __future__ import annotations

import ast
import ctypes
import os
import shlex
import subprocess
from pathlib import Path

import pytest
from conftest import REPOSITORY

from llhttpgo import Errno, Flags, Lenient, Method, Parser, ParserType
from llhttpgo._library import library, llhttp_ext_head_t, llhttp_ext_tape_t, llhttp_settings_t, llhttp_t, setter
from llhttpgo._tables_gen import CALLBACKS, METHODS, SONAME, VERSION


@pytest.mark.parametrize("errno", Errno)
def test_errno_names(errno: Errno) -> None:
    assert library.llhttp_errno_name(errno) == b"HPE_" + errno.name.encode()


def test_there_are_no_other_errnos() -> None:
    named = [n for n in range(256) if library.llhttp_errno_name(n) != b"<unknown>"]
    assert named == sorted(Errno)


@pytest.mark.parametrize("number", range(len(METHODS)))
def test_method_names(number: int) -> None:
    method = METHODS[number]
    assert library.llhttp_method_name(number) == method.encode()
    assert str(method) == f"{method}" == method.value


def test_there_are_no_other_methods() -> None:
    assert library.llhttp_method_name(len(METHODS)) == b"<unknown>"
    assert len(set(METHODS)) == len(METHODS)


def test_methods_are_strings() -> None:
    method: str = Method.MSEARCH
    assert method == "M-SEARCH"
    assert {"GET": 1}[Method.GET] == 1


@pytest.mark.parametrize("flag", Lenient)
def test_each_lenient_flag_is_set_by_its_function(flag: Lenient) -> None:
    parser = Parser(ParserType.REQUEST)
    getattr(library, setter(flag))(parser._address, 1)
    assert parser.lenient == flag
    getattr(library, setter(flag))(parser._address, 0)
    assert parser.lenient == Lenient(0)


def test_every_callback_has_a_method_with_documentation() -> None:
    for name, _ in CALLBACKS:
        assert getattr(Parser, "on_" + name).__doc__
    assert {"on_" + name for name, _ in CALLBACKS} == {name for name in vars(Parser) if name.startswith("on_")}


def c_output(tmp_path: Path, include: Path, statements: list[str]) -> list[str]:
    """What a C program prints that has these statements."""
    source = tmp_path / "program.c"
    source.write_text(
        "#include <stddef.h>\n#include <stdio.h>\n#include <llhttp.h>\n#include <llhttp_ext.h>\n"
        '#define AT(s, m) printf("%s %zu %zu\\n", #m, offsetof(s, m), sizeof(((s*) 0)->m));\n'
        "int main(void) {\n" + "\n".join(statements) + "\nreturn 0;\n}\n"
    )
    compiler = shlex.split(os.environ.get("CC", "cc"))
    subprocess.run([*compiler, f"-I{include}", str(source), "-o", str(tmp_path / "program")], check=True)
    return subprocess.run([tmp_path / "program"], check=True, capture_output=True, text=True).stdout.splitlines()


@pytest.mark.parametrize("struct", [llhttp_t, llhttp_settings_t, llhttp_ext_tape_t, llhttp_ext_head_t])
def test_layout(struct: type[ctypes.Structure], tmp_path: Path, include: Path) -> None:
    name = struct.__name__
    members = [field[0] for field in struct._fields_]
    printed = c_output(
        tmp_path, include, [f'printf("%zu\\n", sizeof({name}));', *(f"AT({name}, {m})" for m in members)]
    )
    expected = [str(ctypes.sizeof(struct))]
    for member in members:
        descriptor = getattr(struct, member)
        expected.append(f"{member} {descriptor.offset} {descriptor.size}")
    assert printed == expected


# Programs that show or test the interface with nothing but ctypes, for readers without this package: the structs that
# they lay out themselves, and their names in C.
STRUCTS = {
    "Event": "llhttp_ext_event_t",
    "Field": "llhttp_ext_field_t",
    "Head": "llhttp_ext_head_t",
    "Info": "llhttp_ext_field_info_t",
    "List": "llhttp_ext_list_t",
    "Parameters": "llhttp_ext_parameters_t",
    "Span": "llhttp_ext_span_t",
    "Tape": "llhttp_ext_tape_t",
    "Target": "llhttp_ext_target_t",
}
PROGRAMS = ("examples/head.py", "examples/tape.py", "examples/values.py", "tests/tape/decode.py")


@pytest.mark.parametrize("program", PROGRAMS)
def test_layout_in_programs(program: str, tmp_path: Path, include: Path) -> None:
    tree = ast.parse((REPOSITORY / program).read_text())
    # The imports and the structs of the program, without what it does.
    kept = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom, ast.ClassDef))]
    names: dict[str, type[ctypes.Structure]] = {}
    exec(compile(ast.Module([*kept], []), program, "exec"), names)
    statements, expected = [], []
    for name in [node.name for node in kept if isinstance(node, ast.ClassDef)]:
        statements.append(f'printf("%zu\\n", sizeof({STRUCTS[name]}));')
        expected.append(str(ctypes.sizeof(names[name])))
        # What is the library's own may have another form.
        for member in [field[0] for field in names[name]._fields_ if not field[0].startswith("_")]:
            descriptor = getattr(names[name], member)
            statements.append(f"AT({STRUCTS[name]}, {member})")
            expected.append(f"{member} {descriptor.offset} {descriptor.size}")
    assert expected
    assert c_output(tmp_path, include, statements) == expected


def test_constants(tmp_path: Path, include: Path) -> None:
    constants = {"HPE_" + e.name: int(e) for e in Errno}
    constants.update(("F_" + f.name, int(f)) for f in Flags if f.name)
    constants.update(("LENIENT_" + f.name, int(f)) for f in Lenient if f.name)
    constants.update(("HTTP_" + t.name, int(t)) for t in ParserType)
    constants.update(("HTTP_" + m.name, METHODS.index(m)) for m in Method)
    printed = c_output(tmp_path, include, [f'printf("%d\\n", (int) {name});' for name in constants])
    assert dict(zip(constants, map(int, printed))) == constants


def test_version(tmp_path: Path, include: Path) -> None:
    numbers = ", ".join(f"LLHTTP_VERSION_{part}" for part in ("MAJOR", "MINOR", "PATCH"))
    assert c_output(tmp_path, include, [f'printf("%d.%d.%d\\n", {numbers});']) == [VERSION]
    assert "libllhttp.so." + VERSION.rpartition(".")[0] == SONAME
