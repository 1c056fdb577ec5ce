"""Build wheel and sdist, look what is in them, and use the wheel as a stranger would.

    python .ci/package.py [--keep FOLDER]

The wheel is installed into an empty environment and the whole way of the sample is gone
with it, outside the tree.  Nothing of the project's folders is on the path there.
"""

from __future__ import annotations

import argparse
import fnmatch
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import venv
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Folders of the project and the packages that they become.
PACKAGES = {
    "hexsight": "hexsight",
    "model": "hexsight/model",
    "extract": "hexsight/extract",
    "los": "hexsight/los",
    "validators": "hexsight/validators",
    "export": "hexsight/export",
    "review": "hexsight/review",
    "samples": "hexsight/samples",
}
# All that may be in a wheel beside Python: what is none of these is stray.
DATA = ("*.yaml", "*.css", "*.js", "*.html", "*.svg", "*.class", "*.md", "*/py.typed")
NEVER = ("*__pycache__*", "*.pyc", "*/.git*", "*_made*", "*.egg-info/../*", "*.part", "*.bak*")
SDIST_HAS = (
    "pyproject.toml",
    "LICENSE",
    "README.md",
    "Makefile",
    "docs/conf.py",
    "docs/hexsight.1",
    "docs/tutorial.md",
    "tests/conftest.py",
    "tests/test_packaging.py",
    "companion/build.py",
    "benchmarks/README.md",
    "hexsight/py.typed",
    "export/companion_classes/LosThread.class",
)


def fail(text: str) -> None:
    """Leave with a sentence."""
    sys.exit(f"package: {text}")


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Say how long something took."""
    began = time.monotonic()
    yield
    print(f"  {what}: {time.monotonic() - began:.1f} s", flush=True)


def call(*words: str | Path, cwd: Path, env: dict[str, str] | None = None) -> str:
    """Run a command and give its stdout; its words on a failure."""
    done = subprocess.run(
        [str(w) for w in words], cwd=cwd, env=env, capture_output=True, text=True, check=False
    )
    if done.returncode:
        told = (done.stdout + done.stderr)[-3000:]
        fail(f"{' '.join(map(str, words))} ended with {done.returncode}:\n{told}")
    return done.stdout


def tracked() -> list[str]:
    """Files that belong to the project: git's, or all where there is no git."""
    if (ROOT / ".git").exists() and shutil.which("git"):
        listed = call("git", "ls-files", "-z", cwd=ROOT).split("\0")
        return [name for name in listed if name and (ROOT / name).is_file()]
    return [p.relative_to(ROOT).as_posix() for p in ROOT.rglob("*") if p.is_file()]


def expected(files: Iterable[str]) -> set[str]:
    """What a wheel of these files must hold, as far as packages go."""
    wanted = set()
    for name in files:
        top, _, rest = name.partition("/")
        if top in PACKAGES and rest and fnmatch_any(name, ("*.py", *DATA)):
            wanted.add(f"{PACKAGES[top]}/{rest}")
    return wanted


def fnmatch_any(name: str, patterns: Iterable[str]) -> bool:
    """Whether a name fits one of the patterns."""
    return any(fnmatch.fnmatch(name, pattern) for pattern in patterns)


def check_wheel(wheel: Path, files: list[str]) -> None:
    """Everything is in the wheel, and nothing else."""
    with zipfile.ZipFile(wheel) as archive:
        names = {n for n in archive.namelist() if not n.endswith("/")}
    inside = {n for n in names if n.startswith("hexsight/")}
    # Notes for developers in folders of code are no part of a program.
    missing = {n for n in expected(files) - inside if not n.endswith(".md")}
    if missing:
        fail(f"the wheel lacks {sorted(missing)}: see [tool.setuptools] in pyproject.toml")
    stray = {n for n in inside if not fnmatch_any(n, ("*.py", *DATA)) or fnmatch_any(n, NEVER)}
    stray |= inside - expected(files)
    outside = {n.partition("/")[2] for n in names - inside}
    stray |= {n for n in outside if n.startswith("data/") and n != "data/share/man/man1/hexsight.1"}
    if stray:
        fail(f"the wheel holds what is no part of it: {sorted(stray)[:20]}")
    if "data/share/man/man1/hexsight.1" not in outside:
        fail("the wheel has no man page")
    if not any(n.endswith("licenses/LICENSE") for n in outside):
        fail("the wheel has no license")


def check_sdist(sdist: Path, files: list[str]) -> None:
    """The sources are whole: tests and documents too."""
    with tarfile.open(sdist) as archive:
        names = {m.name.partition("/")[2] for m in archive.getmembers() if m.isfile()}
    lacking = [n for n in SDIST_HAS if n not in names]
    code = {n for n in files if n.endswith((".py", ".yaml", ".js", ".css", ".java", ".class"))}
    lacking += sorted(code - names)
    if lacking:
        fail(f"the sdist lacks {lacking[:20]}: see MANIFEST.in")
    made = ("PKG-INFO", "setup.cfg", "hexsight.egg-info/*")
    stray = [n for n in names - set(files) if not fnmatch_any(n, made)]
    stray += [n for n in names if fnmatch_any(n, NEVER)]
    if stray:
        fail(f"the sdist holds what is no part of it: {sorted(stray)[:20]}")


def use(wheel: Path, scratch: Path) -> None:
    """Install the wheel where nothing is, and go the whole way with it."""
    home = scratch / "empty"
    with timed("empty environment"):
        venv.create(home, with_pip=True)
    bin_ = home / ("Scripts" if os.name == "nt" else "bin")
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
    # Its own cache: a stranger has no compiled loops yet.
    env["XDG_CACHE_HOME"] = str(scratch / "cache")
    with timed("installing"):
        pip = (bin_ / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        call(*pip, wheel, cwd=scratch, env=env)
    tool = bin_ / "hexsight"

    def hexsight(*words: str) -> str:
        return call(tool, *words, cwd=scratch, env=env)

    with timed("the sample from the wheel"):
        where = call(
            bin_ / "python", "-c", "import hexsight; print(hexsight.__file__)", cwd=scratch, env=env
        )
        if str(home) not in where:
            fail(f"hexsight came from {where.strip()} and not from the wheel")
        print(hexsight("--version", "--verbose"), end="")
        module = "samples/sideways-mill.vmod"
        call(
            *(bin_ / "python", "-m", "hexsight.samples", "samples", "--board", "sideways-mill"),
            cwd=scratch,
            env=env,
        )
        hexsight("build", module, "-o", "result", "-q")
        if "C04" not in hexsight("los", "result", "C04", "E06"):
            fail("hexsight los gave no answer")
        hexsight("check", module, "result")
        hexsight("export", module, "result", "-o", "played.vmod")
        hexsight("export", module, "result", "--companion", "-o", "companion.vmod")
        hexsight("charts", "result", "-o", "chart.html")
        hexsight("table", "query", "result/los.lostab", "C04", "E06")
        hexsight("completion", "bash")
        page = home / "share" / "man" / "man1" / "hexsight.1"
        if os.name != "nt" and not page.is_file():
            fail("the man page was not installed")


def main() -> None:
    """Build, look, use."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keep", type=Path, help="copy wheel and sdist into this folder")
    parser.add_argument("--no-isolation", action="store_true", help="build with what is here")
    given = parser.parse_args()
    files = tracked()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        with timed("building"):
            more = ["--no-isolation"] if given.no_isolation else []
            # A copy: what lies about in a tree that was worked in must not get into a wheel.
            source = scratch / "source"
            for name in files:
                (source / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, source / name)
            call(sys.executable, "-m", "build", *more, "-o", scratch / "dist", source, cwd=scratch)
        (wheel,) = (scratch / "dist").glob("*.whl")
        (sdist,) = (scratch / "dist").glob("*.tar.gz")
        check_wheel(wheel, files)
        check_sdist(sdist, files)
        use(wheel, scratch)
        if given.keep:
            given.keep.mkdir(parents=True, exist_ok=True)
            for made in (wheel, sdist):
                shutil.copy2(made, given.keep)
    print(f"package: {wheel.name} and {sdist.name} are whole and work")


if __name__ == "__main__":
    main()
