"""Questions by name on a board, answered as all rule sets answer."""

from __future__ import annotations

import math
import re
from typing import Any, NoReturn

from hexsight.los.explain import Answer, ClassAnswer, ReasonAt
from hexsight.los.flames.ports import LOOPHOLE, OPENING, Port
from hexsight.los.flames.profile import OBSERVERS, MeasuredProfile
from hexsight.los.flames.scene import Scene, Stand, scene_of
from hexsight.los.flames.sight import Sight, look
from hexsight.los.flames.state import Team
from hexsight.los.overlay import Overlay
from hexsight.los.rules.registry import (
    MEASURED_LOOPHOLE,
    MEASURED_MADE,
    MEASURED_OPENING,
    REASONS,
)
from hexsight.los.viewshed import Seen, Viewshed
from hexsight.model.board import Board
from hexsight.model.errors import UsageError
from hexsight.model.layout import hex_distance

_POINT = re.compile(r"\s*(-?\d{1,7}(?:\.\d{1,6})?)\s*,\s*(-?\d{1,7}(?:\.\d{1,6})?)\s*")


def scene_under(board: Board, profile: MeasuredProfile, overlay: Overlay | None) -> Scene:
    """The board with what an overlay puts on it; what `scene_of` raises."""
    if overlay is None:
        return scene_of(board, profile)
    return scene_of(board, profile, overlay.teams, overlay.discs)


def end_of(scene: Scene, name: str) -> Stand:
    """What a name means: a team, a point ``x,y`` in board pixels, or the middle of a hex.

    A point is infantry without a base.

    Raises
    ------
    UsageError
        If it means nothing.
    """
    if name in scene.stands:
        return scene.stands[name]
    board = scene.board
    assert board is not None
    found = _POINT.fullmatch(name)
    if found is not None:
        x, y = float(found[1]), float(found[2])
        width, height = board.size_px
        if not (-0.5 <= x <= width - 0.5 and -0.5 <= y <= height - 0.5):
            raise UsageError(
                f"The point {name} is not on {board.name}, which is {width} × {height} pixels."
            )
        return scene.stand(Team(name, (x, y), base=0.0))
    facts = board.by_name.get(name) or board.by_name.get(name.strip().upper())
    if facts is None:
        scene.named(name)
    assert facts is not None
    return scene.stand(Team(facts.name, (facts.x_px, facts.y_px), base=0.0))


def ask(
    board: Board,
    a: str,
    b: str,
    profile: MeasuredProfile,
    overlay: Overlay | None = None,
    observer: str | None = None,
    *,
    side: str | None = None,
) -> Answer:
    """Line of sight between two teams, points or hex middles, with reasons.

    Parameters
    ----------
    board : Board
    a, b : str
        Names of teams of the overlay, points ``x,y`` in board pixels, or hexes.
    profile : MeasuredProfile
    overlay : Overlay, optional
    observer : str, optional
        ``shooting`` or ``defensive-fire``; the first without.
    side : str, optional
        Of no account: teams have sides.

    Returns
    -------
    Answer
        Behind smoke the state is ``hindered`` by what the shot is harder; ``notes``
        hold ``distance_in``, ``concealed``, ``gone_to_ground`` and ``line_px``.

    Raises
    ------
    UsageError
        If a name means nothing, or the overlay is wrong.
    """
    if observer is not None and observer not in OBSERVERS:
        raise UsageError(
            f"The rules {profile.name} have no observer {observer!r}. Use {', '.join(OBSERVERS)}."
        )
    scene = scene_under(board, profile, overlay)
    viewer, target = end_of(scene, a), end_of(scene, b)
    if a == b:
        raise UsageError(f"{a} cannot look at itself. Name another team or point.")
    sight = look(scene, viewer, target, defensive=observer == OBSERVERS[1])
    return answer_of(scene, viewer.team.name, target.team.name, sight, observer or OBSERVERS[0])


def answer_of(scene: Scene, a: str, b: str, sight: Sight, observer: str) -> Answer:
    """A sight in the words of all rule sets."""
    smoke = scene.profile.smoke
    steps = {
        OBSERVERS[0]: smoke.concealed + smoke.gone_to_ground,
        OBSERVERS[1]: smoke.concealed,
    }

    def of_class(name: str) -> ClassAnswer:
        if not sight.seen:
            return ClassAnswer("blocked")
        return ClassAnswer("hindered", steps[name]) if sight.concealed else ClassAnswer("clear")

    own = of_class(observer)
    notes: dict[str, Any] = {
        "distance_in": round(sight.distance, 2),
        "concealed": sight.concealed,
        "gone_to_ground": sight.gone_to_ground,
        "line_px": [list(scene.to_px(p)) for p in sight.line],
    }
    reasons = []
    for cause in sight.causes:
        reasons.append(_reason(scene, cause.code, cause.at, own.hindrance))
    for port in (sight.out_of, sight.into):
        if port is not None:
            x, y = port.middle.tolist()
            reasons.append(_reason(scene, _told(port), (x, y)))
    return Answer(
        from_name=a,
        to_name=b,
        state=own.state,
        hindrance=own.hindrance,
        hindrance_by_hex={},
        tem=None,
        range=math.ceil(round(sight.distance, 6)),
        reasons=tuple(reasons),
        observer=observer,
        by_class={name: of_class(name) for name in OBSERVERS},
        notes=notes,
    )


def _told(port: Port) -> int:
    return {OPENING: MEASURED_OPENING, LOOPHOLE: MEASURED_LOOPHOLE}.get(port.kind, MEASURED_MADE)


def _reason(scene: Scene, code: int, at: tuple[float, float], hindrance: int = 0) -> ReasonAt:
    reason = REASONS[code]
    return ReasonAt(reason.code, reason.rule, reason.text, scene.to_px(at), hindrance=hindrance)


def seen_from(
    board: Board,
    a: str,
    profile: MeasuredProfile,
    overlay: Overlay | None = None,
    observer: str | None = None,
    *,
    side: str | None = None,
) -> Viewshed:
    """What one team or point sees: every other team, and the middle of every hex."""
    if observer is not None and observer not in OBSERVERS:
        raise UsageError(
            f"The rules {profile.name} have no observer {observer!r}. Use {', '.join(OBSERVERS)}."
        )
    scene = scene_under(board, profile, overlay)
    viewer = end_of(scene, a)
    column, row = (int(v) for v in board.layout.pixel_to_hex(viewer.team.at))
    seen = []
    targets = [s for name, s in scene.stands.items() if s is not viewer]
    targets += [end_of(scene, facts.name) for facts in board.hexes if facts.name != a]
    for target in targets:
        sight = look(scene, viewer, target, defensive=observer == OBSERVERS[1])
        answer = answer_of(scene, a, target.team.name, sight, observer or OBSERVERS[0])
        there = tuple(int(v) for v in board.layout.pixel_to_hex(target.team.at))
        facts = board.by_offset.get((there[0], there[1]))
        first = REASONS[sight.causes[0].code] if sight.causes and not sight.seen else None
        seen.append(
            Seen(
                name=target.team.name,
                hex=facts.name if facts is not None else "",
                kind="ground" if target.team.name in board.by_name else "team",
                level=0,
                state=answer.state,
                hindrance=answer.hindrance,
                range=hex_distance((column, row), (there[0], there[1])),
                code=first.code if first else None,
                rule=first.rule if first else None,
            )
        )
    return Viewshed(viewer.team.name, tuple(seen), observer or OBSERVERS[0])


def table_of(board: Board, profile: MeasuredProfile, *_: Any, **__: Any) -> NoReturn:
    """Refused: lines that are measured have no Locations to list.

    Raises
    ------
    UsageError
        Always.
    """
    raise UsageError(
        f"The rules {profile.name} measure from base to base and have no table. "
        "Ask lines one by one with hexsight los."
    )
