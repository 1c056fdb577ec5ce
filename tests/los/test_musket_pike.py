"""Fronts and close combat of Musket & Pike, on open boards."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from los_tiny import WALL, board

from hexsight.los.games.musket_pike import (
    NoEntry,
    Situation,
    Surroundings,
    Unit,
    attackable,
    choices,
    combats,
    designate,
    facing_of,
    for_the_defender,
    front,
    leader_falls,
    leaders_at_risk,
    must_continue,
    place,
    refusal,
    surroundings,
)
from hexsight.model.board import Board
from hexsight.model.errors import UsageError
from hexsight.model.layout import direction_to, hex_distance

OPEN = board("\n".join([". " * 7] * 7))
SIDES = ("Parliament", "King")


def put(name: str, hexes: str, facing: int | str | None = None, **more: object) -> Unit:
    """A cavalry unit of the active wing, or what else is said."""
    what: dict[str, object] = {"side": SIDES[0], "kind": "cavalry", "wing": "left", **more}
    kind = "heavy-infantry" if "+" in hexes else what.pop("kind")
    what.pop("kind", None)
    return place(OPEN, name, kind=str(kind), hexes=hexes.split("+"), facing=facing, **what)  # type: ignore[arg-type]


def battle(*units: Unit, **more: object) -> Situation:
    return Situation(OPEN, units, SIDES[0], "left", **more)  # type: ignore[arg-type]


def why(situation: Situation, attacker: str, hex_: str) -> str:
    said = refusal(situation, attacker, hex_)
    return "" if said is None else said.rule


def test_a_counter_faces_a_vertex():
    """11.1.2: two front hexes beyond the vertex, two beside, two behind."""
    around = front(OPEN, put("A", "D4", "C4-D3-D4"))
    assert around == Surroundings(("C4", "D3"), None, ("C5", "E4"), ("E5", "D5"))
    assert facing_of(OPEN, ("D4",), "d4-d3-c4") == facing_of(OPEN, ("D4",), 0) == 0


def test_a_double_counter_has_three_front_hexes():
    """11.2.3: the central one touches both halves."""
    infantry = put("B", "D4+D5", "C5-D4-D5")
    around = front(OPEN, infantry)
    assert around.front == ("C6", "C5", "C4")
    assert around.central == "C5"
    assert around.flank == ("D6", "D3")
    assert around.rear == ("E4", "E5", "E6")
    assert attackable(OPEN, infantry) == ("C5",)
    assert facing_of(OPEN, ("D5", "D4"), "C5") == infantry.facing


@pytest.mark.parametrize(
    ("hexes", "facing", "message"),
    [
        ("D4", "E9-E8-D9", "cannot face"),
        ("D4", 6, "corners of D4 are 0 to 5"),
        ("D4", None, "needs a facing"),
        ("D4+D5", 0, "faces along the hexside"),
        ("D4+D6", 0, "do not touch"),
        ("D4+D5+D6", 0, "not in 3"),
        ("Z9", 0, "no hex Z9"),
    ],
)
def test_what_cannot_lie_or_face_so_is_told(hexes, facing, message):
    """11.2.3: one hex, or two adjacent ones and a facing along the side between them."""
    with pytest.raises(UsageError, match=message):
        put("A", hexes, facing)


def test_kinds_are_checked():
    """11.2.3: only infantry lies over two hexes."""
    with pytest.raises(UsageError, match="no cavalry takes two hexes"):
        place(OPEN, "A", "King", "cavalry", ("D4", "D5"), facing=0)
    with pytest.raises(UsageError, match="no kind of unit 'elephants'"):
        place(OPEN, "A", "King", "elephants", "D4")
    with pytest.raises(UsageError, match="has no front"):
        front(OPEN, place(OPEN, "A", "King", "wagon", "D4"))


def example() -> Situation:
    """A faces X; B, on two hexes, has Y in the middle of its front and Z at its end."""
    foe = {"side": SIDES[1], "wing": "royal"}
    return battle(
        put("A", "B3", 0, strength=3),
        put("B", "D3+E3", "D2", strength=5),
        put("C", "F4", 0, strength=2),
        put("X", "B2", 3, **foe),
        put("Y", "D2", 3, **foe),
        put("Z", "E2", 3, **foe),
    )


def test_the_example_of_a_close_combat():
    """11.1.2, 11.2.3 and the example of close combat: B may not attack Z, but Z may attack B."""
    start = example()
    assert front(OPEN, start.unit("B")).front == ("C3", "D2", "E2")
    assert choices(start, "A") == ("B2",)
    assert choices(start, "B") == ("D2",)
    assert why(start, "B", "E2") == "11.2.3"
    chosen = designate(designate(start, "A", "B2"), "B", "D2")
    assert choices(chosen, "X") == choices(chosen, "Y") == ()
    assert choices(chosen, "Z") == ("E3",)
    fought = combats(designate(chosen, "Z", "E3"))
    assert [(c.attackers, c.defenders) for c in fought] == [
        (("A",), ("X",)),
        (("B",), ("Y",)),
        (("Z",), ("B",)),
    ]


def test_active_and_inactive_player():
    """11.1.2: the activated wing attacks; the other side attacks units of that wing only."""
    s = battle(
        put("A", "D4", 0),
        put("reserve", "E4", 0, wing="right"),
        put("X", "D3", 3, side=SIDES[1], wing="foot"),
        put("Y", "E3", 3, side=SIDES[1], wing="foot"),
        put("Noble", "D4", kind="leader"),
        put("Lord", "F5", kind="leader"),
        put("W", "E5", 2, side=SIDES[1], wing="foot"),
    )
    assert why(s, "A", "D3") == ""
    assert why(s, "reserve", "E3") == "11.1.2"
    assert why(s, "X", "D4") == ""
    assert why(s, "Y", "E4") == "11.1.2"
    assert why(designate(s, "A", "D3"), "X", "D4") == "11.1.2"
    assert "activated wing" in (refusal(s, "Y", "E4") or pytest.fail("allowed")).text
    assert "activated wing" in (refusal(s, "W", "F5") or pytest.fail("allowed")).text


def test_a_leader_alone_may_be_attacked():
    """11.1.2: hexes with enemy units and leaders."""
    s = battle(put("A", "D4", 0), put("Prince", "D3", kind="leader", side=SIDES[1]))
    assert choices(s, "A") == ("D3",)


def test_adjacent_and_in_front():
    """11.1.2: adjacent to the defender, who is in a front hex."""
    s = battle(
        put("A", "D4", 0), *(put(h, h, 0, side=SIDES[1]) for h in ("D2", "D5", "E4", "C4", "D3"))
    )
    assert "not adjacent" in (refusal(s, "A", "D2") or pytest.fail("allowed")).text
    assert "no front hex" in (refusal(s, "A", "D5") or pytest.fail("allowed")).text
    assert why(s, "A", "E4") == "11.1.2"
    assert choices(s, "A") == ("C4", "D3")
    assert why(s, "A", "C5") == "11.1.2"  # nobody is there


def test_who_starts_no_close_combat():
    """11.1.2: attackers are units that fight; a wagon, a gun or a leader is none (assumed)."""
    for kind in ("artillery", "wagon", "leader"):
        s = battle(put("A", "D4", 0, kind=kind), put("X", "D3", 3, side=SIDES[1]))
        assert why(s, "A", "D3") == "11.1.2"
        assert choices(s, "A") == ()


def test_no_attack_into_what_cannot_be_entered():
    """11.1.2: a hex, or a hexside, that the unit cannot pass."""
    walled = board("\n".join([". " * 7] * 7), sides={"D3-D4": WALL})
    wood = board("\n".join([". " * 7] * 2 + [". . . w . . ."] + [". " * 7] * 4))
    units = (put("A", "D4", 0), put("X", "D3", 3, side=SIDES[1]))
    rules = NoEntry({"Woods": frozenset({"cavalry"})}, {"Wall": frozenset()})
    for where, allowed in ((OPEN, True), (walled, False), (wood, False)):
        s = Situation(where, units, SIDES[0], "left", no_entry=rules)
        assert (refusal(s, "A", "D3") is None) == allowed
    foot = (replace(units[0], kind="light-infantry"), units[1])
    assert refusal(Situation(wood, foot, SIDES[0], "left", no_entry=rules), "A", "D3") is None
    # A unit on two hexes enters where one of its halves can.
    both = (put("B", "D4+E4", "D3"), units[1])
    half = Situation(walled, both, SIDES[0], "left", no_entry=rules)
    assert refusal(half, "B", "D3") is None


def test_one_hex_a_unit_but_many_units_a_hex():
    """11.1.4: strengths add up."""
    s = battle(
        put("A", "D4", 0, strength=3),
        put("B", "C3", 2, strength=4),
        put("X", "D3", 3, side=SIDES[1]),
        put("Y", "C2", 3, side=SIDES[1]),
    )
    one = designate(s, "A", "D3")
    assert why(one, "A", "C3") == "11.1.4"
    two = designate(one, "B", "D3")
    (fight,) = combats(two)
    assert (fight.attackers, fight.defenders, fight.strength) == (("A", "B"), ("X",), 7)
    with pytest.raises(UsageError, match=r"attacks one only \(11.1.4\)"):
        designate(two, "B", "D3")


def test_both_hexes_of_a_double_unit_make_one_combat():
    """11.1.4, 11.2.3: it defends as one, and its other half starts nothing."""
    s = battle(
        put("A", "C4", 0, strength=3),
        put("B", "E4", 0, strength=4),
        put("C", "F4", 0, strength=2),
        put("X", "C3+D3", "C4", side=SIDES[1]),
        put("Y", "E3", 3, side=SIDES[1]),
        put("Z", "F3", 3, side=SIDES[1]),
    )
    assert why(s, "X", "C4") == ""
    one = designate(s, "A", "C3")
    (fight,) = combats(one)
    assert fight.defenders == ("X",)
    assert why(one, "X", "C4") == "11.2.3"
    both = designate(designate(one, "C", "F3"), "B", "D3")
    first, other = combats(both)
    assert (first.hexes, first.attackers, first.strength) == (("C3", "D3"), ("A", "B"), 7)
    assert other.attackers == ("C",)


def test_a_combat_that_joins_two():
    """11.1.4: an attack on one hex of a double unit whose other hex is attacked with more."""
    s = battle(
        put("A", "C4", 0, strength=1),
        put("B", "E4", 0, strength=2),
        put("X", "C3+D3", "C4", side=SIDES[1]),
        put("Prince", "D3", kind="leader", side=SIDES[1]),
    )
    (fight,) = combats(designate(designate(s, "A", "C3"), "B", "D3"))
    assert set(fight.defenders) == {"X", "Prince"}
    assert fight.strength == 3


def test_modifiers_favour_the_defender():
    """11.1.4: of different attackers and different terrain."""
    cavalry, foot = {"type": 2, "terrain": -1}, {"type": 0}
    assert for_the_defender([cavalry, foot]) == {"type": 0, "terrain": -1}
    assert for_the_defender([cavalry, foot], plus_helps_attacker=False) == {
        "type": 2,
        "terrain": 0,
    }


def test_when_an_attack_must_go_on():
    """11.1.2: attacked in turn or after a change, still in place, and an enemy unit still there."""
    start = example()
    chosen = designate(designate(start, "A", "B2"), "B", "D2")
    assert not must_continue(chosen, "B", chosen.units)  # voluntary until then
    answered = designate(chosen, "Z", "E3")
    assert must_continue(answered, "B", answered.units)
    assert not must_continue(answered, "A", answered.units)
    units = {u.name: u for u in answered.units}
    away = tuple({**units, "Y": replace(units["Y"], hexes=("F5",))}.values())
    assert not must_continue(answered, "B", away)
    assert must_continue(answered, "A", away)  # the situation has changed
    moved = tuple({**units, "B": replace(units["B"], hexes=("D4", "E4"))}.values())
    assert not must_continue(answered, "B", moved)
    lone = replace(units["Y"], kind="leader")
    assert not must_continue(answered, "B", tuple({**units, "Y": lone}.values()))
    with pytest.raises(UsageError, match="was not chosen"):
        must_continue(answered, "C", units.values())


def test_leaders_fall_on_a_nine_unless_it_was_a_miss():
    """10.10."""
    units = (put("A", "D4", 0), put("Rupert", "D4", kind="leader"))
    assert leaders_at_risk(units, "D4", missed=False) == ("Rupert",)
    assert leaders_at_risk(units, "D4", missed=True) == ()
    assert [die for die in range(10) if leader_falls(die)] == [9]
    assert not leader_falls(9, missed=True)
    with pytest.raises(UsageError, match="from 0 to 9"):
        leader_falls(10)


# Properties

CELLS = [h.name for h in OPEN.hexes if 1 <= h.col <= 5 and 1 <= h.row <= 5]


def turn(b: Board, name: str, centre: str, times: int) -> str | None:
    """The hex to which a turn of 60° about another takes a hex."""
    h, c = b.hex(name), b.hex(centre)
    q, r = h.col - c.col, _r(h.col, h.row) - _r(c.col, c.row)
    for _ in range(times):
        q, r = -r, q + r
    col = c.col + q
    row = r + _r(c.col, c.row) + (col - (col & 1)) // 2
    found = b.by_offset.get((col, row))
    return found.name if found else None


def _r(col: int, row: int) -> int:
    return row - (col - (col & 1)) // 2


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 5), st.integers(0, 5))
def test_fronts_turn_with_the_facing(facing: int, times: int):
    """11.1.2."""
    one = surroundings(OPEN, ("D4",), facing)
    other = surroundings(OPEN, ("D4",), (facing + times) % 6)
    for mine, theirs in zip(
        (one.front, one.flank, one.rear), (other.front, other.flank, other.rear), strict=True
    ):
        assert tuple(turn(OPEN, n, "D4", times) for n in mine) == theirs


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 5), st.booleans(), st.booleans())
def test_a_double_counter_is_both_its_halves(axis: int, ahead: bool, swapped: bool):
    """11.2.3: its front is theirs, its central front hex the one that both have."""
    second = turn(OPEN, "D3", "D4", axis)
    assert second is not None
    facing = (axis + 2) % 6 if ahead else (axis - 1) % 6
    hexes = (second, "D4") if swapped else ("D4", second)
    whole = surroundings(OPEN, hexes, facing)
    left, right = (surroundings(OPEN, (h,), facing) for h in hexes)
    assert set(whole.front) == set(left.front) | set(right.front)
    assert {whole.central} == set(left.front) & set(right.front)
    assert whole.front[1] == whole.central
    around = {n for h in hexes for n in neighbours(h)} - set(hexes)
    assert set(whole.front) | set(whole.flank) | set(whole.rear) == around
    assert len(whole.front) + len(whole.flank) + len(whole.rear) == len(around) == 8


def neighbours(name: str) -> set[str]:
    h = OPEN.hex(name)
    return {o.name for o in OPEN.hexes if direction_to((h.col, h.row), (o.col, o.row)) is not None}


@settings(max_examples=80, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(CELLS), st.integers(0, 5), st.sampled_from([0, 1, 2])),
        min_size=2,
        max_size=8,
        unique_by=lambda t: t[0],
    )
)
def test_whoever_is_chosen_stands_in_front_of_his_enemy(stands):
    """11.1.2, 11.1.4: adjacency and front hold for every choice; no target of the inactive
    player attacks; every attack lies in just one combat."""
    units = tuple(
        put(f"u{k}", hex_, facing, side=SIDES[who % 2], wing="right" if who == 2 else "left")
        for k, (hex_, facing, who) in enumerate(stands)
    )
    s = battle(*units)
    for unit in sorted(units, key=lambda u: u.side != SIDES[0]):
        options = choices(s, unit.name)
        for hex_ in options:
            a, b = OPEN.hex(unit.hexes[0]), OPEN.hex(hex_)
            assert hex_distance((a.col, a.row), (b.col, b.row)) == 1
            assert hex_ in front(OPEN, unit).front
        if options:
            s = designate(s, unit.name, options[0])
    inactive = {a.attacker for a in s.attacks if s.unit(a.attacker).side != SIDES[0]}
    first = [a for a in s.attacks if s.unit(a.attacker).side == SIDES[0]]
    assert not inactive & {u.name for a in first for u in s.attacked(a)}
    found = list(itertools.chain.from_iterable(c.attackers for c in combats(s)))
    assert sorted(found) == sorted(a.attacker for a in s.attacks)
