"""Ways in which the picture of a map suffers, with the affine map that goes along."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Matrix = NDArray[np.float64]
_STILL = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])


def plain(rgb: Picture) -> tuple[Picture, Matrix]:
    """The picture as it is."""
    return rgb, _STILL


def jpeg(rgb: Picture, quality: int = 50) -> tuple[Picture, Matrix]:
    """Saved as JPEG and read again."""
    ok, data = cv2.imencode(".jpg", rgb[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert ok
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR)[..., ::-1], np.uint8), _STILL


def scaled(rgb: Picture, factor: float) -> tuple[Picture, Matrix]:
    """Resampled; pixel centres move as pixel areas do."""
    h, w = rgb.shape[:2]
    size = (round(w * factor), round(h * factor))
    kind = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    fx, fy = size[0] / w, size[1] / h
    matrix = np.array([[fx, 0, (fx - 1) / 2], [0, fy, (fy - 1) / 2], [0, 0, 1]])
    return np.asarray(cv2.resize(rgb, size, interpolation=kind), np.uint8), matrix


def turned(rgb: Picture, degrees: float = 1.3) -> tuple[Picture, Matrix]:
    """Turned about the middle on a canvas of the same size, white beyond it."""
    h, w = rgb.shape[:2]
    m = cv2.getRotationMatrix2D(((w - 1) / 2, (h - 1) / 2), -degrees, 1.0)
    out = cv2.warpAffine(rgb, m, (w, h), flags=cv2.INTER_CUBIC, borderValue=(255, 255, 255))
    return np.asarray(out, np.uint8), np.vstack([m, [0, 0, 1]])


def noisy(rgb: Picture, sigma: float = 20.0) -> tuple[Picture, Matrix]:
    """Gaussian noise of its own in every channel, with a fixed seed."""
    noise = np.random.default_rng(7).normal(0.0, sigma, rgb.shape)
    return np.clip(np.rint(rgb + noise), 0, 255).astype(np.uint8), _STILL


def blurred(rgb: Picture, sigma_px: float = 1.5) -> tuple[Picture, Matrix]:
    """Gaussian blur."""
    return np.asarray(cv2.GaussianBlur(rgb, (0, 0), sigma_px), np.uint8), _STILL


def all_together(rgb: Picture) -> tuple[Picture, Matrix]:
    """Half size, 1.37 times, turned, blurred, noisy and saved at quality 50, in this order."""
    total = _STILL
    for step in (
        lambda p: scaled(p, 0.5),
        lambda p: scaled(p, 1.37),
        turned,
        blurred,
        noisy,
        jpeg,
    ):
        rgb, m = step(rgb)
        total = m @ total
    return rgb, total


TRANSFORMS: dict[str, Callable[[Picture], tuple[Picture, Matrix]]] = {
    "plain": plain,
    "jpeg50": jpeg,
    "half": lambda p: scaled(p, 0.5),
    "x1.37": lambda p: scaled(p, 1.37),
    "turn1.3": turned,
    "noise20": noisy,
    "blur1.5": blurred,
    "all": all_together,
}
