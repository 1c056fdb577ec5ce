"""Good inputs to begin with, and words that take a mutator further, for each target."""

from __future__ import annotations

import gzip
import io
import struct
import zipfile
from collections.abc import Callable
from functools import cache

import hostile
import numpy as np
import targets
from PIL import Image

from hexsight.model.store import board_files

_RGB = np.arange(30 * 20 * 3, dtype=np.uint8).reshape(20, 30, 3)


def _picture(kind: str, mode: str = "RGB") -> bytes:
    stream = io.BytesIO()
    Image.fromarray(_RGB).convert(mode).save(stream, kind)
    return stream.getvalue()


_GRIDS = (
    "<VASSAL.build.module.map.boardPicker.board.mapgrid.ZonedGrid>"
    '<VASSAL.build.module.map.boardPicker.board.mapgrid.Zone name="z" path="0,0;50,0;50,40" '
    'locationFormat="$name$"><VASSAL.build.module.map.boardPicker.board.SquareGrid dx="9" dy="9">'
    '<VASSAL.build.module.map.boardPicker.board.mapgrid.SquareGridNumbering hType="A"/>'
    "</VASSAL.build.module.map.boardPicker.board.SquareGrid>"
    "</VASSAL.build.module.map.boardPicker.board.mapgrid.Zone>"
    "</VASSAL.build.module.map.boardPicker.board.mapgrid.ZonedGrid>"
    "<VASSAL.build.module.map.boardPicker.board.RegionGrid>"
    '<VASSAL.build.module.map.boardPicker.board.Region name="r" originx="3" originy="4"/>'
    "</VASSAL.build.module.map.boardPicker.board.RegionGrid>"
)
_NUMBERING = 'hOff="1" vOff="2" hLeading="1" stagger="true"'
_BUILD = (
    f'<?xml version="1.0"?><VASSAL.build.GameModule name="t" version="1">'
    f'<{hostile.BOARD} name="Z" image="m.png">{_GRIDS}</{hostile.BOARD}>'
    f"{hostile.board(numbering=_NUMBERING)}"
    f"{hostile.TAIL}"
).encode()
_PROJECT = b"""\
source: map.png
board: M
legend: legend.yaml
rules: asl
grid: {dx: 34.3, dy: 39.6, x0: 22.0, y0: 20.0}
terrain_from: picture
overrides:
  hexes: {B2: {building: stone, height: 1.5, stairwell: [3, 4]}, C3: {level: -1}}
  hexsides: {B2-B3: {bar: [0.1, 0.9]}, A1-A2: {terrain: Wall}}
  buildings: {B2: {outline: [[1, 2], [30, 2], [30, 40]]}}
accepted: {wall/gap: {B2: accepted}}
export: {stock: true, max_range: 3}
"""
_OVERLAYS = (
    b"smoke: [A1, {hex: B2, hindrance: 2, height_half: 4}]\nblaze: [B3]\nbreach: [B2-B3]\n"
    b"rubble: [{hex: B2, into: [B1]}]\ngutted: [B2]\nwrecks: [C3]\nvehicles: [{hex: A2}]\n",
    b"units: [{hexes: [A1, A2], kind: heavy-infantry, side: red, facing: B2}]\nslopes: steep\n",
    b"teams: [{name: a, at: [3, 4], base: [2, 1], facing_deg: 9}, {name: b, at: [50, 60]}]\n"
    b"discs: [{at: [3, 4], side: x}, {firer: a, target: b, hits: 2}]\n",
)
_RULES = (
    b"engine: hexes\nname: own\nclasses: {unit: {}}\nelevation: bounded\nhexes:\n"
    b"  - {kinds: [woods], blocks: true, height: 2}\noverlay: {units: {foot: {blocks: [unit]}}}\n",
    b"engine: measured\nname: own\n",
)
_LEGEND = b"""\
name: own
classes:
  - {terrain: Open Ground, share: 3, colours: [[200, 190, 150]]}
  - {terrain: Woods, colours: [[60, 120, 60]]}
"""
_JOURNAL = (
    b'{"op":"start","after":"d0"}\n'
    b'{"op":"edit","label":"a","at":3,"old":"x","new":"y","before":"d0","after":"d1"}\n'
    b'{"op":"undo","before":"d1","after":"d0"}\n{"op":"redo","before":"d0","after":"d1"}\n'
)
_REQUEST = b'{"version": 3, "edit": {"kind": "hex", "hex": "B2", "level": 1.5, "x": [1e3, null]}}'
_BASELINE = (
    b'{"schema_version": 1, "about": "x", "findings": [{"fingerprint": "0123456789abcdef", '
    b'"id": "grid/x", "file": "b", "place": "B2", "pixel": [1, 2], "message": "m"}]}'
)


def _losdata() -> bytes:
    return hostile.losdata((4, 4, 12, 10), bytes(240 + 18))


def _boards() -> dict[str, bytes]:
    return board_files(targets.small_board())


def _zips() -> list[bytes]:
    return [
        hostile.zipped(("buildFile.xml", _BUILD), ("images/m.png", targets.small_png())),
        hostile.vasl_board(hostile.metadata(), _losdata()),
    ]


_SEEDS: dict[str, Callable[[], list[bytes]]] = {
    "module_zip": _zips,
    "build_file": lambda: [_BUILD, hostile.GOOD.encode("utf-16")],
    "moduledata": lambda: [b"<data version='1'><version>1</version><name>n</name></data>"],
    "picture": lambda: [
        *(_picture(k) for k in ("PNG", "JPEG", "BMP", "TIFF", "WEBP")),
        *(_picture("PNG", m) for m in ("P", "RGBA", "1", "LA", "I;16") if m != "I;16"),
        _picture("GIF", "P"),
    ],
    "metadata": lambda: [hostile.metadata(altHexGrain="true")],
    "losdata": lambda: [_losdata()],
    "project": lambda: [_PROJECT],
    "yaml": lambda: [_PROJECT, _LEGEND],
    "table": lambda: [targets.good_table()],
    "overlay": lambda: list(_OVERLAYS),
    "rules": lambda: list(_RULES),
    "legend": lambda: [_LEGEND],
    "board_json": lambda: [_boards()["board.json"]],
    "raster": lambda: [_boards()["terrain.png"]],
    "journal": lambda: [_JOURNAL],
    "baseline": lambda: [_BASELINE],
    "request": lambda: [_REQUEST],
}
# Pieces that a mutator puts in: numbers at the edges, keys, and what formats are made of.
WORDS: tuple[bytes, ...] = (
    *(b"NaN", b".nan", b".inf", b"-.inf", b"1e308", b"1e-320", b"-0", b"0", b"-1", b"1e400"),
    *(b"9" * 19, b"9" * 400, b"2147483648", b"-2147483649", b"4294967295", b"0x7f", b"1:59:59"),
    *(b"\x00", b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\x80\x00\x00\x00", b"\xef\xbb\xbf"),
    *(b"\xed\xa0\x80", b"\\ud800", b"\\u0000", "½".encode(), "\u2028".encode(), b"\r", b"\t"),
    *(b"[", b"]", b"{", b"}", b": ", b"- ", b"? ", b"!!int ", b"!!binary ", b"&a ", b"*a", b"<<: "),
    *(b"<", b">", b"/>", b"&#0;", b"&#x110000;", b"&x;", b"]]>", b"<![CDATA[", b"<!--", b'"', b"'"),
    *(b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06", b"../", b"null", b"true", b"[]", b"{}", b'""'),
    *(b"A1", b"ZZ99", b"A1-A2", b"B2@roof", b"@", b"A1@-1", b"kind", b"hex", b"hexes"),
    struct.pack(">4i", 4, 4, 2**31 - 1, 1),
    zipfile.ZIP_DEFLATED.to_bytes(2, "little"),
)


@cache
def seeds(name: str) -> tuple[bytes, ...]:
    """Good inputs of a target."""
    return tuple(_SEEDS[name]())


def opened(name: str, data: bytes) -> bytes:
    """What lies inside a packed format, so that mutations reach it."""
    return gzip.decompress(data) if name == "losdata" else data


def closed(name: str, data: bytes) -> bytes:
    """A mutated inside, packed again."""
    return gzip.compress(data, 1, mtime=0) if name == "losdata" else data
