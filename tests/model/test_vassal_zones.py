"""Squares, regions, zones, and the names of VASL's boards."""

from __future__ import annotations

import pytest

from hexsight.model.vassal_grid import HexGrid
from hexsight.model.vassal_numbering import HexGridNumbering, SquareGridNumbering
from hexsight.model.vassal_vasl import VaslNaming, column_letters
from hexsight.model.vassal_zones import Region, RegionGrid, SquareGrid, Zone, ZonedGrid

SIZE = (400, 300)
HEXES = HexGrid(dx=50, dy=58, x0=20, y0=30, numbering=HexGridNumbering(h_type="A", v_leading=0))


def test_squares() -> None:
    grid = SquareGrid.from_attributes({"dx": "50", "dy": "40", "x0": "25", "y0": "20"})
    assert grid.raw(120, 100) == (2, 2)
    assert grid.centre(2, 2) == (125, 100)
    assert grid.snap(118, 108) == (125, 100)
    assert grid.name(120, 100, SIZE) is None
    numbered = SquareGrid(50, 40, 25, 20, numbering=SquareGridNumbering(v_descend=True))
    assert numbered.name(120, 100, SIZE) == "0307"


def test_the_nearest_region_wins() -> None:
    grid = RegionGrid((Region("Wood", 10, 10), Region("Hill", 100, 10)))
    assert grid.name(50, 10, SIZE) == "Wood"
    assert grid.name(60, 10, SIZE) == "Hill"
    assert grid.snap(60, 30) == (100, 10)
    assert grid.find("Hill") == (100, 10) and grid.find("Lake") is None
    assert RegionGrid().name(1, 1, SIZE) is None and RegionGrid().snap(1, 2) == (1, 2)


def _zone(**more: object) -> Zone:
    values: dict[str, object] = {
        "name": "Town",
        "polygon": ((100, 50), (200, 50), (200, 150), (100, 150)),
        **more,
    }
    return Zone(**values)  # type: ignore[arg-type]


def test_the_first_zone_names_the_place() -> None:
    zone = _zone(use_parent_grid=True, location_format="$name$ $gridLocation$")
    grid = ZonedGrid((zone, _zone(name="Later")), HEXES)
    plain = HEXES.name(150, 100, SIZE)
    assert grid.name(150, 100, SIZE) == f"Town {plain}"
    assert grid.name(10, 10, SIZE) == HEXES.name(10, 10, SIZE)
    assert grid.snap(150, 100, SIZE) == HEXES.snap(150, 100)


def test_a_zone_without_grid_has_a_name_alone_and_does_not_snap() -> None:
    grid = ZonedGrid((_zone(),), HEXES)
    assert grid.name(150, 100, SIZE) == "Town"
    assert grid.snap(151, 103, SIZE) == (151, 103)


def test_descending_numbers_count_in_the_box_of_the_zone() -> None:
    numbering = HexGridNumbering(h_descend=True, h_off=0, v_off=0, stagger=False)
    own = HexGrid(dx=50, dy=50, x0=0, y0=0, numbering=numbering)
    grid = ZonedGrid((_zone(own_grid=own, location_format="$gridLocation$"),))
    # The zone is 100 px wide: two columns; the board would have eight.
    assert grid.name(150, 100, SIZE) == numbering.name(own, (100, 100), *own.raw(150, 100))
    assert grid.name(150, 100, SIZE) != numbering.name(own, SIZE, *own.raw(150, 100))
    assert grid.name(10, 10, SIZE) is None


def test_upper_and_left_edges_belong_to_a_zone() -> None:
    zone = _zone()
    assert zone.contains(100, 50) and zone.contains(199, 149)
    assert not zone.contains(200, 100) and not zone.contains(150, 150)
    assert not Zone("Line", ((0, 0), (9, 9))).contains(1, 1)
    assert Zone("Empty", ()).size_px == (0, 0)


@pytest.mark.parametrize(
    ("col", "letters"), [(0, "A"), (25, "Z"), (26, "AA"), (32, "GG"), (52, "AAA"), (-1, "-B")]
)
def test_column_letters(col: int, letters: str) -> None:
    assert column_letters(col) == letters


def test_a_standard_board_begins_with_a1_and_b0() -> None:
    naming = VaslNaming()
    hexes = naming.hexes((33, 10), (1800, 645))
    assert len(hexes) == 346
    assert hexes[0] == (0, 0, "A1") and hexes[10] == (1, -1, "B0") and hexes[-1][2] == "GG10"
    layout = naming.layout()
    assert layout.centre(0, 0) == (0, 32.25)
    assert layout.centre(1, -1) == pytest.approx((56.25, 0))
    assert all(naming.offset(name) == (c, r) for c, r, name in hexes)


def test_a_board_that_begins_with_a_half_a1() -> None:
    naming = VaslNaming(56.25, 64.47, 20, 20)
    names = [n for _, _, n in naming.hexes((26, 63), (1445, 4100))]
    assert names[0] == "A1" and "B0" not in names and "B1" in names
    assert "A64" in names and "B63" in names and "B64" not in names
    # On a picture that ends with the half hex B63 there is no A64.
    names = [n for _, _, n in naming.hexes((26, 63), (1445, 4071))]
    assert "A63" in names and "A64" not in names and "B63" in names
    assert naming.layout().centre(1, 0) == pytest.approx((76.25, 20 + 64.47 / 2))


def test_a_board_that_continues_another_begins_in_its_middle() -> None:
    right_half = VaslNaming(56.3125, 64.5, -901, 32.25)
    names = [n for _, _, n in right_half.hexes((17, 20), (901, 1290))]
    assert names[0] == "Q1" and "R0" in names and names[-1] == "GG20"
    lower_half = VaslNaming(56.25, 64.5, 0, -612.75)
    names = [n for _, _, n in lower_half.hexes((33, 10), (1800, 645))]
    assert names[0] == "A11" and "B10" in names and names[-1] == "GG20"


def test_boards_with_equal_rows_and_other_grain() -> None:
    naming = VaslNaming(56.25, 64.5, 0, 65, alt_hex_grain=True)
    hexes = naming.hexes((4, 3), (170, 200), equal_rows=True)
    assert [n for _, _, n in hexes[:4]] == ["A0", "A1", "A2", "B1"]
    assert naming.layout().centre(*naming.offset("B1")) == pytest.approx((56.25, 65 - 32.25))


def test_an_old_board_has_every_hex_on_its_picture() -> None:
    hexes = VaslNaming().hexes(None, (1800, 645))
    assert hexes == VaslNaming().hexes((33, 10), (1800, 645))


@pytest.mark.parametrize("name", ["", "5", "AB3", "A", "A 3", "Ä1"])
def test_what_is_no_name(name: str) -> None:
    with pytest.raises(ValueError, match="no hex name"):
        VaslNaming().offset(name)
