"""Copy a module with some members added, replaced or removed, all others untouched.

"Untouched" is meant to the byte: compressed data, times, extra fields, flags,
comments and order stay, whatever program packed them.  The source is only ever
read.  The copy is written beside the target, read back and compared, and takes
the target's name as the last step.
"""

from __future__ import annotations

import dataclasses
import zlib
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from hexsight.export.original import FolderOriginal, Original, ZipOriginal, open_original
from hexsight.export.verify import check_bytes, verify_copy
from hexsight.export.zipnew import NewEntry, dated_as, end_records, move_record, new_entry
from hexsight.export.zipraw import LIMIT16
from hexsight.model.atomic import check_target, replacing
from hexsight.model.errors import InputError, OutputError, UsageError

Progress = Callable[[float], None]


@dataclass(frozen=True)
class RewriteReport:
    """What a copy changed, by member name.

    Attributes
    ----------
    added, replaced, removed, kept : tuple of str
        Sorted, but `kept` in the order of the source.
    skipped : tuple of str
        Hidden files of an unpacked folder (``.git/…``), which are no part of a module.
    size_bytes : int
        Of the file written; 0 when nothing was written.
    """

    added: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    size_bytes: int = 0


@dataclass(frozen=True)
class Changes:
    """What to do with the members of a module.

    Attributes
    ----------
    add, replace : mapping of str to bytes
        Content by member name.
    remove : set of str
    """

    add: Mapping[str, bytes]
    replace: Mapping[str, bytes]
    remove: Set[str]

    def report(self, original: Original) -> RewriteReport:
        """What these changes do to a module; writes nothing.

        Raises
        ------
        OutputError
            If a member to be added is there already.
        InputError
            If one to be replaced or removed is not.
        UsageError
            If a new name is no plain path with ``/`` between folders.
        """
        names = set(original.names)
        for name in sorted(self.add):
            _check_name(name)
            if name in names:
                raise OutputError(
                    f"Cannot add {name} to {original.label}: it has such a member, and not from "
                    "an earlier export. Rename that one first."
                )
        for name in sorted({*self.replace, *self.remove}):
            if name not in names:
                raise InputError(f"Cannot find {name} in {original.label}.")
        twice = sorted(set(self.remove) & {*self.add, *self.replace})
        if twice:
            raise UsageError(f"Cannot both write and remove {twice[0]}.")
        gone = {*self.replace, *self.remove}
        return RewriteReport(
            added=tuple(sorted(self.add)),
            replaced=tuple(sorted(self.replace)),
            removed=tuple(sorted(self.remove)),
            kept=tuple(n for n in original.names if n not in gone),
            skipped=original.skipped,
        )


def plan_rewrite(
    source: Path,
    *,
    add: Mapping[str, bytes] | None = None,
    replace: Mapping[str, bytes] | None = None,
    remove: Set[str] = frozenset(),
) -> RewriteReport:
    """What `rewrite_zip` would do; reads the directory of the source and writes nothing.

    Raises
    ------
    InputError, OutputError, UsageError
        As `rewrite_zip` does.
    """
    with open_original(source) as original:
        return Changes(add or {}, replace or {}, remove).report(original)


def rewrite_zip(
    source: Path,
    target: Path,
    *,
    add: Mapping[str, bytes] | None = None,
    replace: Mapping[str, bytes] | None = None,
    remove: Set[str] = frozenset(),
    overwrite: bool = False,
    progress: Progress | None = None,
) -> RewriteReport:
    """Copy a module zip to a new file with members added, replaced or removed.

    Parameters
    ----------
    source : Path
        A zip (``.vmod``, ``.vmdx``, VASL board), or an unpacked module folder,
        whose files are packed sorted by name; its hidden files are left out.
    target : Path
        The new zip.  Not the source itself.
    add : mapping of str to bytes, optional
        New members; appended, sorted by name, with no date.
    replace : mapping of str to bytes, optional
        New content of members; they keep their place, time and attributes.
    remove : set of str
        Members to leave out.
    overwrite : bool
        Whether `target` may exist.
    progress : callable, optional
        Told the share done, 0 to 1.

    Returns
    -------
    RewriteReport

    Raises
    ------
    InputError
        If the source cannot be read, is damaged, or holds a name twice.
    OutputError
        If `target` exists, is the source, is locked, or the disk is full.
    UsageError
        If a new member's name is no plain path.
    VerificationError
        If what was written does not read back the same; the target is untouched.
    """
    check_target(target, overwrite=overwrite, source=source)
    tell = progress or (lambda share: None)
    with open_original(source) as original:
        changes = Changes(add or {}, replace or {}, remove)
        report = changes.report(original)
        with replacing(target, overwrite=overwrite) as file:
            writer = _Writer(file, original.total_bytes, lambda share: tell(share / 2))
            if isinstance(original, ZipOriginal):
                _write_zip(original, changes, writer)
            else:
                _write_folder(original, changes, writer)
            file.flush()
            check_bytes(file, writer.at, writer.crc)
            written = {**changes.replace, **changes.add}
            verify_copy(file, original, report.kept, written, lambda share: tell(0.5 + share / 2))
    tell(1.0)
    return dataclasses.replace(report, size_bytes=writer.at)


class _Writer:
    """Appends to the new zip, counts, and sums up what should then lie there."""

    def __init__(self, file: BinaryIO, expected_bytes: int, tell: Progress) -> None:
        self._file = file
        self._expected = max(1, expected_bytes)
        self._tell = tell
        self.at = 0
        self.crc = 0

    def put(self, data: bytes) -> None:
        """Append bytes."""
        self._file.write(data)
        self.at += len(data)
        self.crc = zlib.crc32(data, self.crc)
        self._tell(min(1.0, self.at / self._expected))

    def entry(self, entry: NewEntry) -> bytes:
        """Append a new member and give its directory record."""
        record = move_record(entry.central, self.at)
        self.put(entry.local)
        self.put(entry.data)
        return record

    def close(self, records: list[bytes], comment: bytes, *, zip64: bool) -> None:
        """Append the directory."""
        start = self.at
        size = sum(map(len, records))
        self.put(b"".join(records))
        self.put(end_records(len(records), start, size, comment, zip64=zip64))


def _write_zip(original: ZipOriginal, changes: Changes, writer: _Writer) -> None:
    """Members in the order of the file, records in the order of the directory: they may differ."""
    records: dict[str, bytes] = {}
    for member in sorted(original.raw.members, key=lambda m: m.start):
        if member.name in changes.remove:
            continue
        if member.name in changes.replace:
            entry = dated_as(new_entry(member.name, changes.replace[member.name]), member.central)
            records[member.name] = writer.entry(entry)
            continue
        records[member.name] = move_record(member.central, writer.at)
        for chunk in original.raw_chunks(member):
            writer.put(chunk)
    ordered = [records[n] for n in original.names if n in records]
    ordered += [writer.entry(new_entry(n, changes.add[n])) for n in sorted(changes.add)]
    writer.close(ordered, original.raw.comment, zip64=original.raw.zip64)


def _write_folder(original: FolderOriginal, changes: Changes, writer: _Writer) -> None:
    records = []
    for name in sorted({*original.names, *changes.add} - changes.remove):
        if name in changes.add:
            data = changes.add[name]
        elif name in changes.replace:
            data = changes.replace[name]
        else:
            data = original.read(name)
        records.append(writer.entry(new_entry(name, data)))
    writer.close(records, b"", zip64=False)


def _check_name(name: str) -> None:
    parts = name.split("/")
    if (
        "\\" in name
        or ":" in name
        or any(p in ("", ".", "..") for p in parts)
        or any(ord(c) < 32 for c in name)
        or len(name.encode("utf-8", "replace")) > LIMIT16
    ):
        raise UsageError(f"{name[:80]!r} cannot be the name of a member: use plain folder/name.")
