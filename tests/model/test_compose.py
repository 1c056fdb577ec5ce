"""Boards side by side: which hexes become one, how they are called, and what cannot be joined."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from cutting import (
    FACTORY,
    HOUSE,
    OPEN,
    STONE,
    TALL,
    WALL,
    WOODS,
    board,
    cut,
    paint,
    turn,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from hexsight.model.board import Board, Doubt, Survey
from hexsight.model.compose import ComposedBoard, Crop, Placement, compose, compose_pictures
from hexsight.model.derive import derive
from hexsight.model.errors import InputError, UsageError
from hexsight.model.layout import Layout
from hexsight.model.overrides import HexOverride, HexsideOverride, Overrides
from hexsight.model.store import board_files, load_board, save_board


def small(columns: int = 5, rows: int = 3, **named: int) -> Survey:
    """A small map with some hexes filled: ``small(B2=WOODS)``."""
    codes = {(ord(n[0]) - 65, int(n[1:]) - 1): code for n, code in named.items()}
    return paint(codes, columns=columns, rows=rows)


def beside(left: Board, right: Board, **more: bool) -> ComposedBoard:
    return compose(
        [
            Placement(left, 0, 0, name="L", turned=more.get("left_turned", False)),
            Placement(right, 0, 1, name="R", turned=more.get("right_turned", False)),
        ]
    )


def test_half_hexes_at_a_seam_are_one_hex_with_two_names():
    joined = beside(board(small()), board(small()))
    assert len(joined.hexes) == 2 * 17 - 3
    assert joined.aliases == {"RA1": "LE1", "RA2": "LE2", "RA3": "LE3"}
    assert joined.hex("RA2") is joined.hex("LE2") is joined.hex(" ra2 ")
    assert joined.hex("LE2").on_map == pytest.approx(1, abs=0.01)
    assert joined.hex("RC2").col == joined.hex("LE2").col + 2
    assert joined.name == "L+R"
    with pytest.raises(UsageError, match="Did you mean"):
        joined.hex("LE9")


def test_other_names_are_saved(tmp_path: Path):
    joined = beside(board(small()), board(small()))
    save_board(joined, tmp_path / "map")
    again = load_board(tmp_path / "map")
    assert isinstance(again, ComposedBoard)
    assert again.aliases == joined.aliases
    assert again.hex("ra2").name == "LE2"
    assert board_files(again) == board_files(joined)
    assert b"aliases" not in board_files(board(small()))["board.json"]
    file = tmp_path / "map" / "board.json"
    file.write_text(file.read_text().replace('"RA1": "LE1"', '"RA1": "LX1"'))
    with pytest.raises(InputError, match="no hex"):
        load_board(tmp_path / "map")


def test_a_turned_board_keeps_its_names():
    joined = beside(board(small()), board(small()), right_turned=True)
    assert joined.aliases == {"RE3": "LE1", "RE2": "LE2", "RE1": "LE3"}
    assert joined.hex("RB0").row == joined.hex("LB3").row
    assert joined.hex("RA1").col == 8


def test_half_hexes_above_and_below_are_one_hex():
    joined = compose([Placement(board(small()), r, 0, name="NS"[r]) for r in (0, 1)])
    assert joined.aliases == {"SB0": "NB3", "SD0": "ND3"}
    assert (joined.hex("SA1").col, joined.hex("SA1").row) == (0, 3)


def test_a_building_across_a_seam_is_one_building():
    left, right = board(small(D2=STONE, E2=STONE)), board(small(A2=STONE, B2=STONE))
    joined = beside(left, right)
    assert [b.hexes for b in joined.buildings] == [("LD2", "LE2", "RB2")]
    assert joined.hex("RA2").building_share > 0.99


def test_terrain_of_a_joined_hex_comes_half_from_each_board():
    joined = beside(board(small(E2=WOODS)), board(small()))
    there = joined.owner == joined.hexes.index(joined.hex("LE2"))
    middle = joined.hex("LE2").x_px
    columns = np.flatnonzero((there & (joined.terrain == WOODS)).any(axis=0))
    assert columns.max() <= middle
    assert not (there & (joined.terrain != WOODS))[:, : int(middle)].any()


def test_walls_on_a_hexside_that_a_seam_halves():
    whole = paint({}, None, {"E1-E2": WALL, "E2-F2": WALL}, columns=9, rows=3)
    parts = [board(cut(whole, x=(None, 12))), board(cut(whole, x=(12, None)))]
    joined = beside(*parts)
    assert joined.side_by_name["LE1-LE2"].terrain == WALL
    assert joined.side_by_name["LE2-RF2"].terrain == WALL


def test_one_board_alone_is_itself():
    alone = board(small(B2=TALL, C1=WOODS))
    composed = compose([Placement(alone)])
    assert np.array_equal(composed.terrain, alone.terrain)
    assert composed.layout == alone.layout
    assert [h.name for h in composed.hexes] == [f"map{h.name}" for h in alone.hexes]
    renamed = [replace(h, name=f"map{h.name}") for h in alone.hexes]
    assert list(composed.hexes) == renamed


@settings(deadline=None, max_examples=25)
@given(st.lists(st.tuples(st.booleans(), st.sampled_from("abc")), min_size=1, max_size=6))
def test_rasters_are_only_moved(chosen):
    """However boards are turned and laid, each pixel is one of theirs, none is resampled."""
    maps = {c: board(small(**{f"B{i}": WOODS, "D1": HOUSE})) for i, c in enumerate("abc", 1)}
    composed = compose(
        [
            Placement(maps[c], i // 3, i % 3, turned, name=f"{i}:")
            for i, (turned, c) in enumerate(chosen)
        ]
    )
    for i, (turned, c) in enumerate(chosen):
        own = maps[c]
        for name in ("B2", "C2", "D1"):
            h, there = own.hex(name), composed.hex(f"{i}:{name}")
            step = -3 if turned else 3
            for dx in (-6, -step, 0, step, 6):
                x, y = round(there.x_px), round(there.y_px)
                sx, sy = round(h.x_px), round(h.y_px)
                if turned:
                    sx = own.size_px[0] - 1 - round(own.size_px[0] - 1 - h.x_px)
                    sy = own.size_px[1] - 1 - round(own.size_px[1] - 1 - h.y_px)
                assert (
                    composed.terrain[y, x + dx] == own.terrain[sy, sx - dx if turned else sx + dx]
                )


def test_digits_do_not_run_into_each_other():
    survey = small()
    numbered = replace(
        survey,
        cells=tuple(replace(c, name=f"{c.col + 1:02}{c.row + 1:02}") for c in survey.cells),
    )
    composed = compose([Placement(board(numbered), name="7")])
    assert composed.hex("7:0302").col == 2


def test_crops_by_labels_or_hex_names():
    whole = board(small(7, 4))
    by_label = compose([Placement(whole, crop=Crop(("C", "F"), ("2", "3")))])
    by_hex = compose([Placement(whole, crop=Crop(("F3", "C2"), ("C3", "e2")))])
    assert board_files(by_label)["terrain.png"] == board_files(by_hex)["terrain.png"]
    assert [h.name for h in by_label.hexes] == [
        *("mapC2", "mapC3", "mapD1", "mapD2", "mapD3", "mapE2", "mapE3", "mapF1", "mapF2", "mapF3")
    ]
    assert by_label.hex("mapC2").on_map == pytest.approx(0.5, abs=0.03)
    assert by_label.hex("mapD1").on_map == pytest.approx(0.5, abs=0.03)


def test_an_outermost_hexrow_in_a_crop_cuts_nothing_off():
    whole = board(small(7, 4, A1=WOODS))
    assert np.array_equal(
        compose([Placement(whole, crop=Crop(("A", "G"), ("1", "4")))]).terrain, whole.terrain
    )


def with_margin(survey: Survey, px: int) -> Survey:
    """The same map in a frame, as many printed maps are."""
    ox, oy = survey.layout.origin_px
    return replace(
        survey,
        layout=replace(survey.layout, origin_px=(ox + px, oy + px)),
        terrain=np.pad(survey.terrain, px, mode="edge"),
        elevation_half=np.pad(survey.elevation_half, px, mode="edge"),
    )


def test_a_frame_must_be_cropped_before_boards_are_joined():
    left, right = board(with_margin(small(E2=WOODS), 9)), board(small())
    with pytest.raises(UsageError, match=r"L cannot be joined at its right edge.*crop: columns"):
        beside(left, right)
    joined = compose(
        [
            Placement(left, 0, 0, crop=Crop(("A", "E"), ("1", "3")), name="L"),
            Placement(right, 0, 1, name="R"),
        ]
    )
    plain = beside(board(small(E2=WOODS)), right)
    assert joined.aliases == plain.aliases
    x, y = (round(v) for v in joined.layout.centre(0, 0))
    px, py = (round(v) for v in plain.layout.centre(0, 0))
    height, width = plain.terrain.shape
    inner = joined.terrain[y - py : y - py + height, x - px : x - px + width]
    assert np.array_equal(inner, plain.terrain)


def test_a_picture_a_pixel_short_leaves_no_gap():
    left = small(E2=WOODS, E1=FACTORY)
    short = replace(left, terrain=left.terrain[:, :-1], elevation_half=left.elevation_half[:, :-1])
    plain = beside(board(left), board(small(A2=WOODS)))
    joined = beside(board(short), board(small(A2=WOODS)))
    there = joined.owner == joined.hexes.index(joined.hex("LE2"))
    assert (joined.terrain[there] == WOODS).all()
    assert joined.size_px == plain.size_px


def test_other_spacing_is_resampled_to_the_common_lattice():
    big = small(9, 5, E3=TALL, B1=WOODS)
    factor = 1.015
    ox, oy = big.layout.origin_px
    height, width = big.terrain.shape
    wide = np.rint(np.arange(round(width * factor)) / factor).astype(int).clip(0, width - 1)
    stretched = replace(
        big,
        layout=Layout.from_grid(24.0 * factor, 28.0, ox * factor, oy),
        terrain=big.terrain[:, wide],
        elevation_half=big.elevation_half[:, wide],
    )
    assert stretched.terrain.shape[0] == height
    plain, joined = beside(board(big), board(big)), beside(board(big), board(stretched))
    assert joined.size_px == plain.size_px
    differ = plain.terrain != joined.terrain
    assert differ.mean() < 0.01
    assert not differ[:, :width].any()
    assert [h.terrain for h in plain.hexes] == [h.terrain for h in joined.hexes]


def sideways(survey: Survey) -> Survey:
    """The same map with x and y swapped."""
    ox, oy = survey.layout.origin_px
    return replace(
        survey,
        layout=Layout.from_grid(survey.layout.dx, survey.layout.dy, ox, oy, sideways=True),
        terrain=np.ascontiguousarray(survey.terrain.T),
        elevation_half=np.ascontiguousarray(survey.elevation_half.T),
        stairwells=tuple(replace(m, x_px=m.y_px, y_px=m.x_px) for m in survey.stairwells),
    )


def test_pointed_hexes_are_joined_alike():
    left, right = small(E2=STONE, B1=WOODS), small(A2=STONE, C3=HOUSE)
    upright = beside(board(left), board(right))
    swapped = compose(
        [
            Placement(board(sideways(left)), 0, 0, name="L"),
            Placement(board(sideways(right)), 1, 0, name="R"),
        ]
    )
    assert np.array_equal(swapped.terrain, upright.terrain.T)
    assert swapped.aliases == upright.aliases
    with pytest.raises(UsageError, match="flat-topped, those of the other pointed"):
        compose([Placement(board(left)), Placement(board(sideways(right)), 0, 1, name="R")])


def test_stairwells_move_along_and_count_once():
    survey = paint({(4, 1): TALL, (3, 1): TALL}, stairs=("E2", "D2"), columns=9, rows=3)
    halves = [board(cut(survey, x=(None, 12))), board(cut(survey, x=(12, None)))]
    joined = beside(*halves)
    assert len(joined.stairwells) == 2
    assert joined.hex("LE2").stairwell and joined.hex("LD2").stairwell
    over = beside(board(turn(cut(survey, x=(12, None), extra=1))), board(small()), left_turned=True)
    assert over.hex("LE2").stairwell


def test_overrides_of_the_single_boards_stay():
    said = Overrides(
        {
            "B2": HexOverride.model_validate({"level": 1, "stairwell": True}),
            "E2": HexOverride.model_validate({"level": 2}),
            "D2": HexOverride.model_validate({"factory": True, "height": 2.5}),
        },
        {
            "B2-C2": HexsideOverride(terrain="Hedge"),
            "D1-D2": HexsideOverride(terrain="none"),
        },
    )
    plain = paint({(3, 1): HOUSE}, None, {"D1-D2": WALL}, columns=5, rows=3)
    left = derive(replace(plain, typed=False), said)
    assert left.hex("E2").base_half == 4
    joined = beside(left, board(small()), left_turned=False)
    for name in ("B2", "E2", "D2"):
        own, there = left.hex(name), joined.hex(f"L{name}")
        assert (there.base_half, there.stairwell) == (own.base_half, own.stairwell)
        assert (there.factory, there.height_half) == (own.factory, own.height_half)
    assert joined.side_by_name["LB2-LC2"].terrain == 73
    assert joined.side_by_name["LD1-LD2"].terrain == 0
    assert joined.hex("LD2").height_half == 5


def test_doubts_and_confidences_come_along():
    left = board(small(B2=HOUSE))
    doubt = Doubt("odd", "B2", *left.layout.centre(1, 1), 0.4, "Odd.", "hexes: {}")
    side = replace(doubt, where="B2-C2")
    gone = replace(doubt, where="A1", x_px=0.0, y_px=14.0)
    hexes = tuple(replace(h, confidence=0.5 if h.name == "E2" else 1.0) for h in left.hexes)
    left = replace(left, doubts=(doubt, side, gone), hexes=hexes)
    joined = compose(
        [
            Placement(left, 0, 0, crop=Crop(("B", "E")), name="L", turned=True),
            Placement(board(small(7, 3)), 0, 1, crop=Crop(("B", "G")), name="R"),
        ]
    )
    assert [d.where for d in joined.doubts] == ["LB2", "LB2-LC2"]
    assert joined.doubts[0].note == "On board L: Odd."
    there = joined.hex("LB2")
    assert (joined.doubts[0].x_px, joined.doubts[0].y_px) == pytest.approx(
        (there.x_px, there.y_px), abs=0.6
    )
    assert joined.hex("LE2").confidence == 0.5


def test_a_building_told_differently_on_both_sides_is_a_doubt():
    joined = beside(board(small(E2=STONE)), board(small(A2=TALL)))
    assert [(d.kind, d.where) for d in joined.doubts] == [("seam-building", "LE2")]
    assert "L: building of 1.5 levels, R: building of 2.5 levels" in joined.doubts[0].note


def test_composed_maps_are_saved_like_boards(tmp_path):
    joined = beside(board(small(B2=TALL, E2=WOODS)), board(small(A2=WOODS)))
    save_board(joined, tmp_path / "joined")
    again = load_board(tmp_path / "joined")
    assert board_files(again) == board_files(joined)


def test_pictures_are_laid_as_the_terrain_is():
    boards = [board(small(B2=WOODS, D1=HOUSE)), board(small(C3=TALL))]
    placements = [
        Placement(boards[1], 0, 1, name="R"),
        Placement(boards[0], 0, 0, turned=True, name="L"),
    ]
    drawn = [np.repeat(p.board.terrain[:, :, None], 3, axis=2) for p in placements]
    picture = compose_pictures(placements, drawn)
    assert np.array_equal(picture[:, :, 1], compose(placements).terrain)
    with pytest.raises(UsageError, match="picture of board R is"):
        compose_pictures(placements, [drawn[0][:-1], drawn[1]])


def test_boards_of_two_heights_leave_a_place_free():
    """A board of six rows beside two of three."""
    tall, low = board(small(5, 6)), board(small(5, 3))
    joined = compose(
        [
            Placement(tall, 0, 0, name="T"),
            Placement(low, 0, 1, name="N"),
            Placement(low, 1, 1, name="S"),
        ]
    )
    assert joined.aliases["SA1"] == "TE4"
    assert joined.aliases["SB0"] == "NB3"
    corner = compose([Placement(tall, 0, 0, name="T"), Placement(low, 0, 1, name="N")])
    assert corner.hex("NC3").on_map > 0.95
    assert corner.hex("NB3").on_map == pytest.approx(0.5, abs=0.03)


WRONG = [
    ([], "at least one board"),
    ([(0, 0, "x"), (0, 0, "y")], "Two boards stand in row 1, place 1"),
    ([(0, 0, "x"), (0, 1, "X")], "Two boards of the map are called X"),
    ([(0, 0, " ")], "has no name"),
    ([(0, 0, "x"), (1, 1, "y")], "Leave no gaps"),
    ([(-1, 0, "x")], "count from 0"),
]


@pytest.mark.parametrize(("places", "said"), WRONG)
def test_places_that_cannot_be(places, said):
    own = board(small())
    with pytest.raises(UsageError, match=said):
        compose([Placement(own, r, c, name=name) for r, c, name in places])


def test_hexrows_that_do_not_meet():
    own = board(small())
    with pytest.raises(UsageError, match=r"cannot stand right of L.*half a hex"):
        compose([Placement(own, name="L", crop=Crop((None, "D"))), Placement(own, 0, 1, name="R")])
    with pytest.raises(UsageError, match=r"cannot stand below L.*half a hex"):
        compose([Placement(own, name="L", crop=Crop(("B", None))), Placement(own, 1, 0, name="R")])


def test_lattices_that_do_not_fit():
    own = small()
    other = replace(own, layout=Layout.from_grid(25.0, 28.0, *own.layout.origin_px))
    with pytest.raises(UsageError, match=r"columns stand 24\.00 and 25\.00 px apart"):
        beside(board(own), board(other))
    skew = replace(own, layout=replace(own.layout, row_px=(1.5, 28.0)))
    with pytest.raises(UsageError, match="slanted"):
        beside(board(own), board(skew))
    back = replace(own, layout=replace(own.layout, col_px=(-24.0, 0.0)))
    with pytest.raises(UsageError, match="backwards"):
        compose([Placement(board(back))])


def test_boards_on_top_of_each_other():
    wide, narrow = board(small(9, 3)), board(small(5, 3))
    with pytest.raises(UsageError, match="on top of each other"):
        compose(
            [
                Placement(narrow, 0, 0, name="a"),
                Placement(board(small(5, 6)), 0, 1, name="b"),
                Placement(wide, 1, 0, name="c"),
            ]
        )


def test_names_that_fall_together():
    survey = small()
    renamed = replace(survey, cells=tuple(replace(c, name=f"B{c.name}") for c in survey.cells))
    with pytest.raises(UsageError, match="Two hexes of the map would be called xB"):
        compose(
            [
                Placement(board(renamed), 0, 0, name="x"),
                Placement(board(survey), 0, 1, name="xB"),
            ]
        )


def test_seams_without_names():
    whole = small(9, 3)
    halves = [cut(whole, x=(None, 12)), cut(whole, x=(12, None))]
    nameless = [replace(h, cells=tuple(c for c in h.cells if c.col != 4)) for h in halves]
    assert beside(board(halves[0]), board(nameless[1])).hex("LE2")
    assert beside(board(nameless[0]), board(halves[1])).hex("RE2")
    with pytest.raises(UsageError, match="have no names on either board"):
        beside(board(nameless[0]), board(nameless[1]))


@pytest.mark.parametrize(
    ("crop", "said"),
    [
        (Crop(("A", "Z")), "has no column Z. They run from A to E"),
        (Crop(rows=("1", "12")), "has no row 12. They run from 0 to 3"),
        (Crop(("C", "C")), "Cropping leaves nothing"),
    ],
)
def test_crops_that_cannot_be(crop, said):
    with pytest.raises(UsageError, match=said):
        compose([Placement(board(small()), crop=crop)])


def test_too_many_pixels(monkeypatch):
    monkeypatch.setattr("hexsight.model.compose_raster.MAX_PIXELS", 10_000)
    with pytest.raises(UsageError, match="Use fewer boards"):
        beside(board(small(9)), board(small(9)))


def test_nothing_is_open_ground_unless_painted():
    """The helper itself: maps come out as painted."""
    assert set(np.unique(small().terrain)) == {OPEN}


def test_a_composed_map_can_be_composed_again():
    own = board(small(E2=STONE))
    row = beside(own, own)
    tower = compose([Placement(row, 0, 0, name="N"), Placement(row, 1, 0, turned=True, name="S")])
    assert tower.hex("NLE2").building == tower.by_name["NLE2"].building > 0
    assert tower.hex("SRB0").name == "SRB0"
    assert tower.aliases["SRB3"] == "NLD3"
