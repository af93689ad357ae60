"""Builds the library with build.sh and puts it into the package; the rest is in pyproject.toml.

The sources of the library are two folders up in a checkout, and in the folder ``library`` of a source distribution.
With LLHTTPGO_SYSTEM_LIBRARY=1 in the environment nothing is built: such a package uses the library of the system.
With it goes a small extension module that is optional: where Python's headers are missing there is a word, and the
package does without.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from setuptools import Distribution, Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist
from setuptools.errors import ExecError, PlatformError

HERE = Path(__file__).resolve().parent
SYSTEM_LIBRARY = os.environ.get("LLHTTPGO_SYSTEM_LIBRARY", "") not in ("", "0")
PACKED = "library"
# What build.sh needs to build the library.
SOURCES = ["build.sh", "go.mod", "go.sum", "LICENSE", "core", "capi", "tools/extract"]


def library_sources() -> Path:
    """Returns the folder that has build.sh."""
    for folder in (HERE / PACKED, HERE.parent.parent):
        if (folder / "build.sh").is_file():
            return folder
    raise PlatformError(
        f"the sources of the library are missing: no build.sh in {HERE / PACKED} or {HERE.parent.parent}"
    )


def build_library(build_dir: Path) -> Path:
    """Builds the library in a folder of its own, and returns the file."""
    for tool, what in (
        ("bash", "run build.sh"),
        ("go", "compile the library; Go 1.26 or newer, from https://go.dev/dl"),
    ):
        if shutil.which(tool) is None:
            raise PlatformError(
                f"{tool} is missing: it is needed to {what}. "
                "To use the system's libllhttp instead, set LLHTTPGO_SYSTEM_LIBRARY=1."
            )
    command = ["bash", str(library_sources() / "build.sh"), "lib"]
    result = subprocess.run(command, env={**os.environ, "LLHTTP_BUILD_DIR": str(build_dir.resolve())}, check=False)
    if result.returncode != 0:
        raise ExecError("build.sh has not built the library; what was wrong is said above")
    return build_dir / "lib" / "libllhttp.so"


class BuildPackage(build_py):
    """Adds the library to the package."""

    def _target(self) -> Path:
        folder = HERE / "src" if self.editable_mode else Path(self.build_lib)
        return folder / "llhttpgo" / "libllhttp.so"

    def run(self) -> None:
        super().run()
        if SYSTEM_LIBRARY:
            return
        library = build_library(Path(self.get_finalized_command("build").build_base) / "library")
        target = self._target()
        target.parent.mkdir(parents=True, exist_ok=True)
        # A new file in place of the old one: a process that has loaded that keeps it.
        fresh = target.with_suffix(".new")
        shutil.copyfile(library, fresh)
        fresh.replace(target)

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        outputs: list[str] = super().get_outputs(include_bytecode)
        return outputs if SYSTEM_LIBRARY else [*outputs, str(self._target())]


class BuildExtension(build_ext):
    """Compiles with the library's headers, which a checkout and a source distribution have in different places."""

    def run(self) -> None:
        # Not -I: among them is a header with a name of the C library's.
        for extension in self.extensions or []:
            extension.extra_compile_args += ["-iquote", str(library_sources() / "capi")]
        super().run()


class PackSources(sdist):
    """Adds the sources of the library to the source distribution."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        root = library_sources()
        for name in SOURCES:
            target = Path(base_dir, PACKED, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            if (root / name).is_dir():
                shutil.copytree(root / name, target, ignore=shutil.ignore_patterns("*_test.go"))
            else:
                shutil.copy2(root / name, target)


class Wheel(bdist_wheel):
    """The library is for one platform, but for every Python 3 on it; with the extension, for every CPython."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.root_is_pure = SYSTEM_LIBRARY

    def get_tag(self) -> tuple[str, str, str]:
        python, abi, platform = super().get_tag()
        if SYSTEM_LIBRARY:
            return python, abi, platform
        built = any(Path(path).is_file() for path in self.get_finalized_command("build_ext").get_outputs())
        return ("cp39", "abi3", platform) if built else ("py3", "none", platform)


class PlatformDistribution(Distribution):
    """Says that the package is not pure Python."""

    def has_ext_modules(self) -> bool:
        return not SYSTEM_LIBRARY


extensions = [
    Extension(
        "llhttpgo._speed",
        ["src/llhttpgo/_speed.c"],
        extra_compile_args=["-fvisibility=hidden", "-Wall", "-Wextra"],
        py_limited_api=True,
        optional=True,
    )
]

setup(
    ext_modules=[] if SYSTEM_LIBRARY else extensions,
    distclass=PlatformDistribution,
    cmdclass={"build_ext": BuildExtension, "build_py": BuildPackage, "sdist": PackSources, "bdist_wheel": Wheel},
)
