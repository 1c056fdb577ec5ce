"""Members of a module or board: a zip file or the unpacked folder, read safely.

Nothing is ever unpacked to disk.  What a hostile or broken zip could do (lie
about sizes, blow up when inflated, carry a name twice so that two programs read
two contents) is refused here, so that nobody further on has to think of it.
"""

from __future__ import annotations

import difflib
import hashlib
import os
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import TracebackType

from hexsight.model.errors import InputError
from hexsight.model.inputs import open_input, read_input

MAX_MEMBER_BYTES = 512 * 1024 * 1024
MAX_TOTAL_BYTES = 8 * 1024 * 1024 * 1024
MAX_MEMBERS = 200_000
# Deflate reaches 1,032:1 at most, and only on empty data; maps of one colour
# stay below 300:1.  Small members may do as they like.
MAX_RATIO = 400
RATIO_FREE_BYTES = 16 * 1024 * 1024
TOTAL_FREE_BYTES = 256 * 1024 * 1024
_LOCAL_HEADER = 30
ZIP_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")


@dataclass(frozen=True)
class ModuleFiles:
    """Open zip or folder; use it as a context manager.

    Attributes
    ----------
    path : Path
        The zip file or folder.
    kind : str
        ``"zip"`` or ``"folder"``.
    """

    path: Path
    kind: str
    _zip: zipfile.ZipFile | None = field(default=None, repr=False, compare=False)

    def __enter__(self) -> ModuleFiles:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release the file."""
        if self._zip is not None:
            self._zip.close()

    @property
    def label(self) -> str:
        """Short name for messages: the last part of the path."""
        return self.path.name or str(self.path)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of all members with ``/`` between folders: zip order, or sorted."""
        if self._zip is not None:
            return tuple(i.filename for i in self._zip.infolist() if not i.is_dir())
        return tuple(sorted(_folder_names(self.path)))

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.names)

    def has(self, name: str) -> bool:
        """Whether a member of exactly this name exists."""
        if self._zip is not None:
            return name in self._known
        # A folder may lie on a file system that ignores case; VASSAL does not.
        return _is_plain(name) and name in self._known

    def read(self, name: str, *, max_bytes: int = MAX_MEMBER_BYTES) -> bytes:
        """Bytes of a member.

        Raises
        ------
        InputError
            If there is no such member (naming the nearest one), it is larger
            than `max_bytes`, encrypted, damaged or cut off.
        """
        where = f"{name} in {self.label}"
        if not self.has(name):
            raise InputError(f"Cannot find {where}.{self.near_miss(name)}")
        if self._zip is not None:
            return _read_zipped(self._zip, name, where, max_bytes)
        return _read_file(self.path, name, where, max_bytes)

    def sha256(self, name: str) -> str:
        """SHA-256 of a member's bytes, in hex."""
        return hashlib.sha256(self.read(name)).hexdigest()

    def near_miss(self, name: str) -> str:
        """A hint such as `` Did you mean images/Map.png?``, or nothing.

        Examples
        --------
        >>> near_miss("Main Mp", ["Main Map", "Charts"])
        ' Did you mean Main Map?'
        """
        return near_miss(name, self.names)


def near_miss(name: str, known: Iterable[str]) -> str:
    """Hint at the known name most like `name`, with a leading blank; else empty."""
    known = list(known)
    for other in known:
        if other.casefold() == name.casefold():
            return f" Did you mean {other}? Capital and small letters differ."
    # By last part: members share long folders, which say nothing.
    last = {other.rpartition("/")[2]: other for other in known[:5000]}
    close = difflib.get_close_matches(name.rpartition("/")[2], list(last), n=1, cutoff=0.7)
    return f" Did you mean {last[close[0]]}?" if close else ""


def is_zip(path: Path) -> bool:
    """Whether a file begins like a zip, whatever its name says."""
    try:
        with open_input(path, path.name) as file:
            return file.read(4) in ZIP_MAGIC
    except OSError as error:
        raise InputError(f"Cannot read {path.name}: {error.strerror or error}.") from error


def open_source(path: str | os.PathLike[str]) -> ModuleFiles:
    """Open a zip file (``.vmod``, ``.vmdx``, a VASL board) or an unpacked folder.

    Raises
    ------
    InputError
        If there is nothing at `path`, it is no zip, or the zip is broken,
        encrypted, carries a name twice, names outside itself, or would
        inflate beyond all reason.
    """
    path = Path(path)
    if not path.exists():
        raise InputError(f"Cannot find {path}: there is no such file or folder.")
    if path.is_dir():
        return ModuleFiles(path, "folder")
    if not is_zip(path):
        raise InputError(
            f"Cannot read {path.name}: it is no zip file. A module (.vmod) or board archive is "
            "one; fetch it again."
        )
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise InputError(
            f"Cannot read {path.name}: the zip is broken or cut off ({_line(error)}). "
            "Fetch it again."
        ) from error
    try:
        _check(archive, path.name)
    except InputError:
        archive.close()
        raise
    return ModuleFiles(path, "zip", archive)


def _check(archive: zipfile.ZipFile, label: str) -> None:
    """Refuse a zip that is hostile or ambiguous as a whole."""
    infos = archive.infolist()
    if len(infos) > MAX_MEMBERS:
        raise InputError(f"Cannot read {label}: {len(infos)} members are over {MAX_MEMBERS}.")
    seen: set[str] = set()
    total = 0
    for info in infos:
        name = info.filename
        # Python cuts a name at a NUL; other programs may not.
        if not _is_plain(info.orig_filename.rstrip("/")):
            raise InputError(
                f"Cannot read {label}: member {name[:80]!r} points outside the archive. "
                "Such a zip is not to be trusted."
            )
        if name in seen:
            raise InputError(
                f"Cannot read {label}: it holds {name[:80]!r} twice, and which one counts depends "
                "on the program. Pack it again."
            )
        seen.add(name)
        total += info.file_size
    size = os.fstat(archive.fp.fileno()).st_size if archive.fp is not None else 0
    if total > MAX_TOTAL_BYTES or total > max(TOTAL_FREE_BYTES, MAX_RATIO * size):
        raise InputError(
            f"Cannot read {label}: its {size} bytes would inflate to {total}; that is a zip bomb."
        )
    _check_overlap(infos, label)


def _check_overlap(infos: list[zipfile.ZipInfo], label: str) -> None:
    """Refuse members that share their bytes: the trick of the largest zip bombs."""
    end, last = 0, ""
    for info in sorted(infos, key=lambda i: i.header_offset):
        if info.header_offset < end:
            raise InputError(
                f"Cannot read {label}: members {last[:80]!r} and {info.filename[:80]!r} share the "
                "same bytes. Such a zip is not to be trusted."
            )
        # Its name and extra field stand between; how long they are, only it tells itself.
        end = info.header_offset + _LOCAL_HEADER + info.compress_size
        last = info.filename


def _is_plain(name: str) -> bool:
    """Whether a member name stays inside its archive on every system."""
    if not name or name.startswith(("/", "\\")) or "\x00" in name or name[1:2] == ":":
        return False
    return ".." not in name.replace("\\", "/").split("/")


def _read_zipped(archive: zipfile.ZipFile, name: str, where: str, max_bytes: int) -> bytes:
    info = archive.getinfo(name)
    if info.flag_bits & 0x1:
        raise InputError(f"Cannot read {where}: it is encrypted. Pack it without a password.")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise InputError(
            f"Cannot read {where}: it is packed with method {info.compress_type}, which VASSAL "
            "does not read either. Pack it with the usual method (deflate)."
        )
    if info.file_size > max_bytes:
        raise InputError(
            f"Cannot read {where}: {info.file_size} bytes are over the limit of {max_bytes}."
        )
    if info.file_size > RATIO_FREE_BYTES and info.file_size > MAX_RATIO * info.compress_size:
        raise InputError(
            f"Cannot read {where}: {info.compress_size} bytes would inflate to "
            f"{info.file_size}; that is a zip bomb."
        )
    try:
        with archive.open(info) as file:
            data = file.read(max_bytes + 1)
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        OSError,
        ValueError,
        RuntimeError,
        NotImplementedError,
    ) as error:
        raise InputError(
            f"Cannot read {where}: it is damaged ({_line(error)}). Fetch the archive again."
        ) from error
    if len(data) != info.file_size:
        raise InputError(f"Cannot read {where}: it is cut off. Fetch the archive again.")
    return data


def _read_file(root: Path, name: str, where: str, max_bytes: int) -> bytes:
    path = root / name
    try:
        if not path.resolve().is_relative_to(root.resolve()):
            raise InputError(f"Cannot read {where}: it is a link that leads out of the folder.")
        return read_input(path, max_bytes, where)
    except (OSError, RuntimeError) as error:  # RuntimeError: links that go round
        raise InputError(f"Cannot read {where}: {_line(error)}.") from error


def _folder_names(root: Path) -> list[str]:
    names: list[str] = []
    for folder, _, files in os.walk(root, followlinks=False):
        base = Path(folder).relative_to(root)
        names.extend((base / file).as_posix() for file in files)
        if len(names) > MAX_MEMBERS:
            raise InputError(
                f"Cannot read {root}: the folder holds more than {MAX_MEMBERS} files. "
                "Is it really an unpacked module?"
            )
    return names


def _line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__
