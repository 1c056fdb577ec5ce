"""VASSAL's hex grids: defaults, attributes as Java reads them, round trips."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexsight.model.vassal_grid import DEFAULT_DX, HexGrid, UnusableGridError
from hexsight.model.vassal_java import java_double, java_int, java_round
from hexsight.model.vassal_numbering import HexGridNumbering, read_number, write_number

SIZE = (1226, 1446)

numberings = st.builds(
    HexGridNumbering,
    first=st.sampled_from("HV"),
    sep=st.sampled_from(["", "-", ".", ","]),
    h_type=st.sampled_from("NA"),
    v_type=st.sampled_from("NA"),
    h_leading=st.integers(0, 3),
    v_leading=st.integers(0, 3),
    h_off=st.integers(-5, 40),
    v_off=st.integers(-5, 40),
    h_descend=st.booleans(),
    v_descend=st.booleans(),
    stagger=st.booleans(),
    oblique=st.booleans(),
)
grids = st.builds(
    HexGrid,
    dx=st.floats(12, 300),
    dy=st.floats(12, 300),
    x0=st.integers(-60, 120),
    y0=st.integers(-60, 120),
    sideways=st.booleans(),
)
hexes = st.tuples(st.integers(-6, 60), st.integers(-6, 60))


@given(grids, numberings, hexes)
def test_named_and_raw_are_inverse(
    grid: HexGrid, numbering: HexGridNumbering, raw: tuple[int, int]
) -> None:
    named = numbering.named(grid, SIZE, *raw)
    assert numbering.raw(grid, SIZE, *named) == raw


@given(grids, numberings.filter(lambda n: n.sep in (".", ",")), hexes)
def test_a_name_with_separator_leads_back_to_its_hex(
    grid: HexGrid, numbering: HexGridNumbering, raw: tuple[int, int]
) -> None:
    name = numbering.name(grid, SIZE, *raw)
    assert numbering.find(grid, SIZE, name) == raw


@given(grids, numberings, hexes)
def test_the_engine_finds_the_right_hex_unless_a_fault_is_told(
    grid: HexGrid, numbering: HexGridNumbering, raw: tuple[int, int]
) -> None:
    named = numbering.named(grid, SIZE, *raw)
    faults = [f for f in numbering.faults(grid, SIZE) if "own look-up" in f]
    if not faults:
        assert numbering.engine_raw(grid, SIZE, *named) == raw


@given(grids, hexes)
def test_a_centre_belongs_to_its_hex_and_snaps_to_itself(
    grid: HexGrid, raw: tuple[int, int]
) -> None:
    x, y = grid.centre(*raw)
    assert grid.raw(x, y) == raw
    assert grid.snapped_raw(x, y) == raw
    assert grid.snap(x, y) == (x, y)


@given(grids, hexes)
def test_the_layout_is_the_grid_without_rounding(grid: HexGrid, raw: tuple[int, int]) -> None:
    lx, ly = grid.layout().centre(*raw)
    x, y = grid.centre(*raw)
    # The engine cuts the half row and the sum towards zero.
    assert abs(lx - x) < 2.0 and abs(ly - y) < 2.0


@given(st.integers(-2000, 2000), st.sampled_from("NA"), st.integers(0, 4))
def test_numbers_are_read_as_they_were_written(number: int, kind: str, leading: int) -> None:
    assert read_number(write_number(number, kind, leading), kind) == number


@pytest.mark.parametrize(
    ("number", "kind", "leading", "text"),
    [
        (7, "N", 1, "07"),
        (7, "N", 0, "7"),
        (123, "N", 1, "123"),
        (-3, "N", 1, "-03"),
        (0, "A", 0, "A"),
        (25, "A", 0, "Z"),
        (26, "A", 0, "AA"),
        (27, "A", 0, "BB"),
        (-1, "A", 0, "-B"),
    ],
)
def test_numbers_and_letters(number: int, kind: str, leading: int, text: str) -> None:
    assert write_number(number, kind, leading) == text


def test_defaults_are_those_of_vassal() -> None:
    grid = HexGrid.from_attributes({})
    assert (grid.x0, grid.y0, grid.dy, grid.sideways, grid.snap_to) == (0, 32, 64.0, False, True)
    assert grid.dx == pytest.approx(math.sqrt(3) / 2 * 64)
    numbering = HexGridNumbering.from_attributes({})
    assert (numbering.first, numbering.sep, numbering.h_off, numbering.stagger) == (
        "H",
        "",
        1,
        True,
    )


def test_dx_follows_dy_only_while_it_has_its_default() -> None:
    root = math.sqrt(3) / 2
    assert HexGrid.from_attributes({"dy": "100"}).dx == pytest.approx(root * 100)
    assert HexGrid.from_attributes({"dx": "90", "dy": "100"}).dx == 90
    assert HexGrid.from_attributes({"dy": "100", "dx": "90"}).dx == 90
    # Written out with its default value it is computed anew, if it comes first.
    same = repr(DEFAULT_DX)
    assert HexGrid.from_attributes({"dx": same, "dy": "100"}).dx == pytest.approx(root * 100)
    assert HexGrid.from_attributes({"dy": "100", "dx": same}).dx == DEFAULT_DX


@pytest.mark.parametrize("text", ["1.0", " 5", "5 ", "", "0x10", "2147483648", "five", "١"])
def test_java_refuses_these_whole_numbers(text: str) -> None:
    with pytest.raises(ValueError, match="whole number"):
        java_int(text)
    with pytest.raises(ValueError, match="x0="):
        HexGrid.from_attributes({"x0": text})


@pytest.mark.parametrize(
    ("text", "value"), [("1", 1.0), (" 2.5 ", 2.5), ("1e2", 100.0), ("3d", 3.0), (".5", 0.5)]
)
def test_java_reads_these_decimals(text: str, value: float) -> None:
    assert java_double(text) == value


@pytest.mark.parametrize("text", ["NaN", "1e308", "Infinity", "-5", "0", "1e-9"])
def test_unusable_spacings_are_told_apart_from_unreadable_ones(text: str) -> None:
    with pytest.raises(UnusableGridError, match="dx"):
        HexGrid.from_attributes({"dx": text})


@pytest.mark.parametrize("text", ["", "1,5", "1e", "nan", "0x", "1_000"])
def test_java_refuses_these_decimals(text: str) -> None:
    with pytest.raises(ValueError, match=r"dx=.*no number"):
        HexGrid.from_attributes({"dx": text})


def test_halves_round_up_also_below_zero() -> None:
    assert [java_round(v) for v in (-1.5, -0.5, 0.49999999999999994, 0.5, 2.5)] == [-1, 0, 0, 1, 3]


@pytest.mark.parametrize("key", ["hOff", "vLeading", "fontSize"])
def test_a_bad_number_in_a_numbering_names_the_attribute(key: str) -> None:
    with pytest.raises(ValueError, match=key):
        HexGridNumbering.from_attributes({key: "x"})


def test_names_beyond_memory_are_refused() -> None:
    with pytest.raises(ValueError, match="beyond use"):
        HexGridNumbering.from_attributes({"hOff": "2000000000", "hType": "A"})


def test_location_formats() -> None:
    grid = HexGrid()
    base = HexGridNumbering(h_type="A", v_leading=0, sep="-", h_off=0, stagger=False)
    assert base.name(grid, SIZE, 2, 4) == "C-5"
    shown = HexGridNumbering(
        h_type="A", v_leading=0, location_format="row $row$, column $column$", stagger=False
    )
    assert shown.name(grid, SIZE, 2, 4) == "row 5, column D"
    assert shown.find(grid, SIZE, "row 5, column D") == (2, 4)
    # An unknown name gives nothing; a dollar that is not closed vanishes.
    odd = HexGridNumbering(location_format="$gridLocation$ $what$at$5", stagger=False)
    assert odd.name(grid, SIZE, 0, 0) == "0101 at5"


def test_names_that_cannot_be_told_apart_are_warned_about() -> None:
    grid = HexGrid()
    both = HexGridNumbering(h_type="A", v_type="A")
    assert any("letters" in w for w in both.faults(grid, SIZE))
    blind = HexGridNumbering(location_format="$column$")
    assert any("share names" in w for w in blind.faults(grid, SIZE))
    with pytest.raises(ValueError, match="does not fit"):
        blind.find(grid, SIZE, "01")


def test_the_known_fault_of_stagger_on_an_odd_descending_axis() -> None:
    grid = HexGrid(dx=60, dy=100, x0=0, y0=0)
    numbering = HexGridNumbering(h_descend=True, stagger=True)
    odd, even = (700, 600), (800, 600)
    assert any("descending column axis" in f for f in numbering.faults(grid, odd))
    assert not any("descending column axis" in f for f in numbering.faults(grid, even))
    named = numbering.named(grid, odd, 3, 2)
    assert numbering.engine_raw(grid, odd, *named) != (3, 2)
    assert numbering.raw(grid, odd, *named) == (3, 2)


def test_oblique_rows_follow_a_slant() -> None:
    grid = HexGrid()
    one_way = HexGridNumbering(oblique=True, stagger=False, v_off=0, h_off=0)
    rows = [one_way.named(grid, SIZE, c, 5)[1] for c in range(6)]
    assert rows == [6, 6, 5, 5, 4, 4]
    other = HexGridNumbering(oblique=True, stagger=True, v_off=0, h_off=0)
    assert [other.named(grid, SIZE, c, 5)[1] for c in range(6)] == [5, 6, 6, 7, 7, 8]


def test_hexes_on_a_board_are_those_whose_centre_lies_on_it() -> None:
    for sideways in (False, True):
        grid = HexGrid(dx=50, dy=58, x0=-10, y0=20, sideways=sideways)
        found = set(grid.hexes_on((300, 200)))
        around = {(c, r) for c in range(-5, 20) for r in range(-5, 20)}
        expected = {
            h for h in around if 0 <= grid.centre(*h)[0] < 300 and 0 <= grid.centre(*h)[1] < 200
        }
        assert found == expected
    assert not list(HexGrid().hexes_on((100, 100), (90, 90, 80, 80)))
