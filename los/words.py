"""Answers in words, the same wherever they are told: command line, picture, review page."""

from __future__ import annotations

from hexsight.los.explain import Answer


def headline(answer: Answer) -> str:
    """The answer in one line: ``K15 → L16@2: blocked (range 2)``."""
    state = {
        "clear": "clear",
        "hindered": f"clear, hindered by {answer.hindrance}",
        "blocked": "blocked",
        "half": "half strength",
    }[answer.state]
    if answer.halvings > 1:
        state += f", halved {answer.halvings} times"
    inches = answer.notes.get("distance_in")
    far = f"range {answer.range}" if inches is None else f"{inches:g} in"
    line = f"{answer.from_name} → {answer.to_name}: {state} ({far})"
    if answer.notes.get("concealed"):
        line += ", Concealed" + (
            " and Gone to Ground" if answer.notes.get("gone_to_ground") else ""
        )
    if answer.tem is not None:
        line += f", TEM {answer.tem:+d}"
    if answer.out_of_smoke:
        line += f", {answer.out_of_smoke:+d} for firing out of smoke"
    return line


def class_lines(answer: Answer) -> list[str]:
    """One line a class of observer, where rules have several; the one that was asked first."""
    lines = []
    for name in sorted(answer.by_class, key=lambda n: n != answer.observer):
        one = answer.by_class[name]
        more = f" {one.hindrance}" if one.hindrance else ""
        more = f" (halved {one.halvings} times)" if one.halvings > 1 else more
        lines.append(f"{name}: {one.state}{more}")
    return lines


def reason_lines(answer: Answer, *, pixels: bool = True) -> list[str]:
    """One line a reason, in order from the first Location.

    Parameters
    ----------
    answer : Answer
    pixels : bool
        Also say where on the picture; who shows the picture need not.
    """
    lines = []
    for r in answer.reasons:
        place = r.hexside or r.vertex or r.hex or ""
        amount = f" +{r.hindrance}" if r.hindrance else ""
        at = f", at {r.pixel[0]:g}, {r.pixel[1]:g}" if pixels else ""
        told = f"{amount} {r.text} ({r.rule}{at})"
        lines.append(f"{place}:{told}" if place else told.strip())
    return lines
