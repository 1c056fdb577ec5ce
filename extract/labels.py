"""Which numbering the printed hex names follow: read them, confirm a module's, propose one.

No letters are known beforehand.  All hexes laid over each other show where
names are printed (`labels_zone`); their signs are cut out (`labels_glyphs`)
and gathered by shape (`labels_alphabet`).  A numbering is believed when it
turns these shapes into an alphabet: one shape for each character, everywhere
on the board (`labels_score`, `labels_hypotheses`).  Names that lie one column
or row beside the print mix shapes and lose by hundreds of nats.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from hexsight.extract.labels_compare import against, compare, moved, shift_between, without_frame
from hexsight.extract.labels_hypotheses import Naming
from hexsight.extract.labels_numbering import numbering_of, separator, vasl_of
from hexsight.extract.labels_print import SHAPELY, Print, find_print
from hexsight.extract.labels_score import Score
from hexsight.extract.labels_words import Label, Letter, Reader, plain, read_words
from hexsight.extract.labels_zone import Hexes
from hexsight.model.layout import Layout
from hexsight.model.vassal_numbering import HexGridNumbering, HexMetrics
from hexsight.model.vassal_vasl import VaslNaming

__all__ = [
    "Confirmation",
    "Label",
    "LabelReading",
    "Letter",
    "NumberingSearch",
    "Proposal",
    "confirm_numbering",
    "propose_numbering",
    "read_labels",
    "search_numbering",
]

# Nats by which a numbering must beat every other; below that the print decides nothing.
MARGIN = 8.0
_SCALE = 8.0  # nats of margin for each step of 1/e towards certainty


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


@dataclass(frozen=True)
class _Believed:
    """A naming of the print with how far it leads."""

    naming: Naming
    sep: str
    margin: float
    reason: str
    names: dict[tuple[int, int], str] = field(repr=False)


def read_labels(
    rgb: NDArray[np.uint8],
    layout: Layout,
    *,
    hexes: Hexes | None = None,
    names: Mapping[tuple[int, int], str] | None = None,
    line_px: float | None = None,
) -> LabelReading:
    """Read the names printed in the hexes.

    Parameters
    ----------
    rgb : (H, W, 3) uint8 ndarray
        Board picture.
    layout : Layout
        Lattice as drawn, within about a pixel.
    hexes : sequence of (col, row), optional
        Hexes to read; all on the picture when absent.
    names : mapping, optional
        Names to learn the letters with; found from the print when absent.
    line_px : float, optional
        Width of the printed grid lines; measured when absent.

    Raises
    ------
    InputError
        If the array is no RGB picture.
    """
    hexes = list(names or ()) if hexes is None and names else _hexes(rgb, layout, hexes)
    found, reason = find_print(rgb, layout, hexes, line_px)
    if found is None:
        return LabelReading((), None, 0, (), len(hexes), 0.0, reason)
    believed = _believe(found, hexes)
    expected = dict(names) if names is not None else believed.names
    reader = Reader(found, [plain(expected.get((w.col, w.row))) for w in found.evidence.words])
    words = read_words(found, reader, expected)
    labels = sorted(
        (label for _, label in words.values() if label is not None and label.confidence > 0),
        key=lambda label: (label.col, label.row),
    )
    glyphs = found.glyphs
    return LabelReading(
        tuple(labels),
        glyphs.box,
        90 * glyphs.turn,
        reader.letters,
        len(hexes),
        _confidence(believed.margin),
        believed.reason,
    )


def confirm_numbering(
    rgb: NDArray[np.uint8],
    layout: Layout,
    names: Mapping[tuple[int, int], str],
    *,
    line_px: float | None = None,
) -> Confirmation:
    """Whether the names that a module or archive gives to hexes are those printed in them.

    Parameters
    ----------
    rgb : (H, W, 3) uint8 ndarray
        Board picture.
    layout : Layout
        Lattice as drawn, with the raw hexes of `names`.
    names : mapping of (col, row) to str
    line_px : float, optional
        Width of the printed grid lines; measured when absent.

    Raises
    ------
    InputError
        If the array is no RGB picture.
    """
    found, reason = find_print(rgb, layout, list(names), line_px)
    if found is None:
        return Confirmation("no labels", 0, (), None, 0.0, 0.0, reason)
    return _weigh(found, without_frame(names))


def _weigh(found: Print, names: Mapping[tuple[int, int], str]) -> Confirmation:
    """Given names against every other numbering of the print."""
    words = found.evidence.words
    given = [plain(names.get((w.col, w.row))) for w in words]
    mine = found.evidence.score_names(given)
    rival = next(found.rivals(given), None)
    best = [(score, texts) for score, texts, _ in ([rival] if rival else [])]
    for shifted in moved(names):
        texts = [plain(shifted.get((w.col, w.row))) for w in words]
        best.append((found.evidence.score_names(texts), texts))
    score, texts = max(best, key=lambda b: b[0].total)
    margin = mine.total - score.total
    confidence = _confidence(abs(margin))
    if margin <= -MARGIN and not _only_shapes(score, mine):
        printed = {(w.col, w.row): t for w, t in zip(words, texts, strict=True) if t}
        agree, disagree = against(names, printed)
        shift, text = shift_between(names, printed)
        return Confirmation("disagrees", agree, disagree, shift, confidence, margin, text)
    agree, disagree = compare(found, given, names)
    if margin < MARGIN or _only_shapes(mine, score):
        example = _example(given, texts)
        text = f"the print fits another numbering as well{example}"
        return Confirmation("undecided", agree, disagree, None, confidence, margin, text)
    text = "" if not disagree else f"{len(disagree)} hexes read otherwise than they are named"
    return Confirmation("agrees", agree, disagree, None, confidence, margin, text)


def propose_numbering(
    rgb: NDArray[np.uint8],
    layout: Layout,
    size_px: tuple[int, int] | None = None,
    *,
    hexes: Hexes | None = None,
    grid: HexMetrics | None = None,
    line_px: float | None = None,
) -> Proposal | None:
    """Numbering that the printed names follow, or None; see `search_numbering`."""
    return search_numbering(rgb, layout, size_px, hexes=hexes, grid=grid, line_px=line_px).proposal


def search_numbering(
    rgb: NDArray[np.uint8],
    layout: Layout,
    size_px: tuple[int, int] | None = None,
    *,
    hexes: Hexes | None = None,
    grid: HexMetrics | None = None,
    line_px: float | None = None,
) -> NumberingSearch:
    """Numbering that the printed names follow, or the reason why none is proposed.

    Parameters
    ----------
    rgb : (H, W, 3) uint8 ndarray
        Board picture.
    layout : Layout
        Lattice as drawn.
    size_px : (int, int), optional
        Width and height that VASSAL counts descending axes from: of the board,
        or of the bounding box of the zone; that of the picture when absent.
    hexes : sequence of (col, row), optional
        Hexes that may carry names; all on the picture when absent.
    grid : HexMetrics, optional
        Grid of the module that gets the numbering, such as a HexGrid with the
        raw hexes of `layout`; `layout` itself when absent.
    line_px : float, optional
        Width of the printed grid lines; measured when absent.

    Raises
    ------
    InputError
        If the array is no RGB picture.
    """
    hexes = _hexes(rgb, layout, hexes)
    found, reason = find_print(rgb, layout, hexes, line_px)
    if found is None:
        return NumberingSearch(None, reason)
    believed = _believe(found, hexes)
    if believed.reason:
        return NumberingSearch(None, believed.reason)
    size = size_px or (rgb.shape[1], rgb.shape[0])
    numbering = numbering_of(believed.naming, believed.sep, grid or layout, size, list(hexes))
    if isinstance(numbering, str):
        return NumberingSearch(None, numbering)
    words = found.evidence.words
    texts = found.names(believed.naming)
    agree, disagree = compare(found, texts, believed.names)
    read = sorted((w.col, w.row) for w in words)
    spread = [read[round(i * (len(read) - 1) / 4)] for i in range(5)]
    example = tuple((c, r, believed.names[c, r]) for c, r in spread if (c, r) in believed.names)
    proposal = Proposal(
        numbering,
        vasl_of(layout, believed.names),
        example,
        agree,
        disagree,
        _confidence(believed.margin),
        believed.margin,
    )
    return NumberingSearch(proposal, "")


def _hexes(rgb: NDArray[np.uint8], layout: Layout, hexes: Hexes | None) -> Hexes:
    return list(layout.hexes_on((rgb.shape[1], rgb.shape[0]))) if hexes is None else hexes


def _believe(found: Print, hexes: Hexes) -> _Believed:
    best = found.best
    rival = next(found.rivals(found.names(best.naming)), None)
    margin = best.score.total - rival[0].total if rival else best.score.total
    sep = separator(found, best.naming)
    names = {}
    for col, row in hexes:
        parts = best.naming.parts(col, row)
        if parts is not None:
            names[col, row] = sep.join(parts)
    reason = ""
    if rival is not None and (margin < MARGIN or _only_shapes(best.score, rival[0])):
        example = _example(found.names(best.naming), rival[1])
        reason = f"the print fits several numberings{example}"
    return _Believed(best.naming, sep, margin, reason, names)


def _only_shapes(best: Score, other: Score) -> bool:
    """Whether nothing but likeness decides, and the letters look like none that are known."""
    order = best.order + best.length - other.order - other.length
    return order < MARGIN and best.shape < SHAPELY * best.signs


def _confidence(margin: float) -> float:
    return round(1.0 - math.exp(-max(margin, 0.0) / _SCALE), 4)


def _example(texts: list[str | None], others: list[str | None]) -> str:
    """Two readings of the first hex that they call differently."""
    for text, other in zip(texts, others, strict=True):
        if text and other and text != other:
            return f": a hex may be {text} or {other}"
    return ""


def _flag(value: bool) -> str:
    return "true" if value else "false"
