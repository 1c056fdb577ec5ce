"""From a source that a user names to a survey: open, find the grid, name hexes, read terrain."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import Polygon

from hexsight import __version__
from hexsight.extract.grid import GridFit, align_to, search_grid
from hexsight.extract.legend import Legend, load_legend, pick_legend
from hexsight.extract.propose_guess import preset_fit
from hexsight.extract.source import Source, open_any
from hexsight.extract.survey import survey_picture
from hexsight.model.board import Cell, Doubt, Mark, Provenance, Survey
from hexsight.model.errors import FindingsError, HexsightError, UnsupportedError, UsageError
from hexsight.model.layout import Layout
from hexsight.model.overrides import Overrides
from hexsight.model.terrain import load_catalogue
from hexsight.progress import Reporter, Silent
from hexsight.project import (
    PROJECT_FILE,
    GridChoice,
    Project,
    load_project,
    override_places,
)

_FIT_PIXELS = 1_000_000  # that a legend's fit is measured on: enough for a share in percent


@dataclass(frozen=True)
class Request:
    """What a user asks to have read.

    Attributes
    ----------
    source : Path
        Picture, module, unpacked module, VASL archive or folder.
    board : str or None
        Name of the board in a module.
    legend : str
        ``auto``, a preset or a file.
    grid : "auto", "module" or GridChoice
    terrain_from : "picture" or "losdata"
    overrides : Overrides
    accepted : mapping of str to mapping of str to str
        Remarks by check and place on findings that need not be told.
    """

    source: Path
    board: str | None = None
    legend: str = "auto"
    rules: str = "asl"
    grid: str | GridChoice = "auto"
    terrain_from: str = "picture"
    overrides: Overrides = field(default_factory=Overrides)
    accepted: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    export_module: bool = True
    export_picture: bool = True
    export_stock: bool = False
    export_companion: bool = False
    stock_range: int | None = None
    stock_levels: str | None = None


def request_from(
    source: Path,
    *,
    board: str | None = None,
    legend: str | None = None,
    from_losdata: bool | None = None,
    grid: str | None = None,
) -> Request:
    """A request from a path on the command line; a hexsight.yaml (or its folder) brings its own.

    Options given on the command line win over the file.

    Raises
    ------
    UsageError, InputError
        If the file is wrong.
    """
    file = source / PROJECT_FILE if (source / PROJECT_FILE).is_file() else source
    if file.suffix.lower() in (".yaml", ".yml"):
        project = load_project(file)
        base = file.parent
        places = override_places(file)
    else:
        project, base, places = Project(source=str(source)), Path(), {}
    if grid not in (None, "auto", "module"):
        raise UsageError(f"--grid takes auto or module, not {grid!r}.")
    request = request_of(project, base, places)
    return replace(
        request,
        board=board or request.board,
        legend=_legend(legend, Path()) if legend else request.legend,
        grid=grid or request.grid,
        terrain_from=request.terrain_from
        if from_losdata is None
        else ("losdata" if from_losdata else "picture"),
    )


def request_of(project: Project, base: Path, places: Mapping[str, str]) -> Request:
    """What a hexsight.yaml asks to have read.

    Parameters
    ----------
    project : Project
    base : Path
        The folder that its paths start from.
    places : mapping of str to str
        Where each correction stands.
    """
    return Request(
        source=_beside(base, project.source),
        board=project.board,
        legend=_legend(project.legend, base),
        rules=_rules(project.rules, base),
        grid=project.grid,
        terrain_from=project.terrain_from,
        overrides=project.overrides.overrides(places),
        accepted=project.accepted,
        export_module=project.export.module,
        export_picture=project.export.picture,
        export_stock=project.export.stock,
        export_companion=project.export.companion,
        stock_range=project.export.max_range,
        stock_levels=project.export.levels,
    )


def _beside(base: Path, name: str) -> Path:
    """A file named relative to hexsight.yaml; one written on Windows may have backslashes."""
    path, turned = base / name, base / name.replace("\\", "/")
    return turned if turned.exists() and not path.exists() else path


def _rules(name: str, base: Path) -> str:
    """A file of rules is named relative to the hexsight.yaml that names it."""
    if Path(name).suffix.lower() not in (".yaml", ".yml"):
        return name
    return str(_beside(base, name).resolve())


def _legend(name: str, base: Path) -> str:
    """A legend file is named relative to the hexsight.yaml that names it."""
    return str(_beside(base, name)) if Path(name).suffix.lower() in (".yaml", ".yml") else name


@dataclass(frozen=True)
class Reading:
    """One board's input, read.

    Attributes
    ----------
    source : Source
    rgb : (H, W, 3) uint8
    layout : Layout
        The lattice that is used, in board pixels.
    nominal : Layout or None
        What the module or archive says.
    cells : tuple of Cell
    fit : GridFit or None
        The printed grid, where one was looked for and found.
    doubts : tuple of Doubt
        About the grid.
    """

    source: Source
    rgb: NDArray[np.uint8]
    layout: Layout
    nominal: Layout | None
    cells: tuple[Cell, ...]
    fit: GridFit | None
    doubts: tuple[Doubt, ...]


def read(request: Request, reporter: Reporter | None = None) -> Reading:
    """Open a source and settle its grid and names.

    Raises
    ------
    HexsightError
        If it cannot be read, has no hex grid, or has no board of that name.
    """
    reporter = reporter or Silent()
    reporter.step(f"Reading {request.source.name}")
    source = open_any(request.source, request.board)
    if source.kind == "module" and source.layout is None and request.grid in ("auto", "module"):
        if source.warnings:
            # It has a grid, which the engine drops: that is the thing to mend.
            told = source.warnings[0].rstrip(".")
            raise UnsupportedError(
                f"{label(source)} has no usable hex grid: {told}. Mend it in VASSAL's editor, or "
                "set grid: dx, dy, x0, y0 in hexsight.yaml."
            )
        # Ask for it, to have the reason and the remedy in the module's own words.
        source = open_any(request.source, request.board, need_grid=True)
    rgb = source.picture.rgb
    size = (rgb.shape[1], rgb.shape[0])
    nominal = source.layout
    fit: GridFit | None = None
    shown: Layout | None = None  # what tells which hexes are printed, where it is not the layout
    doubts: tuple[Doubt, ...] = ()
    if isinstance(request.grid, GridChoice):
        layout = request.grid.layout()
        reporter.step("Finding the printed grid")
        shown, fit = _fit_like(rgb, layout)
    elif request.grid == "module" or request.terrain_from == "losdata":
        # LOSData was made on the grid that the archive names, not on the print.
        if nominal is None:
            raise UsageError(
                f"{label(source)} brings no grid of its own. Leave out --grid module, or set "
                "grid: in hexsight.yaml."
            )
        layout = nominal
    else:
        reporter.step("Finding the printed grid")
        layout, fit, doubts = _find_layout(rgb, nominal, label(source))
    shown = layout if shown is None else shown
    cells = tuple(Cell(c, r, name) for c, r, name in source.hexes)
    if nominal is None:
        cells = default_cells(shown, size, fit)
    elif source.kind == "module" and fit is not None and layout is not nominal:
        # VASSAL numbers on over margins and legends; no one plays there.
        cells = tuple(c for c, on in zip(cells, _printed(fit, shown, cells), strict=True) if on)
    if not cells:
        raise UnsupportedError(
            f"No hex of the grid lies on the picture of {label(source)}. Mend x0, y0, dx and dy."
        )
    return Reading(source, rgb, layout, nominal, cells, fit, doubts)


def label(source: Source) -> str:
    """Short name of a source and its board for messages: ``Kassala in kassala.vmod``."""
    file = source.path.name or str(source.path)
    return f"{source.name} in {file}" if source.kind == "module" else file


def _find_layout(
    rgb: NDArray[np.uint8], nominal: Layout | None, where: str
) -> tuple[Layout, GridFit | None, tuple[Doubt, ...]]:
    size = (rgb.shape[1], rgb.shape[0])
    search = search_grid(rgb, hint=nominal)
    if search.fit is None:
        if nominal is None:
            raise UnsupportedError(
                f"No printed hex grid was found on {where} ({search.reason}). "
                "Set grid: dx, dy, x0, y0 in hexsight.yaml."
            )
        note = f"No printed grid was found ({search.reason}); the module's own grid is used."
        return nominal, None, (_grid_doubt(nominal, 0.3, note),)
    fit = search.fit
    if nominal is None:
        return fit.layout, fit, ()
    try:
        return align_to(fit.layout, nominal, size, extent=fit.extent), fit, ()
    except HexsightError as error:
        note = f"{str(error).rstrip('.')}; the module's own grid is used."
        return nominal, fit, (_grid_doubt(nominal, 0.2, note),)


def _fit_like(rgb: NDArray[np.uint8], layout: Layout) -> tuple[Layout, GridFit | None]:
    """The printed grid as a person's numbers count it, where they nearly mean it.

    Then it tells which hexes are printed and how thick their lines are, so that a grid
    that was nudged by a pixel keeps its hexes and their names.
    """
    fit = search_grid(rgb, hint=layout).fit
    if fit is None:
        return layout, None
    try:
        return align_to(fit.layout, layout, (rgb.shape[1], rgb.shape[0]), extent=fit.extent), fit
    except FindingsError:
        return layout, None


def _grid_doubt(layout: Layout, confidence: float, note: str) -> Doubt:
    x, y = layout.centre(0, 0)
    return Doubt(
        "grid", "", round(x, 1), round(y, 1), confidence, note, "grid: {dx: …, dy: …, x0: …, y0: …}"
    )


def _printed(fit: GridFit, layout: Layout, cells: tuple[Cell, ...]) -> list[bool]:
    """Which hexes lie where the grid is printed, or are half hexes at its rim.

    One ring more than the fit saw: a hex that the frame cuts in half shows too few
    of its sides to be told from the margin, and a hex too many does no harm.
    """
    printed = Polygon(fit.extent_px).buffer(0.6 * max(layout.dx, layout.dy))
    shapely.prepare(printed)
    centres = np.array([layout.centre(c.col, c.row) for c in cells])
    inside: list[bool] = shapely.contains_xy(printed, centres[:, 0], centres[:, 1]).tolist()
    return inside


def default_cells(
    layout: Layout, size_px: tuple[int, int], fit: GridFit | None = None
) -> tuple[Cell, ...]:
    """Names for a picture that brings none: columns A, B … Z, AA, BB …, rows from 1 at the top.

    Only hexes on the printed part of the picture, where `fit` tells it.
    """
    cells = tuple(Cell(c, r, "") for c, r in layout.hexes_on(size_px))
    if fit is not None and cells:
        cells = tuple(c for c, on in zip(cells, _printed(fit, layout, cells), strict=True) if on)
    if not cells:
        return ()
    first_col = min(c.col for c in cells)
    first_row = min(c.row for c in cells)
    return tuple(
        Cell(c.col, c.row, _letters(c.col - first_col) + str(c.row - first_row + 1)) for c in cells
    )


def _letters(index: int) -> str:
    return chr(65 + index % 26) * (index // 26 + 1)


def survey(request: Request, reading: Reading, reporter: Reporter | None = None) -> Survey:
    """Read the terrain, from the picture or from LOSData.

    Raises
    ------
    UsageError
        If LOSData is asked for and the source has none, or the legend is wrong.
    """
    reporter = reporter or Silent()
    source = reading.source
    legend: Legend | None = None
    if request.terrain_from == "picture":
        legend = _legend_for(request, reading)
    provenance = Provenance(
        source=label(source),
        terrain_from=request.terrain_from,
        picture=source.picture.where,
        picture_sha256=source.picture.sha256,
        inputs_sha256=dict(sorted(source.provenance.items())),
        legend=legend.name if legend is not None else "",
        tool_version=__version__,
    )
    if legend is None:
        return _from_losdata(reading, provenance)
    reporter.step("Reading the terrain from the picture")
    types, unknown = _building_types(source, reading)
    found = survey_picture(
        reading.rgb,
        reading.layout,
        reading.cells,
        legend=legend,
        name=source.name,
        grid_line_px=reading.fit.line_width_px if reading.fit else None,
        building_types=types,
        provenance=provenance,
        progress=lambda _title, fraction: reporter.done(fraction),
    )
    return replace(found, doubts=reading.doubts + unknown + found.doubts)


def _legend_for(request: Request, reading: Reading) -> Legend:
    return pick_legend(reading.rgb) if request.legend == "auto" else load_legend(request.legend)


def legend_notice(request: Request, reading: Reading, legend: str) -> str:
    """A line for the user when the preset that was picked was not made for the map, else "".

    Parameters
    ----------
    request : Request
        Where it names a legend, the user has settled that.
    reading : Reading
    legend : str
        Preset that was picked, as `Provenance.legend` tells it.

    Notes
    -----
    The measure is that of ``hexsight new``, on the picture with its print: lines and
    names are too little of a map to matter, and taking them off costs time.
    """
    if request.legend != "auto" or request.terrain_from != "picture":
        return ""
    height, width = reading.rgb.shape[:2]
    step = max(1, math.isqrt(height * width // _FIT_PIXELS))
    left_out = np.ones((height, width), bool)
    left_out[::step, ::step] = False
    fit = preset_fit(reading.rgb, left_out, reading.layout, reading.cells, load_legend(legend))
    if fit.fits:
        return ""
    return (
        f"The legend {legend!r} fits {label(reading.source)} badly (it knows {fit.claimed:.0%} of "
        "the colours), so what is found there is doubtful. Make your own with hexsight new "
        "(docs/legends.md)."
    )


def _building_types(source: Source, reading: Reading) -> tuple[dict[str, int], tuple[Doubt, ...]]:
    """Codes of the building types that the archive names; a name VASL has not is a doubt."""
    catalogue = load_catalogue()
    where = {c.name: (c.col, c.row) for c in reading.cells}
    types: dict[str, int] = {}
    doubts: list[Doubt] = []
    for name, type_name in source.building_types.items():
        try:
            types[name] = catalogue.named(type_name).code
        except UsageError as error:
            x, y = reading.layout.centre(*where[name]) if name in where else (0.0, 0.0)
            note = f"BoardMetadata.xml names no known building type for {name}: {error}"
            doubts.append(Doubt("building-type", name, round(x, 1), round(y, 1), 0.2, note))
    return types, tuple(doubts)


def _from_losdata(reading: Reading, provenance: Provenance) -> Survey:
    source = reading.source
    data = source.losdata()
    if data is None:
        raise UsageError(
            f"{label(source)} holds no LOSData. Leave out --from-losdata to read the picture."
        )
    height, width = data.terrain.shape
    if data.terrain.shape != reading.rgb.shape[:2]:
        raise UnsupportedError(
            f"The LOSData of {label(source)} is {width} × {height} px and its picture "
            f"{reading.rgb.shape[1]} × {reading.rgb.shape[0]}: one of them is out of date. "
            "Read the picture instead (without --from-losdata)."
        )
    top: dict[int, int] = {}
    for c in reading.cells:
        top[c.col] = min(c.row, top.get(c.col, c.row))
    marks = []
    for c in reading.cells:
        if (c.col, c.row - top[c.col]) in data.stairway_hexes:
            x, y = reading.layout.centre(c.col, c.row)
            # The centre of a half hex may lie on the picture's very edge, or just beside it.
            x, y = min(max(x, 0.0), width - 1.0), min(max(y, 0.0), height - 1.0)
            marks.append(Mark(round(x, 2), round(y, 2)))
    return Survey(
        name=source.name,
        layout=reading.layout,
        cells=reading.cells,
        terrain=data.terrain,
        elevation_half=(2 * data.elevation.astype(np.int16)).clip(-128, 127).astype(np.int8),
        typed=True,
        stairwells=tuple(marks),
        provenance=provenance,
    )
