"""What a rule file sees of a line: the hexes and hexsides between its ends, in plain words."""

from __future__ import annotations

from dataclasses import dataclass

from hexsight.los.overlay import Overlay
from hexsight.model.board import Board, HexFacts, HexsideFacts


@dataclass(frozen=True)
class LineStep:
    """One step of a line.

    Attributes
    ----------
    hexes : tuple of HexFacts
        The hex, or the two hexes that share the hexside along which the line
        runs; only those that are on the board.
    crossed : tuple of HexsideFacts
        Hexsides by which they are entered from the step before.
    """

    hexes: tuple[HexFacts, ...]
    crossed: tuple[HexsideFacts, ...] = ()


@dataclass(frozen=True)
class HexLine:
    """A line as a rule file gets it, from the higher end to the lower.

    Attributes
    ----------
    board : Board
    observer : str
        Class of observer.
    steps : tuple of LineStep
        From the first hex to the last, both included.
    heights_half : (int, int)
        Of both ends, in half-levels; the first is not the lower one.
    overlay : Overlay
    """

    board: Board
    observer: str
    steps: tuple[LineStep, ...]
    heights_half: tuple[int, int]
    overlay: Overlay

    @property
    def range(self) -> int:
        """In hexes."""
        from hexsight.model.layout import hex_distance  # noqa: PLC0415 - few rule files ask

        a, b = self.steps[0].hexes[0], self.steps[-1].hexes[0]
        return hex_distance((a.col, a.row), (b.col, b.row))

    @property
    def between(self) -> tuple[LineStep, ...]:
        """The steps without both ends."""
        return self.steps[1:-1]


@dataclass(frozen=True)
class Verdict:
    """What a line is; `dataclasses.replace` makes another one.

    Attributes
    ----------
    state : str
        ``clear``, ``hindered``, ``half`` or ``blocked``.
    hindrance, halvings : int
        0 unless hindered, half.
    rule, text : str
        Of what a rule file decided: number and one sentence.
    hex : str or None
        Where.
    """

    state: str
    hindrance: int = 0
    halvings: int = 0
    rule: str = ""
    text: str = ""
    hex: str | None = None
