"""A LOS table beside the board and the rules at hand, as the validators look at it."""

from __future__ import annotations

from pathlib import Path

from hexsight.boardrules import BUILD_FILE
from hexsight.checking_print import probe_table
from hexsight.los.engine import locations_for
from hexsight.los.rulesets import load_rules, rules_of_digest
from hexsight.los.table import Table, board_digest
from hexsight.model.board import Board
from hexsight.validators import TableView

# What a build calls its table; any other was made by somebody on purpose.
BUILT_TABLE = "los.lostab"


def table_view(
    table: Table, board: Board | None, rules: str = "asl", *, known: bool = True
) -> TableView:
    """View of a table beside the board and the rules at hand.

    Parameters
    ----------
    table : Table
    board : Board or None
    rules : str
        As `hexsight.los.rulesets.load_rules` takes it; those of the table's digest win,
        where they come with hexsight.
    known : bool
        Whether the table ought to be made with `rules`.  A table that nobody tells anything
        of may be one of rules that are not here: then nothing is said of its answers.
    """
    profile = rules_of_digest(table.profile_digest, rules)
    if not known and profile.digest != table.profile_digest:
        return TableView(
            locations=table.names,
            board_hash=table.board_digest.hex(),
            profile_hash=table.profile_digest.hex(),
            board_hash_now=_nearest_digest(table, board).hex() if board is not None else None,
        )
    fits = board is not None and table.is_made_from(board, profile)
    return TableView(
        locations=table.names,
        board_hash=table.board_digest.hex(),
        profile_hash=table.profile_digest.hex(),
        board_hash_now=board_digest(board, profile).hex() if board is not None else None,
        profile_hash_now=profile.digest.hex(),
        locations_now=tuple(loc.name for loc in locations_for(board, profile))
        if board is not None
        else None,
        probes=probe_table(table, board, profile) if board is not None and fits else (),
    )


def tells_rules(table: Path) -> bool:
    """Whether a table lies where a build put it, so that the build tells of its rules."""
    beside = (table.parent / BUILD_FILE, table.resolve().parent.parent / BUILD_FILE)
    return table.name == BUILT_TABLE and any(file.is_file() for file in beside)


def _nearest_digest(table: Table, board: Board) -> bytes:
    """Digest of a board for whatever engine; that of the table, where one is."""
    plain = board_digest(board)
    both = (plain, board_digest(board, load_rules("generic")))
    return table.board_digest if table.board_digest in both else plain
