"""Scenario state on pictures: each thing shows where it is, and the legend tells it."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tinyboard import tiny_board

from hexsight.cli import run
from hexsight.export.canvas import WHITE, Canvas
from hexsight.export.picture_los import LosDrawing, draw_los
from hexsight.export.picture_state import (
    ORANGE,
    SKY,
    StateDrawing,
    UnitMark,
    draw_state,
    short_names,
    shown_in,
    state_legend,
)
from hexsight.export.picture_viewshed import ViewMark, draw_viewshed
from hexsight.los.overlay import Overlay, Smoke, Unit, Vehicle
from hexsight.model.board import Board
from hexsight.model.store import save_board
from hexsight.overlaydrawn import state_drawing


@pytest.fixture(scope="module")
def board() -> Board:
    return tiny_board()[1]


def _plain(board: Board) -> np.ndarray:
    return np.full((*board.size_px[::-1], 3), 200, np.uint8)


def _drawn(board: Board, state: StateDrawing) -> np.ndarray:
    """Pixels (H, W) bool that a state changes."""
    plain = _plain(board)
    canvas = Canvas(plain)
    draw_state(canvas, board, state)
    return np.asarray((canvas.image != plain).any(axis=2))


@pytest.mark.parametrize("key", ["smoke", "blazes", "wrecks", "vehicles", "rubble", "gutted"])
def test_each_thing_shows_in_its_hex_alone(board: Board, key: str):
    facts = board.hexes[len(board.hexes) // 2]
    state = StateDrawing(**{key: (facts.name,)})
    ys, xs = np.nonzero(_drawn(board, state))
    assert len(xs) > 20
    far = np.hypot(xs - facts.x_px, ys - facts.y_px).max()
    assert far < 0.65 * board.layout.dy
    assert len(state_legend(state)) == 1


def test_units_have_the_colour_of_their_side_and_turn_to_their_front(board: Board):
    one = board.hexes[len(board.hexes) // 2]
    around = [
        h for h in board.hexes if 0 < np.hypot(h.x_px - one.x_px, h.y_px - one.y_px) < 72 * 20
    ]
    two = min(around, key=lambda h: np.hypot(h.x_px - one.x_px, h.y_px - one.y_px))
    for side, colour in (("a", SKY), ("b", ORANGE), (None, WHITE)):
        unit = UnitMark((one.name,), "horse", "H", side)
        state = StateDrawing((unit,), sides=("a", "b"))
        canvas = Canvas(_plain(board))
        draw_state(canvas, board, state)
        assert tuple(canvas.image[round(one.y_px), round(one.x_px)]) == colour
        both = dataclasses.replace(unit, hexes=(one.name, two.name))
        wide = _drawn(board, StateDrawing((both,), sides=("a", "b")))
        assert wide.sum() > 1.5 * _drawn(board, state).sum()
        assert wide[round(two.y_px), round(two.x_px)]
    pictures = {
        _drawn(board, StateDrawing((UnitMark((one.name,), "horse", "H", None, f),))).tobytes()
        for f in (None, "0", "1", "2", "3", "4", "5")
    }
    assert len(pictures) == 7


def test_no_two_kinds_have_the_same_letters():
    kinds = ["infantry", "heavy-infantry", "heavy-item", "hi", "h-i", "inf", "in", "i"]
    letters = short_names(kinds)
    assert len(set(letters.values())) == len(kinds)
    assert letters == short_names(reversed(kinds))


def test_a_picture_tells_what_stands_in_its_part_of_the_map(board: Board):
    a, b = board.hexes[0], board.hexes[-1]
    state = StateDrawing(
        tuple(UnitMark((h.name,), "horse", "H", s) for h, s in ((a, "x"), (b, "y"))),
        smoke=(a.name, b.name),
        sides=("x", "y"),
    )
    here = shown_in(state, board, (b.x_px - 1, b.y_px - 1), (b.x_px + 1, b.y_px + 1))
    assert [u.side for u in here.units] == ["y"] and here.smoke == (b.name,)
    # A side keeps its colour whatever part is shown.
    assert state_legend(here)[0].colour == ORANGE


def test_overlays_show_on_lines_and_viewsheds(board: Board):
    a, b = board.hexes[0].name, board.hexes[-1].name
    overlay = Overlay(
        smoke=(Smoke(b),), vehicles=(Vehicle(a, wreck=True),), units=(Unit((b,), "horse", "x"),)
    )
    state = state_drawing(overlay)
    assert state is not None and state_drawing(None) is None
    assert (state.wrecks, state.smoke, state.units[0].letters) == ((a,), (b,), "H")
    rgb = _plain(board)
    bare = draw_los(rgb, board, LosDrawing(a, b, "clear"))
    full = draw_los(rgb, board, LosDrawing(a, b, "clear", on_map=state))
    assert full.shape[0] > bare.shape[0]
    assert (full[: bare.shape[0]] != bare).any()
    marks = [ViewMark(b, "", "clear")]
    assert (
        draw_viewshed(rgb, board, a, marks, on_map=state)[: rgb.shape[0]]
        != draw_viewshed(rgb, board, a, marks)[: rgb.shape[0]]
    ).any()


def test_render_draws_an_overlay(board: Board, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    folder, file = tmp_path / "board", tmp_path / "turn.yaml"
    save_board(board, folder)
    file.write_text("smoke: [B2]\n", encoding="utf-8")
    for name, more in (("bare", ()), ("full", ("--overlay", str(file)))):
        out = str(tmp_path / f"{name}.png")
        assert run(["render", str(folder), "-o", out, *more, "-q"]) == 0
    sizes = [Image.open(tmp_path / f"{name}.png").size for name in ("bare", "full")]
    assert sizes[1][1] > sizes[0][1]
    out = str(tmp_path / "wrong.png")
    assert run(["render", str(folder), "-o", out, "--rules", "asl"]) == 2
    assert "goes with --overlay" in capsys.readouterr().err
