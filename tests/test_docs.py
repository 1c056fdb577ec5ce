"""The documents: links lead somewhere, examples do what is written beside them."""

from __future__ import annotations

import doctest
import pkgutil
import re
from dataclasses import fields
from importlib import import_module
from pathlib import Path

import pytest

from hexsight.cli import hexsight
from hexsight.los.hexes.lines import HexLine, LineStep, Verdict

ROOT = Path(__file__).resolve().parent.parent
MADE = "_made"
PAGES = sorted(
    p
    for folder in ("", "docs", "samples", "companion", "benchmarks")
    for p in (ROOT / folder).glob("*.md" if folder != "benchmarks" else "**/*.md")
    if MADE not in p.parts
)
PACKAGES = ("model", "extract", "los", "validators", "export")
_CODE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_TOC = re.compile(r"^```\{toctree\}\n(?P<body>.*?)^```", re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """Anchors of a page's headings, as code hosts and the documents' build make them."""
    text = _CODE.sub("", page.read_text(encoding="utf-8"))
    found: set[str] = set()
    for heading in re.findall(r"^#{1,6} +(.*?) *#*$", text, re.MULTILINE):
        plain = re.sub(r"[`*]|\[|\]\([^)]*\)", "", heading).lower()
        slug = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        number = 0
        while (one := slug if not number else f"{slug}-{number}") in found:
            number += 1
        found.add(one)
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_every_link_inside_the_project_leads_somewhere(page):
    text = _CODE.sub("", page.read_text(encoding="utf-8"))
    for link in _LINK.findall(re.sub(r"`[^`\n]*`", "", text)):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), f"{link} leads nowhere"
        assert ROOT in target.parents
        if anchor:
            assert anchor in anchors(target), f"{link}: no such heading"


def test_every_page_stands_in_the_contents():
    listed: set[str] = set()
    for page in (ROOT / "docs").glob("*.md"):
        for toc in _TOC.finditer(page.read_text(encoding="utf-8")):
            for line in toc["body"].splitlines():
                if line and not line.startswith((":", MADE)):
                    listed |= {p.stem for p in (ROOT / "docs").glob(f"{line}.md")}
    missing = {p.stem for p in (ROOT / "docs").glob("*.md")} - listed - {"index"}
    assert not missing, f"no toctree of docs/index.md names {missing}"


def modules() -> list[str]:
    """Names of all public modules of the packages that others may import."""
    found = []
    for package in PACKAGES:
        path = import_module(f"hexsight.{package}").__path__
        found += [m.name for m in pkgutil.walk_packages(path, f"hexsight.{package}.")]
    return sorted(n for n in found if not n.rpartition(".")[2].startswith("_"))


def test_examples_in_docstrings_do_what_they_say():
    examples = 0
    for name in modules():
        result = doctest.testmod(import_module(name), optionflags=doctest.ELLIPSIS)
        assert result.failed == 0, f"an example of {name} fails: python -m doctest shows it"
        examples += result.attempted
    assert examples >= 15


def test_every_command_is_told_on_the_page_of_commands():
    text = (ROOT / "docs/reference.md").read_text(encoding="utf-8")
    for verb in hexsight.commands.keys() | set(hexsight.list_commands(None)):
        assert f"`hexsight {verb}" in text, f"docs/reference.md says nothing of hexsight {verb}"


def test_the_page_for_rule_files_names_what_they_get():
    text = (ROOT / "docs/games.md").read_text(encoding="utf-8")
    for name, kind in (("line", HexLine), ("step", LineStep), ("verdict", Verdict)):
        has = {f.name for f in fields(kind)} | {
            n for n, v in vars(kind).items() if isinstance(v, property)
        }
        assert set(re.findall(rf"`{name}\.(\w+)`", text)) == has
