"""What is timed: one case for each thing that people wait for."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from hexsight.checking import built_subject
from hexsight.export.charts import write_csv, write_geojson
from hexsight.export.picture import render_overlay
from hexsight.extract.grid import find_grid
from hexsight.los.compile import compile_board
from hexsight.los.engine import table_of
from hexsight.los.explain import explain_compiled
from hexsight.los.profile import load_profile
from hexsight.los.rulesets import load_rules
from hexsight.los.table import build_table
from hexsight.model.board import Board, Cell, Survey
from hexsight.model.derive import derive
from hexsight.pipeline import build
from hexsight.reading import Reading, Request, read, survey
from hexsight.samples import write_samples
from hexsight.samples.large import large_map
from hexsight.stocking import StockChoice, gather
from hexsight.validators import run_checks

Work = Callable[[], object]
BATCH_ITEMS = 3


@dataclass
class Ground:
    """What the cases share, made once and only when a case asks for it."""

    folder: Path
    made: dict[str, object] = field(default_factory=dict)

    @cached_property
    def module(self) -> Path:
        """The drawn module with one board."""
        write_samples(self.folder / "drawn", boards=["sideways-mill"])
        return self.folder / "drawn" / "sideways-mill.vmod"

    @cached_property
    def request(self) -> Request:
        """How it is read."""
        return Request(self.module)

    @cached_property
    def reading(self) -> Reading:
        """Its picture and grid."""
        return read(self.request)

    @cached_property
    def survey(self) -> Survey:
        """What is on it."""
        return survey(self.request, self.reading)

    @cached_property
    def board(self) -> Board:
        """The board."""
        return derive(self.survey)

    @cached_property
    def result(self) -> Path:
        """The folder of a build."""
        build(self.request, self.folder / "result")
        return self.folder / "result"

    @cached_property
    def large(self) -> Board:
        """900 hexes with 1,429 Locations."""
        large = large_map(30, 30)
        cells = tuple(Cell(c, r, name) for (c, r), name in sorted(large.names.items()))
        flat = np.zeros(large.terrain.shape, np.int8)
        return derive(Survey("sample-30", large.layout, cells, large.terrain, flat, typed=True))


def grid(ground: Ground) -> Work:
    """The search for the printed grid."""
    rgb = ground.reading.rgb
    return lambda: find_grid(rgb)


def extract(ground: Ground) -> Work:
    """Terrain, buildings, bars, symbols off the picture."""
    reading = ground.reading
    return lambda: survey(ground.request, reading)


def conclude(ground: Ground) -> Work:
    """Buildings, Factories, bars and vertices from labels."""
    found = ground.survey
    return lambda: derive(found)


def lines(ground: Ground) -> Work:
    """A table of a million lines by the pixels."""
    board, profile = ground.large, load_profile("asl")
    return lambda: build_table(board, profile, threads=1)


def hexes(ground: Ground) -> Work:
    """A table by the hexes, for two classes of observer."""
    board, profile = ground.large, load_rules("modern-platoon")
    return lambda: table_of(board, profile, threads=1)


def reasons(ground: Ground) -> Work:
    """Two hundred lines with all their reasons."""
    board = ground.board
    compiled = compile_board(board, load_profile("asl"))
    names = [h.name for h in board.hexes]
    pairs = [(names[i * 7 % len(names)], names[i * 13 % len(names)]) for i in range(1, 201)]
    return lambda: [explain_compiled(compiled, a, b) for a, b in pairs if a != b]


def overlay(ground: Ground) -> Work:
    """The picture of what was found."""
    rgb, board = ground.reading.rgb, ground.board
    return lambda: render_overlay(rgb, board)


def export(ground: Ground) -> Work:
    """All that a stock export puts into a module."""
    module, result = ground.module, ground.result
    return lambda: gather(module, [result], StockChoice(None, None))


def charts(ground: Ground) -> Work:
    """Charts for programs."""
    board = ground.board
    return lambda: [(write_csv(board), write_geojson(board)) for _ in range(10)]


def check(ground: Ground) -> Work:
    """All checks of one board."""
    table = build_table(ground.board, load_profile("asl"), threads=1)
    subject = built_subject(ground.reading, ground.survey, ground.board, ground.request, table)
    return lambda: run_checks(subject)


def batch(ground: Ground) -> Work:
    """A shelf of modules by one worker, from command to end."""
    shelf = ground.folder / "shelf"
    shelf.mkdir(exist_ok=True)
    for i in range(BATCH_ITEMS):
        with suppress(FileExistsError):
            os.link(ground.module, shelf / f"map{i}.vmod")
    command = [sys.executable, "-c", "from hexsight.cli import main; main()", "batch", str(shelf)]
    runs = iter(range(1_000_000))

    def once() -> None:
        out = ground.folder / f"batch{next(runs)}"
        subprocess.run(
            [*command, "-o", str(out), "-q", "--quick", "--workers", "1", "--fail-on", "never"],
            check=True,
            stdout=subprocess.DEVNULL,
        )

    return once


@dataclass(frozen=True)
class Case:
    """One thing that is timed.

    Attributes
    ----------
    name : str
    make : callable
        Prepares it and gives the work itself.
    loop : str
        The calibration loop that is most of its kind.
    rounds : int
        How often it is timed at least; slow ones less.
    """

    name: str
    make: Callable[[Ground], Work]
    loop: str
    rounds: int = 7


CASES = (
    Case("grid", grid, "arrays"),
    Case("extract", extract, "arrays", 5),
    Case("conclude", conclude, "arrays"),
    Case("lines", lines, "compiled"),
    Case("hexes", hexes, "compiled"),
    Case("reasons", reasons, "interpreter"),
    Case("overlay", overlay, "arrays"),
    Case("export", export, "interpreter", 5),
    Case("charts", charts, "interpreter"),
    Case("check", check, "interpreter"),
    Case("batch", batch, "interpreter", 4),
)
