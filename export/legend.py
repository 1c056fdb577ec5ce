"""The strip below a drawing that says what its signs mean."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from hexsight.export.canvas import BLACK, WHITE, Canvas, Colour
from hexsight.export.lettering import text_mask

PAPER: Colour = (245, 245, 242)


class Swatch(Enum):
    """Shape of a sign."""

    AREA = "area"
    LINE = "line"
    CASED = "cased"
    OUTLINE = "outline"
    HATCH = "hatch"
    DOTTED = "dotted"
    ARROW = "arrow"
    RING = "ring"
    TEXT = "text"
    TRIANGLE = "triangle"


@dataclass(frozen=True)
class Entry:
    """One line of the legend."""

    swatch: Swatch
    colour: Colour
    text: str


def with_legend(
    image: NDArray[np.uint8], title: str, entries: list[Entry], hex_px: float
) -> NDArray[np.uint8]:
    """A drawing with its legend below.

    Parameters
    ----------
    image : (H, W, 3) uint8
    title : str
        Of the map.
    entries : list of Entry
    hex_px : float
        Height of a hex in the drawing, from which the size of the letters follows.

    Returns
    -------
    (H', W, 3) uint8
        The first H rows are `image`.
    """
    size = round(min(28.0, max(12.0, 0.3 * hex_px)))
    row, pad = round(size * 1.7), round(size * 0.6)
    sign = round(size * 1.8)
    width = image.shape[1]
    places: list[tuple[int, int]] = []
    x, y = pad, pad
    for i in range(len(entries) + 1):
        text = entries[i - 1].text if i else title
        wide = text_mask(text, size).shape[1] + (sign + pad if i else 0) + 2 * pad
        if x > pad and x + wide > width:
            x, y = pad, y + row
        places.append((x, y + row // 2))
        x += wide
    strip = np.empty((y + row + pad, width, 3), np.uint8)
    strip[:] = PAPER
    strip[: max(1, size // 12)] = BLACK
    canvas = Canvas(strip)
    for i, (left, middle) in enumerate(places):
        if i == 0:
            canvas.text(left, middle, title, size, BLACK, None, anchor="left")
            continue
        entry = entries[i - 1]
        _draw(canvas, entry, left, middle, sign, size)
        canvas.text(left + sign + pad, middle, entry.text, size, BLACK, None, anchor="left")
    return np.concatenate([image, canvas.image])


def _draw(canvas: Canvas, entry: Entry, left: float, middle: float, sign: float, size: int) -> None:
    half = size * 0.5
    box = np.array(
        [(left, middle - half), (left + sign, middle - half)]
        + [(left + sign, middle + half), (left, middle + half)]
    )
    line = np.array([(left, middle), (left + sign, middle)])
    centre = (left + sign / 2, middle)
    thick = max(2.0, size * 0.2)
    match entry.swatch:
        case Swatch.AREA:
            canvas.blend(canvas.area([[box]]), entry.colour, 0.6)
        case Swatch.LINE:
            canvas.lines([line], entry.colour, thick / 2)
        case Swatch.CASED:
            canvas.lines([line], entry.colour, thick, casing=BLACK)
        case Swatch.OUTLINE:
            canvas.blend(canvas.area([[box]]), entry.colour, 0.28)
            canvas.lines([box], entry.colour, thick, closed=True)
        case Swatch.HATCH:
            canvas.hatch([[box]], entry.colour, size * 0.45, max(1.0, size * 0.12))
            canvas.lines([box], entry.colour, thick / 2, closed=True)
        case Swatch.DOTTED:
            canvas.lines([line], entry.colour, thick)
            dot = canvas.disc(left + sign, middle, size * 0.3)
            canvas.shapes([dot], entry.colour, WHITE, 1)
        case Swatch.ARROW:
            tip, tail = left + sign, left + sign * 0.5
            canvas.lines([line[:1] + [(0, 0), (sign * 0.6, 0)]], entry.colour, thick)
            head = np.array([(tip, middle), (tail, middle - half), (tail, middle + half)])
            canvas.shapes([head], entry.colour, WHITE, 1)
        case Swatch.RING:
            canvas.lines([canvas.disc(*centre, half)], entry.colour, thick / 1.5, closed=True)
        case Swatch.TEXT:
            canvas.text(*centre, "1½", size, BLACK, entry.colour if any(entry.colour) else WHITE)
        case Swatch.TRIANGLE:
            tri = np.array([(0, -1), (1.1, 0.8), (-1.1, 0.8)]) * half + centre
            canvas.shapes([tri], entry.colour, BLACK, max(1.0, size * 0.1))
