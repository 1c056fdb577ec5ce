"""Single signs of printed names, cut out of the place where a map prints them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.extract.labels_zone import Box, Frame, Hexes, Zone, off_lines

CELL = 20  # side in pixels of the square picture of a sign
TALL = 16  # of which a sign is high
WORK = 20  # height in pixels of a line of print while it is cut up
SPACE = 32  # side in pixels of the square picture of a space between signs
_LEAST_GRAY = 8.0  # contrast of print on its ground
# Of the strength of print: thin slants of small letters are no stronger.
_INK = 0.42
_GAP = 1.2  # heights: signs further apart belong to different things
_WIDEST = 1.2  # heights: wider strokes are several letters that touch
_NARROWEST = 0.25  # heights
_USUAL = 0.65  # heights: width of a letter
_THIN = 0.8  # of the usual ink of a column: where they may be cut apart
_CUT = 0.5  # what a cut costs, as if through so much more of the usual ink
_SAMPLE = 300  # hexes that tell the height of the print
_FEWEST = 8  # words that make a line of print


@dataclass(frozen=True)
class Word:
    """Signs printed in one hex, from left to right.

    Attributes
    ----------
    col, row : int
    first, length : int
        Its signs are ``pictures[first : first + length]`` of `Glyphs`.
    light : bool
        Lighter than the ground.
    clean : bool
        Nothing that might be a part of it stands beside it.
    middle : float
        Middle of the word, in heights of the print right of the zone's middle.
    """

    col: int
    row: int
    first: int
    length: int
    light: bool
    clean: bool
    middle: float


@dataclass(frozen=True)
class Glyphs:
    """Signs of all hexes.

    Attributes
    ----------
    words : tuple of Word
    pictures : (n, CELL, CELL) float32
        Signs scaled to the same height, 0 ground to 1 ink.
    widths, heights : (n,) float64
        Their widths and heights, in heights of the print.
    gaps : (n,) float64
        Free space before each, in heights; 0 before the first of a word.
    spaces : (n, SPACE, SPACE) uint8
        Pictures of that space, its middle in their middle, print `WORK` pixels
        high, 0 ground to 255 ink; 0 beyond the signs on both sides.
    box : Box
        Line of print relative to the hex centre, as upright print has it.
    turn : int
        Quarter turns clockwise by which the print is turned.
    hexes : int
        Hexes that were looked at.
    """

    words: tuple[Word, ...]
    pictures: NDArray[np.float32]
    widths: NDArray[np.float64]
    heights: NDArray[np.float64]
    gaps: NDArray[np.float64]
    spaces: NDArray[np.uint8]
    box: Box
    turn: int
    hexes: int


@dataclass(frozen=True)
class _Sheet:
    """Patches around a line of print, with where that line should run."""

    patches: NDArray[np.uint8]
    hexes: list[tuple[int, int]]
    free: NDArray[np.bool_]
    core: tuple[slice, slice]
    margin: tuple[float, float]
    scale: float


@dataclass(frozen=True)
class _Parts:
    """Connected strokes of one patch in one polarity."""

    strokes: NDArray[np.float32]  # 1 at the strength of print
    boxes: NDArray[np.int64]  # (n, 4) left, top, right, bottom
    contrast: float


def read_glyphs(frame: Frame, hexes: Hexes, zone: Zone, turn: int, line_px: float) -> Glyphs | None:
    """Cut the names out of every hex.

    Parameters
    ----------
    zone : Zone
        Where to look.
    turn : int
        Quarter turns clockwise by which the print is turned.
    line_px : float
        Width of the printed grid lines.

    Returns
    -------
    Glyphs or None
        None when no line of print stands out there.
    """
    box = zone.turned(turn)
    sample = list(hexes)[:: max(1, len(hexes) // _SAMPLE)]
    for _ in range(2):
        # The zone tells the height of the print only roughly: what is found in
        # the first round sets the measure for the second.
        sheet = _sheet(frame, sample, box, turn, line_px)
        line = _line(sheet)
        if line is None:
            return None
        top, bottom = line
        box = (
            box[0],
            box[1] + (top - sheet.margin[1]) / sheet.scale,
            box[2],
            (bottom - top) / sheet.scale,
        )
    return _collect(_sheet(frame, hexes, box, turn, line_px), box, turn)


def _sheet(frame: Frame, hexes: Hexes, box: Box, turn: int, line_px: float) -> _Sheet:
    left, top, width, height = box
    scale = WORK / height
    across, down = 2.0 * height, 0.6 * height
    wide = (left - across, top - down, width + 2 * across, height + 2 * down)
    size = (round(wide[2] * scale), round(wide[3] * scale))
    patches, kept = frame.patches(hexes, wide, size, turn)
    margin = across * scale, down * scale
    core = (
        slice(round(margin[1]), size[1] - round(margin[1])),
        slice(round(margin[0]), size[0] - round(margin[0])),
    )
    free = off_lines(frame, wide, size, turn, line_px)
    return _Sheet(patches, kept, free, core, margin, scale)


def _parts(sheet: _Sheet, patch: NDArray[np.uint8], light: bool) -> _Parts | None:
    """Connected strokes of a patch, lighter or darker than the ground."""
    size = round(0.6 * WORK) | 1
    shape = cv2.MORPH_TOPHAT if light else cv2.MORPH_BLACKHAT
    kernel = np.ones((size, size), np.uint8)
    strokes = np.asarray(cv2.morphologyEx(patch, shape, kernel), np.float32)
    strokes[~sheet.free] = 0
    contrast = float(_quantiles(strokes[sheet.core], (0.95,))[0])
    if contrast < _LEAST_GRAY:
        return None
    strokes /= contrast
    count, _, stats, _ = cv2.connectedComponentsWithStats(
        (strokes > _INK).astype(np.uint8), connectivity=8
    )
    boxes = stats[1:count, :4].astype(np.int64)
    boxes[:, 2:] += boxes[:, :2]
    boxes = boxes[stats[1:count, 4] >= 0.01 * WORK * WORK]
    return _Parts(strokes, _split(strokes, boxes), contrast)


def _quantiles(values: NDArray[Any], shares: tuple[float, ...]) -> list[float]:
    """Values that so much of all lies below; many times faster than numpy's on a small patch."""
    flat = values.ravel()
    at = [round(share * (flat.size - 1)) for share in shares]
    part = np.partition(flat, at)
    return [float(part[i]) for i in at]


def _split(strokes: NDArray[np.float32], boxes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Cut strokes wider than any letter where the print is thinnest.

    Small print on a blurred or scaled picture runs together.
    """
    found = []
    for left, top, right, bottom in boxes.tolist():
        cuts = [left - 1, right]
        if right - left > _WIDEST * WORK and 0.6 * WORK < bottom - top < 1.5 * WORK:
            ink = np.clip(strokes[top:bottom, left:right], 0, 1).mean(axis=0)
            cuts[1:1] = [left + at for at in _cuts(ink)]
        found += [(a + 1, top, b, bottom) for a, b in itertools.pairwise(cuts)]
    return np.array(found, np.int64).reshape(-1, 4)


def _cuts(ink: NDArray[np.floating]) -> list[int]:
    """Columns at which strokes of several letters are best cut apart.

    As few cuts as letters of their width allow, through little ink, into
    letters of usual width: an M has thin places as well.
    """
    width = len(ink)
    mean = max(float(ink.mean()), 1e-9)
    least, most = round(_NARROWEST * WORK), round(_WIDEST * WORK)
    best: list[tuple[float, int]] = [(0.0, -1)]
    for at in range(1, width + 1):
        # Pieces end before column `at`; the column of a cut belongs to none.
        cut = 0.0 if at == width else _CUT + float(ink[at]) / mean
        choice = (np.inf, -1)
        if at == width or ink[at] < _THIN * mean:
            for start in range(max(0, at - most - 1), at - least):
                size = at - start if start == 0 else at - start - 1
                if least <= size <= most and np.isfinite(best[start][0]):
                    odd = ((size / WORK - _USUAL) / _USUAL) ** 2
                    choice = min(choice, (best[start][0] + odd + cut, start))
        best.append(choice)
    cuts: list[int] = []
    at = best[width][1]
    while at > 0:
        cuts.insert(0, at)
        at = best[at][1]
    return cuts


def _line(sheet: _Sheet) -> tuple[float, float] | None:
    """Top and bottom at which most patches have parts, in pixels of the patches."""
    height, width = sheet.patches.shape[1:]
    votes = np.zeros((height + 1, height + 1), np.float32)
    for patch in sheet.patches:
        mine = np.zeros_like(votes)
        for light in (False, True):
            parts = _parts(sheet, patch, light)
            if parts is None:
                continue
            left, top, right, bottom = parts.boxes.T
            tall, wide = bottom - top, right - left
            good = (tall >= 0.3 * WORK) & (wide <= 2.0 * tall) & (left > 0) & (right < width)
            good &= (top > 0) & (bottom < height)
            mine[top[good], bottom[good]] = 1
        votes += mine
    votes = np.asarray(cv2.boxFilter(votes, -1, (5, 5), normalize=False))
    top, bottom = np.unravel_index(int(votes.argmax()), votes.shape)
    if votes[top, bottom] < max(_FEWEST, 0.1 * len(sheet.patches)):
        return None
    return float(top), float(bottom)


@dataclass(frozen=True)
class _Found:
    """A word of one patch: its signs (n, 4), and how it was found."""

    boxes: NDArray[np.int64]
    parts: _Parts
    light: bool
    clean: bool


def _word(sheet: _Sheet, parts: _Parts, light: bool) -> _Found | None:
    """Signs of a patch that stand on the line of print next to each other."""
    top, bottom = sheet.margin[1], sheet.margin[1] + WORK
    tall = 0.22 * WORK
    boxes = parts.boxes
    on_line = (np.abs(boxes[:, 1] - top) < 1.6 * tall) & (np.abs(boxes[:, 3] - bottom) < 1.6 * tall)
    if not on_line.any():
        return None
    signs = boxes[on_line]
    middle = np.median(signs[:, [1, 3]], axis=0)
    even = (np.abs(signs[:, [1, 3]] - middle) <= tall).all(axis=1)
    even &= signs[:, 2] - signs[:, 0] <= 1.8 * WORK
    if not even.any():
        return None
    others = np.concatenate([boxes[~on_line], signs[~even]])
    signs = signs[even][np.argsort(signs[even][:, 0], kind="stable")]
    breaks = np.flatnonzero(signs[1:, 0] - signs[:-1, 2] > _GAP * WORK) + 1
    groups = np.split(signs, breaks)
    centre = parts.strokes.shape[1] / 2
    signs = min(groups, key=lambda g: (-len(g), abs((g[0, 0] + g[-1, 2]) / 2 - centre)))
    low, high = signs[0, 0], signs[-1, 2]
    in_line = (others[:, 3] > middle[0] + tall) & (others[:, 1] < middle[1] - tall)
    others = others[in_line]
    near = (others[:, 2] > low - 0.5 * WORK) & (others[:, 0] < high + 0.5 * WORK)
    between = near & (others[:, 0] >= low) & (others[:, 2] <= high)
    little = between & ((others[:, 2:] - others[:, :2]).max(axis=1) < 0.6 * WORK)
    cut = low <= 1 or high >= parts.strokes.shape[1] - 1
    clean = not (near & ~little).any() and not cut
    return _Found(signs, parts, light, clean)


def _best_word(sheet: _Sheet, patch: NDArray[np.uint8]) -> _Found | None:
    """The word of a patch, dark or light, whichever has more signs and stands freer.

    The ground between dark letters looks like light strokes.  Where nothing is
    much lighter than the ground, print is dark, and the other way round.
    """
    low, usual, high = _quantiles(patch[sheet.core], (0.05, 0.5, 0.95))
    found = []
    for light in (False, True):
        mine, other = (high - usual, usual - low) if light else (usual - low, high - usual)
        if 2 * mine < other:
            continue
        parts = _parts(sheet, patch, light)
        if parts is not None:
            word = _word(sheet, parts, light)
            if word is not None:
                found.append(word)
    return max(found, key=lambda w: (len(w.boxes), w.clean, w.parts.contrast), default=None)


def _collect(sheet: _Sheet, box: Box, turn: int) -> Glyphs | None:
    words: list[Word] = []
    pictures: list[NDArray[np.float32]] = []
    sizes: list[tuple[float, float]] = []
    gaps: list[float] = []
    spaces: list[NDArray[np.uint8]] = []
    for patch, (col, row) in zip(sheet.patches, sheet.hexes, strict=True):
        found = _best_word(sheet, patch)
        if found is None:
            continue
        boxes = found.boxes
        top, bottom = np.median(boxes[:, [1, 3]], axis=0)
        middle = ((boxes[0, 0] + boxes[-1, 2]) - patch.shape[1]) / 2 / WORK
        words.append(
            Word(col, row, len(pictures), len(boxes), found.light, found.clean, float(middle))
        )
        before = boxes[0, 0]
        for left, high, right, low in boxes:
            pictures.append(_picture(found.parts.strokes, left, right, top, bottom))
            sizes.append(((right - left) / WORK, (low - high) / WORK))
            gaps.append((left - before) / WORK)
            spaces.append(_space(found.parts.strokes, before, left, (top + bottom) / 2))
            before = right
    if len(words) < _FEWEST:
        return None
    return Glyphs(
        tuple(words),
        np.stack(pictures),
        np.array(sizes)[:, 0],
        np.array(sizes)[:, 1],
        np.array(gaps),
        np.stack(spaces),
        box,
        turn,
        len(sheet.hexes),
    )


def _space(
    strokes: NDArray[np.float32], before: int, left: int, middle: float
) -> NDArray[np.uint8]:
    """What stands between two signs, off their soft edges."""
    space = np.zeros((SPACE, SPACE), np.uint8)
    first, last = before + 1, min(left - 1, before + SPACE - 1)
    if last <= first:
        return space
    top = round(middle) - SPACE // 2
    part = strokes[max(top, 0) : top + SPACE, first:last]
    y, x = max(-top, 0), (SPACE - (last - first)) // 2
    space[y : y + part.shape[0], x : x + part.shape[1]] = np.clip(255 * part, 0, 255)
    return space


def _picture(
    strokes: NDArray[np.float32], left: int, right: int, top: float, bottom: float
) -> NDArray[np.float32]:
    """A sign in the middle of a square cell, scaled by its height alone."""
    scale = TALL / max(bottom - top, 1.0)
    middle = ((left + right) / 2, (top + bottom) / 2)
    matrix = np.array(
        [
            [scale, 0, CELL / 2 - middle[0] * scale],
            [0, scale, CELL / 2 - middle[1] * scale],
        ]
    )
    own = strokes.copy()
    own[:, :left] = 0
    own[:, right:] = 0
    cell = cv2.warpAffine(own, matrix, (CELL, CELL), flags=cv2.INTER_LINEAR)
    return np.asarray(np.clip(cell, 0, 1), np.float32)
