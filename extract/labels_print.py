"""The printed names of a board: where they stand, their signs, and namings that explain them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hexsight.extract.cleaning import measured_line_px
from hexsight.extract.grid_response import channels
from hexsight.extract.labels_alphabet import Alphabet, learn_alphabet
from hexsight.extract.labels_glyphs import Glyphs, read_glyphs
from hexsight.extract.labels_hypotheses import Naming, Ranked, search, weigh
from hexsight.extract.labels_score import Evidence, Score, encode, mixed
from hexsight.extract.labels_zone import Frame, Hexes, Zone, find_zones
from hexsight.model.board import Cell
from hexsight.model.errors import InputError
from hexsight.model.layout import Layout

# Evidence in nats from which signs count as names.  Boards without any gave 3
# at most, the poorest real ones more than 100.
LEAST = 12.0
_SAMPLE = 300  # hexes that tell which place, turn and colour to read
_PLACES = 3
_MOST_HEXES = 6000  # that are read: a map of 12,000 px may have 30,000
_LEFT = 100  # namings that a sample leaves over
_PLAIN = 10.0  # times as much evidence: no other place need be tried
# Nats of likeness for each letter, below which letters do not look like any known
# ones and must not decide.
SHAPELY = 0.5


@dataclass(frozen=True)
class Print:
    """Printed names of a board.

    Attributes
    ----------
    frame : Frame
        The plane of the picture that was read.
    glyphs : Glyphs
    alphabet : Alphabet
    evidence : Evidence
    ranked : tuple of Ranked
        Namings, best first.
    """

    frame: Frame
    glyphs: Glyphs
    alphabet: Alphabet
    evidence: Evidence
    ranked: tuple[Ranked, ...]

    @property
    def best(self) -> Ranked:
        """The naming that explains the print best."""
        return self.ranked[0]

    @property
    def total(self) -> float:
        """Evidence of the best naming in nats."""
        return self.best.score.total

    def with_texts(self, texts: Mapping[tuple[int, int], str]) -> Print:
        """The same print, weighed together with what another reader made of some hexes."""
        evidence = Evidence(self.glyphs, self.alphabet, texts=texts)
        return replace(
            self, evidence=evidence, ranked=weigh(evidence, [r.naming for r in self.ranked])
        )

    def names(self, naming: Naming) -> list[str | None]:
        """Names of `evidence.words` under a naming, without separators."""
        parts = (naming.parts(w.col, w.row) for w in self.evidence.words)
        sep = "/" if naming.tall_sep else ""
        return [None if p is None else p[0] + sep + p[1] for p in parts]

    def rivals(self, names: list[str | None]) -> Iterator[tuple[Score, list[str | None], Ranked]]:
        """Namings that call some hex differently, best first."""
        codes, length = encode(names)
        for ranked in self.ranked:
            mine, long = ranked.naming.codes(self.evidence)
            other = (long != length) | (mine != codes).any(axis=1)
            # Hexes the other has no name for do not tell the two apart.
            other &= (long > 0) & (length > 0)
            if other.mean() > 0.01:
                yield ranked.score, self.names(ranked.naming), ranked


def find_print(
    rgb: NDArray[np.uint8], layout: Layout, hexes: Hexes, line_px: float | None = None
) -> tuple[Print | None, str]:
    """Printed names of a board, or None and the reason.

    Parameters
    ----------
    rgb : (H, W, 3) uint8
    layout : Layout
        Lattice as drawn, within about a pixel.
    hexes : sequence of (col, row)
        Hexes that may carry names; of more than 6,000 a mixed part is read.
    line_px : float, optional
        Width of the printed grid lines; measured when absent.

    Raises
    ------
    InputError
        If the array is no RGB picture.
    """
    if rgb.ndim != 3 or rgb.shape[2] != 3 or rgb.dtype != np.uint8:
        raise InputError(
            f"Cannot look for hex names in an array of shape {rgb.shape} and type {rgb.dtype}: "
            "give an RGB picture of 8 bits per channel."
        )
    if layout.dy < 12:
        return None, f"hexes of {layout.dy:.0f} px are too small for names"
    if len(hexes) == 0:
        return None, "there are no hexes to look at"
    if len(hexes) > _MOST_HEXES:
        hexes = mixed(hexes)[:_MOST_HEXES]
    few = len(hexes) <= 1.5 * _SAMPLE
    sample = list(hexes) if few else mixed(hexes)[:_SAMPLE]
    reason = "nothing is printed at the same place in every hex"
    for plane in channels(rgb):
        frame = Frame(plane, layout)
        width = line_px
        if width is None:
            width = measured_line_px(plane, layout, tuple(Cell(c, r, "") for c, r in sample))
        best: Print | None = None
        for zone in find_zones(frame, hexes, width)[:_PLACES]:
            reason = "what is printed in every hex does not read as names that count up"
            for turn in _turns(zone):
                part = _upright(frame, sample, zone, turn, width)
                if part is not None and (best is None or part.total > best.total):
                    best, place = part, zone
            if best is not None and best.total >= _PLAIN * LEAST:
                break
        if best is not None and best.total >= LEAST:
            whole = best if few else _whole(frame, hexes, place, best, width)
            if whole is not None and whole.total >= LEAST:
                return whole, ""
    return None, reason


def _turns(zone: Zone) -> tuple[int, ...]:
    """Quarter turns that suit the shape of a zone: print is wider than high."""
    _, _, width, height = zone.box
    if width > 1.4 * height:
        return (0,)
    if height > 1.4 * width:
        return (1,)
    return (0, 1)


def _upright(frame: Frame, hexes: Hexes, zone: Zone, turn: int, line_px: float) -> Print | None:
    """Print of a place, read the right way up.

    Upside down it falls into clusters as well; only the shapes tell.
    """
    one = _read(frame, hexes, zone, turn, line_px)
    if one is None or one.best.score.shape >= SHAPELY * one.best.score.signs:
        return one
    other = _read(frame, hexes, zone, turn + 2, line_px)
    if other is None or other.best.score.shape <= one.best.score.shape:
        return one
    return other


def _whole(frame: Frame, hexes: Hexes, zone: Zone, sample: Print, line_px: float) -> Print | None:
    """Print of all hexes, weighed among the namings that a sample left over."""
    glyphs = read_glyphs(frame, hexes, zone, sample.glyphs.turn, line_px)
    if glyphs is None:
        return None
    alphabet = learn_alphabet(glyphs)
    evidence = Evidence(glyphs, alphabet)
    ranked = weigh(evidence, [r.naming for r in sample.ranked[:_LEFT]])
    return Print(frame, glyphs, alphabet, evidence, ranked)


def _read(frame: Frame, hexes: Hexes, zone: Zone, turn: int, line_px: float) -> Print | None:
    glyphs = read_glyphs(frame, hexes, zone, turn, line_px)
    if glyphs is None:
        return None
    alphabet = learn_alphabet(glyphs)
    evidence = Evidence(glyphs, alphabet)
    ranked = search(evidence)
    return Print(frame, glyphs, alphabet, evidence, ranked) if ranked else None
