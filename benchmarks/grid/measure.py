"""Grid error on real boards after each transform, as a table.

    python benchmarks/grid/measure.py [--shared FOLDER] [--boards bd20,bda] [--json OUT]

Figures are the largest distance (pixels of the transformed picture) from a true
hex centre on the picture to the nearest fitted one, as the scoring program
beside the boards measures it.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image
from transforms import TRANSFORMS

from hexsight.extract.grid import search_grid
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
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
