"""The page of all checks, and the explanation of one."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_validator_registry import make

from hexsight.model.errors import UsageError
from hexsight.validators import Registry, all_checks, checks_page, explain, list_checks

PAGE = Path(__file__).resolve().parents[2] / "docs" / "checks.md"


def test_page_is_what_the_checks_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == checks_page(), (
        "write it again: python -m hexsight.validators > docs/checks.md"
    )


def test_page_links_lead_to_its_headings() -> None:
    page = checks_page()
    for one in all_checks().checks:
        assert f"[{one.id}](#{one.id.replace('/', '')})" in page
        assert f"\n### {one.id}\n" in page


@pytest.mark.parametrize("check_id", [c.id for c in all_checks().checks])
def test_explanations_have_every_heading(check_id: str) -> None:
    text = explain(check_id)
    assert text.startswith(f"{check_id}  (")
    for heading in ("What it finds", "Why it matters", "Example", "How to mend it", "Looks at"):
        assert f"\n{heading}\n" in text
    one = all_checks().get(check_id)
    assert ("Options" in text) == bool(one.options)
    assert all(len(line) <= 100 for line in text.splitlines())
    for part in (one.what, one.why, one.example, one.how_to_mend):
        assert part.endswith((".", "…")), part
    assert not one.title.endswith(".")


def test_explain_by_an_earlier_id_and_of_none() -> None:
    registry = Registry([make("wall/new-name", aliases=("wall/old-name",))])
    text = explain("wall/old-name", registry=registry)
    assert text.startswith("wall/new-name")
    assert "Earlier id: wall/old-name" in text
    assert "Earlier id: `wall/old-name`" in checks_page(registry=registry)
    with pytest.raises(UsageError, match="no check"):
        explain("wall/never-was")


def test_list_names_every_check() -> None:
    rows = list_checks().splitlines()
    assert [r.split()[0] for r in rows] == [c.id for c in all_checks().checks]
