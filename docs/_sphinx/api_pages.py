"""Pages of the Python API, one a package, written anew by each build.

Which modules and names there are is looked up, so that a page cannot grow stale: every
module of a package, every public name that the module itself defines.
"""

from __future__ import annotations

import pkgutil
import re
from functools import partial
from importlib import import_module
from pathlib import Path

PACKAGES = {
    "hexsight.model": "Lattice, names, terrain, the board and what is derived from it",
    "hexsight.extract": "From bytes to what is on the map",
    "hexsight.los": "Line of sight: rules, tables, explanations, overlays",
    "hexsight.validators": "Checks and reports",
    "hexsight.export": "Modules, archives, pictures, charts",
}


def modules_of(package: str) -> list[str]:
    """Names of all modules below a package that are meant for others, by alphabet."""
    found = import_module(package)
    names = [
        each.name
        for each in pkgutil.walk_packages(found.__path__, f"{package}.")
        if not any(part.startswith("_") for part in each.name.split("."))
    ]
    return sorted(names)


def page_of(package: str, about: str) -> str:
    """Text of the page of a package."""
    lines = [f"# `{package}`", "", f"{about}.", ""]
    for name in modules_of(package):
        if hasattr(import_module(name), "__path__"):
            continue  # a package without names of its own
        lines += [f"## {name.removeprefix(package + '.')}", ""]
        lines += ["```{eval-rst}", f".. automodule:: {name}", "   :members:", "```", ""]
    return "\n".join(lines)


def write_api_pages(folder: Path) -> None:
    """Write all pages; those that say the same stay untouched, so that builds can be quick."""
    folder.mkdir(parents=True, exist_ok=True)
    for package, about in PACKAGES.items():
        target = folder / f"{package.removeprefix('hexsight.')}.md"
        text = page_of(package, about)
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.write_text(text, encoding="utf-8")


def own_footnotes(
    _app: object, _what: str, name: str, _object: object, _options: object, lines: list[str]
) -> None:
    """Footnotes of docstrings count from 1 each; on a page they need names of their own."""
    own = re.sub(r"\W", "", name.removeprefix("hexsight"))
    for i, line in enumerate(lines):
        lines[i] = re.sub(r"\[(\d+)\]_|(?<=^\.\. )\[(\d+)\]", partial(_renamed, own), line)


def _renamed(own: str, found: re.Match[str]) -> str:
    return f"[{own}{found[1]}]_" if found[1] else f"[{own}{found[2]}]"
