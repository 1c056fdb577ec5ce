"""Check wall/vertex-in-doubt."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hexsight.model.board import side_vertices, vertex_name
from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject

# Of the hexside: nearer than REACHED counts as reaching the vertex (as the model has it).
REACHED = 0.08


@check(
    id="wall/vertex-in-doubt",
    severity=Severity.NOTE,
    needs=("board",),
    title="A bar ends just short of a vertex inside the building",
    what="""A black bar ends near a vertex of its hexside without reaching it, and
        the building goes on beyond; no other bar reaches that vertex.""",
    why="""A vertex that the bar does not reach does not block (O5.31). Lines along
        rows of hexes run through vertices, so a few pixels decide many of them.""",
    example="""The bar J18-K18 ends 7 px before the vertex J18-J19-K19.""",
    how_to_mend="""Look at the print. If the bar reaches the vertex, copy the line
        of the finding.""",
    options={"gap": "largest gap between bar and vertex, as a share of the hexside"},
)
def vertex_in_doubt(subject: Subject, *, gap: float = 0.2) -> Iterator[Problem]:
    board = subject.board
    assert board is not None
    names = {(h.col, h.row): h.name for h in board.hexes}
    reached = {v for s in board.hexsides for v in s.vertices}
    inside = board.catalogue.table(kind=frozenset({"building", "factory", "roofless", "market"}))
    width, height = board.size_px
    r = max(1, round(0.05 * board.layout.dy))
    for side in board.hexsides:
        if not side.bar:
            continue
        a = board.by_name[side.a]
        ends = side_vertices((a.col, a.row), side.direction)
        first, last = side.bar[0][0], side.bar[-1][1]
        for at, short, whole in (
            (ends[0], first, (0.0, last)),
            (ends[1], 1.0 - last, (first, 1.0)),
        ):
            name = vertex_name(names, *at)
            if not REACHED < short <= gap or name in reached:
                continue
            x, y = (float(v) for v in board.layout.lattice_to_pixel(at))
            if not (0 <= x < width and 0 <= y < height):
                continue
            patch = board.terrain[
                max(0, round(y) - r) : round(y) + r + 1, max(0, round(x) - r) : round(x) + r + 1
            ]
            if not np.all(inside[patch]):
                continue
            length = 2 * board.layout.dx / 3
            yield Problem(
                f"The bar on {side.name} ends {short * length:.0f} px before the vertex {name}, "
                "which so does not block. If the print reaches it, add the line to hexsight.yaml.",
                hexside=side.name,
                pixel=(x, y),
                confidence=0.5,
                settle=f"hexsides: {{{side.name}: {{bar: [{whole[0]:g}, {whole[1]:g}]}}}}",
            )
