"""`hexsight grid`: find the printed grid, compare it with the module's."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from hexsight.commands.common import (
    force_option,
    json_option,
    print_json,
    source_argument,
)
from hexsight.extract.grid import GridFit, align_to, compare, draw_fit, vassal_attributes
from hexsight.extract.grid import straighten as straighten_picture
from hexsight.extract.grid_many import search_grids
from hexsight.extract.labels import confirm_numbering, search_numbering
from hexsight.extract.labels_report import Confirmation
from hexsight.extract.source import Source, open_any
from hexsight.facts import SCHEMA_VERSION, fit_facts, grid_facts
from hexsight.gridwrite import GridChange, plan_grid_change, write_grid_change
from hexsight.model.errors import FindingsError, HexsightError, UnsupportedError, UsageError
from hexsight.model.layout import Layout
from hexsight.output import png_bytes, write_bytes
from hexsight.places import Place, place_at, places_named
from hexsight.reading import label, request_from

# Hexes of a kind that are named in a sentence.
_MOST_NAMED = 5


@click.command()
@source_argument
@click.option("--board", help="Name of the board in a module.")
@click.option(
    "--picture", type=click.Path(path_type=Path), help="Write a picture of the fit (PNG)."
)
@click.option(
    "--write",
    type=click.Path(path_type=Path),
    metavar="MODULE",
    help="Write a copy of the module with the fitted grid.",
)
@click.option("--dry-run", is_flag=True, help="Show what --write would change, write nothing.")
@click.option(
    "--straighten",
    type=click.Path(path_type=Path),
    metavar="PNG",
    help="Write the picture with its grid upright.",
)
@click.option(
    "--labels",
    is_flag=True,
    help="Read the printed hex names: confirm the numbering of SOURCE, or propose one.",
)
@click.option("--name", "names", multiple=True, help="Tell where a hex of SOURCE is. Repeatable.")
@click.option(
    "--at",
    "points",
    multiple=True,
    metavar="X,Y",
    help="Tell what VASSAL calls a pixel, raw and after snapping. Repeatable.",
)
@click.option(
    "--ocr",
    is_flag=True,
    help="Ask the text reader rapidocr (hexsight[ocr]) where --labels alone cannot tell.",
)
@force_option
@json_option
def grid(
    source: Path,
    board: str | None,
    picture: Path | None,
    write: Path | None,
    dry_run: bool,
    straighten: Path | None,
    labels: bool,
    ocr: bool,
    names: tuple[str, ...],
    points: tuple[str, ...],
    force: bool,
    as_json: bool,
) -> None:
    """Find the hex grid printed on SOURCE and tell it in VASSAL's attributes.

    For a module or a VASL board the report says how far its own grid is off.
    Exit code 1 when no grid is printed on the picture. SOURCE is never written to.
    With --name or --at no picture is searched: they answer by SOURCE's own grid.
    """
    request = request_from(source, board=board)
    opened = open_any(request.source, request.board)
    if names or points:
        _tell_places(opened, names, points, as_json)
        return
    inputs = (request.source,)
    rgb = opened.picture.rgb
    size = opened.picture.size_px
    search = search_grids(rgb, hint=opened.layout)
    answer: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "source": label(opened),
        "size_px": list(size),
        "grid": None,
        "grids": [],
        "confidence": 0.0,
        "reason": search.reason,
    }
    fit = search.fit
    if fit is not None:
        layout = fit.layout
        if opened.layout is not None:
            try:
                layout = align_to(fit.layout, opened.layout, size, extent=fit.extent)
            except HexsightError as error:
                answer["module_note"] = str(error)
            offsets = compare(fit.layout, opened.layout, fit.extent)
            answer["module_grid"] = grid_facts(opened.layout)
            answer["module_offset_px"] = {
                "rms": round(offsets.rms_px, 3),
                "max": round(offsets.max_px, 3),
            }
        best = vassal_attributes(layout, size, fit.extent)
        answer |= {
            **fit_facts(fit, layout),
            "grids": [fit_facts(fit, layout), *(_further(other, size) for other in search.others)],
            "vassal": dict(best.attributes),
            "vassal_max_error_px": round(best.max_error_px, 3),
        }
        if picture is not None:
            write_bytes(
                picture,
                png_bytes(draw_fit(rgb, fit, search.others)),
                overwrite=force,
                inputs=inputs,
            )
        if straighten is not None:
            upright, upright_layout = straighten_picture(rgb, layout)
            write_bytes(straighten, png_bytes(upright), overwrite=force, inputs=inputs)
            answer["straightened_grid"] = grid_facts(upright_layout)
        if labels or ocr:
            answer["numbering"] = _numbering(opened, rgb, layout, fit.line_width_px, ocr)
        if write is not None or dry_run:
            change = _change(opened, best.attributes, same=layout is not fit.layout)
            answer["diff"] = change.diff()
            if write is not None and not dry_run:
                write_grid_change(request.source, write, change, overwrite=force)
                answer["written"] = str(write)
    if as_json:
        print_json(answer)
    elif fit is not None:
        click.echo(_describe(answer))
    if fit is None:
        raise FindingsError(
            f"No printed hex grid was found on {label(opened)}: {search.reason}. "
            "If you see one, set grid: in hexsight.yaml by hand."
        )


def _further(fit: GridFit, size: tuple[int, int]) -> dict[str, Any]:
    """A further grid on the sheet, with attributes for a zone of its own."""
    best = vassal_attributes(fit.layout, size, fit.extent)
    return fit_facts(fit, fit.layout) | {
        "vassal": dict(best.attributes),
        "vassal_max_error_px": round(best.max_error_px, 3),
    }


def _tell_places(
    opened: Source, names: tuple[str, ...], points: tuple[str, ...], as_json: bool
) -> None:
    """Answer --name and --at."""
    asked: list[tuple[str, list[Place]]] = [(n, places_named(opened, n)) for n in names]
    for text in points:
        try:
            x, y = (float(v) for v in text.split(","))
        except ValueError as error:
            raise UsageError(f"--at takes two numbers, such as 512,300, not {text!r}.") from error
        asked.append((text, [place_at(opened, x, y)]))
    if as_json:
        told = [{"asked": a, **p.facts()} for a, places in asked for p in places]
        print_json(
            {"schema_version": SCHEMA_VERSION, "source": label(opened), "places": told}
            | {"warnings": list(opened.warnings)}
        )
        return
    for text, places in asked:
        for place in places:
            click.echo(_describe_place(text, place))


def _describe_place(asked: str, place: Place) -> str:
    (x, y), (sx, sy) = place.point_px, place.snapped_px
    named = place.name or "no name"
    snapped = place.snapped_name or "no name"
    zone = f" in zone {place.zone}" if place.zone else ""
    raw = f", raw column {place.raw[0]}, row {place.raw[1]}" if place.raw else ""
    lines = [
        f"{asked}: ({x}, {y}) is {named}, after snapping {snapped}; centre ({sx}, {sy}){raw}{zone}"
    ]
    if place.warning:
        lines.append(f"  beware: {place.warning}")
    return "\n".join(lines)


def _change(opened: Source, attributes: Mapping[str, str], *, same: bool) -> GridChange:
    """What --write would change; `same` when print and module are one lattice."""
    if opened.module is not None and opened.layout is None:
        told = "; ".join(opened.warnings) or "the board has none"
        raise UnsupportedError(
            f"There is no usable HexGrid to change in {label(opened)}: {told}. "
            "Set one in VASSAL's editor first."
        )
    if opened.module is not None and not same:
        raise UnsupportedError(
            f"The printed grid of {label(opened)} differs from the module's by more than a "
            "quarter hex: nothing is written, since hexes would lose their names. "
            "Set the grid by hand in VASSAL's editor."
        )
    return plan_grid_change(opened, attributes)


def _numbering(
    opened: Source, rgb: NDArray[np.uint8], layout: Layout, line_px: float, ocr: bool
) -> dict[str, Any]:
    """Whether the names of the source are those printed, or which numbering the print follows."""
    if opened.hexes:
        names = {(c, r): name for c, r, name in opened.hexes}
        found = confirm_numbering(rgb, layout, names, line_px=line_px, ocr=ocr)
        return {
            "verdict": found.verdict,
            "confidence": round(found.confidence, 3),
            "agree": found.agree,
            "disagree": [
                {"col": c, "row": r, "printed": printed, "named": named}
                for c, r, printed, named in found.disagree
            ],
            "shift": found.shift,
            "reason": _otherwise(found) or found.reason,
        }
    search = search_numbering(rgb, layout, line_px=line_px, ocr=ocr)
    if search.proposal is None:
        return {"verdict": "no labels", "reason": search.reason}
    proposal = search.proposal
    return {
        "verdict": "proposed",
        "confidence": round(proposal.confidence, 3),
        "attributes": proposal.attributes,
        "example": [{"col": c, "row": r, "name": n} for c, r, n in proposal.example],
        "agree": proposal.agree,
        "reason": "",
    }


def _otherwise(found: Confirmation) -> str:
    """Which few hexes read otherwise than they are named, where all others agree."""
    if found.verdict != "agrees" or not found.disagree:
        return ""
    few = [f"{named} as {printed}" for _, _, printed, named in found.disagree[:_MOST_NAMED]]
    count = len(found.disagree)
    more = f" and {count - len(few)} more" if count > len(few) else ""
    hexes = "hex reads" if count == 1 else "hexes read"
    return f"{count} {hexes} otherwise than named: {', '.join(few)}{more}"


def _describe(answer: dict[str, Any]) -> str:
    grid_, best = answer["grid"], answer["vassal"]
    kind = "pointy-topped (sideways)" if grid_["sideways"] else "flat-topped"
    lines = [
        f"{answer['source']}: {kind} hexes by {answer['style']}, "
        f"confidence {answer['confidence']:.2f}",
        f"  spacing dx {grid_['dx']} dy {grid_['dy']}, hex (0, 0) at {grid_['x0']}, {grid_['y0']}, "
        f"turned by {grid_['rot_deg']}°",
        "  for VASSAL: "
        + " ".join(f'{k}="{v}"' for k, v in best.items())
        + f" (at most {answer['vassal_max_error_px']} px off)",
    ]
    lines += [_describe_further(g) for g in answer["grids"][1:]]
    if "module_offset_px" in answer:
        off = answer["module_offset_px"]
        lines.append(f"  its own grid is {off['rms']} px off, at most {off['max']} px")
    if "numbering" in answer:
        lines.append(_describe_numbering(answer["numbering"]))
    if "straightened_grid" in answer:
        upright = answer["straightened_grid"]
        told = " ".join(f"{k} {upright[k]}" for k in ("dx", "dy", "x0", "y0"))
        lines.append(f"  on the straightened picture: {told}")
    if "diff" in answer:
        lines.append(answer["diff"] or "  the module's grid already says so")
    if "written" in answer:
        lines.append(f"Wrote {answer['written']}")
    if answer["reason"]:
        lines.append(f"  doubtful: {answer['reason']}")
    return "\n".join(lines)


def _describe_further(grid_: dict[str, Any]) -> str:
    facts, best = grid_["grid"], grid_["vassal"]
    kind = "pointy-topped" if facts["sideways"] else "flat-topped"
    left, top, right, bottom = (round(v) for v in grid_["box_px"])
    return (
        f"  another grid at ({left}, {top})–({right}, {bottom}): {kind}, {grid_['hexes']} hexes, "
        f"dx {facts['dx']} dy {facts['dy']}, turned by {facts['rot_deg']}°\n"
        "    for a zone there: "
        + " ".join(f'{k}="{v}"' for k, v in best.items())
        + f" (at most {grid_['vassal_max_error_px']} px off)"
    )


def _describe_numbering(found: dict[str, Any]) -> str:
    if found["verdict"] == "proposed":
        told = " ".join(f'{k}="{v}"' for k, v in found["attributes"].items())
        names = ", ".join(e["name"] for e in found["example"][:4])
        return f"  printed names such as {names} follow: {told}"
    said = {
        "agrees": f"the names are those printed ({found.get('agree', 0)} hexes read)",
        "disagrees": "the names are not those printed",
        "undecided": "the printed names leave it open whether the names are right",
        "no labels": "no printed names were read",
    }[found["verdict"]]
    return f"  {said}" + (f": {found['reason']}" if found["reason"] else "")
