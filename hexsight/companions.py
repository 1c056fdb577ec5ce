"""From board folders and a module to the files of the companion."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hexsight.export.companion import (
    BlockingEntry,
    CompanionBoard,
    CompanionPlace,
    SmokeNumbers,
)
from hexsight.export.stock_sayings import saying
from hexsight.export.stock_size import distances
from hexsight.los.blocking import CODE_SHIFT, BlockingPlaces, only_code
from hexsight.los.compile import compile_board
from hexsight.los.engine import blocking_for, locations_for
from hexsight.los.profile import Profile
from hexsight.los.rules.registry import HINDERS, REASONS, blocks
from hexsight.los.rulesets import RuleSet
from hexsight.los.table import BLOCKED, Table, write_table
from hexsight.los.tables import L_SIGHT
from hexsight.model.board import Board
from hexsight.model.locations import Location
from hexsight.stocking_answers import Prepared, rows_of

Progress = Callable[[float], None]
# For some rows: what blocks and where, the answers, and whether a pair is kept.
_Rows = tuple[NDArray[np.int64], NDArray[np.uint8], NDArray[np.bool_]]
_NO_SMOKE = SmokeNumbers(limit=63, hex_limit=1, blind_range=1, hindrance=1, height_half=1)
# Hexes whose rows are found at a time: a row is eight bytes a Location.
_AT_A_TIME = 16


def companion_board(prepared: Prepared, progress: Progress | None = None) -> CompanionBoard:
    """All that the companion needs of one board.

    Parameters
    ----------
    prepared : Prepared
        Of the stock export.  Its Locations alone are offered; with a highest
        range only pairs up to it are kept.
    progress : callable, optional
        Told the share done, 0 to 1.
    """
    table, profile = prepared.table, prepared.profile
    entries = [BlockingEntry(code, None, _text(code, "")) for code in _codes(profile)]
    answers = pairs = None
    if prepared.where or prepared.most is not None:
        answers, pairs = _pairs(prepared, entries, progress)
    maps = tuple(dict.fromkeys(h.map_name for h in prepared.homes))
    return CompanionBoard(
        prepared.homes[0].name,
        maps,
        _table_bytes(table) if answers is None else None,
        _places(prepared),
        tuple(entries),
        pairs,
        _smoke(profile),
        prepared.most,
        answers,
    )


def _codes(profile: RuleSet) -> list[int]:
    """Codes of what may block under some rules."""
    hexes = profile.engine != "pixels"
    return [code for code in sorted(REASONS) if blocks(code) and (code > HINDERS) == hexes]


def _smoke(profile: RuleSet) -> SmokeNumbers:
    if not isinstance(profile, Profile):
        # The thread of a hex game knows no smoke counters; its numbers are never asked.
        return _NO_SMOKE
    rules = profile.overlay
    return SmokeNumbers(
        profile.hindrance_limit,
        rules.smoke_limit,
        profile.blind_range,
        rules.smoke.hindrance,
        rules.smoke.height_half,
    )


def _sight_heights(prepared: Prepared, locations: Sequence[Location]) -> list[int]:
    """Height that each Location looks from, in half-levels."""
    if not isinstance(prepared.profile, Profile):
        return [location.level_half for location in locations]
    rows = compile_board(prepared.board, prepared.profile).tables.locations
    return [int(height) for height in rows[:, L_SIGHT]]


def _places(prepared: Prepared) -> tuple[CompanionPlace, ...]:
    locations = locations_for(prepared.board, prepared.profile)
    heights = _sight_heights(prepared, locations)
    offered = dict(zip(prepared.keep.tolist(), prepared.places, strict=True))
    out = []
    for k, name in enumerate(prepared.table.names):
        facts = prepared.board.hexes[locations[k].hex]
        place = offered.get(k)
        out.append(
            CompanionPlace(
                name,
                place.location if place is not None else "",
                place.label if place is not None else name,
                facts.col,
                facts.row,
                round(facts.x_px),
                round(facts.y_px),
                heights[k],
                facts.base_half,
            )
        )
    return tuple(out)


def _pairs(
    prepared: Prepared,
    entries: list[BlockingEntry],
    progress: Progress | None,
) -> tuple[NDArray[np.uint8] | None, NDArray[np.uint32]]:
    """Answers of the pairs that are kept, None for all, and the entry of each.

    Adds the entries that are found.
    """
    table = prepared.table
    v, hexes = len(table.names), len(prepared.board.hexes)
    numbers: list[NDArray[np.uint32]] = []
    answers: list[NDArray[np.uint8]] = []
    starts = np.searchsorted(prepared.hex_of, np.arange(hexes + 1))
    # Scratch is one thread's own.
    finders = blocking_for(prepared.board, prepared.profile, prepared.observer, 2)
    known = {0: 0} | {e.code << CODE_SHIFT: k + 1 for k, e in enumerate(entries)}
    blocks = [(a, min(a + _AT_A_TIME, hexes)) for a in range(0, hexes, _AT_A_TIME)]

    def work(worker: int, first: int, last: int) -> _Rows:
        rows = np.arange(starts[first], starts[last])
        said = rows_of(table.answers, v, rows)
        why = None if table.reasons is None else rows_of(table.reasons, v, rows)
        if prepared.where:
            found = finders[worker].rows(first, last, said, why, prepared.most)
        else:
            found = np.zeros(said.shape, np.int64) if why is None else only_code(why)
        found[(said & BLOCKED) == 0] = 0
        keep = np.arange(v)[None, :] > rows[:, None]
        if prepared.most is not None:
            here = prepared.offsets[prepared.hex_of]
            keep &= distances(here[rows], here) <= prepared.most
        return found, said, keep

    with ThreadPoolExecutor(2) as pool:
        for at in range(0, len(blocks), 2):
            jobs = [pool.submit(work, w, *b) for w, b in enumerate(blocks[at : at + 2])]
            for job in jobs:
                found, said, keep = job.result()
                values, inverse = np.unique(found[keep], return_inverse=True)
                for value in values.tolist():
                    if value not in known:
                        entries.append(_entry(prepared.board, finders[0], value))
                        known[value] = len(entries)
                table_of = np.array([known[n] for n in values.tolist()], np.uint32)
                numbers.append(table_of[inverse.ravel()])
                if prepared.most is not None:
                    answers.append(said[keep])
            if progress is not None:
                progress(min(1.0, (at + 2) / len(blocks)))
    kept = np.concatenate(answers) if prepared.most is not None else None
    return kept, np.concatenate(numbers)


def _entry(board: Board, finder: BlockingPlaces, place: int) -> BlockingEntry:
    code, name = finder.code(place), finder.name(place)
    return BlockingEntry(code, finder.point_px(place), _text(code, name))


def _text(code: int, place: str) -> str:
    reason = REASONS.get(code)
    return saying(True, 0, reason.code if reason else "", reason.text if reason else "", place)


def _table_bytes(table: Table) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "los.lostab"
        write_table(table, path)
        return path.read_bytes()
