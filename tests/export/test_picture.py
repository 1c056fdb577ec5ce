"""Overlays: ink only where something is, the same each time, and readable signs."""

from __future__ import annotations

import dataclasses

import cv2
import numpy as np
import pytest
from tinyboard import tiny_board

from hexsight.export.differences import differences
from hexsight.export.lettering import drawable, half_levels, text_mask
from hexsight.export.picture import LAYERS, MAGENTA, render_overlay
from hexsight.export.picture_los import LosDrawing, LosMark, draw_los
from hexsight.model.board import Board
from hexsight.model.errors import InputError, UsageError

ALL = set(LAYERS)


def _near(board: Board, points: list[tuple[float, float]], reach_px: float) -> np.ndarray:
    """Pixels (H, W) bool within some distance of the points."""
    free = np.full(board.terrain.shape, 255, np.uint8)
    for x, y in points:
        row, col = round(y), round(x)
        if 0 <= row < free.shape[0] and 0 <= col < free.shape[1]:
            free[row, col] = 0
    return np.asarray(cv2.distanceTransform(free, cv2.DIST_L2, 5) <= reach_px)


def _along(a: np.ndarray, b: np.ndarray) -> list[tuple[float, float]]:
    return [tuple((a + t * (b - a)).tolist()) for t in np.linspace(0, 1, 60)]


def _points(board: Board, layer: str) -> list[tuple[float, float]]:
    """Where a layer may draw."""
    layout = board.layout
    match layer:
        case "bars" | "hexsides":
            sides = [s for s in board.hexsides if (s.bar if layer == "bars" else s.terrain)]
            cells = [(board.by_name[s.a], s.direction) for s in sides]
            return [p for h, d in cells for p in _along(*layout.side(h.col, h.row, d))]
        case "grid":
            corners = [layout.corners(h.col, h.row) for h in board.hexes]
            edges = [p for c in corners for i in range(6) for p in _along(c[i], c[i - 1])]
            return edges + [(h.x_px, h.y_px) for h in board.hexes]
        case "roofless":
            ys, xs = np.nonzero(np.isin(board.terrain, (170, 171)))
            return list(zip(xs.tolist(), ys.tolist(), strict=True))
        case "buildings" | "heights":
            codes = [c for c in range(256) if board.catalogue[c].in_depiction]
            ys, xs = np.nonzero(np.isin(board.terrain, codes))
            return list(zip(xs.tolist(), ys.tolist(), strict=True))
        case "roads":
            return [(e.x_px, e.y_px) for b in board.buildings for e in b.entries]
        case "stairwells":
            return [(m.x_px, m.y_px) for m in board.stairwells]
        case "doubts":
            return [(d.x_px, d.y_px) for d in board.doubts]
    raise AssertionError(layer)


@pytest.mark.parametrize("sideways", [False, True])
@pytest.mark.parametrize(
    ("layer", "reach_hexes"),
    [
        ("grid", 0.05),
        ("buildings", 0.1),
        ("roofless", 0.1),
        ("bars", 0.15),
        ("hexsides", 0.12),
        ("roads", 0.3),
        ("stairwells", 0.3),
        ("heights", 0.3),
        ("doubts", 0.3),
    ],
)
def test_a_layer_draws_near_its_features_alone(
    layer: str, reach_hexes: float, sideways: bool
) -> None:
    rgb, board = tiny_board(sideways=sideways)
    before = rgb.copy()
    out = render_overlay(rgb, board, layers={layer})
    changed = (out != rgb).any(axis=2)
    near = _near(board, _points(board, layer), reach_hexes * board.layout.dy)
    assert changed.any()
    assert not (changed & ~near).any()
    assert (rgb == before).all()


def test_bars_are_drawn_on_their_part_of_the_hexside() -> None:
    rgb, board = tiny_board()
    out = render_overlay(rgb, board, layers={"bars"})
    half = board.side_by_name["C4-D4"]
    h = board.by_name[half.a]
    p, q = board.layout.side(h.col, h.row, half.direction)
    inked = []
    for t in (0.25, 0.85):
        x, y = np.rint(p + t * (q - p)).astype(int)
        inked.append(bool((out[y, x] == MAGENTA).all()))
    assert half.bar[0][0] == 0.0
    assert inked == [True, False]


def test_the_map_keeps_its_place_and_the_legend_lies_below() -> None:
    rgb, board = tiny_board()
    bare = render_overlay(rgb, board, layers=ALL - {"legend"})
    full = render_overlay(rgb, board, layers=ALL)
    assert bare.shape == rgb.shape
    assert full.shape[0] > rgb.shape[0]
    assert (full[: rgb.shape[0]] == bare).all()
    assert (render_overlay(rgb, board, layers=ALL) == full).all()
    assert (render_overlay(rgb, board, layers=set()) == rgb).all()


@pytest.mark.parametrize("scale", [0.05, 0.5, 1.7, 3.0])
def test_scales(scale: float) -> None:
    rgb, board = tiny_board()
    out = render_overlay(rgb, board, layers=ALL - {"legend"}, scale=scale)
    assert out.shape[:2] == (round(rgb.shape[0] * scale), round(rgb.shape[1] * scale))
    render_overlay(rgb, board, scale=scale)


def test_what_cannot_be_drawn_is_told() -> None:
    rgb, board = tiny_board()
    with pytest.raises(UsageError, match=r"'bar'.*bars"):
        render_overlay(rgb, board, layers={"bar"})
    with pytest.raises(InputError, match="Build the board again"):
        render_overlay(rgb[:-1], board)
    with pytest.raises(InputError):
        render_overlay(rgb[..., 0], board)
    with pytest.raises(UsageError, match="another scale"):
        render_overlay(rgb, board, scale=1000.0)
    with pytest.raises(UsageError, match="another scale"):
        render_overlay(rgb, board, scale=0.0001)


def test_a_board_without_anything_is_just_a_grid() -> None:
    rgb, board = tiny_board()
    empty = dataclasses.replace(
        board,
        buildings=(),
        roofless=(),
        stairwells=(),
        doubts=(),
        hexes=board.hexes[:1],
        hexsides=(),
    )
    assert (render_overlay(rgb, empty, layers=ALL)[: rgb.shape[0]] != rgb).any()


def test_differences_name_each_fact_once() -> None:
    rgb, board = tiny_board()
    assert differences(board, board) == ()
    hexes = [
        dataclasses.replace(h, roofless=not h.roofless, height_half=h.height_half - 2)
        if h.name == "D4"
        else h
        for h in board.hexes
    ]
    sides = [dataclasses.replace(s, bar=()) if s.name == "C3-D3" else s for s in board.hexsides]
    wrong = dataclasses.replace(board, hexes=tuple(hexes), hexsides=tuple(sides))
    found = {d.where: d.text for d in differences(wrong, board)}
    assert found == {"D4": "-roofless 1½ for 2½", "C3-D3": "-bar"}
    out = render_overlay(rgb, wrong, layers={"differences"}, truth=board)
    assert (out != rgb).any()
    assert (render_overlay(rgb, wrong, layers={"differences"}) == rgb).all()


def test_half_levels_are_written_as_players_do() -> None:
    texts = [half_levels(h) for h in (-3, -2, 0, 1, 2, 3, 5)]
    assert texts == ["-1½", "-1", "0", "½", "1", "1½", "2½"]
    assert drawable("Mühle – 赤") == "Muhle - ?"
    assert text_mask("1½", 20).any()
    assert text_mask("", 20).shape[1] > 0


def _los(state: str = "blocked", **changes: object) -> LosDrawing:
    los = LosDrawing("B3", "F3", state, ("B3", "C3", "D3", "E3", "F3"), caption="B3 to F3: no")
    return dataclasses.replace(los, **changes)  # type: ignore[arg-type]


def test_a_line_of_sight_ends_solid_where_it_is_blocked() -> None:
    rgb, board = tiny_board()
    b, f = board.hex("B3"), board.hex("F3")
    x, y = (b.x_px + f.x_px) / 2, (b.y_px + f.y_px) / 2
    clear = draw_los(rgb, board, _los("clear", hexes=(), caption=""), crop=False)
    blocked = draw_los(
        rgb, board, _los(hexes=(), caption="", marks=(LosMark(x, y, label="O5.31"),)), crop=False
    )
    assert clear.shape == blocked.shape == rgb.shape
    row = round(y)
    behind = slice(round(x) + 15, round(f.x_px) - 15)
    assert len(np.unique(clear[row, behind], axis=0)) == 1
    assert len(np.unique(blocked[row, behind], axis=0)) > 1


@pytest.mark.parametrize("state", ["clear", "hindered", "half", "blocked"])
def test_a_crop_shows_the_surroundings(state: str) -> None:
    rgb, board = tiny_board()
    marks = (LosMark(100.0, 100.0, "hinders", "+1"), LosMark(150.0, 120.0))
    los = _los(state, start="C3", end="D3", marks=marks, caption="")
    out = draw_los(rgb, board, los, scale=2.0)
    assert out.shape[0] < 2 * rgb.shape[0]
    same = draw_los(rgb, board, dataclasses.replace(los, end="C3"))
    assert same.size > 0


def test_a_wrong_line_of_sight_is_told() -> None:
    rgb, board = tiny_board()
    with pytest.raises(UsageError, match="maybe"):
        draw_los(rgb, board, _los("maybe"))
    with pytest.raises(UsageError, match="Z99"):
        draw_los(rgb, board, _los(end="Z99"))
