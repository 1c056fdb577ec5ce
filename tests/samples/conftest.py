"""Boards drawn once for all tests of this folder."""

from __future__ import annotations

import pytest

from hexsight.samples import Sample, board_names, draw_board


@pytest.fixture(scope="session", params=board_names(default_only=True))
def sample(request: pytest.FixtureRequest) -> Sample:
    """Each default board in turn."""
    return draw_board(request.param)
