"""LOSData: what is written reads back, Java's framing, broken and hostile streams."""

from __future__ import annotations

import gzip
import json
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from hexsight.model.errors import InputError
from hexsight.model.losdata import LosData, read_losdata, standard_rows, write_losdata

BOARDS = 20


def _losdata(width: int = 5, height: int = 3, size: tuple[int, int] = (70, 50)) -> LosData:
    rng = np.random.default_rng(7)
    rows = standard_rows(width, height)
    stairways = np.zeros((width, height + 1), np.uint8)
    stairways[1, 0] = stairways[2, 1] = 1
    return LosData(
        width,
        height,
        rng.integers(-2, 4, size[::-1]).astype(np.int8),
        rng.integers(0, 255, size[::-1]).astype(np.uint8),
        stairways,
        rows,
    )


def _framed(payload: bytes) -> bytes:
    return b"\xac\xed\x00\x05" + b"\x7a" + struct.pack(">i", len(payload)) + payload


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 6), st.integers(1, 6), st.integers(1, 60), st.integers(1, 60))
def test_what_is_written_reads_back(width: int, height: int, across: int, down: int) -> None:
    before = _losdata(max(width, 3), max(height, 2), (across, down))
    after = read_losdata(write_losdata(before))
    assert (after.width, after.height, after.rows) == (before.width, before.height, before.rows)
    assert after.size_px == (across, down)
    for name in ("elevation", "terrain", "stairways"):
        np.testing.assert_array_equal(getattr(after, name), getattr(before, name))
        assert not getattr(after, name).flags.writeable
    assert after.stairway_hexes == {(1, 0), (2, 1)}


def test_the_same_board_gives_the_same_bytes() -> None:
    assert write_losdata(_losdata()) == write_losdata(_losdata())


def test_a_board_with_equal_rows_has_no_byte_for_an_extra_hex() -> None:
    before = _losdata()
    equal = LosData(
        5, 3, before.elevation, before.terrain, np.zeros((5, 4), np.uint8), (3, 3, 3, 3, 3)
    )
    assert read_losdata(write_losdata(equal)).rows == (3, 3, 3, 3, 3)


def test_short_records_are_read_too() -> None:
    plain = gzip.decompress(write_losdata(_losdata(3, 2, (2, 2))))
    payload = plain[6:] if plain[4] == 0x77 else plain[9:]
    parts = b"".join(b"\x77" + bytes([1]) + payload[i : i + 1] for i in range(len(payload)))
    again = read_losdata(gzip.compress(b"\xac\xed\x00\x05" + parts))
    assert again.size_px == (2, 2)


@pytest.mark.parametrize("keep", [0, 1, 10, 30, 0.5, -1, -9])
def test_a_truncated_member_is_told(keep: float) -> None:
    data = write_losdata(_losdata())
    cut = data[: int(len(data) * keep)] if isinstance(keep, float) else data[: int(keep)]
    with pytest.raises(InputError, match="LOSData in bdX"):
        read_losdata(cut, "LOSData in bdX")


@pytest.mark.parametrize(
    ("stream", "message"),
    [
        (b"hello", "Java object stream"),
        (b"\xac\xed\x00\x05", "size of the board"),
        (b"\xac\xed\x00\x05\x73\x00", "begins no data record"),
        (_framed(struct.pack(">4i", 0, 10, 5, 5)), "impossible"),
        (_framed(struct.pack(">4i", 33, 10, 2**31 - 1, 2**31 - 1)), "limit"),
        (_framed(struct.pack(">4i", 33, 10, -5, 5)), "empty"),
        (_framed(struct.pack(">4i", 3, 2, 2, 2) + bytes(8)), "bytes follow the grid"),
        (_framed(struct.pack(">4i", 3, 2, 2, 2) + bytes(900_000)), "longer than its head"),
        (
            b"\xac\xed\x00\x05\x77\x10"
            + struct.pack(">4i", 33, 10, 1800, 645)
            + b"\x77\x00" * 400_000,
            "too many",
        ),
    ],
)
def test_strange_streams_are_refused(stream: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_losdata(gzip.compress(stream))


def test_a_gzip_bomb_is_not_inflated() -> None:
    head = _framed(struct.pack(">4i", 3, 2, 10, 10))
    with pytest.raises(InputError, match="longer"):
        read_losdata(gzip.compress(head + bytes(200_000_000), compresslevel=1))


def test_arrays_that_do_not_fit_are_a_mistake_of_the_caller() -> None:
    good = _losdata()
    with pytest.raises(ValueError, match="same shape"):
        write_losdata(LosData(5, 3, good.elevation[1:], good.terrain, good.stairways, good.rows))
    with pytest.raises(ValueError, match="stairways"):
        write_losdata(LosData(5, 3, good.elevation, good.terrain, good.stairways[1:], good.rows))


@pytest.mark.shared
def test_every_real_board_is_written_as_java_wrote_it(shared: Path) -> None:
    members = sorted(shared.glob("boards/*/LOSData"))
    assert len(members) >= BOARDS
    for member in members:
        data = member.read_bytes()
        losdata = read_losdata(data)
        assert gzip.decompress(write_losdata(losdata)) == gzip.decompress(data), member.parent


@pytest.mark.shared
def test_labels_and_elevation_equal_the_truth(shared: Path) -> None:
    for member in sorted(shared.glob("boards/*/LOSData")):
        folder = shared / "truth" / member.parent.name
        losdata = read_losdata(member.read_bytes())
        terrain = np.asarray(Image.open(folder / "terrain.png"))
        assert terrain.shape == losdata.terrain.shape
        assert json.loads((folder / "legend.json").read_text())["codes"]
        np.testing.assert_array_equal(terrain, losdata.terrain)
