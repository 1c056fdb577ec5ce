"""Stock exports in modules and extensions: in, again, out, without a trace."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

import numpy as np
import pytest
from lxml import etree
from stock_game import EMPTY, Game, build_xml, decode, load_game, members, random_board, write_game

from hexsight.cli import run
from hexsight.export.buildfile import parse_build_file
from hexsight.export.extension import extension_members, is_our_extension, write_extension
from hexsight.export.html_module import add_chart
from hexsight.export.stock import StockReport, export_stock
from hexsight.export.stock_components import MARKER_MEMBER, Component, components
from hexsight.export.stock_messages import encode_messages
from hexsight.export.vassal import (
    MANIFEST,
    ExportBoard,
    export_module,
    read_manifest,
    remove_export,
)
from hexsight.export.vassal_inplace import backup_of, change_in_place, draft_of
from hexsight.model.errors import InputError, OutputError, UnsupportedError, UsageError

CONTAINERS = (
    "VASSAL.build.module.properties.GlobalTranslatableMessages",
    "VASSAL.build.module.properties.GlobalProperties",
    "VASSAL.build.module.PrototypesContainer",
)


def parts_of(seed: int = 1, *, levels: int = 2) -> list[Component]:
    board, _ = random_board("B", [levels, 1, 1], np.random.default_rng(seed))
    return components(encode_messages([board]), {"Main Map": ["B"]}, "hexsight_Level")


def put(source: Path, target: Path, seed: int = 1, **how: bool) -> StockReport:
    return export_stock(source, target, "buildFile.xml", parts_of(seed), ["B"], **how)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return write_game(tmp_path / "game.vmod")


@pytest.mark.parametrize("lacking", [(), (0,), (1, 2), (0, 1, 2)])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_out_again_without_a_trace(tmp_path: Path, lacking: tuple[int, ...], newline: str) -> None:
    extra = [part for k, part in enumerate(EMPTY) if k not in lacking]
    build = build_xml(extra=extra).replace(b"\n", newline.encode())
    game = write_game(tmp_path / "game.vmod", build)
    before = game.read_bytes()
    full, plain = tmp_path / "full.vmod", tmp_path / "plain.vmod"
    report = put(game, full)
    assert report.members.replaced == ("buildFile.xml",)
    assert report.members.added == (MANIFEST, MARKER_MEMBER)
    assert report.members.kept == ("images/map.png", "moduledata")
    assert members(full)[:3:2] == members(game)[::2]
    assert members(full)[1][:3] == members(game)[1][:3]
    remove_export(full, plain)
    assert members(plain) == members(game)
    assert game.read_bytes() == before


def test_everything_else_in_the_build_file_stays(game: Path, tmp_path: Path) -> None:
    full = tmp_path / "full.vmod"
    put(game, full)
    old = parse_build_file(members(game)[1][3])
    new = parse_build_file(members(full)[1][3])
    assert b"<!-- kept -->" in new.data
    ours = {e.number for e in new.elements if "hexsight" in new.text(e.start, e.start_end)}
    kept = [e for e in new.elements if not {e.number, e.parent} & ours]
    assert [(e.tag, e.attributes) for e in kept] == [(e.tag, e.attributes) for e in old.elements]


def test_twice_gives_the_same_bytes_and_so_does_once_more_over_it(
    game: Path, tmp_path: Path
) -> None:
    one, two, three, four = (tmp_path / f"{k}.vmod" for k in range(4))
    put(game, one)
    put(game, two)
    assert one.read_bytes() == two.read_bytes()
    report = put(one, three)
    assert three.read_bytes() == one.read_bytes()
    assert report.removed == report.added
    put(one, four, seed=2)
    other = tmp_path / "other.vmod"
    put(game, other, seed=2)
    assert four.read_bytes() == other.read_bytes() != one.read_bytes()


def test_an_editor_that_saved_in_between(game: Path, tmp_path: Path) -> None:
    """VASSAL's editor writes the whole file anew; names stay, and the author's new parts too."""
    full, edited, plain = (tmp_path / f"{n}.vmod" for n in ("full", "edited", "plain"))
    put(game, full)
    root = etree.fromstring(members(full)[1][3], etree.XMLParser(remove_comments=True))
    container = root.find(CONTAINERS[0])
    etree.SubElement(container, CONTAINERS[0][:-1], name="mine", initialValue="x", description="")
    etree.indent(root)
    manifest = zipfile.ZipFile(full).read(MANIFEST)
    write_game(edited, etree.tostring(root, encoding="UTF-8"))
    with zipfile.ZipFile(edited, "a") as archive:
        archive.writestr(MANIFEST, manifest)
    remove_export(edited, plain)
    build = parse_build_file(members(plain)[1][3])
    assert b"hexsight" not in build.data
    assert [e.attributes["name"] for e in build.find(CONTAINERS[0][:-1])] == ["mine"]


def test_a_made_container_that_was_used_since_stays(tmp_path: Path) -> None:
    game = write_game(tmp_path / "game.vmod", build_xml(extra=()))
    full, plain = tmp_path / "full.vmod", tmp_path / "plain.vmod"
    put(game, full)
    assert sorted(read_manifest(full).stock.made) == sorted(CONTAINERS)
    build = members(full)[1][3].decode()
    mine = f'<{CONTAINERS[1][:-3]}y name="mine"/></{CONTAINERS[1]}>'
    manifest = zipfile.ZipFile(full).read(MANIFEST)
    write_game(full, build.replace(f"</{CONTAINERS[1]}>", mine).encode())
    with zipfile.ZipFile(full, "a") as archive:
        archive.writestr(MANIFEST, manifest)
    remove_export(full, plain)
    found = parse_build_file(members(plain)[1][3])
    assert [e.tag for e in found.children(found.root)][1:] == [CONTAINERS[1]]


def test_the_palette_is_a_choice(game: Path, tmp_path: Path) -> None:
    full, bare, plain = (tmp_path / f"{n}.vmod" for n in ("full", "bare", "plain"))
    put(game, full)
    build = parse_build_file(members(full)[1][3])
    (slot,) = build.find("PieceSlot")
    definition = build.text(slot.start_end, slot.end_start)
    plus, who, types, states = decode(definition, "/")
    assert (plus, who, states) == ("+", "null", "\tnull;0;0;;0")
    assert decode(types, "\t") == [
        "prototype;hexsight LOS marker",
        f"piece;;;{Path(MARKER_MEMBER).name};LOS marker",
    ]
    assert etree.fromstring(zipfile.ZipFile(full).read(MARKER_MEMBER)).get("width") == "48"
    board, _ = random_board("B", [2, 1, 1], np.random.default_rng(1))
    parts = components(encode_messages([board]), {"Main Map": ["B"]}, "L", palette=False)
    report = export_stock(full, bare, "buildFile.xml", parts, ["B"])
    assert report.members.removed == (MARKER_MEMBER,)
    assert not parse_build_file(members(bare)[1][3]).find("PieceSlot")
    remove_export(bare, plain)
    assert members(plain) == members(game)


def test_tables_and_messages_know_of_one_another(game: Path, tmp_path: Path) -> None:
    tables, both, again, plain = (tmp_path / f"{k}.vmod" for k in range(4))
    export_module(game, tables, [ExportBoard("B", b"table")])
    put(tables, both)
    manifest = read_manifest(both)
    assert manifest.boards[0].name == "B"
    assert manifest.stock.elements == len(parts_of())
    export_module(both, again, [ExportBoard("C", b"table 2")])
    manifest = read_manifest(again)
    assert ([b.name for b in manifest.boards], manifest.stock.boards) == (["C"], ["B"])
    assert load_game(again).engine.messages == load_game(both).engine.messages
    remove_export(again, plain)
    assert members(plain) == members(game)


def test_a_manifest_cannot_make_us_edit_other_members(game: Path, tmp_path: Path) -> None:
    full = tmp_path / "full.vmod"
    put(game, full)
    manifest = json.loads(zipfile.ZipFile(full).read(MANIFEST))
    for wrong in ({"build_file": "moduledata"}, {"made": ["VASSAL.build.module.Map"]}):
        write_game(tmp_path / "bad.vmod")
        with zipfile.ZipFile(tmp_path / "bad.vmod", "a") as archive:
            said = {**manifest, "stock": {**manifest["stock"], **wrong}}
            archive.writestr(MANIFEST, json.dumps(said))
        with pytest.raises(InputError, match="no export does"):
            remove_export(tmp_path / "bad.vmod", tmp_path / "x.vmod")


def test_what_cannot_be_exported_into(game: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.vmod"
    with pytest.raises(InputError, match="no map 'Main Map'"):
        put(write_game(tmp_path / "a.vmod", build_xml(("Other",))), out)
    with pytest.raises(InputError, match="Cannot find buildFile in"):
        export_stock(game, out, "buildFile", parts_of(), ["B"])
    extension = b'<VASSAL.build.module.ModuleExtension module="x"/>'
    with pytest.raises(UnsupportedError, match="it is an extension"):
        put(write_game(tmp_path / "b.vmod", extension), out)
    assert not out.exists()


def test_a_build_file_that_would_be_too_large(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hexsight.export.stock_edit.MAX_XML_BYTES", 5000)
    with pytest.raises(UnsupportedError, match="--max-range"):
        put(game, tmp_path / "out.vmod")


def test_a_dry_run_writes_nothing(game: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.vmod"
    report = put(game, out, dry_run=True)
    real = put(game, out)
    assert (report.added, report.build_bytes, report.packed_bytes, report.members.kept) == (
        real.added,
        real.build_bytes,
        real.packed_bytes,
        real.members.kept,
    )
    assert report.members.size_bytes == 0


class TestInPlace:
    def test_the_old_file_stays_beside(self, game: Path) -> None:
        before, mode = game.read_bytes(), 0o640
        game.chmod(mode)
        backup = backup_of(game)
        change_in_place(game, lambda path: put(game, path))
        assert backup.read_bytes() == before
        assert load_game(game).viewers
        assert game.stat().st_mode & 0o777 == mode
        assert sorted(p.name for p in game.parent.iterdir()) == ["game.vmod", "game.vmod.bak"]
        change_in_place(game, lambda path: remove_export(game, path))
        assert [m[3] for m in members(game)][0::2] == [m[3] for m in members(backup)][0:3:2]

    def test_no_copy_is_ever_lost(self, game: Path) -> None:
        states = [game.read_bytes()]
        for seed in (1, 2):
            change_in_place(game, lambda path, n=seed: put(game, path, n))  # type: ignore[misc]
            states.append(game.read_bytes())
        change_in_place(game, lambda path: remove_export(game, path))
        copies = [game.with_name(f"game.vmod.bak{end}") for end in ("", "2", "3")]
        assert [c.read_bytes() for c in copies] == states
        assert backup_of(game).name == "game.vmod.bak4"

    def test_a_copy_that_came_meanwhile_stays(self, game: Path) -> None:
        before, backup = game.read_bytes(), backup_of(game)
        backup.write_bytes(b"precious")
        with pytest.raises(OutputError, match="meanwhile"):
            change_in_place(game, lambda path: put(game, path), backup=backup)
        assert (game.read_bytes(), backup.read_bytes()) == (before, b"precious")

    def test_copies_lie_beside_what_a_link_leads_to(self, game: Path) -> None:
        link = game.with_name("link.vmod")
        link.symlink_to(game)
        game.with_name("game.vmod.bak").symlink_to("nowhere")
        assert backup_of(link) == game.resolve().with_name("game.vmod.bak2")

    @pytest.mark.parametrize("step", ["open", "replace"])
    def test_a_lock_by_a_running_vassal(
        self, game: Path, monkeypatch: pytest.MonkeyPatch, step: str
    ) -> None:
        before = game.read_bytes()
        refused = PermissionError(13, "The process cannot access the file")
        real_open, real_replace = Path.open, os.replace

        def opened(path: Path, mode: str = "r", *rest: object, **more: object) -> object:
            if step == "open" and path.name == "game.vmod" and "+" in mode:
                raise refused
            return real_open(path, mode, *rest, **more)

        def replaced(old: str, new: str) -> None:
            if step == "replace" and Path(new).name == "game.vmod":
                raise refused
            real_replace(old, new)

        monkeypatch.setattr(Path, "open", opened)
        monkeypatch.setattr(os, "replace", replaced)
        with pytest.raises(OutputError, match="Close VASSAL"):
            change_in_place(game, lambda path: put(game, path))
        monkeypatch.undo()
        assert game.read_bytes() == before
        assert not draft_of(game).exists()

    def test_a_failure_leaves_all_as_it_was(self, game: Path) -> None:
        before = game.read_bytes()

        def fails(path: Path) -> None:
            path.write_bytes(b"half")
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            change_in_place(game, fails)
        assert game.read_bytes() == before
        assert [p.name for p in game.parent.iterdir()] == ["game.vmod"]

    def test_a_folder_or_nothing(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="is a folder"):
            change_in_place(tmp_path, lambda path: None)
        with pytest.raises(InputError, match="Cannot find"):
            change_in_place(tmp_path / "none.vmod", lambda path: None)


class TestExtension:
    def write(self, game: Path, target: Path, seed: int = 1, **how: bool) -> Game:
        build = parse_build_file(members(game)[1][3])
        found = extension_members(build, parts_of(seed), ["B"], members(game)[2][3])
        write_extension(target, found, overwrite=how.get("overwrite", False))
        return load_game(target)

    def test_it_says_what_the_module_would(self, game: Path, tmp_path: Path) -> None:
        before = game.read_bytes()
        full, extension = tmp_path / "full.vmod", tmp_path / "los.vmdx"
        put(game, full)
        inside, outside = load_game(full), self.write(game, extension)
        assert outside.engine.messages == inside.engine.messages
        assert (outside.viewers, outside.threads) == (inside.viewers, inside.threads)
        assert outside.traits == inside.traits
        assert game.read_bytes() == before

    def test_it_is_built_as_vassal_builds_them(self, tmp_path: Path) -> None:
        game = write_game(tmp_path / "g.vmod", build_xml(('Map: "1"/2',)))
        board, _ = random_board("B", [1], np.random.default_rng(1), maps=('Map: "1"/2',))
        parts = components(encode_messages([board]), {'Map: "1"/2': ["B"]}, "hexsight_Level")
        build = parse_build_file(members(game)[1][3])
        found = extension_members(build, parts, ["B"], None)
        root = etree.fromstring(found["buildFile.xml"])
        assert root.tag == "VASSAL.build.module.ModuleExtension"
        assert (root.get("module"), root.get("moduleVersion")) == ("Game & <Co>", "1.2")
        assert {len(e) for e in root} == {1}
        assert {e.get("target") for e in root} == {
            "",
            *CONTAINERS,
            'VASSAL.build.module.Map:Map\\: "1"\\/2',
        }
        assert etree.fromstring(found["extensiondata"]).findtext("VassalVersion") == "3.6.0"
        assert etree.fromstring(found["moduledata"]).findtext("name") == "Game & <Co>"

    def test_only_our_own_is_ever_replaced(self, game: Path, tmp_path: Path) -> None:
        target = tmp_path / "los.vmdx"
        self.write(game, target)
        first = target.read_bytes()
        assert is_our_extension(target)
        with pytest.raises(OutputError, match="exists already"):
            self.write(game, target)
        self.write(game, target, overwrite=True)
        assert target.read_bytes() == first
        self.write(game, target, seed=2, overwrite=True)
        assert target.read_bytes() != first
        with zipfile.ZipFile(target, "a") as archive:
            archive.writestr("images/mine.png", b"x")
        with pytest.raises(OutputError, match="not written by hexsight"):
            self.write(game, target, overwrite=True)
        with pytest.raises(OutputError, match=r"end in \.vmdx"):
            self.write(game, tmp_path / "los.vmod")

    def test_a_module_without_a_name(self) -> None:
        build = parse_build_file(b"<VASSAL.build.GameModule/>")
        with pytest.raises(UnsupportedError, match="names no module"):
            extension_members(build, parts_of(), ["B"], None)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["game.vmod", "-o", "a.vmod", "--in-place"], 2, "Choose one of"),
        (["game.vmod", "--remove", "--extension", "x.vmdx"], 2, "deleting its file"),
        (["game.vmod", "--remove"], 2, "nothing to remove"),
        (["game.vmod", "--levels", "roof,attic"], 2, "does not know 'attic'"),
        (["game.vmod", "none"], 3, "holds no board"),
        (["none.vmod", "--in-place"], 3, "Cannot find none.vmod"),
        (["game.vmod", "-o", "game.vmod", "--force"], 5, "the very file that is being read"),
        (["game.vmod", "--extension", "x.vmod"], 5, "end in .vmdx"),
    ],
)
def test_mistakes_on_the_command_line(
    game: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int,
    said: str,
) -> None:
    monkeypatch.chdir(game.parent)
    before = game.read_bytes()
    assert run(["export", "-q", *arguments]) == code
    assert said in capsys.readouterr().err
    assert [(p.name, p.read_bytes()) for p in game.parent.iterdir()] == [("game.vmod", before)]


def test_a_board_folder_is_not_written_over(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = game.parent / "game-hexsight"
    folder.mkdir()
    (folder / "board.json").write_text("{}")
    monkeypatch.chdir(game.parent)
    assert run(["export", "-q", "game.vmod", "-o", "game-hexsight/board.json", "--force"]) == 5
    assert "part of the board" in capsys.readouterr().err
    assert (folder / "board.json").read_text() == "{}"


def test_charts_are_removed_without_a_board(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    charted, plain = tmp_path / "charted.vmod", tmp_path / "plain.vmod"
    add_chart(game, charted, "B", b"<html></html>", build_file="buildFile.xml")
    into = ["charts", "--into", str(charted), "-o", str(plain), "-q"]
    assert run(into) == 2
    assert "Name the BOARD" in capsys.readouterr().err
    assert run([*into, "--remove", "--csv", str(tmp_path / "x.csv")]) == 2
    assert run([*into, "--remove"]) == 0
    assert members(plain)[1][3] == members(game)[1][3]


def test_a_zip_that_cannot_be_copied_is_refused_before_the_work(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with game.open("ab") as file:
        file.write(b"more")
    # There is no result folder: that would be told next.
    assert run(["export", str(game), str(tmp_path / "none"), "-q"]) == 3
    assert "game.vmod" in (told := capsys.readouterr().err)
    assert "holds no board" not in told
