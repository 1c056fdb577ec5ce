"""The companion on a Java machine, for its tests."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from hexsight.export.companion import class_files

ROOT = Path(__file__).resolve().parents[2]
COMPANION = ROOT / "companion"


def load_build() -> ModuleType:
    """The script that compiles the companion; it is no part of the package."""
    spec = importlib.util.spec_from_file_location("companion_build", COMPANION / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


BUILD = load_build()


def need_java() -> None:
    """Skip where no Java is."""
    if shutil.which("java") is None or BUILD.compiler() is None:
        pytest.skip("no JDK is at hand: the companion cannot be run")


@dataclass(frozen=True)
class Java:
    """Compiled tests beside the shipped classes.

    Attributes
    ----------
    class_path : str
    """

    class_path: str

    def run(self, main: str, *arguments: str, given: str = "") -> list[str]:
        """Lines that a program of the tests writes."""
        done = subprocess.run(
            ["java", "-Xmx300m", "-Djava.awt.headless=true", "-XX:TieredStopAtLevel=1"]
            + ["-cp", self.class_path, f"hexsight.companion.{main}", *arguments],
            input=given.encode(),
            capture_output=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode().splitlines()


def java_of(tmp_path_factory: pytest.TempPathFactory) -> Java:
    """Java with the test programs, compiled once; or skip."""
    need_java()
    return compile_tests(tmp_path_factory.getbasetemp() / "companion-java")


@cache
def compile_tests(folder: Path) -> Java:
    """Compile the test programs and the imitation of VASSAL against the shipped classes."""
    shipped = folder / "shipped" / "hexsight" / "companion"
    shipped.mkdir(parents=True)
    for name, data in class_files().items():
        (shipped / name).write_bytes(data)
    path: Sequence[Path] = (folder / "shipped",)
    made = folder / "made"
    BUILD.compile_java(BUILD.sources("fake") + BUILD.sources("test"), made, *path)
    separator = ";" if sys.platform == "win32" else ":"
    return Java(separator.join(map(str, [made, *path])))
