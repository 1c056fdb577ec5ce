"""Short ways to ask for tests of hex games."""

from __future__ import annotations

from hexsight.los.engine import ask
from hexsight.los.explain import Answer
from hexsight.los.overlay import Overlay, Smoke, Unit
from hexsight.los.rulesets import load_rules
from hexsight.model.board import Board


def look(
    board: Board,
    pair: str,
    observer: str | None = None,
    overlay: Overlay | None = None,
    rules: str = "musket-pike",
    side: str | None = None,
) -> Answer:
    """The answer for a pair such as ``"B1 B4"``, the same from both ends."""
    a, b = pair.split()
    profile = load_rules(rules)
    there = ask(board, a, b, profile, overlay, observer, side=side)
    back = ask(board, b, a, profile, overlay, observer, side=side)
    assert (there.state, there.hindrance, there.halvings) == (
        back.state,
        back.hindrance,
        back.halvings,
    )
    assert [r.code for r in there.reasons] == [r.code for r in back.reasons][::-1] or {
        r.code for r in there.reasons
    } == {r.code for r in back.reasons}
    return there


def state(*arguments: object, **more: object) -> str:
    """State alone, as `look`."""
    return look(*arguments, **more).state  # type: ignore[arg-type]


def why(answer: Answer) -> list[tuple[str, str, str | None]]:
    """Code, rule and place of every reason."""
    return [(r.code, r.rule, r.hexside or r.hex) for r in answer.reasons]


def units(**where: str) -> Overlay:
    """Units by kind (underscores for dashes): ``units(wagon="B2", cavalry="B3/red")``."""
    out = []
    for kind, place in where.items():
        hexes, _, side = place.partition("/")
        out.append(Unit(tuple(hexes.split("+")), kind.replace("_", "-"), side or None))
    return Overlay(units=tuple(out))


def smoke(*hexes: str) -> Overlay:
    """Smoke in some hexes."""
    return Overlay(smoke=tuple(Smoke(name) for name in hexes))
