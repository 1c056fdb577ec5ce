"""What `check` and `build` hand to the validators: everything known of one thing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from hexsight.boardrules import BUILD_FILE, DEFAULT, rules_for
from hexsight.checking_find import TABLE_SUFFIX
from hexsight.checking_legend import load_named_legend, named_legend_view
from hexsight.checking_print import (
    fitted_evidence,
    picture_of,
    pictures_in,
    read_names,
    read_print,
    read_terrain,
    stored_model,
)
from hexsight.checking_tables import table_view, tells_rules
from hexsight.extract.archive import open_source
from hexsight.extract.image import picture_size
from hexsight.extract.module import read_module
from hexsight.extract.module_files import image_member
from hexsight.extract.source import Source, open_any, source_kind
from hexsight.extract.xmlsafe import parse_xml
from hexsight.los.table import Table, open_table
from hexsight.model.board import Board, Survey
from hexsight.model.derive import derive
from hexsight.model.errors import HexsightError
from hexsight.model.overrides import Overrides
from hexsight.model.store import BOARD_FILE, load_board
from hexsight.progress import Reporter, Silent
from hexsight.project import PROJECT_FILE
from hexsight.reading import Reading, Request, read, request_from, survey
from hexsight.validators import (
    ArchiveView,
    GridEvidence,
    ModuleView,
    Subject,
    TerrainEvidence,
)
from hexsight.validators.views import archive_view, module_view, picture_view

_PLACED = re.compile(r" in row \d+, place \d+")


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


def built_subject(
    reading: Reading,
    found: Survey,
    board: Board,
    request: Request,
    table: Table | None = None,
) -> Subject:
    """Everything that a build knows of one board."""
    source = reading.source
    grids: tuple[GridEvidence, ...] = ()
    if reading.fit is not None:
        grids = (fitted_evidence(source.name, source, reading.fit),)
    return Subject(
        path=source.path.name or source.path.resolve().name,
        board=board,
        survey=found,
        overrides=request.overrides if request.overrides != Overrides() else None,
        accepted=request.accepted,
        module=module_subject_view(source.path) if source.kind == "module" else None,
        picture=picture_view(source.picture),
        grids=grids,
        archive=archive_subject_view(source),
        table=table_view(table, board, request.rules) if table is not None else None,
        legend=named_legend_view(request, reading.rgb),
        pictures=picture_of(source),
    )


def subjects_of(
    path: Path, reporter: Reporter | None = None, *, quick: bool = False, rules: str | None = None
) -> Iterator[Subject]:
    """Subjects of one file or folder: a module gives one, with all its boards' grids.

    Parameters
    ----------
    path : Path
        Module, VASL board, board folder, table, picture or hexsight.yaml.
    reporter : Reporter, optional
    quick : bool
        Read neither names nor terrain from pictures.
    rules : str, optional
        Of tables that were not made with built-in rules; without it those of a
        hexsight.yaml at hand, or those that the build noted.

    Raises
    ------
    HexsightError
        If it cannot be read.
    """
    reporter = reporter or Silent()
    name = path.name or path.resolve().name
    if path.suffix.lower() == TABLE_SUFFIX:
        beside = path.parent / BOARD_FILE
        named = rules_for(path.parent, rules)
        board = load_board(path.parent) if beside.is_file() else None
        known = rules is not None or tells_rules(path)
        view = table_view(open_table(path), board, named, known=known)
        yield Subject(path=name, board=board, table=view)
        return
    if path.is_dir() and (path / BOARD_FILE).is_file():
        yield from _result_subjects(path, name, quick=quick, rules=rules)
        return
    if path.suffix.lower() in (".yaml", ".yml"):
        yield from _project_subjects(path, name, reporter, quick=quick)
        return
    if source_kind(path) == "module":
        yield from _module_subjects(path, reporter, quick=quick)
        return
    source = open_any(path)
    request = Request(source=path)
    found = read_print(source.name, source, quick=quick)
    terrain: TerrainEvidence | None = None
    broken: HexsightError | None = None
    try:
        terrain = None if quick or source.archive is None else read_terrain(request)
    except HexsightError as error:
        # Raised when the rest has been looked at.
        broken = error
    yield Subject(
        path=name,
        board=stored_model(request, source),
        picture=picture_view(source.picture),
        grids=(found.grid,),
        archive=archive_subject_view(source),
        labels=(found.labels,) if found.labels is not None else (),
        terrain=terrain,
        pictures=picture_of(source),
    )
    if broken is not None:
        raise broken


def _module_subjects(path: Path, reporter: Reporter, *, quick: bool) -> Iterator[Subject]:
    """The module; then whatever of its pictures could not be read is raised."""
    module = read_module(path)
    view = module_subject_view(path)
    held = set(view.members)
    prints = []
    shown: dict[str, str] = {}
    broken: HexsightError | None = None
    boards = [b for b in module.boards if b.image]
    names = Counter(f"{b.map_name}/{b.name}" for b in module.boards)
    for number, board in enumerate(boards):
        reporter.done(number / len(boards))
        whole = f"{board.map_name}/{board.name}"
        if board.image not in held or names[whole] > 1:
            continue  # told by module/picture-missing, module/board-name-twice
        try:
            source = open_any(path, whole)
        except HexsightError as error:
            broken = broken or error
            continue
        shown.setdefault(board.name, whole)
        prints.append(read_print(board.name, source, quick=quick))
    yield Subject(
        path=path.name or path.resolve().name,
        module=view,
        grids=tuple(p.grid for p in prints),
        labels=tuple(p.labels for p in prints if p.labels is not None),
        pictures=pictures_in(path, shown),
    )
    if broken is not None:
        raise broken


def _result_subjects(path: Path, name: str, *, quick: bool, rules: str | None) -> Iterator[Subject]:
    """A board folder with all that its build knew, as far as that still lies there."""
    board = load_board(path)
    request = origin_of(path, board)
    source = open_any(request.source, request.board) if request is not None else None
    tables = sorted(path.glob(f"*{TABLE_SUFFIX}"))
    subject = Subject(path=name, board=board)
    if request is not None and source is not None:
        found = read_print(source.name, source, quick=quick)
        subject = replace(
            subject,
            overrides=request.overrides if request.overrides != Overrides() else None,
            accepted=request.accepted,
            module=module_subject_view(source.path) if source.kind == "module" else None,
            picture=picture_view(source.picture),
            grids=(found.grid,),
            archive=archive_subject_view(source),
            labels=(found.labels,) if found.labels is not None else (),
            inputs=source.provenance,
            legend=named_legend_view(request, source.picture.rgb),
            pictures=picture_of(source),
        )
    yield subject
    named = rules_for(path, rules)
    if rules is None and request is not None and request.rules != DEFAULT:
        named = request.rules
    broken: HexsightError | None = None
    for file in tables:
        try:
            known = rules is not None or tells_rules(file)
            table = table_view(open_table(file), board, named, known=known)
        except HexsightError as error:
            broken = broken or error
            continue
        yield Subject(path=f"{name}/{file.name}", table=table)
    if broken is not None:
        raise broken


def unfound_source(subject: Subject) -> str:
    """Name of the source that a result folder tells of and that is not at hand; else empty."""
    if subject.board is None or subject.inputs is not None or subject.table is not None:
        return ""
    source = subject.board.provenance.source
    # A map composed of boards tells which they are and where: it has no file to look for.
    return "" if _PLACED.search(source) else source


def origin_of(folder: Path, board: Board) -> Request | None:
    """What a board folder was built from, where that still lies in it, above it or at hand.

    A board tells the name of its source and nothing of the machine, so that one looks
    where people put results: beside the source or in a folder below.
    """
    told = board.provenance.source
    is_module = told.startswith(f"{board.name} in ")
    file = told.removeprefix(f"{board.name} in ") if is_module else told
    if not file or Path(file).name != file:
        return None
    near = folder.resolve()
    for place in (near, near.parent, near.parent.parent, Path.cwd()):
        if (place / PROJECT_FILE).is_file():
            request = request_from(place / PROJECT_FILE, board=board.name if is_module else None)
            if request.source.name == file and request.source.exists():
                return request
        # A build puts a copy of the module with its tables there: that is no source.
        if (place / file).exists() and not (place / BUILD_FILE).is_file():
            return Request(source=place / file, board=board.name if is_module else None)
    return None


def _project_subjects(
    path: Path, name: str, reporter: Reporter, *, quick: bool
) -> Iterator[Subject]:
    """A hexsight.yaml: its source, its legend, and every board with its overrides."""
    from hexsight.pipeline import requests_for  # noqa: PLC0415 - which imports this module

    request = request_from(path)
    if quick:
        load_named_legend(request)
        yield from subjects_of(request.source, reporter, quick=True)
        return
    for one in requests_for(request):
        reading = read(one, reporter)
        found = survey(one, reading, reporter)
        subject = built_subject(reading, found, _derived(found, one.overrides), one)
        labels = (
            read_names(reading.source.name, reading.source, reading.fit) if reading.fit else None
        )
        yield replace(subject, path=name, labels=(labels,) if labels is not None else ())


def _derived(found: Survey, overrides: Overrides) -> Board:
    """The board with those overrides that speak of a place it has; checks tell of the others."""
    plain = derive(found)
    hexes = {n: v for n, v in overrides.hexes.items() if n in plain.by_name}
    sides = {
        n: v for n, v in overrides.hexsides.items() if n.replace(" ", "") in plain.side_by_name
    }
    if not (hexes or sides or overrides.buildings or overrides.openings):
        return plain
    return derive(found, replace(overrides, hexes=hexes, hexsides=sides))
