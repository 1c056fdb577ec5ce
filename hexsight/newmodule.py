"""A small VASSAL module around a picture, for a map that has none yet."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from hexsight.extract.grid_tools import vassal_attributes
from hexsight.model.errors import UsageError
from hexsight.reading import Reading
from hexsight.samples.hexes import HexLayout, Numbering
from hexsight.samples.module import members_of, png_bytes, zip_members


@dataclass(frozen=True)
class PictureBoard:
    """What a module says of its one board."""

    name: str
    title: str
    layout: HexLayout


def picture_module(reading: Reading) -> bytes:
    """A module with one map window, one board, two counters and a die.

    Parameters
    ----------
    reading : Reading
        Of a picture: the grid that is printed on it, and names that count from its top left.

    Returns
    -------
    bytes
        Of a .vmod file. The picture in it is PNG as hexsight sees it, without turn marks or
        transparency that VASSAL might see otherwise.

    Raises
    ------
    UsageError
        If the source is no picture.
    """
    if reading.source.kind != "picture":
        raise UsageError(
            f"{reading.source.path.name} is no picture: --module makes a module of one that has "
            "none. Leave --module out."
        )
    height, width = reading.rgb.shape[:2]
    extent = reading.fit.extent if reading.fit is not None else None
    found = vassal_attributes(reading.layout, (width, height), extent)
    first_col = min(c.col for c in reading.cells)
    first_row = min(c.row for c in reading.cells)
    grid = found.layout
    layout = HexLayout(
        grid.dx,
        grid.dy,
        round(grid.x0),
        round(grid.y0),
        grid.sideways,
        Numbering(h_off=-first_col, v_off=1 - first_row),
    )
    title = "".join(c for c in reading.source.name if c.isprintable()).strip() or "Map"
    board = PictureBoard("map", title, layout)
    members = members_of(
        title, [board], [png_bytes(Image.fromarray(reading.rgb))], description="Made by hexsight"
    )
    return zip_members(members)
