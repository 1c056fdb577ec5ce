"""`hexsight render`: what was found, drawn over the map."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from hexsight.boardrules import rules_for
from hexsight.commands.common import (
    board_folder,
    force_option,
    json_option,
    map_options,
    open_board,
    overlay_option,
    print_json,
    quiet_option,
    rules_option,
)
from hexsight.comparing import printed_pixels, refuse_without_truth, stored_board
from hexsight.export.legend import with_legend
from hexsight.export.picture import LAYERS, TRUTH_LAYERS, render_overlay
from hexsight.export.picture_state import StateDrawing, state_legend, with_state
from hexsight.extract.module import read_module
from hexsight.extract.source import open_any, source_kind
from hexsight.los.rulesets import load_rules
from hexsight.model.board import Board
from hexsight.model.derive import derive
from hexsight.model.errors import InputError, UsageError
from hexsight.model.overrides import Overrides
from hexsight.model.store import BOARD_FILE, load_board
from hexsight.output import png_bytes, write_bytes
from hexsight.overlaydrawn import state_drawing
from hexsight.overlayfile import load_overlay
from hexsight.progress import Reporter, reporting
from hexsight.reading import Reading, Request, read, request_from, survey


@click.command()
@click.argument("board", type=click.Path(path_type=Path))
@map_options
@click.option("-o", "--out", type=click.Path(path_type=Path), required=True, help="PNG to write.")
@click.option(
    "--layers",
    help=f"Some of {', '.join(sorted(LAYERS))}. [default: all but names, terrain and truth; "
    f"with --compare and --truth {', '.join(sorted(TRUTH_LAYERS))}]",
)
@click.option(
    "--compare",
    "against_losdata",
    is_flag=True,
    help="Show what was missed (red) and found falsely (blue) against the board's LOSData.",
)
@click.option(
    "--truth", type=click.Path(path_type=Path), help="The same against another board folder."
)
@click.option("--scale", type=click.FloatRange(0.1, 8), default=1.0, show_default=True)
@overlay_option
@rules_option
@force_option
@json_option
@quiet_option
def render(
    board: Path,
    map_: Path | None,
    board_name: str | None,
    out: Path,
    layers: str | None,
    against_losdata: bool,
    truth: Path | None,
    scale: float,
    overlay_file: Path | None,
    rules: str | None,
    force: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Draw what was found on BOARD over its map.

    BOARD is a board folder (then --map names the map, or a plain ground is
    drawn), or a source that is read anew.
    """
    if against_losdata and truth is not None:
        raise UsageError("Take --compare (with LOSData) or --truth (a board folder), not both.")
    chosen = set(TRUTH_LAYERS) if against_losdata or truth is not None else None
    if layers is not None:
        chosen = {word.strip() for word in layers.split(",") if word.strip()}
    is_folder = board.is_dir() and (
        (board / BOARD_FILE).is_file() or any(board.glob(f"*/{BOARD_FILE}"))
    )
    with reporting(quiet) as reporter:
        found, rgb, expected, printed = _found(
            board, map_, board_name, is_folder, against_losdata, reporter
        )
    if truth is not None:
        expected = open_board(truth)
    state = None
    if overlay_file is not None:
        state = _state(overlay_file, found, rules_for(board if is_folder else None, rules))
        rgb = with_state(rgb, found, state)
    elif rules is not None:
        raise UsageError(f"--rules {rules} goes with --overlay FILE: it says what may stand in it.")
    drawn = render_overlay(rgb, found, layers=chosen, scale=scale, truth=expected, left_out=printed)
    if state is not None and (chosen is None or "legend" in chosen):
        drawn = with_legend(drawn, "On the map:", state_legend(state), found.layout.dy * scale)
    inputs = [p for p in (board, map_, overlay_file) if p is not None]
    write_bytes(out, png_bytes(drawn), overwrite=force, inputs=inputs)
    if as_json:
        size = [int(n) for n in drawn.shape[1::-1]]
        print_json({"board": found.name, "picture": str(out), "size_px": size})
    elif not quiet:
        click.echo(f"Drew {out}")


def _state(file: Path, board: Board, rules: str) -> StateDrawing:
    """What to draw of an overlay.

    Raises
    ------
    UsageError
        If the overlay is wrong, or of rules that measure.
    """
    profile = load_rules(rules)
    state = state_drawing(load_overlay(file, board, profile))
    if state is None or profile.engine == "measured":
        raise UsageError(
            f"Teams of the rules {profile.name} are drawn with a line of sight: use hexsight los "
            "… --picture."
        )
    return state


def _found(
    board: Path,
    map_: Path | None,
    board_name: str | None,
    is_folder: bool,
    against_losdata: bool,
    reporter: Reporter,
) -> tuple[Board, NDArray[np.uint8], Board | None, NDArray[np.bool_] | None]:
    """What was found, the map, and with LOSData what it tells and pixels that tell nothing."""
    if is_folder:
        found = load_board(board_folder(board))
        if not against_losdata:
            return found, map_of(found, map_, board_name), None, None
        if map_ is None:
            raise UsageError("Name the VASL board that BOARD was made from with --map.")
        board_name = board_on_map(found, map_, board_name)
        request = request_from(map_, board=board_name)
        expected, printed = _stored(found, request, read(request, reporter))
        return found, map_of(found, map_, board_name), expected, printed
    request = request_from(board, board=board_name)
    reading = read(request, reporter)
    if against_losdata:
        refuse_without_truth(reading)
    found = derive(survey(request, reading, reporter), request.overrides)
    if not against_losdata:
        return found, reading.rgb, None, None
    expected, printed = _stored(found, request, reading)
    return found, reading.rgb, expected, printed


def _stored(found: Board, request: Request, reading: Reading) -> tuple[Board, NDArray[np.bool_]]:
    """The board that LOSData tells, and the pixels that tell nothing.

    Raises
    ------
    InputError
        If the LOSData is of another picture.
    """
    width, height = found.size_px
    if reading.rgb.shape[:2] != (height, width):
        raise InputError(
            f"{request.source} is {reading.rgb.shape[1]} × {reading.rgb.shape[0]} px and the "
            f"board {found.name} {width} × {height}. Name the map that the board was made from."
        )
    return stored_board(replace(request, overrides=Overrides()), reading), printed_pixels(reading)


def map_of(board: Board, map_: Path | None, name: str | None) -> NDArray[np.uint8]:
    """The map's picture (H, W, 3) uint8, or a plain ground of the board's size.

    Raises
    ------
    InputError
        If the picture's size is not that of the board.
    UsageError
        As `board_on_map`, or if a board was named and no map.
    """
    width, height = board.size_px
    if map_ is None:
        if name is not None:
            raise UsageError(f"--board-name {name} goes with --map MODULE: say where the map is.")
        return np.full((height, width, 3), 235, np.uint8)
    picture = open_any(map_, board_on_map(board, map_, name)).picture
    if picture.size_px != (width, height):
        raise InputError(
            f"{map_} is {picture.size_px[0]} × {picture.size_px[1]} px and the board "
            f"{board.name} {width} × {height}. Name the map that the board was made from."
        )
    return picture.rgb


def board_on_map(board: Board, map_: Path, name: str | None) -> str | None:
    """Which board of a module is the map of a board: that named, else the one of its name.

    Returns
    -------
    str or None
        None where there is but one to take.

    Raises
    ------
    InputError
        If the map is nothing that can be opened.
    UsageError
        If a board was named and the map is a picture, or none was named, several would
        do and none of them has the board's name.
    """
    kind = source_kind(map_)
    if kind == "picture" and name is not None:
        raise UsageError(f"{map_} is a picture and holds no boards: leave out --board-name {name}.")
    if kind != "module" or name is not None:
        return name
    boards = read_module(map_).boards
    if any(one.name == board.name for one in boards):
        return board.name
    # As where a module is read: a board without hexes is seldom what is meant.
    several = [one.name for one in boards if one.hex_grids] or [one.name for one in boards]
    if len(several) > 1:
        raise UsageError(
            f"{map_} has several boards and none of the name {board.name!r}: name one with "
            f"--board-name ({', '.join(several)})."
        )
    return None
