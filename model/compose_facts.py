"""Names and facts of a composed map: hexes that are one, what a person said, doubts."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hexsight.model.board import (
    Board,
    Building,
    Cell,
    Doubt,
    HexFacts,
    Mark,
    Opening,
    Provenance,
    Survey,
    parse_hexside,
)
from hexsight.model.compose_place import Piece, kept, offset_of
from hexsight.model.compose_raster import Canvas
from hexsight.model.derive import derive
from hexsight.model.errors import UsageError
from hexsight.model.openings import OpeningOverride, place_openings
from hexsight.model.overrides import HexOverride, HexsideOverride, Overrides

# Marks nearer than this share of a hex are one mark that both boards print.
SAME_MARK = 0.25


@dataclass(frozen=True, eq=False)
class Names:
    """Hexes of a composed map.

    Attributes
    ----------
    cells : tuple of Cell
        Column-major.
    aliases : dict of str to str
        Further names of hexes that boards share, to the name in `cells`.
    parts : dict of (col, row) to tuple of (piece, hex)
        Which hexes of which boards a hex is made of, the one that names it first.
    of_piece : tuple of dict of str to str
        By piece: name on the board to name on the map.
    """

    cells: tuple[Cell, ...]
    aliases: dict[str, str]
    parts: dict[tuple[int, int], tuple[tuple[int, int], ...]]
    of_piece: tuple[dict[str, str], ...]


def full_name(label: str, name: str) -> str:
    """Name of a board's hex on a composed map: ``20K5``; ``20:0512`` where digits would merge."""
    between = ":" if label[-1:].isdigit() and not name[:1].isalpha() else ""
    return f"{label}{between}{name}"


def name_hexes(pieces: Sequence[Piece]) -> Names:
    """Give each hex the name of the first board it lies on; other names become aliases.

    Raises
    ------
    UsageError
        If two hexes would have one name.
    """
    parts: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for index, piece in enumerate(pieces):
        for i in np.flatnonzero(kept(piece)).tolist():
            parts.setdefault(offset_of(piece.lattice[i], piece.shift), []).append((index, i))
    aliases: dict[str, str] = {}
    of_piece: tuple[dict[str, str], ...] = tuple({} for _ in pieces)
    taken: set[str] = set()
    cells = []
    for (col, row), made_of in sorted(parts.items()):
        names = []
        for index, i in made_of:
            own = pieces[index].placement.board.hexes[i].name
            names.append(full_name(pieces[index].label, own))
            of_piece[index][own] = names[0]
        for name in names:
            if name.casefold() in taken:
                raise UsageError(
                    f"Two hexes of the map would be called {name}. "
                    "Give one of its boards another name with name:."
                )
            taken.add(name.casefold())
        cells.append(Cell(col, row, names[0]))
        aliases.update((alias, names[0]) for alias in names[1:])
    return Names(
        tuple(cells), aliases, {offset: tuple(made) for offset, made in parts.items()}, of_piece
    )


def as_survey(board: Board) -> Survey:
    """A board's rasters as something to derive from anew; its codes tell kind and height."""
    return Survey(
        board.name,
        board.layout,
        tuple(Cell(h.col, h.row, h.name) for h in board.hexes),
        board.terrain,
        board.elevation_half,
        typed=True,
        stairwells=board.stairwells,
        catalogue=board.catalogue_name,
    )


def told(pieces: Sequence[Piece], names: Names) -> Overrides:
    """What boards hold beyond their rasters: there a person's override said so, and it stays.

    Overrides are painted into the rasters except for levels, stairwells, vehicular
    entrances and walls along hexsides.  They are found again by deriving each
    board from its rasters alone.
    """
    hexes: dict[str, dict[str, Any]] = {}
    sides: dict[str, HexsideOverride] = {}
    plain: dict[int, Board] = {}
    for index, piece in enumerate(pieces):
        board = piece.placement.board
        if id(board) not in plain:
            plain[id(board)] = derive(as_survey(board))
        renamed = names.of_piece[index]
        bare = plain[id(board)]
        for facts in board.hexes:
            if facts.name in renamed and (said := _said(facts, bare.by_name[facts.name])):
                # The board that names a shared hex wins, as it comes first.
                known = hexes.setdefault(renamed[facts.name], {})
                hexes[renamed[facts.name]] = said | known
        for side in board.hexsides:
            found = bare.side_by_name[side.name].terrain
            if side.terrain != found and side.a in renamed and side.b in renamed:
                what = board.catalogue[side.terrain].name if side.terrain else "none"
                place = f"{renamed[side.a]}-{renamed[side.b]}"
                sides.setdefault(place, HexsideOverride.model_validate({"terrain": what}))
    return Overrides({n: HexOverride.model_validate(said) for n, said in hexes.items()}, sides)


def _said(is_: HexFacts, was: HexFacts) -> dict[str, Any]:
    out: dict[str, Any] = {
        key: getattr(is_, key)
        for key in ("roofless", "stairwell", "vehicular_entrance", "factory")
        if getattr(is_, key) != getattr(was, key)
    }
    if is_.base_half != was.base_half:
        out["level"] = is_.base_half / 2
    if is_.building and is_.height_half != was.height_half:
        out["height"] = is_.height_half / 2
    return out


def marks_of(pieces: Sequence[Piece], canvas: Canvas) -> tuple[Mark, ...]:
    """Stairwell marks of all boards on the canvas; one that two boards print counts once."""
    out: list[Mark] = []
    near = SAME_MARK * canvas.layout.dy
    for index, piece in enumerate(pieces):
        for mark in piece.placement.board.stairwells:
            x, y = _on_canvas(piece, canvas, index, mark.x_px, mark.y_px)
            if not _inside(canvas, index, x, y):
                continue
            # The middle of a half hex may lie a pixel beside the map.
            x = min(max(x, 0.0), canvas.size_px[0] - 1.0)
            y = min(max(y, 0.0), canvas.size_px[1] - 1.0)
            if all(max(abs(m.x_px - x), abs(m.y_px - y)) > near for m in out):
                out.append(replace(mark, x_px=round(x, 2), y_px=round(y, 2)))
    return tuple(out)


def _on_canvas(piece: Piece, canvas: Canvas, index: int, x: float, y: float) -> tuple[float, float]:
    """Canvas pixel of a pixel of a board's own picture."""
    if piece.placement.turned:
        x, y = piece.size_px[0] - 1 - x, piece.size_px[1] - 1 - y
    moved = canvas.to_canvas(index, (x, y))
    return float(moved[0]), float(moved[1])


def _inside(canvas: Canvas, index: int, x: float, y: float) -> bool:
    """Whether a point lies on the part of a board that is used, a pixel to spare."""
    laid = canvas.laid[index]
    slack = 3.0 / canvas.layout.dx
    lattice = canvas.layout.pixel_to_lattice((x, y))
    return bool(
        np.all(lattice >= laid.open_lower - slack) and np.all(lattice <= laid.open_upper + slack)
    )


def doubts_of(pieces: Sequence[Piece], canvas: Canvas, names: Names) -> tuple[Doubt, ...]:
    """Doubts of the boards, at their places on the map."""
    out = []
    for index, piece in enumerate(pieces):
        renamed = names.of_piece[index]
        offsets = {h.name: (h.col, h.row) for h in piece.placement.board.hexes}
        for doubt in piece.placement.board.doubts:
            x, y = _on_canvas(piece, canvas, index, doubt.x_px, doubt.y_px)
            where = doubt.where
            if where in renamed:
                where = renamed[where]
            elif where in offsets or not _inside(canvas, index, x, y):
                continue
            elif where:
                where = _side(where, offsets, piece, renamed)
            out.append(
                replace(
                    doubt,
                    where=where,
                    x_px=round(x, 2),
                    y_px=round(y, 2),
                    note=f"On board {piece.label}: {doubt.note}",
                )
            )
    return tuple(out)


def _side(
    where: str, offsets: dict[str, tuple[int, int]], piece: Piece, renamed: dict[str, str]
) -> str:
    """Name on the map of a hexside of a board; any other place keeps its name."""
    try:
        first, second, _ = parse_hexside(where, offsets)
    except UsageError:
        return full_name(piece.label, where)
    own = {o: n for n, o in offsets.items()}
    ends = (own[first], own[second])
    return "-".join(renamed.get(n, full_name(piece.label, n)) for n in ends)


def seam_doubts(board: Board, pieces: Sequence[Piece], names: Names) -> tuple[Doubt, ...]:
    """Buildings of which the boards that share a hex say different things."""
    out = []
    for facts in board.hexes:
        halves = []
        for index, i in names.parts[facts.col, facts.row]:
            own = pieces[index].placement.board
            hex_ = own.hexes[i]
            if hex_.building:
                kind = own.building_by_id[hex_.building].kind
                halves.append((pieces[index].label, kind, hex_.height_half))
        if facts.building and len({h[1:] for h in halves}) > 1:
            said = ", ".join(f"{b}: {kind} of {height / 2:g} levels" for b, kind, height in halves)
            out.append(
                Doubt(
                    "seam-building",
                    facts.name,
                    facts.x_px,
                    facts.y_px,
                    0.5,
                    f"The boards that share {facts.name} tell its building differently ({said}); "
                    "the greater part counts. Say it alike in overrides: of both boards.",
                )
            )
    return tuple(out)


def openings_of(board: Board, pieces: Sequence[Piece], canvas: Canvas) -> tuple[Opening, ...]:
    """Openings of all boards on the walls of the map; a wall that a seam closed has none."""
    out: list[Opening] = []
    for index, piece in enumerate(pieces):
        for opening in piece.placement.board.openings:
            a, b = (_on_canvas(piece, canvas, index, x, y) for x, y in opening.ends_px)
            if not (_inside(canvas, index, *a) and _inside(canvas, index, *b)):
                continue
            said = OpeningOverride(between=(a, b), level=opening.level)
            with suppress(UsageError):
                out += place_openings([said], board.buildings, board.layout.dy, [piece.label])
    return tuple(dict.fromkeys(out))


def finish(
    board: Board, pieces: Sequence[Piece], names: Names, covered: NDArray[np.bool_]
) -> dict[str, Any]:
    """Fields of the board that the rasters do not tell: confidences and parts off the boards."""
    on_map = _on_map(board, covered)
    sure = {
        offset: min(pieces[p].placement.board.hexes[i].confidence for p, i in parts)
        for offset, parts in names.parts.items()
    }
    hexes = tuple(
        replace(h, confidence=sure[h.col, h.row], on_map=on)
        for h, on in zip(board.hexes, on_map, strict=True)
    )
    sides = _side_confidences(pieces, names)
    return {
        "hexes": hexes,
        "hexsides": tuple(
            replace(s, confidence=sides.get(frozenset((s.a, s.b)), 1.0)) for s in board.hexsides
        ),
        "buildings": _building_confidences(board, pieces, names),
    }


def _on_map(board: Board, covered: NDArray[np.bool_]) -> list[float]:
    """Share of each hex that lies on any board; the canvas may have empty corners."""
    if covered.all():
        return [h.on_map for h in board.hexes]
    owner = board.owner
    pixels = np.bincount(owner[(owner >= 0) & covered], minlength=len(board.hexes))
    area = abs(float(np.linalg.det([board.layout.col_px, board.layout.row_px])))
    return [round(min(1.0, float(px) / area), 3) for px in pixels]


def _side_confidences(pieces: Sequence[Piece], names: Names) -> dict[frozenset[str], float]:
    out: dict[frozenset[str], float] = {}
    for index, piece in enumerate(pieces):
        renamed = names.of_piece[index]
        for side in piece.placement.board.hexsides:
            if side.a in renamed and side.b in renamed:
                key = frozenset((renamed[side.a], renamed[side.b]))
                out[key] = min(side.confidence, out.get(key, 1.0))
    return out


def _building_confidences(
    board: Board, pieces: Sequence[Piece], names: Names
) -> tuple[Building, ...]:
    """Buildings, each as sure as the least sure building of a board in its hexes."""
    least: dict[int, float] = {}
    for facts in board.hexes:
        for index, i in names.parts[facts.col, facts.row]:
            own = pieces[index].placement.board
            building = own.building_by_id.get(own.hexes[i].building)
            if facts.building and building is not None:
                known = least.get(facts.building, 1.0)
                least[facts.building] = min(known, building.confidence)
    return tuple(replace(b, confidence=least.get(b.id, 1.0)) for b in board.buildings)


def provenance_of(pieces: Sequence[Piece]) -> Provenance:
    """From which boards the map was made, and how they lie."""
    inputs: dict[str, str] = {}
    for piece in pieces:
        own = piece.placement.board.provenance
        if own.picture_sha256:
            inputs[f"{piece.label}/{own.picture or 'picture'}"] = own.picture_sha256
        inputs.update((f"{piece.label}/{k}", v) for k, v in own.inputs_sha256.items())
    told_by = {p.placement.board.provenance.terrain_from for p in pieces}
    first = pieces[0].placement.board.provenance
    return Provenance(
        source="; ".join(_described(p) for p in pieces),
        terrain_from=told_by.pop() if len(told_by) == 1 else "mixed",
        inputs_sha256=dict(sorted(inputs.items())),
        legend=first.legend,
        tool_version=first.tool_version,
    )


def _described(piece: Piece) -> str:
    place = piece.placement
    words = [f"{place.label} in row {place.row + 1}, place {place.column + 1}"]
    if place.turned:
        words.append("turned")
    for what, ends in (("columns", place.crop.columns), ("rows", place.crop.rows)):
        if ends != (None, None):
            words.append(f"{what} {ends[0] or ''} to {ends[1] or ''}".strip())
    return ", ".join(words)
