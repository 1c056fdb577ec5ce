"""Small modules for the tests of stock export, and VASSAL's view of a written one."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from beanshell import Engine
from lxml import etree

from hexsight.export.stock_messages import StockBoard, StockPlace

EMPTY = (
    "<VASSAL.build.module.properties.GlobalProperties/>",
    "<VASSAL.build.module.properties.GlobalTranslatableMessages/>",
    "<VASSAL.build.module.PrototypesContainer></VASSAL.build.module.PrototypesContainer>",
)


def build_xml(maps: Sequence[str] = ("Main Map",), extra: Sequence[str] = EMPTY) -> bytes:
    """A build file with some maps, in VASSAL's own style."""
    root = etree.Element("VASSAL.build.GameModule", name="Game & <Co>", version="1.2")
    root.text = "\n    "
    for name in maps:
        each = etree.SubElement(root, "VASSAL.build.module.Map", mapName=name)
        picker = etree.SubElement(each, "VASSAL.build.module.map.BoardPicker", title="x")
        picker.tail = "\n    "
        each.tail = "\n    "
        each.text = "\n        "
    text = etree.tostring(root, encoding="UTF-8").decode()
    inside = "".join(f"{part}\n    " for part in extra)
    text = text.replace(
        "</VASSAL.build.GameModule>", f"<!-- kept -->{inside}</VASSAL.build.GameModule>"
    )
    return ('<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n' + text + "\n").encode()


def write_game(path: Path, build: bytes | None = None) -> Path:
    """A module with members in an order and with dates of their own."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, data, year in (
            ("images/map.png", b"\x89PNG" + bytes(300), 2004),
            ("buildFile.xml", build_xml() if build is None else build, 2011),
            ("moduledata", b"<data version='1'><name>Game</name></data>", 2012),
        ):
            info = zipfile.ZipInfo(name, (year, 5, 6, 7, 8, 10))
            info.external_attr = 0o100664 << 16
            archive.writestr(info, data, zipfile.ZIP_DEFLATED)
    return path


def members(path: Path) -> list[tuple[str, tuple[int, ...], int, bytes]]:
    """Name, time, attributes and content of every member, in order."""
    with zipfile.ZipFile(path) as archive:
        return [
            (i.filename, i.date_time, i.external_attr, archive.read(i)) for i in archive.infolist()
        ]


def decode(text: str, delimiter: str) -> list[str]:
    """VASSAL's SequenceEncoder, read back."""
    out: list[str] = []
    token, at = "", 0
    while at < len(text):
        if text[at] == delimiter:
            if token.endswith("\\"):
                token = token[:-1] + delimiter
            else:
                out.append(token)
                token = ""
        else:
            token += text[at]
        at += 1
    return [t[1:-1] if len(t) > 1 and t[0] == t[-1] == "'" else t for t in [*out, token]]


@dataclass(frozen=True)
class Game:
    """What VASSAL would find in a module or extension."""

    engine: Engine
    threads: dict[str, str]
    viewers: dict[str, str]
    traits: tuple[str, ...]
    states: tuple[str, ...]

    def viewer(self, map_name: str, board: str, location: str, marked: str) -> str:
        """Text below the mouse."""
        given = {"LocationName": location, "CurrentBoard": board, "CurrentMap": map_name}
        return self.engine.evaluate(self.viewers[map_name], given, {"hexsight_From": marked})

    def thread(self, map_name: str, start: str, end: str, **properties: str) -> str:
        """Line in the chat."""
        given = {"FromLocation": start, "ToLocation": end, "Range": "7"}
        return self.engine.evaluate(self.threads[map_name], given, properties)

    def trait(self, kind: str) -> list[str]:
        """Fields of a trait of the marker, after its kind."""
        (found,) = [t for t in self.traits if t.startswith(kind + ";")]
        return decode(found, ";")[1:]

    def mark(self, map_name: str, board: str, location: str, level: str = "") -> str:
        """What the marker sets as origin."""
        command = decode(decode(self.trait("setprop")[2], ",")[0], ":")
        kind, value = decode(command[2], ",")
        assert kind == "P"
        return self.engine.evaluate(value, piece=piece(map_name, board, location, level))


def piece(map_name: str, board: str, location: str, level: str = "") -> dict[str, str]:
    """Properties of a piece."""
    return {
        "CurrentMap": map_name,
        "CurrentBoard": board,
        "LocationName": location,
        "hexsight_Level": level,
    }


def load_game(path: Path) -> Game:
    """Read a module or extension as VASSAL does."""
    with zipfile.ZipFile(path) as archive:
        root = etree.fromstring(archive.read("buildFile.xml"), etree.XMLParser(huge_tree=True))
    said: dict[str, str] = {}
    threads: dict[str, str] = {}
    viewers: dict[str, str] = {}
    definition = ""
    for element in root.iter(etree.Element):
        kind = element.tag.rpartition(".")[2]
        if kind in ("GlobalTranslatableMessage", "GlobalProperty"):
            assert element.get("name") not in said
            said[element.get("name")] = element.get("initialValue")
        elif kind == "LOS_Thread" and element.get("threadName") == "hexsight LOS":
            threads[_map(element)] = element.get("report")
        elif kind == "CounterDetailViewer" and element.get("description", "").startswith(
            "hexsight"
        ):
            viewers[_map(element)] = element.get("emptyHexReportForma")
        elif kind == "PrototypeDefinition" and element.get("name") == "hexsight LOS marker":
            definition = element.text
    plus, who, types, states = decode(definition, "/")
    assert (plus, who) == ("+", "null")
    return Game(Engine(said), threads, viewers, _unfold(types), _unfold(states))


def _map(element: etree._Element) -> str:
    above = element.getparent()
    if above.get("target"):
        return decode(decode(above.get("target"), "/")[-1], ":")[1]
    return str(above.get("mapName"))


def _unfold(text: str) -> tuple[str, ...]:
    out = []
    parts = decode(text, "\t")
    while len(parts) == 2:
        out.append(parts[0])
        parts = decode(parts[1], "\t")
    return (*out, parts[0])


def random_board(
    name: str,
    sizes: Sequence[int],
    rng: np.random.Generator,
    *,
    maps: tuple[str, ...] = ("Main Map",),
    names: Sequence[str] | None = None,
    answers: int = 9,
) -> tuple[StockBoard, np.ndarray]:
    """A board of hexes with so many levels, and its symmetric answers; −1 is not kept."""
    levels = ("0", "1", "roof")
    ends = np.cumsum(sizes).tolist()
    hexes = tuple(zip([0, *ends[:-1]], ends, strict=True))
    names = names or [f"{name}{k}" for k in range(len(sizes))]
    places = tuple(
        StockPlace(names[h], levels[k], f"{names[h]} {levels[k]}")
        for h, n in enumerate(sizes)
        for k in range(n)
    )
    square = np.triu(rng.integers(-1, answers, (len(places), len(places))), 1)
    square = square + square.T

    def block(first: int, last: int) -> np.ndarray:
        rows = square[hexes[first][0] : hexes[last - 1][1]].astype(np.int32)
        # What the encoder must not read.
        for k, row in enumerate(rows):
            row[: hexes[first][0] + k] = 99
        return rows

    board = StockBoard(name, maps, places, hexes, block, lambda n: f"{name} says {n}")
    return board, square
