"""The examples of docs/flames.md run as they stand there."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from hexsight.los.rules.registry import REASONS
from hexsight.los.rulesets import load_rules
from hexsight.overlayfile import load_overlay

PAGE = Path(__file__).resolve().parents[3] / "docs/flames.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_the_examples_of_the_page():
    done = doctest.testfile(
        str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS, encoding="utf-8"
    )
    assert done.attempted > 30
    assert done.failed == 0


def test_the_files_of_the_page_are_right(tmp_path):
    rules, overlay = tmp_path / "village.yaml", tmp_path / "turn3.yaml"
    for file in (rules, overlay):
        found = re.search(rf"```yaml\n(# {file.name}.*?)```", TEXT, re.DOTALL)
        assert found is not None
        file.write_text(found[1], encoding="utf-8")
    assert load_rules(str(rules)).pixels_per_inch == 32
    assert len(load_overlay(overlay, None, load_rules("flames")).teams) == 5


def test_every_reason_stands_on_the_page():
    for number, reason in REASONS.items():
        if 100 <= number < 120:
            assert f"`{reason.code}`" in TEXT
