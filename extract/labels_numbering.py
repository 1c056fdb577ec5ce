"""A way of naming hexes as VASSAL's attributes, or as VASL's naming."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.extract.labels_glyphs import SPACE, WORK
from hexsight.extract.labels_hypotheses import Naming
from hexsight.extract.labels_print import Print
from hexsight.model.layout import Layout, to_lattice
from hexsight.model.vassal_numbering import HexGridNumbering, HexMetrics
from hexsight.model.vassal_vasl import VaslNaming

_SPACE = 0.16  # heights by which the gap between the parts must exceed others to be a space
_SEEN = 0.22  # of the strength of print: the ink of a mark between the parts, on average
_CENTRAL = 0.12  # heights: a mark stands in the middle of its gap
_TALL = 0.6  # heights: a mark that is a stroke
_WIDE = 1.15  # heights of its own: a mark that is a dash
_UPRIGHT = 0.06  # columns a row: a stroke that does not lean
_BELOW = 1.12  # heights: a mark that hangs below the line
_KINDS = {"AAAB": "letters run AA, AB, AC", "AABB-I": "the letter I is left out",
          "AABB-IO": "the letters I and O are left out"}  # fmt: skip


def numbering_of(
    naming: Naming,
    sep: str,
    grid: HexMetrics,
    size_px: tuple[int, int],
    hexes: list[tuple[int, int]],
) -> HexGridNumbering | str:
    """VASSAL's numbering that gives the same names, or the reason why none can.

    Parameters
    ----------
    naming : Naming
    sep : str
        Text between the parts.
    grid : HexMetrics
        Grid that the numbering will belong to, whose raw hexes the naming counts.
    size_px : (int, int)
        Width and height of the board (or of the zone's bounding box).
    hexes : list of (col, row)
        Hexes on which the two must agree.
    """
    for part in (naming.column, naming.row):
        if part.kind in _KINDS:
            return f"{_KINDS[part.kind]}, which VASSAL cannot number"
    wanted = {}
    for col, row in hexes:
        parts = naming.parts(col, row)
        if parts is not None:
            wanted[col, row] = sep.join(parts)
    if not wanted:
        return "no hex has a name"
    col0, row0 = next(iter(wanted))
    ways = itertools.product((False, True), repeat=4)
    for stagger, across, down, oblique in sorted(ways, key=lambda w: (w[3], w[1] + w[2])):
        bare = HexGridNumbering(
            first="H" if naming.column_first else "V",
            sep=sep,
            h_type="N" if naming.column.kind == "N" else "A",
            v_type="N" if naming.row.kind == "N" else "A",
            h_leading=naming.column.leading,
            v_leading=naming.row.leading,
            h_off=0,
            v_off=0,
            h_descend=across,
            v_descend=down,
            stagger=stagger,
            oblique=oblique,
        )
        column, row = bare.named(grid, size_px, col0, row0)
        at = (np.array([col0]), np.array([row0]))
        whole = replace(
            bare,
            h_off=int(naming.column.values(*at)[0]) - column,
            v_off=int(naming.row.values(*at)[0]) - row,
        )
        if all(whole.name(grid, size_px, c, r) == name for (c, r), name in wanted.items()):
            return whole
    return "VASSAL has no numbering that counts like this"


def vasl_of(layout: Layout, names: Mapping[tuple[int, int], str]) -> VaslNaming | None:
    """VASL's naming that gives these names, if there is one."""
    if layout.sideways or not names:
        return None
    for alt in (False, True):
        bare = VaslNaming(layout.dx, layout.dy, 0.0, 0.0, alt)
        try:
            shifts = {
                (here[0] - there[0], here[1] - there[1])
                for hex_, name in names.items()
                for here, there in [(to_lattice(*hex_), to_lattice(*bare.offset(name)))]
            }
        except ValueError:
            return None
        if len(shifts) == 1:
            x, y = (float(v) for v in layout.lattice_to_pixel(shifts.pop()))
            return replace(bare, a1_x=x, a1_y=y)
    return None


def separator(found: Print, naming: Naming) -> str:
    """Text between the parts, from what stands in the gap between them on average."""
    glyphs = found.glyphs
    if naming.tall_sep:
        return _stroke(_tall(found, naming))
    at, others = [], []
    for word in found.evidence.words:
        parts = naming.parts(word.col, word.row)
        if parts is None or len(parts[0]) + len(parts[1]) != word.length:
            continue
        here = word.first + len(parts[0])
        at.append(here)
        others += [i for i in range(word.first + 1, word.first + word.length) if i != here]
    if not at:
        return ""
    mark = glyphs.spaces[at].mean(axis=0)
    if others:
        mark -= glyphs.spaces[others].mean(axis=0)
    mark = np.asarray(cv2.GaussianBlur(mark, (3, 3), 0))
    # Soft edges of the signs on both sides lie off the middle.
    place = float((mark.clip(0).sum(axis=0) @ np.arange(SPACE)) / max(mark.clip(0).sum(), 1e-9))
    if mark.max() > _SEEN * 255 and abs(place - (SPACE - 1) / 2) < _CENTRAL * WORK:
        return _mark(mark)
    usual = float(np.median(glyphs.gaps[others])) if others else 0.15
    return " " if float(np.median(glyphs.gaps[at])) > usual + _SPACE else ""


def _mark(mark: NDArray[np.float64]) -> str:
    """What a mark between two signs is, by its place on the line and its shape."""
    ink = mark > 0.5 * mark.max()
    rows, cols = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    top, bottom = ((v - SPACE / 2) / WORK + 0.5 for v in (rows[0], rows[-1] + 1))
    tall, wide = bottom - top, (cols[-1] + 1 - cols[0]) / WORK
    if len(rows) < rows[-1] - rows[0] + 1:
        return ":"
    if tall > _TALL:
        return _stroke(mark)
    if (top + bottom) / 2 > 0.7:
        if wide > _WIDE * tall:
            return "_"
        return "," if bottom > _BELOW else "."
    return "-" if wide > _WIDE * tall else "·"


def _tall(found: Print, naming: Naming) -> NDArray[np.float64]:
    """Mean picture of a sign as tall as the letters that stands between the parts."""
    picture = np.zeros(found.glyphs.pictures.shape[1:], np.float64)
    for word in found.evidence.words:
        parts = naming.parts(word.col, word.row)
        if parts is not None and len(parts[0]) + len(parts[1]) + 1 == word.length:
            picture += found.glyphs.pictures[word.first + len(parts[0])]
    return picture


def _stroke(picture: NDArray[np.float64]) -> str:
    """Upright, or leaning to one side."""
    moments = cv2.moments(np.clip(picture, 0, None).astype(np.float32))
    lean = moments["mu11"] / max(moments["mu02"], 1e-9)
    if abs(lean) < _UPRIGHT:
        return "|"
    return "/" if lean < 0 else "\\"
