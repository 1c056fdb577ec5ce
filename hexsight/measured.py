"""Pictures of answers that were measured: what stands on the map, for `hexsight.export`."""

from __future__ import annotations

import numpy as np
import shapely

from hexsight.export.picture_los import LosMark
from hexsight.export.picture_measured import BaseDrawing, MeasuredDrawing
from hexsight.los.explain import Answer
from hexsight.los.flames.answers import end_of, scene_under
from hexsight.los.flames.profile import MeasuredProfile
from hexsight.los.flames.scene import Scene, Stand
from hexsight.los.overlay import Overlay
from hexsight.los.words import headline
from hexsight.model.board import Board
from hexsight.model.errors import UsageError

_TOLD = frozenset({"opening", "loophole", "made-opening"})


def measured_drawing(
    board: Board, answer: Answer, profile: MeasuredProfile, overlay: Overlay | None
) -> MeasuredDrawing:
    """What to draw of a measured answer.

    Parameters
    ----------
    board : Board
    answer : Answer
        Of these rules and this overlay.
    profile : MeasuredProfile
    overlay : Overlay or None
    """
    scene = scene_under(board, profile, overlay)
    stands = dict(scene.stands)
    for name in (answer.from_name, answer.to_name):
        if name not in stands:
            stands[name] = end_of(scene, name)
    sides = sorted({stand.team.side or "" for stand in stands.values()})
    bases = tuple(_base(scene, stand, sides) for stand in stands.values())
    (ax, ay), (bx, by) = answer.notes["line_px"]
    return MeasuredDrawing(
        line=((ax, ay), (bx, by)),
        state=answer.state,
        bases=bases,
        discs=tuple((*d.at, profile.smoke.disc / 2 * scene.scale) for d in scene.discs),
        openings=tuple((_px(scene, g.ends[0]), _px(scene, g.ends[1])) for g in scene.gaps),
        outlines=tuple(
            tuple(_px(scene, p) for p in ring.coords)
            for house in scene.houses
            for ring in (house.shape.exterior, *house.shape.interiors)
        ),
        marks=tuple(
            LosMark(
                *r.pixel,
                "told" if r.code in _TOLD else "hinders" if r.hindrance else "blocks",
                "" if r.code in _TOLD else r.rule,
            )
            for r in answer.reasons
        ),
        caption=headline(answer),
        unit_px=scene.scale,
    )


def hex_of(board: Board, name: str, profile: MeasuredProfile, overlay: Overlay | None) -> str:
    """Name of the hex that a team or a point is in.

    Raises
    ------
    UsageError
        If it is in none.
    """
    at = end_of(scene_under(board, profile, overlay), name).team.at
    column, row = (int(v) for v in board.layout.pixel_to_hex(at))
    facts = board.by_offset.get((column, row))
    if facts is None:
        raise UsageError(f"{name} is in no hex of {board.name}, so its view cannot be drawn.")
    return facts.name


def _px(scene: Scene, at: tuple[float, float]) -> tuple[float, float]:
    return at[0] * scene.scale, at[1] * scene.scale


def _base(scene: Scene, stand: Stand, sides: list[str]) -> BaseDrawing:
    shape = stand.shape.buffer(max(stand.radius, 0.0 if stand.size[0] else 0.12))
    outline = shapely.get_coordinates(shape)[:-1]
    front = float((outline @ stand.facing).max())
    x, y = scene.to_map(*stand.team.at)
    reach = front - float(np.array([x, y]) @ stand.facing)
    ahead = (x + stand.facing[0] * reach, y + stand.facing[1] * reach)
    return BaseDrawing(
        stand.team.name,
        tuple(_px(scene, (float(a), float(b))) for a, b in outline),
        sides.index(stand.team.side or ""),
        _px(scene, (float(ahead[0]), float(ahead[1]))),
    )
