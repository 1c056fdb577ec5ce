"""The file of a table, `*.lostab`: written whole, opened as a memory map.

The format is described in docs/lostab.md; a reader needs a memory map and this
arithmetic only.
"""

from __future__ import annotations

import hashlib
import os
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hexsight.los.entries import Table
from hexsight.model.atomic import check_target, replacing, write_problem
from hexsight.model.errors import InputError, OutputError
from hexsight.model.inputs import open_input

MAGIC = b"LOSTAB\x1a\n"
# One class of observer, and several.
VERSION, CLASSES_VERSION = 1, 2
HAS_REASONS = 1
# magic, version, flags, Locations, bytes of names, board, profile, digest of all that follows.
HEADER = struct.Struct("<8sHHIQ32s32s32s")
# What follows it in format 2: classes, bytes of their names, nothing.
CLASS_HEADER = struct.Struct("<IIQ")
MAX_CLASSES, MAX_CLASS_BYTES = 8, 4096
# More Locations than any printed map has: four maps of 120 × 120 hexes with six levels each.
MAX_LOCATIONS = 400_000


def write_table(table: Table, path: Path) -> None:
    """Write a table; the file is whole or not there at all.

    One class of observer is written as format 1, several as format 2.

    Raises
    ------
    OutputError
        If it cannot be written, or something that is no table lies there.
    """
    several = len(table.observers) > 1
    start = HEADER.size + (CLASS_HEADER.size if several else 0)
    names = "\n".join(table.names).encode()
    names += b"\n" * (-(start + len(names)) % 16)
    parts = [names]
    if several:
        classes = "\n".join(table.observers).encode()
        classes += b"\n" * (-len(classes) % 16)
        parts = [CLASS_HEADER.pack(len(table.observers), len(classes), 0), names, classes]
    for answers, reasons in table.planes:
        parts.append(answers.tobytes())
        if reasons is not None:
            parts.append(reasons.tobytes())
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    head = HEADER.pack(
        MAGIC,
        CLASSES_VERSION if several else VERSION,
        HAS_REASONS if table.reasons is not None else 0,
        len(table.names),
        len(names),
        table.board_digest,
        table.profile_digest,
        digest.digest(),
    )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_file():
            with path.open("rb") as old:
                earlier = old.read(len(MAGIC))
            if earlier not in (b"", MAGIC):
                raise OutputError(
                    f"{path} is no LOS table and is not replaced by one. Name another file."
                )
    except OSError as error:
        raise write_problem(path, error) from error
    check_target(path, overwrite=True)
    with replacing(path, overwrite=True) as stream:
        for part in (head, *parts):
            stream.write(part)


def open_table(path: Path, *, verify: bool = True) -> Table:
    """Open a table; its planes are memory-mapped, not read.

    Parameters
    ----------
    path : Path
    verify : bool
        Also compare the digest of the content, which reads all of it once.

    Raises
    ------
    InputError
        If it is no table, of a newer version, cut off, too long or damaged.
    """
    try:
        with open_input(path) as stream:
            size = os.fstat(stream.fileno()).st_size
            head = stream.read(HEADER.size)
            extra = stream.read(CLASS_HEADER.size) if _version(head) == CLASSES_VERSION else b""
            fields = _header(head, extra, size, path)
            names_raw = stream.read(fields.names_bytes)
            classes_raw = stream.read(fields.class_bytes)
            if verify:
                _verify(stream, extra + names_raw + classes_raw, fields.digest, path)
    except OSError as error:
        raise InputError(f"Cannot read {path}: {error.strerror or error}.") from error
    names = _words(names_raw, fields.count, "Locations", path)
    classes = _words(classes_raw, fields.classes, "classes", path) if extra else ()
    planes = []
    offset = HEADER.size + len(extra) + fields.names_bytes + fields.class_bytes
    for _ in range(fields.planes):
        planes.append(
            np.memmap(path, np.uint8, "r", offset, (fields.pairs,))
            if fields.pairs
            else np.zeros(0, np.uint8)
        )
        offset += fields.pairs
    why = fields.flags & HAS_REASONS
    by_class = [(p, q) for p, q in zip(planes[::2], planes[1::2], strict=True)] if why else None
    both = by_class if by_class is not None else [(p, None) for p in planes]
    answers, reasons = both[0]
    others = tuple(both[1:])
    return Table(names, answers, reasons, fields.board, fields.profile, classes, others)


def _words(raw: bytes, count: int, what: str, path: Path) -> tuple[str, ...]:
    """A list of names, each once."""
    try:
        names = tuple(raw.decode().rstrip("\n").split("\n"))
    except UnicodeDecodeError as error:
        raise InputError(f"Cannot read {path}: its names are damaged. Build it again.") from error
    if len(names) != count or len(set(names)) != count:
        raise InputError(
            f"Cannot read {path}: it names {len(names)} {what} where its head says "
            f"{count}. Build it again."
        )
    return names


@dataclass(frozen=True)
class _Header:
    flags: int
    count: int
    names_bytes: int
    board: bytes
    profile: bytes
    digest: bytes
    classes: int = 1
    class_bytes: int = 0

    @property
    def pairs(self) -> int:
        return self.count * (self.count - 1) // 2

    @property
    def planes(self) -> int:
        return self.classes * (2 if self.flags & HAS_REASONS else 1)


def _version(head: bytes) -> int:
    """Format of a file, 0 if it is no table."""
    if len(head) < HEADER.size or not head.startswith(MAGIC):
        return 0
    return int(HEADER.unpack(head)[1])


def _header(head: bytes, extra: bytes, size: int, path: Path) -> _Header:
    version = _version(head)
    if not version and not head.startswith(MAGIC):
        raise InputError(f"Cannot read {path}: it is no LOS table (*.lostab).")
    if len(head) < HEADER.size or (extra and len(extra) < CLASS_HEADER.size):
        raise InputError(f"Cannot read {path}: it is no LOS table (*.lostab).")
    _, _, flags, count, names_bytes, board, profile, digest = HEADER.unpack(head)
    if version not in (VERSION, CLASSES_VERSION):
        raise InputError(
            f"Cannot read {path}: it is a table of format {version}, this hexsight reads "
            f"{VERSION} and {CLASSES_VERSION}. Update hexsight or build the table again."
        )
    classes, class_bytes = 1, 0
    if version == CLASSES_VERSION:
        classes, class_bytes, _ = CLASS_HEADER.unpack(extra)
        if not 0 < classes <= MAX_CLASSES or class_bytes > MAX_CLASS_BYTES:
            raise InputError(
                f"Cannot read {path}: a table of {classes} classes of observer is impossible."
            )
    fields = _Header(flags, count, names_bytes, board, profile, digest, classes, class_bytes)
    if not 0 < count <= MAX_LOCATIONS:
        raise InputError(f"Cannot read {path}: a table of {count} Locations is impossible.")
    expected = HEADER.size + len(extra) + names_bytes + class_bytes + fields.planes * fields.pairs
    if size != expected:
        what = "cut off" if size < expected else "too long"
        raise InputError(
            f"Cannot read {path}: it is {what} ({size} bytes instead of {expected}). "
            "Build it again."
        )
    return fields


def _verify(stream: object, names: bytes, expected: bytes, path: Path) -> None:
    digest = hashlib.sha256(names)
    while chunk := stream.read(1 << 20):  # type: ignore[attr-defined]
        digest.update(chunk)
    if digest.digest() != expected:
        raise InputError(f"Cannot read {path}: its content is damaged. Build it again.")
