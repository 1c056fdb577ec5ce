"""Hex names and positions on VASL's boards.

All of them follow one rule, whatever their size: hex ``A1`` has its centre at
``A1CenterX``, ``A1CenterY``; columns A, B … Z, AA, BB … stand ``hexWidth``
apart; row numbers grow downwards by ``hexHeight``; and columns B, D, F … stand
half a hex *higher*, so that B1 lies half a hex below A1 and there is a B0 above
it.  Boards differ only in where the picture begins and ends:

* standard boards begin with full hexes in column A and a half hex B0 in B;
* boards whose first hex is cut (``HexGridConfig="TopLeftHalfHeight"``) begin
  with a half A1 and a full B1;
* boards that continue another one (10b, BFP DW 2b) give a negative centre of
  A1, and begin with Q1 or A11;
* ``altHexGrain`` boards count one more in every odd column: B1 above A1.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from hexsight.model.layout import Layout

STANDARD_HEX_WIDTH = 56.25
STANDARD_HEX_HEIGHT = 64.5
STANDARD_A1 = (0.0, 32.25)
# Part of a hex by which a half hex drawn at an edge may miss it.
SLACK = 0.1
_NAME = re.compile(r"(-?)([A-Za-z])\2*(-?\d+)\Z")


@dataclass(frozen=True)
class VaslNaming:
    """Names of the hexes of a VASL board.

    Attributes
    ----------
    hex_width, hex_height : float
        Column and row spacing in pixels.
    a1_x, a1_y : float
        Centre of hex A1 in pixels; negative where it lies on another board.
    alt_hex_grain : bool
        Odd columns are numbered one higher.
    """

    hex_width: float = STANDARD_HEX_WIDTH
    hex_height: float = STANDARD_HEX_HEIGHT
    a1_x: float = STANDARD_A1[0]
    a1_y: float = STANDARD_A1[1]
    alt_hex_grain: bool = False

    def layout(self) -> Layout:
        """Nominal layout: hex (0, 0) is A1, and odd columns hang half a hex lower.

        B1 of a board is therefore (1, 0), and B0 is (1, −1).
        """
        return Layout.from_grid(self.hex_width, self.hex_height, self.a1_x, self.a1_y)

    def name(self, col: int, row: int) -> str:
        """Name of the hex at a raw odd-q offset."""
        number = row + 1 + (col & 1 if self.alt_hex_grain else 0)
        return f"{column_letters(col)}{number}"

    def offset(self, name: str) -> tuple[int, int]:
        """Raw odd-q offset of a name, in capitals or not.

        Raises
        ------
        ValueError
            If it is no such name.
        """
        match = _NAME.match(name.strip())
        if match is None:
            raise ValueError(f"{name!r} is no hex name like K15 or BB7")
        sign, letter, number = match.groups()
        letters = len(match.group(0)) - len(sign) - len(number)
        col = ord(letter.upper()) - ord("A") + 26 * (letters - 1)
        col = -col if sign else col
        return col, int(number) - 1 - (col & 1 if self.alt_hex_grain else 0)

    def hexes(
        self,
        size_hexes: tuple[int, int] | None,
        size_px: tuple[int, int],
        *,
        equal_rows: bool = False,
    ) -> list[tuple[int, int, str]]:
        """Hexes of the board as (col, row, name), column by column from the top.

        Parameters
        ----------
        size_hexes : (int, int) or None
            Width and height in hexes as the metadata has them: columns, and
            rows of a column of full hexes.  None for old boards that do not
            say: then all on the picture.  Those beside the picture never count;
            a tenth of a hex is allowed for, since drawn half hexes may miss the
            edge by a few pixels.
        size_px : (int, int)
            Size of the picture.
        equal_rows : bool
            All columns have as many hexes (``…EqualRowCount``).
        """
        first_col = math.ceil(-self.a1_x / self.hex_width - SLACK)
        if size_hexes is None:
            return self._hexes_on(size_px, first_col)
        width, height = size_hexes
        # Only a negative centre of A1 makes a board begin with a later column; right of a
        # margin column A is the first all the same.
        first_col = max(first_col, 0)
        even_row = math.ceil(-self.a1_y / self.hex_height - SLACK)
        even_y = self.a1_y + self.hex_height * even_row
        odd_is_higher = even_y - self.hex_height / 2 >= -SLACK * self.hex_height
        odd_row = even_row - 1 if odd_is_higher else even_row
        on_picture = set(self._hexes_on(size_px, first_col))
        found = []
        for col in range(first_col, first_col + width):
            odd = col & 1
            top = odd_row if odd else even_row
            # The columns that begin higher begin and end with half a hex, if
            # the picture goes down so far.
            extra = 0 if equal_rows else int(bool(odd) == odd_is_higher)
            for row in range(top, top + height + extra):
                hex_ = (col, row, self.name(col, row))
                if hex_ in on_picture:
                    found.append(hex_)
        return found

    def _hexes_on(self, size_px: tuple[int, int], first_col: int) -> list[tuple[int, int, str]]:
        """Hexes whose centre lies on a picture, or hardly beside it."""
        last_col = math.floor((size_px[0] - 1 - self.a1_x) / self.hex_width + SLACK)
        found = []
        for col in range(first_col, last_col + 1):
            start = self.a1_y + (self.hex_height / 2 if col & 1 else 0.0)
            top = math.ceil(-start / self.hex_height - SLACK)
            bottom = math.floor((size_px[1] - 1 - start) / self.hex_height + SLACK)
            found += [(col, row, self.name(col, row)) for row in range(top, bottom + 1)]
        return found


def column_letters(col: int) -> str:
    """Letters of a column: 0 is A, 25 is Z, 26 is AA, 27 is BB; −1 is -B."""
    sign, col = ("-", -col) if col < 0 else ("", col)
    return sign + chr(ord("A") + col % 26) * (col // 26 + 1)
