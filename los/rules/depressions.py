"""Looking into and out of depressions: A6.3."""

from __future__ import annotations

from hexsight.los.jit import rule
from hexsight.los.rules.registry import CLEAR, DEPRESSION


@rule
def rim(ground: int, bed: int, other: int, away: int) -> int:
    """Ground over the bed of a depression that holds one end.

    A6.3: who stands outside sees a Location in a depression only from as many
    levels above it as there are hexes between, or along the depression.  So
    ground higher than the bed blocks from the range on (`away`, counted from
    the other end) that exceeds the difference in height.
    """
    if ground > bed and 2 * away > other - bed:
        return DEPRESSION
    return CLEAR
