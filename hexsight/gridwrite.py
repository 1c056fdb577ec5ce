"""Put a fitted grid into a module: a new file, every other byte of the build file as it was."""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from hexsight.export.buildedit import SetAttribute, edit_build_file
from hexsight.export.buildfile import BuildFile, Element, parse_build_file
from hexsight.export.rewrite import rewrite_zip
from hexsight.extract.archive import open_source
from hexsight.extract.module import read_module
from hexsight.extract.module_grids import HexGridPlace
from hexsight.extract.source import Source
from hexsight.model.errors import UnsupportedError, UsageError

_STEP = re.compile(r"(?P<tag>[^\[\]]+)(\[(?P<place>\d+)\])?\Z")
# Descending axes count from the far edge of the board in steps of dx and dy: a new
# spacing can move that edge by a hex or two, and the names with it.
_MOST_SHIFT = 3


@dataclass(frozen=True)
class GridChange:
    """What is to be changed in a build file.

    Attributes
    ----------
    member : str
        The build file.
    before, after : bytes
        Its content.
    offsets : dict of str to str
        ``hOff`` and ``vOff`` that had to follow so that every hex keeps its name.
    """

    member: str
    before: bytes
    after: bytes
    offsets: dict[str, str]

    def diff(self) -> str:
        """The changed lines, as a unified diff without context."""
        old, new = (d.decode("utf-8", "replace").splitlines() for d in (self.before, self.after))
        name = self.member
        return "\n".join(difflib.unified_diff(old, new, name, name, lineterm="", n=0))


def plan_grid_change(source: Source, attributes: Mapping[str, str]) -> GridChange:
    """Edit the HexGrid of a module's board.

    Parameters
    ----------
    source : Source
        The board, opened from a module.
    attributes : mapping of str to str
        ``x0``, ``y0``, ``dx``, ``dy``, ``sideways`` as the build file writes them.

    Raises
    ------
    UsageError
        If the source is no module.
    UnsupportedError
        If the hexes could not keep their names.
    """
    if source.module is None or source.board is None:
        raise UsageError(f"{source.path.name} is no module: --write needs one.")
    place = source.board.hex_grid(None)
    offsets = _offsets(place, attributes, source)
    with open_source(source.path) as files:
        module = read_module(source.path)
        data = files.read(module.build_file)
        label = f"{module.build_file} in {files.label}"
    build_file = parse_build_file(data, label)
    grid = element_at(build_file, place.xpath)
    wanted = {k: v for k, v in attributes.items() if _differs(grid.attributes.get(k), k, v)}
    edits = [SetAttribute(grid, name, value) for name, value in sorted(wanted.items())]
    if offsets:
        numbering = [e for e in build_file.children(grid) if e.short_tag.endswith("Numbering")]
        edits += [SetAttribute(numbering[-1], k, v) for k, v in sorted(offsets.items())]
    after = edit_build_file(build_file, edits).data if edits else data
    return GridChange(module.build_file, data, after, offsets)


def _differs(old: str | None, name: str, new: str) -> bool:
    """An attribute that already says the same is left as it is written."""
    if name == "sideways":
        return (old or "false").lower() != new.lower()
    return old != new


def _offsets(place: HexGridPlace, attributes: Mapping[str, str], source: Source) -> dict[str, str]:
    """Give hOff and vOff that keep every name, empty when none need change."""
    old = place.grid
    numbering = old.numbering
    if numbering is None:
        return {}
    new = replace(
        old,
        dx=float(attributes["dx"]),
        dy=float(attributes["dy"]),
        x0=int(attributes["x0"]),
        y0=int(attributes["y0"]),
        sideways=attributes["sideways"] == "true",
    )
    size = place.container_px(source.picture.size_px)
    cells = [(c, r) for c, r, _ in source.hexes]
    names = [numbering.name(old, size, c, r) for c, r in cells]
    shifts = sorted(
        itertools.product(range(-_MOST_SHIFT, _MOST_SHIFT + 1), repeat=2),
        key=lambda s: (abs(s[0]) + abs(s[1]), s),
    )
    for h, v in shifts:
        tried = replace(numbering, h_off=numbering.h_off + h, v_off=numbering.v_off + v)
        if [tried.name(new, size, c, r) for c, r in cells] == names:
            changed = {"hOff": h, "vOff": v}
            old_values = {"hOff": numbering.h_off, "vOff": numbering.v_off}
            return {k: str(old_values[k] + d) for k, d in changed.items() if d}
    raise UnsupportedError(
        f"The grid of {source.board.where if source.board else source.name} was not changed: with "
        "the fitted spacing VASSAL would name its hexes otherwise. Set it by hand in the editor."
    )


def element_at(build_file: BuildFile, xpath: str) -> Element:
    """The element at a path of tags and places, such as ``/a.B/c.D[2]``.

    Raises
    ------
    UnsupportedError
        If nothing lies there.
    """
    current: Element | None = None
    for step in xpath.strip("/").split("/"):
        match = _STEP.match(step)
        pool = [build_file.root] if current is None else list(build_file.children(current))
        same = [e for e in pool if match and e.tag == match["tag"]]
        number = int(match["place"] or 1) if match else 0
        if not 1 <= number <= len(same):
            raise UnsupportedError(f"There is nothing at {xpath} in {build_file.where}.")
        current = same[number - 1]
    assert current is not None
    return current


def write_grid_change(
    source: Path, target: Path, change: GridChange, *, overwrite: bool = False
) -> None:
    """Write a copy of the module with the changed build file.

    Raises
    ------
    OutputError
        If the target is the source, exists, or cannot be written.
    """
    rewrite_zip(source, target, replace={change.member: change.after}, overwrite=overwrite)
