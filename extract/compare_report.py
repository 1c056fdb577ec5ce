"""A comparison as text and as JSON."""

from __future__ import annotations

from typing import Any

from hexsight.extract.compare import ClassScore, Comparison

SCHEMA_VERSION = 1


def comparison_json(result: Comparison) -> dict[str, Any]:
    """Everything of a comparison, ready for `json.dumps`."""
    return {
        "schema_version": SCHEMA_VERSION,
        "board": result.board,
        "compared_px": result.compared_px,
        "agreement": round(result.agreement, 5),
        "elevation_agreement": round(result.elevation_agreement, 5),
        "bars": {
            "agreed": result.bars_agreed,
            "missed": result.bars_missed,
            "false": result.bars_false,
        },
        "classes": {
            c.name: {
                "truth_px": c.truth_px,
                "agreed_px": c.agreed_px,
                "missed_px": c.missed_px,
                "false_px": c.false_px,
                "iou": round(c.iou, 4),
                "taken_for": dict(c.taken_for),
                "really": dict(c.really),
            }
            for c in result.classes
        },
        "elevations": [
            {"found_half": found, "truth_half": truth, "px": px}
            for found, truth, px in result.elevations
        ],
        "hexes": {
            h.name: {
                "x_px": h.x_px,
                "y_px": h.y_px,
                "differing_share": h.differing_share,
                "facts": [{"what": f.what, "found": f.found, "truth": f.truth} for f in h.facts],
            }
            for h in result.hexes
        },
    }


def comparison_text(result: Comparison, *, most_hexes: int = 20) -> str:
    """The same as tables for a terminal, the worst hexes only."""
    lines = [
        f"{result.board}: {100 * result.agreement:.2f} % of {result.compared_px:,} pixels agree "
        f"with the truth outside grid lines and labels, elevation "
        f"{100 * result.elevation_agreement:.2f} %.",
        "",
        f"{'terrain':28}{'truth px':>11}{'agreed':>11}{'missed':>10}{'false':>10}{'IoU':>7}  "
        "missed: taken for; false: really",
    ]
    lines += [_class_line(c) for c in result.classes]
    if result.elevations:
        named = [f"{f / 2:g} for {t / 2:g} ({px:,} px)" for f, t, px in result.elevations[:4]]
        lines += ["", "elevation in levels, found for true: " + ", ".join(named)]
    lines += [
        "",
        f"bars: {result.bars_agreed} agree, {result.bars_missed} missed, {result.bars_false} false",
        f"hexes that differ: {len(result.hexes)} of {result.hexes_in_all}",
    ]
    for h in result.hexes[:most_hexes]:
        facts = "; ".join(str(f) for f in h.facts) or "facts agree"
        lines.append(f"  {h.name:6} {100 * h.differing_share:3.0f} % of its pixels  {facts}")
    if len(result.hexes) > most_hexes:
        lines.append(f"  … and {len(result.hexes) - most_hexes} more: --json lists them all")
    return "\n".join(lines)


def _class_line(c: ClassScore) -> str:
    taken = ", ".join(f"{name} {px:,}" for name, px in c.taken_for) or "–"
    really = ", ".join(f"{name} {px:,}" for name, px in c.really) or "–"
    return (
        f"{c.name[:27]:28}{c.truth_px:>11,}{c.agreed_px:>11,}{c.missed_px:>10,}{c.false_px:>10,}"
        f"{c.iou:>7.3f}  {taken}; {really}"
    )
