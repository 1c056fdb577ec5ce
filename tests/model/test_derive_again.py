"""A board after one more correction equals the board concluded as a whole."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from towns import correction, differences, town

from hexsight.model.derive import conclude, prepare
from hexsight.model.derive_again import conclude_again
from hexsight.model.errors import UsageError
from hexsight.model.overrides import HexOverride, Overrides


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10**6))
def test_any_sequence_of_corrections_comes_to_what_a_whole_conclusion_says(seed: int) -> None:
    r = random.Random(seed)
    prepared = prepare(town(seed))
    said = Overrides()
    now = conclude(prepared, said)
    for _ in range(6):
        wanted = correction(r, now.board, said)
        try:
            whole = conclude(prepared, wanted)
        except UsageError as error:
            with pytest.raises(UsageError) as again:
                conclude_again(prepared, now, said, wanted)
            assert str(again.value) == str(error)
            continue
        again_made = conclude_again(prepared, now, said, wanted)
        assert differences(again_made, whole) == []
        said, now = wanted, again_made
    back = conclude_again(prepared, now, said, Overrides())
    assert differences(back, conclude(prepared, Overrides())) == []


def test_a_typed_board_keeps_what_its_codes_say() -> None:
    survey = replace(town(3), typed=True)
    prepared = prepare(survey)
    now = conclude(prepared, Overrides())
    wanted = Overrides(hexes={now.board.hexes[40].name: HexOverride(building="wood")})
    assert (
        differences(conclude_again(prepared, now, Overrides(), wanted), conclude(prepared, wanted))
        == []
    )
