"""Numbers of measured rules, and how mistakes in them are told."""

from __future__ import annotations

import flames_scene as fs
import pytest

from hexsight.los.flames.profile import inches, profile_from_text
from hexsight.los.rulesets import load_rules
from hexsight.model.errors import UsageError


@pytest.mark.parametrize(
    ("said", "length"),
    [
        (2, 2),
        ("2", 2),
        ("2in", 2),
        ('4"', 4),
        ("16″", 16),
        ("5cm", 2),
        ("40 cm", 16),
        ("1.5 CM", 0.6),
    ],
)
def test_inches_and_centimetres(said, length):
    """003 3.1, 6.1: 2″ is 5 cm, 4″ 10 cm, 16″ 40 cm."""
    assert inches(said) == pytest.approx(length)


def test_what_is_no_length_is_refused():
    with pytest.raises(ValueError, match="is no length"):
        inches("2 feet")


def test_the_book_in_centimetres_is_the_same_rules():
    said = fs.TEXT.replace("disc: 2 ", "disc: 5cm").replace("limit: 16", "limit: 40 cm")
    assert profile_from_text(said, "cm.yaml").smoke == fs.PROFILE.smoke


def test_rules_of_ones_own_say_only_what_differs(tmp_path):
    file = tmp_path / "village.yaml"
    file.write_text(
        "engine: measured\nextends: flames\nname: village\npixels_per_inch: 32\n"
        "smoke: {limit: 50cm}\n",
        "utf-8",
    )
    rules = load_rules(str(file))
    assert (rules.name, rules.pixels_per_inch, rules.smoke.limit) == ("village", 32, 20)
    assert rules.teams == fs.PROFILE.teams and rules.digest != fs.PROFILE.digest


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("engine: measured\nextends: asl\n", "line 2: rules that measure extend 'flames' only"),
        ("engine: measured\nextends: flames\nsmoke: {disk: 2}\n", "line 3: the key 'disk'"),
        ("engine: measured\nextends: flames\nsmoke: {disc: two}\n", "line 3.*is no length"),
        ("engine: measured\nextends: flames\npixels_per_inch: 0\n", "line 3"),
        ("engine: measured\nextends: flames\nsmoke: {disc: -2}\n", "line 3"),
        ("engine: measured\nextends: flames\nsmoke: {disc: .nan}\n", "line 3"),
        ("engine: measured\n", "the key 'name' is missing"),
        ("- engine\n", "it needs keys"),
    ],
)
def test_mistakes_are_told_with_their_line(text, told):
    with pytest.raises(UsageError, match=told):
        profile_from_text(text, "mine.yaml")
