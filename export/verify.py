"""Read a written zip back and compare it with what it was made from."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import BinaryIO

from hexsight.export.original import (
    CHUNK_BYTES,
    UNREADABLE,
    FolderOriginal,
    Original,
    ZipOriginal,
    one_line,
)
from hexsight.export.zipnew import move_record
from hexsight.export.zipraw import read_directory, read_exact
from hexsight.model.errors import InputError, VerificationError

# What a module may inflate to in all; beyond it is a bomb and not a game.
MAX_TOTAL_BYTES = 8 * 1024 * 1024 * 1024


def check_bytes(file: BinaryIO, size: int, crc: int) -> None:
    """Compare a file with the length and CRC-32 of what was written to it.

    Raises
    ------
    VerificationError
        If it differs.
    """
    found = 0
    file.seek(0)
    while chunk := file.read(CHUNK_BYTES):
        found = zlib.crc32(chunk, found)
    if (file.tell(), found) != (size, crc):
        raise VerificationError(_says("its bytes are others than were written"))


def verify_copy(
    file: BinaryIO,
    original: Original,
    kept: Sequence[str],
    written: Mapping[str, bytes],
    tell: Callable[[float], None],
) -> None:
    """Compare a new zip with its source and with what was to be written.

    Two readers that share no code look at it: ours at the raw bytes of what was
    kept, Python's `zipfile` at the content of every member.

    Parameters
    ----------
    file : binary file
        The new zip.
    original : Original
    kept : sequence of str
        Members that must be the same as in the source.
    written : mapping of str to bytes
        Content of the others.
    tell : callable
        Told the share done.

    Raises
    ------
    VerificationError
        If anything differs.
    InputError
        If a kept member is damaged, in the source as in the copy, or the source
        changed meanwhile.
    """
    if isinstance(original, ZipOriginal):
        _compare_raw(file, original, kept)
    tell(0.3)
    try:
        archive = zipfile.ZipFile(file)
    except UNREADABLE as error:
        raise VerificationError(_says(f"it cannot be read back: {one_line(error)}")) from error
    with archive:
        # `orig_filename`: on Windows the other one has its backslashes turned.
        found = [info.orig_filename for info in archive.infolist()]
        if sorted(found) != sorted([*kept, *written]):
            raise VerificationError(_says("its list of members is another"))
        total = sum(info.file_size for info in archive.infolist())
        if total > MAX_TOTAL_BYTES:
            raise InputError(f"Cannot read {original.label}: it would inflate to {total} bytes.")
        done = 0
        for info in archive.infolist():
            name = info.orig_filename
            if name in written:
                if _content(archive, info) != written[name]:
                    raise VerificationError(_says(f"{name} has other bytes"))
            elif isinstance(original, FolderOriginal):
                if _content(archive, info) != original.read(name):
                    raise VerificationError(_says(f"{name} has other bytes"))
            else:
                _check_sum(archive, info, original.label)
            done += info.file_size
            tell(0.3 + 0.7 * done / max(1, total))


def _compare_raw(file: BinaryIO, original: ZipOriginal, kept: Sequence[str]) -> None:
    try:
        copy = read_directory(file, "the copy")
    except InputError as error:
        raise VerificationError(_says(f"it cannot be read back: {error}")) from error
    # The source is read once more, directory and all: had it changed under our
    # hands, the copy would be a mixture.
    again = read_directory(original.file, original.label)
    if again != original.raw:
        raise InputError(f"Cannot copy {original.label}: it changed meanwhile. Try again.")
    if copy.comment != original.raw.comment:
        raise VerificationError(_says("its comment is another"))
    new = {m.name: m for m in copy.members}
    old = {m.name: m for m in original.raw.members}
    if [m.name for m in copy.members if m.name in old] != [
        m.name for m in original.raw.members if m.name in new
    ]:
        raise VerificationError(_says("its members stand in another order"))
    for name in kept:
        a, b = old[name], new.get(name)
        if b is None or b.central != move_record(a.central, b.start):
            raise VerificationError(_says(f"the directory entry of {name} differs"))
        if a.end - a.start != b.end - b.start:
            raise VerificationError(_says(f"{name} has other bytes"))
        at = b.start
        for chunk in original.raw_chunks(a):
            if read_exact(file, at, len(chunk), "the copy") != chunk:
                raise VerificationError(_says(f"{name} has other bytes"))
            at += len(chunk)


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    try:
        return archive.read(info)
    except UNREADABLE as error:
        raise VerificationError(
            _says(f"{info.filename} cannot be read: {one_line(error)}")
        ) from error


def _check_sum(archive: zipfile.ZipFile, info: zipfile.ZipInfo, label: str) -> None:
    """Inflate a kept member; its bytes are the source's, so damage is the source's too."""
    if info.flag_bits & 0x1 or info.compress_type not in (
        zipfile.ZIP_STORED,
        zipfile.ZIP_DEFLATED,
    ):
        return  # VASSAL cannot read it and neither may we: its raw bytes were compared
    try:
        with archive.open(info) as member:
            while member.read(CHUNK_BYTES):
                pass
    except UNREADABLE as error:
        raise InputError(
            f"Cannot copy {label}: {info.filename} in it is damaged ({one_line(error)}). "
            "Fetch it again, or remove that member."
        ) from error


def _says(reason: str) -> str:
    return (
        f"The new file does not read back as it should ({reason}); nothing was replaced. "
        "Check the disk and try again."
    )
