"""The overlay as SVG: every feature a shape with a name, for drawing programs and web pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hexsight.export.canvas import BLACK, WHITE, Colour
from hexsight.export.html_page import map_address
from hexsight.export.lettering import half_levels
from hexsight.export.picture import (
    BLUE,
    CYAN,
    GREEN,
    MAGENTA,
    ORANGE,
    PURPLE,
    SKY,
    VERMILION,
    YELLOW,
    check_picture,
)
from hexsight.model.board import Board, HexsideFacts
from hexsight.model.errors import UsageError

SVG_LAYERS = (
    "map",
    "grid",
    "buildings",
    "roofless",
    "hexsides",
    "bars",
    "roads",
    "stairwells",
    "heights",
    "names",
    "doubts",
)
"""All layers, from the lowest to the highest; each is a group of that id."""

_BUILDING_COLOURS: dict[str, Colour] = {
    "stone": SKY,
    "wood": ORANGE,
    "market": PURPLE,
    "factory": BLUE,
}


def write_svg(
    board: Board,
    rgb: NDArray[np.uint8] | None = None,
    *,
    layers: set[str] | None = None,
) -> bytes:
    """Draw what is on a board as SVG.

    Parameters
    ----------
    board : Board
    rgb : (H, W, 3) uint8, optional
        The map, to lie below; it makes the file large.
    layers : set of str, optional
        Some of `SVG_LAYERS`, by default all but ``"names"``.

    Returns
    -------
    bytes
        SVG 1.1 in UTF-8.  Its unit is the board pixel, and (0, 0) is the middle of the
        top left one.  Every shape has a title with its name.

    Raises
    ------
    UsageError
        If a layer has no such name.
    InputError
        If the map is not of the board's size.
    """
    wanted = set(SVG_LAYERS) - {"names"} if layers is None else set(layers)
    if unknown := sorted(wanted - set(SVG_LAYERS)):
        raise UsageError(f"There is no layer {unknown[0]!r}. Layers are {', '.join(SVG_LAYERS)}.")
    if rgb is not None:
        check_picture(rgb, board)
    painter = _Painter(board, rgb)
    width, height = board.size_px
    out = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'width="{width}" height="{height}" viewBox="-0.5 -0.5 {width} {height}" '
        'font-family="sans-serif" text-anchor="middle">',
        f"<title>{_text(board.name)}</title>",
    ]
    for layer in SVG_LAYERS:
        if layer in wanted:
            rows = list(getattr(painter, f"_{layer}")())
            if rows:
                out += [f'<g id="{layer}">', *rows, "</g>"]
    out.append("</svg>\n")
    return "\n".join(out).encode("utf-8")


class _Painter:
    """One generator of elements a layer."""

    def __init__(self, board: Board, rgb: NDArray[np.uint8] | None) -> None:
        self.board = board
        self.rgb = rgb

    def _w(self, share: float) -> str:
        """A width as a share of the hex height."""
        return f"{max(0.5, share * self.board.layout.dy):.2f}"

    def _map(self) -> Iterable[str]:
        if self.rgb is not None:
            width, height = self.board.size_px
            yield (
                f'<image x="-0.5" y="-0.5" width="{width}" height="{height}" '
                f'xlink:href="{map_address(self.rgb, self.board)}"/>'
            )

    def _grid(self) -> Iterable[str]:
        style = f'fill="none" stroke="{_hex(CYAN)}" stroke-width="{self._w(0.012)}" opacity="0.6"'
        for h in self.board.hexes:
            path = _path([self.board.layout.corners(h.col, h.row)])
            name = self.board.catalogue[h.terrain].name
            yield _shape(path, style, f"{h.name}: {name}, level {half_levels(h.base_half)}")

    def _buildings(self) -> Iterable[str]:
        for b in self.board.buildings:
            colour = _BUILDING_COLOURS.get(b.material if b.kind == "building" else b.kind, SKY)
            style = (
                f'fill="{_hex(colour)}" fill-opacity="0.22" fill-rule="evenodd" '
                f'stroke="{_hex(colour)}" stroke-width="{self._w(0.04)}"'
            )
            told = (
                f"{b.material} {b.kind}, {half_levels(b.height_half)} levels: {' '.join(b.hexes)}"
            )
            yield _shape(_path(b.rings), style, told)

    def _roofless(self) -> Iterable[str]:
        style = (
            f'fill="{_hex(GREEN)}" fill-opacity="0.3" fill-rule="evenodd" stroke="{_hex(GREEN)}" '
            f'stroke-width="{self._w(0.035)}" stroke-dasharray="{self._w(0.12)} {self._w(0.06)}"'
        )
        for r in self.board.roofless:
            yield _shape(_path(r.rings), style, f"roofless: {' '.join(r.hexes)}")

    def _ends(self, side: HexsideFacts) -> NDArray[np.float64]:
        a = self.board.by_name[side.a]
        return self.board.layout.side(a.col, a.row, side.direction)

    def _cased(self, points: ArrayLike, colour: Colour, width: str, title: str) -> str:
        path = _path([points], closed=False)
        casing = f'fill="none" stroke="{_hex(BLACK)}" stroke-width="{float(width) * 1.6:.2f}"'
        inner = f'fill="none" stroke="{_hex(colour)}" stroke-width="{width}"'
        return f'<g>{_title(title)}<path d="{path}" {casing}/><path d="{path}" {inner}/></g>'

    def _hexsides(self) -> Iterable[str]:
        for side in self.board.hexsides:
            if side.terrain:
                name = f"{self.board.catalogue[side.terrain].name} {side.name}"
                yield self._cased(self._ends(side), YELLOW, self._w(0.05), name)

    def _bars(self) -> Iterable[str]:
        for side in self.board.hexsides:
            p, q = self._ends(side)
            for t0, t1 in side.bar:
                points = [p + t0 * (q - p), p + t1 * (q - p)]
                yield self._cased(points, MAGENTA, self._w(0.07), f"bar {side.name}")

    def _roads(self) -> Iterable[str]:
        r = 0.12 * self.board.layout.dy
        style = f'fill="{_hex(VERMILION)}" stroke="{_hex(WHITE)}" stroke-width="{self._w(0.02)}"'
        for b in self.board.buildings:
            for e in b.entries:
                corners = [(e.x_px, e.y_px - r), (e.x_px + r, e.y_px), (e.x_px, e.y_px + r)]
                path = _path([[*corners, (e.x_px - r, e.y_px)]])
                yield _shape(path, style, f"road enters {e.hex}")

    def _stairwells(self) -> Iterable[str]:
        style = f'fill="none" stroke="{_hex(BLACK)}" stroke-width="{self._w(0.035)}"'
        for m in self.board.stairwells:
            r = max(0.15 * self.board.layout.dy, 0.85 * m.size_px)
            place = f'cx="{m.x_px:.2f}" cy="{m.y_px:.2f}" r="{r:.2f}"'
            yield f"<circle {place} {style}>{_title('stairwell')}</circle>"

    def _letters(self, x: float, y: float, text: str, share: float, colour: Colour) -> str:
        size = share * self.board.layout.dy
        return (
            f'<text x="{x:.2f}" y="{y + 0.35 * size:.2f}" font-size="{size:.2f}" '
            f'fill="{_hex(colour)}" stroke="{_hex(WHITE)}" stroke-width="{size / 5:.2f}" '
            f'paint-order="stroke" stroke-linejoin="round">{_text(text)}</text>'
        )

    def _heights(self) -> Iterable[str]:
        for b in self.board.buildings:
            at = b.polygon.representative_point()
            yield self._letters(at.x, at.y, half_levels(b.height_half), 0.3, BLACK)

    def _names(self) -> Iterable[str]:
        layout = self.board.layout
        down = np.array(layout.row_px) * 0.36
        if layout.sideways:
            down = np.array(layout.col_px) * 0.4
        for h in self.board.hexes:
            yield self._letters(h.x_px + down[0], h.y_px + down[1], h.name, 0.17, BLUE)

    def _doubts(self) -> Iterable[str]:
        size = self.board.layout.dy
        style = f'fill="{_hex(YELLOW)}" stroke="{_hex(BLACK)}" stroke-width="{self._w(0.035)}"'
        for d in self.board.doubts:
            shape = [(0.0, -0.2), (0.19, 0.13), (-0.19, 0.13)]
            path = _path([[(d.x_px + x * size, d.y_px + y * size) for x, y in shape]])
            yield _shape(path, style, f"{d.where} {d.note}".strip())


def _path(rings: Sequence[ArrayLike], *, closed: bool = True) -> str:
    parts = []
    for ring in rings:
        points = np.asarray(ring, np.float64)
        listed = " ".join(f"{x:.2f},{y:.2f}" for x, y in points.tolist())
        parts.append(f"M{listed}{'Z' if closed else ''}")
    return "".join(parts)


def _shape(path: str, style: str, title: str) -> str:
    return f'<path d="{path}" {style}>{_title(title)}</path>'


def _title(text: str) -> str:
    return f"<title>{_text(text)}</title>"


def _text(text: str) -> str:
    """Escaped, and without the control characters that XML cannot carry."""
    return escape("".join(c if c.isprintable() else " " for c in text))


def _hex(colour: Colour) -> str:
    return "#" + "".join(f"{v:02x}" for v in colour)
