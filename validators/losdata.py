"""Where the picture and stored LOSData tell of different buildings."""

from __future__ import annotations

from hexsight.validators.evidence import HexContrast, TerrainEvidence

# Of a hex: less is the edge of a roof, drawn by one hand and read by another, or a hut.
SHARE = 0.15
# From so many hexes on it is no slip in single hexes any more.
MANY, MANY_SHARE = 4, 0.01
# What is stored there is a structure too, which only is no building: piles of timber,
# rubble, debris.  Its art is made of the colours of roofs.
_STRUCTURES = ("rubble", "debris", "yard", "wreck", "bridge", "wall", "market", "tower")


def buildings_apart(found: TerrainEvidence) -> tuple[HexContrast, ...]:
    """Hexes with a building in the picture and none stored, or the other way round."""
    out = []
    for one in found.hexes:
        pair = one.fact("building")
        if pair is None or "none" not in pair or one.share < SHARE:
            continue
        terrain = one.fact("terrain") or ("", "")
        other = terrain[1] if pair[1] == "none" else terrain[0]
        if any(word in other.lower() for word in _STRUCTURES):
            continue
        out.append(one)
    return tuple(out)


def is_out_of_date(found: TerrainEvidence) -> bool:
    """Whether so many hexes differ that LOSData is of another picture."""
    return len(buildings_apart(found)) >= max(MANY, MANY_SHARE * found.hexes_in_all)
