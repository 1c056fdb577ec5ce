"""For the tests of writing."""

from __future__ import annotations

import pytest

from hexsight.model import atomic


@pytest.fixture(scope="session", autouse=True)
def _no_waiting_for_the_disk() -> None:
    """Hundreds of small files would spend the time of the tests on waiting for the disk."""
    patch = pytest.MonkeyPatch()
    patch.setattr(atomic.os, "fsync", lambda number: None)
