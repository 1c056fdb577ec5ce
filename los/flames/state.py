"""What stands on the map in a game that measures: teams and smoke discs.

Places are board pixels, as an overlay file has them; sizes are inches.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Team:
    """A base with its model or models.

    Attributes
    ----------
    name : str
    at : (float, float)
        Middle of the base in board pixels.
    kind : str
        ``infantry``, ``gun`` or ``tank``.
    side, unit : str or None
        Whose it is, and its platoon.  Teams without a unit are one each.
    base : (float, float), float or None
        Front and depth, or the width of a round base, in inches; None for what
        the rules say of the kind.
    facing_deg : float
        Where its front points: 0 up on the map, clockwise.
    eye : float or None
        Height over the ground or floor, in inches, of what sees and is seen.
    height : float
        Of what it stands on over the ground of the map, in inches, such as a hill
        that the map does not tell of.
    level : int or str
        Storey in a building, 0 for the ground floor; ``"roof"`` for on top of it.
    dug_in : bool
        Infantry in a building that has cut loopholes.
    """

    name: str
    at: tuple[float, float]
    kind: str = "infantry"
    side: str | None = None
    unit: str | None = None
    base: tuple[float, float] | float | None = None
    facing_deg: float = 0.0
    eye: float | None = None
    height: float = 0.0
    level: int | str = 0
    dug_in: bool = False

    def moved(self, at: tuple[float, float], facing_deg: float | None = None) -> Team:
        """The team after it moved: no longer dug in, without its loopholes."""
        facing = self.facing_deg if facing_deg is None else facing_deg
        return replace(self, at=at, facing_deg=facing, dug_in=False)


@dataclass(frozen=True)
class Disc:
    """A smoke marker.

    Attributes
    ----------
    at : (float, float)
        Its middle in board pixels.
    side : str or None
        Who fired it: it goes in the next starting step of that side.
    """

    at: tuple[float, float]
    side: str | None = None


@dataclass(frozen=True)
class SmokeHit:
    """Hits with smoke on a team: two discs each, placed when a question is asked.

    Attributes
    ----------
    firer, target : str
        Names of teams.
    hits : int
        Hits on this team.
    """

    firer: str
    target: str
    hits: int = 1


def start_turn(
    discs: tuple[Disc | SmokeHit, ...], side: str, teams: tuple[Team, ...] = ()
) -> tuple[Disc | SmokeHit, ...]:
    """What smoke is left in the starting step of a side: its own is taken away.

    Parameters
    ----------
    discs : tuple of Disc or SmokeHit
    side : str
        Whose turn begins.
    teams : tuple of Team
        Those that hits name; needed where there are hits.
    """
    own = {team.name for team in teams if team.side == side}
    return tuple(
        d for d in discs if (d.side != side if isinstance(d, Disc) else d.firer not in own)
    )
