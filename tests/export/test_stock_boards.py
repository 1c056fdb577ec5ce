"""The whole way on boards: what is read out of the exported module is what the table says."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest
from stock_game import Game, load_game, members

from hexsight.cli import run
from hexsight.export.stock import export_stock
from hexsight.export.stock_sayings import saying
from hexsight.export.vassal import read_manifest
from hexsight.los.blocking import blocking_places
from hexsight.los.explain import explain_compiled
from hexsight.los.profile import load_profile
from hexsight.los.table import Table, build_table, write_table
from hexsight.model.board import Board
from hexsight.model.layout import hex_distance
from hexsight.model.store import save_board
from hexsight.pipeline import extract_board
from hexsight.reading import Request
from hexsight.samples import write_samples
from hexsight.stocking import StockChoice, board_folders, gather

PAIRS = 2000
TITLES = {"red-factory": "Red Factory", "sideways-mill": "Sideways Mill"}
PROFILE = load_profile("asl")
Exported = tuple[Path, dict[str, tuple[Board, Table]]]


def label_of(location: str) -> str:
    """``K15@2`` as a player reads it."""
    name, _, level = location.partition("@")
    words = {"": "", "-1": " cellar", "roof": " roof", "bridge": " bridge"}
    return name + words.get(level, f" level {level}")


def reads_as(table: Table, a: str, b: str, said: str) -> bool:
    """Whether a sentence says what the table does, the reason aside."""
    entry = table.query(a, b)
    if entry.state == "blocked":
        return said.startswith("blocked")
    return said == ("clear" if entry.state == "clear" else f"clear, hindered by {entry.hindrance}")


def known_hexes(game: Game, board: Board) -> set[str]:
    """Hexes that the module has names for."""
    start = f"hexsight.at.Main Map|{board.name}/"
    keys = [k.removeprefix(start) for k in game.engine.messages if k.startswith(start)]
    return {k.partition("@")[0] for k in keys} & set(board.by_name)


def check_pairs(
    game: Game, board: Board, table: Table, pairs: int, *, most: int | None = None
) -> dict[tuple[str, str], str]:
    """Random pairs by way of marker and viewer; gives what was said."""
    rng = np.random.default_rng(2026)
    said: dict[tuple[str, str], str] = {}
    known = known_hexes(game, board)
    names = [n for n in table.names if n.partition("@")[0] in known]
    while len(said) < pairs:
        i, j = rng.integers(0, len(names), 2).tolist()
        a, b = names[i], names[j]
        (name_a, _, level), name_b = a.partition("@"), b.partition("@")[0]
        mark = game.mark("Main Map", board.name, name_a, level)
        text = game.viewer("Main Map", board.name, name_b, mark)
        head, _, rest = text.partition(" → ")
        assert head == label_of(a)
        told = dict(part.split(": ", 1) for part in rest.split("; "))
        one, two = board.by_name[name_a], board.by_name[name_b]
        away = hex_distance((one.col, one.row), (two.col, two.row))
        if most is not None and away > most:
            assert told[label_of(b)] == "farther than the table reaches"
            continue
        assert reads_as(table, a, b, told[label_of(b)]), (a, b, text)
        said[a, b] = told[label_of(b)]
    return said


def check_reasons(board: Board, said: dict[tuple[str, str], str], most: int) -> None:
    """What blocks, and where, is among what an explanation of the line finds."""
    finder = blocking_places(board, PROFILE)
    left = most
    for (a, b), text in said.items():
        if not text.startswith("blocked") or a.partition("@")[0] == b.partition("@")[0]:
            continue
        reasons = explain_compiled(finder.compiled, a, b).reasons
        known = {
            saying(True, 0, r.code, r.text, r.hexside or r.vertex or r.hex or "") for r in reasons
        }
        assert text in known, (a, b, text)
        left -= 1
        if not left:
            return
    raise AssertionError("too few blocked lines")


@pytest.fixture(scope="module")
def exported(
    tmp_path_factory: pytest.TempPathFactory,
) -> Exported:
    """Folder with the samples' module and its export, and both boards with their tables."""
    folder = tmp_path_factory.mktemp("stock")
    write_samples(folder)
    built = {}
    for slug, title in TITLES.items():
        board = extract_board(Request(folder / "red-factory.vmod", title)).board
        table = build_table(board, PROFILE)
        save_board(board, folder / "result" / slug)
        write_table(table, folder / "result" / slug / "los.lostab")
        built[title] = (board, table)
    arguments = [str(folder / "red-factory.vmod"), str(folder / "result")]
    assert run(["export", "-q", *arguments, "-o", str(folder / "out.vmod")]) == 0
    return folder, built


@pytest.mark.parametrize("title", TITLES.values())
def test_samples(exported: Exported, title: str) -> None:
    folder, built = exported
    board, table = built[title]
    game = load_game(folder / "out.vmod")
    said = check_pairs(game, board, table, PAIRS)
    check_reasons(board, said, 60)
    assert any("by the wall" in text for text in said.values())


def test_the_thread_of_the_sample(
    exported: Exported,
) -> None:
    folder, built = exported
    _, table = built["Red Factory"]
    game = load_game(folder / "out.vmod")
    for a, b in (("D7", "K7"), ("B8", "Q4")):
        line = game.thread("Main Map", a, b, hexsight_ThreadBoard="Red Factory")
        told = dict(part.split(": ", 1) for part in line.partition(" → ")[2].split("; "))
        said = told[b].removesuffix(" (range 7)")
        assert reads_as(table, a, b, said), line
        assert line.startswith(f"LOS on Red Factory: {a} → {b}: ")


def test_by_the_command_line_and_back(
    exported: Exported, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, _ = exported
    module, result = str(folder / "red-factory.vmod"), str(folder / "result")
    out, plain, extension = (str(folder / n) for n in ("out2.vmod", "plain.vmod", "los.vmdx"))
    short = ["--no-places", "--max-range", "6", "--levels", "0,roof"]
    assert run(["export", "-q", module, result, "-o", out, "--dry-run", *short]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Would write")
    assert "members replaced: buildFile.xml" in told
    assert "images/" in told
    assert not Path(out).exists()
    assert run(["export", "-q", module, result, "-o", out, "--json", *short]) == 0
    assert '"elements_added"' in capsys.readouterr().out
    assert run(["export", "-q", out, "--remove", "-o", plain]) == 0
    assert members(Path(plain)) == members(folder / "red-factory.vmod")
    assert run(["export", "-q", module, result, "--extension", extension, *short]) == 0
    assert load_game(Path(extension)).engine.messages == load_game(Path(out)).engine.messages
    assert run(["export", "-q", extension, result, "-o", str(folder / "x.vmod")]) == 4


def test_a_range_and_levels(exported: Exported) -> None:
    folder, built = exported
    board, table = built["Sideways Mill"]
    ground = frozenset({"0"})
    choice = StockChoice(max_range=4, levels=ground, places=False)
    stock = gather(folder / "red-factory.vmod", board_folders(folder / "result"), choice)
    out = folder / "near.vmod"
    source = folder / "red-factory.vmod"
    export_stock(source, out, "buildFile.xml", stock.parts, stock.boards, overwrite=True)
    game = load_game(out)
    assert not any("roof" in name for name in game.engine.messages)
    names = [n for n in table.names if "@" not in n]
    rng = np.random.default_rng(1)
    far = 0
    for i, j in rng.integers(0, len(names), (400, 2)).tolist():
        a, b = board.by_name[names[i]], board.by_name[names[j]]
        mark = game.mark("Main Map", board.name, a.name)
        said = game.viewer("Main Map", board.name, b.name, mark).partition(": ")[2]
        if hex_distance((a.col, a.row), (b.col, b.row)) > 4:
            far += 1
            assert said == "farther than the table reaches"
        else:
            assert reads_as(table, a.name, b.name, said)
    assert 0 < far < 400


def test_a_build_can_export_too(exported: Exported, tmp_path: Path) -> None:
    folder, _ = exported
    (tmp_path / "hexsight.yaml").write_text(
        f"source: {folder / 'red-factory.vmod'}\nboard: Sideways Mill\ngrid: module\n"
        "export: {stock: true, picture: false, max_range: 3, levels: '0'}\n"
    )
    assert run(["build", "-q", str(tmp_path), "-o", str(tmp_path / "out")]) == 0
    module = tmp_path / "out" / "red-factory.vmod"
    manifest = read_manifest(module)
    assert [b.name for b in manifest.boards] == ["Sideways Mill"]
    assert manifest.stock is not None
    game = load_game(module)
    said = game.viewer(
        "Main Map", "Sideways Mill", "J07", game.mark("Main Map", "Sideways Mill", "J08")
    )
    assert said == "J08 → J07: blocked by the wall J07-J08"
    (tmp_path / "hexsight.yaml").write_text(
        f"source: {folder / 'red-factory.vmod'}\nexport: {{levels: attic}}\n"
    )
    assert run(["build", "-q", str(tmp_path), "-o", str(tmp_path / "out2")]) == 2


def wrap(board: Board, path: Path) -> Path:
    """A module whose grid names the hexes of a VASL board; without its picture."""
    layout, (width, height) = board.layout, board.size_px
    first = board.by_name["A1"]
    grid = {
        "dx": repr(layout.dx),
        "dy": repr(layout.dy),
        "x0": str(round(first.x_px - layout.dx)),
        "y0": str(round(first.y_px - layout.dy / 2)),
    }
    place = "VASSAL.build.module.map.boardPicker.board"
    numbers = 'hType="A" hLeading="0" vLeading="0" hOff="-1" vOff="0"'
    said = " ".join(f'{k}="{v}"' for k, v in grid.items())
    text = f"""<VASSAL.build.GameModule name="Wrapped" version="1.0" VassalVersion="3.7.5">
    <VASSAL.build.module.Map mapName="Main Map">
        <VASSAL.build.module.map.BoardPicker>
            <{place[:-6]}.Board name="{board.name}" width="{width}" height="{height}">
                <{place}.HexGrid {said}>
                    <{place}.mapgrid.HexGridNumbering {numbers}/>
                </{place}.HexGrid>
            </{place[:-6]}.Board>
        </VASSAL.build.module.map.BoardPicker>
    </VASSAL.build.module.Map>
</VASSAL.build.GameModule>
"""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("buildFile.xml", text)
        archive.writestr("moduledata", "<data><VassalVersion>3.7.5</VassalVersion></data>")
    return path


@pytest.mark.shared
def test_a_real_board(shared: Path, tmp_path: Path) -> None:
    source = shared / "boards" / "bdRBv2"
    board = extract_board(Request(source, terrain_from="losdata")).board
    table = build_table(board, PROFILE)
    save_board(board, tmp_path / "result")
    write_table(table, tmp_path / "result" / "los.lostab")
    module = wrap(board, tmp_path / "wrapped.vmod")
    for choice, most in (
        (StockChoice(places=False), None),
        (StockChoice(max_range=7), 7),
    ):
        stock = gather(module, [tmp_path / "result"], choice)
        out = tmp_path / "out.vmod"
        report = export_stock(
            module, out, "buildFile.xml", stock.parts, stock.boards, overwrite=True
        )
        assert report.build_bytes < 7_000_000
        assert report.members.size_bytes < 1_300_000
        game = load_game(out)
        assert len(known_hexes(game, board)) > 0.98 * len(board.hexes)
        said = check_pairs(game, board, table, PAIRS if most is None else 200, most=most)
        if most is not None:
            check_reasons(board, said, 40)
