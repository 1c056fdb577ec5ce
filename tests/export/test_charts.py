"""Tables and GeoJSON of a board."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter

from shapely.geometry import shape
from tinyboard import tiny_board

from hexsight.export.charts import HEX_COLUMNS, write_csv, write_geojson


def test_csv_has_a_row_a_hex() -> None:
    _, board = tiny_board()
    data = write_csv(board)
    rows = list(csv.DictReader(io.StringIO(data.decode(), newline="")))
    assert tuple(rows[0]) == HEX_COLUMNS
    assert [r["hex"] for r in rows] == [h.name for h in board.hexes]
    d4 = next(r for r in rows if r["hex"] == "D4")
    assert (d4["kind"], d4["height_levels"], d4["roofless"]) == ("factory", "2.5", "1")
    assert d4["bars"] == "C4-D4"
    assert write_csv(board) == data


def test_geojson_has_every_feature_in_its_place() -> None:
    _, board = tiny_board(sideways=True)
    data = write_geojson(board)
    found = json.loads(data)
    assert found["type"] == "FeatureCollection"
    assert found["name"] == "Tiny ½"
    counts = Counter(f["properties"]["feature"] for f in found["features"])
    assert counts == {
        "hex": len(board.hexes),
        "building": 2,
        "road entry": 1,
        "roofless": 1,
        "bar": 2,
        "hexside": 2,
        "stairwell": 1,
    }
    for feature in found["features"]:
        assert shape(feature["geometry"]).is_valid
    factory = next(f for f in found["features"] if f["properties"].get("kind") == "factory")
    real = next(b for b in board.buildings if b.kind == "factory")
    assert abs(shape(factory["geometry"]).area - real.polygon.area) < 5
    assert write_geojson(board) == data
