"""Fixtures shared by all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# For `pytest tests/fuzz --hypothesis-profile=long`: an hour and more, other examples each time.
settings.register_profile("long", max_examples=5_000, deadline=None)

# Before numpy is imported: its threads wait for each other on a busy machine, and
# the small matrices of these tests gain nothing by them.
for _threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_threads, "1")

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
