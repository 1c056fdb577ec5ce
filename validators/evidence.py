"""What was read from the print, beside what the file states: names of hexes and terrain."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from hexsight.model.board import Board
from hexsight.model.layout import to_lattice

Point = tuple[float, float]


@dataclass(frozen=True)
class Misnamed:
    """A hex whose print reads otherwise than the file names it.

    Attributes
    ----------
    printed, named : str
    pixel : (float, float)
        Its centre.
    shift : (int, int) or None
        Way on the lattice to the hex that has the printed name, None where none has.
    """

    printed: str
    named: str
    pixel: Point
    shift: tuple[int, int] | None = None


@dataclass(frozen=True)
class LabelEvidence:
    """Printed names beside the file's names of the hexes of one board.

    Attributes
    ----------
    board : str
    kind : str
        ``"module"`` (numbering of a grid) or ``"archive"`` (naming of VASL).
    verdict : str
        ``agrees``, ``disagrees``, ``undecided`` or ``no labels``.
    agree : int
        Hexes whose print reads as their name.
    disagree : tuple of Misnamed
    shift : (int, float) or None
        Columns and rows from the hex a name is printed in to the hex that the
        file gives it to.
    confidence : float
        Of the verdict.
    reason : str
        In words, with an example.
    """

    board: str
    kind: str
    verdict: str
    agree: int
    disagree: tuple[Misnamed, ...] = ()
    shift: tuple[int, float] | None = None
    confidence: float = 1.0
    reason: str = ""


@dataclass(frozen=True)
class HexContrast:
    """A hex that the print shows otherwise than the file has it.

    Attributes
    ----------
    name : str
    pixel : (float, float)
        Its centre.
    share : float
        Share of its pixels whose terrain class differs.
    facts : tuple of (str, str, str)
        What differs, what is printed, what is stored.
    """

    name: str
    pixel: Point
    share: float
    facts: tuple[tuple[str, str, str], ...] = ()

    def fact(self, what: str) -> tuple[str, str] | None:
        """Printed and stored of what differs, None where it does not."""
        return next(((p, s) for w, p, s in self.facts if w == what), None)


@dataclass(frozen=True)
class TerrainEvidence:
    """Terrain read from the picture beside the terrain that the file stores, hex by hex.

    Attributes
    ----------
    board : str
    hexes : tuple of HexContrast
        Those of which something differs.
    hexes_in_all : int
    stairs : tuple of (str, (float, float))
        Hexes with a printed stairwell in a building whose stored data have no stairs there,
        and the pixel of their centre.
    """

    board: str
    hexes: tuple[HexContrast, ...]
    hexes_in_all: int
    stairs: tuple[tuple[str, Point], ...] = ()


class ConfirmationLike(Protocol):
    """As ``hexsight.extract.labels_report.Confirmation``."""

    @property
    def verdict(self) -> str:
        """``"agrees"``, ``"disagrees"``, ``"undecided"`` or ``"no labels"``."""

    @property
    def agree(self) -> int:
        """How many hexes have their name in print."""

    @property
    def disagree(self) -> tuple[tuple[int, int, str, str], ...]:
        """Column, row, printed name and given name of hexes that plainly read otherwise."""

    @property
    def shift(self) -> tuple[int, float] | None:
        """Columns and rows from a printed name to the hex of that name; rows go by halves."""

    @property
    def confidence(self) -> float:
        """Of the verdict, from 0 to 1."""

    @property
    def reason(self) -> str:
        """In words, with an example."""


class _Fact(Protocol):
    @property
    def what(self) -> str: ...
    @property
    def found(self) -> str: ...
    @property
    def truth(self) -> str: ...


class _Difference(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def x_px(self) -> float: ...
    @property
    def y_px(self) -> float: ...
    @property
    def facts(self) -> Sequence[_Fact]: ...
    @property
    def differing_share(self) -> float: ...


class ComparisonLike(Protocol):
    """As ``hexsight.extract.compare.Comparison``."""

    @property
    def hexes(self) -> Sequence[_Difference]:
        """Hexes of which something differs."""

    @property
    def hexes_in_all(self) -> int:
        """How many hexes were compared."""


def label_evidence(
    board: str,
    found: ConfirmationLike,
    centre: Callable[[int, int], Point],
    names: Mapping[tuple[int, int], str],
    *,
    archive: bool = False,
) -> LabelEvidence:
    """View of a comparison of printed with given names.

    Parameters
    ----------
    board : str
        Its name.
    found : ConfirmationLike
    centre : callable
        Board pixel of the centre of the hex at (col, row).
    names : mapping of (col, row) to str
        As the file has them.
    archive : bool
        The names are those of VASL metadata, not of a module.
    """
    where = {name: at for at, name in names.items()}

    def shift(col: int, row: int, printed: str) -> tuple[int, int] | None:
        if printed not in where:
            return None
        there, here = to_lattice(*where[printed]), to_lattice(col, row)
        return there[0] - here[0], there[1] - here[1]

    return LabelEvidence(
        board=board,
        kind="archive" if archive else "module",
        verdict=found.verdict,
        agree=found.agree,
        disagree=tuple(
            Misnamed(p, n, centre(c, r), shift(c, r, p)) for c, r, p, n in found.disagree
        ),
        shift=found.shift,
        confidence=found.confidence,
        reason=found.reason,
    )


def terrain_evidence(found: ComparisonLike, read: Board, stored: Board) -> TerrainEvidence:
    """View of a comparison of the board read from a picture with the stored one."""
    stairs = []
    for h in read.hexes:
        other = stored.by_name.get(h.name)
        if h.stairwell and other is not None and other.building and not other.access:
            stairs.append((h.name, (h.x_px, h.y_px)))
    return TerrainEvidence(
        read.name,
        tuple(
            HexContrast(
                h.name,
                (h.x_px, h.y_px),
                h.differing_share,
                tuple((f.what, f.found, f.truth) for f in h.facts),
            )
            for h in found.hexes
        ),
        found.hexes_in_all,
        tuple(stairs),
    )
