"""One version of a board, with what is worked out of it when it is first asked for."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hexsight.los.compile import compile_board
from hexsight.los.engine import ask, locations_for, seen_from, table_of
from hexsight.los.explain import Answer, explain_compiled
from hexsight.los.hexes.answers import seen_compiled, star_of
from hexsight.los.hexes.compile import compile_hexes
from hexsight.los.hexes.explain import ask_compiled
from hexsight.los.hexes.profile import HexProfile
from hexsight.los.hexes.tables import HexCompiled
from hexsight.los.overlay import Overlay
from hexsight.los.overlay_prepare import under
from hexsight.los.overlay_table import star
from hexsight.los.profile import Profile
from hexsight.los.retable import retable
from hexsight.los.rulesets import RuleSet
from hexsight.los.table import Table
from hexsight.los.tables import Compiled
from hexsight.los.viewshed import Viewshed, table_row, viewshed_of_table, viewshed_under
from hexsight.model.board import Board
from hexsight.model.errors import UsageError
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

    Attributes
    ----------
    mended : mapping of str to Finding
        Findings that their own correction settled, by id.
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
        self._hexes: HexCompiled | None = None
        self._table: Table | None = None
        self._found: tuple[Finding, ...] | None = None
        self.mended: Mapping[str, Finding] = {}

    def takes_over(self, before: Look) -> None:
        """Keep what an earlier version worked out, where it has the same board."""
        if before.board is self.board:
            self._compiled, self._table = before._compiled, before._table
            self._hexes, self._found = before._hexes, before._found

    @property
    def compiled(self) -> Compiled:
        """The board as arrays for the pixel walk."""
        assert isinstance(self.rules, Profile)
        with self._lock:
            if self._compiled is None:
                self._compiled = compile_board(self.board, self.rules)
            return self._compiled

    @property
    def hexes(self) -> HexCompiled:
        """The board as arrays for rules that count hexes, for every class of observer."""
        assert isinstance(self.rules, HexProfile)
        with self._lock:
            if self._hexes is None:
                self._hexes = compile_hexes(self.board, self.rules)
            return self._hexes

    @cached_property
    def locations(self) -> tuple[Location, ...]:
        """Locations of the board, in the order of its table."""
        if self.rules.engine == "measured":
            # Whoever measures asks from points and the middles of hexes; levels are the rules'.
            return tuple(
                Location(h.name, k, "ground", 0, h.base_half)
                for k, h in enumerate(self.board.hexes)
            )
        return locations_for(self.board, self.rules)

    @property
    def observers(self) -> tuple[tuple[str, str], ...]:
        """Name and label of each class of observer, the first is the one meant without a name."""
        rules = self.rules
        if isinstance(rules, HexProfile):
            return tuple((name, one.label or name) for name, one in rules.rules.classes.items())
        return tuple((name, name.replace("-", " ")) for name in rules.observers)

    def los(self, a: str, b: str, observer: str | None = None) -> Answer:
        """Line of sight between two Locations, for a class of observer.

        Raises
        ------
        UsageError
            If one of them does not exist, or the rules have no such class.
        """
        rules = self.rules
        if isinstance(rules, Profile):
            self._no_class(observer)
            return explain_compiled(self.compiled, a, b)
        if isinstance(rules, HexProfile):
            return ask_compiled(self.hexes, a, b, rules.observer(observer), Overlay())
        return ask(self.board, a, b, rules, None, observer)

    def viewshed(self, a: str, observer: str | None = None) -> Viewshed:
        """All that is seen from a Location; raises what `los` raises."""
        rules = self.rules
        if isinstance(rules, Profile):
            self._no_class(observer)
            table = self._table
            if table is not None:
                return viewshed_of_table(table, self.compiled, a)
            return viewshed_under(under(self.compiled), a)
        if isinstance(rules, HexProfile):
            return seen_compiled(self.hexes, a, rules.observer(observer), Overlay())
        return seen_from(self.board, a, rules, None, observer)

    def row(
        self, a: str, observer: str | None = None
    ) -> tuple[int, NDArray[np.uint8], NDArray[np.uint8]] | None:
        """A viewshed as its place, a table's bytes and reason codes (n,).

        A page that follows the pointer asks for hundreds: no object for each Location.
        None where rules answer one by one only.  Raises what `los` raises.
        """
        rules = self.rules
        if isinstance(rules, Profile):
            self._no_class(observer)
            if self._table is not None:
                return table_row(self._table, self.compiled, a)
            return star(under(self.compiled), a)
        if isinstance(rules, HexProfile) and rules.judge is None:
            return star_of(self.hexes, a, rules.observer(observer))
        return None

    def _no_class(self, observer: str | None) -> None:
        if observer is not None:
            raise UsageError(f"In the rules {self.rules.name} all observers see alike.")

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
    def checked(self) -> bool:
        """Whether the findings are known, so that nobody waits for them."""
        return self._found is not None

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
        return list_findings(
            self._found, self.ground.plain_findings, self.accepted, self.overrides, self.mended
        )
