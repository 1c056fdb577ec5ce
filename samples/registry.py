"""The boards that can be drawn. A new board is one module with a `SPEC` and one line here."""

from __future__ import annotations

from hexsight.model.errors import UsageError

from . import (
    board_flames,
    board_modern_platoon,
    board_musket_pike,
    board_red_factory,
    board_sideways_mill,
)
from .spec import BoardSpec

_SPECS: dict[str, BoardSpec] = {
    spec.name: spec
    for spec in (
        board_red_factory.SPEC,
        board_sideways_mill.SPEC,
        board_musket_pike.SPEC,
        board_modern_platoon.SPEC,
        board_flames.SPEC,
    )
}


def board_names(*, default_only: bool = False) -> tuple[str, ...]:
    """Names of the boards that can be drawn, in a fixed order.

    Parameters
    ----------
    default_only : bool, optional
        Leave out those that are drawn only when asked for by name.
    """
    return tuple(n for n, spec in _SPECS.items() if spec.default or not default_only)


def board_spec(name: str) -> BoardSpec:
    """Data of a board.

    Raises
    ------
    hexsight.model.errors.UsageError
        When there is no such board.
    """
    if name not in _SPECS:
        raise UsageError(f"There is no sample board {name!r}. Known boards: {', '.join(_SPECS)}.")
    return _SPECS[name]
