"""How fast hex games answer, as a multiple of asl's engine on the same map.

    python benchmarks/los/hexes.py [--side 120] [--rules musket-pike,modern-platoon,generic]
                                   [--open] [--slopes] [--json OUT]

The map is that of `measure.py`: side × side hexes laid out of a drawn board.
Each engine first answers a small map, so that nothing is compiled while the
clock runs; then one table of the whole map on one thread, reasons and all, by
its processor time.  `--open` takes a map without terrain, where no line ends
early; `--slopes` one of hills whose every step is a steep slope.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from measure import sample_board

from hexsight.los.engine import table_of
from hexsight.los.overlay import Overlay
from hexsight.los.rulesets import load_rules
from hexsight.model.board import Board


def opened(board: Board) -> Board:
    """A map with nothing on it."""
    hexes = tuple(replace(h, terrain=0, building=0, height_half=0) for h in board.hexes)
    terrain, level = board.terrain.copy(), board.elevation_half.copy()
    terrain[:], level[:] = 0, 0
    return replace(board, hexes=hexes, terrain=terrain, elevation_half=level, buildings=())


def hilly(board: Board) -> Board:
    """Hills of three levels, one every nine hexes, on an open map."""

    def level(col: int, row: int) -> int:
        return 2 * max(0, 3 - max(abs(col % 9 - 4), abs(row % 9 - 4)))

    flat = opened(board)
    hexes = tuple(replace(h, base_half=level(h.col, h.row)) for h in flat.hexes)
    return replace(flat, hexes=hexes)


def rate(board: Board, rules: str, overlay: Overlay | None = None) -> dict[str, Any]:
    """Answers a second of one thread."""
    profile = load_rules(rules)
    start = time.process_time()
    table = table_of(board, profile, overlay, threads=1)
    spent = time.process_time() - start
    classes = max(1, len(table.observers))
    answers = classes * len(table.answers)
    return {
        "rules": rules,
        "locations": len(table.names),
        "classes": classes,
        "answers": answers,
        "cpu_s": round(spent, 2),
        "answers_s": round(answers / spent),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--side", type=int, default=120)
    parser.add_argument("--rules", default="musket-pike,modern-platoon,generic")
    parser.add_argument("--open", action="store_true")
    parser.add_argument("--slopes", action="store_true")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    shape = hilly if options.slopes else opened if options.open else lambda board: board
    small, large = shape(sample_board(8)), shape(sample_board(options.side))
    rows = []
    for rules in ["asl", *options.rules.split(",")]:
        overlay = Overlay(slopes="steep") if options.slopes and rules == "musket-pike" else None
        rate(small, rules, overlay)
        rows.append(rate(large, rules, overlay))
        rows[-1]["times_asl"] = round(rows[-1]["answers_s"] / rows[0]["answers_s"], 1)
        print(json.dumps(rows[-1]), flush=True)
    if options.json is not None:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
