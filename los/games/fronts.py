"""Where a counter that faces a vertex has its front, flanks and rear.

A counter whose upper edge is turned to a vertex of its hex has the two hexes beyond that
vertex before it, two beside it and two behind it.  A counter that lies over two adjacent
hexes faces along the hexside between them; each half has the two front hexes of a single
counter, and the one that both halves have is the middle of three.

Turning the whole map turns the result with it: a facing is one of the six corners of the
layout (`hexsight.model.layout.CORNERS`), and a front is told by steps from it.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from hexsight.model.board import Board, HexFacts
from hexsight.model.errors import UsageError
from hexsight.model.layout import CORNERS, direction_to, neighbour, to_lattice, vertex_hexes

# Directions to adjacent hexes, counted from the corner faced: corner k lies between the
# directions k − 1 and k.
FRONT = (-1, 0)
FLANK = (-2, 1)
REAR = (2, 3)


@dataclass(frozen=True)
class Surroundings:
    """Hexes about a counter, as far as the board reaches.

    Attributes
    ----------
    front : tuple of str
        Clockwise.  Of three the second is the central one.
    central : str or None
        The front hex that touches both halves of a counter on two hexes; None for a
        counter on one hex, and where the board ends before it.
    flank : tuple of str
        Left and right.
    rear : tuple of str
        Clockwise.
    """

    front: tuple[str, ...]
    central: str | None
    flank: tuple[str, ...]
    rear: tuple[str, ...]


def surroundings(board: Board, hexes: tuple[str, ...], facing: int) -> Surroundings:
    """Front, flanks and rear of a counter.

    Parameters
    ----------
    board : Board
    hexes : tuple of str
        The hex, or the two adjacent hexes, in which it lies.
    facing : int
        Number of the corner that it faces, 0–5 clockwise from the upper left one of the
        layout (see `facing_of`).

    Raises
    ------
    UsageError
        If a hex does not exist, two hexes do not touch, or a counter on two hexes does not
        face along the hexside between them.
    """
    halves = _halves(board, hexes)
    if len(halves) == 1:
        return Surroundings(
            _names(board, halves, facing, FRONT),
            None,
            _names(board, halves, facing, FLANK),
            _names(board, halves, facing, REAR),
        )
    left, right = halves if _left_first(halves, facing) else halves[::-1]
    # Seen from behind, the right half's left front hex is the left half's right one.
    middle = neighbour(left.col, left.row, facing)
    central = board.by_offset.get(middle)
    return Surroundings(
        _names(board, (left, right), facing, FRONT),
        central.name if central else None,
        _names(board, (left, right), facing, FLANK),
        _names(board, (right, left), facing, REAR),
    )


def facing_of(board: Board, hexes: tuple[str, ...], said: int | str) -> int:
    """The corner that a person means by a facing.

    Parameters
    ----------
    board : Board
    hexes : tuple of str
        Where the counter lies.
    said : int or str
        A number 0–5, clockwise from the upper left corner of the layout; the vertex faced,
        such as ``"L15-M15-M16"`` (of a counter on two hexes: the end of the hexside
        between them that it faces); or, for a counter on two hexes, its central front hex.

    Raises
    ------
    UsageError
        If it is none of these.
    """
    halves = _halves(board, hexes)
    where = " and ".join(h.name for h in halves)
    wanted = said.strip().casefold() if isinstance(said, str) else said
    if isinstance(wanted, str) and wanted.isdigit() and len(wanted) == 1:
        wanted = int(wanted)
    if isinstance(wanted, int) and not isinstance(wanted, bool):
        if 0 <= wanted <= 5:
            if len(halves) == 2:
                _left_first(halves, wanted)
            return wanted
        raise UsageError(f"There is no facing {said}: the corners of {where} are 0 to 5.")
    ways = {k: _spellings(board, halves, k) for k in _possible(halves)}
    fitting = [k for k, names in ways.items() if wanted in {n.casefold() for n in names}]
    if len(fitting) != 1:
        known = sorted(names[0] for names in ways.values())
        raise UsageError(
            f"A unit in {where} cannot face {said}: write a vertex ({', '.join(known)}) "
            "or the number of a corner."
        )
    return fitting[0]


def _halves(board: Board, hexes: tuple[str, ...]) -> tuple[HexFacts, ...]:
    if not 1 <= len(hexes) <= 2:
        raise UsageError(f"A unit lies in one hex or in two adjacent ones, not in {len(hexes)}.")
    halves = tuple(board.hex(name) for name in hexes)
    if len(halves) == 2 and _axis(halves) is None:
        raise UsageError(
            f"A unit cannot lie in {halves[0].name} and {halves[1].name}: they do not touch."
        )
    return halves


def _axis(halves: tuple[HexFacts, ...]) -> int | None:
    first, second = halves
    return direction_to((first.col, first.row), (second.col, second.row))


def _possible(halves: tuple[HexFacts, ...]) -> list[int]:
    """Corners that a counter may face: all, or the two ends of its own hexside."""
    axis = _axis(halves) if len(halves) == 2 else None
    return list(range(6)) if axis is None else [(axis + 2) % 6, (axis - 1) % 6]


def _left_first(halves: tuple[HexFacts, ...], facing: int) -> bool:
    """Whether the first half is the left one, seen from behind the counter."""
    axis = _axis(halves)
    if axis is None or facing % 6 not in _possible(halves):
        names = " and ".join(h.name for h in halves)
        raise UsageError(
            f"A unit in {names} cannot face corner {facing}: it faces along the hexside "
            f"between them ({' or '.join(str(k) for k in _possible(halves))})."
        )
    return facing % 6 == (axis - 1) % 6


def _names(
    board: Board, halves: tuple[HexFacts, ...], facing: int, steps: tuple[int, ...]
) -> tuple[str, ...]:
    """Hexes at these steps from each half, once each, its own hexes left out."""
    own = {(h.col, h.row) for h in halves}
    cells = [neighbour(h.col, h.row, facing + step) for h in halves for step in steps]
    found = [board.by_offset[c].name for c in cells if c in board.by_offset and c not in own]
    return tuple(dict.fromkeys(found))


def _spellings(board: Board, halves: tuple[HexFacts, ...], corner: int) -> list[str]:
    """All ways to write in names of hexes that a counter faces a corner, the usual one first."""
    first = halves[0]
    axis = _axis(halves) if len(halves) == 2 else None
    step = CORNERS[corner]
    if axis is not None:
        # Two halves face the end of the hexside between them.
        step = CORNERS[(axis + 1) % 6 if corner == (axis + 2) % 6 else axis]
    X, Y = to_lattice(first.col, first.row)
    cells = vertex_hexes(X + step[0], Y + step[1])
    around = [board.by_offset[c].name for c in cells if c in board.by_offset]
    out = ["-".join(order) for order in itertools.permutations(around)]
    if axis is not None:
        out += [n for n in around if n not in {h.name for h in halves}]
    return out
