"""Inputs made to hurt, each by name; shared by the tests of the command line and the fuzzers."""

from __future__ import annotations

import gzip
import io
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

HEAD = "<VASSAL.build.GameModule>"
TAIL = "</VASSAL.build.GameModule>"
PICKER = "VASSAL.build.module.map.BoardPicker"
BOARD = "VASSAL.build.module.map.boardPicker.Board"
HEX = "VASSAL.build.module.map.boardPicker.board.HexGrid"
NUMBERING = "VASSAL.build.module.map.boardPicker.board.mapgrid.HexGridNumbering"
LOL = (
    '<!DOCTYPE l [<!ENTITY a "lol">'
    + "".join(f'<!ENTITY a{i} "{f"&a{i - 1 if i else str()};" * 10}">' for i in range(10))
    + "]>"
)


def chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk of a PNG file."""
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))


def png(width: int, height: int, pixels: bytes = b"", *, depth: int = 8, kind: int = 0) -> bytes:
    """A PNG file whose head may lie."""
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(pixels))
        + chunk(b"IEND", b"")
    )


def jpeg(width: int, height: int) -> bytes:
    """The beginning of a JPEG file of a size."""
    return (
        b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"
        b"\xff\xc0\x00\x11\x08" + struct.pack(">HH", height, width) + b"\x03\x01\x22\x00\x02\x11"
        b"\x01\x03\x11\x01\xff\xda\x00\x0c\x03\x01\x00\x02\x11\x03\x11\x00\x3f\x00\xff\xd9"
    )


def gif(width: int, height: int) -> bytes:
    """A GIF file of a size with one pixel in it."""
    size = struct.pack("<HH", width, height)
    return (
        b"GIF89a" + size + b"\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00" + size + b"\x00"
        b"\x02\x02D\x01\x00;"
    )


def bmp(width: int, height: int) -> bytes:
    """The head of a BMP file."""
    return b"BM" + struct.pack("<IHHIIiiHHIIiiII", 54, 0, 0, 54, 40, width, height, 1, 24, *[0] * 6)


PLAIN = png(40, 40, (b"\0" + b"\xff" * 40) * 40)


def zipped(*members: tuple[str, bytes], stored: bool = False) -> bytes:
    """A zip file; names may be doubled or climb."""
    stream = io.BytesIO()
    kind = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        with zipfile.ZipFile(stream, "w", kind) as archive:
            for name, data in members:
                archive.writestr(zipfile.ZipInfo(name), data, kind)
    return stream.getvalue()


def board(
    grid: str = 'dx="40" dy="46"', *, name: str = "M", numbering: str = 'hType="A" vType="N"'
) -> str:
    """A board with a hex grid in a build file."""
    return (
        f'<{BOARD} name="{name}" image="m.png"><{HEX} {grid}><{NUMBERING} {numbering}/></{HEX}>'
        f"</{BOARD}>"
    )


def module(build: str | bytes, *more: tuple[str, bytes]) -> bytes:
    """A module with a build file and a plain picture."""
    data = build if isinstance(build, bytes) else build.encode()
    return zipped(("buildFile.xml", data), ("images/m.png", PLAIN), *more)


def fifield(copies: int = 200, size: int = 20_000_000) -> bytes:
    """Members that share one block of data, as in the largest zip bombs."""
    squeeze = zlib.compressobj(9, wbits=-15)
    data = squeeze.compress(bytes(size)) + squeeze.flush()
    crc = zlib.crc32(bytes(size))
    local = struct.pack("<IHHHHHIIIHH", 0x04034B50, 20, 0, 8, 0, 0, crc, len(data), size, 1, 0)
    body = local + b"a" + data
    central = b""
    for k in range(copies):
        name = b"buildFile.xml" if not k else b"x%d" % k
        central += (
            struct.pack(
                *("<IHHHHHHIIIHHHHHII", 0x02014B50, 20, 20, 0, 8, 0, 0, crc, len(data), size),
                *(len(name), 0, 0, 0, 0, 0, 0),
            )
            + name
        )
    end = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, copies, copies, len(central), len(body), 0)
    return body + central + end


def symlink() -> bytes:
    """A zip whose build file is a link to somewhere else."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        info = zipfile.ZipInfo("buildFile.xml")
        info.create_system, info.external_attr = 3, 0o120777 << 16
        archive.writestr(info, "/etc/passwd")
        archive.writestr("images/m.png", PLAIN)
    return stream.getvalue()


def renamed(data: bytes, old: bytes, new: bytes) -> bytes:
    """A zip with the name of a member changed, which Python's writer would not write."""
    assert len(old) == len(new)
    return data.replace(old, new)


GOOD = f"{HEAD}{board()}{TAIL}"
# Zip files: what a member is called, how it inflates, what it shares.
ZIPS: dict[str, Callable[[], bytes]] = {
    "flat bomb": lambda: zipped(("buildFile.xml", b" " * 270_000_000)),
    "picture bomb": lambda: zipped(
        ("buildFile.xml", GOOD.encode()), ("images/m.png", bytes(270_000_000))
    ),
    "nested bomb": lambda: zipped(
        ("g.vmod", zipped(("buildFile.xml", zipped(("x", bytes(90_000_000))))))
    ),
    "many small bombs": lambda: zipped(
        ("buildFile.xml", GOOD.encode()),
        *((f"images/{k}", bytes(16_000_000)) for k in range(25)),
    ),
    "overlapping members": fifield,
    "members that share a few bytes": lambda: fifield(3, 1000),
    "climbing name": lambda: module(GOOD, ("../../x", b"")),
    "absolute name": lambda: module(GOOD, ("/etc/x", b"")),
    "name on a drive": lambda: module(GOOD, ("C:\\x", b"")),
    "climbing with backslashes": lambda: module(GOOD, ("images\\..\\..\\x", b"")),
    "NUL in a name": lambda: renamed(module(GOOD, ("images/xNUL", b"")), b"xNUL", b"x\0UL"),
    "link as a member": symlink,
    "duplicate member": lambda: module(GOOD, ("buildFile.xml", b"<b/>")),
    "no member": zipped,
    "cut off": lambda: module(GOOD)[:-30],
    "beginning lost": lambda: module(GOOD)[30:],
    "wrong check sum": lambda: renamed(
        zipped(("buildFile.xml", GOOD.encode()), stored=True), b"dx=", b"dy="
    ),
    "encrypted": lambda: _flagged(module(GOOD), 1),
    "unknown method": lambda: _method(module(GOOD), 99),
    "size that lies": lambda: _size(module(GOOD), 7),
    "picture and zip in one": lambda: PLAIN + zipped(("buildFile.xml", b"<a>")),
}


def _central(data: bytes) -> int:
    return data.index(b"PK\x01\x02")


def _flagged(data: bytes, flag: int) -> bytes:
    at = _central(data) + 8
    return data[:at] + struct.pack("<H", flag) + data[at + 2 :]


def _method(data: bytes, method: int) -> bytes:
    at = _central(data) + 10
    return data[:at] + struct.pack("<H", method) + data[at + 2 :]


def _size(data: bytes, size: int) -> bytes:
    at = _central(data) + 24
    return data[:at] + struct.pack("<I", size) + data[at + 4 :]


def _doctype(inside: str, use: str = "") -> str:
    return f"<!DOCTYPE VASSAL.build.GameModule {inside}>{HEAD}{use}{board()}{TAIL}"


# Build files that cannot be read at all.
BUILD_FILES: dict[str, Callable[[], str | bytes]] = {
    "billion laughs": lambda: f"{LOL}{HEAD}&a9;{TAIL}",
    "billion laughs in an attribute": lambda: f'{LOL}<VASSAL.build.GameModule name="&a9;"/>',
    "external entity": lambda: _doctype('[<!ENTITY x SYSTEM "file:///etc/passwd">]', "&x;"),
    "parameter entity": lambda: _doctype(
        '[<!ENTITY % x SYSTEM "http://127.0.0.1:9/x.dtd"> %x;]', "&y;"
    ),
    "deep": lambda: HEAD + "<a>" * 100_000,
    "deep and closed": lambda: HEAD + "<a>" * 5_000 + "</a>" * 5_000 + TAIL,
    "declared as UTF-16": lambda: f'<?xml version="1.0" encoding="UTF-16"?>{GOOD}',
    "invalid UTF-8": lambda: GOOD.encode().replace(b'name="M"', b'name="\xff\xfe\xfd"'),
    "unknown encoding": lambda: f'<?xml version="1.0" encoding="x-none"?>{GOOD}',
    "UTF-16 cut in a character": lambda: GOOD.encode("utf-16")[:-3],
    "NUL": lambda: GOOD.replace(TAIL, "\0" + TAIL),
    "cut off": lambda: GOOD[: len(GOOD) // 2],
    "empty": lambda: "",
    "one long line": lambda: HEAD + "x" * 10_000_001,
    "one long attribute": lambda: f'{HEAD}<a b="{"x" * 10_000_001}"/>{TAIL}',
    "too many elements": lambda: HEAD + "<a/>" * 2_000_000 + TAIL,
    "another root": lambda: "<html/>",
    "no board": lambda: HEAD + TAIL,
}
_NUMBERS = (
    *("NaN", "Infinity", "-Infinity", "1e308", "1e-320", "-0", "0", "-40", "inf", "nan"),
    *("9" * 400, "9" * 10_000, "1" + "0" * 308, "0x1p1023", "", " ", "½", "٣"),
)
_PLACES = tuple(n for n in _NUMBERS if n not in ("-0", "0", "-40"))
# Grids of which no line of sight can be computed on a picture of 40 x 40 pixels.
GRIDS: dict[str, str] = {
    **{f"dx {n[:12]!r} of {len(n)}": f'dx="{n}" dy="46"' for n in _NUMBERS},
    **{f"dy {n[:12]!r} of {len(n)}": f'dx="40" dy="{n}"' for n in _NUMBERS},
    **{f"x0 {n[:12]!r} of {len(n)}": f'dx="40" dy="46" x0="{n}"' for n in _PLACES},
    **{f"y0 {n[:12]!r} of {len(n)}": f'dx="40" dy="46" x0="{n}" y0="{n}"' for n in _PLACES},
    "tiny hexes": 'dx="0.0001" dy="0.0001"',
    "flat hexes": 'dx="1e-9" dy="1e9"',
}
_NUMBERINGS = ("9" * 10, "9" * 10_000, "-2147483648", "2147483648", "1e9", "NaN", "")
NUMBERINGS: dict[str, str] = {
    f"{key} {n[:12]!r} of {len(n)}": f'hType="A" vType="A" {key}="{n}"'
    for key in ("hOff", "vOff", "hLeading", "vLeading")
    for n in _NUMBERINGS
}
PICTURES: dict[str, Callable[[], bytes]] = {
    "PNG of 65,535 x 65,535": lambda: png(65_535, 65_535),
    "PNG of 2^31 - 1": lambda: png(2**31 - 1, 2**31 - 1),
    "PNG of 2^32 - 1": lambda: png(2**32 - 1, 2**32 - 1),
    "PNG of 0 x 0": lambda: png(0, 0),
    "PNG with a flat bomb": lambda: png(9_000, 9_000, bytes(9_001 * 9_000)),
    "RGBA PNG with a bomb": lambda: png(4_500, 4_500, bytes((4 * 4_500 + 1) * 4_500), kind=6),
    "PNG with deep pixels": lambda: png(5_000, 5_000, bytes(10_001 * 5_000), depth=16),
    "PNG with too little": lambda: png(100, 100, bytes(17)),
    "PNG with a bomb of text": lambda: (
        PLAIN[:33] + chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(100_000_000))) + PLAIN[33:]
    ),
    "PNG with a bomb of colours": lambda: (
        PLAIN[:33] + chunk(b"iCCP", b"a\0\0" + zlib.compress(bytes(100_000_000))) + PLAIN[33:]
    ),
    "PNG with a chunk that lies": lambda: (
        PLAIN[:33] + struct.pack(">I", 2**31 - 1) + b"IDAT" + PLAIN[41:]
    ),
    "JPEG of 65,535 x 65,535": lambda: jpeg(65_535, 65_535),
    "JPEG without pixels": lambda: jpeg(500, 500),
    "GIF of 65,535 x 65,535": lambda: gif(65_535, 65_535),
    "GIF with too little": lambda: gif(500, 500),
    "BMP of 2^31 - 1": lambda: bmp(2**31 - 1, 2**31 - 1),
    "BMP of -2^31": lambda: bmp(-(2**31), -(2**31)),
    "BMP with too little": lambda: bmp(500, 500),
    "SVG": lambda: b"<svg xmlns='http://www.w3.org/2000/svg'/>",
    "SVG of entities": (LOL + "<svg>&a9;</svg>").encode,
    "TIFF that goes round": lambda: b"II*\0\x08\0\0\0" + struct.pack("<HI", 0, 8),
    "WEBP without anything": lambda: b"RIFF\x04\0\0\0WEBP",
    "cut off": lambda: PLAIN[:-20],
    "text": lambda: b"no picture at all\n" * 99,
    "empty": lambda: b"",
}


def losdata(
    head: tuple[int, int, int, int], body: bytes, *, kind: bytes = b"\x7a", size: int = -1
) -> bytes:
    """A LOSData stream with one record, whose size may lie."""
    data = struct.pack(">4i", *head) + body
    told = len(data) if size < 0 else size
    return gzip.compress(b"\xac\xed\x00\x05" + kind + struct.pack(">I", told) + data, 6, mtime=0)


LOSDATA: dict[str, Callable[[], bytes]] = {
    "absurd hexes": lambda: losdata((2**31 - 1, 2**31 - 1, 4, 4), bytes(64)),
    "absurd pixels": lambda: losdata((4, 4, 2**31 - 1, 2**31 - 1), bytes(64)),
    "pixels that are not there": lambda: losdata((4, 4, 9_000, 9_000), bytes(64)),
    "negative": lambda: losdata((-1, -1, -1, -1), bytes(64)),
    "nothing": lambda: losdata((0, 0, 0, 0), b""),
    "bomb": lambda: losdata((4, 4, 40, 40), bytes(50_000_000)),
    "huge bomb in bounds": lambda: losdata((4, 4, 5_000, 5_000), bytes(2 * 5_000**2 + 18)),
    "empty records": lambda: gzip.compress(b"\xac\xed\x00\x05" + b"\x77\x00" * 9_000_000, 6),
    "record that lies": lambda: losdata((4, 4, 4, 4), bytes(64), size=2**31 - 1),
    "negative record": lambda: losdata((4, 4, 4, 4), bytes(64), size=2**32 - 1),
    "an object": lambda: gzip.compress(b"\xac\xed\x00\x05sr\x00\x11java.util.HashMap", 6),
    "cut off": lambda: losdata((4, 4, 40, 40), bytes(2 * 1600 + 18))[:-9],
    "not packed": lambda: b"\xac\xed\x00\x05w\x10" + bytes(16),
    "empty": lambda: b"",
    "a gzip in a gzip": lambda: gzip.compress(gzip.compress(bytes(1000))),
}


def metadata(**attributes: str) -> bytes:
    """BoardMetadata.xml with attributes other than the usual."""
    told = {
        **{"name": "T", "version": "1", "boardImageFileName": "bdT.png", "width": "4"},
        **{"height": "4", "hexWidth": "10", "hexHeight": "10", "A1CenterX": "0"},
        **attributes,
    }
    words = " ".join(f'{key}="{value}"' for key, value in told.items())
    return f"<boardMetadata {words}/>".encode()


_SIZES = ("NaN", "1e308", "-0", "0", "-4", "4.5", "9" * 9, "9" * 10_000, "4096", "", "٣")
METADATA: dict[str, bytes] = {
    f"{key} {n[:12]!r} of {len(n)}": metadata(**{key: n})
    for key, numbers in (
        ("width", _SIZES),
        ("height", _SIZES),
        ("hexWidth", ("NaN", "1e308", "1e-320", "-0", "0", "-4", "inf", "9" * 10_000, "4")),
        ("hexHeight", ("NaN", "1e308", "-0", "0", "9" * 10_000)),
        ("A1CenterX", ("NaN", "1e308", "-1e308", "inf", "9" * 10_000)),
        ("A1CenterY", ("NaN", "1e308", "-1e308", "inf", "9" * 10_000)),
    )
    for n in numbers
}


def vasl_board(meta: bytes, stream: bytes | None = None) -> bytes:
    """A VASL board archive."""
    more = () if stream is None else (("LOSData", stream),)
    return zipped(("BoardMetadata.xml", meta), ("bdT.png", PLAIN), *more)


def write(path: Path, data: bytes | str) -> Path:
    """A file with a content, in a folder that may not be there yet."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path
