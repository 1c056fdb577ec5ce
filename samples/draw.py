"""Draw a board: picture, label raster and truth from one set of data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .building_art import paint_bars, paint_building, paint_stairwells
from .canvas import U8, Canvas
from .facts import HexRaster, building_facts, slope_facts
from .ornaments import paint_ornaments
from .patches import AREAS, paint_patches
from .printing import print_dots, print_frame, print_grid, print_labels, print_rings
from .registry import board_spec
from .relief_art import paint_fences, paint_slopes, paint_streams, paint_washes
from .spec import BoardSpec
from .terrain_art import paint_ground, paint_hexside_features, paint_roads
from .truth import board_truth


@dataclass(frozen=True)
class Sample:
    """A drawn board.

    Attributes
    ----------
    name : str
        Name of the board.
    picture : ndarray
        (H, W, 3) uint8 RGB.
    terrain : ndarray
        (H, W) uint8 terrain codes of what was drawn (`hexsight.samples.codes`).
    truth : dict
        What was drawn, ready for JSON; described in ``samples/README.md``.
    spec : BoardSpec
        The data it was drawn from.
    """

    name: str
    picture: U8
    terrain: U8
    truth: dict[str, Any]
    spec: BoardSpec


def draw_board(name: str) -> Sample:
    """Draw a board of the registry.

    The same name gives the same bytes every time.

    Parameters
    ----------
    name : str
        One of `board_names`.

    Raises
    ------
    hexsight.model.errors.UsageError
        When there is no such board.
    """
    return draw_spec(board_spec(name))


def draw_spec(spec: BoardSpec) -> Sample:
    """Draw a board from its data."""
    raster = HexRaster.of(spec)
    by_name = {spec.layout.name(h): h for h in raster.hexes}
    facts = [building_facts(spec, b, raster, by_name) for b in spec.buildings]
    slopes = slope_facts(spec, by_name)
    canvas = Canvas.blank(*spec.size_px, spec.palette.ground)
    paint_ground(canvas, spec)
    paint_washes(canvas, spec, by_name)
    for area in spec.areas:
        AREAS[area.kind](canvas, spec, area)
    paint_slopes(canvas, spec, slopes)
    paint_streams(canvas, spec, by_name)
    paint_roads(canvas, spec)
    paint_patches(canvas, spec, by_name)
    paint_hexside_features(canvas, spec, by_name)
    paint_fences(canvas, spec, by_name)
    for fact in facts:
        paint_building(canvas, spec, fact)
    print_grid(canvas, spec)
    for fact in facts:
        paint_bars(canvas, spec, fact)
    print_rings(canvas, spec)
    if spec.dots:
        print_dots(canvas, spec)
    for fact in facts:
        paint_stairwells(canvas, spec, fact.spec, by_name)
    print_labels(canvas, spec)
    print_frame(canvas, spec)
    paint_ornaments(canvas, spec)
    truth = board_truth(spec, raster, facts, by_name, canvas.labels, slopes)
    return Sample(spec.name, canvas.rgb, canvas.labels, truth, spec)
