"""Terrain that VASL's list lacks: named, set by hand, derived, told to VASL as what it knows."""

from __future__ import annotations

import numpy as np
import pytest
from painted import WOODS, Painted

from hexsight.export.vasl_grid import grid_for
from hexsight.export.vasl_losdata import board_losdata, losdata_member, substituted
from hexsight.model.derive import derive
from hexsight.model.layout import Layout
from hexsight.model.losdata import read_losdata
from hexsight.model.overrides import HexOverride, HexsideOverride, Overrides
from hexsight.model.terrain import HEXSIDE_KINDS, load_catalogue

OURS = range(230, 250)


def test_every_type_of_ours_has_one_that_vasl_knows_and_no_other_type_has():
    catalogue = load_catalogue()
    for terrain in catalogue.types:
        assert (terrain.vasl is not None) == (terrain.code in OURS), terrain
        if terrain.vasl is not None:
            assert catalogue.named(terrain.vasl).vasl is None
    codes = catalogue.vasl_codes
    assert not set(codes[[t.code for t in catalogue.types]].tolist()) & set(OURS)
    assert (codes[:200] == np.arange(200)).all()
    assert catalogue[int(codes[catalogue.named("Village").code])].name == "Building Cluster"


@pytest.mark.parametrize("name", [t.name for t in load_catalogue().types if t.code in OURS])
def test_a_person_sets_it_and_derive_carries_it(name):
    kind, code = load_catalogue().named(name).kind, load_catalogue().named(name).code
    if kind in HEXSIDE_KINDS:
        said = Overrides({}, {"B3-B2": HexsideOverride(terrain=name)})
        board = derive(Painted().survey(), said)
        assert {s.name: s.terrain for s in board.hexsides if s.terrain} == {"B2-B3": code}
    else:
        board = derive(Painted().survey(), Overrides({"B2": HexOverride(terrain=name, level=1)}))
        assert (board.hex("B2").terrain, board.hex("B2").base_half) == (code, 2)
        assert not board.buildings


def test_slopes_and_streams_that_are_drawn_lie_on_hexsides():
    painted = Painted().side("C2", "C3", 230).side("D3", "D4", 234).side("A1", "A2", 237)
    board = derive(painted.survey())
    assert {s.name: s.terrain for s in board.hexsides if s.terrain} == {
        "C2-C3": 230,
        "D3-D4": 234,
        "A1-A2": 237,
    }


def test_losdata_holds_what_vasl_knows_and_the_notes_say_so():
    layout = Layout.from_grid(56.25, 64.5, 0.0, 32.25)
    painted = Painted(6, 4, layout=layout).hexes("C2", code=232).hexes("D2", code=WOODS)
    board = derive(painted.side("B2", "B3", 230).survey())
    written = losdata_member(board_losdata(board, grid_for(board)), "LOSData")
    told = read_losdata(written).terrain
    assert set(np.unique(told).tolist()) == {0, WOODS, 115}
    assert ((told == 115) == (board.terrain == 232)).all()
    assert substituted(board) == (
        "VASL does not know Steep Slope: written as Open Ground.",
        "VASL does not know Village: written as Building Cluster.",
    )
    assert substituted(derive(Painted().hexes("C2").survey())) == ()
