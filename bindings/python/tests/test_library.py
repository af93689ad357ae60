"""Where the library is looked for, and what is said when it is not there or is another."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Optional

import pytest

import llhttpgo
from llhttpgo._library import BUNDLED, VARIABLE
from llhttpgo._tables_gen import SONAME

SHOW = "import llhttpgo; print(llhttpgo.LIBRARY); p = llhttpgo.Parser(); print(p.feed(b'GET / HTTP/1.1\\r\\n\\r\\n'))"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package without its library."""
    assert llhttpgo.__file__ is not None
    folder = tmp_path / "site"
    shutil.copytree(Path(llhttpgo.__file__).parent, folder / "llhttpgo", ignore=shutil.ignore_patterns("*.so"))
    return folder


def run(package: Path, variable: Optional[str] = None, path: Optional[Path] = None) -> subprocess.CompletedProcess[str]:
    """Imports a copy of the package in a process of its own."""
    environment = {k: v for k, v in os.environ.items() if k not in (VARIABLE, "LD_LIBRARY_PATH")}
    environment["PYTHONPATH"] = str(package)
    if variable is not None:
        environment[VARIABLE] = variable
    if path is not None:
        environment["LD_LIBRARY_PATH"] = str(path)
    return subprocess.run([sys.executable, "-c", SHOW], env=environment, capture_output=True, text=True, check=False)


def says(result: subprocess.CompletedProcess[str]) -> str:
    """What an import says that has failed as it should."""
    assert result.returncode == 1
    assert "llhttpgo._errors.LibraryError: no usable libllhttp; tried" in result.stderr
    return result.stderr


def test_the_library_in_use_is_named() -> None:
    assert os.environ.get(VARIABLE, str(BUNDLED)) == llhttpgo.LIBRARY


def test_by_variable(package: Path, shared_library: Path) -> None:
    result = run(package, variable=str(shared_library))
    assert result.stdout.splitlines() == [str(shared_library), "18"], result.stderr


def test_beside_the_package(package: Path, shared_library: Path) -> None:
    beside = package / "llhttpgo" / "libllhttp.so"
    shutil.copy(shared_library, beside)
    assert run(package).stdout.splitlines() == [str(beside), "18"]
    assert run(package, variable="").stdout.splitlines() == [str(beside), "18"]
    assert run(package, variable=str(shared_library)).stdout.splitlines()[0] == str(shared_library)


def test_on_the_system(package: Path, shared_library: Path, tmp_path: Path) -> None:
    folder = tmp_path / "lib"
    folder.mkdir()
    shutil.copy(shared_library, folder / SONAME)
    result = run(package, path=folder)
    assert result.stdout.splitlines() == [SONAME, "18"], result.stderr
    (package / "llhttpgo" / "libllhttp.so").write_bytes(b"no library")
    assert run(package, path=folder).stdout.splitlines() == [SONAME, "18"]


def test_by_variable_on_the_system(package: Path, shared_library: Path) -> None:
    result = run(package, variable=shared_library.name, path=shared_library.parent)
    assert result.stdout.splitlines() == [shared_library.name, "18"], result.stderr


def test_nowhere(package: Path, tmp_path: Path) -> None:
    text = says(run(package, path=tmp_path))
    assert f"{package / 'llhttpgo' / 'libllhttp.so'} (beside the package): " in text
    assert f"{SONAME} (on the system): " in text
    assert VARIABLE not in text


def test_a_variable_that_leads_nowhere_is_not_passed_over(package: Path, shared_library: Path) -> None:
    shutil.copy(shared_library, package / "llhttpgo" / "libllhttp.so")
    text = says(run(package, variable="/nowhere/libllhttp.so"))
    assert f"/nowhere/libllhttp.so ({VARIABLE}): " in text
    assert "beside the package" not in text


def test_what_is_no_library(package: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.so"
    wrong.write_bytes(b"text")
    assert "wrong.so" in says(run(package, variable=str(wrong)))


@pytest.mark.parametrize(
    ("defines", "complaint"),
    [
        ("-DWITHOUT_NEW_FUNCTIONS", "not llhttp 9.4.3: "),
        ("-DPARSER_SIZE=104", "its llhttp_t is another"),
        ("-DPARSER_SIZE=88", "its llhttp_t is another"),
        ("-DTYPE_AT=73", "its llhttp_t is another"),
        ("-DSETTINGS_SIZE=192", "its llhttp_settings_t is another"),
        ("-DSETTINGS_SIZE=208", "its llhttp_settings_t is another"),
    ],
)
def test_another_version_of_llhttp(package: Path, tmp_path: Path, defines: str, complaint: str) -> None:
    """Another layout must be noticed before it overwrites memory."""
    other = tmp_path / "other.so"
    compiler = shlex.split(os.environ.get("CC", "cc"))
    source = Path(__file__).with_name("other_version.c")
    subprocess.run([*compiler, "-shared", "-fPIC", defines, str(source), "-o", str(other)], check=True)
    assert complaint in says(run(package, variable=str(other)))
    subprocess.run([*compiler, "-shared", "-fPIC", str(source), "-o", str(other)], check=True)
    assert str(other) in run(package, variable=str(other)).stdout


IN_SUBINTERPRETER = """
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
interpreters.run_string(interpreters.create(), '''
try:
    import llhttpgo
except ImportError as error:
    print(error, flush=True)
''')
"""


def test_subinterpreters_are_refused() -> None:
    result = subprocess.run(
        [sys.executable, "-c", IN_SUBINTERPRETER], capture_output=True, text=True, check=False, timeout=60
    )
    assert result.returncode == 0, result.stderr
    assert "subinterpreter" in result.stdout
