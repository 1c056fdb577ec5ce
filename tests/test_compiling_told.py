"""Whoever waits for the first compiling is told so, and nobody else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from hexsight.los.jit import have_numba

SCRIPT = """
import sys
from hexsight.los.jit import compiled, telling
from hexsight.progress import reporting

def one(n):
    return n + 1

def two(n):
    return n + 2

assert compiled(one)(1) == 2  # nobody asked to be told
with telling(print), telling(None):
    assert compiled(two)(1.0) == 3
with reporting(quiet="quiet" in sys.argv):
    three, four = compiled(one), compiled(two)
    assert three(1.5) == 2.5 and four(2) == 4
"""

pytestmark = pytest.mark.skipif(not have_numba(), reason="nothing is compiled without numba")


def told(folder: Path, cache: Path, *words: str) -> tuple[str, str]:
    """What a run of the script says on stdout and stderr."""
    script = folder / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script), *words],
        env={"XDG_CACHE_HOME": str(cache), "HOME": str(folder), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout, done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="the cache lies elsewhere")
def test_compiling_is_told_once_and_only_where_it_happens(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    assert told(tmp_path, cache, "quiet") == ("", "")
    out, err = told(tmp_path, tmp_path / "other")
    assert out == "" and err.count("Compiling the program for lines, once for this computer") == 1
    assert told(tmp_path, cache) == ("", "")  # what is kept is not compiled again


@pytest.mark.skipif(sys.platform == "win32", reason="the cache lies elsewhere")
def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.write_text("a file where the folder should be", encoding="utf-8")
    out, err = told(tmp_path, cache)
    assert out == "" and f"for this run, as {cache / 'hexsight'} cannot be written" in err
