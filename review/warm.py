"""Compile what answers while the map is still being read."""

from __future__ import annotations

import threading

import numpy as np

from hexsight.los.jit import have_numba
from hexsight.los.overlay_judge import V_COLUMNS, Screens, fill_pairs
from hexsight.los.profile import Profile
from hexsight.los.rulesets import RuleSet
from hexsight.los.scratch import make_scratch
from hexsight.los.tables import C_COLUMNS, H_COLUMNS, L_COLUMNS, S_COLUMNS, Tables


def warm_up(rules: RuleSet) -> threading.Thread | None:
    """Begin to compile the loop of a viewshed, or to load it, beside what else is done.

    The first time after hexsight was installed that takes some fifteen seconds.  Other
    rules than those of the pixel walk are compiled when the board is there.
    """
    if not (isinstance(rules, Profile) and have_numba()):
        return None
    thread = threading.Thread(target=_star, args=(rules,), name="review-warm", daemon=True)
    thread.start()
    return thread


def _star(rules: Profile) -> None:
    """Call the loop with no line to walk: its types decide what is compiled."""
    numbers = np.concatenate([rules.numbers, np.ones(2), np.zeros(2)]).astype(np.int32)
    tables = Tables(
        hexes=np.zeros((1, H_COLUMNS), np.int32),
        cells=np.zeros((1, C_COLUMNS), np.int32),
        sides=np.zeros((0, S_COLUMNS), np.int32),
        locations=np.zeros((1, L_COLUMNS), np.int32),
        lookup=np.zeros((3, 3), np.int32),
        pixels=np.zeros(1, np.uint16),
        numbers=numbers,
    )
    screens = Screens(
        rows=np.zeros((0, V_COLUMNS), np.int32),
        numbers=np.zeros(2, np.int32),
        by_range=np.zeros((8, 2), np.int64),
        seen=np.zeros((0, 1), np.uint8),
    )
    row = np.zeros(1, np.uint8)
    pairs = np.zeros((0, 2), np.int64)
    fill_pairs(tables, make_scratch(tables), screens, pairs, 0, row, row.copy())
