"""New bytes of a zip: added members, moved directory records, end records."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass

from hexsight.export.zipraw import (
    CENTRAL,
    END,
    END64,
    LIMIT16,
    LIMIT32,
    LOCAL,
    LOCATOR,
    UTF8_FLAG,
    ZIP64_ID,
    extra_fields,
)
from hexsight.model.errors import OutputError

# The first day that a zip can name: it says "no date" and is the same on every run.
_NO_DATE = (1 << 5) | 1
_STORED, _DEFLATED = 0, 8
_VERSION, _VERSION_ZIP64 = 20, 45
_UNIX = 3
_PLAIN_FILE = 0o100644 << 16
_OFFSET_AT = 42  # of the member's offset in a directory record
_EXTRA_LENGTH_AT = 30


@dataclass(frozen=True)
class NewEntry:
    """A member that is written anew: `local` goes before the data, `central` to the end."""

    local: bytes
    data: bytes
    central: bytes


def move_record(central: bytes, offset: int) -> bytes:
    """Directory record with another offset; every other byte stays.

    Only where the new offset needs 8 bytes and the old one had 4 does the
    record grow by a zip64 field.

    Parameters
    ----------
    central : bytes
        Record of a member.
    offset : int
        Of its local header from the start of the file, in bytes.
    """
    old = struct.unpack_from("<L", central, _OFFSET_AT)[0]
    sizes = struct.unpack_from("<2L", central, 20)
    wide = next((f for f in extra_fields(central) if f[0] == ZIP64_ID), None)
    at = 8 * sum(s == LIMIT32 for s in sizes)
    out = bytearray(central)
    if old == LIMIT32 and wide and wide[2] - wide[1] >= at + 8:
        struct.pack_into("<Q", out, wide[1] + at, offset)
        return bytes(out)
    if offset < LIMIT32:
        struct.pack_into("<L", out, _OFFSET_AT, offset)
        return bytes(out)
    struct.pack_into("<L", out, _OFFSET_AT, LIMIT32)
    value = struct.pack("<Q", offset)
    if wide:
        struct.pack_into("<H", out, wide[1] - 2, wide[2] - wide[1] + 8)
        out[wide[1] + at : wide[1] + at] = value
        grown = 8
    else:
        field = struct.pack("<2H", ZIP64_ID, 8) + value
        start = CENTRAL.size + struct.unpack_from("<H", central, 28)[0]
        out[start:start] = field
        grown = len(field)
    extra = struct.unpack_from("<H", central, _EXTRA_LENGTH_AT)[0] + grown
    if extra > LIMIT16:
        raise OutputError("A member's extra fields leave no room for a zip64 offset.")
    struct.pack_into("<H", out, _EXTRA_LENGTH_AT, extra)
    struct.pack_into("<H", out, 6, max(_VERSION_ZIP64, struct.unpack_from("<H", central, 6)[0]))
    return bytes(out)


def new_entry(name: str, data: bytes) -> NewEntry:
    """A member to be written: deflated where that is smaller, without a date.

    Raises
    ------
    OutputError
        If it is 4 GiB or larger.
    """
    if len(data) >= LIMIT32:
        raise OutputError(f"Cannot write {name}: it has {len(data)} bytes, 4 GiB are too many.")
    raw_name = name.encode("utf-8")
    flags = 0 if name.isascii() else UTF8_FLAG
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(data) + packer.flush()
    method = _DEFLATED if len(packed) < len(data) else _STORED
    body = packed if method == _DEFLATED else data
    common = (method, 0, _NO_DATE, zlib.crc32(data), len(body), len(data), len(raw_name), 0)
    local = LOCAL.pack(b"PK\x03\x04", _VERSION, flags, *common) + raw_name
    made_by = (_UNIX << 8) | _VERSION
    central = CENTRAL.pack(
        b"PK\x01\x02", made_by, _VERSION, flags, *common, 0, 0, 0, _PLAIN_FILE, 0
    )
    return NewEntry(local, body, central + raw_name)


def dated_as(entry: NewEntry, central: bytes) -> NewEntry:
    """The same new content with time, maker and attributes of the member that it replaces."""
    local, record = bytearray(entry.local), bytearray(entry.central)
    local[10:14] = central[12:16]
    for part in (slice(4, 6), slice(12, 16), slice(36, 42)):
        record[part] = central[part]
    return NewEntry(bytes(local), entry.data, bytes(record))


def end_records(count: int, start: int, size: int, comment: bytes, *, zip64: bool) -> bytes:
    """What follows the directory.

    Parameters
    ----------
    count : int
        Members.
    start, size : int
        Of the directory, in bytes.
    comment : bytes
        Of the zip.
    zip64 : bool
        Write zip64 records even where the numbers do not need them.
    """
    out = b""
    if zip64 or count >= LIMIT16 or start >= LIMIT32 or size >= LIMIT32:
        out += END64.pack(
            b"PK\x06\x06",
            END64.size - 12,
            (_UNIX << 8) | _VERSION_ZIP64,
            _VERSION_ZIP64,
            0,
            0,
            count,
            count,
            size,
            start,
        )
        out += LOCATOR.pack(b"PK\x06\x07", 0, start + size, 1)
    short = min(count, LIMIT16)
    out += END.pack(
        b"PK\x05\x06",
        0,
        0,
        short,
        short,
        min(size, LIMIT32),
        min(start, LIMIT32),
        len(comment),
    )
    return out + comment
