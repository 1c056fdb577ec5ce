"""Files that are written take the place of their own kind only."""

from __future__ import annotations

import json

import numpy as np
import pytest

from hexsight.model.errors import OutputError
from hexsight.output import kind_of, png_bytes, write_bytes

PNG = png_bytes(np.zeros((2, 2, 3), np.uint8))
REPORT = json.dumps({"schema_version": 1, "findings": []}).encode()
FACTS = json.dumps({"schema_version": 1, "hexes": {}}).encode()
CSV = b"hex,x,y\r\nA1,1,2\r\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"LOSTAB\x1a\n\x01", PNG),
        (b"PK\x03\x04", PNG),
        (REPORT, FACTS),
        (b"source: map.png\nlegend: vasl\n", PNG),
        (b"source: map.png\nlegend: vasl\n", CSV),
        (b"PK\x03\x04", b"<!DOCTYPE html><p>"),
        (b"{broken", REPORT),
    ],
)
def test_another_kind_is_not_replaced(tmp_path, old, new):
    path = tmp_path / "result"
    path.write_bytes(old)
    with pytest.raises(OutputError, match="not replaced"):
        write_bytes(path, new, overwrite=True)
    assert path.read_bytes() == old


@pytest.mark.parametrize(
    ("old", "new"), [(PNG, PNG), (REPORT, REPORT), (CSV, CSV), (b"", PNG), (b"{}", FACTS)]
)
def test_an_earlier_result_is_replaced(tmp_path, old, new):
    path = tmp_path / "result.png" if new is PNG else tmp_path / "result"
    path.write_bytes(old)
    write_bytes(path, new, overwrite=True)
    assert path.read_bytes() == new


def test_a_picture_has_no_other_ending(tmp_path):
    with pytest.raises(OutputError, match=r"End its name in \.png"):
        write_bytes(tmp_path / "los.jpg", PNG, overwrite=False)
    assert list(tmp_path.iterdir()) == []


def test_kinds():
    assert kind_of(PNG) == "PNG picture"
    assert kind_of(b"\xef\xbb\xbf<?xml version='1.0'?>") == "XML file"
    assert kind_of(CSV) == "table of cells"
