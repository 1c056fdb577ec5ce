"""What `check` and `build` hand to the validators: everything known of one thing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hexsight.extract.archive import open_source
from hexsight.extract.grid import search_grid
from hexsight.extract.image import Picture, picture_size
from hexsight.extract.module import read_module
from hexsight.extract.module_files import image_member
from hexsight.extract.source import Source, open_any, source_kind
from hexsight.extract.xmlsafe import parse_xml
from hexsight.los.profile import load_profile
from hexsight.los.table import Table, board_digest, open_table
from hexsight.model.board import Board, Survey
from hexsight.model.errors import HexsightError, InputError
from hexsight.model.locations import locations_of
from hexsight.model.overrides import Overrides
from hexsight.model.store import BOARD_FILE, load_board
from hexsight.progress import Reporter, Silent
from hexsight.project import PROJECT_FILE
from hexsight.reading import Reading, Request, request_from
from hexsight.validators import (
    ArchiveView,
    GridEvidence,
    ModuleView,
    Subject,
    TableView,
)
from hexsight.validators.views import archive_view, grid_evidence, module_view, picture_view

TABLE_SUFFIX = ".lostab"


def module_subject_view(path: Path) -> ModuleView:
    """View of a module file or folder, with the sizes of the pictures it names."""
    with open_source(path) as files:
        module = read_module(path)
        data = files.read(module.build_file)
        root = parse_xml(data, f"{module.build_file} in {files.label}")

        def size_of(image: str) -> tuple[int, int] | None:
            member = image_member(files, image, module.label, [])
            if not files.has(member):
                return None
            try:
                return picture_size(files.read(member), member)
            except HexsightError:
                # A picture that cannot be read is a check's own matter; here it has no size.
                return None

        return module_view(
            root,
            files.names,
            build_file=module.build_file,
            moduledata=module.moduledata,
            size_of=size_of,
        )


def archive_subject_view(source: Source) -> ArchiveView | None:
    """View of a VASL board, None for anything else."""
    if source.archive is None:
        return None
    with open_source(source.path) as files:
        return archive_view(
            source.archive,
            source.path.resolve().name,
            files.names,
            source.picture.size_px,
            source.losdata(),
        )


def table_view(table: Table, board: Board | None, rules: str = "asl") -> TableView:
    """View of a table beside the board and the rules at hand."""
    return TableView(
        locations=table.names,
        board_hash=table.board_digest.hex(),
        profile_hash=table.profile_digest.hex(),
        board_hash_now=board_digest(board).hex() if board is not None else None,
        profile_hash_now=load_profile(rules).digest.hex(),
        locations_now=tuple(loc.name for loc in locations_of(board)) if board is not None else None,
    )


def built_subject(
    reading: Reading,
    survey: Survey,
    board: Board,
    request: Request,
    table: Table,
) -> Subject:
    """Everything that a build knows of one board."""
    source = reading.source
    grids: tuple[GridEvidence, ...] = ()
    if reading.fit is not None:
        grids = (
            grid_evidence(
                source.name,
                reading.nominal,
                source.picture.size_px,
                reading.fit,
                archive=source.kind == "board",
                printed=reading.fit.extent.hexes.tolist(),
            ),
        )
    return Subject(
        path=source.path.name or source.path.resolve().name,
        board=board,
        survey=survey,
        overrides=request.overrides if request.overrides != Overrides() else None,
        module=module_subject_view(source.path) if source.kind == "module" else None,
        picture=picture_view(source.picture),
        grids=grids,
        archive=archive_subject_view(source),
        table=table_view(table, board, request.rules),
    )


def find_subjects(path: Path) -> list[Path]:
    """What there is to check below a path, sorted; the path itself if it is one thing.

    Raises
    ------
    InputError
        If there is nothing there.
    """
    if not path.exists():
        raise InputError(f"Cannot find {path}: there is no such file or folder.")
    if path.is_file() or _is_one_thing(path):
        return [path]
    inside = [p for p in sorted(path.iterdir()) if not p.name.startswith(".")]
    found = [p for p in inside if p.is_dir() and _is_one_thing(p)]
    found += [p for p in inside if p.is_file() and _is_checkable(p)]
    if not found:
        raise InputError(
            f"There is nothing to check in {path}: no module, VASL board, hexsight board or table."
        )
    return sorted(found)


def _is_one_thing(folder: Path) -> bool:
    if (folder / BOARD_FILE).is_file():
        return True
    try:
        source_kind(folder)
    except HexsightError:
        return False
    return True


def _is_checkable(file: Path) -> bool:
    if file.suffix.lower() in (".vmod", ".vmdx", TABLE_SUFFIX):
        return True
    if file.suffix:
        return False
    try:
        return source_kind(file) == "board"
    except HexsightError:
        return False


def subjects_of(path: Path, reporter: Reporter | None = None) -> Iterator[Subject]:
    """Subjects of one file or folder: a module gives one, with all its boards' grids.

    Raises
    ------
    HexsightError
        If it cannot be read.
    """
    reporter = reporter or Silent()
    name = path.name or path.resolve().name
    if path.suffix.lower() == TABLE_SUFFIX:
        beside = path.parent / BOARD_FILE
        board = load_board(path.parent) if beside.is_file() else None
        yield Subject(path=name, board=board, table=table_view(open_table(path), board))
        return
    if path.is_dir() and (path / BOARD_FILE).is_file():
        board = load_board(path)
        yield Subject(path=name, board=board)
        broken: HexsightError | None = None
        for file in sorted(path.glob(f"*{TABLE_SUFFIX}")):
            try:
                table = table_view(open_table(file), board)
            except HexsightError as error:
                broken = broken or error
                continue
            yield Subject(path=f"{name}/{file.name}", table=table)
        if broken is not None:
            raise broken
        return
    if path.name == PROJECT_FILE or path.suffix.lower() in (".yaml", ".yml"):
        request = request_from(path)
        yield from subjects_of(request.source, reporter)
        return
    if source_kind(path) == "module":
        yield from _module_subjects(path, reporter)
        return
    source = open_any(path)
    yield Subject(
        path=name,
        picture=picture_view(source.picture),
        grids=(_evidence(source.name, source, source.picture),),
        archive=archive_subject_view(source),
    )


def _module_subjects(path: Path, reporter: Reporter) -> Iterator[Subject]:
    """The module; then whatever of its pictures could not be read is raised."""
    module = read_module(path)
    view = module_subject_view(path)
    held = set(view.members)
    grids = []
    broken: HexsightError | None = None
    boards = [b for b in module.boards if b.image]
    for number, board in enumerate(boards):
        reporter.done(number / len(boards))
        if board.image not in held:
            continue  # told by module/picture-missing
        try:
            source = open_any(path, f"{board.map_name}/{board.name}")
        except HexsightError as error:
            broken = broken or error
            continue
        grids.append(_evidence(board.name, source, source.picture))
    yield Subject(path=path.name, module=view, grids=tuple(grids))
    if broken is not None:
        raise broken


def _evidence(board: str, source: Source, picture: Picture) -> GridEvidence:
    search = search_grid(picture.rgb, hint=source.layout)
    return grid_evidence(
        board,
        source.layout,
        picture.size_px,
        search.fit,
        archive=source.kind == "board",
        printed=search.fit.extent.hexes.tolist() if search.fit is not None else (),
    )
