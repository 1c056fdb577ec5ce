"""Zip records as raw bytes: what a copy needs that must not touch what it copies.

`zipfile` writes every directory entry anew from what it understood of it.  Here
an entry stays the bytes that it was; the one field that a copy has to change is
the offset of the member.  Names and numbers follow PKWARE's APPNOTE 6.3.10,
sections 4.3.7 (local header), 4.3.9 (data descriptor), 4.3.12 (directory),
4.3.14 to 4.3.16 (end records) and 4.5.3 (zip64 field).
"""

from __future__ import annotations

import itertools
import os
import struct
from dataclasses import dataclass
from typing import BinaryIO

from hexsight.model.errors import InputError

MAX_MEMBERS = 200_000
MAX_DIRECTORY_BYTES = 256 * 1024 * 1024
LIMIT16 = 0xFFFF
LIMIT32 = 0xFFFFFFFF

LOCAL = struct.Struct("<4s5H3L2H")
CENTRAL = struct.Struct("<4s6H3L5H2L")
END = struct.Struct("<4s4H2LH")
END64 = struct.Struct("<4sQ2H2L4Q")
LOCATOR = struct.Struct("<4sLQL")
ZIP64_ID = 1
UTF8_FLAG = 0x800
_DESCRIPTOR_FLAG = 0x8
_DESCRIPTOR_MAGIC = b"PK\x07\x08"


@dataclass(frozen=True)
class RawMember:
    """One member as it lies in the file.

    Attributes
    ----------
    name : str
        Decoded as APPNOTE says: UTF-8 where flagged, else code page 437.
    central : bytes
        Its record in the directory, from signature to comment.
    start, end : int
        Bytes of local header, data and data descriptor in the file.
    crc, compressed_size, size : int
        As the directory has them, zip64 resolved.
    """

    name: str
    central: bytes
    start: int
    end: int
    crc: int
    compressed_size: int
    size: int


@dataclass(frozen=True)
class RawZip:
    """Directory of a zip.

    Attributes
    ----------
    members : tuple of RawMember
        In the order of the directory.
    comment : bytes
        Of the whole zip.
    zip64 : bool
        Whether it ends in zip64 records.
    """

    members: tuple[RawMember, ...]
    comment: bytes
    zip64: bool


def read_exact(file: BinaryIO, offset: int, size: int, label: str) -> bytes:
    """Bytes at an offset.

    Raises
    ------
    InputError
        If the file ends before, or cannot be read.
    """
    try:
        file.seek(offset)
        data = file.read(size)
    except OSError as error:
        raise InputError(f"Cannot read {label}: {error.strerror or error}.") from error
    if len(data) != size:
        raise _broken(label, "it is cut off")
    return data


def read_directory(file: BinaryIO, label: str) -> RawZip:
    """Read the directory of a zip and where each member's bytes lie.

    Parameters
    ----------
    file : binary file
        Open for reading, seekable.
    label : str
        Name for messages.

    Raises
    ------
    InputError
        If the zip is cut off or damaged, has bytes after its end, spans disks,
        names a member twice, or its members overlap.
    """
    size = file.seek(0, os.SEEK_END)
    end = _read_end(file, size, label)
    if end.count > MAX_MEMBERS or end.directory_size > MAX_DIRECTORY_BYTES:
        raise InputError(f"Cannot read {label}: {end.count} members are over {MAX_MEMBERS}.")
    directory = read_exact(file, end.directory_start, end.directory_size, label)
    members = []
    at = 0
    for _ in range(end.count):
        if len(directory) < at + CENTRAL.size or directory[at : at + 4] != b"PK\x01\x02":
            raise _broken(label, "its directory is damaged")
        lengths = struct.unpack_from("<3H", directory, at + 28)
        after = at + CENTRAL.size + sum(lengths)
        if after > len(directory):
            raise _broken(label, "its directory is damaged")
        members.append(_read_member(file, directory[at:after], end, label))
        at = after
    if at != len(directory):
        raise _broken(label, "its directory holds more than it counts")
    _check_members(members, label)
    return RawZip(tuple(members), end.comment, end.zip64)


@dataclass(frozen=True)
class _End:
    count: int
    directory_start: int
    directory_size: int
    shift: int  # bytes before the zip proper, which its offsets do not count
    comment: bytes
    zip64: bool


def _read_end(file: BinaryIO, size: int, label: str) -> _End:
    tail_size = min(size, END.size + LIMIT16)
    tail = read_exact(file, size - tail_size, tail_size, label)
    places = _end_places(tail)
    if not places:
        raise _broken(label, "it is no zip, is cut off, or has bytes after its end")
    if len(places) > 1:
        raise _broken(label, "it has two ends, and which one counts depends on the program")
    at = places[0]
    fields = END.unpack_from(tail, at)
    _, disk, first_disk, here, count, length, start, _ = fields
    position = size - tail_size + at
    zip64 = False
    if position >= LOCATOR.size:
        locator = read_exact(file, position - LOCATOR.size, LOCATOR.size, label)
        if locator.startswith(b"PK\x06\x07"):
            zip64 = True
            position, fields64 = _read_end64(file, position - LOCATOR.size, locator, label)
            for small, large, limit in zip(
                (disk, first_disk, here, count, length, start),
                fields64,
                (LIMIT16, LIMIT16, LIMIT16, LIMIT16, LIMIT32, LIMIT32),
                strict=True,
            ):
                if small not in (large, limit):
                    raise _broken(label, "its two end records differ")
            disk, first_disk, here, count, length, start = fields64
    if disk or first_disk or here != count:
        raise _broken(label, "it is one part of several")
    shift = position - length - start
    if shift < 0:
        raise _broken(label, "its directory lies outside the file")
    comment = tail[at + END.size :]
    return _End(count, start + shift, length, shift, comment, zip64)


def _end_places(tail: bytes) -> list[int]:
    """Where an end record can stand: its comment reaches just to the end of the file."""
    places = []
    at = tail.find(b"PK\x05\x06")
    while at >= 0:
        if at + END.size <= len(tail) and at + END.size + END.unpack_from(tail, at)[-1] == len(
            tail
        ):
            places.append(at)
        at = tail.find(b"PK\x05\x06", at + 1)
    return places


def _read_end64(
    file: BinaryIO, before: int, locator: bytes, label: str
) -> tuple[int, tuple[int, int, int, int, int, int]]:
    """Position and the six fields that stand in for those of the short end record."""
    _, _, offset, disks = LOCATOR.unpack(locator)
    if disks > 1 or offset > before - END64.size:
        raise _broken(label, "its zip64 records are damaged")
    # Without an extensible part, which nothing in use writes, the record has one size;
    # bytes put before the zip shift it, so it is looked for where it must end.
    position = before - END64.size
    magic, length, _, _, disk, first, here, count, size, start = END64.unpack(
        read_exact(file, position, END64.size, label)
    )
    if magic != b"PK\x06\x06" or length != END64.size - 12:
        raise _broken(label, "its zip64 records are damaged")
    return position, (disk, first, here, count, size, start)


def _read_member(file: BinaryIO, central: bytes, end: _End, label: str) -> RawMember:
    fields = CENTRAL.unpack_from(central)
    flags, crc, compressed, size = fields[3], fields[7], fields[8], fields[9]
    name_length, disk, offset = fields[10], fields[13], fields[16]
    raw_name = central[CENTRAL.size : CENTRAL.size + name_length]
    name = _decode_name(raw_name, flags, label)
    wide = list(_zip64_values(central, label))
    needs = [size == LIMIT32, compressed == LIMIT32, offset == LIMIT32]
    if sum(needs) > len(wide):
        if any(needs[:2]) or wide:
            raise _broken(label, f"the sizes of {name[:80]!r} are damaged")
    else:
        size = wide.pop(0) if needs[0] else size
        compressed = wide.pop(0) if needs[1] else compressed
        offset = wide.pop(0) if needs[2] else offset
    if disk not in (0, LIMIT16):
        raise _broken(label, "it is one part of several")
    start = offset + end.shift
    where = f"{name[:80]!r} in {label}"
    if start + LOCAL.size > end.directory_start:
        raise _broken(where, "it lies outside the file")
    local = LOCAL.unpack(read_exact(file, start, LOCAL.size, label))
    if local[0] != b"PK\x03\x04" or (
        read_exact(file, start + LOCAL.size, local[9], label) != raw_name
    ):
        raise _broken(where, "directory and member do not fit together")
    data_end = start + LOCAL.size + local[9] + local[10] + compressed
    if data_end > end.directory_start:
        raise _broken(where, "it is cut off")
    if flags & _DESCRIPTOR_FLAG:
        room = min(24, end.directory_start - data_end)
        after = read_exact(file, data_end, room, label)
        found = _descriptor_length(after, crc, compressed, size)
        if not found and (local[6], local[7]) != (crc, compressed):
            raise _broken(where, "its data descriptor is damaged")
        data_end += found
    return RawMember(name, central, start, data_end, crc, compressed, size)


def _decode_name(raw: bytes, flags: int, label: str) -> str:
    try:
        name = raw.decode("utf-8" if flags & UTF8_FLAG else "cp437")
    except UnicodeDecodeError as error:
        raise _broken(label, f"the name {raw[:80]!r} is damaged") from error
    if not name or "\x00" in name:
        raise _broken(label, f"a member is named {name[:80]!r}")
    return name


def extra_fields(central: bytes) -> list[tuple[int, int, int]]:
    """Id, first and last byte of the content of each extra field, as far as they are sound."""
    name_length, extra_length = struct.unpack_from("<2H", central, 28)
    at = CENTRAL.size + name_length
    end = at + extra_length
    found = []
    while at + 4 <= end:
        kind, length = struct.unpack_from("<2H", central, at)
        if at + 4 + length > end:
            break  # a field of another program's making; its bytes are kept all the same
        found.append((kind, at + 4, at + 4 + length))
        at += 4 + length
    return found


def _zip64_values(central: bytes, label: str) -> tuple[int, ...]:
    for kind, start, stop in extra_fields(central):
        if kind == ZIP64_ID:
            if stop - start not in (0, 8, 16, 24, 28):
                raise _broken(label, "its zip64 fields are damaged")
            return struct.unpack_from(f"<{(stop - start) // 8}Q", central, start)
    return ()


def _descriptor_length(after: bytes, crc: int, compressed: int, size: int) -> int:
    """Length of the data descriptor that `after` begins with, 0 for none.

    The signature is optional and the sizes have 4 or 8 bytes; nothing tells
    which, but the directory knows what must stand there.
    """
    for magic in (_DESCRIPTOR_MAGIC, b""):
        for sizes in ("<L2Q", "<3L"):
            if sizes == "<3L" and max(compressed, size) > LIMIT32:
                continue
            expected = magic + struct.pack(sizes, crc, compressed, size)
            if after.startswith(expected):
                return len(expected)
    return 0


def _check_members(members: list[RawMember], label: str) -> None:
    seen: set[str] = set()
    for member in members:
        if member.name in seen:
            raise InputError(
                f"Cannot read {label}: it holds {member.name[:80]!r} twice, and which one counts "
                "depends on the program. Pack it again."
            )
        seen.add(member.name)
    by_start = sorted(members, key=lambda m: m.start)
    for before, after in itertools.pairwise(by_start):
        if before.end > after.start:
            raise _broken(label, f"{before.name[:80]!r} and {after.name[:80]!r} overlap")


def _broken(label: str, reason: str) -> InputError:
    return InputError(f"Cannot read {label}: the zip is broken ({reason}). Fetch it again.")
