"""Input made to hurt: each ends in one sentence, fast and in bounded memory."""

from __future__ import annotations

import time
import tracemalloc
import warnings
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from hexsight.extract.source import open_any
from hexsight.extract.xmlsafe import parse_xml
from hexsight.model.errors import HexsightError, InputError

HEAD = "<VASSAL.build.GameModule>"
TAIL = "</VASSAL.build.GameModule>"
BOARD = "VASSAL.build.module.map.boardPicker.Board"
HEX = "VASSAL.build.module.map.boardPicker.board.HexGrid"
LOL = (
    '<!DOCTYPE l [<!ENTITY a "lol">'
    + "".join(f'<!ENTITY a{i} "{f"&a{i - 1 if i else str()};" * 10}">' for i in range(10))
    + "]>"
)
MEMBERS: dict[str, list[tuple[str, bytes]]] = {
    "build file bomb": [("buildFile.xml", b" " * 100_000_000)],
    "picture bomb": [
        ("buildFile.xml", f'{HEAD}<{BOARD} name="M" image="m.png"/>{TAIL}'.encode()),
        ("images/m.png", bytes(100_000_000)),
    ],
    "climbing member": [("buildFile.xml", f"{HEAD}{TAIL}".encode()), ("../../x", b"")],
    "duplicate member": [("buildFile.xml", b"<a/>"), ("buildFile.xml", b"<b/>")],
    "entity bomb": [("buildFile.xml", f"{LOL}{HEAD}&a9;{TAIL}".encode())],
    "entity bomb in an attribute": [
        ("buildFile.xml", f'{LOL}<VASSAL.build.GameModule name="&a9;"/>'.encode())
    ],
    "external entity": [
        (
            "buildFile.xml",
            f'<!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/passwd">]>{HEAD}&x;{TAIL}'.encode(),
        )
    ],
    "deep nesting": [("buildFile.xml", (HEAD + "<a>" * 100_000).encode())],
    "closed deep nesting": [
        ("buildFile.xml", (HEAD + "<a>" * 5_000 + "</a>" * 5_000 + TAIL).encode())
    ],
    "absurd grid": [
        (
            "buildFile.xml",
            f'{HEAD}<{BOARD} name="M" image="m.png"><{HEX} dx="1e308" dy="NaN"/></{BOARD}>{TAIL}'
            "".encode(),
        )
    ],
    "metadata of a board bomb": [("BoardMetadata.xml", b" " * 100_000_000), ("x.gif", b"GIF89a")],
}


@pytest.fixture
def bounded() -> Iterator[None]:
    """Time and memory that no hostile input may need."""
    tracemalloc.start()
    start = time.perf_counter()
    yield
    took = time.perf_counter() - start
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert took < 30.0  # a bound on harm, not a measure of speed: most take milliseconds
    assert peak < 150_000_000


@pytest.mark.parametrize("name", MEMBERS)
@pytest.mark.usefixtures("bounded")
def test_hostile_modules(tmp_path: Path, name: str) -> None:
    path = tmp_path / "g.vmod"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for member, data in MEMBERS[name]:
                archive.writestr(member, data)
    before = path.read_bytes()
    with pytest.raises(HexsightError) as caught:
        open_any(path, need_grid=True)
    assert caught.value.exit_code in (3, 4)
    assert "\n" not in str(caught.value) and "g.vmod" in str(caught.value)
    assert path.read_bytes() == before


def test_what_xml_may_hold() -> None:
    root = parse_xml(b"<?xml version='1.0'?><!-- c --><a b='&lt;&#65;'>&amp;<!-- d --></a>", "x")
    assert root.get("b") == "<A" and root.text == "&"
    assert parse_xml(b"<!DOCTYPE a><a/>", "x").tag == "a"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "line 1"),
        (b"<a>\n<b>\n</a>", "line 3"),
        (b"<a b='1' b='2'/>", "line 1"),
        (b"<a>\x00</a>", "line 1"),
        (b"<a>" + b"x" * 300 + b"</a>", "over the limit"),
    ],
)
def test_bad_xml_names_the_line(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        parse_xml(data, "x in y", max_bytes=200)
    assert "\n" not in str(caught.value)
