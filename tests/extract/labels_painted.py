"""Boards with printed hex names, drawn for tests: any numbering, font, turn and colour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from hexsight.model.layout import Layout
from hexsight.model.vassal_numbering import HexGridNumbering


@dataclass(frozen=True)
class Painted:
    """A drawn board."""

    rgb: NDArray[np.uint8]
    layout: Layout
    names: dict[tuple[int, int], str]

    @property
    def size_px(self) -> tuple[int, int]:
        return self.rgb.shape[1], self.rgb.shape[0]


def paint(
    numbering: HexGridNumbering | None,
    *,
    columns: int = 14,
    rows: int = 12,
    dx: float = 56.25,
    dy: float = 64.5,
    sideways: bool = False,
    text_px: int = 12,
    turn: int = 0,
    ground: tuple[int, int, int] = (176, 190, 112),
    ink: tuple[int, int, int] = (20, 20, 20),
    art: float = 0.15,
    seed: int = 1,
    font: ImageFont.FreeTypeFont | None = None,
    at: float = -0.36,
    misprints: Mapping[tuple[int, int], str] | None = None,
) -> Painted:
    """Draw a board.

    Parameters
    ----------
    art : float
        Share of hexes that get a blotch or a dark roof under their name.
    turn : int
        Quarter turns clockwise by which names are turned.
    at : float
        Where names stand, in hex heights from the centre along their own
        vertical.
    misprints : mapping, optional
        Other texts for some hexes, or an empty one.
    """
    rng = np.random.default_rng(seed)
    layout = Layout.from_grid(dx, dy, 0.7 * dx, 0.6 * dy, sideways=sideways)
    hexes = [(c, r) for c in range(columns) for r in range(rows)]
    far = np.array([layout.corners(c, r).max(axis=0) for c, r in hexes]).max(axis=0)
    width, height = (int(v) + 12 for v in far)
    rgb = np.empty((height, width, 3), np.uint8)
    rgb[:] = ground
    rgb = np.clip(rgb + rng.normal(0, 3, rgb.shape), 0, 255).astype(np.uint8)
    light = set()
    for c, r in hexes:
        kind = rng.random()
        x, y = layout.centre(c, r)
        if kind < art / 2:
            spot = rng.integers(-12, 12, 2)
            centre = (int(x + spot[0]), int(y + spot[1]))
            cv2.ellipse(rgb, centre, (int(dy / 3), int(dy / 5)), 30, 0, 360, (80, 105, 50), -1)
        elif kind < art:
            ring = np.rint(layout.corners(c, r)).astype(np.int32)
            cv2.fillPoly(rgb, [ring], (66, 66, 70))
            light.add((c, r))
    for c, r in hexes:
        ring = np.rint(layout.corners(c, r) * 16).astype(np.int32)
        cv2.polylines(rgb, [ring], True, (0, 0, 0), 1, cv2.LINE_AA, 4)
    image = Image.fromarray(rgb)
    face = font or ImageFont.load_default(size=text_px)
    names = {}
    if numbering is not None:
        for c, r in hexes:
            names[c, r] = numbering.name(layout, (width, height), c, r)
            colour = (235, 235, 235) if (c, r) in light else ink
            text = (misprints or {}).get((c, r), names[c, r])
            _write(image, layout.centre(c, r), text, face, colour, turn, at * dy)
    return Painted(np.asarray(image), layout, names)


def _write(
    image: Image.Image,
    centre: tuple[float, float],
    text: str,
    face: ImageFont.FreeTypeFont | ImageFont.ImageFont,
    colour: tuple[int, int, int],
    turn: int,
    at_px: float,
) -> None:
    left, top, right, bottom = (round(v) for v in face.getbbox(text, anchor="ls"))
    mask = Image.new("L", (right - left + 4, bottom - top + 4))
    ImageDraw.Draw(mask).text((2 - left, 2 - top), text, fill=255, font=face, anchor="ls")
    mask = mask.rotate(-90 * turn, expand=True)
    dx, dy = ((0, at_px), (-at_px, 0), (0, -at_px), (at_px, 0))[turn % 4]
    x, y = round(centre[0] + dx - mask.width / 2), round(centre[1] + dy - mask.height / 2)
    image.paste(Image.new("RGB", mask.size, colour), (x, y), mask)
