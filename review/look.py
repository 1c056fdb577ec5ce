"""One version of a board, with what is worked out of it when it is first asked for."""

from __future__ import annotations

import threading
from functools import cached_property

from hexsight.los.compile import compile_board
from hexsight.los.engine import ask, locations_for, seen_from, table_of
from hexsight.los.explain import Answer, explain_compiled
from hexsight.los.overlay_prepare import under
from hexsight.los.profile import Profile
from hexsight.los.retable import retable
from hexsight.los.rulesets import RuleSet
from hexsight.los.table import Table
from hexsight.los.tables import Compiled
from hexsight.los.viewshed import Viewshed, viewshed_of_table, viewshed_under
from hexsight.model.board import Board
from hexsight.model.locations import Location
from hexsight.model.overrides import Overrides
from hexsight.review.findings import FindingView, list_findings
from hexsight.review.opening import Ground
from hexsight.validators import Finding


class Look:
    """One version of the board, with what is worked out of it when first asked for.

    Parameters
    ----------
    version : int
    board : Board
    ground : Ground or None
    rules : RuleSet
    overrides : Overrides
    accepted : mapping
        As in hexsight.yaml.
    """

    def __init__(
        self,
        version: int,
        board: Board,
        ground: Ground | None,
        rules: RuleSet,
        overrides: Overrides,
        accepted: dict[str, dict[str, str]],
    ) -> None:
        self.version, self.board, self.ground = version, board, ground
        self.rules, self.overrides, self.accepted = rules, overrides, accepted
        self._lock, self._findings_lock = threading.Lock(), threading.Lock()
        self._table_lock = threading.Lock()
        self._compiled: Compiled | None = None
        self._table: Table | None = None
        self._found: tuple[Finding, ...] | None = None

    def takes_over(self, before: Look) -> None:
        """Keep what an earlier version worked out, where it has the same board."""
        if before.board is self.board:
            self._compiled, self._table = before._compiled, before._table
            self._found = before._found

    @property
    def compiled(self) -> Compiled:
        """The board as arrays for the pixel walk."""
        assert isinstance(self.rules, Profile)
        with self._lock:
            if self._compiled is None:
                self._compiled = compile_board(self.board, self.rules)
            return self._compiled

    @cached_property
    def locations(self) -> tuple[Location, ...]:
        """Locations of the board, in the order of its table."""
        return locations_for(self.board, self.rules)

    def los(self, a: str, b: str) -> Answer:
        """Line of sight between two Locations."""
        if isinstance(self.rules, Profile):
            return explain_compiled(self.compiled, a, b)
        return ask(self.board, a, b, self.rules)

    def viewshed(self, a: str) -> Viewshed:
        """All that is seen from a Location."""
        if isinstance(self.rules, Profile):
            table = self._table
            if table is not None:
                return viewshed_of_table(table, self.compiled, a)
            return viewshed_under(under(self.compiled), a)
        return seen_from(self.board, a, self.rules)

    def table(self, base: Look | None = None) -> Table:
        """The table of all pairs of Locations.

        Parameters
        ----------
        base : Look, optional
            An earlier version whose table is known: only lines that touch what has
            changed since are walked.
        """
        with self._table_lock:
            if self._table is None:
                known = base._table if base is not None and base is not self else None
                if (
                    base is not None
                    and known is not None
                    and base.rules.digest == self.rules.digest
                ):
                    self._table = retable(known, base.compiled, self.compiled).table
                else:
                    self._table = table_of(self.board, self.rules)
            return self._table

    @property
    def has_table(self) -> bool:
        """Whether the table is known."""
        return self._table is not None

    def findings(self) -> tuple[FindingView, ...]:
        """Findings, worst first; of a bare board none."""
        if self.ground is None:
            return ()
        with self._findings_lock:
            if self._found is None:
                same = self.board is self.ground.plain.board
                self._found = (
                    self.ground.plain_findings
                    if same
                    else self.ground.findings_of(self.board, self.overrides)
                )
        return list_findings(self._found, self.ground.plain_findings, self.accepted)
