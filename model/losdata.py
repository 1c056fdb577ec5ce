"""VASL's ``LOSData``: terrain and elevation of every pixel of a board.

The member is a gzip file around a Java object stream that holds nothing but
block data: the stream header ``AC ED 00 05``, then records ``77 n …`` (one
byte of length) or ``7A nnnn …`` (four bytes, big-endian).  The bytes inside the
records are, one after the other: width and height in hexes, width and height
in pixels (four 32-bit integers), then column by column of pixels elevation
(signed) and terrain code (unsigned), then column by column of hexes one byte
for a stairway.  Java writes full records of 1,024 bytes and a shorter last one;
so does `write_losdata`, which makes the inner stream equal byte for byte.
"""

from __future__ import annotations

import gzip
import struct
import zlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hexsight.model.errors import InputError

STREAM_HEADER = b"\xac\xed\x00\x05"
SHORT_RECORD = 0x77
LONG_RECORD = 0x7A
RECORD_BYTES = 1024
HEAD_BYTES = 16
MAX_PIXELS = 100_000_000
MAX_HEXES_ACROSS = 4096


@dataclass(frozen=True, eq=False)
class LosData:
    """What a LOSData member says of a board.

    Attributes
    ----------
    width, height : int
        Size of the board in hexes, as in its metadata.
    elevation : (H, W) int8
        Ground level of each board pixel, in whole levels.
    terrain : (H, W) uint8
        VASL terrain code of each board pixel.
    stairways : (width, height + 1) uint8
        Byte of each hex: column, then place in the column counted from the top
        of the board (0 is B0 in an odd column of a standard board, A1 in an
        even one); 1 means a stairway.  Places beyond the end of a column are 0.
    rows : tuple of int
        Number of hexes in each column.
    """

    width: int
    height: int
    elevation: NDArray[np.int8]
    terrain: NDArray[np.uint8]
    stairways: NDArray[np.uint8]
    rows: tuple[int, ...]

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the grid in pixels."""
        return self.terrain.shape[1], self.terrain.shape[0]

    @cached_property
    def stairway_hexes(self) -> frozenset[tuple[int, int]]:
        """Hexes with a stairway, as (column, place from the top of the column)."""
        found = np.argwhere(self.stairways == 1)
        return frozenset((int(col), int(place)) for col, place in found)


def read_losdata(data: bytes, where: str = "LOSData", *, max_pixels: int = MAX_PIXELS) -> LosData:
    """Decode a LOSData member.

    Parameters
    ----------
    data : bytes
        The member as it lies in the archive.
    where : str
        Name for messages, such as ``LOSData in bd01``.
    max_pixels : int
        Refuse grids that claim to be larger.

    Raises
    ------
    InputError
        If it is no gzip file, no Java block data, too short, too long, or
        too large.
    """
    inflate = zlib.decompressobj(wbits=31)
    start = _inflate(inflate, data, 4096, where)
    width, height, grid_w, grid_h = _head(start, where)
    if not (0 < width <= MAX_HEXES_ACROSS and 0 < height <= MAX_HEXES_ACROSS):
        raise InputError(f"Cannot read {where}: a board of {width} × {height} hexes is impossible.")
    if grid_w <= 0 or grid_h <= 0 or grid_w * grid_h > max_pixels:
        raise InputError(
            f"Cannot read {where}: a grid of {grid_w} × {grid_h} pixels is empty or larger "
            f"than the limit of {max_pixels} pixels."
        )
    raster = 2 * grid_w * grid_h
    longest = HEAD_BYTES + raster + width * (height + 1)
    limit = longest + longest // 64 + 4096  # record heads, and slack for a precise message
    stream = start + _inflate(inflate, inflate.unconsumed_tail, limit - len(start), where)
    if not inflate.eof:
        what = "longer than its head says" if len(stream) >= limit else "cut off"
        raise InputError(f"Cannot read {where}: it is {what}. Fetch the board again.")
    payload = _payload(stream, where)
    tail = len(payload) - HEAD_BYTES - raster
    rows = _rows(width, height, tail, where)
    # Stored column by column of pixels; kept as a picture, that is row-major.
    cells = np.frombuffer(payload, np.uint8, raster, HEAD_BYTES).reshape(grid_w, grid_h, 2)
    elevation = np.ascontiguousarray(cells[:, :, 0].T).view(np.int8)
    terrain = np.ascontiguousarray(cells[:, :, 1].T)
    stairways = np.zeros((width, height + 1), np.uint8)
    inside = np.arange(height + 1)[None, :] < np.array(rows)[:, None]
    stairways[inside] = np.frombuffer(payload, np.uint8, tail, HEAD_BYTES + raster)
    for array in (elevation, terrain, stairways):
        array.setflags(write=False)
    return LosData(width, height, elevation, terrain, stairways, rows)


def write_losdata(losdata: LosData) -> bytes:
    """Encode a LOSData member, ready to be put into an archive.

    The inner stream equals Java's byte for byte; the gzip wrapper carries no
    time, so that the same board gives the same bytes.

    Raises
    ------
    ValueError
        If the arrays do not fit each other.
    """
    grid_h, grid_w = losdata.terrain.shape
    if losdata.elevation.shape != (grid_h, grid_w):
        raise ValueError("elevation and terrain must have the same shape")
    shape = (losdata.width, losdata.height + 1)
    if losdata.stairways.shape != shape or len(losdata.rows) != losdata.width:
        raise ValueError(f"stairways must have the shape {shape}, rows one entry a column")
    cells = np.empty((grid_w, grid_h, 2), np.uint8)
    cells[:, :, 0] = losdata.elevation.astype(np.int8).view(np.uint8).T
    cells[:, :, 1] = losdata.terrain.T
    inside = np.arange(losdata.height + 1)[None, :] < np.array(losdata.rows)[:, None]
    payload = b"".join(
        (
            struct.pack(">4i", losdata.width, losdata.height, grid_w, grid_h),
            cells.tobytes(),
            losdata.stairways[inside].astype(np.uint8).tobytes(),
        )
    )
    return gzip.compress(_stream(payload), compresslevel=9, mtime=0)


def standard_rows(width: int, height: int) -> tuple[int, ...]:
    """Number of hexes in each column of a standard board: one more in odd columns."""
    return tuple(height + (col & 1) for col in range(width))


def _inflate(inflate: zlib._Decompress, data: bytes, limit: int, where: str) -> bytes:
    """At most `limit` further bytes of the inner stream."""
    if limit <= 0 or inflate.eof:
        return b""
    try:
        return inflate.decompress(data, limit)
    except zlib.error as error:
        raise InputError(
            f"Cannot read {where}: it is no intact gzip file ({error}). Fetch the board again."
        ) from error


def _head(stream: bytes, where: str) -> tuple[int, int, int, int]:
    """Width and height in hexes and in pixels, from the start of the stream."""
    if not stream.startswith(STREAM_HEADER):
        raise InputError(f"Cannot read {where}: it holds no Java object stream.")
    head = _payload(stream, where, wanted=HEAD_BYTES)[:HEAD_BYTES]
    if len(head) < HEAD_BYTES:
        raise InputError(f"Cannot read {where}: it ends before the size of the board.")
    width, height, grid_w, grid_h = struct.unpack(">4i", head)
    return width, height, grid_w, grid_h


def _payload(stream: bytes, where: str, *, wanted: int | None = None) -> bytes:
    """Bytes inside the records; only the first `wanted` (or a few more) if given."""
    view = memoryview(stream)
    at, got, parts = len(STREAM_HEADER), 0, []
    # A stream of empty records would be tiny work per byte but endless in
    # number: Java never writes them, so their number is bounded.
    most = len(stream) // 16 + 1024
    while at < len(stream) and (wanted is None or got < wanted):
        kind = stream[at]
        if kind == SHORT_RECORD and at + 2 <= len(stream):
            size, at = stream[at + 1], at + 2
        elif kind == LONG_RECORD and at + 5 <= len(stream):
            size, at = int.from_bytes(stream[at + 1 : at + 5], "big", signed=True), at + 5
        else:
            raise InputError(f"Cannot read {where}: byte {at} of its stream begins no data record.")
        if size < 0 or (at + size > len(stream) and wanted is None):
            raise InputError(f"Cannot read {where}: a data record at byte {at} is cut off.")
        parts.append(view[at : at + size])
        at, got = at + size, got + size
        if len(parts) > most:
            raise InputError(f"Cannot read {where}: it is split into too many data records.")
    return b"".join(parts)


def _rows(width: int, height: int, tail: int, where: str) -> tuple[int, ...]:
    """Hexes per column, from how many stairway bytes there are.

    Standard boards have one hex more in odd columns; boards with as many hexes
    in every column (Red October's) store no byte for it.
    """
    rows = standard_rows(width, height)
    if tail == sum(rows):
        return rows
    if tail == width * height:
        return (height,) * width
    raise InputError(
        f"Cannot read {where}: {tail} bytes follow the grid where a board of {width} × {height} "
        f"hexes needs {sum(rows)}."
    )


def _stream(payload: bytes) -> bytes:
    """Payload cut into records as Java's ObjectOutputStream does."""
    full, rest = divmod(len(payload), RECORD_BYTES)
    records = np.empty((full, RECORD_BYTES + 5), np.uint8)
    records[:, :5] = np.frombuffer(bytes([LONG_RECORD]) + struct.pack(">i", RECORD_BYTES), np.uint8)
    records[:, 5:] = np.frombuffer(payload, np.uint8, full * RECORD_BYTES).reshape(
        full, RECORD_BYTES
    )
    parts = [STREAM_HEADER, records.tobytes()]
    if rest > 255:
        parts.append(bytes([LONG_RECORD]) + struct.pack(">i", rest))
    elif rest:
        parts.append(bytes([SHORT_RECORD, rest]))
    parts.append(payload[len(payload) - rest :])
    return b"".join(parts)
