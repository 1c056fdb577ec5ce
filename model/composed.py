"""The board that several boards make; `hexsight.model.compose` lays them out."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from hexsight.model.board import Board, HexFacts


@dataclass(frozen=True)
class ComposedBoard(Board):
    """A board made of boards.

    Attributes
    ----------
    aliases : dict of str to str
        A hex that boards share is named by the upper, else the left one; here
        are its other names, such as ``01A5`` to ``20GG5``.
    """

    aliases: dict[str, str] = field(default_factory=dict)

    @cached_property
    def _folded(self) -> dict[str, str]:
        out = {alias.casefold(): name for alias, name in self.aliases.items()}
        out.update((h.name.casefold(), h.name) for h in self.hexes)
        return out

    def hex(self, name: str) -> HexFacts:
        """Facts of a hex by any of its names; upper and lower case alike.

        Raises
        ------
        UsageError
            If the map has no such hex; names the nearest.
        """
        known = self._folded.get(name.strip().casefold())
        return self.by_name[known] if known is not None else super().hex(name)
