"""How fast tables are built: pairs a second, memory, and growth with board size.

    python benchmarks/los/measure.py [--shared FOLDER] [--boards bdRBv2,bd01]
                                     [--sizes 15,30,60,120] [--repeat 3] [--threads 2] [--json OUT]

Own boards are maps of the given number of hexes a side, laid out of a board
that the sample drawer draws.  Boards of the shared folder are read from their
makers' LOSData.  Every board is built once to compile, then `--repeat` times;
the fastest counts.  `cpu_s` is the time of all threads together, `units` the
same as multiples of a calibration loop (a million steps of a walk over a
small raster), so that figures of different machines can be compared.  Of
`cpu_s`, `arrays_s` go into turning the board into arrays, `lines_s` into its
lines.  Peak memory is that of the process so far: measure one board alone for
its own.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hexsight.extract.boardarchive import read_board_archive
from hexsight.los.compile import compile_board
from hexsight.los.jit import compiled
from hexsight.los.profile import load_profile
from hexsight.los.table import BLOCKED, build_table
from hexsight.model.board import Board, Cell, Mark, Survey
from hexsight.model.derive import derive
from hexsight.samples.large import large_map


def sample_board(side: int) -> Board:
    """A map of side × side hexes from copies of a drawn board."""
    large = large_map(side, side)
    cells = tuple(Cell(c, r, name) for (c, r), name in sorted(large.names.items()))
    elevation = np.zeros(large.terrain.shape, np.int8)
    name = f"sample-{side}"
    return derive(Survey(name, large.layout, cells, large.terrain, elevation, typed=True))


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


def _steps(pixels: NDArray[np.uint16], n: int) -> int:
    at, seen = 0, 0
    for _ in range(n):
        seen += int(pixels[at])
        at = (at * 5 + 1) & 0x3FFF
    return seen


steps = compiled(_steps)


def calibrate() -> float:
    """Seconds of the calibration loop: a million steps."""
    pixels = np.ones(1 << 14, np.uint16)
    steps(pixels, 1)
    return min(timed(lambda: steps(pixels, 1_000_000))[1] for _ in range(9))


def timed(work: Callable[[], Any]) -> tuple[float, float]:
    """Wall and processor seconds of a piece of work."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


def measure(board: Board, threads: int, repeat: int, unit_s: float) -> dict[str, Any]:
    """Figures of one board."""
    profile = load_profile()
    table = build_table(board, profile, threads=threads)
    runs = [
        timed(lambda: build_table(board, profile, threads=threads)) for _ in range(max(1, repeat))
    ]
    wall_s, cpu_s = min(r[0] for r in runs), min(r[1] for r in runs)
    arrays_s = min(timed(lambda: compile_board(board, profile))[1] for _ in range(2))
    pairs = len(table.answers)
    return {
        "board": board.name,
        "hexes": len(board.hexes),
        "locations": len(table.names),
        "pairs": pairs,
        "megapixels": round(board.terrain.size / 1e6, 1),
        "wall_s": round(wall_s, 3),
        "cpu_s": round(cpu_s, 3),
        "arrays_s": round(arrays_s, 3),
        "lines_s": round(cpu_s - arrays_s, 3),
        "units": round(cpu_s / unit_s),
        "pairs_per_s": round(pairs / wall_s),
        "pairs_per_cpu_s": round(pairs / cpu_s),
        "clear": int((table.answers < BLOCKED).sum()),
        "peak_mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


def main() -> None:
    """Print one line a board."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--shared", type=Path)
    parser.add_argument("--boards", default="bd01,bdRBv2")
    parser.add_argument("--sizes", default="15,30,60")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    boards = [lambda s=int(s): sample_board(s) for s in options.sizes.split(",") if s]
    if options.shared:
        for name in filter(None, options.boards.split(",")):
            boards.append(lambda f=options.shared / "boards" / name: shared_board(f))
    unit_s = calibrate()
    print(f"calibration loop {unit_s * 1000:.2f} ms")
    rows = []
    for make in boards:
        rows.append(measure(make(), options.threads, options.repeat, unit_s))
        print("  ".join(f"{key} {value}" for key, value in rows[-1].items()), flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
