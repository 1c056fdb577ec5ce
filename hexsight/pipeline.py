"""The whole way: a picture and a module go in, a module with line of sight comes out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from hexsight import __version__
from hexsight.boardrules import BUILD_FILE, MAX_BUILD_FILE, rules_to_note
from hexsight.checking import built_subject
from hexsight.export.picture import render_overlay
from hexsight.export.stock import export_stock
from hexsight.export.vassal import ExportBoard, board_slugs, export_module, read_manifest
from hexsight.export.vassal_inplace import draft_of
from hexsight.extract.module import read_module
from hexsight.extract.source import source_kind
from hexsight.los.engine import table_of
from hexsight.los.rulesets import load_rules
from hexsight.los.table import write_table
from hexsight.model.atomic import write_problem
from hexsight.model.board import Board, Survey
from hexsight.model.derive import derive
from hexsight.model.errors import HexsightError, OutputError, UsageError
from hexsight.model.overrides import Overrides
from hexsight.model.store import (
    BOARD_FILE,
    ELEVATION_FILE,
    TERRAIN_FILE,
    board_files,
    save_board,
)
from hexsight.output import png_bytes, write_bytes
from hexsight.progress import Reporter, Silent
from hexsight.project import PROJECT_FILE
from hexsight.reading import Reading, Request, legend_notice, read, survey
from hexsight.stocking import StockChoice, gather, parse_levels
from hexsight.validators import Report, run_checks, to_json

TABLE_FILE = "los.lostab"
OVERLAY_FILE = "overlay.png"
FINDINGS_FILE = "findings.json"
_BOARD_FILES = (BOARD_FILE, TERRAIN_FILE, ELEVATION_FILE, TABLE_FILE, FINDINGS_FILE, OVERLAY_FILE)


@dataclass(frozen=True)
class BuiltBoard:
    """One board of a build.

    Attributes
    ----------
    board : Board
    folder : Path
        With board.json, the rasters, the table, the overlay and the findings.
    table : Path or None
        None where the rules measure: there are no Locations to list.
    locations, pairs : int
        Size of the table.
    report : Report
        Findings.
    files : tuple of str
        Names of what was written into the folder.
    notice : str
        What the user should know about how it was read, or "".
    """

    board: Board
    folder: Path
    table: Path | None
    locations: int
    pairs: int
    report: Report
    files: tuple[str, ...]
    notice: str = ""


@dataclass(frozen=True)
class Build:
    """What a build wrote.

    Attributes
    ----------
    boards : tuple of BuiltBoard
    module : Path or None
    rules : str or None
        As they are noted; None for those of asl.
    """

    boards: tuple[BuiltBoard, ...]
    module: Path | None
    rules: str | None = None

    def summary(self) -> dict[str, Any]:
        """As build.json tells it; names relative to the output folder, nothing of the machine."""
        return {
            "schema_version": 1,
            "tool_version": __version__,
            "module": self.module.name if self.module else None,
            "boards": [
                {
                    "board": b.board.name,
                    "folder": self._folder(b),
                    "buildings": len(b.board.buildings),
                    "factories": sum(x.kind == "factory" for x in b.board.buildings),
                    "bars": sum(bool(s.bar) for s in b.board.hexsides),
                    "roofless_hexes": sum(h.roofless for h in b.board.hexes),
                    "stairwells": sum(h.stairwell for h in b.board.hexes),
                    "locations": b.locations,
                    "pairs": b.pairs,
                    "findings": len(b.report.findings),
                }
                | ({"rules": self.rules} if self.rules is not None else {})
                for b in self.boards
            ],
            # A later build with --force takes away what it does not write again.
            "files": [
                (Path(self._folder(b)) / name).as_posix() for b in self.boards for name in b.files
            ],
        }

    def _folder(self, built: BuiltBoard) -> str:
        return built.folder.name if len(self.boards) > 1 else "."


class _EarlierBoard(BaseModel):
    folder: str


class _Earlier(BaseModel):
    """What an earlier build.json says about the files beside it."""

    schema_version: int
    tool_version: str
    boards: list[_EarlierBoard]
    files: list[str] | None = Field(default=None)  # hexsight wrote no list at first

    def paths(self) -> tuple[Path, ...]:
        """Files of a build, relative to its folder; whatever else the file names is left out."""
        named = self.files
        if named is None:
            named = [f"{b.folder}/{name}" for b in self.boards for name in _BOARD_FILES]
        paths = (Path(name) for name in named)
        # It may have been edited: nothing outside of the folder, nothing that no build writes.
        return tuple(
            p
            for p in paths
            if not p.is_absolute()
            and len(p.parts) in (1, 2)
            and ".." not in p.parts
            and p.name in _BOARD_FILES
        )


@dataclass(frozen=True)
class Extracted:
    """A board and what it was concluded from; a line to tell the user, or ""."""

    board: Board
    survey: Survey
    reading: Reading
    notice: str = ""


def extract_board(request: Request, reporter: Reporter | None = None) -> Extracted:
    """Read a source and conclude its board.

    Raises
    ------
    HexsightError
        Whatever the user must mend.
    """
    reporter = reporter or Silent()
    reading = read(request, reporter)
    found = survey(request, reading, reporter)
    reporter.step("Concluding buildings, Factories, bars")
    notice = legend_notice(request, reading, found.provenance.legend)
    return Extracted(derive(found, request.overrides), found, reading, notice)


def requests_for(request: Request) -> tuple[Request, ...]:
    """One request a board: a module whose board is not named has all its hex boards built.

    Raises
    ------
    UsageError
        If there are several boards and overrides that could be meant for any.
    """
    if request.board is not None or source_kind(request.source) != "module":
        return (request,)
    names = [b.name for b in read_module(request.source).boards if b.hex_grids and b.image]
    if len(names) < 2:
        return (request,)
    if request.overrides != Overrides():
        # A name such as K15 stands on most boards of a module.
        raise UsageError(
            "The overrides do not say of which board they speak. Add the line 'board: NAME' "
            f"to {PROJECT_FILE}, or --board NAME (boards: {', '.join(names)})."
        )
    return tuple(replace(request, board=name) for name in names)


def build(
    request: Request,
    out: Path,
    *,
    overwrite: bool = False,
    reporter: Reporter | None = None,
) -> Build:
    """Run everything and write it into a folder.

    Parameters
    ----------
    request : Request
    out : Path
        Made when it is not there.  One board lies in it directly, several in
        a folder each; a copy of the module with the tables beside them.
    overwrite : bool
        Whether an earlier build there may be replaced.  What it wrote and this
        one does not write is removed at the end; other files stay.
    reporter : Reporter, optional

    Returns
    -------
    Build

    Raises
    ------
    HexsightError
        Whatever the user must mend; the source is never touched.
    """
    reporter = reporter or Silent()
    requests = requests_for(request)
    _refuse(request, requests, out, overwrite)
    folders = _folders(requests, out)
    _refuse_files(request, folders, out, overwrite)
    earlier = _earlier(out)
    built = [
        _build_board(one, folder, overwrite, reporter)
        for one, folder in zip(requests, folders, strict=True)
    ]
    module = None
    tables = [b.table for b in built if b.table is not None]
    if request.export_module and source_kind(request.source) == "module" and tables:
        reporter.step("Writing the module")
        module = out / _module_name(request.source)
        export_module(
            request.source,
            module,
            [
                ExportBoard(b.board.name, table.read_bytes(), board_files(b.board)[BOARD_FILE])
                for b, table in zip(built, tables, strict=True)
            ],
            overwrite=overwrite,
            progress=reporter.done,
        )
        if request.export_stock or request.export_companion:
            _add_stock(request, module, [b.folder for b in built], reporter)
    result = Build(tuple(built), module, rules_to_note(request.rules, out))
    text = json.dumps(result.summary(), ensure_ascii=False, indent=1) + "\n"
    write_bytes(out / BUILD_FILE, text.encode("utf-8"), overwrite=overwrite)
    written = {b.folder / name for b in built for name in b.files}
    _remove(out, [out / p for p in earlier if out / p not in written], request.source)
    return result


def _folders(requests: Sequence[Request], out: Path) -> list[Path]:
    """Where each board goes."""
    if len(requests) == 1:
        return [out]
    return [out / slug for slug in board_slugs([one.board or "" for one in requests])]


def _earlier(out: Path) -> tuple[Path, ...]:
    """What the earlier build in a folder wrote, relative to it.

    Raises
    ------
    OutputError
        If there is a build.json that no build wrote.
    """
    file = out / BUILD_FILE
    try:
        if file.stat().st_size <= MAX_BUILD_FILE:
            return _Earlier.model_validate_json(file.read_bytes()).paths()
        why = "it is too large"
    except FileNotFoundError:
        return ()
    except ValidationError as error:
        why = error.errors()[0]["msg"]
    except OSError as error:
        raise OutputError(f"Cannot read {file}: {error.strerror or error}.") from error
    raise OutputError(
        f"{file} was not written by hexsight ({why}) and is not replaced. Name another folder "
        "with -o."
    )


def _remove(out: Path, stale: Sequence[Path], source: Path) -> None:
    """Take away what an earlier build left, and its board folders where nothing else is in them."""
    kept = source.resolve()
    try:
        for path in stale:
            # A link may lead to where other people's files are.
            if path.parent.is_symlink() and path.parent != out:
                continue
            own = path.resolve()
            if path.is_file() and own != kept and kept not in own.parents:
                path.unlink()
        for folder in sorted({p.parent for p in stale} - {out}):
            if folder.is_dir() and not folder.is_symlink() and not any(folder.iterdir()):
                folder.rmdir()
    except OSError as error:
        raise OutputError(
            f"The build in {out} is finished, but {error.filename} of the earlier one cannot be "
            f"removed ({error.strerror or error}). Remove it by hand."
        ) from error


def _add_stock(request: Request, module: Path, folders: Sequence[Path], reporter: Reporter) -> None:
    """Put a stock export, or the companion, into the module that was just written."""
    choice = StockChoice(
        request.stock_range,
        parse_levels(request.stock_levels),
        rules=request.rules,
        companion=request.export_companion,
    )
    stock = gather(module, folders, choice, reporter)
    reporter.step("Writing the module")
    draft = draft_of(module)
    try:
        export_stock(
            module,
            draft,
            stock.module.build_file,
            stock.parts,
            stock.boards,
            files=stock.files,
            overwrite=True,
        )
        draft.replace(module)
    except OSError as error:
        raise write_problem(module, error) from error
    finally:
        draft.unlink(missing_ok=True)


def _refuse(request: Request, requests: tuple[Request, ...], out: Path, overwrite: bool) -> None:
    """Refuse before hours of work rather than after them."""
    if out.exists() and not out.is_dir():
        raise OutputError(f"{out} is a file. Name a folder with -o.")
    source = request.source.resolve()
    target = out / _module_name(request.source)
    if target.resolve() == source or out.resolve() == source:
        raise OutputError(
            f"The output would lie over the input {request.source}. Name another folder with -o."
        )
    parse_levels(request.stock_levels)
    names = [one.board or "" for one in requests]
    if twice := sorted({n for n in names if names.count(n) > 1}):
        raise UsageError(
            f"Two boards of {request.source.name} are named {twice[0]!r}, so nothing tells them "
            "apart. Rename one in VASSAL's editor."
        )
    if overwrite and target.exists() and not _is_ours(target):
        raise OutputError(
            f"{target} was not written by hexsight and is not replaced. Name another folder "
            "with -o."
        )
    if not overwrite and (out / BUILD_FILE).exists():
        raise OutputError(f"{out} holds an earlier build. Add --force to replace it.")


def _refuse_files(request: Request, folders: Sequence[Path], out: Path, overwrite: bool) -> None:
    """Refuse to write over the source ever, and over any file without being told to."""
    for folder in folders:
        for path in (folder / name for name in _BOARD_FILES):
            if path.exists() and path.samefile(request.source):
                raise OutputError(
                    f"The output would lie over the input {request.source}. Name another folder "
                    "with -o."
                )
            if not overwrite and path.exists():
                what = f"{folder} holds a board" if path.name == BOARD_FILE else f"{path} exists"
                raise OutputError(f"{what} already. Add --force to replace it.")
    target = out / _module_name(request.source)
    exports = request.export_module and source_kind(request.source) == "module"
    if exports and not overwrite and target.exists():
        raise OutputError(f"{target} exists already. Add --force to replace it.")


def _is_ours(module: Path) -> bool:
    """Whether a module carries an export of hexsight."""
    try:
        return read_manifest(module) is not None
    except HexsightError:
        return False


def _module_name(source: Path) -> str:
    name = source.name or source.resolve().name
    return name if name.lower().endswith((".vmod", ".vmdx")) else f"{name}.vmod"


def _build_board(request: Request, folder: Path, overwrite: bool, reporter: Reporter) -> BuiltBoard:
    extracted = extract_board(request, reporter)
    board, reading = extracted.board, extracted.reading
    save_board(board, folder, overwrite=overwrite)
    rules = load_rules(request.rules)
    table = None
    if rules.engine != "measured":
        reporter.step("Walking all lines of sight")
        table = table_of(
            board, rules, progress=lambda done, all_: reporter.done(done / max(1, all_))
        )
        write_table(table, folder / TABLE_FILE)
    reporter.step("Checking")
    report = run_checks(built_subject(reading, extracted.survey, board, request, table))
    write_bytes(folder / FINDINGS_FILE, to_json(report).encode("utf-8"), overwrite=overwrite)
    files = [name for name in _BOARD_FILES if name != OVERLAY_FILE]
    if table is None:
        files.remove(TABLE_FILE)
    if request.export_picture:
        files.append(OVERLAY_FILE)
        reporter.step("Drawing the overlay")
        picture = png_bytes(render_overlay(reading.rgb, board))
        write_bytes(folder / OVERLAY_FILE, picture, overwrite=overwrite)
    n = len(table.names) if table is not None else 0
    path = folder / TABLE_FILE if table is not None else None
    pairs = n * (n - 1) // 2
    return BuiltBoard(board, folder, path, n, pairs, report, tuple(files), extracted.notice)
