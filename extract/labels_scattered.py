"""Names printed in a few hexes only: found by rapidocr anywhere on the map, and compared.

Some maps name every hex at their edges, and inside only those that the
scenarios need.  Nothing then repeats from hex to hex, but a text reader finds
such names on the map itself.  A text that is the name of the very hex it is
printed in is no chance, and several are a proof.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.extract.labels_compare import shift_between
from hexsight.extract.labels_ocr import reader
from hexsight.extract.labels_report import Confirmation
from hexsight.extract.labels_words import plain
from hexsight.model.layout import Layout

_TILE = 1000  # side in pixels of what the reader is shown at once
_HEXES = 7.0  # hex heights that a tile is wide, so that small print is shown larger
_OVERLAP = 0.16  # of a tile: longer than any name
_MOST_TILES = 120
_LARGEST = 2.5  # times that a picture is enlarged at most
_SURE = 0.8  # of the reader, by its own account
_FEWEST = 4  # hexes that must agree
_DOUBT = 0.2  # of texts may be names of other hexes, such as distances and points
_NATS = 4.0  # for each hex: by chance a text is hardly ever the name of its own hex


def confirm_scattered(
    rgb: NDArray[np.uint8], layout: Layout, names: Mapping[tuple[int, int], str]
) -> Confirmation:
    """Whether texts on the map that are names of hexes stand in these hexes.

    Parameters
    ----------
    rgb : (H, W, 3) uint8 ndarray
        Board picture.
    layout : Layout
        Lattice as drawn, with the raw hexes of `names`.
    names : mapping of (col, row) to str

    Raises
    ------
    MissingPartError
        If rapidocr is not installed.
    """
    printed = scattered_names(rgb, layout, names)
    where = {plain(name): at for at, name in names.items()}
    agree = sum(plain(names[at]) == text for at, text in printed.items())
    differ = tuple(
        (*at, text, names[at]) for at, text in printed.items() if plain(names[at]) != text
    )
    if agree >= _FEWEST and len(differ) <= _DOUBT * len(printed):
        text = f"names are printed in a few hexes only, {agree} were read"
        return Confirmation("agrees", agree, differ, None, 0.99, _NATS * agree, text)
    # Numbers of any meaning are names of some hex; only a common shift tells.
    shift, text = shift_between(names, printed)
    apart = {where[text] for text in printed.values()}
    if shift is not None and agree == 0 and len(apart) >= _FEWEST:
        return Confirmation("disagrees", 0, differ, shift, 0.99, -_NATS * len(apart), text)
    text = f"too few printed names were found ({agree} stand in their hex)"
    return Confirmation("undecided" if agree else "no labels", agree, (), None, 0.0, 0.0, text)


def scattered_names(
    rgb: NDArray[np.uint8], layout: Layout, names: Mapping[tuple[int, int], str]
) -> dict[tuple[int, int], str]:
    """Texts on the map that are names of hexes, by the hex (col, row) they stand in.

    They are given as capitals without separators.  Where a hex holds several,
    its own name counts.  Texts that name several hexes do not count.
    """
    engine = reader()
    count: dict[str, int] = {}
    for name in names.values():
        key = plain(name) or ""
        count[key] = count.get(key, 0) + 1
    known = {key for key, times in count.items() if times == 1 and len(key) > 1}
    found: dict[tuple[int, int], set[str]] = {}
    for left, top, scale, tile in _tiles(rgb, layout, names):
        answer = engine(tile, use_det=True, use_cls=False, use_rec=True)
        if not answer.txts:
            continue
        for box, text, sure in zip(answer.boxes, answer.txts, answer.scores, strict=True):
            key = plain(text.strip()) or ""
            if sure < _SURE or key not in known:
                continue
            x, y = np.asarray(box, np.float64).mean(axis=0) / scale
            col, row = (int(v) for v in layout.pixel_to_hex((x + left, y + top)))
            if (col, row) in names:
                found.setdefault((col, row), set()).add(key)
    return {
        at: own if (own := plain(names[at]) or "") in texts else min(texts)
        for at, texts in sorted(found.items())
    }


def _tiles(
    rgb: NDArray[np.uint8], layout: Layout, names: Mapping[tuple[int, int], str]
) -> Iterator[tuple[int, int, float, NDArray[np.uint8]]]:
    """Overlapping parts of the picture: left, top, how much enlarged, and BGR pixels."""
    rows, cols = rgb.shape[:2]
    centres = np.array([layout.centre(*at) for at in names])
    reach = layout.dy
    low = np.clip(centres.min(axis=0) - reach, 0, (cols, rows)).astype(int)
    high = np.clip(centres.max(axis=0) + reach, 0, (cols, rows)).astype(int)
    width, height = (int(v) for v in high - low)
    if width <= 0 or height <= 0:
        return
    side = max(_HEXES * layout.dy, _TILE / _LARGEST)
    side = max(side, ((1 + _OVERLAP) ** 2 * width * height / _MOST_TILES) ** 0.5)
    scale = _TILE / side
    step = round(side * (1 - _OVERLAP))
    for top in range(int(low[1]), int(high[1]), step):
        for left in range(int(low[0]), int(high[0]), step):
            part = rgb[top : top + round(side), left : left + round(side), ::-1]
            if min(part.shape[:2]) < reach / 2:
                continue
            how = cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA
            tile = cv2.resize(
                np.ascontiguousarray(part), None, fx=scale, fy=scale, interpolation=how
            )
            yield left, top, scale, np.asarray(tile, np.uint8)
