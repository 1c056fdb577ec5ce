"""A board folder whose writing was cut off between two of its files."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from painted import Painted

from hexsight.model import store
from hexsight.model.derive import derive
from hexsight.model.store import board_files, load_board, save_board

OLD = derive(Painted(3, 3).hexes("B2").survey(name="old"))
NEW = derive(Painted(4, 3).hexes("B2", "C2").survey(name="new"))


class _Cut(BaseException):
    """Stands for a kill: nothing of ours runs any more."""


@pytest.mark.parametrize("moves", [0, 1, 2, 3])
def test_the_new_board_counts_whole_from_one_moment_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moves: int
) -> None:
    folder = tmp_path / "board"
    save_board(OLD, folder)
    replace, left = os.replace, moves

    def cut(source: Path, target: Path) -> None:
        nonlocal left
        if not left:
            raise _Cut
        left -= 1
        replace(source, target)

    monkeypatch.setattr(store.os, "replace", cut)
    if moves < 3:
        with pytest.raises(_Cut):
            save_board(NEW, folder, overwrite=True)
    else:
        save_board(NEW, folder, overwrite=True)
    assert board_files(load_board(folder)) == board_files(NEW)
    assert board_files(load_board(folder / "board.json")) == board_files(NEW)
    monkeypatch.undo()
    save_board(OLD, folder, overwrite=True)
    assert board_files(load_board(folder)) == board_files(OLD)
    assert sorted(p.name for p in folder.iterdir()) == sorted(board_files(OLD))


def test_before_that_moment_the_old_one_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_board(OLD, tmp_path)

    def cut(*_: object) -> None:
        raise _Cut

    monkeypatch.setattr(store.os, "rename", cut)
    with pytest.raises(_Cut):
        save_board(NEW, tmp_path, overwrite=True)
    assert board_files(load_board(tmp_path)) == board_files(OLD)


def test_drafts_of_killed_runs_are_swept_up_when_they_are_old(tmp_path: Path) -> None:
    for name, age in ((".hexsight-draft-a", 7200), (".hexsight-draft-b", 0)):
        (tmp_path / name).mkdir()
        then = time.time() - age
        os.utime(tmp_path / name, (then, then))
    save_board(OLD, tmp_path)
    assert [p.name for p in tmp_path.glob(".hexsight*")] == [".hexsight-draft-b"]
