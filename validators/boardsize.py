"""Whether a VASL board's number of hexes fits its picture."""

from __future__ import annotations

from hexsight.validators.subject import ArchiveView, Size

# Boards may end with half a hex, and pictures have margins; a whole hex too many is wrong.
FITS = 0.75


def hexes_that_fit(archive: ArchiveView) -> tuple[float, float]:
    """Columns and rows of hexes that fit on the picture, with fractions."""
    naming = archive.naming
    width, height = archive.picture_size_px
    # Where A1 lies on another board, the first column of this one is at the edge.
    left = naming.a1_x % naming.hex_width if naming.a1_x < 0 else naming.a1_x
    top = naming.a1_y % naming.hex_height if naming.a1_y < 0 else naming.a1_y
    return (width - left) / naming.hex_width + 1, (height - top) / naming.hex_height + 0.5


def fits(archive: ArchiveView, size_hexes: Size) -> bool:
    """Whether so many hexes fit on the picture."""
    columns, rows = hexes_that_fit(archive)
    return abs(size_hexes[0] - columns) <= FITS and abs(size_hexes[1] - rows) <= FITS
