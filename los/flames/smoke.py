"""Smoke screens: where hits put their discs, and at whom smoke may be fired.

Dice for hits are thrown by the players; the number of hits is passed in.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from hexsight.los.flames.scene import Scene, Stand
from hexsight.los.flames.sight import look
from hexsight.los.flames.state import Disc, SmokeHit
from hexsight.model.errors import UsageError


def screen_discs(scene: Scene, hit: SmokeHit) -> list[Disc]:
    """Discs that hits on a team put on the map.

    For each hit two, one on either side of the line from the middle of the firer to
    the middle of the target, together as wide as the screen, directly in front of
    the target: they touch the foremost point of its base, as the firer sees it.

    Parameters
    ----------
    scene : Scene
    hit : SmokeHit

    Raises
    ------
    UsageError
        If a team is not there, or the target is no enemy.
    """
    firer, target = scene.named(hit.firer), scene.named(hit.target)
    _enemies(firer, target)
    numbers = scene.profile.smoke
    middle = np.array(scene.to_map(*target.team.at))
    apart = np.array(scene.to_map(*firer.team.at)) - middle
    length = float(np.hypot(*apart))
    if length <= 0:
        raise UsageError(f"The teams {hit.firer} and {hit.target} stand on one point. Move one.")
    ahead = apart / length
    aside = np.array([-ahead[1], ahead[0]])
    front = float((target.base.box @ ahead).max() - middle @ ahead)
    if target.base.circle is not None:
        front = target.base.circle[2]
    centre = middle + ahead * (front + numbers.disc / 2)
    off = (numbers.screen - numbers.disc) / 2
    out = []
    for place in (centre - aside * off, centre + aside * off):
        x, y = (place * scene.scale).tolist()
        out.append(Disc((x, y), firer.team.side))
    return out * hit.hits


def fire_smoke(
    scene: Scene, firer: str, target_unit: str, hits: int, on: Mapping[str, int]
) -> tuple[SmokeHit, ...]:
    """Give the hits of a smoke shot to teams of the target, as the firing player chooses.

    Parameters
    ----------
    scene : Scene
    firer : str
        Name of a team.
    target_unit : str
        The platoon that is fired at, or the name of a team that has none.
    hits : int
        How many hit, by the normal rules for shooting.
    on : mapping of str to int
        Hits for each team that the player chooses; they add up to `hits`.

    Returns
    -------
    tuple of SmokeHit
        Nothing else comes of the hits.

    Raises
    ------
    UsageError
        If the target is no enemy, is not seen, or a chosen team is not of it, or the
        hits do not add up.
    """
    one = scene.named(firer)
    members = [
        stand
        for stand in scene.stands.values()
        if target_unit in (stand.team.unit, stand.team.name if stand.team.unit is None else None)
    ]
    if not members:
        raise UsageError(f"There is no unit {target_unit!r} in the overlay. Name a team's unit.")
    for stand in members:
        _enemies(one, stand)
    names = {stand.team.name for stand in members}
    for name, count in on.items():
        if name not in names:
            raise UsageError(
                f"The team {name} is not of {target_unit}: hits go to teams of the target only."
            )
        if count < 0:
            raise UsageError(f"The team {name} cannot be hit {count} times. Write 0 or more.")
    if sum(on.values()) != hits:
        raise UsageError(f"{sum(on.values())} hits are given out and {hits} were scored.")
    if not any(look(scene, one, stand).seen for stand in members):
        raise UsageError(f"The team {firer} sees no team of {target_unit}, so it has no target.")
    return tuple(SmokeHit(firer, name, count) for name, count in on.items() if count)


def _enemies(firer: Stand, target: Stand) -> None:
    one, other = firer.team, target.team
    if one.side is None or other.side is None:
        blank = one if one.side is None else other
        raise UsageError(f"The team {blank.name} has no side, and smoke is fired at enemies only.")
    if one.side == other.side:
        raise UsageError(
            f"The teams {one.name} and {other.name} are on one side, and smoke is fired at enemies "
            "only."
        )
