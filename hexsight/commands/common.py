"""Options and small helpers that several verbs share, each spelled once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from hexsight.model.board import Board
from hexsight.model.errors import InputError
from hexsight.model.store import BOARD_FILE, load_board

F = TypeVar("F", bound=Callable[..., Any])

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout.")
quiet_option = click.option("-q", "--quiet", is_flag=True, help="No progress on stderr.")
force_option = click.option("--force", is_flag=True, help="Replace what was written before.")
source_argument = click.argument("source", type=click.Path(path_type=Path))
board_argument = click.argument("board", type=click.Path(path_type=Path))
rules_option = click.option(
    "--rules",
    metavar="NAME",
    help="LOS rules: asl, musket-pike, modern-platoon, generic, flames, or a YAML file. "
    "[default: those that BOARD was built with, else asl]",
)
overlay_option = click.option(
    "--overlay",
    "overlay_file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Scenario state: smoke, units, rubble, breaches, wrecks (YAML).",
)
observer_option = click.option(
    "--observer", metavar="CLASS", help="Class of observer, where rules tell them apart."
)
side_option = click.option(
    "--side", help="Whose observer it is; units of others are enemies. [default: every unit is]"
)


def map_options(command: F) -> F:
    """Options of every verb that draws on a map: where it is, and which board of a module.

    ``--board`` is what the reading verbs call the same thing, and is understood too.
    """
    for option in reversed(
        (
            click.option(
                "--map",
                "map_",
                type=click.Path(path_type=Path),
                help="Picture, module or VASL board with the map that BOARD was made from. "
                "[default: a plain ground]",
            ),
            click.option(
                "--board-name",
                "--board",
                "board_name",
                help="Name of the board in that module. [default: the name of BOARD]",
            ),
        )
    ):
        command = option(command)
    return command


def reading_options(command: F) -> F:
    """Options of every verb that reads a source."""
    for option in reversed(
        (
            click.option("--board", help="Name of the board in a module."),
            click.option("--legend", help="auto, a legend preset or file. [default: auto]"),
            click.option(
                "--from-losdata",
                is_flag=True,
                default=None,
                help="Take the terrain from the board's LOSData instead of its picture.",
            ),
            click.option(
                "--grid",
                type=click.Choice(["auto", "module"]),
                help="Fit the printed lines, or use the module's own grid. [default: auto]",
            ),
        )
    ):
        command = option(command)
    return command


def print_json(value: Any) -> None:
    """One JSON document on stdout."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=1))


def board_folder(path: Path) -> Path:
    """The board folder that a path means: itself, or the only one inside it.

    Raises
    ------
    InputError
        If there is none, or more than one.
    """
    if (path / BOARD_FILE).is_file() or not path.is_dir():
        return path
    inside = sorted(p.parent for p in path.glob(f"*/{BOARD_FILE}"))
    if len(inside) == 1:
        return inside[0]
    if inside:
        names = ", ".join(p.name for p in inside)
        raise InputError(f"{path} holds several boards: {names}. Name one, such as {inside[0]}.")
    raise InputError(
        f"{path} is no board folder: it has no {BOARD_FILE}. Make one with hexsight build."
    )


def open_board(path: Path) -> Board:
    """Load the board that a path means; a map set-up (YAML) gives its composed map.

    Raises
    ------
    InputError, UsageError
        If there is none, or the set-up is wrong.
    """
    if path.suffix.lower() in (".yaml", ".yml"):
        from hexsight.mapsetup import compose_setup  # noqa: PLC0415 - few maps are composed

        return compose_setup(path, load=open_board)
    return load_board(board_folder(path))
