"""hexsight.yaml with its history: nothing is lost, nothing of others is overwritten."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import random
import signal
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from hexsight.model.errors import OutputError, UsageError
from hexsight.review.journal import StaleError
from hexsight.review.projectfile import JOURNAL, REMOVE, ProjectFile

TEXT = "\ufeff# mine\r\nsource: map.png   # the scan\r\noverrides:\r\n   hexes: {K15: {level: 1}}"


def project(folder: Path, text: str = TEXT) -> Path:
    file = folder / "hexsight.yaml"
    file.write_bytes(text.encode())
    return file


def put(file: ProjectFile, name: str, value: object, key: str = "level") -> None:
    file.write(file.edited([(("overrides", "hexes", name, key), value)], f"{key} of {name}"))


def test_undo_and_redo_give_back_the_very_bytes(tmp_path: Path) -> None:
    path = project(tmp_path)
    file = ProjectFile(path)
    stages = [path.read_bytes()]
    for name, value in (("L3", 2), ("K15", 1.5), ("L3", REMOVE), ("K15", REMOVE)):
        put(file, name, value)
        stages.append(path.read_bytes())
    assert stages[1].endswith(b"{K15: {level: 1}, L3: {level: 2}}")
    assert b"overrides" not in stages[-1]
    for stage in reversed(stages[:-1]):
        file.undo(file.undone())
        assert path.read_bytes() == stage
    # Another process goes on where this one stopped.
    file = ProjectFile(path)
    assert file.redo_labels[0] == "level of L3"
    for stage in stages[1:]:
        file.redo(file.redone())
        assert path.read_bytes() == stage
    with pytest.raises(UsageError, match="nothing to do again"):
        file.redone()
    file.undo(file.undone())
    put(file, "M4", 3)
    assert file.redo_labels == ()
    assert ProjectFile(path).undo_labels == file.undo_labels


def test_an_edit_that_changes_nothing_is_no_step(tmp_path: Path) -> None:
    file = ProjectFile(project(tmp_path))
    put(file, "K15", 1)
    assert file.undo_labels == ()
    assert not (tmp_path / JOURNAL).exists()


def test_a_wrong_value_changes_nothing(tmp_path: Path) -> None:
    path = project(tmp_path)
    file = ProjectFile(path)
    with pytest.raises(UsageError, match="height"):
        put(file, "L3", "tall", "height")
    assert path.read_bytes() == TEXT.encode()


def test_what_an_editor_changed_is_not_overwritten(tmp_path: Path) -> None:
    path = project(tmp_path)
    file = ProjectFile(path)
    put(file, "L3", 2)
    mine = path.read_text("utf-8-sig") + "  # seen\n"
    path.write_text(mine, "utf-8")
    assert file.changed_outside
    for act in (lambda: put(file, "L3", 1), lambda: file.undo(file.undone())):
        with pytest.raises(StaleError, match="was changed by another program"):
            act()
    assert path.read_text("utf-8") == mine
    # The history speaks of another text now.
    assert ProjectFile(path).undo_labels == ()


def test_a_second_page_notices_the_first(tmp_path: Path) -> None:
    path = project(tmp_path)
    one, two = ProjectFile(path), ProjectFile(path)
    put(one, "L3", 2)
    with pytest.raises(StaleError):
        put(two, "L4", 2)
    one.undo(one.undone())  # the file is as the second knows it, the journal is not
    with pytest.raises(StaleError):
        put(two, "L4", 2)
    assert path.read_bytes() == TEXT.encode()


def test_a_full_disk_leaves_all_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = project(tmp_path)
    file = ProjectFile(path)
    put(file, "L3", 2)
    before, journal = path.read_bytes(), (tmp_path / JOURNAL).read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        with pytest.raises(OutputError, match="No space left"):
            put(file, "L4", 2)
    assert (path.read_bytes(), (tmp_path / JOURNAL).read_bytes()) == (before, journal)
    put(file, "L4", 2)
    assert ProjectFile(path).undo_labels == ("level of L3", "level of L4")


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_torn_journal_is_used_as_far_as_it_is_whole(tmp_path: Path, cut: int) -> None:
    path = project(tmp_path)
    file = ProjectFile(path)
    put(file, "L3", 2)
    after_first = path.read_bytes()
    put(file, "L4", 2)
    journal = tmp_path / JOURNAL
    whole = journal.read_bytes()
    # The power went while the second step was written down: the file was never changed.
    journal.write_bytes(whole[:-cut])
    path.write_bytes(after_first)
    file = ProjectFile(path)
    assert file.undo_labels == ("level of L3",)
    put(file, "L5", 1)
    file = ProjectFile(path)
    for _ in range(2):
        file.undo(file.undone())
    assert path.read_bytes() == TEXT.encode()


def test_a_step_that_was_written_down_and_not_done_did_not_happen(tmp_path: Path) -> None:
    path = project(tmp_path)
    file = ProjectFile(path)
    put(file, "L3", 2)
    path.write_bytes(TEXT.encode())
    assert ProjectFile(path).undo_labels == ()


@pytest.mark.parametrize(
    "junk", [b"", b"\n", b"{}\n", b"\xff\xfe\n", b'{"op":"undo"}\n', b"[" * 9999]
)
def test_any_journal_can_be_opened(tmp_path: Path, junk: bytes) -> None:
    path = project(tmp_path)
    (tmp_path / JOURNAL).write_bytes(junk)
    file = ProjectFile(path)
    put(file, "L3", 2)
    assert ProjectFile(path).undo_labels == ("level of L3",)


def test_a_long_journal_keeps_its_last_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hexsight.review.journal.KEPT_BYTES", 500)
    monkeypatch.setattr("hexsight.review.journal.KEPT_STEPS", 4)
    path = project(tmp_path)
    file = ProjectFile(path)
    stages = []
    for value in range(12):
        put(file, "L3", value)
        stages.append(path.read_bytes())
    file.undo(file.undone())
    file = ProjectFile(path)
    assert len(file.undo_labels) == 4
    assert len(file.redo_labels) == 1
    for stage in stages[-3:-7:-1]:
        file.undo(file.undone())
        assert path.read_bytes() == stage


def _click(path: Path, seed: int, told: Connection) -> None:
    """Correct, undo and redo until killed; tell each step before and after."""
    r = random.Random(seed)
    file = ProjectFile(path)
    for number in range(10_000):
        kind = r.random()
        if kind < 0.2 and file.undo_labels:
            edited, act = file.undone(), file.undo
        elif kind < 0.3 and file.redo_labels:
            edited, act = file.redone(), file.redo
        else:
            value = number % 50 or REMOVE
            keys = ("overrides", "hexes", f"A{r.randint(1, 9)}", "level")
            edited, act = file.edited([(keys, value)], str(number)), file.write
        told.send(("wants", _digest(edited.document.text.encode())))
        act(edited)
        told.send(("did", _digest(edited.document.text.encode()), len(file.undo_labels)))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.mark.skipif(sys.platform == "win32", reason="forks and kills by signal")
def test_nothing_is_lost_whenever_the_program_is_killed(tmp_path: Path) -> None:
    path = project(tmp_path, TEXT + "\r\n")
    fork = multiprocessing.get_context("fork")
    r = random.Random(5)
    for round_ in range(25):
        ours, theirs = fork.Pipe(duplex=False)
        child = fork.Process(target=_click, args=(path, round_, theirs), daemon=True)
        start = _digest(path.read_bytes())
        child.start()
        theirs.close()
        time.sleep(0.02 + 0.15 * r.random())
        assert child.pid is not None
        os.kill(child.pid, signal.SIGKILL)
        child.join()
        wanted, done, depth = start, start, None
        try:
            while True:
                message = ours.recv()
                wanted = message[1]
                if message[0] == "did":
                    done, depth = message[1], message[2]
        except EOFError:
            ours.close()
        now = _digest(path.read_bytes())
        # The last step that was told is there; one that was begun is there whole or not at all.
        assert now in (done, wanted)
        file = ProjectFile(path)
        if depth is not None and now == done == wanted:
            assert len(file.undo_labels) == depth
    assert len(ProjectFile(path).undo_labels) > 5
    file = ProjectFile(path)
    while file.undo_labels:
        file.undo(file.undone())
    assert path.read_bytes() == (TEXT + "\r\n").encode()
    assert sorted(p.name for p in tmp_path.iterdir()) == [JOURNAL, "hexsight.yaml"]
