"""How fast tables are built: pairs a second, memory, and growth with board size.

    python benchmarks/los/measure.py [--shared FOLDER] [--boards bdRBv2,bd01] [--sizes 20,40,80]
                                     [--threads 2] [--json OUT]

Own boards are random towns of the given number of hexes a side, always the
same for a size.  Boards of the shared folder are read from their makers'
LOSData.  Times are of the second run, with compiled kernels; `cpu_s` is the
time of all threads together.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from hexsight.extract.boardarchive import read_board_archive
from hexsight.los.compile import compile_board
from hexsight.los.profile import load_profile
from hexsight.los.table import build_table
from hexsight.model.board import Board, Cell, Mark, Survey
from hexsight.model.derive import derive
from hexsight.model.layout import Layout

# Share of hexes by terrain code: open, woods, brush, stone houses, a Factory, rubble.
TOWN = {0: 0.62, 60: 0.08, 25: 0.08, 41: 0.09, 42: 0.03, 47: 0.05, 90: 0.05}


def town(side: int) -> Board:
    """A random town of side × side hexes, 64 pixels high each."""
    rng = np.random.default_rng(side)
    layout = Layout.from_grid(56.25, 64.5, 30.0, 34.0)
    size = (round(60 + 56.25 * (side - 1)), round(68 + 64.5 * (side - 0.5)))
    names = {
        (c, r): f"{chr(65 + c % 26) * (1 + c // 26)}{r + 1}"
        for c in range(side)
        for r in range(side)
    }
    cells = tuple(Cell(c, r, name) for (c, r), name in sorted(names.items()))
    codes = rng.choice(list(TOWN), size=(side, side), p=list(TOWN.values())).astype(np.uint8)
    cols, rows = layout.owner_map(size)
    on = (cols >= 0) & (cols < side) & (rows >= 0) & (rows < side)
    terrain = np.where(on, codes[np.clip(cols, 0, side - 1), np.clip(rows, 0, side - 1)], 0)
    return derive(
        Survey(
            f"town-{side}",
            layout,
            cells,
            terrain.astype(np.uint8),
            np.zeros(terrain.shape, np.int8),
            typed=True,
        )
    )


def shared_board(folder: Path) -> Board:
    """A board of the shared folder from its LOSData."""
    archive = read_board_archive(folder)
    losdata = archive.losdata()
    if losdata is None:
        sys.exit(f"{folder} has no LOSData.")
    cells = tuple(Cell(*hex_) for hex_ in archive.hexes(losdata.size_px))
    stairs = archive.stairways(losdata, losdata.size_px)
    marks = tuple(
        Mark(*archive.layout.centre(c.col, c.row), 6.0) for c in cells if c.name in stairs
    )
    elevation = (losdata.elevation * 2).astype(np.int8)
    return derive(
        Survey(
            folder.name,
            archive.layout,
            cells,
            losdata.terrain,
            elevation,
            typed=True,
            stairwells=marks,
        )
    )


def measure(board: Board, threads: int) -> dict[str, Any]:
    """Figures of one board."""
    profile = load_profile()
    build_table(board, profile, threads=threads)
    start = time.perf_counter()
    compile_board(board, profile)
    arrays_s = time.perf_counter() - start
    start, cpu = time.perf_counter(), time.process_time()
    table = build_table(board, profile, threads=threads)
    wall_s, cpu_s = time.perf_counter() - start, time.process_time() - cpu
    pairs = len(table.answers)
    return {
        "board": board.name,
        "hexes": len(board.hexes),
        "locations": len(table.names),
        "pairs": pairs,
        "arrays_s": round(arrays_s, 3),
        "wall_s": round(wall_s, 3),
        "cpu_s": round(cpu_s, 3),
        "pairs_per_s": round(pairs / wall_s),
        "clear": int((table.answers < 128).sum()),
        "peak_mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


def main() -> None:
    """Print one line a board."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--shared", type=Path)
    parser.add_argument("--boards", default="bd01,bdRBv2")
    parser.add_argument("--sizes", default="20,40")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    boards = [lambda s=int(s): town(s) for s in options.sizes.split(",") if s]
    if options.shared:
        for name in options.boards.split(","):
            boards.append(lambda f=options.shared / "boards" / name: shared_board(f))
    rows = []
    for make in boards:
        rows.append(measure(make(), options.threads))
        print("  ".join(f"{key} {value}" for key, value in rows[-1].items()), flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
