"""Kinds of signs on a board, and how much each looks like a letter or digit.

Signs are gathered into clusters by their pictures alone.  What a cluster means
follows from where it stands (see `labels_score`); a comparison with common
letter shapes decides only what position leaves open, such as whether columns
run from A to T or from B to U.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from hexsight.extract.labels_glyphs import CELL, TALL, Glyphs

SIGNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MOST_CLUSTERS = 64
_LEAST_SIZE = 5  # signs per cluster, on average
_AXES = 24  # principal components that clusters are told apart by
_APART = 0.1  # of the square of a sign's contrast: squared distance of two shapes
_ROUNDS = 12
_BLUR = 1.2
_HERSHEY = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
)


@dataclass(frozen=True)
class Alphabet:
    """Clusters of signs.

    Attributes
    ----------
    cluster : (n,) int64
        Cluster of every sign of `Glyphs`.
    pictures : (k, CELL, CELL) float32
        Mean picture of each cluster.
    widths : (k,) float64
        Mean width, in heights.
    likeness : (k, 36) float64
        Likeness of each cluster to each of `SIGNS`, -1 to 1.
    match : (k, fonts, 36) float64
        Scalar products with the signs of common fonts, both free of their mean.
    gram : (k, k) float64
        Scalar products of the clusters' pictures, so that the likeness of a
        mixture of clusters follows without making its picture.
    """

    cluster: NDArray[np.int64]
    pictures: NDArray[np.float32]
    widths: NDArray[np.float64]
    likeness: NDArray[np.float64]
    match: NDArray[np.float64]
    gram: NDArray[np.float64]


def learn_alphabet(glyphs: Glyphs) -> Alphabet:
    """Gather the signs of a board into clusters of equal shape."""
    data = glyphs.pictures.reshape(len(glyphs.pictures), -1)
    # The width is seen in the picture only at its rim; narrow signs differ in little else.
    points = np.column_stack([_principal(data), 6.0 * glyphs.widths]).astype(np.float64)
    count = int(np.clip(len(points) // _LEAST_SIZE, 1, _MOST_CLUSTERS))
    ink = data - data.mean(axis=1, keepdims=True)
    apart = _APART * float((ink**2).sum(axis=1).mean())
    cluster = _refine(points, _bisect(points, count, apart))
    _, cluster = np.unique(cluster, return_inverse=True)
    k = int(cluster.max()) + 1
    pictures = _means(data, cluster, k).reshape(k, CELL, CELL).astype(np.float32)
    widths = _means(glyphs.widths[:, None], cluster, k)[:, 0]
    fonts = font_cells()
    shapes = _flat(fonts.reshape(-1, CELL, CELL))
    shapes /= np.linalg.norm(shapes, axis=1, keepdims=True)
    mine = _flat(pictures)
    match = (mine @ shapes.T).reshape(k, *fonts.shape[:2])
    gram = mine @ mine.T
    norm = np.maximum(np.sqrt(np.diag(gram)), 1e-9)
    likeness = match.max(axis=1) / norm[:, None]
    return Alphabet(cluster, pictures, widths, likeness, match, gram)


def _means(
    data: NDArray[np.floating], cluster: NDArray[np.int64], count: int
) -> NDArray[np.float64]:
    """Mean row (count, d) of each cluster; no cluster may be empty."""
    order = np.argsort(cluster, kind="stable")
    size = np.bincount(cluster, minlength=count)
    starts = np.concatenate([[0], np.cumsum(size)[:-1]])
    sums: NDArray[np.float64] = np.add.reduceat(data[order].astype(np.float64), starts, axis=0)
    return sums / size[:, None]


def _principal(data: NDArray[np.float32]) -> NDArray[np.float64]:
    centred = (data - data.mean(axis=0)).astype(np.float64)
    _, vectors = np.linalg.eigh(centred.T @ centred)
    found: NDArray[np.float64] = centred @ vectors[:, -_AXES:]
    return found


def _bisect(points: NDArray[np.float64], count: int, apart: float) -> NDArray[np.int64]:
    """Halve the widest cluster along its longest axis until there are enough.

    Halves whose middles are no further apart than the square root of `apart`
    stay together: they are one sign, set on different parts of pixels.  There
    is no random start, so the same board gives the same clusters.
    """
    cluster = np.zeros(len(points), np.int64)
    spread = [_spread(points)]
    while len(spread) < count:
        worst = int(np.argmax(spread))
        if spread[worst] <= 1e-9:
            break
        mine = np.flatnonzero(cluster == worst)
        centred = points[mine] - points[mine].mean(axis=0)
        _, vectors = np.linalg.eigh(centred.T @ centred)
        along = centred @ vectors[:, -1]
        far, near = mine[along > 0], mine[along <= 0]
        step = points[far].mean(axis=0) - points[near].mean(axis=0)
        if (step**2).sum() < apart:
            spread[worst] = 0.0
            continue
        cluster[far] = len(spread)
        spread[worst] = _spread(points[near])
        spread.append(_spread(points[far]))
    return cluster


def _spread(points: NDArray[np.float64]) -> float:
    return float(((points - points.mean(axis=0)) ** 2).sum())


def _refine(points: NDArray[np.float64], cluster: NDArray[np.int64]) -> NDArray[np.int64]:
    """Lloyd's algorithm; clusters that lose all their points vanish."""
    for _ in range(_ROUNDS):
        _, cluster = np.unique(cluster, return_inverse=True)
        centres = _means(points, cluster, int(cluster.max()) + 1)
        far = (centres**2).sum(axis=1) - 2 * points @ centres.T
        moved = far.argmin(axis=1)
        if (moved == cluster).all():
            break
        cluster = moved
    return cluster


def _flat(cells: NDArray[np.float32]) -> NDArray[np.float64]:
    """Pictures as rows without their mean, blurred: two fonts never share their pixels."""
    soft = np.stack([np.asarray(cv2.GaussianBlur(cell, (0, 0), _BLUR)) for cell in cells])
    flat = soft.reshape(len(cells), -1).astype(np.float64)
    centred: NDArray[np.float64] = flat - flat.mean(axis=1, keepdims=True)
    return centred


@functools.cache
def font_cells() -> NDArray[np.float32]:
    """Pictures (fonts, 36, CELL, CELL) of `SIGNS` in common fonts, as `Glyphs` has them."""
    fonts = []
    pillow = ImageFont.load_default(size=48)
    fonts.append(np.stack([_cell(_pillow(sign, pillow)) for sign in SIGNS]))
    for face in _HERSHEY:
        for thick in (3, 6):
            fonts.append(np.stack([_cell(_hershey(sign, face, thick)) for sign in SIGNS]))
    return np.stack(fonts)


def _pillow(sign: str, font: ImageFont.FreeTypeFont | ImageFont.ImageFont) -> NDArray[np.uint8]:
    image = Image.new("L", (96, 96))
    ImageDraw.Draw(image).text((24, 16), sign, fill=255, font=font)
    return np.asarray(image)


def _hershey(sign: str, face: int, thick: int) -> NDArray[np.uint8]:
    image = np.zeros((96, 96), np.uint8)
    cv2.putText(image, sign, (20, 74), face, 2.0, 255, thick, cv2.LINE_AA)
    return image


def _cell(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    rows, cols = np.flatnonzero(image.max(axis=1) > 127), np.flatnonzero(image.max(axis=0) > 127)
    top, bottom, left, right = rows[0], rows[-1] + 1, cols[0], cols[-1] + 1
    scale = TALL / (bottom - top)
    part = image[top:bottom, left:right]
    width = max(1, min(CELL, round((right - left) * scale)))
    small = cv2.resize(part, (width, TALL), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    cell = np.zeros((CELL, CELL), np.float32)
    x, y = (CELL - width) // 2, (CELL - TALL) // 2
    cell[y : y + TALL, x : x + width] = small
    return cell
