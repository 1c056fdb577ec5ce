"""The chart window in a module: put in, put in again, taken out."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from lxml import etree

from hexsight.export.html_module import TABS, WINDOW, add_chart, chart_member, remove_charts
from hexsight.model.errors import OutputError, UnsupportedError, UsageError

BUILD = b"""<?xml version="1.0" encoding="UTF-8" standalone="no"?>\r
<VASSAL.build.GameModule  name="G" version='1'>\r
\t<!-- kept -->\r
\t<VASSAL.build.module.ChartWindow name="Charts">
\t\t<VASSAL.build.widget.Chart chartName="CRT"/></VASSAL.build.module.ChartWindow>\r
</VASSAL.build.GameModule>\r
"""


def _module(path: Path, build: bytes = BUILD) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in (("moduledata", b"<data/>"), ("buildFile.xml", build), ("a.txt", b"A")):
            archive.writestr(zipfile.ZipInfo(name, (2020, 1, 2, 3, 4, 6)), data)
    return path


def _read(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {n: archive.read(n) for n in archive.namelist()}


def _charts(path: Path) -> list[tuple[str, str]]:
    root = etree.fromstring(_read(path)["buildFile.xml"])
    windows = [w for w in root.iterchildren(WINDOW) if w.find(TABS) is not None]
    assert len(windows) <= 1
    return [(c.get("chartName"), c.get("fileName")) for w in windows for c in w.find(TABS)]


def test_charts_come_and_go_without_a_trace(tmp_path: Path) -> None:
    source = _module(tmp_path / "g.vmod")
    before = _read(source)
    report = add_chart(source, tmp_path / "1.vmod", "Map A", b"<html>a</html>")
    assert (report.added, report.replaced) == (("hexsight/map-a.chart.html",), ("buildFile.xml",))
    again = add_chart(source, tmp_path / "1b.vmod", "Map A", b"<html>a</html>")
    assert again == report
    assert (tmp_path / "1.vmod").read_bytes() == (tmp_path / "1b.vmod").read_bytes()
    add_chart(tmp_path / "1.vmod", tmp_path / "2.vmod", 'B & "C" ½', b"<html>b</html>")
    assert _charts(tmp_path / "2.vmod") == [
        ("Map A", chart_member("Map A")),
        ('B & "C" ½', chart_member('B & "C" ½')),
    ]
    add_chart(tmp_path / "2.vmod", tmp_path / "3.vmod", "Map A", b"<html>new</html>")
    assert len(_charts(tmp_path / "3.vmod")) == 2
    assert _read(tmp_path / "3.vmod")[chart_member("Map A")] == b"<html>new</html>"
    assert (
        _read(tmp_path / "3.vmod")["buildFile.xml"] == _read(tmp_path / "2.vmod")["buildFile.xml"]
    )
    remove_charts(tmp_path / "3.vmod", tmp_path / "4.vmod")
    assert _read(tmp_path / "4.vmod") == before
    assert list(_read(tmp_path / "4.vmod")) == list(before)


def test_boards_of_like_names_have_a_chart_each(tmp_path: Path) -> None:
    add_chart(_module(tmp_path / "g.vmod"), tmp_path / "1.vmod", "Map A", b"a")
    add_chart(tmp_path / "1.vmod", tmp_path / "2.vmod", "Map-A", b"b")
    add_chart(tmp_path / "2.vmod", tmp_path / "3.vmod", "Map-A", b"c")
    assert [name for name, _ in _charts(tmp_path / "3.vmod")] == ["Map A", "Map-A"]
    add_chart(tmp_path / "3.vmod", tmp_path / "4.vmod", "B\x00\n", b"d")
    assert _charts(tmp_path / "4.vmod")[-1] == ("B", "hexsight/b.chart.html")
    members = _read(tmp_path / "3.vmod")
    assert [members[member] for _, member in _charts(tmp_path / "3.vmod")] == [b"a", b"c"]


def test_a_chart_that_stands_beside_others_goes_alone(tmp_path: Path) -> None:
    add_chart(_module(tmp_path / "g.vmod"), tmp_path / "1.vmod", "A", b"a")
    members = _read(tmp_path / "1.vmod")
    build = members["buildFile.xml"].replace(
        b"</VASSAL.build.widget.TabWidget>",
        b'<VASSAL.build.widget.Chart chartName="mine"/></VASSAL.build.widget.TabWidget>',
    )
    with zipfile.ZipFile(tmp_path / "2.vmod", "w") as archive:
        for name, data in (members | {"buildFile.xml": build}).items():
            archive.writestr(name, data)
    remove_charts(tmp_path / "2.vmod", tmp_path / "3.vmod")
    text = _read(tmp_path / "3.vmod")["buildFile.xml"]
    assert b'chartName="mine"' in text
    assert b"HtmlChart" not in text


def test_nothing_is_written_where_it_does_not_belong(tmp_path: Path) -> None:
    source = _module(tmp_path / "g.vmod")
    with pytest.raises(UsageError, match="nothing to remove"):
        remove_charts(source, tmp_path / "x.vmod")
    with pytest.raises(OutputError, match="very file"):
        add_chart(source, source, "A", b"a")
    extension = _module(tmp_path / "e.vmdx", b"<VASSAL.build.module.ModuleExtension/>")
    with pytest.raises(UnsupportedError, match="no module"):
        add_chart(extension, tmp_path / "x.vmod", "A", b"a")
    with pytest.raises(UnsupportedError, match="no buildFile,"):
        add_chart(source, tmp_path / "x.vmod", "A", b"a", build_file="buildFile")
    plan = add_chart(source, tmp_path / "x.vmod", "A", b"a", dry_run=True)
    assert plan.size_bytes == 0
    assert not (tmp_path / "x.vmod").exists()
