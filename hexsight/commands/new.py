"""`hexsight new`: a starting project for a map."""

from __future__ import annotations

from pathlib import Path

import click

from hexsight.commands.common import (
    force_option,
    json_option,
    print_json,
    quiet_option,
    source_argument,
)
from hexsight.newproject import LEGEND_FILE, SHEET_FILE, NewProject, new_project
from hexsight.progress import reporting
from hexsight.project import PROJECT_FILE
from hexsight.reading import request_from


@click.command()
@source_argument
@click.option("--board", help="Name of the board in a module.")
@click.option(
    "--grid",
    type=click.Choice(["auto", "module"]),
    help="Fit the printed lines, or use the module's own grid. [default: auto]",
)
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="Folder for hexsight.yaml, legend.yaml and swatches.png.",
)
@click.option(
    "--module",
    is_flag=True,
    help="Make a small VASSAL module of a picture that has none, and start from that.",
)
@force_option
@json_option
@quiet_option
def new(
    source: Path,
    board: str | None,
    grid: str | None,
    out: Path,
    module: bool,
    force: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Look at SOURCE and write a project to start from.

    The colours of the picture are sorted into 6 to 20 classes: legend.yaml names
    them with a guess of their terrain, swatches.png shows them. Put the guesses
    right, then build. SOURCE is a picture, a module, a VASL board or a
    hexsight.yaml whose grid is already set; it is never written to.
    """
    request = request_from(source, board=board, grid=grid)
    inside = source / PROJECT_FILE
    given = inside if inside.is_file() else (source if source != request.source else None)
    with reporting(quiet) as reporter:
        made = new_project(
            request, out, given=given, module=module, overwrite=force, reporter=reporter
        )
    if as_json:
        print_json(_summary(made))
    else:
        click.echo(_describe(made))


def _summary(made: NewProject) -> dict[str, object]:
    return {
        "schema_version": 1,
        "board": made.name,
        "hexes": made.hexes,
        "legend": made.legend,
        "module": made.module or None,
        "presets": {f.name: {"claimed": f.claimed, "fits": f.fits} for f in made.proposal.fits},
        "classes": [
            {
                "number": c.number,
                "name": c.name,
                "share": c.share,
                "rgb": list(c.mean_rgb),
                "terrain": c.guess.terrain,
                "confidence": c.guess.confidence,
                "boxes": [list(b) for b in c.boxes],
            }
            for c in made.proposal.classes
        ],
    }


def _describe(made: NewProject) -> str:
    classes = made.proposal.classes
    unsure = sum(not c.guess.sure for c in classes)
    yaml, sheet = made.folder / LEGEND_FILE, made.folder / SHEET_FILE
    lines = [f"{made.name}: {made.hexes} hexes, {len(classes)} classes of colours"]
    if made.module:
        lines.append(f"  The module {made.folder / made.module} was made of the picture.")
    preset = made.proposal.preset
    if preset is not None:
        lines += [
            f"  The preset {preset.name!r} knows {preset.claimed:.0%} of the colours and is used.",
            f"  A legend from the picture alone lies beside it: {yaml}",
            f"Next: hexsight build {made.folder / PROJECT_FILE} -o result",
        ]
    else:
        lines += [
            f"  {len(classes) - unsure} have a guessed terrain, {unsure} are unknown.",
            "Next:",
            f"  1. look at {sheet}",
            f"  2. write the right terrain of each number into {yaml}",
            f"  3. hexsight build {made.folder / PROJECT_FILE} -o result",
        ]
    return "\n".join(lines)
