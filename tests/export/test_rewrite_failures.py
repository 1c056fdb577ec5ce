"""Nothing is ever half written: full disks, locks, lies of the disk, kills."""

from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from zipmaking import Member, Pack, contents

from hexsight.export import rewrite, verify
from hexsight.export.rewrite import rewrite_zip
from hexsight.export.zipnew import move_record, new_entry
from hexsight.export.zipraw import extra_fields
from hexsight.model import atomic
from hexsight.model.errors import InputError, OutputError, VerificationError

OLD = b"the old file"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.vmod"
    path.write_bytes(Pack((Member("a", b"alpha" * 99), Member("b", b"beta", 0))).bytes())
    return path


@pytest.fixture
def target(tmp_path: Path) -> Path:
    path = tmp_path / "out.vmod"
    path.write_bytes(OLD)
    return path


def _assert_untouched(target: Path) -> None:
    assert target.read_bytes() == OLD
    assert sorted(p.name for p in target.parent.iterdir()) == ["in.vmod", "out.vmod"]


class _FullDisk:
    """Wraps a file; after some bytes there is no room."""

    def __init__(self, file: BinaryIO, room: int) -> None:
        self._file, self._room = file, room

    def write(self, data: bytes) -> int:
        self._room -= len(data)
        if self._room < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return self._file.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


@pytest.mark.parametrize("room", [0, 10, 60, 250])
def test_a_full_disk(
    source: Path, target: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    plain = rewrite._Writer.__init__

    def init(self: Any, file: BinaryIO, *rest: Any) -> None:
        plain(self, _FullDisk(file, room), *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(rewrite._Writer, "__init__", init)
    with pytest.raises(OutputError, match="No space left"):
        rewrite_zip(source, target, add={"x": b"x" * 10}, overwrite=True)
    _assert_untouched(target)


def test_a_target_locked_by_vassal(
    source: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(*_: Any) -> None:
        raise PermissionError(errno.EACCES, "The process cannot access the file")

    monkeypatch.setattr(atomic.os, "replace", locked)
    with pytest.raises(OutputError, match="Close VASSAL"):
        rewrite_zip(source, target, overwrite=True)
    _assert_untouched(target)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_is_write_protected(source: Path, target: Path) -> None:
    target.parent.chmod(0o500)
    try:
        with pytest.raises(OutputError, match="Permission denied"):
            rewrite_zip(source, target, overwrite=True)
    finally:
        target.parent.chmod(0o700)
    _assert_untouched(target)


@pytest.mark.parametrize("at", [3, 45, 70, 140, -30, -3])
def test_a_disk_that_lies(
    source: Path, target: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    check = verify.check_bytes

    def flip_then_check(file: BinaryIO, *rest: Any) -> None:
        file.seek(at, os.SEEK_SET if at >= 0 else os.SEEK_END)
        byte = file.read(1)
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte[0] ^ 0x10]))
        check(file, *rest)

    monkeypatch.setattr(rewrite, "check_bytes", flip_then_check)
    with pytest.raises(VerificationError, match="nothing was replaced"):
        rewrite_zip(source, target, add={"x": b"x" * 10}, overwrite=True)
    _assert_untouched(target)


def test_a_source_that_changes_meanwhile(
    source: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = verify.verify_copy

    def change_then_check(*args: Any) -> None:
        source.write_bytes(Pack((Member("other", b"o" * 700),)).bytes())
        check(*args)

    monkeypatch.setattr(rewrite, "verify_copy", change_then_check)
    with pytest.raises((InputError, VerificationError)):
        rewrite_zip(source, target, overwrite=True)
    _assert_untouched(target)


def test_a_target_that_comes_into_being_meanwhile(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "new.vmod"

    def progress(share: float) -> None:
        target.write_bytes(OLD)

    with pytest.raises(OutputError, match="meanwhile"):
        rewrite_zip(source, target, progress=progress)
    assert target.read_bytes() == OLD


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_ctrl_c(source: Path, target: Path, share: float) -> None:
    def progress(done: float) -> None:
        if done >= share:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rewrite_zip(source, target, add={"x": b"x" * 999}, overwrite=True, progress=progress)
    _assert_untouched(target)


CHILD = """
import sys
from pathlib import Path
from hexsight.export.rewrite import rewrite_zip
source, target = map(Path, sys.argv[1:])
data = bytes(range(256)) * 4096
print("ready", flush=True)
while True:
    rewrite_zip(source, target, add={"x": data}, overwrite=True)
    print("done", flush=True)
"""


def test_content_reaches_the_disk_before_the_name(
    source: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    replace = os.replace
    monkeypatch.setattr(atomic.os, "fsync", lambda number: order.append("sync"))
    monkeypatch.setattr(atomic.os, "replace", lambda a, b: (order.append("rename"), replace(a, b)))
    rewrite_zip(source, target, overwrite=True)
    assert order == ["sync", "rename", "sync"]


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
def test_a_kill_at_any_moment_leaves_the_old_or_the_new(tmp_path: Path) -> None:
    source, target = tmp_path / "in.vmod", tmp_path / "out.vmod"
    noise = random.Random(1)
    payload = noise.randbytes(4_000_000)
    source.write_bytes(Pack((Member("a", payload, 0), Member("b", payload))).bytes())
    before = source.read_bytes()
    for _ in range(5):
        target.write_bytes(OLD)
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD, str(source), str(target)], stdout=subprocess.PIPE
        )
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(noise.uniform(0, 0.25))
        child.send_signal(signal.SIGKILL)
        child.communicate()
        now = target.read_bytes()
        if now != OLD:
            assert contents(now)["x"] == bytes(range(256)) * 4096
            assert contents(now)["b"] == payload
        assert source.read_bytes() == before
    rewrite_zip(source, target, overwrite=True)
    left = [p.name for p in tmp_path.iterdir()]
    assert sorted(left) == ["in.vmod", "out.vmod"]  # what the killed runs left is swept up


def test_a_run_beside_another_leaves_its_file_alone(source: Path, target: Path) -> None:
    with atomic.replacing(target, overwrite=True) as file:
        rewrite_zip(source, target, overwrite=True)
        file.write(b"the slower one wins")
    assert target.read_bytes() == b"the slower one wins"


def test_offsets_beyond_4_gib_grow_a_zip64_field() -> None:
    plain = new_entry("a", b"data").central
    far = move_record(plain, 5 << 32)
    (kind, start, stop), *_ = extra_fields(far)
    assert (kind, int.from_bytes(far[start:stop], "little")) == (1, 5 << 32)
    assert move_record(far, 7 << 33) != far
    assert len(move_record(far, 7 << 33)) == len(far)
    assert move_record(plain, 77)[:42] == plain[:42]
