"""The companion's thread, played in an imitation of VASSAL."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from companion_java import Java, java_of
from stock_game import build_xml

from hexsight.export.buildfile import parse_build_file
from hexsight.export.companion import (
    BlockingEntry,
    CompanionBoard,
    CompanionPlace,
    SmokeNumbers,
    companion_components,
    companion_members,
)
from hexsight.export.stock_edit import with_stock
from hexsight.los.table import Table, pair_index, write_table

# A column of hexes 40 pixels apart; A5 has a cellar, A1 and A5 an upper level.
NAMES = ("A1", "A1@1", "A2", "A3", "A4", "A5@-1", "A5", "A5@1")
SIGHT = {"-1": -2, "": 0, "1": 2}
STEP, X, Y = 40, 100, 30
# What stands between Locations: hindered by 2, blocked at A3 with its place, blocked without.
HINDERED = [("A1", "A4")]
BLOCKED = [("A1", "A5"), ("A1@1", "A5")]
PLACELESS = [("A1", "A5@-1")]


def tiny_board(folder: Path, name: str = "Tiny & Co", *, placed: bool = True) -> CompanionBoard:
    v = len(NAMES)
    answers = np.zeros(v * (v - 1) // 2, np.uint8)
    reasons, pairs = np.zeros_like(answers), np.zeros(len(answers), np.uint32)
    for group, value, entry in ((HINDERED, 2, 0), (BLOCKED, 128, 2), (PLACELESS, 128, 1)):
        for a, b in group:
            k = pair_index(v, NAMES.index(a), NAMES.index(b))
            answers[k], pairs[k] = value, entry
            reasons[k] = entry and 1
    write_table(Table(NAMES, answers, reasons, bytes(32), bytes(32)), folder / "t.lostab")
    places = []
    for n in NAMES:
        hex_name, _, level = n.partition("@")
        row = int(hex_name[1]) - 1
        label = hex_name + {"": "", "1": " level 1", "-1": " cellar"}[level]
        places.append(
            CompanionPlace(n, hex_name, label, 0, row, X, Y + STEP * row, SIGHT[level], 0)
        )
    entries = (
        BlockingEntry(1, None, "blocked: terrain here is higher than both ends"),
        BlockingEntry(1, (X + 5, Y + 2 * STEP), "blocked by higher terrain in A3"),
    )
    table = (folder / "t.lostab").read_bytes()
    smoke = SmokeNumbers(6, 3, 5, 3, 4)
    found = pairs if placed else None
    return CompanionBoard(name, ("Main Map",), table, tuple(places), entries, found, smoke)


@dataclass(frozen=True)
class Game:
    """A module with a thread, and where its hexes are in VASSAL."""

    java: Java
    module: Path
    folder: Path

    def play(self, *commands: str) -> list[str]:
        """What is written while a player does something."""
        setup = []
        for n, name in enumerate(("Tiny & Co", "Other")):
            setup.append(f"board\t{name}\t{300 * n}\t0\t300\t260")
            setup += [f"hex\t{name}\tA{k + 1}\t{X}\t{Y + STEP * k}" for k in range(5)]
        setup += ["picture\t600\t260", "push"]
        given = "\n".join([*setup, *commands]) + "\n"
        return self.java.run("Player", str(self.module), given=given)


def write_module(
    path: Path, board: CompanionBoard, replace: dict[str, bytes] | None = None
) -> None:
    build = parse_build_file(build_xml(), "buildFile.xml")
    members = {
        "buildFile.xml": with_stock(build, companion_components([board]))[0].data,
        **companion_members([board]),
        **(replace or {}),
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)


@pytest.fixture(scope="module")
def java(tmp_path_factory: pytest.TempPathFactory) -> Java:
    return java_of(tmp_path_factory)


@pytest.fixture(scope="module")
def game(java: Java, tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder = tmp_path_factory.mktemp("thread")
    write_module(folder / "m.vmod", tiny_board(folder))
    return Game(java, folder / "m.vmod", folder)


def press(name: str, board: str = "Tiny & Co") -> str:
    return f"press\t{board}\t{name}"


def drag(name: str, board: str = "Tiny & Co") -> str:
    return f"drag\t{board}\t{name}"


RELEASE = "release\tTiny & Co\tA5"


def colors(a: str, b: str) -> str:
    return f"colors\tTiny & Co\t{a}\t{b}"


def test_a_clear_line_is_whole_and_green(game: Game) -> None:
    (seen,) = game.play(press("A2"), drag("A5"), "draw", colors("A2", "A5"))
    assert set(seen[2:-2]) == {"g"}


def test_a_hindered_line_carries_its_number(game: Game) -> None:
    across = "across\tTiny & Co\tA1\tA4"
    seen, number = game.play(press("A1"), drag("A4"), "draw", colors("A1", "A4"), across)
    assert set(seen[2:60] + seen[140:-2]) == {"h"}
    disc = number.strip(".")
    assert len(disc) > 60
    assert "." in disc  # black strokes


def test_a_blocked_line_has_a_gap_behind_what_blocks(game: Game) -> None:
    (seen,) = game.play(press("A1"), drag("A5"), "draw", colors("A1", "A5"))
    half = len(seen) // 2
    assert set(seen[2 : half - 3]) == {"b"}
    # The gap of 16 pixels of 160 is 20 of 200 steps; then dashes.
    assert set(seen[half + 6 : half + 16]) == {"."}
    behind = seen[half + 22 : -2]
    assert set(behind) == {"b", "."}


def test_from_the_other_end_it_is_the_same_place(game: Game) -> None:
    (seen,) = game.play(press("A5"), drag("A1"), "draw", colors("A5", "A1"))
    half = len(seen) // 2
    assert set(seen[2 : half - 3]) == {"b"}
    assert set(seen[half + 6 : half + 16]) == {"."}


def test_it_is_drawn_where_the_map_is_zoomed(game: Game) -> None:
    (seen,) = game.play("zoom\t0.5", press("A2"), drag("A5"), "draw", colors("A2", "A5"))
    assert set(seen[4:-4]) == {"g"}


def test_the_chat_is_told_what_and_why(game: Game) -> None:
    said = game.play(
        *(press("A1"), drag("A3"), drag("A5"), RELEASE, "chat"),
        *(press("A1"), drag("A4"), RELEASE, "chat"),
        # Out to A5 and back: VASSAL alone would call A5 the last.
        *(press("A2"), drag("A3"), drag("A5"), drag("A3"), RELEASE, "chat"),
    )
    assert said == [
        "to all: Anna: LOS A1 → A5 (range 4): blocked by higher terrain in A3",
        "to all: Anna: LOS A1 → A4 (range 3): clear, hindered by 2",
        "to all: Anna: LOS A2 → A3 (range 1): clear",
    ]


def test_the_report_is_the_module_makers(game: Game) -> None:
    said = game.play(
        "set\treport\t$FromLocation$ $ToLocation$ $hexsightLOS$",
        *(press("A1"), drag("A5"), drag("A3"), RELEASE, "chat"),
    )
    assert said == ["to all: A1 A3 clear"]


def test_keys_move_both_ends_up_and_down(game: Game) -> None:
    told = ["release\tTiny & Co\tA5", "chat"]
    said = game.play(
        *(press("A1"), drag("A5"), "key\talt UP", *told),
        *(press("A1"), drag("A5"), "key\talt shift UP", *told),
        *(press("A1"), drag("A5"), "key\talt DOWN", "key\talt DOWN", *told),
        # Four times below the cellar is no deeper than once.
        *(press("A1"), drag("A5"), *["key\talt DOWN"] * 4, "key\talt shift DOWN", *told),
        *(press("A1"), drag("A5"), "key\talt UP", *told),
    )
    start = "to all: Anna: LOS "
    assert said == [
        f"{start}A1 → A5 level 1 (range 4): clear",
        f"{start}A1 level 1 → A5 level 1 (range 4): clear",
        f"{start}A1 level 1 → A5 cellar (range 4): clear",
        f"{start}A1 → A5 cellar (range 4): blocked: terrain here is higher than both ends",
        f"{start}A1 → A5 (range 4): blocked by higher terrain in A3",
    ]


def test_a_level_is_kept_where_it_is_lacking_in_between(game: Game) -> None:
    said = game.play(
        press("A2"), drag("A5"), "key\talt UP", drag("A4"), drag("A5"), RELEASE, "chat"
    )
    assert said == ["to all: Anna: LOS A2 → A5 level 1 (range 3): clear"]


def test_the_button_starts_on_the_ground_again(game: Game) -> None:
    said = game.play(
        *(press("A2"), drag("A5"), "key\talt UP", RELEASE, "chat", "push"),
        *("key\talt UP", press("A2"), drag("A5"), RELEASE, "chat"),
    )
    assert [line.partition("(")[0] for line in said] == [
        "to all: Anna: LOS A2 → A5 level 1 ",
        "to all: Anna: LOS A2 → A5 ",
    ]


def test_keys_can_be_chosen(game: Game) -> None:
    said = game.play(
        "set\thexsightKeys\tctrl F3; ; ;",
        *(press("A2"), drag("A5"), "key\talt UP", "key\tctrl F3", RELEASE, "chat"),
        "get\thexsightKeys",
        "set\thexsightKeys\tupwards",
        "chat",
    )
    assert said[:2] == ["to all: Anna: LOS A2 → A5 level 1 (range 3): clear", "ctrl F3; ; ;"]
    assert said[2].startswith("only here: - hexsight: upwards is no key.")
    assert len(said) == 3


def test_smoke_counters_hinder_by_their_name(game: Game) -> None:
    said = game.play(
        "piece\tTiny & Co\tA3\tSquad\tSMOKE",
        *(press("A2"), drag("A4"), RELEASE, "chat"),
        *(press("A1"), drag("A2"), RELEASE, "chat"),
        *(press("A1"), drag("A4"), RELEASE, "chat"),
        "piece\tTiny & Co\tA2\tDispersed WP",
        *(press("A1"), drag("A4"), RELEASE, "chat"),
        "set\thexsightSmoke\t",
        *(press("A1"), drag("A4"), RELEASE, "chat"),
    )
    assert [line.rpartition("): ")[2] for line in said] == [
        "clear, hindered by 3 (3 of it smoke)",
        "clear",
        "clear, hindered by 5 (3 of it smoke)",
        "blocked by Hindrances, 6 with smoke",
        "clear, hindered by 2",
    ]


def test_smoke_on_another_board_does_not_count(game: Game) -> None:
    said = game.play("piece\tOther\tA3\tSmoke", press("A2"), drag("A4"), RELEASE, "chat")
    assert said == ["to all: Anna: LOS A2 → A4 (range 2): clear"]


def test_a_hidden_counter_tells_nothing(game: Game) -> None:
    said = game.play(
        "piece\tTiny & Co\tA3\tSquad\t?Smoke", press("A2"), drag("A4"), RELEASE, "chat"
    )
    assert said == ["to all: Anna: LOS A2 → A4 (range 2): clear"]


def test_smoke_that_is_not_understood_is_told_once(game: Game) -> None:
    said = game.play(
        "set\thexsightSmoke\tFog=much; Smoke",
        "piece\tTiny & Co\tA3\tSmoke",
        *(press("A2"), drag("A4"), "draw", "draw", RELEASE, "chat"),
    )
    assert said[0].startswith("only here: - hexsight: Smoke counter Fog=much is not understood.")
    assert said[1].endswith("clear, hindered by 3 (3 of it smoke)")
    assert len(said) == 2


def test_a_board_without_a_table_has_vassals_own_thread(game: Game) -> None:
    said = game.play(
        press("A1", "Other"), drag("A5", "Other"), "draw", "release\tOther\tA5", "plain", "chat"
    )
    assert said == ["1", "to all: Anna: LOS A1 → A5 (range ): no table for this board"]


def test_from_board_to_board_there_is_no_answer(game: Game) -> None:
    said = game.play(press("A1"), drag("A5", "Other"), "draw", RELEASE, "chat", "plain")
    assert said == ["to all: Anna: LOS A1 → A5 (range ): no table reaches from board to board", "0"]


def test_without_places_the_gap_is_in_the_far_half(java: Java, tmp_path: Path) -> None:
    write_module(tmp_path / "m.vmod", tiny_board(tmp_path, placed=False))
    game = Game(java, tmp_path / "m.vmod", tmp_path)
    said = game.play(press("A1"), drag("A5"), "draw", colors("A1", "A5"), RELEASE, "chat")
    half = len(said[0]) // 2
    assert set(said[0][2 : half - 3]) == {"b"}
    assert set(said[0][half + 6 : half + 16]) == {"."}
    assert said[1].endswith("blocked: terrain here is higher than both ends")


def test_a_broken_table_gives_one_line_and_vassals_own_thread(java: Java, tmp_path: Path) -> None:
    board = tiny_board(tmp_path)
    name = "hexsight/companion/tiny-co.lostab"
    write_module(tmp_path / "m.vmod", board, {name: board.table[:-3]})
    game = Game(java, tmp_path / "m.vmod", tmp_path)
    said = game.play(
        *(press("A1"), drag("A5"), "draw", drag("A4"), "draw", RELEASE),
        *(press("A1"), drag("A5"), "draw", RELEASE, "chat", "plain"),
    )
    assert said == [
        f"only here: - hexsight: Cannot read {name}: it is cut off. Export the module again.",
        "to all: Anna: LOS A1 → A4 (range ): no table for this board",
        "to all: Anna: LOS A1 → A5 (range ): no table for this board",
        "3",
    ]


def test_a_fault_is_told_once_and_never_thrown(game: Game) -> None:
    said = game.play(
        *(press("A1"), drag("A5"), "fail", "draw", "draw", "key\talt UP", RELEASE),
        *(press("A1"), drag("A5"), "draw", RELEASE, "plain", "chat"),
    )
    assert said[0] == "3"
    assert said[1].startswith("only here: - hexsight: The LOS thread cannot show lines of sight")
    assert "a fault on purpose" in said[1]
    assert sum("cannot show" in line for line in said) == 1


def test_attributes_stand_where_vassals_editor_shows_them(game: Game) -> None:
    names, counts = game.play("attributes")
    assert names == "threadName report hexsightTables hexsightSmoke hexsightKeys rangeFg rangeBg"
    assert counts == "5 5"


def test_nothing_moves_before_the_thread_lies(game: Game) -> None:
    assert game.play("repaints", "key\talt UP", "repaints", "draw", "plain") == ["0", "0", "0"]
