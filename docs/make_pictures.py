"""Make the pictures of the tutorials, by doing what the pages say.

``python docs/make_pictures.py`` runs every command of docs/tutorial-*.md in an empty folder and
puts what was drawn into docs/images; with ``--answers`` it also writes into the pages what the
commands print now.  In a page

* a block ``console`` holds commands, which are run in order;
* a block ``text`` right after it holds what the last of them prints, word for word;
* a block ``yaml`` or ``python`` whose first line is ``# NAME`` is written into that file;
* ``<!-- picture: FILE -->`` before an image names the file that it is made of, with
  ``LEFT TOP RIGHT BOTTOM`` behind it the part that is shown; the link's ending says how it is
  kept, ``.png`` or ``.jpg``.

docs/tutorial.md, in which a person paints and writes too, is walked through by
docs/_sphinx/tutorial_pictures.py; ``python docs/make_pictures.py town`` makes its pictures.

`OTHERS` names the pictures in docs/images that come from elsewhere.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import re
import runpy
import shlex
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from hexsight.cli import run
from hexsight.samples.__main__ import main as draw_samples

DOCS = Path(__file__).resolve().parent
IMAGES = DOCS / "images"
PAGES = ("musket-pike", "modern-platoon", "flames", "generic")
TOWN = "town"  # docs/tutorial.md
OTHERS = {
    "red-factory-overlay.png": "make demo: demo/result/red-factory/overlay.png, at half size",
    "red-factory-sights.png": "README.md: hexsight los … --picture on the result of make demo",
    "companion-thread.png": "a running VASSAL with the companion, see docs/companion.md",
}
MOST_BYTES = 150_000
WIDEST_PX = 880
COLOURS = 128
_PARTS = re.compile(
    r"^```(?P<kind>console|text|yaml|python)\n(?P<body>.*?)^```$"
    r"|^<!-- picture: (?P<picture>.*?) -->\n!\[[^\]]*\]\((?P<image>[^)]*)\)",
    re.MULTILINE | re.DOTALL,
)
_TEXT = re.compile(r"^```text\n.*?^```$", re.MULTILINE | re.DOTALL)
_NAMED = re.compile(r"# ([\w.-]+\.(?:yaml|py))\b")


@dataclass(frozen=True)
class Step:
    """Something that a page does.

    Attributes
    ----------
    said : str
        A command, ``text``, the name of a file, or the link of an image.
    printed : str
        What the command printed; of a ``text`` what it should have printed.
    before : str
        Of a ``text`` what the command before it did print.
    picture : str
        Of an image the file that it is made of, and the part that is shown.
    """

    said: str
    printed: str = ""
    before: str = ""
    picture: str = ""


def page_of(name: str) -> Path:
    """The tutorial of a game."""
    return DOCS / f"tutorial-{name}.md"


def walk(page: Path, folder: Path) -> Iterator[Step]:
    """Do everything that a page says, in a folder.

    Raises
    ------
    RuntimeError
        When a command fails.
    """
    printed = ""
    for part in _PARTS.finditer(page.read_text(encoding="utf-8")):
        if part["picture"]:
            yield Step(part["image"], picture=part["picture"])
        elif part["kind"] == "console":
            for line in part["body"].splitlines():
                printed = _run(shlex.split(line, comments=True), folder)
                yield Step(line, printed)
        elif part["kind"] == "text":
            yield Step("text", part["body"], printed)
        elif found := _NAMED.match(part["body"]):
            (folder / found[1]).write_text(part["body"], encoding="utf-8")
            yield Step(found[1])


def _run(words: list[str], folder: Path) -> str:
    """What a command prints; `hexsight`, the sample drawer, or a script that the page wrote."""
    said, told, before = io.StringIO(), io.StringIO(), Path.cwd()
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(told):
            if words[0] == "hexsight":
                code = run(words[1:])
            elif words[:3] == ["python", "-m", "hexsight.samples"]:
                code = draw_samples.main(words[3:], standalone_mode=False) or 0
            elif words[0] == "python" and len(words) == 2:
                runpy.run_path(words[1], run_name="__main__")
                code = 0
            else:
                raise RuntimeError(f"{words[0]} is not run here: {shlex.join(words)}")
    finally:
        os.chdir(before)
    if code != 0:
        raise RuntimeError(f"{shlex.join(words)} ended with {code}: {told.getvalue()}")
    return said.getvalue()


def shown(picture: str, folder: Path, suffix: str = ".png") -> bytes:
    """A picture as a page shows it: the part asked for, small enough for a page.

    Parameters
    ----------
    picture : str
        Name of the file, and the part of it.
    folder : Path
        Where it lies.
    suffix : str
        ``.png`` for lines and plain colours, ``.jpg`` for maps full of grain.
    """
    name, *numbers = picture.split()
    with Image.open(folder / name) as opened:
        image = opened.convert("RGB")
    if numbers:
        left, top, right, bottom = (int(n) for n in numbers)
        image = image.crop((left, top, right, bottom))
    if image.width > WIDEST_PX:
        size = (WIDEST_PX, round(image.height * WIDEST_PX / image.width))
        image = image.resize(size, Image.Resampling.LANCZOS)
    out = io.BytesIO()
    for step in range(4):
        out = io.BytesIO()
        if suffix == ".jpg":
            image.save(out, "JPEG", quality=84 - 8 * step, optimize=True)
        else:
            # Few colours and no dots between them: that is what makes a PNG small.
            colours = (COLOURS, 64, 48, 32)[step]
            image.quantize(colours, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
        if out.tell() < MOST_BYTES:
            break
    return out.getvalue()


def make(names: Sequence[str], *, answers: bool = False) -> list[Path]:
    """Walk through pages and write their pictures, and their answers if wanted."""
    written = []
    IMAGES.mkdir(parents=True, exist_ok=True)
    for name in names:
        printed = []
        with tempfile.TemporaryDirectory() as folder:
            for step in walk(page_of(name), Path(folder)):
                if step.said == "text":
                    printed.append(step.before)
                elif step.picture:
                    path = IMAGES / Path(step.said).name
                    path.write_bytes(shown(step.picture, Path(folder), path.suffix))
                    written.append(path)
        if answers:
            said = iter(printed)
            text = page_of(name).read_text(encoding="utf-8")
            new = _TEXT.sub(lambda _: f"```text\n{next(said)}```", text)  # noqa: B023 - at once
            page_of(name).write_text(new, encoding="utf-8")
            written.append(page_of(name))
    return written


def town_shown(name: str, source: Path) -> bytes:
    """A picture of docs/tutorial.md as it is shown; the map as it is, to go on from."""
    return source.read_bytes() if name == "town-map.png" else shown(source.name, source.parent)


def make_town() -> list[Path]:
    """Walk through docs/tutorial.md and write its pictures."""
    sys.path.insert(0, str(DOCS / "_sphinx"))
    town = importlib.import_module("tutorial_pictures")
    written = []
    with tempfile.TemporaryDirectory() as folder:
        for done, _said, here in town.walk(Path(folder)):
            if found := town.drawn(done, here):
                path = IMAGES / found[0]
                path.write_bytes(town_shown(*found))
                written.append(path)
    return written


def main(words: Sequence[str]) -> None:
    """Make the pictures of the pages that are named, or of all."""
    names = [w for w in words if not w.startswith("-")] or [*PAGES, TOWN]
    games = [n for n in names if n != TOWN]
    written = make(games, answers="--answers" in words) if games else []
    for path in [*written, *(make_town() if TOWN in names else [])]:
        print(f"{path.relative_to(DOCS.parent)}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
