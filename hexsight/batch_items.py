"""What there is on a shelf: every module, board, table and project below some folders.

An item's *name* is its place below the folder that was named, with that
folder's own name before it (``shelf/city/bd01``).  It is the same on every
machine that sees the same shelf, wherever it is mounted, so that results of
several machines fit together.
"""

from __future__ import annotations

import hashlib
import os
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hexsight.boardrules import noted_rules
from hexsight.checking_find import TABLE_SUFFIX
from hexsight.extract.archive import is_zip
from hexsight.extract.boardarchive import LOSDATA
from hexsight.extract.boardarchive_sections import METADATA
from hexsight.extract.image import SUFFIXES
from hexsight.extract.module_files import BUILD_FILES
from hexsight.extract.source import source_kind
from hexsight.model.errors import HexsightError, InputError, UsageError
from hexsight.model.store import BOARD_FILE
from hexsight.project import PROJECT_FILE
from hexsight.reading import request_from

# A folder with this file in it holds the results of a batch and is no part of any shelf.
LOCK_FILE = ".hexsight-batch"
MODULE_SUFFIXES = (".vmod", ".vmdx")
YAML_SUFFIXES = (".yaml", ".yml")
# What each verb can be told to do with: tables and finished boards are not read as pictures.
KINDS = {
    "check": ("module", "board", "hexsight", "table", "project", "picture"),
    "build": ("module", "board", "project", "picture"),
    "extract": ("module", "board", "project", "picture"),
    "table": ("module", "board", "hexsight", "project", "picture"),
}


@dataclass(frozen=True, order=True)
class Item:
    """One thing on a shelf.

    Attributes
    ----------
    name : str
        Its place, with the name of the shelf: ``shelf/city/bd01``.
    path : Path
        Where it lies on this machine.
    kind : str
        ``module``, ``board`` (VASL), ``hexsight`` (a board folder), ``table``,
        ``project`` (a hexsight.yaml) or ``picture``.
    """

    name: str
    path: Path = field(compare=False)
    kind: str = field(compare=False)

    def told(self, text: str) -> str:
        """A message without this machine's paths: places are told by the item's name."""
        above = self.name.rpartition("/")[0]
        for folder in dict.fromkeys((self.path.parent, self.path.parent.resolve())):
            if folder != Path():
                text = text.replace(f"{folder}{os.sep}", f"{above}/" if above else "")
        return text


@dataclass(frozen=True)
class Shelf:
    """Items in their order, and how many things were left out on purpose.

    Attributes
    ----------
    items : tuple of Item
        By name.
    pictures_left, others_left : int
        Loose pictures that were not asked for; items the verb has no use for.
    """

    items: tuple[Item, ...]
    pictures_left: int = 0
    others_left: int = 0


def find_items(paths: Sequence[Path], do: str, *, pictures: bool = False, out: Path) -> Shelf:
    """Everything below some paths that a verb can be done with.

    Folders are looked through to any depth; links are followed, each place once.
    Loose pictures inside folders count only when asked for, since most of them
    belong to something else; one that is named itself always counts.  What a
    `hexsight.yaml` names as its source is done by way of that file only.

    Parameters
    ----------
    paths : sequence of Path
    do : str
        ``check``, ``build``, ``extract`` or ``table``.
    pictures : bool
        Whether loose pictures count.
    out : Path
        Folder of the results, never looked into.

    Returns
    -------
    Shelf

    Raises
    ------
    InputError
        If a path does not exist, or there is nothing in any of them.
    UsageError
        If the folder of the results is one of the paths.
    """
    found: dict[Path, Item] = {}
    left = 0
    for path, label in zip(paths, _labels(paths), strict=True):
        if not path.exists():
            raise InputError(f"Cannot find {path}: there is no such file or folder.")
        if path.resolve() == out.resolve():
            raise UsageError(
                f"The folder of the results, {out}, is the shelf itself. "
                "Name another one after -o; it may lie inside."
            )
        items = _Walk(out.resolve()).items(path, label)
        if path.is_file() and not items:
            # Named by hand: whatever is wrong with it is told as its result.
            is_project = path.suffix.lower() in YAML_SUFFIXES
            items = [Item(label, path, "project" if is_project else "picture")]
        for item in items:
            if item.kind == "picture" and item.path != path and not pictures:
                left += 1
                continue
            found.setdefault(item.path.resolve(), item)
    usable = [item for item in found.values() if item.kind in KINDS[do]]
    taken = _sources_of_projects(usable)
    items = sorted(i for i in usable if i.kind == "project" or i.path.resolve() not in taken)
    if not items:
        raise InputError(
            f"There is nothing to {do} in {', '.join(map(str, paths))}: no module, VASL board, "
            "hexsight board, table or hexsight.yaml"
            + (" (add --pictures for loose pictures)." if left else ".")
        )
    return Shelf(tuple(items), left, len(found) - len(usable))


def _labels(paths: Sequence[Path]) -> list[str]:
    """Names of the shelves: the last part of each path, with more of it where two are alike."""
    # A link keeps its own name.
    parts = [Path(os.path.abspath(p)).parts for p in paths]
    for depth in range(1, max(map(len, parts), default=1) + 1):
        labels = ["/".join(p[-depth:]).replace("//", "/") for p in parts]
        if len(set(labels)) == len(set(parts)):
            return [_plain(label) for label in labels]
    return [_plain("/".join(p)) for p in parts]


def _plain(name: str) -> str:
    """A name that can be written anywhere: bytes that are no UTF-8 are spelled out."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


class _Walk:
    """One way through a tree of folders."""

    def __init__(self, out: Path) -> None:
        self._out = out
        self._seen: set[Path] = set()

    def items(self, path: Path, name: str) -> list[Item]:
        """A path, if it is one thing, and everything below it if it is not."""
        kind = _kind(path)
        found = [Item(name, path, kind)] if kind else []
        if path.is_dir() and (not kind or (path / PROJECT_FILE).is_file()):
            found += self._inside(path, name, only_project=bool(kind))
        return found

    def _inside(self, folder: Path, name: str, only_project: bool) -> list[Item]:
        real = folder.resolve()
        if real in self._seen or real == self._out or (folder / LOCK_FILE).exists():
            return []
        self._seen.add(real)
        try:
            inside = sorted(p for p in folder.iterdir() if not p.name.startswith("."))
        except OSError:
            # It is told as the result of the item that it becomes.
            return [Item(name, folder, "board")]
        found = []
        for path in inside:
            below = f"{name}/{_plain(path.name)}"
            if path.name == PROJECT_FILE:
                found.append(Item(below, path, "project"))
            elif not only_project:
                found += self.items(path, below)
        return found


def _kind(path: Path) -> str:
    """Kind of a path as far as its name and first bytes tell; empty for what is no item."""
    try:
        if path.is_dir():
            return _folder_kind(path)
        return _file_kind(path) if path.is_file() else ""
    except OSError:
        return ""


def _folder_kind(folder: Path) -> str:
    names = {p.name for p in folder.iterdir() if p.is_file()}
    if BOARD_FILE in names:
        return "hexsight"
    if names & set(BUILD_FILES):
        return "module"
    drawn = any(n.lower().endswith(SUFFIXES) for n in names)
    if names & {METADATA, LOSDATA} or ("data" in names and drawn):
        return "board"
    return ""


def _file_kind(file: Path) -> str:
    suffix = file.suffix.lower()
    if suffix in MODULE_SUFFIXES:
        return "module"
    if suffix == TABLE_SUFFIX:
        return "table"
    if suffix in SUFFIXES:
        return "picture"
    if suffix not in ("", ".zip"):
        return ""
    # VASL's boards are zip files named bd… without an ending: a spoilt one is still one.
    if not suffix and file.name.startswith("bd"):
        return "board"
    if not is_zip(file):
        return ""
    if not zipfile.is_zipfile(file):
        return "board"  # cut off: worth telling
    try:
        return source_kind(file)
    except HexsightError:
        return ""


def _sources_of_projects(items: Iterable[Item]) -> frozenset[Path]:
    taken = set()
    for item in items:
        if item.kind == "project":
            try:
                taken.add(request_from(item.path).source.resolve())
            except (HexsightError, OSError):
                continue  # told as the project's own result
    return frozenset(taken)


def in_shard(item: Item, shard: tuple[int, int]) -> bool:
    """Whether an item belongs to shard K of N: by its name, so that others may come and go."""
    number = int.from_bytes(hashlib.sha256(item.name.encode()).digest()[:8], "big")
    return number % shard[1] == shard[0] - 1


def files_of(item: Item, more: Sequence[Path] = ()) -> tuple[Path, ...]:
    """Every file that the result of an item depends on.

    Parameters
    ----------
    more : sequence of Path
        Files of the job, such as a legend.
    """
    return tuple(dict.fromkeys([*_own_files(item.path, item.kind), *more]))


def _own_files(path: Path, kind: str) -> Iterator[Path]:
    if kind == "project":
        yield path
        try:
            request = request_from(path)
        except (HexsightError, OSError):
            return
        if Path(request.legend).suffix.lower() in YAML_SUFFIXES:
            yield Path(request.legend)
        if Path(request.rules).suffix.lower() in YAML_SUFFIXES:
            yield Path(request.rules)
        yield from _own_files(request.source, "table" if _is_table(request.source) else "")
    elif path.is_dir():
        for folder, _, names in sorted(os.walk(path)):
            yield from (Path(folder) / name for name in sorted(names))
        rules = Path(noted_rules(path)) if kind == "hexsight" else path
        if rules.suffix.lower() in YAML_SUFFIXES:
            yield rules
    else:
        yield path
        if kind == "table" and (path.parent / BOARD_FILE).is_file():
            yield from sorted(p for p in path.parent.iterdir() if p.is_file() and p != path)


def _is_table(path: Path) -> bool:
    return path.suffix.lower() == TABLE_SUFFIX


def digest_of(item: Item, files: Iterable[Path]) -> str:
    """SHA-256, in hex, of names (relative to the item) and contents.

    A file that cannot be read counts with the reason, so that a later run tries again
    when it can.
    """
    digest = hashlib.sha256()
    for file in files:
        name = _relative(file, item.path.parent)
        try:
            with file.open("rb") as stream:
                content = hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError as error:
            content = f"unreadable: {error.strerror}"
        digest.update(f"{len(name)} {name} {content}\n".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _relative(file: Path, folder: Path) -> str:
    try:
        return Path(os.path.relpath(file, folder)).as_posix()
    except ValueError:  # another drive
        return file.name
