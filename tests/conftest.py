"""Fixtures shared by all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """Folder of real boards and measured facts beside the project, or skip.

    The boards are their publishers' artwork and never enter the project, so
    tests that measure against them run only where they lie at hand.
    """
    folder = Path(os.environ.get("HEXSIGHT_SHARED", ROOT.parent / "shared"))
    if not (folder / "boards").is_dir():
        pytest.skip("real boards are not at hand: set HEXSIGHT_SHARED to their folder")
    return folder
