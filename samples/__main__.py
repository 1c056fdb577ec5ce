"""``python -m hexsight.samples OUT_FOLDER``: draw the sample boards."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from hexsight.model.errors import HexsightError

from .registry import board_names
from .write import write_samples


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--board",
    "boards",
    multiple=True,
    type=click.Choice(board_names()),
    help="Draw only this board (may be given several times).",
)
@click.option("--unpacked", is_flag=True, help="Write the module as a folder too.")
def main(folder: Path, boards: tuple[str, ...], unpacked: bool) -> None:
    """Draw hexsight's own sample boards into FOLDER, with the truth of what was drawn."""
    try:
        written = write_samples(folder, boards=boards or None, unpacked=unpacked)
    except HexsightError as error:
        click.echo(error.message, err=True)
        sys.exit(error.exit_code)
    for path in written:
        click.echo(path)


if __name__ == "__main__":
    main(prog_name="python -m hexsight.samples")
