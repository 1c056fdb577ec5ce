"""What each check is about: for ``hexsight check --explain`` and for docs/checks.md.

``python -m hexsight.validators`` prints the page.
"""

from __future__ import annotations

import textwrap

from hexsight.validators.registry import GROUPS, Check, Registry, all_checks

WIDTH = 88
_ABOUT = {
    "module": "VASSAL modules: build file, boards, pictures, zones.",
    "picture": "Map pictures as files.",
    "grid": "Hex grids: what the file states against what is printed and what VASSAL can use.",
    "numbering": "Names of hexes.",
    "terrain": "What was read from the map, and a person's corrections of it.",
    "building": "Buildings, Factories, stairwells.",
    "wall": "Black bars, walls, hedges and cliffs on hexsides.",
    "level": "Ground levels.",
    "los": "Tables of line of sight, and whether they still fit.",
    "vasl": "VASL board archives.",
    "security": "What a file from a stranger should not hold.",
    "internal": "Hexsight itself.",
}
_NEEDS = {
    "board": "a board model",
    "survey": "what was found on the map, before corrections",
    "overrides": "corrections in hexsight.yaml",
    "module": "a VASSAL module",
    "picture": "the map picture",
    "grids": "a search for the printed grid",
    "archive": "a VASL board archive",
    "table": "a LOS table",
    "inputs": "the files that the board was made from",
    "legend": "the legend by which the picture was read",
    "labels": "names of hexes read from the print",
    "terrain": "terrain read from the picture beside the stored one",
}


def explain(name: str, *, registry: Registry | None = None) -> str:
    """All about one check, for a terminal.

    Parameters
    ----------
    name : str
        Its id, or one that it had before.

    Raises
    ------
    UsageError
        If there is no such check; names the nearest.
    """
    registry = all_checks() if registry is None else registry
    one = registry.get(name)
    parts = [f"{one.id}  ({one.severity.label})", one.title + "."]
    for heading, text in _sections(one):
        parts.append(f"{heading}\n{textwrap.indent(textwrap.fill(text, WIDTH - 2), '  ')}")
    if one.options:
        rows = [
            textwrap.fill(
                f"{key} (default {one.defaults[key]:g}): {text}",
                WIDTH,
                initial_indent="  ",
                subsequent_indent="    ",
            )
            for key, text in one.options.items()
        ]
        parts.append("Options, set in a profile\n" + "\n".join(rows))
    if one.aliases:
        parts.append(f"Earlier id: {', '.join(one.aliases)}")
    return "\n\n".join(parts) + "\n"


def _sections(one: Check) -> tuple[tuple[str, str], ...]:
    return (
        ("What it finds", one.what),
        ("Why it matters", one.why),
        ("Example", one.example),
        ("How to mend it", one.how_to_mend),
        ("Looks at", _needs(one)),
    )


def _needs(one: Check) -> str:
    return " and ".join(_NEEDS[fact] for fact in one.needs) or "nothing"


def list_checks(*, registry: Registry | None = None) -> str:
    """Ids, severities and titles, one check a line."""
    registry = all_checks() if registry is None else registry
    width = max((len(c.id) for c in registry.checks), default=0)
    rows = [f"{c.id:<{width}}  {c.severity.label:<5}  {c.title}" for c in registry.checks]
    return "\n".join(rows) + "\n"


def checks_page(*, registry: Registry | None = None) -> str:
    """The page docs/checks.md: every check under its fixed headings."""
    registry = all_checks() if registry is None else registry
    out = [
        "# Checks",
        "",
        "<!-- Written by `python -m hexsight.validators`; a test holds it equal. -->",
        "",
        "`hexsight check PATH…` looks for these. An id never changes its meaning and is never "
        "used again; a check that is renamed answers to its earlier id too.",
        "",
        "| severity | means |",
        "|---|---|",
        "| note | worth knowing, nothing need be done |",
        "| warn | probably wrong, a person should look |",
        "| fail | wrong, and play will suffer |",
        "| error | the check itself broke off |",
        "",
    ]
    for group in GROUPS:
        found = [c for c in registry.checks if c.group == group]
        if not found:
            continue
        out += [f"## {group}", "", _ABOUT[group], "", "| id | severity | finds |", "|---|---|---|"]
        out += [
            f"| [{c.id}](#{_anchor(c)}) | {c.severity.label} | {_cell(c.title)} |" for c in found
        ]
        out.append("")
        for one in found:
            out += _entry(one)
    return "\n".join(out).rstrip("\n") + "\n"


def _anchor(one: Check) -> str:
    return one.id.replace("/", "")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _entry(one: Check) -> list[str]:
    out = [f"### {one.id}", "", f"**{one.title}** · {one.severity.label}", ""]
    for heading, text in _sections(one):
        out += [f"**{heading}.** {text}", ""]
    if one.options:
        out += ["**Options.**", ""]
        out += [f"- `{k}` (default {one.defaults[k]:g}): {text}" for k, text in one.options.items()]
        out.append("")
    if one.aliases:
        out += [f"Earlier id: {', '.join(f'`{a}`' for a in one.aliases)}", ""]
    return out
