"""One pair of Locations under an overlay: the map's answer, and what a scenario put between.

`judge_screens` is called after `hexsight.los.judge.judge` on the same trace.
What an overlay adds never clears a line, so a pair that the map blocks stays
blocked; what the map leaves clear is hindered by SMOKE, vehicles and wrecks, up
to the limit (A6.7).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hexsight.los.jit import compiled, rule
from hexsight.los.judge import judge, judge_same_hex
from hexsight.los.kernel import BLOCKED, MOST_HINDRANCE, forget, trace
from hexsight.los.rules.registry import (
    CLEAR,
    HINDERS_SMOKE,
    HINDERS_VEHICLE,
    HINDRANCE_LIMIT,
)
from hexsight.los.rules.screens import hinders_level, veils_between, veils_end, veils_storeys
from hexsight.los.scratch import (
    AT_PIXEL,
    AT_TOTAL,
    HINDER,
    HINDRANCES,
    N_RUNS,
    R_CELL,
    REACH,
    Scratch,
    note,
    span,
)
from hexsight.los.tables import (
    C_AMOUNT,
    C_BELOW,
    C_HEX,
    C_INSIDE,
    FACTORY,
    H_FIRST,
    H_FLAGS,
    H_LAST,
    H_PX,
    H_PY,
    HINDRANCE,
    IS_ROOFLESS,
    L_HEX,
    L_SIGHT,
    Tables,
)
from hexsight.los.traverse import SUB

# Columns of `Screens.rows`.
V_HEX, V_BASE, V_TOP, V_AMOUNT, V_LOCATION, V_COLUMNS = range(6)
# Places in `Screens.numbers`.
V_SMOKE_LIMIT, V_VEHICLE = range(2)


class Screens(NamedTuple):
    """SMOKE, Blazes, vehicles and wrecks as arrays.

    Attributes
    ----------
    rows : (k, 5) int32
        Sorted by hex: hex; base and top, absolute; Hindrance; of a vehicle or
        wreck its Location, −1 for SMOKE.
    numbers : (2,) int32
        Most Hindrance of the SMOKE of one hex; Hindrance of a vehicle.
    by_range : (r, 2) int64
        Working place: SMOKE, and vehicles with the terrain of their hex.
    seen : (k, v) uint8
        1 where the map lets a Location see the vehicle of a row.
    """

    rows: NDArray[np.int32]
    numbers: NDArray[np.int32]
    by_range: NDArray[np.int64]
    seen: NDArray[np.uint8]


@rule
def own_hindrance(T: Tables, S: Scratch, h: int) -> int:
    """Hindrance of the terrain of a hex to a line on its own ground."""
    most = 0
    for r in range(S.info[N_RUNS]):
        cell = S.runs[r, R_CELL]
        if T.cells[cell, C_HEX] != h:
            continue
        if T.cells[cell, C_BELOW] == FACTORY and T.cells[cell, C_INSIDE] != 0:
            open_floor = T.hexes[h, H_FLAGS] & IS_ROOFLESS != 0
            most = max(most, T.numbers[5] if open_floor else T.numbers[4])
        elif T.cells[cell, C_BELOW] == HINDRANCE:
            most = max(most, T.cells[cell, C_AMOUNT])
    return most


@rule
def smoke_amount(
    T: Tables, S: Scratch, V: Screens, k: int, a: int, b: int, half_a: int, half_b: int
) -> int:
    """Hindrance of one cloud on the traced line from hex a to hex b."""
    h, base, top = V.rows[k, V_HEX], V.rows[k, V_BASE], V.rows[k, V_TOP]
    if h == a:
        met = veils_end(base, top, half_a, half_b)
    elif h == b:
        met = veils_end(base, top, half_b, half_a)
    else:
        from_a, from_b = span(T, a, h), span(T, h, b)
        if half_a >= half_b:
            met = veils_between(base, top, half_a, half_b, from_a, from_b, T.numbers[1])
        else:
            met = veils_between(base, top, half_b, half_a, from_b, from_a, T.numbers[1])
    return V.rows[k, V_AMOUNT] if met else 0


@rule
def note_screen(T: Tables, S: Scratch, code: int, h: int, amount: int) -> None:
    """Log an entry of an overlay at the centre of its hex."""
    note(S, code, T.hexes[h, H_PX] // SUB, T.hexes[h, H_PY] // SUB, h, AT_PIXEL, -1, amount)


@rule
def vehicle_counts(T: Tables, V: Screens, k: int, a: int, b: int, i: int, j: int) -> bool:
    """Whether a vehicle or wreck hinders the line between two Locations of hexes a and b (D9.4)."""
    if V.rows[k, V_HEX] in (a, b):
        return False
    if not hinders_level(V.rows[k, V_BASE], T.locations[i, L_SIGHT], T.locations[j, L_SIGHT]):
        return False
    return bool(V.seen[k, i] != 0 and V.seen[k, j] != 0)


@rule
def screens_of_hex(
    T: Tables,
    S: Scratch,
    V: Screens,
    first: int,
    end: int,
    a: int,
    b: int,
    i: int,
    j: int,
) -> None:
    """What rows first … end − 1, all of one hex on the line, add at its range."""
    h = V.rows[first, V_HEX]
    away = span(T, a, h)
    half_a, half_b = T.locations[i, L_SIGHT], T.locations[j, L_SIGHT]
    smoke, vehicles = 0, False
    for k in range(first, end):
        if V.rows[k, V_LOCATION] < 0:
            smoke += smoke_amount(T, S, V, k, a, b, half_a, half_b)
        elif not vehicles:
            vehicles = vehicle_counts(T, V, k, a, b, i, j)
    smoke = min(smoke, V.numbers[V_SMOKE_LIMIT])
    if smoke:
        V.by_range[away, 0] = max(V.by_range[away, 0], smoke)
        note_screen(T, S, HINDERS_SMOKE, h, smoke)
    if vehicles:
        amount = V.numbers[V_VEHICLE] + own_hindrance(T, S, h)
        V.by_range[away, 1] = max(V.by_range[away, 1], amount)
        note_screen(T, S, HINDERS_VEHICLE, h, V.numbers[V_VEHICLE])


@rule
def judge_screens(T: Tables, S: Scratch, V: Screens, a: int, b: int, i: int, j: int) -> int:
    """Add an overlay's Hindrances to those of a clear line; its code.

    The largest at each range counts, SMOKE apart from terrain (A6.7, A24.2);
    a vehicle's comes on top of the terrain of its own hex (A6.7) and counts
    only where both ends see it (D9.4).

    Parameters
    ----------
    T, S
        Tables, and the scratch that holds the trace and what `judge` found.
    V : Screens
    a, b, i, j : int
        Hexes and Locations.
    """
    reach = S.info[REACH]
    for away in range(reach + 1):
        V.by_range[away, 0] = 0
        V.by_range[away, 1] = 0
    k, count = 0, len(V.rows)
    while k < count:
        end = k + 1
        while end < count and V.rows[end, V_HEX] == V.rows[k, V_HEX]:
            end += 1
        if S.step_of[V.rows[k, V_HEX]] >= 0:
            screens_of_hex(T, S, V, k, end, a, b, i, j)
        k = end
    total = 0
    for away in range(reach + 1):
        total += V.by_range[away, 0]
        if 0 < away < reach:
            total += max(S.steps[away, HINDER], V.by_range[away, 1])
    S.info[HINDRANCES] = total
    if total >= T.numbers[0]:
        note(S, HINDRANCE_LIMIT, -1, -1, -1, AT_TOTAL, -1, total)
        return HINDRANCE_LIMIT
    return CLEAR


@rule
def judge_screens_in_hex(T: Tables, S: Scratch, V: Screens, i: int, j: int) -> int:
    """Hindrance of SMOKE between two Locations of one hex; leaves it in the scratch."""
    h = T.locations[i, L_HEX]
    lo = min(T.locations[i, L_SIGHT], T.locations[j, L_SIGHT])
    hi = max(T.locations[i, L_SIGHT], T.locations[j, L_SIGHT])
    total = 0
    for k in range(len(V.rows)):
        here = V.rows[k, V_HEX] == h and V.rows[k, V_LOCATION] < 0
        if here and veils_storeys(V.rows[k, V_BASE], V.rows[k, V_TOP], hi, lo):
            total += V.rows[k, V_AMOUNT]
    total = min(total, V.numbers[V_SMOKE_LIMIT])
    if total:
        note_screen(T, S, HINDERS_SMOKE, h, total)
    S.info[HINDRANCES] = total
    return HINDRANCE_LIMIT if total >= T.numbers[0] else CLEAR


@rule
def judge_under(T: Tables, S: Scratch, V: Screens, a: int, b: int, i: int, j: int) -> int:
    """Judge a traced line with all that an overlay put on it."""
    code = judge(T, S, a, b, i, j)
    if code == CLEAR and len(V.rows) > 0:
        return judge_screens(T, S, V, a, b, i, j)
    return code


@rule
def heights_of(T: Tables, first: int, last: int) -> tuple[int, int]:
    """Highest and lowest height that Locations first … last − 1 look from."""
    top, low = -(1 << 20), 1 << 20
    for k in range(first, last):
        top, low = max(top, T.locations[k, L_SIGHT]), min(low, T.locations[k, L_SIGHT])
    return top, low


def _fill_pairs(
    T: Tables,
    S: Scratch,
    V: Screens,
    pairs: NDArray[np.int64],
    only: int,
    out: NDArray[np.uint8],
    why: NDArray[np.uint8],
) -> int:
    """Walk the given pairs of hexes (p, 2), first ≤ second; how many pairs of Locations they are.

    Writes answers and, unless `why` is empty, reason codes: to the condensed
    upper triangle, or, where `only` is a Location and not −1, to its row (v,)
    and for its pairs alone.
    """
    v = len(T.locations)
    walked = 0
    for p in range(len(pairs)):
        a, b = pairs[p, 0], pairs[p, 1]
        i0, i1 = T.hexes[a, H_FIRST], T.hexes[a, H_LAST]
        j0, j1 = T.hexes[b, H_FIRST], T.hexes[b, H_LAST]
        top, low = heights_of(T, i0, i1)
        top_b, low_b = heights_of(T, j0, j1)
        early = trace(T, S, a, b, max(top, top_b), min(low, low_b)) if a != b else CLEAR
        for i in range(i0, i1):
            base = i * (2 * v - i - 1) // 2 - i - 1
            for j in range(i + 1 if a == b else j0, j1):
                if only >= 0 and i != only and j != only:
                    continue
                code = early
                S.info[HINDRANCES] = 0
                if a == b:
                    code = judge_same_hex(T, i, j)
                    if code == CLEAR:
                        code = judge_screens_in_hex(T, S, V, i, j)
                elif code == CLEAR:
                    code = judge_under(T, S, V, a, b, i, j)
                at = base + j if only < 0 else i + j - only
                out[at] = BLOCKED if code else min(S.info[HINDRANCES], MOST_HINDRANCE)
                if len(why) > 0:
                    why[at] = code
                walked += 1
        if a != b and not early:
            forget(S)
    return walked


fill_pairs = compiled(_fill_pairs)
