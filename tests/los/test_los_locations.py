"""Which Locations a board has, and how people name them."""

from __future__ import annotations

import pytest
from los_tiny import board

from hexsight.model.errors import UsageError
from hexsight.model.locations import find_location, locations_of


def names(text: str, **more: object) -> list[str]:
    return [loc.name for loc in locations_of(board(text, **more))]  # type: ignore[arg-type]


def test_ground_everywhere():
    assert names(". w\nb s") == ["A1", "A2", "B1", "B2"]


def test_storeys_rooftop_and_cellar_of_a_multi_hex_building():
    assert names("T .\nT .") == [
        *("A1@-1", "A1", "A1@1", "A1@2", "A1@roof"),
        *("A2@-1", "A2", "A2@1", "A2@2", "A2@roof"),
        *("B1", "B2"),
    ]


def test_single_hex_house_has_levels_only():
    assert names(". . .\n. S .\n. . .")[4:6] == ["B2", "B2@1"]


def test_factory_levels_only_at_stairwells_and_no_roof_where_it_fell_in():
    """O5.4, O.4B."""
    assert names("F .\nR .\nF .", stairs=("A1",)) == [
        *("A1", "A1@1", "A1@2", "A1@roof"),
        "A2",
        *("A3", "A3@roof"),
        *("B1", "B2", "B3"),
    ]


def test_heights():
    b = board("S1 .1\nS1 .1")
    heights = {loc.name: loc.level_half for loc in locations_of(b)}
    assert heights["A1"] == 2
    assert heights["A1@1"] == 4
    assert heights["A1@roof"] == 5
    assert heights["A1@-1"] == 0
    assert heights["B1"] == 2


def test_find_location():
    b = board("T .\nT .")
    locations = locations_of(b)
    assert find_location(locations, "a1@ROOF", b).name == "A1@roof"
    assert find_location(locations, " A1@0 ", b).name == "A1"
    with pytest.raises(UsageError, match=r"It has A1@-1, A1, A1@1, A1@2, A1@roof"):
        find_location(locations, "A1@3", b)
    with pytest.raises(UsageError, match="no hex Q9"):
        find_location(locations, "Q9", b)
