"""The examples of docs/games-functions.md run as they stand there."""

from __future__ import annotations

import doctest
from pathlib import Path


def test_the_examples_of_the_page():
    page = Path(__file__).resolve().parent.parent / "docs/games-functions.md"
    done = doctest.testfile(
        str(page), module_relative=False, optionflags=doctest.ELLIPSIS, encoding="utf-8"
    )
    assert done.attempted > 50
    assert done.failed == 0
