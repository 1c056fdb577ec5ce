"""A plain page for VASSAL's chart window, which knows the HTML of 1997.

Swing's HTML has no scripts and hardly any style, and takes seconds to lay out tables of
a few thousand rows: so the columns are set in preformatted text, one block a column of
the map, with links to jump to it.
"""

from __future__ import annotations

from html import escape

from hexsight.export.charts_sights import Sights
from hexsight.export.lettering import half_levels
from hexsight.model.board import Board, HexFacts

_HEADS = ("Hex", "From", "Clear", "Hindered", "Farthest", "Ground", "Building", "Terrain")
_NUMBERS = frozenset({"Clear", "Hindered", "Farthest", "Ground"})
# Longest cell; beyond it a name would push the numbers off the window.
_MAX_CELL = 36


def plain_chart(board: Board, sights: Sights) -> bytes:
    """What each hex of a board sees, in columns.

    Parameters
    ----------
    board : Board
    sights : Sights

    Returns
    -------
    bytes
        HTML 3.2 in pure ASCII, since old VASSALs read it in the computer's own encoding.
        One line a Location: how many Locations it sees clearly and hindered, and the range
        to the farthest that it sees.
    """
    places: dict[int, list[int]] = {}
    for i, index in enumerate(sights.hexes.tolist()):
        places.setdefault(index, []).append(i)
    columns: dict[int, list[tuple[str, ...]]] = {}
    names: dict[int, list[str]] = {}
    for index, facts in enumerate(board.hexes):
        names.setdefault(facts.col, []).append(facts.name)
        rows = columns.setdefault(facts.col, [])
        rows += _rows(board, facts, places.get(index, []), sights)
    every = [_HEADS, *(row for rows in columns.values() for row in rows)]
    widths = [max(len(row[k]) for row in every) for k in range(len(_HEADS))]
    jumps, blocks = [], []
    for number, col in enumerate(sorted(columns), start=1):
        first, last = escape(names[col][0]), escape(names[col][-1])
        jumps.append(f'<a href="#c{number}">{first}</a>')
        lines = [_line(row, widths) for row in columns[col]]
        blocks.append(
            f'<a name="c{number}"></a>\n<h3>{first} &#8211; {last}</h3>\n'
            f"<pre><b>{_line(_HEADS, widths)}</b>\n" + "\n".join(lines) + "</pre>\n"
        )
    title = escape(f"Lines of sight on {board.name}")
    text = (
        f"<html>\n<head><title>{title}</title></head>\n<body>\n<h2>{title}</h2>\n"
        "<p>Clear and Hindered: how many Locations are seen from there. Farthest: range in "
        "hexes to the farthest one.</p>\n"
        f"<p>{' '.join(jumps)}</p>\n{''.join(blocks)}</body>\n</html>\n"
    )
    return text.encode("ascii", "xmlcharrefreplace")


def _rows(
    board: Board, facts: HexFacts, places: list[int], sights: Sights
) -> list[tuple[str, ...]]:
    name = facts.name
    about = (
        half_levels(facts.base_half),
        _building(board, facts),
        board.catalogue[facts.terrain].name,
    )
    out = []
    for i in places:
        counts = (int(a[i]) for a in (sights.clear, sights.hindered, sights.farthest))
        cells = (name, sights.levels[i], *(str(c) for c in counts), *about)
        out.append(tuple(_plain(c) for c in cells))
        name, about = "", ("", "", "")
    return out


def _plain(text: str) -> str:
    """One cell on one line, of bounded length."""
    text = " ".join(text.split())
    return text if len(text) <= _MAX_CELL else text[: _MAX_CELL - 1] + "…"


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    """Words to the left, numbers to the right."""
    set_ = [
        c.rjust(w) if head in _NUMBERS else c.ljust(w)
        for head, c, w in zip(_HEADS, cells, widths, strict=True)
    ]
    return escape("  ".join(set_).rstrip())


def _building(board: Board, facts: HexFacts) -> str:
    building = board.building_by_id.get(facts.building)
    if building is None:
        return ""
    told = f"{building.material} {building.kind} {half_levels(facts.height_half)}"
    if facts.roofless:
        told += ", roofless"
    return told + (", stairs" if board.joins_levels(facts) else "")
