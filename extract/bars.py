"""Black bars: rowhouse walls (B23.71) and Interior Factory Walls (O5.3).

A bar is a stroke as black as anything in the building, about a tenth of a hex
wide and of even width, that runs along a hexside inside a building and stops
at a vertex or at the outline.  Grid lines are thinner, shadows wider or uneven,
roof art ends anywhere, names and circles are not straight.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.extract.classify import disc
from hexsight.extract.hexsides import Sides, profiles
from hexsight.model.regions import regions_of

# Lengths are shares of the flat-to-flat size of a hex, along a hexside shares of its length.
_WIDTHS = (0.055, 0.19)
_REACH = 0.085  # how far beside the hexside its middle may be drawn
_WOBBLE = 0.025  # how far the middle may vary along one bar
_FLANK = 0.12
_SCAN = 0.25
_STEP = 0.01
_SAMPLES = 41
_BLACK = 0.28  # between the darkest tone of roofs and their median
_LEAST = 0.38  # covered share of a hexside, when both ends make sense
_LEAST_ACROSS, _ACROSS = 0.34, 0.53  # when it covers most of what lies in the building
_LEAST_RULED = 0.41  # when one end does and the stroke is even
_LEAST_LOOSE = 0.62  # when an end lies nowhere in particular
_END = 0.12  # tolerance of an end at a vertex, along the hexside
_EDGE = 0.22  # and at the outline of the building, which is found a little too wide
_RULED = 0.0225  # mean change of width and middle along a stroke drawn with a ruler
_STRAY_LENGTH = 0.3
_CLEAR, _BESIDE = 0.11, 0.55  # between these distances strokes beside a bar are looked for
_CLEAR_PX = 1.5  # by which a worn bar must be wider than a printed line
_CORE = 0.4  # share of its width that is black even where its rims are worn
_OVERPRINT = 2.0  # in widths of the line: how far one printed over a bar may lighten it
_SEEN = 0.6  # least share of an overprinted bar's width that is still black
_DARK_GAP = 0.4  # longest gap of a bar, as a share of the hexside, where dark art blurs its rims


@dataclass(frozen=True)
class Bar:
    """A bar on a hexside.

    Attributes
    ----------
    side : int
        Position in `Sides`.
    interval : (float, float)
        Covered part, 0 at the hexside's first end, 1 at its last.
    width_px, shift_px : float
        Width, and how far its middle lies to the right of the hexside.
    confidence : float
    """

    side: int
    interval: tuple[float, float]
    width_px: float
    shift_px: float
    confidence: float


@dataclass(frozen=True)
class Stray:
    """A stroke that looks like a bar and fits no hexside; middle, length and turn of it."""

    x_px: float
    y_px: float
    length_px: float
    angle_deg: float


@dataclass(frozen=True)
class Bars:
    """All bars of a board.

    Attributes
    ----------
    bars : tuple of Bar
        In the order of the hexsides.
    doubtful : tuple of Bar
        Almost taken for bars.
    strays : tuple of Stray
    mask : (H, W) bool
        Pixels of the bars, snapped to their hexsides.
    share : (n,) float32
        Of each hexside that looks like a bar.
    black : float
        Lightness, 0 to 255, up to which a pixel counted as black.
    """

    bars: tuple[Bar, ...]
    doubtful: tuple[Bar, ...]
    strays: tuple[Stray, ...]
    mask: NDArray[np.bool_]
    share: NDArray[np.float32]
    black: float


def find_bars(
    lightness: NDArray[np.uint8],
    buildings: NDArray[np.bool_],
    sides: Sides,
    hex_px: float,
) -> Bars:
    """Find the bars.

    Parameters
    ----------
    lightness : (H, W) uint8 ndarray
        CIELAB lightness 0–255 of the picture with its grid lines (a bar covers
        its line).
    buildings : (H, W) bool ndarray
        Pixels inside a depiction.
    sides : Sides
        All hexsides.
    hex_px : float
        Flat-to-flat size of a hex.
    """
    shape = lightness.shape
    nothing = np.zeros(len(sides.ends), np.float32)
    if not buildings.any() or not len(sides.ends):
        return Bars((), (), (), np.zeros(shape, bool), nothing, 0.0)
    low, middle = np.percentile(lightness[buildings], [1, 50])
    black = float(low + _BLACK * (middle - low))
    grown = np.asarray(cv2.dilate(buildings.astype(np.uint8), disc(0.1 * hex_px)), np.uint8)
    along = (np.arange(_SAMPLES) + 0.5) / _SAMPLES
    # A bar has roof on both sides; an outline that falls on a hexside has not.
    beside = np.array([-_FLANK, 0.0, _FLANK]) * hex_px
    inside = profiles(grown, sides.ends, along, beside).min(axis=2) > 0
    share = nothing.copy()
    ink = _Ink(black, float(middle), *_printed_line(lightness, sides, inside, hex_px))
    taken: list[Bar] = []
    doubtful: dict[int, Bar] = {}
    for i in np.flatnonzero(inside.mean(axis=1) >= 0.5 * _LEAST):
        # The lattice may be printed over a bar and part it into two thin strokes.  Only where
        # no bar is seen as it is, since joining also ties bars to dark art beside them; and
        # a line as black as bars parts none.
        for joined in (False, True) if ink.line > black else (False,):
            seen = _scan(lightness, sides.ends[i], inside[i], hex_px, ink, joined=joined)
            if seen is None:
                continue
            bar, limit = _judged(int(i), seen, inside[i], hex_px)
            covered = float(seen[0].mean())
            if covered < _LEAST_LOOSE and _repeated(
                lightness, buildings, sides, bar, black, hex_px
            ):
                limit = _LEAST_LOOSE
            certain = float(np.clip((covered - limit) / 0.25 + 0.5, 0.0, 1.0))
            bar = replace(bar, confidence=round(certain, 3))
            share[i] = max(share[i], covered)
            if covered >= limit:
                taken.append(bar)
                doubtful.pop(int(i), None)
                break
            if covered >= limit - 0.1:
                doubtful.setdefault(int(i), bar)
    mask = _paint(shape, taken, sides)
    strays = _strays(lightness <= black, buildings, mask, hex_px)
    return Bars(tuple(taken), tuple(doubtful.values()), strays, mask, share, black)


def _judged(side: int, seen: _Seen, inside: NDArray[np.bool_], hex_px: float) -> tuple[Bar, float]:
    """Bar that a stroke makes, and how much of the hexside it must cover to be one."""
    cover, width, shift, wobble, through = seen
    start, end = _interval(cover, through)
    ends = int(_sound_end(start, inside, 0)) + int(_sound_end(end, inside, 1))
    # A bar that stops in the middle of nowhere must at least be drawn as with a ruler.
    ruled = ends == 1 and wobble <= _RULED
    limit = _LEAST if ends == 2 else _LEAST_RULED if ruled else _LEAST_LOOSE
    if ends == 2 and cover.mean() >= _ACROSS * inside.mean():
        limit = _LEAST_ACROSS
    return Bar(side, (start, end), width * hex_px, shift * hex_px, 0.0), limit


# What `_scan` gives: see there.
_Seen = tuple[NDArray[np.bool_], float, float, float, NDArray[np.bool_]]


@dataclass(frozen=True)
class _Ink:
    """How dark a bar is at least, a usual roof; how wide (px) and dark a printed line looks."""

    black: float
    roof: float
    line_px: float
    line: float


def _printed_line(
    lightness: NDArray[np.uint8], sides: Sides, inside: NDArray[np.bool_], s: float
) -> tuple[float, float]:
    """Width at half their depth, and tone, of the printed lines where no building stands.

    Zeros without any.
    """
    plain = np.flatnonzero(~inside.any(axis=1))
    plain = plain[:: max(1, len(plain) // 400)]
    if not len(plain):
        return 0.0, 0.0
    reach = max(3, round(_FLANK * s))
    across = np.arange(-reach, reach + 1, dtype=np.float64)
    found = profiles(lightness, sides.ends[plain], np.linspace(0.3, 0.7, 9), across)
    rows = found.reshape(-1, len(across)).astype(np.float32)
    rows = rows[rows.min(axis=1) > 0]
    if not len(rows):
        return 0.0, 0.0
    around = np.median(rows, axis=1)
    place = rows[:, reach - 2 : reach + 3].argmin(axis=1) + reach - 2
    deep = rows[np.arange(len(rows)), place]
    dark = rows <= ((deep + around) / 2)[:, None]
    before, after = _runs(dark)
    width = (after - before - 1)[np.arange(len(rows)), place]
    line = deep < 0.7 * around
    if line.mean() <= 0.3:
        return 0.0, 0.0
    return float(np.median(width[line])), float(np.median(deep[line]))


def _runs(dark: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Last light place before, first after each place of the rows (n, m)."""
    count = dark.shape[1]
    place = np.arange(count)
    before = np.maximum.accumulate(np.where(~dark, place, -1), axis=1)
    after = np.minimum.accumulate(np.where(~dark, place, count)[:, ::-1], axis=1)[:, ::-1]
    return before, after


def _scan(
    lightness: NDArray[np.uint8],
    ends: NDArray[np.float64],
    inside: NDArray[np.bool_],
    s: float,
    ink: _Ink,
    *,
    joined: bool = False,
) -> _Seen | None:
    """Best stroke of a hexside, with `joined` of those that a printed line parts.

    Covered samples; width, shift, unevenness (hex sizes); samples that are dark in the
    stroke's middle, however wide.
    """
    along = (np.arange(_SAMPLES) + 0.5) / _SAMPLES
    reach = round(_SCAN / _STEP)
    across = np.linspace(-reach * _STEP, reach * _STEP, 2 * reach + 1)
    tones = profiles(lightness, ends[None], along, across * s)[0]
    black = tones <= ink.black
    solid = _joined(black, ink.line_px / s) if joined else black
    if solid is None:
        return None
    strokes = [_strokes(solid, black, inside, _WIDTHS[0], _SEEN)]
    # A worn picture eats a bar's rims between light roofs: there its width is that at half
    # its depth, and it must be wider than the printed line, which blurs as well.
    around = float(np.median(tones[inside])) if inside.any() else 0.0
    if around >= ink.roof and not joined:
        half = (ink.black + around) / 2
        least = max(_WIDTHS[0], (ink.line_px + _CLEAR_PX) / s)
        strokes.append(_strokes(tones <= half, black, inside, least))
    best, found = 0.0, None
    for shift in np.arange(-_REACH, _REACH + 1e-6, 0.015):
        hits = [good & (np.abs(middle - shift) <= _WOBBLE) for good, _, middle in strokes]
        cover = np.any([hit.any(axis=1) for hit in hits], axis=0)
        value = float(cover.mean()) - 0.3 * abs(float(shift))
        if value > best:
            best = value
            # The true rims where they are seen, else the halfway ones.
            k = 0 if hits[0].any(axis=1).mean() >= 0.5 * cover.mean() else len(hits) - 1
            wide, at = strokes[k][1][hits[k]], strokes[k][2][hits[k]]
            uneven = float(
                np.abs(wide - np.median(wide)).mean() + np.abs(at - np.median(at)).mean()
            )
            column = reach + round(float(np.median(at)) / _STEP)
            through = solid[:, max(0, column - 1) : column + 2].any(axis=1) & inside
            found = (cover, float(np.median(wide)), float(np.median(at)), uneven, through)
    return found


def _joined(black: NDArray[np.bool_], line: float) -> NDArray[np.bool_] | None:
    """Profiles on which black on both sides of a printed line (width in hex sizes) is one run.

    None where there is no such place.  The line is looked for where the lattice is, within
    its own width, since that is how far a fitted lattice may be off.
    """
    if line <= 0:
        return None
    before, after = _runs(~black)
    centre = black.shape[1] // 2
    near = max(1, round(line / _STEP))
    at = slice(centre - near, centre + near + 1)
    width = (after - before - 1)[:, at]
    narrow = ~black[:, at] & (width <= _OVERPRINT * line / _STEP) & (width > 0)
    narrow &= (before[:, at] >= 0) & (after[:, at] < black.shape[1])
    if not narrow.any():
        return None
    out = black.copy()
    for row in np.flatnonzero(narrow.any(axis=1)):
        for place in np.flatnonzero(narrow[row]) + centre - near:
            out[row, before[row, place] + 1 : after[row, place]] = True
    return out


def _strokes(
    dark: NDArray[np.bool_],
    black: NDArray[np.bool_],
    inside: NDArray[np.bool_],
    least: float,
    blackest: float = _CORE,
) -> tuple[NDArray[np.bool_], NDArray[np.float64], NDArray[np.float64]]:
    """Places in strokes of a bar's width; width and middle (hex sizes) of the run at each place."""
    before, after = _runs(dark)
    count = dark.shape[1]
    width = np.where(dark, (after - before - 1) * _STEP, 0.0)
    middle = ((after + before) / 2 - count // 2) * _STEP
    good = (width >= least) & (width <= _WIDTHS[1]) & (np.abs(middle) <= _REACH)
    good &= inside[:, None]
    if dark is not black:
        seen = np.concatenate([np.zeros((len(black), 1), int), np.cumsum(black, axis=1)], axis=1)
        rows = np.arange(len(black))[:, None]
        core = (seen[rows, after] - seen[rows, before + 1]) * _STEP
        good &= core >= blackest * width
    return good, width, middle


def _repeated(
    lightness: NDArray[np.uint8],
    buildings: NDArray[np.bool_],
    sides: Sides,
    bar: Bar,
    black: float,
    s: float,
) -> bool:
    """Whether strokes like it run beside a stroke: louvers of a roof, ties of a railway."""
    first, last = bar.interval
    along = np.linspace(first, last, 15)
    across = np.arange(-_BESIDE, _BESIDE + _STEP / 2, _STEP)
    ends = sides.ends[bar.side][None]
    dark = profiles(lightness, ends, along, across * s)[0] <= black
    dark &= profiles(buildings.view(np.uint8), ends, along, across * s)[0] > 0
    width = bar.width_px / s
    dark[:, np.abs(across - bar.shift_px / s) < _CLEAR] = False
    column = np.concatenate([[0], dark.mean(axis=0) > 0.6, [0]]).astype(np.int8)
    edges = np.flatnonzero(np.diff(column)).reshape(-1, 2)
    widths = (edges[:, 1] - edges[:, 0]) * _STEP
    alike = (widths >= 0.5 * width) & (widths <= 1.7 * width)
    return int(alike.sum()) >= 2


def _interval(cover: NDArray[np.bool_], through: NDArray[np.bool_]) -> tuple[float, float]:
    """Longest covered part; gaps of up to three samples, and longer dark ones, closed."""
    places = np.flatnonzero(cover)
    parted = [
        i + 1
        for i, (a, b) in enumerate(itertools.pairwise(places.tolist()))
        if b - a > 4 and not (b - a <= _DARK_GAP * _SAMPLES and through[a : b + 1].mean() > 0.7)
    ]
    groups = np.split(places, parted)
    longest = max(groups, key=len)
    start, end = longest[0] / _SAMPLES, (longest[-1] + 1) / _SAMPLES
    return (
        0.0 if start < 0.08 else round(float(start), 3),
        1.0 if end > 0.92 else round(float(end), 3),
    )


def _sound_end(place: float, inside: NDArray[np.bool_], last: int) -> bool:
    """True where a bar ends at a vertex, or where the building ends."""
    if (place > 1 - _END) if last else (place < _END):
        return True
    beyond = place + (_EDGE if last else -_EDGE)
    return not inside[int(np.clip(beyond * _SAMPLES, 0, _SAMPLES - 1))]


def _paint(shape: tuple[int, ...], bars: list[Bar], sides: Sides) -> NDArray[np.bool_]:
    """Pixels of bars, widened so that they cover the hexside that they stand on."""
    mask = np.zeros(shape, np.uint8)
    for bar in bars:
        a, b = sides.ends[bar.side]
        step = b - a
        unit = step / max(float(np.linalg.norm(step)), 1e-9)
        normal = np.array([-unit[1], unit[0]])
        half = bar.width_px / 2
        low, high = min(bar.shift_px - half, -1.0), max(bar.shift_px + half, 1.0)
        p, q = a + bar.interval[0] * step, a + bar.interval[1] * step
        ring = np.stack([p + low * normal, q + low * normal, q + high * normal, p + high * normal])
        cv2.fillPoly(mask, [np.rint(ring * 16).astype(np.int32)], 1, cv2.LINE_8, 4)
    return mask > 0


def _strays(
    dark: NDArray[np.bool_],
    buildings: NDArray[np.bool_],
    mask: NDArray[np.bool_],
    s: float,
) -> tuple[Stray, ...]:
    """Straight strokes of a bar's width inside buildings, away from the bars."""
    near = cv2.dilate(mask.astype(np.uint8), disc(0.2 * s)) > 0
    inner = cv2.erode(buildings.astype(np.uint8), disc(0.16 * s)) > 0
    thick = cv2.morphologyEx((dark & buildings).astype(np.uint8), cv2.MORPH_OPEN, disc(0.07 * s))
    found = []
    for region in regions_of(thick, connectivity=8):
        if np.hypot(region.width, region.height) < _STRAY_LENGTH * s:
            continue
        at, pixels = region.window(), region.pixels()
        if near[at][pixels].any():
            continue
        if inner[at][pixels].mean() < 0.8:
            continue
        points = np.argwhere(pixels)[:, ::-1].astype(np.float32)
        (cx, cy), sizes, angle = cv2.minAreaRect(points)
        length, width = max(sizes) + 1, min(sizes) + 1
        if length < _STRAY_LENGTH * s or not _WIDTHS[0] * s <= width <= _WIDTHS[1] * s:
            continue
        if region.area > 0.8 * length * width:
            turn = angle if sizes[0] >= sizes[1] else angle + 90
            x, y = round(region.left + cx, 1), round(region.top + cy, 1)
            found.append(Stray(x, y, round(length, 1), round(turn % 180, 1)))
    return tuple(found)


def draw_bars(rgb: NDArray[np.uint8], result: Bars, sides: Sides) -> NDArray[np.uint8]:
    """Picture with bars in red, doubtful ones in orange, strays in magenta."""
    out = rgb.copy()
    out[result.mask] = (255, 0, 0)
    for bar in result.doubtful:
        a, b = sides.ends[bar.side]
        p, q = (a + t * (b - a) for t in bar.interval)
        cv2.line(
            out,
            tuple(np.rint(p).astype(int).tolist()),
            tuple(np.rint(q).astype(int).tolist()),
            (255, 160, 0),
            2,
        )
    for stray in result.strays:
        cv2.circle(out, (round(stray.x_px), round(stray.y_px)), 6, (255, 0, 255), 2)
    return out
