"""The illustrated example of O5.43 and the other cases of the rules, on bdRBv2's LOSData."""

from __future__ import annotations

import itertools

import pytest
from example_543 import CLEAR, SQUADS
from los_shared import board_of, compare

from hexsight.los.compile import compile_board
from hexsight.los.explain import Answer, explain_compiled
from hexsight.los.profile import load_profile
from hexsight.los.table import Table, build_table
from hexsight.los.tables import Compiled

pytestmark = pytest.mark.shared


@pytest.fixture(scope="module")
def compiled(shared) -> Compiled:
    return compile_board(board_of(shared, "bdRBv2"), load_profile())


@pytest.fixture(scope="module")
def table(shared) -> Table:
    return build_table(board_of(shared, "bdRBv2"), load_profile())


@pytest.mark.parametrize("pair", list(itertools.combinations(sorted(SQUADS), 2)), ids="-".join)
def test_the_55_pairs(compiled, pair):
    """O5.43, second example; its walls O5.31, its debris O5.41, its access point O.4B."""
    answer = explain_compiled(compiled, SQUADS[pair[0]], SQUADS[pair[1]])
    assert (answer.state != "blocked") == ("-".join(pair) in CLEAR), answer.reasons


@pytest.mark.parametrize(
    ("firer", "target", "hindrance", "tem"),
    [
        ("C", "H", 4, 2),  # +6: two roofless hexes, and debris at the target
        ("H", "C", 4, 1),  # +5
        ("D", "H", 0, 2),  # +2: nothing hinders from the roof
        ("N", "M", None, 3),  # the line leaves the depiction
    ],
)
def test_modifiers(compiled, firer, target, hindrance, tem):
    """O5.41: of the second example of O5.43."""
    answer = explain_compiled(compiled, SQUADS[firer], SQUADS[target])
    assert answer.tem == tem
    if hindrance is not None:
        assert answer.hindrance == hindrance


def test_fire_from_outside_meets_the_building(compiled):
    """O5.41: J, fired on from outside, has the stone building's own TEM."""
    assert explain_compiled(compiled, "J19", "K19").tem == 3


@pytest.mark.parametrize(
    ("a", "b", "state"),
    [
        ("K15", "L16", "blocked"),
        ("L15", "K17", "blocked"),
        ("J18", "K20", "hindered"),
        ("O18@2", "O14", "blocked"),
        ("O18@2", "O15", "clear"),
        ("O18@2", "O16", "clear"),
        ("O18@2", "O17", "clear"),
    ],
)
def test_other_pairs(compiled, table, a, b, state):
    """O5.31 and the first example of O5.43."""
    answer = explain_compiled(compiled, a, b)
    assert answer.state == state
    assert table.query(a, b).state == state


def test_hindrance_beside_a_roofless_hex(compiled):
    """K19 hinders where its wall ends; L19's debris does not exist outside the building (O5.41)."""
    answer = explain_compiled(compiled, "J18", "K20")
    assert answer.hindrance_by_hex == {"K19": 2}
    outside = explain_compiled(compiled, "M20", "K20")
    assert not {r.code for r in outside.reasons} & {"hinders-roofless", "hinders-factory"}
    assert outside.hindrance_by_hex == {"L20": 1}  # debris on the open ground of L20


def test_tem_from_above(compiled):
    """O5.41, O5.43: +1 roofed, +2 with debris, +3 where the line enters from outside."""
    tem = [explain_compiled(compiled, "O18@2", hex_).tem for hex_ in ("O15", "O16", "O17")]
    assert tem == [1, 2, 3]


def breached(shared, *sides: str):
    board = board_of(shared, "bdRBv2")
    return compile_board(board, load_profile(), breached=frozenset(sides))


def test_breach(shared):
    """O5.33, O5.331: the example."""

    def ask(where: Compiled, a: str, b: str) -> Answer:
        return explain_compiled(where, a, b)

    one = breached(shared, "L15-K16")
    assert ask(one, "L15", "K16").state == "clear"
    assert ask(one, "L15", "J16").reasons[0].code == "leaves-factory"
    assert ask(one, "L15", "J17").state == "blocked"
    both = ask(breached(shared, "L15-K16", "J17-K17"), "L15", "J17")
    assert (both.state, both.hindrance, both.tem) == ("hindered", 3, 1)


# Ground to ground, all Locations, equal Hindrance: what we reach, less a margin.
AGREEMENT = [
    ("bd01", 0.997, 0.994, 0.999),
    ("bd02", 0.998, 0.998, 0.999),
    ("bd15", 0.995, 0.992, 0.99),
    ("bdBFPA", 0.997, 0.994, 0.995),
]


@pytest.mark.parametrize(("name", "ground", "every", "hindrance"), AGREEMENT)
def test_agreement_with_the_engine_that_players_use(shared, name, ground, every, hindrance):
    """An opinion to measure against; docs/los-disagreements.md says who is right."""
    found = compare(shared, name, build_table(board_of(shared, name), load_profile()))
    assert found.share(ground_only=True) >= ground
    assert found.share(ground_only=False) >= every
    assert found.hindrance_share() >= hindrance


def test_agreement_on_red_barricades(shared, table):
    found = compare(shared, "bdRBv2", table)
    assert found.share(ground_only=True) >= 0.998
    assert found.share(ground_only=False) >= 0.996
    assert found.hindrance_share() >= 0.995
