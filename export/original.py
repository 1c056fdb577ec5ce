"""The module that is copied: a zip or an unpacked folder, opened for reading only."""

from __future__ import annotations

import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from hexsight.export.zipraw import MAX_MEMBERS, RawMember, RawZip, read_directory, read_exact
from hexsight.model.errors import InputError
from hexsight.model.inputs import open_input, read_input

MAX_MEMBER_BYTES = 512 * 1024 * 1024
CHUNK_BYTES = 1 << 20
UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    ValueError,
    RuntimeError,  # encrypted
    NotImplementedError,  # a packing method that Python lacks
    struct.error,
)


@dataclass(frozen=True)
class ZipOriginal:
    """An open zip.

    Attributes
    ----------
    label : str
        Short name for messages.
    raw : RawZip
    file : binary file
    total_bytes : int
    """

    label: str
    raw: RawZip
    file: BinaryIO
    total_bytes: int
    skipped: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Members in the order of the directory."""
        return tuple(m.name for m in self.raw.members)

    def raw_chunks(self, member: RawMember) -> Iterator[bytes]:
        """Header, data and descriptor of a member as they lie in the file."""
        for at in range(member.start, member.end, CHUNK_BYTES):
            size = min(CHUNK_BYTES, member.end - at)
            yield read_exact(self.file, at, size, self.label)

    def read(self, name: str, *, max_bytes: int = MAX_MEMBER_BYTES) -> bytes:
        """Content of a member.

        Raises
        ------
        InputError
            If it is missing, larger than `max_bytes`, encrypted or damaged.
        """
        where = f"{name} in {self.label}"
        if name not in self.names:
            raise InputError(f"Cannot find {where}.")
        try:
            with zipfile.ZipFile(self.file) as archive, archive.open(name) as member:
                data = member.read(max_bytes + 1)
        except (OSError, KeyError, *UNREADABLE) as error:
            raise InputError(f"Cannot read {where}: it is damaged ({one_line(error)}).") from error
        if len(data) > max_bytes:
            raise InputError(f"Cannot read {where}: it is larger than {max_bytes} bytes.")
        return data


@dataclass(frozen=True)
class FolderOriginal:
    """An unpacked module."""

    label: str
    path: Path
    names: tuple[str, ...]
    total_bytes: int
    skipped: tuple[str, ...] = ()

    def read(self, name: str, *, max_bytes: int = MAX_MEMBER_BYTES) -> bytes:
        """Content of a file.

        Raises
        ------
        InputError
            If it is missing, larger than `max_bytes`, or leads out of the folder.
        """
        where = f"{name} in {self.label}"
        path = self.path / name
        try:
            if not path.resolve().is_relative_to(self.path.resolve()):
                raise InputError(f"Cannot read {where}: it is a link that leads out of the folder.")
            return read_input(path, max_bytes, where)
        except (OSError, RuntimeError) as error:
            raise InputError(f"Cannot read {where}: {one_line(error)}.") from error


Original = ZipOriginal | FolderOriginal


@contextmanager
def open_original(source: Path) -> Iterator[Original]:
    """Open what is to be copied.

    Raises
    ------
    InputError
        If it is neither a sound zip nor a folder.
    """
    if source.is_dir():
        yield _open_folder(source)
        return
    try:
        file = open_input(source)
    except FileNotFoundError as error:
        raise InputError(f"Cannot find {source}: there is no such file or folder.") from error
    except PermissionError as error:
        raise InputError(
            f"Cannot read {source}: {error.strerror}. Close VASSAL if it has this module open."
        ) from error
    except OSError as error:
        raise InputError(f"Cannot read {source}: {one_line(error)}.") from error
    with file:
        raw = read_directory(file, source.name)
        _check_agreement(file, raw, source.name)
        yield ZipOriginal(source.name, raw, file, os.fstat(file.fileno()).st_size)


def _check_agreement(file: BinaryIO, raw: RawZip, label: str) -> None:
    """Refuse a zip in which another reader sees other members: VASSAL might too."""
    try:
        with zipfile.ZipFile(file) as archive:
            found = [(i.orig_filename, i.CRC, i.file_size) for i in archive.infolist()]
    except (OSError, *UNREADABLE) as error:
        raise InputError(
            f"Cannot read {label}: the zip is broken ({one_line(error)}). Fetch it again."
        ) from error
    if found != [(m.name, m.crc, m.size) for m in raw.members]:
        raise InputError(
            f"Cannot read {label}: what it holds depends on the program that reads it. "
            "Pack it again."
        )


def _open_folder(source: Path) -> FolderOriginal:
    names: list[str] = []
    skipped: list[str] = []
    total = 0
    try:
        for folder, folders, files in os.walk(source, followlinks=False, onerror=_raise):
            base = Path(folder).relative_to(source)
            # What a version control or a file manager leaves behind is hidden by its dot.
            skipped += [(base / f).as_posix() + "/" for f in folders if f.startswith(".")]
            folders[:] = sorted(f for f in folders if not f.startswith("."))
            for file in files:
                name = (base / file).as_posix()
                if file.startswith("."):
                    skipped.append(name)
                    continue
                names.append(name)
                total += (source / name).stat().st_size
            if len(names) > MAX_MEMBERS:
                raise InputError(
                    f"Cannot read {source}: the folder holds more than {MAX_MEMBERS} files. "
                    "Is it really an unpacked module?"
                )
    except OSError as error:
        raise InputError(f"Cannot read {source}: {one_line(error)}.") from error
    return FolderOriginal(source.name, source, tuple(sorted(names)), total, tuple(sorted(skipped)))


def _raise(error: OSError) -> None:
    raise error


def one_line(error: BaseException) -> str:
    """An exception's text for a message: one line, never empty."""
    return " ".join(str(error).split()) or type(error).__name__
