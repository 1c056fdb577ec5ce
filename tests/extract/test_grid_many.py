"""Several grids on one sheet, and what the extent of the main one leaves out."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from test_grid_art import Picture, ground, print_grid, worst_px

from hexsight.extract.grid import GridFit, draw_fit, search_grid
from hexsight.extract.grid_many import search_grids
from hexsight.model.layout import Layout

SIZE = (1100, 700)
MAIN = Layout.from_grid(43.5, 50, 13, 22)
LEFT, RIGHT = (20.0, 20.0, 520.0, 680.0), (590.0, 20.0, 1080.0, 680.0)


def _beside(fit: GridFit, layout: Layout) -> float:
    """Largest distance of a centre within the extent from the lattice that was drawn there."""
    near = layout.pixel_to_hex(fit.extent.centres_px)
    there = np.array([layout.centre(int(c), int(r)) for c, r in near])
    return float(np.hypot(*(there - fit.extent.centres_px).T).max())


def _framed(picture: Picture, box: tuple[int, int, int, int]) -> Picture:
    left, top, right, bottom = box
    out = picture.copy()
    cv2.rectangle(out, (left, top), (right, bottom), (250, 250, 250), -1)
    cv2.rectangle(out, (left, top), (right, bottom), (0, 0, 0), 2)
    return out


@pytest.mark.parametrize(
    "second",
    [
        Layout.from_grid(30, 34.6, 800, 40, sideways=True),
        Layout.from_grid(43.5, 50, 723, 31),
        MAIN,
    ],
    ids=["another scale", "the same scale", "the same lattice"],
)
def test_two_panels(second: Layout) -> None:
    picture = print_grid(print_grid(ground(SIZE), MAIN, box=LEFT), second, box=RIGHT)
    search = search_grids(picture)
    assert search.fit is not None
    fits = sorted((search.fit, *search.others), key=lambda fit: fit.extent.box_px[0])
    assert len(fits) == 2
    for fit, layout, box in zip(fits, (MAIN, second), (LEFT, RIGHT), strict=True):
        assert _beside(fit, layout) < 0.3
        assert np.abs(np.array(fit.extent.box_px) - box).max() < 0.9 * MAIN.dy
    assert search.fit.layout == search_grid(picture).fit.layout  # type: ignore[union-attr]
    drawn = draw_fit(picture, search.fit, search.others)
    for left, _, right, _ in (LEFT, RIGHT):
        part = slice(int(left) + 30, int(right) - 30)
        assert (drawn[:, part] != picture[:, part]).any(axis=2).mean() > 0.02


def test_an_inset_at_another_scale() -> None:
    box = (760, 430, 1099, 699)
    inset = Layout.from_grid(20, 23, 770, 445)
    picture = _framed(print_grid(ground(SIZE), MAIN), box)
    picture = print_grid(picture, inset, box=(box[0] + 12, box[1] + 12, box[2] - 8, box[3] - 8))
    search = search_grids(picture)
    assert search.fit is not None
    assert worst_px(MAIN, search.fit.layout, SIZE) < 0.3
    assert len(search.others) == 1
    assert _beside(search.others[0], inset) < 0.3
    left, top, _, _ = search.others[0].extent.box_px
    assert left > box[0] - 12
    assert top > box[1] - 12


@pytest.mark.parametrize("box", [(760, 0, 1099, 240), (400, 200, 740, 460)])
def test_the_extent_leaves_tables_out(box: tuple[int, int, int, int]) -> None:
    picture = _framed(print_grid(ground(SIZE), MAIN), box)
    for y in range(box[1] + 30, box[3] - 5, 28):
        cv2.putText(picture, "D6  DRM  -1  2 KIA", (box[0] + 10, y), cv2.FONT_HERSHEY_SIMPLEX,
                    0.6, (0, 0, 0), 1, cv2.LINE_AA)  # fmt: skip
    search = search_grids(picture)
    assert search.fit is not None
    assert not search.others
    x, y = search.fit.extent.centres_px.T
    deep = (x > box[0] + 25) & (x < box[2] - 25) & (y > box[1] + 25) & (y < box[3] - 25)
    assert not deep.any()
    mask = search.fit.extent.mask(SIZE)
    assert not mask[(box[1] + box[3]) // 2, (box[0] + box[2]) // 2]


def test_one_grid_is_one_grid() -> None:
    search = search_grids(print_grid(ground(SIZE), MAIN))
    assert search.fit is not None
    assert not search.others
    assert not search.fit.extent.holes_px
    assert search_grids(ground(SIZE)).fit is None
