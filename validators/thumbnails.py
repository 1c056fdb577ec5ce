"""Small pictures of the places of findings, cut from the map."""

from __future__ import annotations

import io
from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from hexsight.validators.finding import Finding
from hexsight.validators.subject import Subject

SIZE_PX = 184
# Hexes that a thumbnail shows from top to bottom: the one meant and its neighbours.
ROWS = 3.0
_NO_GRID_PX = 64.0
_QUALITY = 80
_LIGHT, _DARK = (255, 255, 255), (200, 0, 90)


def make_thumbnails(
    subject: Subject, findings: Iterable[Finding], *, most: int
) -> dict[Finding, bytes]:
    """JPEG pictures of the places that findings name on their board's picture.

    Parameters
    ----------
    subject : Subject
        Whose findings they are; its ``pictures`` says where to cut.
    findings : iterable of Finding
        The first come first; those without a place on a picture are passed over.
    most : int
        How many at most.

    Returns
    -------
    dict of Finding to bytes
    """
    out: dict[Finding, bytes] = {}
    if subject.pictures is None:
        return out
    chosen = [f for f in findings if f.pixel is not None][: max(0, most)]
    # Board by board, so that only one picture need be held at a time.
    for name in dict.fromkeys(f.board for f in chosen):
        rgb = subject.pictures(name)
        if rgb is None:
            continue
        side = ROWS * _row_px(subject, name)
        for finding in chosen:
            if finding.board == name and finding.pixel is not None:
                out[finding] = cut(rgb, finding.pixel, side, _outlines(subject, finding))
    return out


def _outlines(subject: Subject, finding: Finding) -> tuple[NDArray[np.float64], ...]:
    """Stated hexes about the place of a finding on the grid, to be seen beside the printed ones."""
    if finding.pixel is None or not finding.id.startswith(("grid/", "numbering/")):
        return ()
    stated = next((g.nominal for g in subject.grids if g.board == finding.board), None)
    if stated is None:
        return ()
    col, row = (int(v) for v in stated.pixel_to_hex(finding.pixel))
    return tuple(
        stated.corners(c, r) for c in range(col - 2, col + 3) for r in range(row - 2, row + 3)
    )


def _row_px(subject: Subject, board: str) -> float:
    """Height of a hex on a board's picture, or a usual one where nothing is known."""
    if subject.board is not None:
        return subject.board.layout.dy
    for grid in subject.grids:
        layout = grid.fitted or grid.nominal
        if grid.board == board and layout is not None:
            return layout.dy
    return _NO_GRID_PX


def cut(
    rgb: NDArray[np.uint8],
    pixel: tuple[float, float],
    side_px: float,
    outlines: Iterable[NDArray[np.float64]] = (),
) -> bytes:
    """One square of a picture round a place, with a ring about it, as JPEG.

    Parameters
    ----------
    rgb : (H, W, 3) uint8
    pixel : (float, float)
        Place in its pixels; one beside the picture gives the nearest edge.
    side_px : float
        Side of the square in its pixels.
    outlines : iterable of (n, 2) float64
        Polygons to draw, in its pixels.
    """
    height, width = rgb.shape[:2]
    side = int(min(max(side_px, 16.0), 4000.0))
    x, y = (min(max(v, 0.0), n - 1.0) for v, n in zip(pixel, (width, height), strict=True))
    left, top = round(x - side / 2), round(y - side / 2)
    part = rgb[max(0, top) : max(0, top + side), max(0, left) : max(0, left + side)]
    square = np.full((side, side, 3), 128, np.uint8)
    at = max(0, -top), max(0, -left)
    square[at[0] : at[0] + part.shape[0], at[1] : at[1] + part.shape[1]] = part
    kind = cv2.INTER_AREA if side > SIZE_PX else cv2.INTER_CUBIC
    small = np.ascontiguousarray(cv2.resize(square, (SIZE_PX, SIZE_PX), interpolation=kind))
    scale = SIZE_PX / side
    middle = (round((x - left + 0.5) * scale), round((y - top + 0.5) * scale))
    for outline in outlines:
        corners = np.rint((outline - [left - 0.5, top - 0.5]) * scale).astype(np.int32)
        cv2.polylines(small, [corners], True, _DARK, 1, cv2.LINE_AA)
    radius = SIZE_PX // 10
    for colour, stroke in ((_LIGHT, 4), (_DARK, 2)):
        cv2.circle(small, middle, radius, colour, stroke, cv2.LINE_AA)
    stream = io.BytesIO()
    Image.fromarray(small).save(stream, "JPEG", quality=_QUALITY)
    return stream.getvalue()
