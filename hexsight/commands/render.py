"""`hexsight render`: what was found, drawn over the map."""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from hexsight.commands.common import board_folder, force_option, open_board
from hexsight.export.picture import LAYERS, render_overlay
from hexsight.extract.source import open_any
from hexsight.model.board import Board
from hexsight.model.errors import InputError
from hexsight.model.store import BOARD_FILE, load_board
from hexsight.output import png_bytes, write_bytes
from hexsight.pipeline import extract_board
from hexsight.progress import Silent
from hexsight.reading import request_from


@click.command()
@click.argument("board", type=click.Path(path_type=Path))
@click.option(
    "--map",
    "map_",
    type=click.Path(path_type=Path),
    help="Picture, module or VASL board with the map that BOARD was made from.",
)
@click.option("--board-name", help="Name of the board in that module.")
@click.option("-o", "--out", type=click.Path(path_type=Path), required=True, help="PNG to write.")
@click.option(
    "--layers",
    help=f"Some of {', '.join(sorted(LAYERS))}. [default: all but terrain and names]",
)
@click.option("--truth", type=click.Path(path_type=Path), help="Board folder to compare with.")
@click.option("--scale", type=click.FloatRange(0.1, 8), default=1.0, show_default=True)
@force_option
def render(
    board: Path,
    map_: Path | None,
    board_name: str | None,
    out: Path,
    layers: str | None,
    truth: Path | None,
    scale: float,
    force: bool,
) -> None:
    """Draw what was found on BOARD over its map.

    BOARD is a board folder (then --map names the map, or a plain ground is
    drawn), or a source that is read anew.
    """
    chosen = None
    if layers is not None:
        chosen = {word.strip() for word in layers.split(",") if word.strip()}
    is_folder = board.is_dir() and (
        (board / BOARD_FILE).is_file() or any(board.glob(f"*/{BOARD_FILE}"))
    )
    if is_folder:
        found = load_board(board_folder(board))
        rgb = map_of(found, map_, board_name)
    else:
        extracted = extract_board(request_from(board, board=board_name), Silent())
        found, rgb = extracted.board, extracted.reading.rgb
    expected = open_board(truth) if truth is not None else None
    drawn = render_overlay(rgb, found, layers=chosen, scale=scale, truth=expected)
    inputs = [board] if map_ is None else [board, map_]
    write_bytes(out, png_bytes(drawn), overwrite=force, inputs=inputs)
    click.echo(f"Drew {out}")


def map_of(board: Board, map_: Path | None, name: str | None) -> NDArray[np.uint8]:
    """The map's picture (H, W, 3) uint8, or a plain ground of the board's size.

    Raises
    ------
    InputError
        If the picture's size is not that of the board.
    """
    width, height = board.size_px
    if map_ is None:
        return np.full((height, width, 3), 235, np.uint8)
    picture = open_any(map_, name).picture
    if picture.size_px != (width, height):
        raise InputError(
            f"{map_} is {picture.size_px[0]} × {picture.size_px[1]} px and the board "
            f"{board.name} {width} × {height}. Name the map that the board was made from."
        )
    return picture.rgb
