"""Where SMOKE drifts to, at and around Factories (O5.441)."""

from __future__ import annotations

from hexsight.los.overlay import Smoke
from hexsight.los.profile import Profile
from hexsight.model.board import Board, HexFacts
from hexsight.model.errors import UsageError
from hexsight.model.layout import direction_to


def drifted(board: Board, smoke: Smoke, into: str, profile: Profile) -> Smoke | None:
    """What drifts from an original SMOKE source into an adjacent hex in a Mild Breeze.

    Parameters
    ----------
    board : Board
    smoke : Smoke
        The source.
    into : str
        The hex downwind.
    profile : Profile
        For height and Hindrance where `smoke` leaves them out.

    Returns
    -------
    Smoke or None
        Dispersed SMOKE (one less Hindrance, A24.61), as high as the source
        reaches; None where it does not drift.

    Raises
    ------
    UsageError
        If a hex does not exist or they do not touch.

    Notes
    -----
    O5.441: there is No Wind in a Roofless Factory Hex from the ground to the
    Factory's highest full level, so SMOKE drifts out of it only from there on,
    and is placed on a Level counter of that height: Level One for a 1½-level
    Factory.  Into a hex of a Factory it drifts over the roof only.
    """
    here, there = board.hex(smoke.hex), board.hex(into)
    if direction_to((here.col, here.row), (there.col, there.row)) is None:
        raise UsageError(f"SMOKE drifts into adjacent hexes: {into} does not touch {smoke.hex}.")
    default = profile.overlay.smoke
    height = default.height_half if smoke.height_half is None else smoke.height_half
    amount = default.hindrance if smoke.hindrance is None else smoke.hindrance
    top = smoke.base_half + height
    base = smoke.base_half
    if here.roofless:
        base = max(base, _full_level(here))
    if there.factory:
        base = max(base, _full_level(there))
    if top <= base:
        return None
    return Smoke(there.name, max(1, amount - 1), top - base, base)


def _full_level(facts: HexFacts) -> int:
    """Highest full level of a building in half-levels: 2 for a 1½-level Factory."""
    return facts.height_half - facts.height_half % 2
