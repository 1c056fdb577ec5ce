"""The whole reading of a map picture: from pixels to a `Survey`.

Order matters: print goes first, then what has a shape of its own (bands along
hexsides, buildings, bars, symbols), then the colours of the ground, which are
filled in below everything that hides them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.extract.bars import Bars, draw_bars, find_bars
from hexsight.extract.buildings import Buildings, draw_buildings, find_buildings
from hexsight.extract.classify import NO_CLASS, Paint, label, see, without
from hexsight.extract.cleaning import Cleaned, clean, fill_from_around
from hexsight.extract.hexsides import SideBands, Sides, draw_bands, find_bands, sides_between
from hexsight.extract.legend import PRINT, Legend
from hexsight.extract.roads import find_roads
from hexsight.extract.roofless import Roofless, draw_roofless, find_roofless
from hexsight.extract.scatter import CRAGS, DEBRIS, Scatter, find_scatter
from hexsight.extract.symbols import Symbols, draw_symbols, find_symbols
from hexsight.model.board import Cell, Doubt, Provenance, Survey, hexside_name
from hexsight.model.layout import Layout
from hexsight.model.regions import small_regions
from hexsight.model.terrain import HEXSIDE_KINDS, load_catalogue

STONE, WOOD, FLOOR, BAR = 40, 50, 170, 172
_WINDOW = 0.05  # share of the hex size
# Widest gap that a bar may leave between two parts of a roof, in hex heights.
_BAR_GAP = 0.1
_ON_ROOF = 0.3  # share of roof in and around a symbol; the symbol itself may be half of it
_SPECK = 0.08  # hex sizes squared: smaller patches are no terrain
_ROOF_KINDS = frozenset({"building", "rubble", "roofless"})
# Drawn as a band along a hexside.  A cliff is a line where two levels meet, and read as ground.
_BAND_KINDS = HEXSIDE_KINDS - {"cliff"}
_HIDING_KINDS = _ROOF_KINDS | _BAND_KINDS | {"orchard", PRINT}


@dataclass(frozen=True)
class Reading:
    """Everything that the detectors found, for drawing and for looking at."""

    cleaned: Cleaned
    paint: Paint
    sides: Sides
    bands: tuple[SideBands, ...]
    buildings: Buildings
    bars: Bars
    roofless: Roofless
    symbols: Symbols
    scatter: Scatter


def survey_picture(
    rgb: NDArray[np.uint8],
    layout: Layout,
    cells: tuple[Cell, ...],
    *,
    legend: Legend,
    name: str,
    grid_line_px: float | None = None,
    building_types: Mapping[str, int] | None = None,
    provenance: Provenance | None = None,
    progress: Callable[[str, float], None] | None = None,
) -> Survey:
    """Read the terrain of a map from its picture.

    Parameters
    ----------
    rgb : (H, W, 3) uint8 ndarray
        Board picture.
    layout : Layout
        Lattice as drawn, within about a pixel.
    cells : tuple of Cell
        Hexes of the board.
    legend : Legend
        What colours mean.
    name : str
        Of the board.
    grid_line_px : float, optional
        Width of the printed grid lines; measured when absent.
    building_types : mapping of str to int, optional
        Terrain codes that the maker named for buildings, by hex.
    provenance : Provenance, optional
    progress : callable, optional
        Called with the name of a step and the share of the work done.

    Returns
    -------
    Survey
        Buildings carry the plain code of their material (``typed`` is False).
    """
    tell = progress or (lambda step, share: None)
    legend = legend.learn(rgb)
    tell("removing print", 0.0)
    cleaned = clean(rgb, layout, cells, line_px=grid_line_px)
    tell("reading colours", 0.15)
    paint = see(cleaned.rgb, legend, layout.dy)
    sides = sides_between(layout, cells)
    tell("walls and hedges", 0.25)
    bands = _bands(paint, layout, sides)
    tell("buildings", 0.35)
    taken = np.zeros(rgb.shape[:2], bool)
    for band in bands:
        taken |= band.mask
    buildings = find_buildings(paint, taken)
    tell("bars and symbols", 0.6)
    lightness = _lightness(rgb, paint)
    bars = find_bars(lightness, buildings.mask, sides, layout.dy)
    # Restoring a worn picture wipes out debris, which is what tells a floor from a roof.
    drawn = np.asarray(cv2.cvtColor(cleaned.rgb, cv2.COLOR_RGB2LAB), np.uint8)
    roofless = find_roofless(
        np.ascontiguousarray(drawn[..., 0]),
        buildings.mask,
        bars.mask,
        layout.dy,
        cleaned.names,
    )
    symbols = find_symbols(rgb, buildings.mask, layout.dy, noisy=paint.noisy, rings=False)
    buildings = replace(buildings, mask=_with_symbols(buildings.mask, symbols))
    scatter = find_scatter(paint, layout, cells, buildings.mask, taken, cleaned.rgb)
    reading = Reading(cleaned, paint, sides, bands, buildings, bars, roofless, symbols, scatter)
    tell("ground", 0.75)
    terrain, elevation, confidence = _compose(reading)
    tell("done", 1.0)
    return Survey(
        name=name,
        layout=layout,
        cells=cells,
        terrain=terrain,
        elevation_half=elevation,
        typed=False,
        building_types=dict(building_types or {}),
        # A cross stands on a church, whose steeple is reached by stairs.
        stairwells=tuple(
            sorted(symbols.of("square") + symbols.of("cross"), key=lambda m: (m.y_px, m.x_px))
        ),
        confidence=confidence,
        doubts=_doubts(reading, layout, cells),
        provenance=provenance or Provenance(),
        catalogue=legend.catalogue,
    )


def _with_symbols(mask: NDArray[np.bool_], symbols: Symbols) -> NDArray[np.bool_]:
    """Mask of the buildings with the white symbols that are printed on their roofs."""
    out = mask.copy()
    for symbol in symbols.symbols:
        if symbol.shape not in ("square", "round"):
            continue
        m = symbol.mark
        r = m.size_px / 2
        rows = slice(max(0, round(m.y_px - r)), round(m.y_px + r) + 1)
        cols = slice(max(0, round(m.x_px - r)), round(m.x_px + r) + 1)
        around = mask[
            max(0, rows.start - 2) : rows.stop + 2, max(0, cols.start - 2) : cols.stop + 2
        ]
        if around.size and around.mean() > _ON_ROOF:
            out[rows, cols] = True
    return out


def _lightness(rgb: NDArray[np.uint8], paint: Paint) -> NDArray[np.uint8]:
    """Lightness of the picture with its grid lines, smoothed where it is noisy."""
    lab = np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2LAB), np.uint8)
    plane = np.ascontiguousarray(lab[..., 0])
    if paint.noisy:
        sigma = max(0.8, 0.0125 * paint.hex_px)
        plane = np.asarray(cv2.GaussianBlur(plane, (0, 0), sigma), np.uint8)
    return plane


def _bands(paint: Paint, layout: Layout, sides: Sides) -> tuple[SideBands, ...]:
    """Walls and other bands of the legend, each looked for by its own colours."""
    found = []
    for code in sorted({c.code for c in paint.legend.classes if c.kind in _BAND_KINDS and c.code}):
        own = paint.of(code=code)
        classes, told = own, None
        if any(paint.legend.classes[k].name == "Wall" for k in own):
            # Masonry is drawn in the greys of roofs, with a few colours of its own.
            classes = np.concatenate([own, paint.of(kind="building"), paint.of(name="ink")])
            told = paint.evidence(own, _WINDOW)
        evidence = paint.evidence(classes, 0.04)
        found.append(find_bands(evidence, layout, sides, code, own=told))
    return tuple(found)


def _compose(
    reading: Reading,
) -> tuple[NDArray[np.uint8], NDArray[np.int8], NDArray[np.uint8]]:
    """Label raster, elevation and confidence from what was found."""
    paint, buildings = reading.paint, reading.buildings
    ground, elevation, confidence, hidden = _ground(reading)
    roads = find_roads(
        ground,
        load_catalogue(paint.legend.catalogue).table(kind="road"),
        hidden,
        buildings.mask,
        paint.hex_px,
    )
    terrain = ground.copy()
    terrain[roads.specks] = 0
    scatter = reading.scatter
    fill = np.where(scatter.owner >= 0, scatter.codes[scatter.owner], 0).astype(np.uint8)
    kinds = load_catalogue(paint.legend.catalogue)
    open_ground = kinds.table(kind="open")[terrain] | scatter.trees
    rubble = kinds.table(kind="rubble")[fill]
    strewn = (fill > 0) & (open_ground | rubble)
    terrain[strewn] = fill[strewn]
    sure = (255 * scatter.confidence).astype(np.uint8)
    confidence[strewn] = sure[scatter.owner[strewn]]
    # Rubble hides a road unless the road can be seen through it.
    on_road = (roads.codes > 0) & ~(rubble & hidden)
    terrain[on_road] = roads.codes[on_road]
    for band in reading.bands:
        terrain[band.mask] = band.code
        confidence[band.mask] = 200
    terrain[buildings.mask] = np.where(buildings.wood[buildings.mask], WOOD, STONE)
    confidence[buildings.mask] = buildings.score[buildings.mask]
    terrain[reading.roofless.mask & ~buildings.wood] = FLOOR
    # Bars are drawn to the end of their hexside, which may lie beyond the outer wall; but
    # where black ink parts a roof, the bar belongs to the building that it parts.
    k = 2 * round(_BAR_GAP * paint.hex_px) + 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (k, k))
    whole = cv2.morphologyEx(buildings.mask.astype(np.uint8), cv2.MORPH_CLOSE, kernel) > 0
    terrain[reading.bars.mask & whole] = BAR
    return terrain, elevation, confidence


def _ground(
    reading: Reading,
) -> tuple[NDArray[np.uint8], NDArray[np.int8], NDArray[np.uint8], NDArray[np.bool_]]:
    """Codes, elevation and confidence of the ground, and where it was not seen but filled in."""
    paint, buildings = reading.paint, reading.buildings
    classes = paint.legend.classes
    labels = label(paint, np.arange(len(classes)), _WINDOW)
    best, confidence = labels.best, labels.confidence.copy()
    pad = [0] * (256 - len(classes))
    roof = np.array([c.kind in _ROOF_KINDS or c.code == DEBRIS for c in classes] + pad, bool)
    # Colours of roofs where no building stands: the ground's own classes are asked again.
    again = roof[best] & ~buildings.mask
    if again.any():
        hidden = np.flatnonzero(roof[: len(classes)])
        others = np.flatnonzero(~roof[: len(classes)])
        second = label(paint, others, _WINDOW, without(paint, hidden))
        clear = again & (second.confidence > 100)
        best = np.where(clear, second.best, best).astype(np.uint8)
        confidence[clear] = second.confidence[clear] // 2
    strewn = frozenset({DEBRIS, CRAGS})
    hides = [c.kind in _HIDING_KINDS or c.code in strewn for c in classes]
    unseen = np.array(hides + pad, bool)
    unseen[NO_CLASS] = True
    unknown = unseen[best] | buildings.mask | reading.scatter.trees
    for band in reading.bands:
        unknown |= band.mask
    codes = np.array([c.code or 0 for c in classes] + pad, np.uint8)
    # Specks go before anything is filled in: the black middle of a crater must not grow.
    # Roads are left alone, which craters cut into short pieces.
    road = np.array([c.kind == "road" for c in classes] + pad, bool)
    art = np.where(unknown | road[best], 0, codes[best]).astype(np.uint8)
    unknown |= _specks(art, paint.hex_px)
    best = fill_from_around(best, unknown)
    confidence[unknown] = 128
    half = np.array([c.half or 0 for c in classes] + pad, np.int8)
    knows = np.array([c.half is not None for c in classes] + pad, bool)
    ground = np.array([c.kind == "open" and c.half is not None for c in classes] + pad, bool)
    elevation = half[best]
    if ground[best].any():
        # What stands on the ground has the ground's level; water and gullies have their own.
        told = fill_from_around(elevation.view(np.uint8), ~ground[best] | unknown)
        elevation = np.where(knows[best] & ~unknown, elevation, told.view(np.int8))
    return codes[best], elevation, confidence, unknown


def _specks(ground: NDArray[np.uint8], s: float) -> NDArray[np.bool_]:
    """Pixels of patches too small to be terrain, such as the middle of a crater."""
    out = np.zeros(ground.shape, bool)
    for code in np.unique(ground):
        if code == 0:
            continue
        mask = (ground == code).astype(np.uint8)
        x, y, w, h = cv2.boundingRect(mask)
        at = (slice(y, y + h), slice(x, x + w))
        out[at] |= small_regions(mask[at], _SPECK * s * s, connectivity=8)
    return out


def _doubts(reading: Reading, layout: Layout, cells: tuple[Cell, ...]) -> tuple[Doubt, ...]:
    """What a person should look at, each with the override that would settle it."""
    names = {(c.col, c.row): c.name for c in cells}

    def hex_at(x: float, y: float) -> str:
        col, row = (int(v) for v in layout.pixel_to_hex([x, y]))
        return names.get((col, row), "")

    out: list[Doubt] = []
    for bar in reading.bars.doubtful + tuple(b for b in reading.bars.bars if b.confidence < 0.5):
        cell = cells[int(reading.sides.cells[bar.side, 0])]
        where = hexside_name(names, (cell.col, cell.row), int(reading.sides.direction[bar.side]))
        x, y = reading.sides.ends[bar.side].mean(axis=0)
        taken = bar in reading.bars.bars
        wanted = "none" if taken else "full"
        out.append(
            Doubt(
                "bar-uncertain",
                where,
                round(float(x), 1),
                round(float(y), 1),
                bar.confidence,
                f"A dark stroke was {'' if taken else 'not '}taken for a bar.",
                f"hexsides: {{{where}: {{bar: {wanted}}}}}",
            )
        )
    for stray in reading.bars.strays:
        where = hex_at(stray.x_px, stray.y_px)
        out.append(
            Doubt(
                "bar-off-hexside",
                where,
                stray.x_px,
                stray.y_px,
                0.5,
                "A stroke as thick as a bar lies on no hexside.",
            )
        )
    for candidate in reading.buildings.candidates:
        if 0.2 < candidate.score < 0.8:
            x = candidate.box[0] + candidate.box[2] / 2
            y = candidate.box[1] + candidate.box[3] / 2
            where = hex_at(x, y)
            seen = candidate.score > 0.5
            out.append(
                Doubt(
                    "building-uncertain",
                    where,
                    x,
                    y,
                    round(max(candidate.score, 1 - candidate.score), 2),
                    "Taken for a building." if seen else "Not taken for a building.",
                    f"hexes: {{{where}: {{building: none}}}}" if seen and where else "",
                )
            )
    return tuple(out)


def draw_reading(rgb: NDArray[np.uint8], result: Reading) -> NDArray[np.uint8]:
    """Picture with all that was found: see the drawing functions of the detectors."""
    out = draw_buildings(rgb, result.buildings)
    for band in result.bands:
        out = draw_bands(out, band)
    out = draw_roofless(out, result.roofless)
    out = draw_bars(out, result.bars, result.sides)
    return draw_symbols(out, result.symbols)
