"""Messages and expressions: what a player reads is what was to be said."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from beanshell import BeanShellError, Engine, Parser, bare, java_string, shown
from hypothesis import given, settings
from hypothesis import strategies as st
from stock_game import Game, build_xml, decode, load_game, piece, random_board, write_game

from hexsight.export.stock import export_stock
from hexsight.export.stock_components import components, sequence
from hexsight.export.stock_expressions import (
    BEYOND,
    MARK,
    literal,
    piece_expression,
    thread_expression,
    viewer_expression,
)
from hexsight.export.stock_messages import (
    ALPHABET,
    StockBoard,
    code,
    encode_messages,
    java_form,
)
from hexsight.export.stock_sayings import saying
from hexsight.export.stock_size import (
    Spread,
    distances,
    estimate_bytes,
    largest_range,
    load_seconds,
    spread_of,
)
from hexsight.model.errors import UnsupportedError, UsageError
from hexsight.model.layout import hex_distance

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


def game_of(tmp_path: Path, boards: list[StockBoard], **how: object) -> Game:
    found = encode_messages(boards, **how)
    names: dict[str, list[str]] = {}
    for board in boards:
        for map_name in board.maps:
            names.setdefault(map_name, []).append(board.name)
    source = write_game(tmp_path / "g.vmod", build_xml(tuple(names)))
    out = tmp_path / "out.vmod"
    parts = components(found, names, "hexsight_Level")
    export_stock(source, out, "buildFile.xml", parts, [b.name for b in boards], overwrite=True)
    return load_game(out)


def expected(board: StockBoard, square: np.ndarray, i: int, j: int) -> str:
    if i == j:
        return board.texts(0)
    return BEYOND if square[i, j] < 0 else board.texts(int(square[i, j]))


def check_all(game: Game, board: StockBoard, square: np.ndarray, map_name: str) -> None:
    """Viewer, thread and piece say for every pair what stands in the square."""
    ranges = {board.places[a].location: (a, b) for a, b in board.hexes}
    for i, start in enumerate(board.places):
        mark = game.mark(map_name, board.name, start.location, start.level)
        for location, (a, b) in ranges.items():
            told = "; ".join(
                f"{board.places[j].label}: {expected(board, square, i, j)}" for j in range(a, b)
            )
            said = game.viewer(map_name, board.name, location, mark)
            assert said == f"{start.label} → {told}"
            line = game.thread(map_name, start.location, location, hexsight_ThreadLevel=start.level)
            assert line == f"LOS {start.label} → {told} (range 7)"
        for j, end in enumerate(board.places):
            answer = game.engine.evaluate(
                game.trait("calcProp")[1],
                piece={
                    **piece(map_name, board.name, end.location, end.level),
                    "hexsight_From": mark,
                },
            )
            told = expected(board, square, i, j)
            assert answer == f"{start.label} → {end.label}: {told}"


@settings(max_examples=12, deadline=None)
@given(
    st.lists(st.integers(1, 3), min_size=1, max_size=9), st.integers(0, 2**32 - 1), st.booleans()
)
def test_every_pair_says_what_it_should(sizes: list[int], seed: int, in_range: bool) -> None:
    board, square = random_board("B", sizes, np.random.default_rng(seed))
    with tempfile.TemporaryDirectory() as folder:
        game = game_of(Path(folder), [board], in_range=in_range)
    check_all(game, board, square, "Main Map")


def test_more_tiles_than_one_and_codes_of_two_characters(tmp_path: Path) -> None:
    board, square = random_board("B", [1, 2] * 60, np.random.default_rng(3), answers=900)
    found = encode_messages([board])
    rows = [text for name, text in found.items if name.startswith("hexsight.row.")]
    assert rows[0].count(MARK) == 3
    assert rows[-1].count(MARK) == 1
    n = len(board.places)
    assert sum(map(len, rows)) < 2 * (n * n / 2 + 64 * n) + 9 * n
    assert found.pairs == (square[np.triu_indices(n, 1)] >= 0).sum()
    game = game_of(tmp_path, [board])
    rng = np.random.default_rng(4)
    for i, j in rng.integers(0, n, (300, 2)).tolist():
        start, end = board.places[i], board.places[j]
        mark = game.mark("Main Map", "B", start.location, start.level)
        said = game.viewer("Main Map", "B", end.location, mark)
        assert f"{end.label}: {expected(board, square, i, j)}" in said.partition(" → ")[2].split(
            "; "
        )


def test_boards_of_one_map_whose_names_repeat(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    names = ["A1", "A2", "0101", "B1"]
    one, one_says = random_board("One", [1, 2, 1, 1], rng, names=names)
    two, two_says = random_board("Two", [3, 1, 1, 1], rng, names=[*names[:3], "C1"])
    game = game_of(tmp_path, [one, two])
    for board, square in ((one, one_says), (two, two_says)):
        game.engine.messages["hexsight_ThreadBoard"] = board.name
        start, end = board.places[0], board.places[-1]
        mark = game.mark("Main Map", board.name, "A1")
        told = f"{start.label} → {end.label}: {expected(board, square, 0, len(board.places) - 1)}"
        assert game.viewer("Main Map", board.name, end.location, mark) == told
        said = game.thread("Main Map", "A1", end.location)
        assert said == f"LOS on {board.name}: {told} (range 7)"
    game.engine.messages["hexsight_ThreadBoard"] = ""
    assert "on several boards" in game.thread("Main Map", "A1", "A2")
    # From one board to the other nothing is known, and nothing is made up.
    mark = game.mark("Main Map", "One", "A1")
    told = game.viewer("Main Map", "Two", "A1", mark).split("; ")
    assert {part.partition(": ")[2] for part in told} == {BEYOND}


def test_a_thread_knows_names_that_stand_on_one_board_only(tmp_path: Path) -> None:
    rng = np.random.default_rng(6)
    one, _ = random_board("One", [1, 1], rng, names=["A1", "A2"])
    two, _ = random_board("Two", [1, 1], rng, names=["A1", "B2"])
    game = game_of(tmp_path, [one, two])
    assert game.thread("Main Map", "A2", "A2") == "LOS A2 0 → A2 0: One says 0 (range 7)"
    assert game.thread("Main Map", "B2", "A2").endswith(f": {BEYOND} (range 7)")
    assert "not in the table" in game.thread("Main Map", "A1", "A2")


def test_names_on_a_board_without_table_make_a_thread_unsure(tmp_path: Path) -> None:
    board, _ = random_board("One", [1, 1], np.random.default_rng(6), names=["A1", "A2"])
    game = game_of(tmp_path, [board], other_names={"Main Map": ["A1", "Z9"]})
    assert "not in the table" in game.thread("Main Map", "A1", "A2")
    mark = game.mark("Main Map", "One", "A1")
    assert game.viewer("Main Map", "One", "A2", mark).startswith("A1 0 → A2 0: ")
    assert "LOS thread" in encode_messages([board], other_names={"Main Map": ["A1"]}).warnings[0]


def test_odd_names_of_maps_boards_and_hexes(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    names = ['"K" & <1>', "Zürich/9 \\ 2", "0101", "1.10", "{x}$y$", "日本 😀", "it's", "true"]
    map_name = 'Karte "A" \\ {1} $x$ é/:'
    board, square = random_board("01", [2] * len(names), rng, maps=(map_name,), names=names)
    game = game_of(tmp_path, [board])
    check_all(game, board, square, map_name)


def test_names_that_become_one_number_get_no_answer(tmp_path: Path) -> None:
    names = ["0101", "101", "A1"]
    board, _ = random_board("B", [1, 1, 1], np.random.default_rng(8), names=names)
    found = encode_messages([board])
    assert "'Main Map|B/101@0'" in found.warnings[0]
    game = game_of(tmp_path, [board])
    mark = game.mark("Main Map", "B", "A1")
    assert game.viewer("Main Map", "B", "0101", mark) == ""
    assert game.viewer("Main Map", "B", "A1", mark).startswith("A1 0 → A1 0")


def test_a_board_in_two_windows(tmp_path: Path) -> None:
    board, square = random_board("B", [1, 2], np.random.default_rng(9), maps=("East", "West"))
    game = game_of(tmp_path, [board])
    for map_name in board.maps:
        check_all(game, board, square, map_name)


def test_nothing_is_shown_without_a_mark_or_off_the_board(tmp_path: Path) -> None:
    board, _ = random_board("B", [1, 2], np.random.default_rng(10))
    game = game_of(tmp_path, [board])
    mark = game.mark("Main Map", "B", "B0")
    assert game.viewer("Main Map", "B", "B1", "") == ""
    assert game.viewer("Main Map", "B", "", mark) == ""
    assert game.viewer("Main Map", "Other", "B1", mark) == ""
    nowhere = game.mark("Main Map", "B", "B0", "roof")
    assert game.viewer("Main Map", "B", "B1", nowhere).startswith("no line of sight is known from")
    said = game.engine.evaluate(
        game.trait("calcProp")[1], piece={**piece("Main Map", "B", ""), "hexsight_From": mark}
    )
    assert said == "no line of sight is known"
    assert "from this level" in game.thread("Main Map", "B0", "B1", hexsight_ThreadLevel="roof")


def test_the_marker_is_made_of_the_three_traits_and_a_level(tmp_path: Path) -> None:
    board, _ = random_board("B", [3], np.random.default_rng(11))
    game = game_of(tmp_path, [board])
    kinds = [t.partition(";")[0] for t in game.traits]
    assert kinds == ["setprop", "calcProp", "macro", "report", "PROP", "piece"]
    assert game.states == ("", "", "", "-1", "0", "null;0;0;;0")
    assert game.trait("setprop")[0] == "hexsight_From"
    assert game.trait("setprop")[4] == "Current Zone/Current Map/Module"
    commands = [decode(c, ":") for c in decode(game.trait("PROP")[2], ",")]
    assert [decode(c[2], ",") for c in commands] == [["P", "0"], ["P", "1"], ["P", "roof"]]
    assert all(decode(c[1], ",")[:2] == ["63743", "0"] for c in commands)
    assert decode(game.trait("report")[0], ",") == [decode(game.trait("macro")[5], ",")[0]]
    said = game.engine.evaluate(game.trait("report")[1], piece={"hexsight_LOS": "K1 → K2: clear"})
    assert said == "LOS K1 → K2: clear"


def test_a_property_of_the_module_can_tell_the_level(tmp_path: Path) -> None:
    board, _ = random_board("B", [2, 2], np.random.default_rng(12))
    found = encode_messages([board])
    (marker,) = [
        c for c in components(found, {"Main Map": ["B"]}, "Storey_Name") if "Proto" in c.tag
    ]
    assert "Storey_Name" in marker.xml
    assert "PROP;" not in marker.xml


def test_two_boards_of_one_name_on_one_map_are_refused() -> None:
    rng = np.random.default_rng(13)
    with pytest.raises(UsageError, match="named 'B'"):
        encode_messages([random_board("B", [1], rng)[0], random_board("B", [1], rng)[0]])
    with pytest.raises(UsageError, match="no board"):
        encode_messages([])


def test_expressions_are_flat_and_use_what_the_engine_has() -> None:
    levels = ("0", "1", "2", "roof", "-1")
    for expression, variables in (
        (viewer_expression("M", levels), {"CurrentBoard", "LocationName"}),
        (thread_expression("M", "B", levels), {"FromLocation", "ToLocation", "Range"}),
        (thread_expression("M", "", levels), {"FromLocation", "ToLocation", "Range"}),
        (piece_expression("L"), set()),
    ):
        parser = Parser(expression[1:-1])
        parser.whole()
        assert parser.variables == variables
        # The engine's parser multiplies its work with every call inside a call.
        assert parser.deepest <= 5
        assert expression.isascii()
        assert not set(expression[1:-1]) & set("{}$\n")


def test_the_interpreter_refuses_what_the_engine_refuses() -> None:
    engine = Engine({"A": "0101"})
    assert engine.evaluate('{GetString("A")+GetProperty("A")}') == "0101101"
    assert engine.evaluate('{A+1==102?"int":"text"}') == "int"
    for wrong in (
        "{A.length()}",
        '{"a".substring(2)}',
        '{Integer.parseInt("x")}',
        "{1?2:3}",
        "{A=1}",
    ):
        with pytest.raises(BeanShellError):
            engine.evaluate(wrong)


@given(TEXTS)
def test_literals(text: str) -> None:
    written = literal(text)
    assert written.isascii()
    assert not set(written) & set("{}$")
    assert java_string(written) == text


@given(st.lists(TEXTS, min_size=1, max_size=4), st.sampled_from(",;:/\t"))
def test_sequences(parts: list[str], delimiter: str) -> None:
    assume_plain = [p for p in parts if not p.endswith("\\")]
    if assume_plain:
        assert decode(sequence(assume_plain, delimiter), delimiter) == assume_plain


@given(st.text("+-.0123456789aE", max_size=8))
def test_java_form_is_what_a_bare_variable_becomes(text: str) -> None:
    value = bare(text)
    if isinstance(value, float):
        assert java_form(text) == text or float(java_form(text)) == pytest.approx(value, rel=1e-6)
    else:
        assert java_form(text) == shown(value)


def test_codes() -> None:
    assert len(set(ALPHABET)) == len(ALPHABET)
    assert not set(ALPHABET) & set("\"&'<>\\{}$|~ ")
    assert code(0, 2) == "!!"
    assert len({code(n, 2) for n in range(len(ALPHABET) ** 2)}) == len(ALPHABET) ** 2
    with pytest.raises(UnsupportedError):
        code(len(ALPHABET), 1)


def test_sayings() -> None:
    assert saying(False, 0, "", "", "") == "clear"
    assert saying(False, 3, "", "", "") == "clear, hindered by 3"
    assert saying(True, 0, "bar-across", "x", "K16-L15") == "blocked by the wall K16-L15"
    assert saying(True, 0, "hindrance-limit", "x", "") == "blocked by Hindrances of six or more"
    assert saying(True, 0, "new", "Some New rule.", "K1") == "blocked: some New rule (K1)"
    assert saying(True, 0, "wall", "A wall.", "") == "blocked: a wall"
    assert saying(True, 0, "", "", "K1") == "blocked at K1"
    assert saying(True, 0, "", "", "") == "blocked"


def test_sizes() -> None:
    offsets = np.array([(c, r) for c in range(9) for r in range(7)], np.int64)
    counts = np.ones(len(offsets), np.int64)
    counts[5] = 3
    found = spread_of(offsets, counts)
    away = distances(offsets, offsets)
    for a in range(0, 63, 7):
        for b in range(63):
            pair = (tuple(offsets[a].tolist()), tuple(offsets[b].tolist()))
            assert away[a, b] == hex_distance(*pair)
    assert found.places == 65
    assert found.pairs.sum() == 65 * 64 // 2
    assert found.pairs[0] == 3
    assert estimate_bytes(found, 2) < estimate_bytes(found, None)
    assert estimate_bytes(found, None, where=False) < estimate_bytes(found, None)
    big = Spread(10_000, np.full(100, 1_000_000, np.int64))
    most = largest_range([big], limit=30_000_000)
    assert 0 < most < 99
    assert estimate_bytes(big, most) <= 30_000_000 < estimate_bytes(big, most + 1)
    fast, slow = load_seconds(7_900_000)
    assert (round(fast, 2), round(slow, 2)) == (1.0, 3.0)
