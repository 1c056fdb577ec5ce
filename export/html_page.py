"""One self-contained page a board: search a hex, see what it sees, and why not.

Everything lies in the file: the map, the table, the program.  A content security
policy with the hashes of style and program lets nothing else run and nothing be
fetched, whatever a name on the map holds.
"""

from __future__ import annotations

import base64
import hashlib
import html
import io
import json
import math
import zlib
from collections.abc import Mapping
from importlib import resources
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, features

from hexsight.export.charts_sights import hex_ranges, place_locations
from hexsight.export.picture import check_picture
from hexsight.los.table import BLOCKED, Table
from hexsight.model.board import Board
from hexsight.model.errors import UsageError

# Values of the page's table: 0 clear, 1 … 62 Hindrance, then these.
BEYOND = 63
FIRST_REASON = 64
# A browser holds one byte a pair of Locations.
MAX_LOCATIONS = 20_000
# The map is shown so that a hex is at most this high; more only makes the file larger.
MAX_HEX_PX = 72.0
MAX_MAP_PIXELS = 16_000_000
_QUALITY = 80
_LARGE = 16_000_000


def chart_page(
    rgb: NDArray[np.uint8],
    board: Board,
    table: Table,
    reasons: Mapping[int, tuple[str, str]],
    *,
    max_range: int | None = None,
) -> bytes:
    """A page that answers every line of sight of a board.

    Parameters
    ----------
    rgb : (H, W, 3) uint8
        The map.
    board : Board
    table : Table
    reasons : mapping of int to (str, str)
        Rule and sentence of each reason code.
    max_range : int, optional
        Leave pairs out that are farther apart, in hexes.

    Returns
    -------
    bytes
        HTML 5, UTF-8.  The same input gives the same bytes.

    Raises
    ------
    UsageError
        If the table is of another board, or too large for a page.
    InputError
        If the map is not of the board's size.
    """
    check_picture(rgb, board)
    if len(table.names) > MAX_LOCATIONS:
        raise UsageError(
            f"Board {board.name} has {len(table.names)} Locations, and a page holds at most "
            f"{MAX_LOCATIONS}. Make charts of its parts."
        )
    style, program = (_text(name) for name in ("html_page.css", "html_page.js"))
    policy = (
        "default-src 'none'; img-src data:; "
        f"style-src '{_digest(style)}'; script-src '{_digest(program)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    title = html.escape(f"Lines of sight on {board.name}")
    values = _page_table(board, table, max_range)
    level = 9 if values.size < _LARGE else 6  # the last percent of a large table costs minutes
    packed = base64.b64encode(zlib.compress(values.data, level)).decode()
    facts = _data_block(_facts(board, table, reasons, max_range))
    parts = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n',
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
        '<meta name="referrer" content="no-referrer">\n',
        f"<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n",
        _text("html_page.html").replace("{title}", title).replace("{map}", map_address(rgb, board)),
        f'<script type="application/json" id="facts">{facts}</script>\n',
        f'<script type="text/plain" id="packed">{packed}</script>\n',
        f"<script>{program}</script>\n</body>\n</html>\n",
    ]
    return "".join(parts).encode("utf-8")


def _text(name: str) -> str:
    return resources.files("hexsight.export").joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """Hash of an inline element's text, as a content security policy names it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode()


def _data_block(value: Any) -> str:
    """JSON that cannot end the element that holds it, whatever its strings say."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def map_address(rgb: NDArray[np.uint8], board: Board) -> str:
    """The map (H, W, 3) uint8 as a data address: WebP, or JPEG where Pillow has no WebP."""
    height, width = rgb.shape[:2]
    scale = min(1.0, MAX_HEX_PX / board.layout.dy, math.sqrt(MAX_MAP_PIXELS / (width * height)))
    if scale < 1:
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        rgb = np.asarray(cv2.resize(rgb, size, interpolation=cv2.INTER_AREA), np.uint8)
    stream = io.BytesIO()
    kind = "WEBP" if features.check("webp") else "JPEG"
    Image.fromarray(rgb).save(stream, kind, quality=_QUALITY)
    return f"data:image/{kind.lower()};base64,{base64.b64encode(stream.getvalue()).decode()}"


def _page_table(board: Board, table: Table, max_range: int | None) -> NDArray[np.uint8]:
    """One byte a pair: answer and reason in one."""
    answers = np.asarray(table.answers)
    why = np.asarray(table.reasons) if table.reasons is not None else np.uint8(0)
    hinders = np.minimum(answers & 0x3F, BEYOND - 1)
    values = np.where(answers & BLOCKED, FIRST_REASON + why, hinders).astype(np.uint8)
    if max_range is not None:
        hexes, _ = place_locations(board, table)
        n, at = len(hexes), 0
        for i in range(n - 1):
            far = hex_ranges(board, int(hexes[i]), hexes[i + 1 :]) > max_range
            values[at : at + n - 1 - i][far] = BEYOND
            at += n - 1 - i
    return values


def _facts(
    board: Board,
    table: Table,
    reasons: Mapping[int, tuple[str, str]],
    max_range: int | None,
) -> dict[str, Any]:
    hexes, levels = place_locations(board, table)
    kinds = sorted(set(levels), key=_level_order)
    terrains = sorted({h.terrain for h in board.hexes})
    return {
        "name": board.name,
        "size": list(board.size_px),
        "layout": [board.layout.origin_px, board.layout.col_px, board.layout.row_px],
        "sideways": board.layout.sideways,
        "terrains": [board.catalogue[code].name for code in terrains],
        "buildings": {str(b.id): f"{b.material} {b.kind}" for b in board.buildings},
        "hexes": [
            [
                h.name,
                h.col,
                h.row,
                terrains.index(h.terrain),
                h.base_half,
                h.building,
                h.height_half if h.building else 0,
                h.factory + 2 * h.roofless + 4 * board.joins_levels(h),
            ]
            for h in board.hexes
        ],
        "levels": kinds,
        "locations": [[int(h), kinds.index(k)] for h, k in zip(hexes, levels, strict=True)],
        "reasons": {str(code): list(told) for code, told in sorted(reasons.items())},
        "told": table.reasons is not None,
        "range": max_range,
    }


def _level_order(level: str) -> tuple[int, int, str]:
    """Ground first, then upwards, cellars and bridges last."""
    order = {"ground": 0, "rooftop": 2, "cellar": 3, "bridge": 4}
    number = level.removeprefix("level ")
    return order.get(level, 1), int(number) if number.lstrip("-").isdigit() else 0, level
