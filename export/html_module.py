"""Put a board's plain chart into a module, as a tab of a chart window, and take it out again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from xml.sax.saxutils import quoteattr

from hexsight.export.buildedit import Edit, Insert, Remove, edit_build_file
from hexsight.export.buildfile import BuildFile, Element, parse_build_file
from hexsight.export.original import open_original
from hexsight.export.rewrite import Progress, RewriteReport
from hexsight.export.vassal import FOLDER, board_slugs, rewrite
from hexsight.model.atomic import check_target
from hexsight.model.errors import UnsupportedError, UsageError

SUFFIX = ".chart.html"
WINDOW = "VASSAL.build.module.ChartWindow"
TABS = "VASSAL.build.widget.TabWidget"
CHART = "VASSAL.build.widget.HtmlChart"
TITLE = "Lines of sight"
# What only hexsight writes: by this a chart is known again.
_OURS = re.compile(re.escape(FOLDER) + r"[a-z0-9-]+" + re.escape(SUFFIX) + r"\Z")
# The root of a module's build file, now and before VASSAL 3.2.
_ROOTS = ("GameModule", "BasicModule")


def chart_member(name: str, taken: Mapping[str, str] | None = None) -> str:
    """Member that holds the chart of a board.

    Parameters
    ----------
    name : str
        Of the board.
    taken : mapping of str to str, optional
        Board by member of the charts that are there: another board of a like name
        keeps its own.
    """
    slug, number = board_slugs([name])[0], 2
    member = f"{FOLDER}{slug}{SUFFIX}"
    while (taken or {}).get(member, name) != name:
        member, number = f"{FOLDER}{slug}-{number}{SUFFIX}", number + 1
    return member


def add_chart(
    source: Path,
    target: Path,
    name: str,
    page: bytes,
    *,
    build_file: str = "buildFile.xml",
    overwrite: bool = False,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> RewriteReport:
    """Copy a module with the chart of a board; one that is there of the same board is replaced.

    Parameters
    ----------
    source, target : Path
    name : str
        Of the board; the tab is called so.
    page : bytes
        As `plain_chart` makes it.
    build_file : str
        Member that the module is built from.
    overwrite, dry_run : bool
    progress : callable, optional

    Raises
    ------
    UnsupportedError
        If `source` is no module.
    InputError, OutputError, VerificationError
        As `rewrite_zip` does.
    """
    check_target(target, overwrite=overwrite, source=source)
    # XML cannot carry control characters, and nobody would see them.
    name = "".join(c if c.isprintable() else " " for c in name).strip() or "board"
    build, names = _open(source, build_file)
    there = {e.attributes["fileName"]: e.attributes.get("chartName", "") for e in _charts(build)}
    member = chart_member(name, there)
    edits = _additions(build, name, member)
    replace = {build_file: edit_build_file(build, edits).data} if edits else {}
    add = {} if member in names else {member: page}
    if member in names:
        replace[member] = page
    return rewrite(source, target, add, replace, frozenset(), overwrite, dry_run, progress)


def remove_charts(
    source: Path,
    target: Path,
    *,
    build_file: str = "buildFile.xml",
    overwrite: bool = False,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> RewriteReport:
    """Copy a module without the charts that `add_chart` put there.

    Raises
    ------
    UsageError
        If there are none.
    UnsupportedError, InputError, OutputError, VerificationError
        As `add_chart` does.
    """
    check_target(target, overwrite=overwrite, source=source)
    build, names = _open(source, build_file)
    charts = _charts(build)
    members = frozenset(n for n in names if _OURS.match(n))
    if not charts and not members:
        raise UsageError(f"{source.name} holds no charts of hexsight: there is nothing to remove.")
    replace = {}
    if charts:
        replace[build_file] = edit_build_file(build, _removals(build, charts)).data
    return rewrite(source, target, {}, replace, members, overwrite, dry_run, progress)


def _open(source: Path, build_file: str) -> tuple[BuildFile, tuple[str, ...]]:
    with open_original(source) as original:
        names = original.names
        if build_file not in names:
            raise UnsupportedError(
                f"Cannot put a chart into {source.name}: it holds no {build_file}, so it is no "
                "VASSAL module. Name the .vmod."
            )
        build = parse_build_file(original.read(build_file), f"{build_file} in {source.name}")
    if build.root.short_tag not in _ROOTS:
        raise UnsupportedError(
            f"Cannot put a chart into {source.name}: it is a {build.root.short_tag} and no module. "
            "Name the .vmod."
        )
    return build, names


def _charts(build: BuildFile) -> list[Element]:
    found = build.find(CHART)
    return [e for e in found if _OURS.match(e.attributes.get("fileName", ""))]


def _additions(build: BuildFile, name: str, member: str) -> list[Edit]:
    """Nothing when the module shows the member already; else a tab, in a window if need be."""
    ours = _charts(build)
    if any(e.attributes["fileName"] == member for e in ours):
        return []
    chart = f"<{CHART} chartName={quoteattr(name)} fileName={quoteattr(member)}/>"
    tabs = [p for e in ours if (p := build.elements[e.parent]).tag == TABS]
    if tabs:
        return [Insert(tabs[-1], chart)]
    window = (
        f'<{WINDOW} hotkey="" icon="" name="{TITLE}" text="{TITLE}" tooltip="What each hex sees">'
        f'<{TABS} entryName="{TITLE}">{chart}</{TABS}></{WINDOW}>'
    )
    return [Insert(build.root, window)]


def _removals(build: BuildFile, charts: list[Element]) -> list[Edit]:
    """The charts; of a tab or window that holds nothing else, the whole."""
    gone = {e.number for e in charts}
    for tag in (TABS, WINDOW):
        for parent in build.find(tag):
            children = build.children(parent)
            if children and all(c.number in gone for c in children):
                gone = gone - {c.number for c in children} | {parent.number}
    return [Remove(build.elements[number]) for number in sorted(gone)]
