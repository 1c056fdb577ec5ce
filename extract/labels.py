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
from hexsight.extract.labels_ocr import ocr_labels, ocr_print
from hexsight.extract.labels_print import SHAPELY, Print, find_print
from hexsight.extract.labels_report import Confirmation, LabelReading, NumberingSearch, Proposal
from hexsight.extract.labels_scattered import confirm_scattered
from hexsight.extract.labels_score import Score
from hexsight.extract.labels_words import Label, Letter, Reader, plain, read_words
from hexsight.extract.labels_zone import Hexes
from hexsight.model.layout import Layout
from hexsight.model.vassal_numbering import HexMetrics

__all__ = [
    "Confirmation",
    "Label",
    "LabelReading",
    "Letter",
    "NumberingSearch",
    "Proposal",
    "confirm_numbering",
    "ocr_labels",
    "propose_numbering",
    "read_labels",
    "search_numbering",
]

# Nats by which a numbering must beat every other; below that the print decides nothing.
MARGIN = 8.0
_LEAST_READ = 0.2  # of the words, that must read as they are named
_SCALE = 8.0  # nats of margin for each step of 1/e towards certainty


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
    ocr: bool = False,
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
    ocr : bool
        Ask rapidocr where the print alone leaves it open, and for names that
        are printed in a few hexes only.

    Raises
    ------
    InputError
        If the array is no RGB picture.
    MissingPartError
        If rapidocr is wanted and not installed.
    """
    found, reason = find_print(rgb, layout, list(names), line_px)
    names = without_frame(names)
    if found is None:
        if ocr and names:
            return confirm_scattered(rgb, layout, names)
        return Confirmation("no labels", 0, (), None, 0.0, 0.0, reason)
    answer = _weigh(found, names)
    if answer.verdict == "undecided" and ocr:
        answer = _weigh(found.with_texts(ocr_print(found)), names)
    return answer


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
    if margin < MARGIN or _only_shapes(mine, score) or agree < _LEAST_READ * len(words):
        example = _example(given, texts)
        text = f"the print fits another numbering as well{example}"
        return Confirmation("undecided", agree, disagree, None, confidence, margin, text)
    several = f"{len(disagree)} hexes read otherwise than they are named"
    text = "1 hex reads otherwise than it is named" if len(disagree) == 1 else several
    text = text if disagree else ""
    return Confirmation("agrees", agree, disagree, None, confidence, margin, text)


def propose_numbering(
    rgb: NDArray[np.uint8],
    layout: Layout,
    size_px: tuple[int, int] | None = None,
    *,
    hexes: Hexes | None = None,
    grid: HexMetrics | None = None,
    line_px: float | None = None,
    ocr: bool = False,
) -> Proposal | None:
    """Numbering that the printed names follow, or None; see `search_numbering`."""
    return search_numbering(
        rgb, layout, size_px, hexes=hexes, grid=grid, line_px=line_px, ocr=ocr
    ).proposal


def search_numbering(
    rgb: NDArray[np.uint8],
    layout: Layout,
    size_px: tuple[int, int] | None = None,
    *,
    hexes: Hexes | None = None,
    grid: HexMetrics | None = None,
    line_px: float | None = None,
    ocr: bool = False,
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
    ocr : bool
        Ask rapidocr where the print alone leaves it open.

    Raises
    ------
    InputError
        If the array is no RGB picture.
    MissingPartError
        If rapidocr is wanted and not installed.
    """
    hexes = _hexes(rgb, layout, hexes)
    found, reason = find_print(rgb, layout, hexes, line_px)
    if found is None:
        return NumberingSearch(None, reason)
    believed = _believe(found, hexes)
    if believed.reason and ocr:
        found = found.with_texts(ocr_print(found))
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
    if agree < _LEAST_READ * len(words) or len(disagree) > agree:
        return NumberingSearch(None, "too few names read as the numbering that fits best has them")
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
    order = best.order + best.length + best.texts - other.order - other.length - other.texts
    return order < MARGIN and best.shape < SHAPELY * best.signs


def _confidence(margin: float) -> float:
    return round(1.0 - math.exp(-max(margin, 0.0) / _SCALE), 4)


def _example(texts: list[str | None], others: list[str | None]) -> str:
    """Two readings of the first hex that they call differently."""
    for text, other in zip(texts, others, strict=True):
        if text and other and text != other:
            return f": a hex may be {text} or {other}"
    return ""
