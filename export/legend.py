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
    COUNTER = "counter"
    LETTERS = "letters"
    PUFFS = "puffs"
    DOTS = "dots"
    CROSSED = "crossed"


@dataclass(frozen=True)
class Entry:
    """One line of the legend; `sign` are letters that are shown, `shape` that of a counter."""

    swatch: Swatch
    colour: Colour
    text: str
    sign: str = ""
    shape: int = -1


def counter_outline(side: int) -> NDArray[np.float64]:
    """Outline (n, 2) of a side's counters from −1 to 1: shapes tell sides as colours do."""
    match side % 4 if side >= 0 else 0:
        case 1:  # cut corners
            c = 0.5
            half = [(-c, -1), (c, -1), (1, -c), (1, c)]
            return np.array(half + [(-x, -y) for x, y in half])
        case 2:  # round
            turn = np.arange(32) * (2 * np.pi / 32)
            return np.stack([np.cos(turn), np.sin(turn)], axis=1) * 1.08
        case 3:  # pointed at both sides
            return np.array([(-0.7, -1), (0.7, -1), (1.2, 0), (0.7, 1), (-0.7, 1), (-1.2, 0)])
        case _:
            return np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])


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
        case _:
            _draw_on_map(canvas, entry, box, size)


def _draw_on_map(canvas: Canvas, entry: Entry, box: NDArray[np.float64], size: int) -> None:
    """Signs of what a scenario puts on a map, in a box of corners (4, 2)."""
    (left, top), (right, bottom) = box[0].tolist(), box[2].tolist()
    sign, half, middle = right - left, size * 0.5, (top + bottom) / 2
    centre = ((left + right) / 2, middle)
    match entry.swatch:
        case Swatch.COUNTER:
            shape = counter_outline(entry.shape) * half + centre
            canvas.shapes([shape], entry.colour, BLACK, max(1.0, size * 0.1))
        case Swatch.LETTERS:
            canvas.text(*centre, entry.sign, size, BLACK, WHITE)
        case Swatch.PUFFS:
            rings = [canvas.disc(left + sign * k, middle, half * 0.8) for k in (0.25, 0.5, 0.75)]
            canvas.lines(rings, (90, 90, 96), max(1.0, size * 0.08), closed=True)
        case Swatch.DOTS:
            for k in (0.2, 0.5, 0.8):
                dot = canvas.disc(left + sign * k, middle + (k - 0.5) * half, half * 0.4)
                canvas.shapes([dot], entry.colour, WHITE, 1)
        case Swatch.CROSSED:
            canvas.shapes([box], entry.colour, WHITE, 1)
            canvas.lines([box[::2], box[1::2]], BLACK, max(1.0, size * 0.13))
