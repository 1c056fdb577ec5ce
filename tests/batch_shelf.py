"""A small shelf for tests of `hexsight batch`, and ways to compare and disturb its runs."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from painted import STONE, WOOD, Painted

from hexsight.los.profile import load_profile
from hexsight.los.table import build_table, write_table
from hexsight.model.derive import derive
from hexsight.model.store import save_board

CLI = [sys.executable, "-c", "from hexsight.cli import main; main()"]


def make_shelf(folder: Path, boards: int = 3) -> Path:
    """Boards, a table, two spoilt modules, a spoilt board and a wrong hexsight.yaml."""
    folder.mkdir(parents=True)
    for i in range(boards):
        town = Painted(6, 6).hexes("B2", "B3", code=STONE).hexes("D4", code=WOOD)
        town.box(20 + 9 * i, 150, 26 + 9 * i, 156)  # a scrap of a building, elsewhere each time
        save_board(derive(town.survey(name=f"town {i}")), folder / f"city{i % 3}" / f"town{i}")
    board = derive(Painted(4, 4).hexes("B2").survey(name="tabled"))
    save_board(board, folder / "tabled")
    write_table(
        build_table(board, load_profile("asl"), engine="python"), folder / "tabled" / "a.lostab"
    )
    (folder / "cut.vmod").write_bytes(b"PK\x03\x04" + b"cut off" * 20)
    (folder / "noise.vmod").write_bytes(b"this is no zip file" * 50)
    (folder / "bdgone").write_bytes(b"")
    spoilt = folder / "spoilt"
    save_board(board, spoilt)
    (spoilt / "board.json").write_text('{"schema_version": 1}')
    (folder / "project").mkdir()
    (folder / "project" / "hexsight.yaml").write_text("source: ../tabled\noverides: {}\n")
    return folder


def digests(folder: Path) -> dict[str, str]:
    """SHA-256 of every file of a batch's results, by name."""
    return {
        p.relative_to(folder).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest()
        for p in sorted(folder.rglob("*"))
        if p.is_file()
    }


def finished(out: Path) -> int:
    """How many items are done."""
    return len(list(out.glob("items/*/record.json")))


def start(*arguments: str, **more: str) -> subprocess.Popen[bytes]:
    """Start the command line in a process of its own."""
    environment = os.environ | {"OMP_NUM_THREADS": "1"} | more
    return subprocess.Popen(
        [*CLI, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    )


def wait_for(true: Callable[[], bool], process: subprocess.Popen[bytes], seconds: float = 60):
    """Wait until something is so or the process has ended; whether it is so."""
    end = time.monotonic() + seconds
    while not true():
        if process.poll() is not None:
            return true()
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.002)
    return True
