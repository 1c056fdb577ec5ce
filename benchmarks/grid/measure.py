"""Grid error on real boards after each transform, and on maps of other games, as tables.

    python benchmarks/grid/measure.py [--shared FOLDER] [--boards bd20,bda] [--json OUT]

For the boards, figures are the largest distance (pixels of the transformed picture) from a true
hex centre on the picture to the nearest fitted one, as the scoring program
beside the boards measures it.  For maps of other games, it is the distance to
the lattice measured on their printed lines, over the part that carries the grid.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image
from transforms import TRANSFORMS

from hexsight.extract.grid import compare, find_grid, search_grid
from hexsight.model.layout import Layout


def moved(layout: Layout, matrix: NDArray[np.float64]) -> Layout:
    """Layout in the coordinates of a transformed picture."""
    a, t = matrix[:2, :2], matrix[:2, 2]
    o, c, r = a @ layout.origin_px + t, a @ layout.col_px, a @ layout.row_px
    return Layout((o[0], o[1]), (c[0], c[1]), (r[0], r[1]), layout.sideways)


def worst_px(truth: Layout, found: Layout, size_px: tuple[int, int]) -> float:
    """Largest distance from a true centre on the picture to the nearest found one."""
    if truth.sideways != found.sideways:
        return float("inf")
    centres = np.array([truth.centre(c, r) for c, r in truth.hexes_on(size_px)])
    near = found.pixel_to_hex(centres)
    there = np.array([found.centre(int(c), int(r)) for c, r in near])
    return float(np.hypot(*(there - centres).T).max())


def measured_layout(board: dict[str, Any]) -> Layout:
    """The lattice that was measured on the printed lines of a module's map."""
    fit = board["measured_fit"]
    layout = Layout.from_grid(fit["dx"], fit["dy"], fit["x0"], fit["y0"], sideways=fit["sideways"])
    a = math.radians(fit["rot_deg"])
    turn = np.array([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]])
    centre = np.array(fit["rotation_centre"])
    return moved(layout, np.column_stack([turn, centre - turn @ centre]))


def modules(shared: Path) -> None:
    """Print a table of the maps of other games."""
    print(f"\n{'map':16s}{'rms px':>9s}{'max px':>9s}{'own rms':>9s}{'own max':>9s}{'scatter':>9s}")
    index = json.loads((shared / "modules" / "index.json").read_text())
    for board in index["boards"]:
        rgb = np.asarray(Image.open(shared / "modules" / board["image"]).convert("RGB"))
        fit = find_grid(rgb)
        if fit is None:
            print(f"{board['game']:16s} none")
            continue
        grid = board["hexgrid"]
        dx, dy, x0, y0 = (float(grid[k]) for k in ("dx", "dy", "x0", "y0"))
        own = Layout.from_grid(dx, dy, x0, y0, sideways=grid["sideways"] == "true")
        truth = compare(fit.layout, measured_layout(board), fit.extent)
        off = compare(fit.layout, own, fit.extent)
        print(
            f"{board['game']:16s}{truth.rms_px:9.3f}{truth.max_px:9.3f}"
            f"{off.rms_px:9.2f}{off.max_px:9.2f}{fit.scatter_px:9.2f}"
        )


def main() -> None:
    """Measure and print."""
    root = Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=root.parent / "shared")
    parser.add_argument("--boards", default="")
    parser.add_argument("--transforms", default=",".join(TRANSFORMS))
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    names = options.boards.split(",") if options.boards else []
    rows = []
    chosen = options.transforms.split(",")
    print(
        f"{'board':10s}" + "".join(f"{t:>16s}" for t in chosen) + "   error px / seconds",
        flush=True,
    )
    for folder in sorted((options.shared / "truth").iterdir()):
        if names and folder.name not in names:
            continue
        truth = json.loads((folder / "grid.json").read_text())
        rgb = np.asarray(
            Image.open(options.shared / "boards" / folder.name / truth["image"]).convert("RGB")
        )
        nominal = Layout.from_grid(truth["dx"], truth["dy"], truth["x0"], truth["y0"],
                                   rot_deg=truth["rot_deg"])  # fmt: skip
        cells = []
        for name in chosen:
            picture, matrix = TRANSFORMS[name](rgb)
            start = time.perf_counter()
            search = search_grid(np.ascontiguousarray(picture))
            seconds = time.perf_counter() - start
            size = (picture.shape[1], picture.shape[0])
            error = (
                worst_px(moved(nominal, matrix), search.fit.layout, size) if search.fit else None
            )
            rows.append({"board": folder.name, "transform": name, "error_px": error,
                         "seconds": round(seconds, 2), "reason": search.reason,
                         "confidence": search.fit.confidence if search.fit else 0})  # fmt: skip
            cells.append(f"{'none' if error is None else f'{error:.3f}':>9s} {seconds:5.1f}s")
        print(f"{folder.name:10s}" + "".join(f"{c:>16s}" for c in cells), flush=True)
    modules(options.shared)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
