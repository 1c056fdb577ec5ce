"""Which board of a module takes the lines of sight of a built one."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from hexsight.model.errors import UsageError
from hexsight.stocking import _homes


def module(*names: str, size: tuple[int, int] = (40, 30)) -> Any:
    boards = tuple(
        SimpleNamespace(name=n, hex_grids=("grid",), image=f"{n}.png", map_name="Main Map")
        for n in names
    )
    return SimpleNamespace(boards=boards, label="game.vmod", board_size=lambda board: size)


BUILT: Any = SimpleNamespace(name="Kestrel Down", size_px=(40, 30))


def test_the_board_of_its_name():
    homes = _homes(module("Airport", "Kestrel Down"), BUILT, alone=True)
    assert [b.name for b in homes] == ["Kestrel Down"]


def test_the_only_board_when_its_picture_is_as_large():
    """A board that was built from the bare picture has the picture's name."""
    assert [b.name for b in _homes(module("Sheet 1"), BUILT, alone=True)] == ["Sheet 1"]


def test_no_board_of_another_picture():
    with pytest.raises(UsageError, match=r"'Airport' is 60 × 30 pixels, not 40 × 30"):
        _homes(module("Airport", size=(60, 30)), BUILT, alone=True)


def test_none_of_several():
    with pytest.raises(UsageError, match="has no board 'Kestrel Down'"):
        _homes(module("Airport", "Harbour"), BUILT, alone=True)
