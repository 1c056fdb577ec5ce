"""Sphinx extension: what the build makes by itself before the pages are read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from api_pages import own_footnotes, write_api_pages
from sphinx.application import Sphinx


def make(app: Sphinx) -> None:
    """Write the pages of the Python API."""
    write_api_pages(Path(app.srcdir) / "_made" / "api")


def literal(_app: Sphinx, _context: object, lines: list[str]) -> None:
    """Help texts are plain text: their stars are no markup."""
    lines[:] = [line.replace("*", r"\*") for line in lines]


def outdated(_app: Sphinx, _env: object, *_pages: object) -> list[str]:
    """The page of commands is always read anew: Sphinx cannot see that a command changed."""
    return ["cli"]


def setup(app: Sphinx) -> dict[str, Any]:
    """Tell Sphinx."""
    app.connect("builder-inited", make)
    app.connect("env-get-outdated", outdated)
    app.connect("autodoc-process-docstring", own_footnotes)
    for part in ("description", "options", "arguments", "epilog"):
        app.connect(f"sphinx-click-process-{part}", literal)
    return {"version": "1", "parallel_read_safe": True}
