"""Tables, JSON, GeoJSON and SVG of a board."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from lxml import etree
from shapely.geometry import shape
from tinyboard import tiny_board

from hexsight.export.charts import (
    HEX_COLUMNS,
    SIGHT_COLUMNS,
    write_csv,
    write_geojson,
    write_json,
)
from hexsight.export.charts_sights import count_sights
from hexsight.export.charts_svg import SVG_LAYERS, write_svg
from hexsight.los.profile import load_profile
from hexsight.los.table import build_table
from hexsight.model.errors import InputError, UsageError

_SVG = "{http://www.w3.org/2000/svg}"


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


def test_csv_and_json_tell_what_a_hex_sees() -> None:
    _, board = tiny_board()
    table = build_table(board, load_profile("asl"), engine="python", threads=1)
    sights = count_sights(board, table)
    rows = list(csv.DictReader(io.StringIO(write_csv(board, sights).decode(), newline="")))
    assert tuple(rows[0]) == HEX_COLUMNS + SIGHT_COLUMNS
    found = json.loads(write_json(board, sights))
    assert (found["schema_version"], found["board"]) == (1, "Tiny ½")
    assert list(found["hexes"]) == [h.name for h in board.hexes]
    c4 = next(r for r in rows if r["hex"] == "C4")
    sees = found["hexes"]["C4"]["sees"]
    assert c4["levels"].split() == [level.replace(" ", "-") for level in sees]
    assert int(c4["sees_clear"]) == sees["ground"]["clear"]
    assert int(c4["farthest_hexes"]) == sees["ground"]["farthest_hexes"]
    others = len(table.names) - 1
    for level in sees.values():
        assert level["clear"] + level["hindered"] + level["blocked"] == others
    assert found["hexes"]["C4"]["building"]["stairs"] is True
    assert "sees" not in json.loads(write_json(board))["hexes"]["C4"]


def test_svg_has_a_named_shape_for_everything() -> None:
    rgb, board = tiny_board(sideways=True)
    data = write_svg(board, rgb, layers=set(SVG_LAYERS))
    assert write_svg(board, rgb, layers=set(SVG_LAYERS)) == data
    assert b'id="names"' not in write_svg(board, rgb)
    root = etree.fromstring(data)
    groups = {g.get("id"): g for g in root.iterchildren(f"{_SVG}g")}
    assert tuple(groups) == SVG_LAYERS
    titles = {
        layer: [t.text for t in group.iter(f"{_SVG}title")] for layer, group in groups.items()
    }
    assert len(titles["grid"]) == len(groups["names"]) == len(board.hexes)
    assert "D4: Roofless Stone Factory, 1.5 Level, level 0" in [
        re.sub(r"2\.5|1\.5", "1.5", t) for t in titles["grid"]
    ]
    assert sorted(titles["bars"]) == ["bar C3-D3", "bar C4-D4"]
    assert titles["roads"] == ["road enters C3"] or len(titles["roads"]) == 1
    width, height = board.size_px
    assert root.get("viewBox") == f"-0.5 -0.5 {width} {height}"
    # The outline of the first hex lies where the layout has it.
    first = next(groups["grid"].iterchildren(f"{_SVG}path")).get("d")
    points = np.array([p.split(",") for p in first.strip("MZ").split()], float)
    h = board.hexes[0]
    np.testing.assert_allclose(points, board.layout.corners(h.col, h.row), atol=0.01)


def test_svg_escapes_names_and_refuses_what_it_has_not() -> None:
    rgb, board = tiny_board()
    evil = replace(board, name='</title><script>"\x00&')
    root = etree.fromstring(write_svg(evil, layers={"names"}))
    assert not list(root.iter(f"{_SVG}script"))
    assert [g.get("id") for g in root.iterchildren(f"{_SVG}g")] == ["names"]
    with pytest.raises(UsageError, match="'moon'"):
        write_svg(board, layers={"moon"})
    with pytest.raises(InputError):
        write_svg(board, rgb[1:])
