"""Edits of a build file: golden bytes, exact undoing, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from hexsight.export import buildedit
from hexsight.export.buildedit import Edit, Insert, Remove, SetAttribute, edit_build_file
from hexsight.export.buildfile import BuildFile, parse_build_file
from hexsight.model.errors import InputError, VerificationError

# Attributes in no order, single quotes, comments, CDATA, tabs: nothing a tidy writer would leave.
BEFORE = """<?xml version='1.0' encoding="UTF-8"  standalone="no"?>
<!-- hand made -->
<VASSAL.build.GameModule  version="1.0" name='K&amp;K "Ü"'>
    <VASSAL.build.module.Map mapName="Main"   launch='false' >
        <VASSAL.build.module.map.LOS_Thread threadName="LOS" report="a &gt; b"/>
        <!-- keep > me -->
    </VASSAL.build.module.Map>
    <VASSAL.build.module.Empty/>
    <VASSAL.build.module.Open></VASSAL.build.module.Open>
\t<entry><![CDATA[<red>]]> side</entry>
</VASSAL.build.GameModule>
<!-- end -->
"""
AFTER = """<?xml version='1.0' encoding="UTF-8"  standalone="no"?>
<!-- hand made -->
<VASSAL.build.GameModule  version="1.1" name='K&amp;K "Ü"'>
    <VASSAL.build.module.Map mapName="Main"   launch='true' note="it's &lt;new&gt;" >
        <VASSAL.build.module.map.LOS_Thread threadName="LOS" report="a &gt; b"/>
        <Second n="1"/>
        <Third/>
        <!-- keep > me -->
    </VASSAL.build.module.Map>
    <VASSAL.build.module.Empty><In/></VASSAL.build.module.Empty>
    <VASSAL.build.module.Open>
        <In/></VASSAL.build.module.Open>
</VASSAL.build.GameModule>
<!-- end -->
""".replace("&lt;new&gt;", "&lt;new>")


def _edits(build_file: BuildFile) -> list[Edit]:
    (board_map,) = build_file.find("Map", mapName="Main")
    (empty,) = build_file.find("VASSAL.build.module.Empty")
    (opened,) = build_file.find("Open")
    return [
        SetAttribute(build_file.root, "version", "1.1"),
        SetAttribute(board_map, "launch", "true"),
        SetAttribute(board_map, "note", "it's <new>"),
        Insert(board_map, '<Second n="1"/>'),
        Insert(board_map, "<Third/>"),
        Insert(empty, "<In/>"),
        Insert(opened, "<In/>"),
        Remove(build_file.find("entry")[0]),
    ]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("bom", "codec", "declared"),
    [
        (b"", "utf-8", "UTF-8"),
        (b"\xef\xbb\xbf", "utf-8", "UTF-8"),
        (b"", "latin-1", "ISO-8859-1"),
        (b"", "cp1252", "windows-1252"),
        (b"\xff\xfe", "utf-16-le", "UTF-16"),
        (b"\xfe\xff", "utf-16-be", "UTF-16"),
    ],
)
def test_golden(newline: str, bom: bytes, codec: str, declared: str) -> None:
    def packed(text: str) -> bytes:
        text = text.replace('"UTF-8"', f'"{declared}"').replace("\n", newline)
        return bom + text.encode(codec)

    before = parse_build_file(packed(BEFORE))
    assert edit_build_file(before, _edits(before)).data == packed(AFTER)


def test_places_are_those_of_the_tags() -> None:
    found = parse_build_file(BEFORE.encode())
    for element in found.elements:
        start = found.text(element.start, element.start_end)
        assert start.startswith(f"<{element.tag}")
        assert start.endswith(">")
        if element.empty_tag:
            assert start.endswith("/>")
        else:
            assert found.text(element.end_start, element.end) == f"</{element.tag}>"
    assert [e.short_tag for e in found.children(found.root)] == ["Map", "Empty", "Open", "entry"]
    assert found.root.attributes["name"] == 'K&K "Ü"'
    assert found.find("LOS_Thread", within=found.find("Empty")[0]) == ()
    assert len(found.find("LOS_Thread", within=found.find("Map")[0])) == 1


def _undo(before: BuildFile, after: BuildFile, edit: Edit) -> Edit:
    if isinstance(edit, Insert):
        (new,) = after.find("New")
        return Remove(new)
    assert isinstance(edit, SetAttribute)
    element = after.elements[edit.element.number]
    old = before.elements[edit.element.number].attributes.get(edit.name)
    return SetAttribute(element, edit.name, old)


VALUES = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=9)


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_an_edit_and_its_opposite_give_the_same_bytes(data: st.DataObject) -> None:
    newline = data.draw(st.sampled_from(["\n", "\r\n"]))
    before = parse_build_file(BEFORE.replace("\n", newline).encode())
    element = data.draw(st.sampled_from(before.elements))
    edit: Edit
    if data.draw(st.booleans()):
        siblings = before.children(element)
        after = data.draw(st.sampled_from([None, *siblings]))
        text = data.draw(VALUES).replace("&", "").replace("<", "").replace(">", "")
        edit = Insert(element, f"<New>{text}</New>", after)
    else:
        edit = SetAttribute(element, "fresh", data.draw(VALUES))
    edited = edit_build_file(before, [edit])
    assert edited.data != before.data
    assert edit_build_file(edited, [_undo(before, edited, edit)]).data == before.data


@settings(max_examples=100, deadline=None)
@given(value=st.text(max_size=20), quote=st.sampled_from("'\""))
def test_any_value_of_an_attribute_reads_back(value: str, quote: str) -> None:
    before = parse_build_file(f"<a x={quote}1{quote} y='2'/>".encode())
    edit = SetAttribute(before.root, "x", value)
    if re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]", value):
        with pytest.raises(ValueError, match="cannot carry"):
            edit_build_file(before, [edit])
    else:
        after = edit_build_file(before, [edit])
        assert after.root.attributes == {"x": value, "y": "2"}


def test_signs_that_the_encoding_lacks_become_references() -> None:
    before = parse_build_file("<?xml version='1.0' encoding='ISO-8859-1'?><a/>".encode("latin-1"))
    after = edit_build_file(before, [Insert(before.root, "<b c='½–'>→</b>")])
    assert after.data.endswith(b"<a><b c='\xbd&#8211;'>&#8594;</b></a>")


def test_replacing_all_children_at_once_and_emptying_again() -> None:
    empty = parse_build_file(b"<a>\n  <m/>\n</a>")
    (m,) = empty.find("m")
    full = edit_build_file(empty, [Insert(m, f"<x n='{i}'/>") for i in range(3)])
    again = edit_build_file(
        full,
        [*(Remove(x) for x in full.find("x")), *(Insert(full.find("m")[0], "<y/>"),) * 2],
    )
    assert [e.tag for e in again.elements] == ["a", "m", "y", "y"]
    assert edit_build_file(full, [Remove(x) for x in full.find("x")]).data == empty.data


def test_text_around_an_element_stays() -> None:
    before = parse_build_file(b"<a>one  <b/> two <c/></a>")
    after = edit_build_file(before, [Remove(before.find("b")[0])])
    assert after.data == b"<a>one   two <c/></a>"


@pytest.mark.parametrize(
    "edits",
    [
        lambda f: [Remove(f.root)],
        lambda f: [Remove(f.find("Map")[0]), SetAttribute(f.find("LOS_Thread")[0], "x", "1")],
        lambda f: [Remove(f.find("Map")[0]), Insert(f.find("Map")[0], "<b/>")],
        lambda f: [Insert(f.root, "<b/>", after=f.find("LOS_Thread")[0])],
        lambda f: [Insert(f.root, "<b/><c/>")],
        lambda f: [Insert(f.root, "<b>")],
        lambda f: [Insert(f.root, "<!-- b --><c/>")],
        lambda f: [Insert(f.root, "")],
        lambda f: [SetAttribute(f.root, "a b", "1")],
        lambda f: [SetAttribute(parse_build_file(b"<other/>").root, "a", "1")],
    ],
)
def test_contradictions_are_refused(edits: object) -> None:
    before = parse_build_file(BEFORE.encode())
    assert callable(edits)
    with pytest.raises(ValueError):
        edit_build_file(before, edits(before))


def test_a_wrong_edit_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    before = parse_build_file(b"<a x='1'><b/></a>")
    monkeypatch.setattr(buildedit, "_set_in_tag", lambda tag, name, value: tag.replace("1", "3"))
    with pytest.raises(VerificationError, match="something else"):
        edit_build_file(before, [SetAttribute(before.root, "x", "2")])


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", "line 1"),
        (b"<a><b></a>", "line 1: mismatched tag"),
        (b"<a x='1' x='2'/>", "duplicate attribute"),
        (b"<!DOCTYPE a [<!ENTITY e 'e'>]><a>&e;</a>", "DOCTYPE"),
        (b"<?xml version='1.0' encoding='klingon'?><a/>", "klingon|encoding"),
        (b"<a>" * 1000, "nested deeper"),
        (b"<a>\xff</a>", "invalid token"),
    ],
)
def test_what_cannot_be_read_is_told(data: bytes, text: str) -> None:
    with pytest.raises(InputError, match=text) as caught:
        parse_build_file(data, "buildFile.xml in g.vmod")
    assert "buildFile.xml in g.vmod" in str(caught.value)


def test_a_table_of_messages_is_inserted_and_removed() -> None:
    messages = "".join(f"<m n='{i}' v='{'abc' * 500}'/>\n" for i in range(1500))
    before = parse_build_file(f"<a>\n<old>{messages}</old>\n<new/>\n</a>".encode())
    (new,) = before.find("new")
    after = edit_build_file(
        before, [Insert(new, f"<m n='{i}' v='{'x' * 99}'/>") for i in range(1500)]
    )
    back = edit_build_file(after, [Remove(m) for m in after.children(after.find("new")[0])])
    assert back.data == before.data


@pytest.mark.shared
def test_build_files_of_real_modules(shared: Path) -> None:
    files = sorted(shared.glob("modules/*/buildFile*"))
    assert files
    for file in files:
        data = file.read_bytes()
        found = parse_build_file(data, str(file))
        root = etree.fromstring(data)
        assert [e.tag for e in found.elements] == [e.tag for e in root.iter(etree.Element)]
        grid = found.find("HexGrid")[0]
        edited = edit_build_file(
            found, [SetAttribute(grid, "x0", "7"), Insert(found.root, "<x y='1'/>")]
        )
        grid = edited.elements[grid.number]
        back = edit_build_file(
            edited,
            [
                SetAttribute(grid, "x0", found.find("HexGrid")[0].attributes["x0"]),
                Remove(edited.find("x")[0]),
            ],
        )
        assert back.data == data
