"""The review page as one file without a server: to publish, or to mail.

The same page code, with what it would ask a server for in the file: the map, the board,
the findings, and for every pair of Locations the answer and the place that blocks.
"""

from __future__ import annotations

import base64
import io
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import resources
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, features

from hexsight.export.charts_sights import hex_ranges
from hexsight.los.blocking import CODE_SHIFT, BlockingPlaces
from hexsight.los.engine import blocking_for, table_of
from hexsight.los.observers import find_observer
from hexsight.los.table import BLOCKED, Table
from hexsight.model.board import Board
from hexsight.model.errors import UnsupportedError, UsageError
from hexsight.progress import Reporter
from hexsight.review.bundle import bundle_page
from hexsight.review.desk import BEYOND, FIRST_REASON, Desk, values_of
from hexsight.review.geometry import Json
from hexsight.review.session import Session
from hexsight.review.tiles import LabelLayer

# A browser holds five bytes a pair of Locations.
MAX_LOCATIONS = 15_000
MAX_PAIRS = MAX_LOCATIONS * (MAX_LOCATIONS - 1) // 2
# A map is shown pixel by pixel up to this size; WebP ends at 16,383 a side.
MAX_MAP_PIXELS = 36_000_000
MAX_MAP_SIDE = 16_383
MAX_LAYER_PIXELS = 16_000_000
_QUALITY = 80
_LARGE = 16_000_000
_NO_CODE, _ALL = np.int64((1 << CODE_SHIFT) - 1), np.int64(-1)
# A layer of more tints is shown in steps: shades of confidence that no eye tells apart cost bytes.
_MANY = 100
_SHADE = 43  # six steps
Progress = Callable[[float], None]


@dataclass(frozen=True, eq=False)
class PageTable:
    """Answers of a page for every pair of Locations, condensed upper triangle.

    Attributes
    ----------
    observer : str or None
        Class of observer that they are for, where rules have several.
    values : (pairs,) uint8
        0 clear, 1 … 58 Hindrance, 59 … 62 half strength, halved value − 58 times, 63 beyond the
        range, 64 and more blocked by reason value − 64.
    places : (pairs,) uint32
        Index into `where` of what blocks, or of what hinders first.
    where : list of [str, int, int] or [str, int, int, int] or None
        Name and board pixel, and the reason's number where it hinders; the first is
        None, for pairs that nothing at a place blocks.
    """

    values: NDArray[np.uint8]
    places: NDArray[np.uint32]
    where: list[Any]
    observer: str | None = None


def page_table(
    table: Table,
    places: BlockingPlaces,
    max_range: int | None = None,
    progress: Progress | None = None,
    observer: str | None = None,
) -> PageTable:
    """Answers and places of a table.

    Parameters
    ----------
    table : Table
    places : BlockingPlaces
        Of the same board and rules.
    max_range : int, optional
        Leave pairs out that are farther apart, in hexes.
    progress : callable, optional
        Called with the share that is done.
    observer : str, optional
        Class whose answers these are.
    """
    compiled = places.compiled
    board, n = compiled.board, len(compiled.locations)
    hexes = np.array([loc.hex for loc in compiled.locations], np.int32)
    starts = np.searchsorted(hexes, np.arange(len(board.hexes) + 1))
    values = np.zeros(len(table.answers), np.uint8)
    found = np.zeros(len(table.answers), np.int64)
    for index in range(len(board.hexes)):
        first, last = int(starts[index]), int(starts[index + 1])
        rows = range(first, last)
        begins = [i * (2 * n - i - 1) // 2 for i in rows]
        answers = np.zeros((last - first, n), np.uint8)
        why = np.zeros_like(answers)
        for i, at in zip(rows, begins, strict=True):
            answers[i - first, i + 1 :] = table.answers[at : at + n - 1 - i]
            if table.reasons is not None:
                why[i - first, i + 1 :] = table.reasons[at : at + n - 1 - i]
        far = np.zeros(n, bool)
        if max_range is not None:
            far = hex_ranges(board, index, hexes) > max_range
        told = places.rows(index, index + 1, answers, why, max_range, hindered=True)
        codes = FIRST_REASON + (told >> CODE_SHIFT)
        shown = np.where(answers & BLOCKED, codes, values_of(answers, why))
        shown[:, far] = BEYOND
        told[:, far] = 0
        for i, at in zip(rows, begins, strict=True):
            values[at : at + n - 1 - i] = shown[i - first, i + 1 :]
            # What blocks is told by the value; what hinders goes with its place.
            kept = np.where(answers[i - first] & BLOCKED, _NO_CODE, _ALL)
            found[at : at + n - 1 - i] = (told[i - first] & kept)[i + 1 :]
        if progress is not None:
            progress((index + 1) / len(board.hexes))
    distinct, inverse = np.unique(np.append(found, 0), return_inverse=True)
    where: list[Any] = []
    for place in distinct.tolist():
        point = places.point_px(place)
        code = [places.code(place)] if places.code(place) else []
        where.append([places.name(place), *point, *code] if point is not None else None)
    return PageTable(values, inverse[:-1].astype(np.uint32), where, observer)


def export_page(desk: Desk, sights: list[PageTable], max_range: int | None = None) -> bytes:
    """The page of a board as one file.

    Parameters
    ----------
    desk : Desk
    sights : list of PageTable
        Of its board: one, or one for each class of observer.
    max_range : int, optional
        That longer lines of sight were left out, in hexes.

    Returns
    -------
    bytes
        HTML 5, UTF-8.  The same input gives the same bytes.
    """
    snapshot = desk.snapshot()
    picture, scale = map_picture(snapshot.layers.map.level(0))
    shown = snapshot.layers.shown
    blocks, told = _sight_blocks(sights)
    exported: Json = {
        "range": max_range,
        "map_scale": scale,
        "layers": sorted(name for name, layer in shown.items() if layer is not None),
        "sights": told,
    }
    findings = {**desk.findings(), "version": 0}
    board = {
        **snapshot.json,
        **_AS_FILE,
        "progress": findings["progress"],
        "exported": exported,
        "observers": [
            one
            for one in snapshot.json["observers"]
            if any(sight.observer == one["name"] for sight in sights)
        ],
    }
    blocks = [
        _json_block("hexsight-board", board),
        _json_block("hexsight-findings", findings),
        _data_block("hexsight-map", picture),
        *blocks,
        *(
            _data_block(f"hexsight-layer-{name}", layer_picture(layer))
            for name, layer in sorted(shown.items())
            if layer is not None
        ),
    ]
    return bundle_page(_page_file, "index.html", "".join(blocks)).encode("utf-8", "replace")


def _sight_blocks(sights: list[PageTable]) -> tuple[list[str], list[Json]]:
    """Elements with answers and places, and by class which of them are its own.

    Classes that see alike share them.
    """
    blocks: list[str] = []
    told: list[Json] = []
    known: dict[bytes, str] = {}

    def kept(data: bytes) -> str:
        if data not in known:
            known[data] = f"hexsight-sight-{len(known)}"
            blocks.append(_data_block(known[data], data))
        return known[data]

    for sight in sights:
        told.append(
            {
                "observer": sight.observer,
                "values": kept(_packed(sight.values)),
                "places": [kept(_packed(plane)) for plane in _planes(sight.places)],
                "where": sight.where,
            }
        )
    return blocks, told


def export_session(
    session: Session, max_range: int | None, reporter: Reporter, observer: str | None = None
) -> bytes:
    """The page of a session as one file, with all its lines of sight walked.

    Parameters
    ----------
    session : Session
    max_range : int, optional
        Leave lines of sight out that are longer, in hexes.
    reporter : Reporter
    observer : str, optional
        The only class of observer whose answers are wanted; all without.

    Raises
    ------
    UsageError
        If the board is too large for a page, or the rules have no such class.
    UnsupportedError
        If the rules measure.
    """
    look = session.look
    board, rules = look.board, look.rules
    if rules.engine == "measured":
        raise UnsupportedError(
            f"The rules {rules.name} measure from any place to any other, and a page without a "
            "server holds answers between hexes only. Leave --export out."
        )
    if observer is not None and not rules.observers:
        raise UsageError(f"In the rules {rules.name} all observers see alike. Omit --observer.")
    classes: tuple[str | None, ...] = (None,)
    if rules.observers:
        wanted = find_observer(rules.name, rules.observers, observer)
        classes = rules.observers if observer is None else (wanted,)
    _refuse_large(board, len(look.locations), classes)
    reporter.step("Walking all lines of sight")
    table = table_of(board, rules, progress=lambda done, all_: reporter.done(done / max(1, all_)))
    reporter.step("Finding what blocks each line")
    sights = [
        page_table(
            table.of_observer(one) if len(rules.observers) > 1 else table,
            blocking_for(board, rules, one, 1)[0],
            max_range,
            partial(_part_done, reporter, k, len(classes)),
            one,
        )
        for k, one in enumerate(classes)
    ]
    return export_page(Desk(session), sights, max_range)


def _part_done(reporter: Reporter, part: int, parts: int, share: float) -> None:
    reporter.done((part + share) / parts)


def _refuse_large(board: Board, locations: int, classes: tuple[str | None, ...]) -> None:
    if locations > MAX_LOCATIONS:
        raise UsageError(
            f"Board {board.name} has {locations} Locations, and a page holds at most "
            f"{MAX_LOCATIONS}. Export its parts as boards of their own."
        )
    if len(classes) * locations * (locations - 1) // 2 > MAX_PAIRS:
        raise UsageError(
            f"Board {board.name} has {locations} Locations, too many for a page with all "
            f"{len(classes)} classes of observer. Name one with --observer: "
            f"{', '.join(str(one) for one in classes)}."
        )


# What a page says of itself when there is nobody to save.
_AS_FILE: Json = {
    "version": 0,
    "can_save": False,
    "why_not": "This is a copy to look at.",
    "undo": 0,
    "redo": 0,
    "undo_label": "",
    "redo_label": "",
    "busy": "",
    "changed_outside": False,
    "project": None,
}


def map_picture(rgb: NDArray[np.uint8]) -> tuple[bytes, float]:
    """The map (H, W, 3) uint8 as WebP, or JPEG where Pillow has none; and its scale."""
    height, width = rgb.shape[:2]
    scale = min(1.0, (MAX_MAP_PIXELS / (width * height)) ** 0.5, MAX_MAP_SIDE / max(width, height))
    if scale < 1:
        size = (max(1, int(width * scale)), max(1, int(height * scale)))
        rgb = np.asarray(cv2.resize(rgb, size, interpolation=cv2.INTER_AREA), np.uint8)
    stream = io.BytesIO()
    kind = "WEBP" if features.check("webp") else "JPEG"
    Image.fromarray(rgb).save(stream, kind, quality=_QUALITY)
    return stream.getvalue(), scale


def layer_picture(layer: LabelLayer) -> bytes:
    """A layer as PNG in its few tints, every other pixel of a large one."""
    step = 1
    while (layer.raster.size // (step * step)) > MAX_LAYER_PIXELS:
        step += 1
    raster = layer.raster[::step, ::step]
    tints = layer.palette.table
    if len(np.unique(tints, axis=0)) > _MANY:
        clear = tints[raster, 3] == 0
        raster = (raster // _SHADE) * np.uint8(_SHADE) + np.uint8(_SHADE // 2)
        raster[clear] = int(np.flatnonzero(tints[:, 3] == 0)[-1])
    image = Image.fromarray(np.ascontiguousarray(raster))
    image.putpalette(tints[:, :3].tobytes(), "RGB")
    stream = io.BytesIO()
    image.save(stream, "PNG", transparency=tints[:, 3].tobytes(), optimize=True)
    return stream.getvalue()


def _planes(places: NDArray[np.uint32]) -> list[NDArray[np.uint8]]:
    """Bytes of numbers, the low ones first; as many planes as the largest number needs."""
    highest = int(places.max()) if places.size else 0
    count = max(1, (highest.bit_length() + 7) // 8)
    return [((places >> (8 * k)) & 0xFF).astype(np.uint8) for k in range(count)]


def _packed(values: NDArray[np.uint8]) -> bytes:
    # The last percent of a large table costs minutes.
    return zlib.compress(values.tobytes(), 9 if values.size < _LARGE else 6)


def _json_block(name: str, value: Any) -> str:
    """JSON that cannot end the element that holds it, whatever its strings say."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for sign in "&<>":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    # Half of a pair of surrogates, out of a broken file, is no UTF-8.
    text = text.encode("utf-8", "backslashreplace").decode()
    return f'<script type="application/json" id="{name}">{text}</script>\n'


def _data_block(name: str, data: bytes) -> str:
    text = base64.b64encode(data).decode()
    return f'<script type="text/plain" id="{name}">{text}</script>\n'


def _page_file(name: str) -> str:
    found = resources.files("hexsight.review").joinpath("static", name)
    return found.read_text(encoding="utf-8")
