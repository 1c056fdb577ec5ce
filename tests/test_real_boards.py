"""Real boards from their pictures alone, against their makers' data and the rule book's example."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from example_543 import CLEAR, SQUADS

from hexsight.facts import board_facts, building_mask
from hexsight.los.compile import compile_board
from hexsight.los.explain import explain_compiled
from hexsight.los.profile import load_profile
from hexsight.model.board import Board
from hexsight.output import png_bytes
from hexsight.pipeline import extract_board
from hexsight.reading import Request


def score(shared: Path, name: str, board: Board, folder: Path, *, mask: bool = True) -> dict:
    """What the scoring script says of a board."""
    (folder / "facts.json").write_text(json.dumps(board_facts(board)))
    (folder / "mask.png").write_bytes(png_bytes(building_mask(board)))
    script = shared / "score" / "score.py"
    truth = shared / "truth" / name
    command = [sys.executable, str(script), str(truth), str(folder / "facts.json")]
    if mask:
        command += ["--mask", str(folder / "mask.png")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def red_barricades(shared: Path) -> Board:
    return extract_board(Request(shared / "boards" / "bdRBv2")).board


@pytest.mark.shared
def test_the_illustrated_example_from_the_picture_alone(red_barricades):
    """O5.43: the second example."""
    compiled = compile_board(red_barricades, load_profile("asl"))
    wrong = []
    for a, b in itertools.combinations(sorted(SQUADS), 2):
        answer = explain_compiled(compiled, SQUADS[a], SQUADS[b])
        if (answer.state != "blocked") != (f"{a}-{b}" in CLEAR):
            wrong.append((a, b, answer.state))
    assert wrong == []


@pytest.mark.shared
@pytest.mark.parametrize(("target", "tem"), [("O15", 1), ("O16", 2), ("O17", 3), ("O14", None)])
def test_a_look_from_above_from_the_picture_alone(red_barricades, target, tem):
    """O5.43: the first example."""
    compiled = compile_board(red_barricades, load_profile("asl"))
    answer = explain_compiled(compiled, "O18@2", target)
    assert (answer.state, answer.tem) == ("blocked" if tem is None else "clear", tem)


@pytest.mark.shared
def test_what_the_rules_derive_from_the_picture(red_barricades):
    """O5.1, O5.2, O5.3, O5.4: the examples."""
    board = red_barricades
    factories = {b.hexes[0] for b in board.buildings if b.kind == "factory"}
    assert len(factories) == 17
    assert board.hex("O40").factory
    assert board.hex("L27").factory
    assert board.hex("M29").vehicular_entrance
    bars = {frozenset((s.a, s.b)) for s in board.hexsides if s.bar_share >= 0.5}
    named = ["K15-K16", "K16-L15", "M15-M16", "J16-J17", "J17-K17", "K18-K19", "J18-K19"]
    assert {frozenset(n.split("-")) for n in named} <= bars
    for name in ["L16", "K17", "L17", "K18", "L18", "K19", "L19", "S13"]:
        assert board.hex(name).roofless, name


@pytest.mark.shared
def test_score_of_red_barricades(shared, red_barricades, tmp_path):
    result = score(shared, "bdRBv2", red_barricades, tmp_path)
    assert result["grid_max_px"] <= 0.5
    assert result["building"]["f1"] >= 0.98
    assert result["building_iou"] >= 0.92
    assert result["bars"]["f1"] >= 0.95
    assert result["roofless"]["f1"] >= 0.95
    assert result["stairwell"]["f1"] >= 0.95


@pytest.mark.shared
@pytest.mark.parametrize("name", ["bd20", "bdb", "bdBFPA"])
def test_score_of_city_boards(shared, name, tmp_path):
    board = extract_board(Request(shared / "boards" / name)).board
    result = score(shared, name, board, tmp_path)
    assert result["grid_max_px"] <= 0.5
    assert result["building"]["f1"] >= 0.98
    assert result["building_iou"] >= 0.92
    assert result["bars"]["f1"] >= 0.95
    assert result["stairwell"]["f1"] >= 0.95


@pytest.mark.shared
def test_a_scan_of_the_same_map_with_twenty_samples(shared, tmp_path):
    legend = Path(__file__).parent / "legends" / "red-barricades-scan.yaml"
    samples = sum(len(c["colours"]) for c in yaml.safe_load(legend.read_text())["classes"])
    assert samples <= 20
    request = Request(shared / "boards" / "legacy" / "bdRB", legend=str(legend))
    result = score(shared, "bdRBv2", extract_board(request).board, tmp_path, mask=False)
    assert result["building"]["f1"] >= 0.93
    assert result["bars"]["f1"] >= 0.85
    assert result["roofless"]["f1"] >= 0.85
