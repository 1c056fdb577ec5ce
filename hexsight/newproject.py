"""A starting project for a map: hexsight.yaml, a proposed legend, a sheet of its classes.

What is written is there to be read and changed by a person, so every file says what
each line means; examples of corrections name hexes that are on the map.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from hexsight.extract.propose import LegendProposal, propose_legend
from hexsight.extract.propose_sheet import swatch_sheet
from hexsight.extract.propose_yaml import legend_yaml, quoted, remark
from hexsight.facts import grid_facts
from hexsight.model.atomic import check_target
from hexsight.model.board import Cell, hexside_name
from hexsight.model.errors import OutputError
from hexsight.newmodule import picture_module
from hexsight.output import png_bytes, write_bytes
from hexsight.progress import Reporter, Silent
from hexsight.project import PROJECT_FILE, GridChoice
from hexsight.reading import Reading, Request, read

LEGEND_FILE = "legend.yaml"
SHEET_FILE = "swatches.png"
FILES = (PROJECT_FILE, LEGEND_FILE, SHEET_FILE)


@dataclass(frozen=True)
class NewProject:
    """What was written.

    Attributes
    ----------
    folder : Path
    name : str
        Of the board.
    hexes : int
    legend : str
        What hexsight.yaml names: a preset, or ``legend.yaml``.
    proposal : LegendProposal
    module : str
        File of the module that was made of a picture, or empty.
    """

    folder: Path
    name: str
    hexes: int
    legend: str
    proposal: LegendProposal
    module: str = ""


def new_project(
    request: Request,
    folder: Path,
    *,
    given: Path | None = None,
    module: bool = False,
    overwrite: bool = False,
    reporter: Reporter | None = None,
) -> NewProject:
    """Look at a map and write a starting project.

    Parameters
    ----------
    request : Request
        Its grid, board and source go into the project.
    folder : Path
        Made when it is not there.
    given : Path, optional
        A hexsight.yaml that the request came from; it is not written to either.
    module : bool
        Make a small module of a picture that has none, and go on from that.
    overwrite : bool
        Whether files of an earlier run may be replaced.
    reporter : Reporter, optional

    Raises
    ------
    OutputError
        If the files exist, would lie inside the source, or cannot be written.
    HexsightError
        If the source cannot be read or has no hex grid.
    """
    reporter = reporter or Silent()
    file = f"{request.source.stem}.vmod" if module else ""
    for source in (request.source, given):
        if source is not None:
            _refuse(folder, source, (*FILES, *filter(None, [file])), overwrite)
    reading = read(request, reporter)
    made = picture_module(reading) if module else b""
    reporter.step("Sorting the colours")
    proposal = propose_legend(
        reading.rgb,
        reading.layout,
        reading.cells,
        line_px=reading.fit.line_width_px if reading.fit else None,
    )
    preset = proposal.preset
    legend = preset.name if preset is not None else LEGEND_FILE
    reporter.step("Writing")
    if module:
        request = replace(request, source=folder / file)
    content = ({file: made} if module else {}) | {
        LEGEND_FILE: legend_yaml(proposal, reading.source.name).encode("utf-8"),
        SHEET_FILE: png_bytes(swatch_sheet(reading.rgb, proposal)),
        # The project last: it names the others.
        PROJECT_FILE: project_yaml(request, reading, folder, proposal).encode("utf-8"),
    }
    for name, data in content.items():
        write_bytes(folder / name, data, overwrite=overwrite)
    return NewProject(folder, reading.source.name, len(reading.cells), legend, proposal, file)


def _refuse(folder: Path, source: Path, files: tuple[str, ...], overwrite: bool) -> None:
    """Refuse a folder before any work is done, and before it is made."""
    if folder.is_dir():
        for name in files:
            check_target(folder / name, overwrite=overwrite, source=source)
        return
    if folder.exists():
        raise OutputError(f"Cannot write into {folder}: it is no folder. Name another one.")
    inside = folder.resolve().is_relative_to(source.resolve())
    if source.is_dir() and inside:
        raise OutputError(
            f"Cannot write {folder}: it lies inside {source}, which is being read. "
            "Name a folder outside of it."
        )


def project_yaml(request: Request, reading: Reading, folder: Path, proposal: LegendProposal) -> str:
    """Text of a starting hexsight.yaml."""
    source = reading.source
    lines = [
        f"# How hexsight reads {remark(source.name)}. Paths are relative to this file.",
        "# `hexsight build hexsight.yaml -o result` makes everything from it.",
        "schema_version: 1",
        f"source: {quoted(relative_path(request.source, folder))}",
    ]
    if source.kind == "module":
        lines.append(f"board: {quoted(source.name)}")
    lines += ["", *_legend_lines(proposal), "", "rules: asl", ""]
    lines += _grid_lines(request, reading)
    if source.archive is not None and source.archive.losdata_bytes is not None:
        lines += [
            "",
            "# The terrain may come from the board's LOSData instead of its picture:",
            "# terrain_from: losdata",
        ]
    lines += ["", *_override_lines(reading)]
    return "\n".join(lines) + "\n"


def relative_path(source: Path, folder: Path) -> str:
    """Path of a source as seen from a folder, with slashes; absolute across drives."""
    try:
        return Path(os.path.relpath(source.resolve(), folder.resolve())).as_posix()
    except ValueError:  # Windows: another drive
        return source.resolve().as_posix()


def _legend_lines(proposal: LegendProposal) -> list[str]:
    preset = proposal.preset
    if preset is not None:
        return [
            f"# The preset {preset.name!r} knows {preset.claimed:.0%} of this map's colours. "
            "A legend proposed from the",
            f"# picture alone lies beside it: {LEGEND_FILE}, shown in {SHEET_FILE}.",
            f"legend: {preset.name}",
            f"# legend: {LEGEND_FILE}",
        ]
    return [
        f"# Guessed from the picture: look at {SHEET_FILE} and put it right.",
        f"legend: {LEGEND_FILE}",
    ]


def _grid_lines(request: Request, reading: Reading) -> list[str]:
    facts = grid_facts(reading.layout)
    keys = [k for k in ("dx", "dy", "x0", "y0") if k in facts]
    told = ", ".join(f"{k}: {facts[k]:g}" for k in keys)
    told += f", sideways: {str(facts['sideways']).lower()}, rot_deg: {facts['rot_deg'] + 0.0:g}"
    grid = request.grid
    if isinstance(grid, GridChoice):
        return [f"grid: {{{told}}}"]
    if grid == "module":
        return ["grid: module"]
    return [
        "# The grid is fitted to the printed lines each time. To hold fast what was found now:",
        f"# grid: {{{told}}}",
    ]


def _override_lines(reading: Reading) -> list[str]:
    """Corrections in comments, on hexes that are there."""
    names = {(c.col, c.row): c.name for c in reading.cells}
    some = _some_hexes(reading, 4)
    hexes = (
        "{building: none}                # what was found here is no building",
        "{building: stone, height: 1.5}  # fills the hex with one",
        "{terrain: Woods, level: 1}",
        "{roofless: true, stairwell: false, factory: true}",
    )
    sides = (
        "{bar: full}",
        "{bar: none}",
        "{bar: [0, 0.5]}  # along its first half",
        "{terrain: Hedge}",
    )
    lines = [
        "# Corrections win over the picture and survive every new reading of it. Take out the #:",
        "# overrides:",
        "#   hexes:",
    ]
    lines += [f"#     {_key(c.name)}: {what}" for c, what in zip(some, hexes, strict=False)]
    found = []
    for cell in some:
        for direction in range(6):
            name = hexside_name(names, (cell.col, cell.row), direction)
            if "-edge" not in name and name not in found:
                found.append(name)
    if found:
        lines.append("#   hexsides:")
        lines += [f"#     {_key(n)}: {what}" for n, what in zip(found, sides, strict=False)]
    return lines


def _key(name: str) -> str:
    """A hex name as a YAML key: quoted unless it cannot be taken for a number or a word."""
    plain = name.isascii() and name[:1].isalpha() and name.replace("-", "").isalnum()
    has_digit = any(c.isdigit() for c in name)
    return name if plain and has_digit else quoted(name)


def _some_hexes(reading: Reading, count: int) -> list[Cell]:
    """Hexes about the middle of the map whose names are their own."""
    often: dict[str, int] = {}
    for c in reading.cells:
        often[c.name] = often.get(c.name, 0) + 1
    height, width = reading.rgb.shape[:2]

    def off(cell: Cell) -> tuple[float, int, int]:
        x, y = reading.layout.centre(cell.col, cell.row)
        return ((x - width / 2) ** 2 + (y - height / 2) ** 2, cell.col, cell.row)

    return sorted((c for c in reading.cells if often[c.name] == 1 and c.name), key=off)[:count]
