"""Walk through the tutorial: run its commands in order, do what it tells a person to do.

The page itself is the script, so that what it says is what was run.  A comment
``<!-- walkthrough: STEP -->`` stands where a person draws or writes something.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from town import draw_town

from hexsight.cli import run

PAGE = Path(__file__).resolve().parent.parent / "tutorial.md"
_PARTS = re.compile(
    r"^```console\n(?P<commands>.*?)^```$"
    r"|^<!-- walkthrough: (?P<step>\w+) -->\n(?P<rest>.*?)(?=^```console|\Z)",
    re.MULTILINE | re.DOTALL,
)
_ROW = re.compile(r"^\| (?P<number>\d+)\D.*\| `(?P<terrain>[^`]+)` \|$", re.MULTILINE)
_YAML = re.compile(r"^```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_CLASS = r"(  # {number}: (?:.*\n)(?:  #.*\n)*?  - terrain: ).*\n(    name: .*\n)?"


def walk(folder: Path) -> Iterator[tuple[str, str, Path]]:
    """Do everything that the page says, from an empty folder on.

    Yields
    ------
    tuple of str, str and Path
        The step or command, what it printed, and the folder one is in by then.

    Raises
    ------
    RuntimeError
        When a command fails.
    """
    here = folder
    for part in _PARTS.finditer(PAGE.read_text(encoding="utf-8")):
        if part["step"]:
            _by_hand(part["step"], part["rest"], here)
            yield part["step"], "", here
            continue
        for line in part["commands"].splitlines():
            words = shlex.split(line, comments=True)
            if words[0] == "mkdir":
                (here / words[1]).mkdir()
            elif words[0] == "cd":
                here = here / words[1]
            else:
                yield line, _run(words, here), here


def _run(words: list[str], here: Path) -> str:
    said, before = io.StringIO(), Path.cwd()
    os.chdir(here)
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(io.StringIO()) as told:
            code = run(words[1:])
    finally:
        os.chdir(before)
    if words[0] != "hexsight" or code != 0:
        raise RuntimeError(f"{shlex.join(words)} ended with {code}: {told.getvalue()}")
    return said.getvalue()


def _by_hand(step: str, rest: str, here: Path) -> None:
    if step == "draw":
        draw_town(here / "town.png")
    elif step == "legend":
        legend = here / "legend.yaml"
        text = legend.read_text(encoding="utf-8")
        for row in _ROW.finditer(rest):
            text, times = re.subn(
                _CLASS.replace("{number}", row["number"]), rf"\g<1>{row['terrain']}\n", text
            )
            if times != 1:
                raise RuntimeError(f"legend.yaml has no class {row['number']}")
        legend.write_text(text, encoding="utf-8")
    elif step == "yaml":
        block = _YAML.search(rest)
        if block is None:
            raise RuntimeError("the page has no lines for hexsight.yaml")
        with (here / "hexsight.yaml").open("a", encoding="utf-8") as file:
            file.write("\n" + block[1])
    else:
        raise RuntimeError(f"the page has an unknown step {step}")


def drawn(done: str, here: Path) -> tuple[str, Path] | None:
    """The picture that the page shows of a step, by its name in docs/images."""
    if done == "draw":
        return "town-map.png", here / "town.png"
    if done.startswith("hexsight new"):
        return "town-swatches.png", here / "town" / "swatches.png"
    if done.startswith("hexsight build"):
        which = "corrected" if "--force" in done else "found"
        return f"town-{which}.png", here / "result" / "overlay.png"
    if "--picture seen.png" in done:
        return "town-seen.png", here / "seen.png"
    return None
