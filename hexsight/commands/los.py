"""`hexsight los`: one line of sight with its reasons."""

from __future__ import annotations

from pathlib import Path

import click

from hexsight.commands.common import (
    board_argument,
    force_option,
    json_option,
    open_board,
    print_json,
    rules_option,
)
from hexsight.commands.render import map_of
from hexsight.export.picture_los import LosDrawing, LosMark, draw_los
from hexsight.los.explain import Answer, explain
from hexsight.los.profile import load_profile
from hexsight.model.board import Board
from hexsight.model.locations import find_location, locations_of
from hexsight.output import png_bytes, write_bytes


@click.command()
@board_argument
@click.argument("from_", metavar="FROM")
@click.argument("to")
@rules_option
@click.option("--picture", type=click.Path(path_type=Path), help="Draw the line (PNG).")
@click.option(
    "--map",
    "map_",
    type=click.Path(path_type=Path),
    help="Picture, module or VASL board to draw on. [default: a plain ground]",
)
@force_option
@json_option
def los(
    board: Path,
    from_: str,
    to: str,
    rules: str,
    picture: Path | None,
    map_: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Say whether there is a line of sight on BOARD between two Locations, and why.

    A Location is a hex at ground level (K15), on an upper level (K15@2), on the
    rooftop (K15@roof) or in the cellar (K15@-1).
    """
    found = open_board(board)
    answer = explain(found, from_, to, load_profile(rules))
    if picture is not None:
        drawn = draw_los(map_of(found, map_, None), found, _drawing(found, answer))
        inputs = [board] if map_ is None else [board, map_]
        write_bytes(picture, png_bytes(drawn), overwrite=force, inputs=inputs)
    if as_json:
        print_json(answer.to_json())
    else:
        click.echo(_describe(answer))


def _drawing(board: Board, answer: Answer) -> LosDrawing:
    """What to draw of an answer."""
    places = locations_of(board)
    ends = [
        board.hexes[find_location(places, n, board).hex].name
        for n in (answer.from_name, answer.to_name)
    ]
    marks = tuple(
        LosMark(*r.pixel, "hinders", f"+{r.hindrance}")
        if r.hindrance
        else LosMark(*r.pixel, "blocks", r.rule)
        for r in answer.reasons
    )
    return LosDrawing(
        ends[0],
        ends[1],
        answer.state,
        tuple(answer.hindrance_by_hex),
        marks,
        _describe(answer).splitlines()[0],
    )


def _describe(answer: Answer) -> str:
    state = {
        "clear": "clear",
        "hindered": f"clear, hindered by {answer.hindrance}",
        "blocked": "blocked",
        "half": "half",
    }[answer.state]
    lines = [f"{answer.from_name} → {answer.to_name}: {state} (range {answer.range})"]
    if answer.tem is not None:
        lines[0] += f", TEM {answer.tem:+d}"
    for r in answer.reasons:
        place = r.hexside or r.vertex or r.hex or ""
        amount = f" +{r.hindrance}" if r.hindrance else ""
        lines.append(f"  {place}:{amount} {r.text} ({r.rule}, at {r.pixel[0]:g}, {r.pixel[1]:g})")
    return "\n".join(lines)
