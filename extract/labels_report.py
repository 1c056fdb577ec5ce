"""What is told about the names printed on a board."""

from __future__ import annotations

from dataclasses import dataclass

from hexsight.extract.labels_words import Label, Letter
from hexsight.model.vassal_numbering import HexGridNumbering
from hexsight.model.vassal_vasl import VaslNaming


@dataclass(frozen=True)
class LabelReading:
    """Names printed on a board.

    Attributes
    ----------
    labels : tuple of Label
        Hexes that could be read, in the order of columns.
    box_px : (left, top, width, height) or None
        Where they stand, relative to the hex centre, for upright print.
    turn_deg : int
        By which the print is turned clockwise: 0, 90, 180, 270.
    letters : tuple of Letter
        The board's own alphabet.
    hexes : int
        Hexes that were looked at.
    confidence : float
        Of the numbering the letters were learnt with.
    reason : str
        Why nothing was read, or what is doubtful.
    """

    labels: tuple[Label, ...]
    box_px: tuple[float, float, float, float] | None
    turn_deg: int
    letters: tuple[Letter, ...]
    hexes: int
    confidence: float
    reason: str


@dataclass(frozen=True)
class Confirmation:
    """Whether names agree with the print.

    Attributes
    ----------
    verdict : str
        ``"agrees"``, ``"disagrees"``, ``"undecided"`` or ``"no labels"``.
    agree : int
        Hexes whose print reads as their name.
    disagree : tuple of (col, row, printed, named)
        Hexes whose print plainly reads as something else.
    shift : (int, float) or None
        Columns and rows from the hex a name is printed in to the hex it is
        given to, when one shift explains the difference; rows go by halves,
        since neighbouring columns are half a hex apart.
    confidence : float
        Of the verdict, 0 to 1.
    margin : float
        Nats by which the names explain the print better than any other
        numbering; negative when one explains it better.
    reason : str
        In words, with an example.
    """

    verdict: str
    agree: int
    disagree: tuple[tuple[int, int, str, str], ...]
    shift: tuple[int, float] | None
    confidence: float
    margin: float
    reason: str


@dataclass(frozen=True)
class Proposal:
    """Numbering that the print follows.

    Attributes
    ----------
    numbering : HexGridNumbering
        For a grid whose raw hexes are those of the layout that was given.
    vasl : VaslNaming or None
        The same names as VASL gives them, if it can.
    example : tuple of (col, row, name)
        A few hexes, first and last of those read.
    agree : int
        Hexes whose print reads as its name.
    disagree : tuple of (col, row, printed, named)
    confidence : float
    margin : float
        Nats by which it explains the print better than any other numbering.
    """

    numbering: HexGridNumbering
    vasl: VaslNaming | None
    example: tuple[tuple[int, int, str], ...]
    agree: int
    disagree: tuple[tuple[int, int, str, str], ...]
    confidence: float
    margin: float

    @property
    def attributes(self) -> dict[str, str]:
        """Attributes of VASSAL's HexGridNumbering as a build file writes them."""
        n = self.numbering
        return {
            "first": n.first,
            "sep": n.sep,
            "hType": n.h_type,
            "vType": n.v_type,
            "hLeading": str(n.h_leading),
            "vLeading": str(n.v_leading),
            "hOff": str(n.h_off),
            "vOff": str(n.v_off),
            "hDescend": _flag(n.h_descend),
            "vDescend": _flag(n.v_descend),
            "stagger": _flag(n.stagger),
        }


@dataclass(frozen=True)
class NumberingSearch:
    """Outcome of a search: a proposal, or the reason why there is none."""

    proposal: Proposal | None
    reason: str


def _flag(value: bool) -> str:
    return "true" if value else "false"
