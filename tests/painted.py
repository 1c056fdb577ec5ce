"""Small maps painted for tests: a survey with buildings, bars and roads where a test wants them."""

from __future__ import annotations

import cv2
import numpy as np

from hexsight.model.board import Cell, Mark, Survey, side_vertices
from hexsight.model.layout import CORNERS, Layout, direction_to, to_lattice

STONE, WOOD, FLOOR, BAR, DIRT, PAVED, WALL, HEDGE, RUBBLE, WOODS = (
    40,
    50,
    170,
    172,
    65,
    66,
    72,
    73,
    90,
    60,
)


class Painted:
    """A board of letters and numbers, A1 top left, odd columns half a hex lower."""

    def __init__(self, cols: int = 6, rows: int = 6, *, layout: Layout | None = None) -> None:
        self.layout = layout or Layout.from_grid(34.3, 39.6, 22.0, 20.0)
        self.cells = tuple(
            Cell(c, r, f"{chr(65 + c)}{r + 1}") for c in range(cols) for r in range(rows)
        )
        self.where = {c.name: (c.col, c.row) for c in self.cells}
        corners = np.concatenate([self.layout.corners(c.col, c.row) for c in self.cells])
        w, h = np.ceil(corners.max(axis=0)).astype(int) + 4
        self.terrain = np.zeros((h, w), np.uint8)
        self.marks: list[Mark] = []

    def hexes(self, *names: str, code: int = STONE, grow: float = 1.0) -> Painted:
        """Fill hexes; `grow` over 1 lets the paint run over their edges."""
        for name in names:
            centre = np.array(self.layout.centre(*self.where[name]))
            points = centre + (self.layout.corners(*self.where[name]) - centre) * grow
            self._fill(points, code)
        return self

    def box(self, x0: float, y0: float, x1: float, y1: float, code: int = STONE) -> Painted:
        """Fill a rectangle in pixels."""
        self._fill(np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]), code)
        return self

    def side(
        self,
        a: str,
        b: str,
        code: int = BAR,
        *,
        part: tuple[float, float] = (0, 1),
        width: float = 5.0,
    ) -> Painted:
        """Draw along the hexside between two hexes, from `part[0]` to `part[1]` of its length."""
        first, second = sorted([self.where[a], self.where[b]])
        direction = direction_to(first, second)
        assert direction is not None
        p, q = self.layout.lattice_to_pixel(side_vertices(first, direction))
        s, e = p + part[0] * (q - p), p + part[1] * (q - p)
        n = np.array([-(q - p)[1], (q - p)[0]]) / np.hypot(*(q - p)) * width / 2
        self._fill(np.array([s + n, e + n, e - n, s - n]), code)
        return self

    def stairs(self, name: str) -> Painted:
        """Print a stairwell square in the middle of a hex."""
        x, y = self.layout.centre(*self.where[name])
        self.marks.append(Mark(x, y, 5.0))
        return self

    def vertex(self, name: str, corner: int) -> np.ndarray:
        """Pixel of a corner of a hex."""
        X, Y = to_lattice(*self.where[name])
        return self.layout.lattice_to_pixel((X + CORNERS[corner][0], Y + CORNERS[corner][1]))

    def survey(self, **changes: object) -> Survey:
        """What a detector would have handed over."""
        given = {
            "name": "painted",
            "layout": self.layout,
            "cells": self.cells,
            "terrain": self.terrain,
            "elevation_half": np.zeros(self.terrain.shape, np.int8),
            "stairwells": tuple(self.marks),
        }
        return Survey(**(given | changes))  # type: ignore[arg-type]

    def _fill(self, points: np.ndarray, code: int) -> None:
        cv2.fillPoly(self.terrain, [np.rint(points).astype(np.int32)], code)
