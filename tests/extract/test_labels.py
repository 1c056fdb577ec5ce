"""Printed hex names: boards drawn in many ways of numbering, and names that lie beside them."""

from __future__ import annotations

import functools
import sys
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
from labels_painted import Painted, paint
from PIL import Image, ImageDraw, ImageFont

from hexsight.extract import labels, labels_scattered
from hexsight.extract.labels import (
    confirm_numbering,
    ocr_labels,
    propose_numbering,
    read_labels,
    search_numbering,
)
from hexsight.extract.labels_print import find_print
from hexsight.extract.labels_scattered import scattered_names
from hexsight.model.errors import InputError, MissingPartError
from hexsight.model.layout import Layout
from hexsight.model.vassal_numbering import HexGridNumbering
from hexsight.samples.draw import draw_board

LETTERS = HexGridNumbering(h_type="A", v_leading=0, h_off=0, stagger=False)
DIGITS = HexGridNumbering()

STYLES: dict[str, tuple[HexGridNumbering, dict[str, Any]]] = {
    "letters and rows from 1": (LETTERS, {}),
    "columns beyond Z": (LETTERS, {"columns": 29, "rows": 7}),
    "two digits each": (DIGITS, {}),
    "begins elsewhere, points between": (HexGridNumbering(h_off=13, v_off=7, sep="."), {}),
    "space between": (HexGridNumbering(h_type="A", h_off=0, v_leading=0, sep=" "), {}),
    "stroke between": (HexGridNumbering(h_leading=0, v_leading=0, sep="/"), {}),
    "row first, letters for rows": (
        HexGridNumbering(first="V", v_type="A", v_off=0, h_leading=0),
        {},
    ),
    "both count down": (HexGridNumbering(h_descend=True, v_descend=True), {}),
    "slanted rows": (HexGridNumbering(h_type="A", h_off=0, oblique=True), {}),
    "pointy tops": (
        HexGridNumbering(h_type="A", h_off=0, v_descend=True, stagger=False),
        {"sideways": True},
    ),
    "turned by a quarter": (HexGridNumbering(h_type="A", h_off=0), {"turn": 1}),
    "light and red on green": (DIGITS, {"ground": (120, 170, 100), "ink": (235, 110, 100)}),
}


@functools.cache
def _board(style: str) -> Painted:
    numbering, how = STYLES[style]
    return paint(numbering, **how)


@pytest.fixture(autouse=True)
def _each_board_is_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The print of a board is the same whatever it is compared with."""
    monkeypatch.setattr(labels, "find_print", _found)


_FOUND: dict[tuple[Any, ...], Any] = {}


def _found(rgb: np.ndarray, layout: Layout, hexes: Any, line_px: float | None = None) -> Any:
    key = (hash(rgb.tobytes()), rgb.shape, layout, tuple(sorted(hexes)), line_px)
    if key not in _FOUND:
        _FOUND[key] = find_print(rgb, layout, hexes, line_px)
    return _FOUND[key]


@pytest.mark.parametrize("style", STYLES)
def test_numbering_is_proposed_as_printed(style: str) -> None:
    board = _board(style)
    search = search_numbering(board.rgb, board.layout)
    assert search.proposal is not None, search.reason
    proposal = search.proposal
    given = {at: proposal.numbering.name(board.layout, board.size_px, *at) for at in board.names}
    assert given == board.names
    if not proposal.numbering.oblique:
        assert proposal.numbering == HexGridNumbering.from_attributes(proposal.attributes)
    assert all(board.names[c, r] == name for c, r, name in proposal.example)
    assert proposal.confidence > 0.6
    assert proposal.agree > 0.3 * len(board.names)
    assert len(proposal.disagree) <= 0.03 * len(board.names)


def test_vasl_naming_is_told() -> None:
    board = _board("letters and rows from 1")
    proposal = propose_numbering(board.rgb, board.layout, board.size_px)
    assert proposal is not None and proposal.vasl is not None
    naming = proposal.vasl
    origin = naming.layout()
    for at, name in board.names.items():
        near = origin.pixel_to_hex(board.layout.centre(*at))
        assert naming.name(int(near[0]), int(near[1])) == name
    letters_first = _board("pointy tops")
    proposal = propose_numbering(letters_first.rgb, letters_first.layout)
    assert proposal is not None and proposal.vasl is None


def _wrong(board: Painted, numbering: HexGridNumbering) -> dict[str, dict[tuple[int, int], str]]:
    """Names that lie one or two hexes, half a hex or a way of counting beside the print."""

    def moved(column: int, row: int, odd: int = 0) -> dict[tuple[int, int], str]:
        return {
            (c, r): numbering.name(board.layout, board.size_px, c + column, r + row + odd * (c & 1))
            for c, r in board.names
        }

    top = max(r for _, r in board.names)
    side = max(c for c, _ in board.names)
    found = {
        f"columns {column:+d} rows {row:+d}": moved(column, row)
        for column in (-1, 0, 1, 2)
        for row in (-1, 0, 1, 2)
        if column or row
    }
    found["half a hex up"] = moved(1, 0, 1)
    found["half a hex down"] = moved(-1, -1, 1)
    found["other stagger"] = moved(0, 0, 1)
    found["rows count down"] = {(c, r): board.names[c, top - r] for c, r in board.names}
    found["columns count down"] = {(c, r): board.names[side - c, r] for c, r in board.names}
    return found


@pytest.mark.parametrize("style", ["letters and rows from 1", "two digits each"])
def test_names_beside_the_print_are_caught(style: str) -> None:
    board = _board(style)
    right = confirm_numbering(board.rgb, board.layout, board.names)
    assert (right.verdict, right.shift, right.reason) == ("agrees", None, "")
    assert right.agree > 0.4 * len(board.names) and right.confidence > 0.9
    for what, names in _wrong(board, STYLES[style][0]).items():
        answer = confirm_numbering(board.rgb, board.layout, names)
        assert answer.verdict == "disagrees", what
        # Every other column is right where odd ones are shifted by themselves.
        right = 0.55 if what == "other stagger" else 0.1
        assert answer.margin < 0 and answer.agree <= right * len(names), what
        assert "is printed" in answer.reason


def test_the_shift_is_told() -> None:
    board = _board("letters and rows from 1")
    names = {
        (c, r): LETTERS.name(board.layout, board.size_px, c + 2, r - 1)
        for c, r in board.names
        if r > 0
    }
    answer = confirm_numbering(board.rgb, board.layout, names)
    assert answer.verdict == "disagrees"
    # What is printed in (c, r) is the name of (c - 2, r + 1).
    assert answer.shift == (-2, 1.0)
    assert all(board.names[c, r] == printed for c, r, printed, _ in answer.disagree)
    assert all(names[c, r] == named for c, r, _, named in answer.disagree)


def test_a_misprint_is_found_and_missing_names_do_no_harm() -> None:
    numbering = HexGridNumbering(h_type="A", h_off=0, v_leading=1)
    wrong = {(4, 4): "E07", (9, 2): "", (9, 3): ""}
    board = paint(numbering, art=0.0, misprints=wrong)
    answer = confirm_numbering(board.rgb, board.layout, board.names)
    assert answer.verdict == "agrees"
    assert answer.disagree == ((4, 4, "E07", board.names[4, 4]),)
    assert "1 hex reads otherwise than it is named" in answer.reason


def test_a_shared_beginning_of_names_is_no_part_of_the_print() -> None:
    board = _board("two digits each")
    names = {at: f"Field hex {name}" for at, name in board.names.items()}
    answer = confirm_numbering(board.rgb, board.layout, names)
    assert answer.verdict == "agrees" and answer.disagree == ()


def test_labels_are_read() -> None:
    board = _board("letters and rows from 1")
    reading = read_labels(board.rgb, board.layout)
    assert reading.reason == "" and reading.turn_deg == 0 and reading.box_px is not None
    read = {(label.col, label.row): label.text for label in reading.labels}
    assert len(read) > 0.7 * len(board.names)
    assert sum(board.names.get(at) == text for at, text in read.items()) > 0.97 * len(read)
    signs = "".join(letter.sign for letter in reading.letters)
    assert signs == "0123456789ABCDEFGHIJKLMN"
    left, top, width, height = reading.box_px
    assert abs(left + width / 2) < 3 and abs(top + height / 2 + 0.36 * board.layout.dy) < 3
    again = read_labels(board.rgb, board.layout, names=board.names)
    assert {(x.col, x.row) for x in again.labels} == set(read)


@pytest.mark.parametrize("step", ["jpeg", "smaller", "turned", "blurred"])
def test_worn_pictures(step: str) -> None:
    board = _board("letters and rows from 1")
    rgb, layout = board.rgb, board.layout
    if step == "jpeg":
        rgb = cv2.imdecode(cv2.imencode(".jpg", rgb, [cv2.IMWRITE_JPEG_QUALITY, 60])[1], 1)
    elif step == "smaller":
        rgb = cv2.resize(rgb, None, fx=0.75, fy=0.75, interpolation=cv2.INTER_AREA)
        layout = _moved(layout, np.array([[0.75, 0, -0.125], [0, 0.75, -0.125]]))
    elif step == "turned":
        turn = cv2.getRotationMatrix2D((300.0, 300.0), 1.3, 1.0)
        size = (rgb.shape[1], rgb.shape[0])
        rgb = cv2.warpAffine(rgb, turn, size, flags=cv2.INTER_CUBIC, borderValue=(255, 255, 255))
        layout = _moved(layout, turn)
    else:
        rgb = cv2.GaussianBlur(rgb, (0, 0), 0.8)
    answer = confirm_numbering(np.asarray(rgb, np.uint8), layout, board.names)
    assert answer.verdict == "agrees", answer
    names = {(c, r): board.names[c, r + 1] for c, r in board.names if (c, r + 1) in board.names}
    assert confirm_numbering(rgb, layout, names).verdict == "disagrees"


def _moved(layout: Layout, matrix: np.ndarray) -> Layout:
    a, t = matrix[:, :2], matrix[:, 2]
    o, c, r = a @ layout.origin_px + t, a @ layout.col_px, a @ layout.row_px
    return Layout((o[0], o[1]), (c[0], c[1]), (r[0], r[1]), layout.sideways)


@pytest.mark.parametrize("art", [0.0, 0.7])
def test_boards_without_names_give_none(art: float) -> None:
    board = paint(None, art=art)
    names = {
        at: DIGITS.name(board.layout, board.size_px, *at)
        for at in board.layout.hexes_on(board.size_px)
    }
    search = search_numbering(board.rgb, board.layout)
    assert search.proposal is None and search.reason
    answer = confirm_numbering(board.rgb, board.layout, names)
    assert (answer.verdict, answer.agree, answer.confidence) == ("no labels", 0, 0.0)
    assert read_labels(board.rgb, board.layout).labels == ()


@pytest.mark.parametrize("text", ["2-3", "random"])
def test_print_that_does_not_count_is_no_name(text: str) -> None:
    board = paint(None, art=0.2)
    image = Image.fromarray(board.rgb)
    draw, font = ImageDraw.Draw(image), ImageFont.load_default(size=12)
    rng = np.random.default_rng(3)
    for c, r in board.layout.hexes_on(board.size_px):
        x, y = board.layout.centre(c, r)
        shown = text if text != "random" else "".join(rng.choice(list("ABCD0123456"), 3))
        draw.text((x, y - 22), shown, fill=(0, 0, 0), font=font, anchor="mm")
    search = search_numbering(np.asarray(image), board.layout)
    assert search.proposal is None
    assert "count" in search.reason or "several" in search.reason


def test_too_few_hexes_leave_it_open() -> None:
    board = paint(LETTERS, columns=5, rows=4)
    search = search_numbering(board.rgb, board.layout)
    assert search.proposal is None
    assert "several numberings" in search.reason
    assert confirm_numbering(board.rgb, board.layout, board.names).verdict == "undecided"


def test_same_picture_same_answer() -> None:
    board = _board("two digits each")
    one, two = (find_print(board.rgb, board.layout, list(board.names))[0] for _ in range(2))
    assert one is not None and two is not None
    assert one.ranked == two.ranked
    assert (one.alphabet.cluster == two.alphabet.cluster).all()


@pytest.mark.parametrize("name", ["red-factory", "sideways-mill"])
def test_sample_boards(name: str) -> None:
    sample = draw_board(name)
    grid = sample.truth["grid"]
    layout = Layout.from_grid(
        grid["dx"], grid["dy"], grid["x0"], grid["y0"], sideways=grid["sideways"]
    )
    names = {(h["col"], h["row"]): h["name"] for h in sample.truth["hexes"]}
    assert confirm_numbering(sample.picture, layout, names).verdict == "agrees"
    proposal = propose_numbering(sample.picture, layout)
    assert proposal is not None
    size = (sample.picture.shape[1], sample.picture.shape[0])
    assert {at: proposal.numbering.name(layout, size, *at) for at in names} == names


def test_wrong_input() -> None:
    gray = np.zeros((50, 50), np.uint8)
    layout = Layout.from_grid(20, 23, 0, 0)
    with pytest.raises(InputError, match="RGB"):
        search_numbering(gray[..., None].astype(np.float64), layout, hexes=[(1, 1)])
    small = search_numbering(np.zeros((50, 50, 3), np.uint8), Layout.from_grid(5, 6, 0, 0))
    assert small.proposal is None and "too small" in small.reason
    assert confirm_numbering(np.zeros((50, 50, 3), np.uint8), layout, {}).verdict == "no labels"


def test_ocr_is_optional(monkeypatch: pytest.MonkeyPatch) -> None:
    board = paint(LETTERS, columns=5, rows=4)
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    with pytest.raises(MissingPartError, match="rapidocr"):
        ocr_labels(board.rgb, board.layout)
    with pytest.raises(MissingPartError, match="rapidocr"):
        search_numbering(board.rgb, board.layout, ocr=True)


def test_ocr_decides_what_print_leaves_open(monkeypatch: pytest.MonkeyPatch) -> None:
    board = paint(LETTERS, columns=5, rows=4)
    shown: list[int] = []

    class Engine:
        def __init__(self, params: dict[str, Any]) -> None:
            assert params

        def __call__(self, strip: np.ndarray, **how: bool) -> SimpleNamespace:
            assert strip.ndim == 3 and strip.shape[0] == 48 and not how["use_det"]
            shown.append(len(shown))
            return SimpleNamespace(txts=None if len(shown) % 5 == 0 else ["?"])

    monkeypatch.setitem(sys.modules, "rapidocr", SimpleNamespace(RapidOCR=Engine))
    assert set(ocr_labels(board.rgb, board.layout).values()) == {"?"}
    # Nonsense decides nothing.
    assert search_numbering(board.rgb, board.layout, ocr=True).proposal is None
    monkeypatch.setattr(labels, "ocr_print", lambda found: dict(list(board.names.items())[:12]))
    proposal = propose_numbering(board.rgb, board.layout, ocr=True)
    assert proposal is not None
    assert proposal.numbering.name(board.layout, board.size_px, 2, 3) == board.names[2, 3]
    answer = confirm_numbering(board.rgb, board.layout, board.names, ocr=True)
    assert answer.verdict == "agrees"


def test_names_in_a_few_hexes_are_found_by_the_text_reader(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A reader that sees what is printed; an arrow, a distance and a doubtful text beside it."""
    board = paint(None, art=0.2)
    layout = board.layout
    names = {at: DIGITS.name(layout, board.size_px, *at) for at in layout.hexes_on(board.size_px)}
    shown = {at: names[at] for at in ((2, 3), (5, 8), (9, 1), (11, 6), (7, 7))}
    places: list[tuple[float, float, str, float]] = [
        (*layout.centre(*at), text, 0.99) for at, text in shown.items()
    ]
    places += [(40.0, 60.0, "0707", 0.4), (200.0, 200.0, "7", 0.99), (90.0, 300.0, "->", 0.99)]
    seen: list[tuple[int, int]] = []

    class Engine:
        def __init__(self, params: dict[str, Any]) -> None:
            assert params

        def __call__(self, tile: np.ndarray, **how: bool) -> SimpleNamespace:
            assert how["use_det"] and max(tile.shape[:2]) <= 1001
            left, top, scale = tiles[len(seen)]
            seen.append((left, top))
            inside = [
                ((x - left) * scale, (y - top) * scale, text, sure)
                for x, y, text, sure in places
                if 0 <= (x - left) * scale < tile.shape[1]
                and 0 <= (y - top) * scale < tile.shape[0]
            ]
            corners = np.array([(-9, -4), (9, -4), (9, 4), (-9, 4)])
            return SimpleNamespace(
                boxes=[corners + (x, y) for x, y, _, _ in inside],
                txts=[text for _, _, text, _ in inside] or None,
                scores=[sure for *_, sure in inside],
            )

    monkeypatch.setitem(sys.modules, "rapidocr", SimpleNamespace(RapidOCR=Engine))
    tiles = [t[:3] for t in labels_scattered._tiles(board.rgb, layout, names)]
    assert scattered_names(board.rgb, layout, names) == shown
    seen.clear()
    answer = confirm_numbering(board.rgb, layout, names, ocr=True)
    assert (answer.verdict, answer.agree) == ("agrees", 5)
    moved = {(c, r): names[c + 1, r - 1] for c, r in names if (c + 1, r - 1) in names}
    tiles = [t[:3] for t in labels_scattered._tiles(board.rgb, layout, moved)]
    seen.clear()
    answer = confirm_numbering(board.rgb, layout, moved, ocr=True)
    assert (answer.verdict, answer.shift) == ("disagrees", (-1, 1.0))
    del places[:2]
    seen.clear()
    tiles = [t[:3] for t in labels_scattered._tiles(board.rgb, layout, names)]
    answer = confirm_numbering(board.rgb, layout, names, ocr=True)
    assert (answer.verdict, answer.agree) == ("undecided", 3)
