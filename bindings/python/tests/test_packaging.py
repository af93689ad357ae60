"""The source distribution and the wheels: what is in them, how they are tagged, what is said where Go is missing.

These tests build; they need the packages of requirements.txt, and what build.sh needs.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from conftest import REPOSITORY

from llhttpgo._tables_gen import SONAME, VERSION

PROJECT = REPOSITORY / "bindings" / "python"
PLATFORM = "linux_" + os.uname().machine


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("source distribution")
    command = [sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", str(folder), str(PROJECT)]
    subprocess.run(command, check=True)
    (path,) = folder.iterdir()
    return path


def build(source: Path, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Builds a wheel in a folder."""
    return pip("wheel", "--wheel-dir", str(folder), str(source), **environment)


def pip(command: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "pip", command, "--no-build-isolation", "--no-deps", *arguments]
    return subprocess.run(line, env={**os.environ, **environment}, capture_output=True, text=True, check=False)


def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_source_distribution(sdist: Path) -> None:
    top = f"llhttpgo-{VERSION}"
    assert sdist.name == top + ".tar.gz"
    with tarfile.open(sdist) as archive:
        members = {member.name: member for member in archive.getmembers()}
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE", "src/llhttpgo/py.typed", "library/build.sh"):
        assert members[f"{top}/{name}"].isfile(), name
    assert not [name for name in members if name.endswith((".so", "_test.go"))]


def test_wheel_from_the_source_distribution(sdist: Path, tmp_path: Path) -> None:
    result = build(sdist, tmp_path / "wheels and more")
    assert result.returncode == 0, result.stdout + result.stderr
    (wheel,) = (tmp_path / "wheels and more").iterdir()
    assert wheel.name == f"llhttpgo-{VERSION}-cp39-abi3-{PLATFORM}.whl"
    modules = {f"llhttpgo/{path.name}" for path in (PROJECT / "src" / "llhttpgo").glob("*.py*")}
    inside = {name for name in names(wheel) if name.startswith("llhttpgo/")}
    assert inside == {*modules, "llhttpgo/py.typed", "llhttpgo/libllhttp.so", "llhttpgo/_speed.abi3.so"}
    assert any(name.endswith("licenses/LICENSE") for name in names(wheel))
    with zipfile.ZipFile(wheel) as archive:
        assert SONAME.encode() in archive.read("llhttpgo/libllhttp.so")


def test_without_the_headers_of_python(sdist: Path, tmp_path: Path) -> None:
    """The extension is optional: what cannot be compiled is left out."""
    compiler = tmp_path / "cc"
    compiler.write_text(f'#!/bin/sh\ncase "$*" in *_speed*) exit 1 ;; esac\nexec {os.environ.get("CC", "cc")} "$@"\n')
    compiler.chmod(0o755)
    result = build(sdist, tmp_path / "wheels", CC=str(compiler))
    assert result.returncode == 0, result.stdout + result.stderr
    (wheel,) = (tmp_path / "wheels").iterdir()
    assert wheel.name == f"llhttpgo-{VERSION}-py3-none-{PLATFORM}.whl"
    assert not [name for name in names(wheel) if "_speed" in name and not name.endswith(".pyi")]


def test_without_a_library(sdist: Path, tmp_path: Path) -> None:
    result = build(sdist, tmp_path, LLHTTPGO_SYSTEM_LIBRARY="1")
    assert result.returncode == 0, result.stdout + result.stderr
    (wheel,) = tmp_path.iterdir()
    assert wheel.name == f"llhttpgo-{VERSION}-py3-none-any.whl"
    assert not [name for name in names(wheel) if name.endswith(".so")]


def test_without_go(sdist: Path, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    bash = shutil.which("bash")
    assert bash is not None
    (tools / "bash").symlink_to(bash)
    result = build(sdist, tmp_path / "wheels", PATH=str(tools))
    assert result.returncode != 0
    text = result.stdout + result.stderr
    assert "error: go is missing: it is needed to compile the library; Go 1.26 or newer" in text
    assert "LLHTTPGO_SYSTEM_LIBRARY=1" in text


def test_without_a_compiler(sdist: Path, tmp_path: Path) -> None:
    result = build(sdist, tmp_path, CC="no-such-compiler")
    assert result.returncode != 0
    text = result.stdout + result.stderr
    assert "build.sh: no-such-compiler is missing: it is needed to compile the driver and link the library" in text
    assert "error: build.sh has not built the library" in text


def test_development_mode(tmp_path: Path) -> None:
    """An editable install of a copy has the library beside the modules."""
    copy = tmp_path / "copy"
    ignored = shutil.ignore_patterns("build", ".git", "*.so", "*.egg-info", "__pycache__", "reference", "results")
    shutil.copytree(REPOSITORY, copy, ignore=ignored, symlinks=True)
    source = copy / "bindings" / "python"
    result = pip("install", "--target", str(tmp_path / "site"), "--editable", str(source))
    assert result.returncode == 0, result.stdout + result.stderr
    for name in ("libllhttp.so", "_speed.abi3.so"):
        assert (source / "src" / "llhttpgo" / name).is_file()
