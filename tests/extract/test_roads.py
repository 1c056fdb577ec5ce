"""Roads run up to the outlines that they enter; specks are none."""

from __future__ import annotations

import numpy as np

from hexsight.extract.roads import draw_roads, find_roads
from hexsight.model.terrain import load_catalogue

ROADS = load_catalogue().table(kind="road")
SHAPE = (200, 240)


def test_a_road_reaches_the_building_over_its_shadow() -> None:
    ground = np.zeros(SHAPE, np.uint8)
    ground[100:118, :150] = 65
    buildings = np.zeros(SHAPE, bool)
    buildings[60:160, 155:220] = True
    hidden = np.zeros(SHAPE, bool)
    hidden[55:165, 150:225] = True
    found = find_roads(ground, ROADS, hidden, buildings, 64.0)
    assert (found.codes[104:114, 150:155] == 65).all()
    assert not found.codes[buildings].any()
    assert not found.specks.any()
    assert 0.9 < found.confidence <= 1.0
    picture = np.zeros((*SHAPE, 3), np.uint8)
    assert draw_roads(picture, found).any()


def test_specks_in_a_roads_colour_are_refused() -> None:
    ground = np.zeros(SHAPE, np.uint8)
    ground[20:26, 20:26] = 66
    ground[100:118] = 66
    found = find_roads(ground, ROADS, np.zeros(SHAPE, bool), np.zeros(SHAPE, bool), 64.0)
    assert found.specks[22, 22]
    assert not found.codes[22, 22]
    assert found.codes[105, 120] == 66


def test_no_road_at_all() -> None:
    nothing = np.zeros(SHAPE, bool)
    found = find_roads(np.zeros(SHAPE, np.uint8), ROADS, nothing, nothing, 64.0)
    assert not found.codes.any()
    assert found.confidence == 1.0


def test_a_road_goes_on_below_a_crater_but_no_road_joins_two_beside_it() -> None:
    ground = np.zeros(SHAPE, np.uint8)
    ground[40:60] = 65
    ground[140:160] = 65
    hidden = np.zeros(SHAPE, bool)
    hidden[30:70, 90:130] = True
    hidden[60:140, 180:200] = True
    ground[hidden] = 0
    found = find_roads(ground, ROADS, hidden, np.zeros(SHAPE, bool), 64.0)
    assert (found.codes[44:56, 92:128] == 65).all()
    assert not found.codes[80:120, 170:210].any()
    assert not found.codes[30:36, 100:120].any()
