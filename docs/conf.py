"""Sphinx configuration: `make docs` builds the pages without the network and without warnings."""

from __future__ import annotations

import sys
from importlib.metadata import version as version_of
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "_sphinx"))

project = "hexsight"
author = "The hexsight founders"
release = version_of("hexsight")
version = release
# No copyright line with a year and no date: same sources, same pages.
html_show_copyright = False
html_last_updated_fmt = None
today = release

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_click",
    "made_pages",
]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build", "_sphinx"]
default_role = "code"  # docstrings write `names` as Markdown does

myst_heading_anchors = 4  # the anchors that code hosts make, so that links serve both
myst_enable_extensions = ["colon_fence"]
# Docstrings write bare class names, of which some packages have two.
suppress_warnings = ["ref.python"]

napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True

html_theme = "furo"
html_title = "hexsight"
html_static_path: list[str] = []
html_theme_options = {"top_of_page_buttons": []}
pygments_style = "friendly"

man_pages = [("cli", "hexsight", "from the picture of a hex map to line of sight", author, 1)]
man_show_urls = False
