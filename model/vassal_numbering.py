"""VASSAL's grid numberings: names of cells as the engine writes and reads them.

Three pairs of numbers meet here:

raw ``(c, r)``
    the cell in the grid, counted from its origin; our odd-q offset;
named ``(column, row)``
    after descending axes, stagger and slant, before the offsets;
written
    ``column + hOff`` and ``row + vOff`` as digits or letters.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Protocol, Self

from hexsight.model.vassal_java import java_bool, java_int

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
# Names get longer with these; beyond any use, and beyond memory if unbounded.
MAX_OFFSET = 1_000_000
MAX_LEADING = 64
_LETTERS = "-?(?:" + "|".join(f"{letter}+" for letter in ALPHABET) + ")"
_ATTRIBUTES = {
    "first": "first",
    "sep": "sep",
    "hType": "h_type",
    "vType": "v_type",
    "hLeading": "h_leading",
    "vLeading": "v_leading",
    "hOff": "h_off",
    "vOff": "v_off",
    "hDescend": "h_descend",
    "vDescend": "v_descend",
    "stagger": "stagger",
    "locationFormat": "location_format",
    "visible": "visible",
}
# Read by the engine too, and reason enough for it to drop the numbering when
# they are no numbers, but without effect on names.
_OTHER_WHOLE = ("fontSize", "rotateText", "hDrawOff", "vDrawOff")


class HexMetrics(Protocol):
    """What a numbering needs to know of its hex grid."""

    @property
    def dx(self) -> float:
        """Distance of columns of hexes, in pixels, as VASSAL's ``dx``."""

    @property
    def dy(self) -> float:
        """Distance of hexes in a column, in pixels, as VASSAL's ``dy``."""

    @property
    def sideways(self) -> bool:
        """Whether the grid is turned, with x and y swapped in all that is computed."""


@dataclass(frozen=True)
class RegularNumbering:
    """What hex and square numberings share; attributes and defaults are VASSAL's.

    Attributes
    ----------
    first : str
        ``H``: column before row; anything else: row before column.
    sep : str
        Text between them.
    h_type, v_type : str
        ``A`` for letters, anything else for digits.
    h_leading, v_leading : int
        Leading zeros: at least one digit more than this.
    h_off, v_off : int
        Added to the counted column and row.
    h_descend, v_descend : bool
        Count from the right, from the bottom.
    location_format : str
        Name of a place, of ``$gridLocation$``, ``$row$`` and ``$column$``.
    visible : bool
        Whether VASSAL draws the numbers.
    """

    first: str = "H"
    sep: str = ""
    h_type: str = "N"
    v_type: str = "N"
    h_leading: int = 1
    v_leading: int = 1
    h_off: int = 1
    v_off: int = 1
    h_descend: bool = False
    v_descend: bool = False
    location_format: str = "$gridLocation$"
    visible: bool = False

    @classmethod
    def from_attributes(cls, attributes: Mapping[str, str]) -> Self:
        """Read VASSAL's attributes; unknown ones are ignored, as the engine does.

        Raises
        ------
        ValueError
            If the engine could not read a number, and so would drop the
            numbering; the message names the attribute.
        """
        known = {f.name: f for f in fields(cls)}
        values: dict[str, Any] = {}
        for key, text in attributes.items():
            if key in _OTHER_WHOLE:
                _number(key, text)
            name = _ATTRIBUTES.get(key, "")
            if name not in known:
                continue
            kind = known[name].type
            if kind == "int":
                values[name] = _number(key, text)
            elif kind == "bool":
                values[name] = java_bool(text)
            elif name in ("first", "h_type", "v_type"):
                if not text:
                    raise ValueError(f"{key} is empty")
                values[name] = text[0]
            else:
                values[name] = text
        return cls(**values)

    def written(self, column: int, row: int) -> str:
        """Name of a named column and row: the ``$gridLocation$``."""
        across = write_number(column + self.h_off, self.h_type, self.h_leading)
        down = write_number(row + self.v_off, self.v_type, self.v_leading)
        return across + self.sep + down if self.first == "H" else down + self.sep + across

    def location(self, column: int, row: int) -> str:
        """Name of a place in the location format."""
        return fill(
            self.location_format,
            {
                "gridLocation": self.written(column, row),
                "row": write_number(row + self.v_off, self.v_type, self.v_leading),
                "column": write_number(column + self.h_off, self.h_type, self.h_leading),
            },
        )

    def parse(self, location: str) -> tuple[int, int]:
        """Named (column, row) of a name in the location format, as the engine reads it.

        Raises
        ------
        ValueError
            If the engine would not understand the name, for one because two
            alphabetic parts run into each other or the format shows no row.
        """
        pattern = re.compile(self._pattern())
        match = pattern.fullmatch(location)
        if match is None or {"row", "column"} - set(match.groupdict()):
            raise ValueError(f"{location!r} does not fit the format {self.location_format!r}")
        column = read_number(match["column"], self.h_type) - self.h_off
        row = read_number(match["row"], self.v_type) - self.v_off
        return column, row

    def _pattern(self) -> str:
        across = f"(?P<column>{_shape(self.h_type, self.h_leading)})"
        down = f"(?P<row>{_shape(self.v_type, self.v_leading)})"
        sep = re.escape(self.sep)
        both = across + sep + down if self.first == "H" else down + sep + across
        parts = {"gridLocation": both, "row": down, "column": across}
        found, seen = "", ""
        for is_name, token in format_parts(self.location_format):
            part = parts.get(token, "") if is_name else re.escape(token)
            # A column or row shown a second time must be there, but counts once.
            for name in ("column", "row"):
                if f"(?P<{name}>" in seen:
                    part = part.replace(f"(?P<{name}>", "(?:")
            found += part
            seen += part
        return found

    def warnings(self) -> list[str]:
        """Sentences on names that the engine itself cannot find again."""
        found = []
        letters = self.h_type == "A" and self.v_type == "A"
        shown = {token for is_name, token in format_parts(self.location_format) if is_name}
        if letters and not self.sep and "gridLocation" in shown:
            found.append(
                "columns and rows are both letters without a separator: names such as AAAA can be "
                "read in two ways"
            )
        if "gridLocation" not in shown and not {"row", "column"} <= shown:
            found.append(
                f"the location format {self.location_format!r} does not show column and row: "
                "hexes share names"
            )
        digits = self.h_type != "A" and self.v_type != "A"
        if digits and not self.sep and "gridLocation" in shown:
            found.append(
                "columns and rows are both digits without a separator: names are read wrongly once "
                "a part has more digits than its leading zeros ask for"
            )
        return found


@dataclass(frozen=True)
class HexGridNumbering(RegularNumbering):
    """Numbering of a hex grid.

    Attributes
    ----------
    stagger : bool
        Odd columns count one row further, so that rows run along the shift.
    oblique : bool
        ``ObliqueHexGridNumbering`` (new in VASSAL 3.8): rows follow a slanted
        hex line.  `stagger` then also chooses the way they slant.
    """

    stagger: bool = True
    oblique: bool = False

    def named(self, grid: HexMetrics, size_px: tuple[int, int], c: int, r: int) -> tuple[int, int]:
        """Named (column, row) of the raw hex (c, r).

        Parameters
        ----------
        size_px : (int, int)
            Width and height of the board, or of the bounding box of the zone
            that holds the grid.
        """
        across, down, col_descends, row_descends = self._axes(grid, size_px)
        column = across - c if col_descends else c
        row = down - r if row_descends else r
        if self.stagger and c % 2:
            row += -1 if row_descends else 1
        return column, row + self._slant(column)

    def raw(
        self, grid: HexMetrics, size_px: tuple[int, int], column: int, row: int
    ) -> tuple[int, int]:
        """Raw hex of a named column and row: the true inverse of `named`."""
        across, down, col_descends, row_descends = self._axes(grid, size_px)
        c = across - column if col_descends else column
        row -= self._slant(column)
        if self.stagger and c % 2:
            row -= -1 if row_descends else 1
        return c, down - row if row_descends else row

    def engine_raw(
        self, grid: HexMetrics, size_px: tuple[int, int], column: int, row: int
    ) -> tuple[int, int]:
        """Raw hex that the engine itself finds for a named column and row.

        Differs from `raw` where the engine is at fault: it takes the parity for
        the stagger from the named instead of the raw column, and forgets the
        slant of oblique numberings.
        """
        across, down, col_descends, row_descends = self._axes(grid, size_px)
        if self.stagger and column % 2:
            row += 1 if row_descends else -1
        c = across - column if col_descends else column
        return c, down - row if row_descends else row

    def name(self, grid: HexMetrics, size_px: tuple[int, int], c: int, r: int) -> str:
        """Location name of the raw hex (c, r)."""
        return self.location(*self.named(grid, size_px, c, r))

    def find(self, grid: HexMetrics, size_px: tuple[int, int], name: str) -> tuple[int, int]:
        """Raw hex of a location name; raises ValueError like `parse`."""
        return self.raw(grid, size_px, *self.parse(name))

    def faults(self, grid: HexMetrics, size_px: tuple[int, int]) -> list[str]:
        """Sentences on faults of the engine that this numbering runs into."""
        across, _, col_descends, _ = self._axes(grid, size_px)
        found = self.warnings()
        if self.stagger and col_descends and across % 2:
            found.append(
                f"stagger with a descending column axis of odd length {across}: VASSAL's own "
                "look-up of a name misses every hex by one row"
            )
        if self.oblique:
            found.append(
                "oblique numbering: VASSAL's own look-up of a name forgets the slant of the rows"
            )
        return found

    def _axes(self, grid: HexMetrics, size_px: tuple[int, int]) -> tuple[int, int, bool, bool]:
        """Largest column and row for descending axes, and whether they descend.

        The engine divides the height by dx and the width by dy, which suits
        sideways grids; on upright ones it looks odd but is what it does.
        """
        max_rows = math.floor(size_px[1] / grid.dx + 0.5)
        max_columns = math.floor(size_px[0] / grid.dy + 0.5)
        if grid.sideways:
            return max_rows, max_columns, self.v_descend, self.h_descend
        return max_columns, max_rows, self.h_descend, self.v_descend

    def _slant(self, column: int) -> int:
        """Rows added by an oblique numbering; Java halves towards zero."""
        if not self.oblique:
            return 0
        half = column // 2 if column >= 0 else -(-column // 2)
        return half if self.stagger else 1 - half


@dataclass(frozen=True)
class SquareGridNumbering(RegularNumbering):
    """Numbering of a grid of squares."""

    def named(
        self, dx: float, dy: float, size_px: tuple[int, int], c: int, r: int
    ) -> tuple[int, int]:
        """Named (column, row) of the raw square; its own inverse."""
        column = int(size_px[0] / dx + 0.5) - c if self.h_descend else c
        row = int(size_px[1] / dy + 0.5) - r if self.v_descend else r
        return column, row


def write_number(number: int, kind: str, leading: int) -> str:
    """A column or row as the engine writes it: 007, AA, -B.

    Examples
    --------
    >>> write_number(27, "A", 0), write_number(7, "N", 1)
    ('BB', '07')
    """
    sign, number = ("-", -number) if number < 0 else ("", number)
    if kind == "A":
        return sign + ALPHABET[number % 26] * (number // 26 + 1)
    return f"{sign}{number:0{max(leading, 0) + 1}d}"


def read_number(text: str, kind: str) -> int:
    """Inverse of `write_number`.

    Examples
    --------
    >>> read_number("BB", "A"), read_number("07", "N")
    (27, 7)
    """
    if kind != "A":
        return int(text)
    letters = text.removeprefix("-")
    value = ALPHABET.index(letters[-1]) + 26 * (len(letters) - 1)
    return -value if text.startswith("-") else value


def fill(text: str, values: Mapping[str, str | None]) -> str:
    """Replace ``$name$`` by values, as the engine does; unknown names give nothing."""
    return "".join(
        (values.get(token) or "") if is_name else token for is_name, token in format_parts(text)
    )


def format_parts(text: str) -> list[tuple[bool, str]]:
    """Pieces of a format: (True, name) of ``$name$``, (False, text) between them.

    A ``$`` that is not closed vanishes, and what follows it is plain text.
    """
    tokens = text.split("$")
    return [(i % 2 == 1 and i + 1 < len(tokens), t) for i, t in enumerate(tokens)]


def _shape(kind: str, leading: int) -> str:
    return _LETTERS if kind == "A" else rf"-?[0-9]{{{max(leading, 0) + 1},}}"


def _number(key: str, text: str) -> int:
    try:
        value = java_int(text)
    except ValueError as error:
        raise ValueError(f"{key}={error}") from error
    limit = MAX_LEADING if key in ("hLeading", "vLeading") else MAX_OFFSET
    if abs(value) > limit:
        raise ValueError(f"{key}={text!r} is beyond use (limit {limit})")
    return value
