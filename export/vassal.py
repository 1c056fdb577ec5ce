"""Put LOS tables into a VASSAL module, and take them out again.

All that hexsight adds lies in the folder ``hexsight/`` of the module and is
listed in ``hexsight/manifest.json``.  Only what that list names is ever
replaced or removed; the build file and ``moduledata`` are not touched, so the
module plays as before in a VASSAL that knows nothing of hexsight.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from hexsight.export.buildfile import parse_build_file
from hexsight.export.original import Original, open_original
from hexsight.export.rewrite import Progress, RewriteReport, plan_rewrite, rewrite_zip
from hexsight.export.stock_components import MARKER_MEMBER, MESSAGES, PROPERTIES, PROTOTYPES
from hexsight.export.stock_edit import without_stock
from hexsight.model.atomic import check_target
from hexsight.model.errors import InputError, UnsupportedError, UsageError
from hexsight.model.portable import portable

FOLDER = "hexsight/"
MANIFEST = FOLDER + "manifest.json"
FORMAT_VERSION = 1
BUILD_FILES = ("buildFile.xml", "buildFile")
# One of these makes a zip a module, an extension or a VASL board (the last: boards before 2012).
_MODULE_SIGN = re.compile(r"buildFile(\.xml)?|BoardMetadata\.xml|bd[^/]*\.(gif|png|jpe?g)")
_MAX_MANIFEST_BYTES = 1 << 20
_MAX_SLUG = 60


@dataclass(frozen=True)
class ExportBoard:
    """What goes into the module for one board.

    Attributes
    ----------
    name : str
        As players know it.
    table : bytes
        The ``.lostab`` file.
    board_json : bytes or None
        The model's ``board.json``, to be shipped along.
    """

    name: str
    table: bytes
    board_json: bytes | None = None


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    name: str
    table: str
    table_sha256: str
    board: str | None = None
    board_sha256: str | None = None


class StockEntry(BaseModel):
    """What a stock export put into the build file.

    Attributes
    ----------
    boards : list of str
        Boards whose answers are there.
    build_file : str
        Member that was changed.
    made : list of str
        Classes of the containers that the module lacked.
    elements : int
        Number of elements put in.
    files : list of str
        Members that they need.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    boards: list[str]
    build_file: str
    made: list[str]
    elements: int
    files: list[str] = []


class Manifest(BaseModel):
    """Content of ``hexsight/manifest.json``.

    Attributes
    ----------
    format_version : int
    tool_version : str
    boards : list
        For each its name, and member name and SHA-256 of table and board file.
    stock : StockEntry or None
        Messages and components in the build file.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    format_version: int
    tool_version: str
    boards: list[_Entry]
    stock: StockEntry | None = None

    @property
    def members(self) -> frozenset[str]:
        """All members of this export, the manifest among them."""
        files = [f for b in self.boards for f in (b.table, b.board) if f is not None]
        return frozenset([MANIFEST, *files, *(self.stock.files if self.stock else ())])


def export_members(
    boards: Sequence[ExportBoard], stock: StockEntry | None = None
) -> dict[str, bytes]:
    """Members that an export of these boards adds, by name.

    `stock` is what an earlier stock export put into the build file, and goes on
    to stand in the manifest.

    Same boards, same bytes: nothing in them tells of time or place.

    Raises
    ------
    UsageError
        If there are no boards, or two of one name.
    """
    if not boards:
        raise UsageError("There is no board to export.")
    slugs = board_slugs([b.name for b in boards])
    members: dict[str, bytes] = {}
    entries = []
    for board, slug in zip(boards, slugs, strict=True):
        table = f"{FOLDER}{slug}.lostab"
        members[table] = board.table
        entry = _Entry(name=board.name, table=table, table_sha256=_sha256(board.table))
        if board.board_json is not None:
            entry.board = f"{FOLDER}{slug}.board.json"
            entry.board_sha256 = _sha256(board.board_json)
            members[entry.board] = board.board_json
        entries.append(entry)
    members[MANIFEST] = manifest_bytes(entries, stock)
    return members


def manifest_bytes(entries: Sequence[_Entry], stock: StockEntry | None) -> bytes:
    """A manifest as it is written; the same for the same content."""
    manifest = Manifest(
        format_version=FORMAT_VERSION, tool_version=_tool(), boards=list(entries), stock=stock
    )
    text = json.dumps(manifest.model_dump(exclude_none=True), ensure_ascii=False, indent=1)
    return (text + "\n").encode("utf-8")


def board_slugs(names: Sequence[str]) -> list[str]:
    """Names for files: lower case ASCII letters, digits and dashes; each one once.

    Raises
    ------
    UsageError
        If two boards have the same name.

    Examples
    --------
    >>> board_slugs(["Städtchen 1", "Main map", "main-map"])
    ['stadtchen-1', 'main-map', 'main-map-2']
    """
    slugs: list[str] = []
    for i, name in enumerate(names):
        if name in names[:i]:
            raise UsageError(f"Two boards are named {name!r}. Give one another name.")
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
        slug = re.sub(r"[^a-z0-9]+", "-", plain.lower())[:_MAX_SLUG].strip("-") or "board"
        if portable(slug) != slug:
            slug = f"board-{slug}"
        number = 2
        base = slug
        while slug in slugs:
            slug, number = f"{base}-{number}", number + 1
        slugs.append(slug)
    return slugs


def read_manifest(source: Path) -> Manifest | None:
    """What an earlier export put into a module; None if there was none.

    Raises
    ------
    InputError
        If the module or its manifest cannot be read.
    UnsupportedError
        If a newer hexsight wrote it.
    """
    with open_original(source) as original:
        return manifest_of(original)


def export_module(
    source: Path,
    target: Path,
    boards: Sequence[ExportBoard],
    *,
    overwrite: bool = False,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> RewriteReport:
    """Copy a module with LOS tables added; all other members stay byte for byte.

    An earlier export in `source` is replaced as a whole: its tables of boards
    that are not among `boards` go.

    Parameters
    ----------
    source : Path
        Module, VASL board archive, or the unpacked folder of one.
    target : Path
        The new file.
    boards : sequence of ExportBoard
    overwrite : bool
        Whether `target` may exist.
    dry_run : bool
        Only tell what would be done.
    progress : callable, optional
        Told the share done, 0 to 1.

    Returns
    -------
    RewriteReport

    Raises
    ------
    UnsupportedError
        If `source` is no module or board.
    InputError, OutputError, UsageError, VerificationError
        As `rewrite_zip` does.
    """
    with open_original(source) as original:
        check_module(original)
        earlier = manifest_of(original)
        present = set(original.names)
    members = export_members(boards, earlier.stock if earlier else None)
    old = (earlier.members if earlier else frozenset()) & present
    if earlier and earlier.stock:
        old -= frozenset(earlier.stock.files)
    return rewrite(
        source,
        target,
        {n: d for n, d in members.items() if n not in old},
        {n: d for n, d in members.items() if n in old},
        old - set(members),
        overwrite,
        dry_run,
        progress,
    )


def remove_export(
    source: Path,
    target: Path,
    *,
    overwrite: bool = False,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> RewriteReport:
    """Copy a module without what `export_module` and `export_stock` added.

    Raises
    ------
    UsageError
        If `source` holds no export.
    InputError, OutputError, VerificationError
        As `rewrite_zip` does.
    """
    with open_original(source) as original:
        earlier = manifest_of(original)
        present = set(original.names)
        replace = {}
        if earlier is not None and earlier.stock is not None:
            name = earlier.stock.build_file
            build = parse_build_file(original.read(name), f"{name} in {original.label}")
            replace[name] = without_stock(build, earlier.stock.made)[0].data
    if earlier is None:
        raise UsageError(f"{source.name} holds no export of hexsight: there is nothing to remove.")
    gone = earlier.members & present
    return rewrite(source, target, {}, replace, gone, overwrite, dry_run, progress)


def rewrite(
    source: Path,
    target: Path,
    add: dict[str, bytes],
    replace: dict[str, bytes],
    remove: frozenset[str],
    overwrite: bool,
    dry_run: bool,
    progress: Progress | None,
) -> RewriteReport:
    """Copy a module with members changed, or with `dry_run` only say which would be."""
    if dry_run:
        check_target(target, overwrite=overwrite, source=source)
        return plan_rewrite(source, add=add, replace=replace, remove=remove)
    return rewrite_zip(
        source,
        target,
        add=add,
        replace=replace,
        remove=remove,
        overwrite=overwrite,
        progress=progress,
    )


def manifest_of(original: Original) -> Manifest | None:
    """What an earlier export noted in a module, None if there was none.

    Parameters
    ----------
    original : Original
        The module as it is now.

    Raises
    ------
    InputError
        If the note is damaged, or claims a member that no export writes: it is what says
        which members may be removed.
    UnsupportedError
        If a newer hexsight wrote it.
    """
    if MANIFEST not in original.names:
        return None
    where = f"{MANIFEST} in {original.label}"
    data = original.read(MANIFEST, max_bytes=_MAX_MANIFEST_BYTES)
    try:
        head = json.loads(data)
        found = head.get("format_version") if isinstance(head, dict) else None
        if isinstance(found, int) and found > FORMAT_VERSION:
            raise UnsupportedError(
                f"Cannot treat {where}: a newer hexsight wrote it (format {found}, this one "
                f"knows {FORMAT_VERSION}). Use that one."
            )
        manifest = Manifest.model_validate_json(data)
    except (ValueError, RecursionError, ValidationError) as error:
        raise InputError(
            f"Cannot read {where}: it is damaged. Start from the module as it was before export."
        ) from error
    stock = manifest.stock
    if stock is not None and (
        stock.build_file not in BUILD_FILES
        or not set(stock.made) <= {MESSAGES, PROPERTIES, PROTOTYPES}
    ):
        raise InputError(
            f"Cannot read {where}: it claims to have changed {stock.build_file[:80]!r}, which no "
            "export does. Start from the module as it was before export."
        )
    # The list says what may be removed, so it must not reach beyond our own folder.
    for name in manifest.members:
        rest = name.removeprefix(FOLDER)
        if name == MARKER_MEMBER:
            continue
        if rest == name or not re.fullmatch(
            r"[a-z0-9-]+\.(lostab|board\.json)|manifest\.json"
            r"|companion/([a-z0-9-]+\.(lostab|losplaces)|[A-Za-z$]+\.class)",
            rest,
        ):
            raise InputError(
                f"Cannot read {where}: it claims {name[:80]!r}, which no export writes. "
                "Start from the module as it was before export."
            )
    return manifest


def check_module(original: Original) -> None:
    """Make sure that an archive is a VASSAL module or a VASL board.

    Raises
    ------
    UnsupportedError
        If it holds neither a build file nor board metadata.
    """
    if not any(_MODULE_SIGN.fullmatch(name) for name in original.names):
        raise UnsupportedError(
            f"Cannot export into {original.label}: it holds no buildFile.xml and no "
            "BoardMetadata.xml, so it is no VASSAL module or VASL board. Name the .vmod."
        )


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _tool() -> str:
    try:
        return version("hexsight")
    except PackageNotFoundError:  # run from a source tree that was never installed
        return "0+unknown"
