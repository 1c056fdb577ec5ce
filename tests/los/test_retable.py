"""A table after a correction is the one that is built of the board as a whole."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from towns import correction, town

from hexsight.los.compile import compile_board
from hexsight.los.profile import load_profile
from hexsight.los.retable import retable
from hexsight.los.table import build_table
from hexsight.model.derive import conclude, prepare
from hexsight.model.errors import UsageError
from hexsight.model.overrides import Overrides


@settings(max_examples=4, deadline=None)
@given(st.integers(0, 10**6))
def test_only_what_changed_is_walked_and_all_is_right(seed: int) -> None:
    r = random.Random(seed)
    profile = load_profile()
    prepared = prepare(town(seed))
    said = Overrides()
    now = conclude(prepared, said)
    compiled = compile_board(now.board, profile)
    table = build_table(now.board, profile)
    for _ in range(4):
        wanted = correction(r, now.board, said)
        try:
            after = conclude(prepared, wanted)
        except UsageError:
            continue
        then = compile_board(after.board, profile)
        made = retable(table, compiled, then)
        whole = build_table(after.board, profile)
        assert made.table.names == whole.names
        assert np.array_equal(made.table.answers, whole.answers)
        assert made.table.reasons is not None
        assert np.array_equal(made.table.reasons > 0, (whole.answers & 128) > 0)
        assert made.table.board_digest == whole.board_digest
        assert made.walked <= made.pairs
        said, now, compiled, table = wanted, after, then, whole
