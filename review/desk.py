"""What the server shows of a session: the board as JSON and tiles, kept by version."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from hexsight.los.engine import reasons_of
from hexsight.los.entries import AMOUNT, BLOCKED, HALF
from hexsight.los.explain import Answer
from hexsight.los.rules.registry import REASONS
from hexsight.los.rulesets import RuleSet
from hexsight.los.traverse import hex_line
from hexsight.los.viewshed import Viewshed
from hexsight.los.words import headline, reason_lines
from hexsight.model.board import Board
from hexsight.model.errors import UsageError
from hexsight.model.locations import Location
from hexsight.review.findings import progress_of
from hexsight.review.geometry import Json, board_json, patch_between
from hexsight.review.look import Look
from hexsight.review.session import Change, Session
from hexsight.review.tiles import TILE, Layers, MapLevels, TileCache, levels_of, png
from hexsight.validators.thumbnails import ROWS, cut

# Values of a viewshed: 0 clear, 1 … 58 Hindrance, then half strength by how often it is halved
# (59 … 62), 63 unknown to an exported page.
MOST_HINDRANCE, MOST_HALVINGS = 58, 4
BEYOND = 63
FIRST_REASON = 64
_CODES = {reason.code: number for number, reason in REASONS.items()}
LAYERS_CHANGED = ("terrain", "elevation")


@dataclass(frozen=True, eq=False)
class Snapshot:
    """One version of the board, as the page holds it.

    Attributes
    ----------
    look : Look
        The version of the session.
    layers : Layers
    json : dict
        What ``GET /api/board`` tells.
    """

    look: Look
    layers: Layers
    json: Json

    @cached_property
    def text(self) -> bytes:
        """The JSON as it goes over the wire."""
        return to_bytes(self.json)


class Desk:
    """A session with the pictures and lists that a page asks for.

    Parameters
    ----------
    session : Session
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.tiles = TileCache()
        # Who asks waits for nobody who corrects: a map that is read again takes seconds.
        self._changing = threading.Lock()
        self._making = threading.Lock()
        self._map: MapLevels | None = None
        self._map_of: object = None
        self._now: Snapshot | None = None

    def snapshot(self) -> Snapshot:
        """The board as it is now."""
        with self._making:
            look = self.session.look
            if self._now is None or self._now.look is not look:
                self._now = self._make(look, self._now)
            return self._now

    def _make(self, look: Look, before: Snapshot | None) -> Snapshot:
        session, board = self.session, look.board
        if before is not None and before.look.board is board:
            # Something was accepted: what is drawn is the same.
            layers, found = before.layers, before.json | self.state(look)
            return Snapshot(look, layers, found)
        if self._map is None or self._map_of is not session.rgb:
            self._map, self._map_of = MapLevels(session.rgb), session.rgb
        survey = look.ground.survey if look.ground is not None else None
        confidence = survey.confidence if survey is not None else None
        layers = Layers(board, self._map, confidence, before.layers if before else None)
        found = {
            **self.state(look),
            **board_json(
                board,
                look.locations,
                session.corrections(),
                (before.look.board, before.json) if _same_lattice(before, board) else None,
            ),
            "observers": [{"name": n, "label": label} for n, label in look.observers],
            "measured": look.rules.engine == "measured",
            "reasons": reasons_json(look.rules),
            "tiles": {
                "size": TILE,
                "levels": levels_of(board.size_px),
                "layers": layers.digests(),
            },
            "legend": layers.keys(),
        }
        return Snapshot(look, layers, found)

    def state(self, look: Look | None = None) -> Json:
        """What changes without the board: depths of undo and redo, progress, what goes on."""
        state = dict(self.session.state())
        return state if look is None else {**state, "version": look.version}

    def los(self, start: str, end: str, observer: str | None = None) -> Json:
        """Answer, line and crossed hexes between two Locations, for a class of observer.

        Raises
        ------
        UsageError
            If one of them does not exist, or the rules have no such class.
        """
        look = self.session.look
        return {"version": look.version, **los_json(look.board, look.los(start, end, observer))}

    def viewshed(self, start: str, observer: str | None = None) -> Json:
        """What every Location is to one, as one number each.

        Raises
        ------
        UsageError
            If there is no such Location, or the rules have no such class.
        """
        look = self.session.look
        row = look.row(start, observer)
        if row is not None:
            place, answers, codes = row
            told = values_of(answers, codes)
            told[place] = 0
            name = look.locations[place].name
            return {"version": look.version, "from": name, "values": told.tolist()}
        seen = look.viewshed(start, observer)
        return {"version": look.version, **viewshed_json(seen, look.locations)}

    def tile(self, layer: str, z: int, x: int, y: int) -> tuple[bytes, str] | None:
        """PNG and digest of a tile, None where there is none."""
        snapshot = self.snapshot()
        found = snapshot.layers.digests().get(layer)
        if found is None:
            return None
        key = (layer, found, z, x, y)
        data = self.tiles.get(key)
        if data is None:
            picture = snapshot.layers.tile(layer, z, x, y)
            if picture is None:
                return None
            data = png(picture)
            self.tiles.put(key, data)
        return data, found

    def findings(self) -> Json:
        """All findings, worst first, and how many are settled."""
        look = self.session.look
        found = look.findings()
        return {
            "version": look.version,
            "progress": progress_of(found),
            "findings": [one.to_json() for one in found],
        }

    def crop(self, finding: str) -> bytes | None:
        """JPEG of the place of a finding; None if there is no such finding or place."""
        for one in self.findings()["findings"]:
            if one["id"] == finding and one["x"] is not None:
                side = ROWS * self.session.board.layout.dy
                return cut(self.session.rgb, (one["x"], one["y"]), side)
        return None

    def change(self, what: str, version: int | None, edit: Json | None = None) -> Json:
        """Apply an edit, undo, redo, or take the file as it is; what the page needs then.

        Parameters
        ----------
        what : str
            ``edit``, ``undo``, ``redo`` or ``reload``.
        version : int or None
            That the page has seen.
        edit : dict, optional
            For ``edit``.

        Raises
        ------
        HexsightError
            As `Session.apply`.
        """
        begun = time.perf_counter()
        with self._changing:
            before = self.snapshot()
            change = self._changed(what, version, edit)
            after = self.snapshot()
            return {
                **change.to_json(),
                **{k: v for k, v in after.json.items() if k in _STATE},
                # Of a file that an editor changed nobody knows which board the page holds.
                "reload": change.grid or what == "reload",
                "board": patch_between(before.json, after.json),
                "dirty_px": _dirty(before, after, change),
                "ms": round(1000 * (time.perf_counter() - begun), 1),
            }

    def _changed(self, what: str, version: int | None, edit: Json | None) -> Change:
        session = self.session
        if what == "undo":
            return session.undo(version=version)
        if what == "redo":
            return session.redo(version=version)
        if what == "reload":
            return session.reload()
        if edit is None:
            raise UsageError("Say what to change: {version: …, edit: {kind: …}}.")
        return session.apply(edit, version=version)


def _same_lattice(before: Snapshot | None, board: Board) -> TypeGuard[Snapshot]:
    """Whether what was told of an earlier board may be told of this one: places are the same."""
    return before is not None and before.look.board.layout == board.layout


_STATE = frozenset({"version", "undo", "redo", "undo_label", "redo_label", "progress", "busy"})


def _dirty(before: Snapshot, after: Snapshot, change: Change) -> Json:
    """Rectangle of changed pixels of each layer whose picture changed."""
    old, new = before.layers.digests(), after.layers.digests()
    width, height = after.look.board.size_px
    told = list(change.window or (0, 0, width, height))
    return {
        name: told if name in LAYERS_CHANGED else [0, 0, width, height]
        for name in new
        if old[name] != new[name]
    }


def los_json(board: Board, answer: Answer) -> Json:
    """An answer as the page takes it."""
    found = answer.to_json()
    for reason in found["reasons"]:
        # What concerns the whole line has no place.
        if reason["pixel"][0] < 0 and reason["pixel"][1] < 0 and not _placed(reason):
            reason["pixel"] = None
    line, hexes = _line(board, answer)
    return {
        **found,
        "line_px": line,
        "hexes": hexes,
        "words": headline(answer) + ".",
        "lines": reason_lines(answer, pixels=False),
    }


def _line(board: Board, answer: Answer) -> tuple[list[list[float]], list[list[str]]]:
    """Ends of a line in board pixels, and the hexes that it crosses, in order."""
    measured = answer.notes.get("line_px")
    if measured is not None:
        # From a point of one base to a point of another, anywhere on the board.
        ends = np.array(measured, np.float64)
        count = 2 + int(8 * np.hypot(*(ends[1] - ends[0])) / board.layout.dy)
        points = ends[0] + np.linspace(0, 1, count)[:, None] * (ends[1] - ends[0])
        cells = dict.fromkeys(map(tuple, board.layout.pixel_to_hex(points).tolist()))
        crossed = [[board.by_offset[c].name] for c in cells if c in board.by_offset]
        return np.round(ends, 2).tolist(), crossed
    names = [hex_of(board, name) for name in (answer.from_name, answer.to_name)]
    a, b = (board.by_name[name] for name in names)
    steps = [
        [board.by_offset[cell].name for cell in step.hexes if cell in board.by_offset]
        for step in hex_line((a.col, a.row), (b.col, b.row)).steps
    ]
    px = [[round(a.x_px, 2), round(a.y_px, 2)], [round(b.x_px, 2), round(b.y_px, 2)]]
    return px, [step for step in steps if step]


def _placed(reason: Json) -> bool:
    return any(key in reason for key in ("hex", "hexside", "vertex"))


def hex_of(board: Board, location: str) -> str:
    """Hex of a Location by its name, as answers write it."""
    return location if location in board.by_name else location.rpartition("@")[0]


def reasons_json(rules: RuleSet) -> Json:
    """Code, rule number and sentence of every reason, by the number that tables hold."""
    told = reasons_of(rules)
    return {
        str(number): {"code": REASONS[number].code, "rule": rule, "text": text}
        for number, (rule, text) in sorted(told.items())
    }


def values_of(answers: NDArray[np.uint8], codes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Answers and reason codes of a table as one number each, as the page takes them."""
    amount = answers & AMOUNT
    hinders = np.minimum(amount, MOST_HINDRANCE)
    halved = MOST_HINDRANCE + np.clip(amount, 1, MOST_HALVINGS)
    open_ = np.where(answers & HALF, halved, hinders)
    return np.where(answers & BLOCKED, FIRST_REASON + codes, open_).astype(np.uint8)


def viewshed_json(seen: Viewshed, locations: tuple[Location, ...]) -> Json:
    """A viewshed of any rules as one number a Location, in the order of the board's."""
    found = {one.name: one for one in seen.seen}
    values = []
    for location in locations:
        one = found.get(location.name)
        if one is None:
            values.append(0)  # the viewer's own
        elif one.state == "blocked":
            values.append(FIRST_REASON + _CODES.get(one.code or "", 0))
        elif one.state == "half":
            values.append(MOST_HINDRANCE + min(max(one.halvings, 1), MOST_HALVINGS))
        else:
            least = 0 if one.state == "clear" else 1
            values.append(min(max(one.hindrance, least), MOST_HINDRANCE))
    return {"from": seen.from_name, "values": values}


def to_bytes(value: Any) -> bytes:
    """Compact JSON, UTF-8; what no JSON may hold is an error."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "backslashreplace")
