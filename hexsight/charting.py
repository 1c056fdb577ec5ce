"""What charts of a board are made from: its map, its table, its counts."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hexsight.boardrules import rules_for
from hexsight.commands.common import board_folder, open_board
from hexsight.commands.render import map_of
from hexsight.converting import KEPT_ARCHIVE
from hexsight.export.charts_sights import Sights, count_sights
from hexsight.export.picture import render_overlay
from hexsight.los.engine import reasons_of, table_of
from hexsight.los.rulesets import RuleSet, load_rules, rules_of_digest
from hexsight.los.table import Table, board_digest, open_table
from hexsight.model.board import Board
from hexsight.model.errors import UsageError
from hexsight.pipeline import TABLE_FILE
from hexsight.progress import Reporter

# What a page shows when nobody says where the map is.
_INSTEAD = {"terrain", "grid", "buildings", "roofless", "hexsides", "bars", "stairwells", "names"}


class Charting:
    """A board with what belongs to it, each opened or computed when first asked for.

    Parameters
    ----------
    path : Path
        Board folder or map set-up.
    map_ : Path or None
        Picture, module or VASL board with the map.
    board_name : str or None
        Board in that module.
    table : Path or None
        Table to take; otherwise the one in the folder if it is fresh, or a new one.
    rules : str or None
        Rules of the table; None for those that the board was built with.
    observer : str or None
        Class of observer to chart, where the table has several.
    reporter : Reporter
    """

    def __init__(
        self,
        path: Path,
        map_: Path | None,
        board_name: str | None,
        table: Path | None,
        rules: str | None,
        observer: str | None,
        reporter: Reporter,
    ) -> None:
        self.path = path
        self.board: Board = open_board(path)
        self._folder = board_folder(path) if path.is_dir() else None
        kept = self._folder / KEPT_ARCHIVE if self._folder is not None else None
        if map_ is None and kept is not None and kept.is_file():
            map_ = kept
        self._map = map_
        self._board_name = board_name
        self._table = table
        self._rules = rules_for(self._folder, rules)
        self._said = rules
        self._observer = observer
        self._reporter = reporter

    @property
    def inputs(self) -> list[Path]:
        """What is being read, and must not be written over."""
        return [p for p in (self.path, self._map, self._table) if p is not None]

    @cached_property
    def has_map(self) -> bool:
        """Whether a picture of the map is at hand."""
        return self._map is not None

    @cached_property
    def map(self) -> NDArray[np.uint8]:
        """The map's picture (H, W, 3) uint8, or a plain ground."""
        return map_of(self.board, self._map, self._board_name)

    @cached_property
    def shown(self) -> NDArray[np.uint8]:
        """The map, or a drawing of what is known of it (H, W, 3) uint8."""
        if self.has_map:
            return self.map
        return render_overlay(self.map, self.board, layers=set(_INSTEAD))

    @cached_property
    def table(self) -> Table:
        """The lines of sight.

        Raises
        ------
        UsageError
            If a table that was named is of another board, or of other rules than
            those named beside it.
        """
        if self._table is not None:
            opened = open_table(self._table)
            if self._said and load_rules(self._said).digest != opened.profile_digest:
                raise UsageError(
                    f"{self._table} was not made with the rules {self._said} as they are now. "
                    "Leave --rules out, or name another table."
                )
            if opened.board_digest != board_digest(self.board, self._profile(opened)):
                raise UsageError(
                    f"{self._table} was not made from board {self.board.name} as it is now. Build "
                    f"it again: hexsight table build {self.path} -o {self._table} --force."
                )
            return opened.of_observer(self._observer)
        profile = load_rules(self._rules)
        kept = self._folder / TABLE_FILE if self._folder is not None else None
        if kept is not None and kept.is_file():
            opened = open_table(kept)
            if opened.is_made_from(self.board, profile):
                return opened.of_observer(self._observer)
        self._reporter.step("Walking all lines of sight")
        made = table_of(
            self.board,
            profile,
            progress=lambda done, all_: self._reporter.done(done / max(1, all_)),
        )
        return made.of_observer(self._observer)

    def _profile(self, table: Table) -> RuleSet:
        """The rules that a table was made with, if they are at hand."""
        return rules_of_digest(table.profile_digest, self._rules)

    @cached_property
    def sights(self) -> Sights:
        """Counts by Location."""
        self._reporter.step("Counting what each hex sees")
        return count_sights(self.board, self.table)

    @property
    def reasons(self) -> dict[int, tuple[str, str]]:
        """Rule and sentence of each reason code."""
        return reasons_of(self._profile(self.table))
