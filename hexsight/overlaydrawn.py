"""What an overlay puts on a map, as plain data for `hexsight.export.picture_state`."""

from __future__ import annotations

from hexsight.export.picture_state import StateDrawing, UnitMark, short_names
from hexsight.los.overlay import Overlay


def state_drawing(overlay: Overlay | None) -> StateDrawing | None:
    """What is to be drawn of an overlay; None without one."""
    if overlay is None:
        return None
    letters = short_names(unit.kind for unit in overlay.units)
    return StateDrawing(
        tuple(UnitMark(u.hexes, u.kind, letters[u.kind], u.side, u.facing) for u in overlay.units),
        tuple(cloud.hex for cloud in overlay.smoke),
        tuple(cloud.hex for cloud in overlay.blazes),
        tuple(v.at.partition("@")[0] for v in overlay.vehicles if v.wreck),
        tuple(v.at.partition("@")[0] for v in overlay.vehicles if not v.wreck),
        tuple(name for r in overlay.rubble for name in (r.hex, *r.into)),
        overlay.gutted,
        overlay.collapsed,
        tuple(sorted(overlay.breached)),
        tuple(sorted({u.side for u in overlay.units if u.side is not None})),
    )
