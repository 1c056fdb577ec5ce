"""Zips of many makes, in memory, for the tests of rewriting."""

from __future__ import annotations

import io
import struct
import zipfile
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

BUILD_FILE = b'<?xml version="1.0" encoding="UTF-8"?>\n<VASSAL.build.GameModule name="t"/>\n'


@dataclass(frozen=True)
class Member:
    """A member as a test wants it packed."""

    name: str
    data: bytes = b""
    method: int = zipfile.ZIP_DEFLATED
    date: tuple[int, int, int, int, int, int] = (2011, 3, 4, 5, 6, 8)
    comment: bytes = b""
    extra: bytes = b""
    zip64: bool = False
    attributes: int = 0o600 << 16


class _NoSeek(io.RawIOBase):
    """A pipe: makes zipfile write data descriptors behind the data."""

    def __init__(self) -> None:
        self.buffer = io.BytesIO()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        return self.buffer.write(data)


@dataclass(frozen=True)
class Pack:
    """How a test zip is packed."""

    members: tuple[Member, ...] = ()
    comment: bytes = b""
    descriptors: bool = False
    order: tuple[int, ...] = field(default=())

    def bytes(self) -> bytes:
        """The zip."""
        pipe, plain = _NoSeek(), io.BytesIO()
        with zipfile.ZipFile(pipe if self.descriptors else plain, "w") as archive:
            for member in self.members:
                info = zipfile.ZipInfo(member.name, member.date)
                info.compress_type = member.method
                info.comment, info.extra = member.comment, member.extra
                info.external_attr = member.attributes
                with archive.open(info, "w", force_zip64=member.zip64) as file:
                    file.write(member.data)
            archive.comment = self.comment
            if self.order:  # directory in another order than the data
                archive.filelist = [archive.filelist[i] for i in self.order]
        return pipe.buffer.getvalue() if self.descriptors else plain.getvalue()


NAMES = st.text(
    st.characters(codec="utf-8", exclude_characters="\x00\\/:", exclude_categories=("Cs", "Cc")),
    min_size=1,
    max_size=12,
).filter(lambda n: n not in (".", ".."))
_EXTRA = st.binary(max_size=9).map(lambda b: struct.pack("<2H", 0xCAFE, len(b)) + b)
DATA = st.one_of(st.binary(max_size=60), st.binary(min_size=1, max_size=4).map(lambda b: b * 400))


@st.composite
def packs(draw: st.DrawFn) -> Pack:
    """Zips with names in any script, three methods, comments, extra fields, zip64."""
    names = draw(st.lists(NAMES, max_size=6, unique=True))
    descriptors = draw(st.booleans())
    members = tuple(
        Member(
            name,
            draw(DATA),
            draw(st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2])),
            draw(st.tuples(st.integers(1980, 2107), *[st.integers(1, 12)] * 5)),
            draw(st.binary(max_size=8)),
            draw(st.one_of(st.just(b""), _EXTRA)),
            draw(st.booleans()),
        )
        for name in names
    )
    order = tuple(draw(st.permutations(range(len(names)))))
    # An end record inside the comment is refused; that has a test of its own.
    comment = draw(st.binary(max_size=30).filter(lambda c: b"PK" not in c))
    return Pack(members, comment, descriptors, order)


def contents(data: bytes) -> dict[str, bytes]:
    """Members of a zip by name, in the order of its directory."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {i.filename: archive.read(i) for i in archive.infolist()}


def entries(data: bytes) -> dict[str, tuple[Any, ...]]:
    """What must not change of a member, by name: raw data and all that the directory says."""
    found = {}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            at = info.header_offset
            name, extra = struct.unpack_from("<2H", data, at + 26)
            header = data[at : at + 30 + name + extra]
            start = at + len(header)
            found[info.filename] = (
                header,
                data[start : start + info.compress_size],
                info.date_time,
                info.compress_type,
                info.comment,
                info.extra,
                info.flag_bits,
                info.create_system,
                info.create_version,
                info.extract_version,
                info.internal_attr,
                info.external_attr,
                info.CRC,
                info.file_size,
            )
    return found
