"""A blank sheet of hexes to draw an own map on, with a paint program or, printed, by hand."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from hexsight.model.errors import UsageError

from .hexes import HexLayout, Numbering

GROUND = (214, 200, 160)
LINE = (126, 116, 92)
LABEL = (92, 84, 64)
MOST_PX = 12_000
SMALLEST_HEX_PX = 24


@dataclass(frozen=True)
class Sheet:
    """A blank sheet.

    Attributes
    ----------
    picture : (H, W, 3) uint8
        Flat ground, so that a paint program can fill it; lines without soft edges.
    layout : HexLayout
        Where its hexes lie; the first is named A1.
    """

    picture: NDArray[np.uint8]
    layout: HexLayout


def blank_sheet(columns: int, rows: int, *, hex_px: int = 64, sideways: bool = False) -> Sheet:
    """Draw a sheet of hexes with their names and centre dots.

    As on geomorphic boards every second column begins and ends with half a hex.

    Parameters
    ----------
    columns, rows : int
        Number of whole hexes across and down.
    hex_px : int
        Distance of two opposite sides of a hex, in pixels.
    sideways : bool
        Pointy-topped hexes in rows, as VASSAL's "sideways" grids.

    Raises
    ------
    UsageError
        When no sheet can be that small or that large.
    """
    if hex_px < SMALLEST_HEX_PX:
        raise UsageError(f"Hexes of {hex_px} px are too small to be drawn in: 24 is the least.")
    # In the lattice's own axes a "column" runs along v; sideways swaps the axes of the picture.
    lines, places = (rows, columns) if sideways else (columns, rows)
    if min(lines, places) < 4:
        raise UsageError(f"A sheet of {columns} × {rows} hexes is too small: 4 × 4 is the least.")
    dx, dy = hex_px * math.sqrt(3) / 2, float(hex_px)
    across, along = math.ceil((lines + 1 / 3) * dx) + 1, round(places * dy) + 1
    width, height = (along, across) if sideways else (across, along)
    if max(width, height) > MOST_PX:
        raise UsageError(
            f"A sheet of {columns} × {rows} hexes of {hex_px} px would be {width} × {height} px; "
            f"{MOST_PX} is the most. Take fewer or smaller hexes."
        )
    # Column A stands half a row lower, so it is raw column 1; column 0 lies off the sheet.
    layout = HexLayout(dx, dy, -dx / 3, 0.0, sideways, Numbering(h_off=-1))
    picture = Image.new("RGB", (width, height), GROUND)
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(max(8.0, hex_px / 6))
    hexes = [(c, r) for c in range(1, lines + 1) for r in range(places + (c + 1) % 2)]
    for each in hexes:
        ring = [(round(x), round(y)) for x, y in layout.corners(each)]
        draw.line([*ring, ring[0]], fill=LINE, width=max(1, hex_px // 48))
    for each in hexes:
        x, y = layout.centre(each)
        draw.text((x, y - 0.37 * hex_px), layout.numbering.name(*each), LABEL, font, anchor="mm")
        draw.rectangle((round(x) - 1, round(y) - 1, round(x) + 1, round(y) + 1), fill=LABEL)
    return Sheet(np.asarray(picture), layout)
