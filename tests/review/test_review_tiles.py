"""Tiles of the review page: they show every pixel once, in bounded memory, with stable digests."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from painted import FLOOR, STONE, WOODS, Painted

from hexsight.model.derive import derive
from hexsight.review.palettes import confidence_palette, elevation_palette, terrain_palette
from hexsight.review.tiles import (
    TILE,
    Layers,
    MapLevels,
    TileCache,
    digest_of,
    halved,
    levels_of,
    png,
)


def _picture(width: int, height: int) -> np.ndarray:
    return np.random.default_rng(1).integers(0, 256, (height, width, 3), np.uint8)


def _board():
    painted = Painted(4, 4).hexes("B2", "C2").hexes("D4", code=WOODS)
    return derive(painted.survey())


def test_tiles_of_the_full_size_put_together_are_the_map():
    rgb = _picture(TILE + 37, 2 * TILE + 5)
    levels = MapLevels(rgb)
    rows = [np.hstack([levels.tile(0, x, y) for x in range(2)]) for y in range(3)]
    assert np.array_equal(np.vstack(rows), rgb)


@pytest.mark.parametrize("size", [(TILE, TILE), (TILE + 1, 3), (1, 1), (6000, 6000), (2012, 2901)])
def test_the_last_level_is_one_tile_and_every_level_halves(size: tuple[int, int]):
    levels = levels_of(size)
    sides = [-(-max(size) // (1 << z)) for z in range(levels)]
    assert sides[-1] <= TILE
    assert levels == 1 or sides[-2] > TILE


def test_a_halved_picture_of_odd_size_keeps_its_last_row():
    picture = np.zeros((3, 5, 3), np.uint8)
    picture[2, 4] = 200
    small = halved(picture)
    assert small.shape == (2, 3, 3)
    assert small[1, 2].tolist() == [200, 200, 200]


def test_a_tile_is_a_png_of_just_these_pixels():
    rgb = _picture(20, 10)
    back = cv2.imdecode(np.frombuffer(png(rgb), np.uint8), cv2.IMREAD_COLOR)
    assert np.array_equal(cv2.cvtColor(back, cv2.COLOR_BGR2RGB), rgb)
    clear = np.dstack([rgb, np.full((10, 20), 90, np.uint8)])
    back = cv2.imdecode(np.frombuffer(png(clear), np.uint8), cv2.IMREAD_UNCHANGED)
    assert np.array_equal(cv2.cvtColor(back, cv2.COLOR_BGRA2RGBA), clear)


def test_layers_have_tiles_where_the_map_has_and_nowhere_else():
    board = _board()
    width, height = board.size_px
    sure = np.full((height, width), 255, np.uint8)
    layers = Layers(board, MapLevels(_picture(width, height)), sure)
    for name in ("map", "terrain", "elevation", "confidence"):
        tile = layers.tile(name, 0, 0, 0)
        assert tile is not None
        assert tile.shape[:2] == (height, width)
        for wrong in ((-1, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, -1), (60, 0, 0)):
            assert layers.tile(name, *wrong) is None
    assert layers.tile("nothing", 0, 0, 0) is None


def test_without_confidence_there_is_no_such_layer():
    board = _board()
    layers = Layers(board, MapLevels(_picture(*board.size_px)), None)
    assert layers.tile("confidence", 0, 0, 0) is None
    assert layers.digests()["confidence"] is None
    assert "confidence" not in layers.keys()  # noqa: SIM118 - a method, no mapping


def test_only_what_changed_gets_a_new_digest():
    board = _board()
    map_ = MapLevels(_picture(*board.size_px))
    first = Layers(board, map_, None)
    changed = derive(Painted(4, 4).hexes("B2", "C2").survey())
    second = Layers(changed, map_, None, first)
    assert second.elevation is first.elevation
    assert second.digests()["map"] == first.digests()["map"]
    assert second.digests()["terrain"] != first.digests()["terrain"]


def test_halving_tints_mixes_no_colour_of_clear_pixels_in():
    board = _board()
    layers = Layers(board, MapLevels(_picture(*board.size_px)), None)
    raster = np.zeros((2 * TILE, 2 * TILE), np.uint8)
    raster[::2, ::2] = STONE
    layer = type(layers.terrain)(raster, layers.terrain.palette, "x", raster)
    tile = layer.tile(1, 0, 0)
    tint = layers.terrain.palette.table[STONE].astype(int)
    assert tile.shape == (TILE, TILE, 4)
    assert abs(int(tile[0, 0, 3]) - tint[3] // 4) <= 1
    assert np.abs(tile[0, 0, :3].astype(int) - tint[:3]).max() <= 8


def test_every_code_has_a_tint_and_the_key_names_what_is_there():
    board = derive(Painted(4, 4).hexes("B2", "C2").hexes("B2", code=FLOOR, grow=0.7).survey())
    palette = terrain_palette(board)
    assert palette.table.shape == (256, 4)
    assert not palette.table[0, 3]  # open ground is the map itself
    assert palette.table[255, 3]  # a code of no catalogue is shown
    labels = [swatch.label for swatch in palette.key]
    assert "woods" not in labels
    assert labels
    assert [s.label for s in elevation_palette(board).key] == []
    assert all(s.to_json()["colour"].startswith("#") for s in confidence_palette().key)


def test_the_cache_forgets_the_longest_unused_beyond_its_bounds():
    cache = TileCache(most=30)
    for name in "abc":
        cache.put(name, b"0123456789")
    assert cache.get("a") is not None
    cache.put("d", b"0123456789")
    assert cache.get("b") is None
    assert [cache.get(name) is not None for name in "acd"] == [True, True, True]
    cache.put("a", b"01")
    assert cache.size == 22
    cache.put("large", b"0" * 100)
    assert cache.size == 100


def test_a_digest_goes_by_shape_and_content():
    flat = np.zeros((2, 8), np.uint8)
    assert digest_of(flat) == digest_of(flat.copy())
    assert digest_of(flat) != digest_of(flat.reshape(4, 4))
    assert digest_of(flat) == digest_of(np.zeros((2, 16), np.uint8)[:, ::2])
