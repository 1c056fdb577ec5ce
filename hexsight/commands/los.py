"""`hexsight los`: one line of sight with its reasons, or all that is seen from a Location."""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from hexsight.boardrules import rules_for
from hexsight.commands.common import (
    board_argument,
    force_option,
    json_option,
    map_options,
    observer_option,
    open_board,
    overlay_option,
    print_json,
    rules_option,
    side_option,
)
from hexsight.export.picture_los import LosDrawing, LosMark, draw_los
from hexsight.export.picture_measured import draw_measured
from hexsight.export.picture_viewshed import ViewMark, draw_viewshed
from hexsight.los.engine import ask, seen_from
from hexsight.los.explain import Answer
from hexsight.los.flames.profile import MeasuredProfile
from hexsight.los.overlay import Overlay
from hexsight.los.rulesets import RuleSet, load_rules
from hexsight.los.viewshed import Viewshed
from hexsight.los.words import class_lines, headline, reason_lines
from hexsight.model.board import Board
from hexsight.model.errors import UsageError
from hexsight.model.locations import find_location, locations_of
from hexsight.output import png_bytes, write_bytes
from hexsight.overlaydrawn import state_drawing
from hexsight.overlayfile import load_overlay


@click.command()
@board_argument
@click.argument("from_", metavar="[FROM]", required=False)
@click.argument("to", metavar="[TO]", required=False)
@click.option("--from", "viewer", metavar="LOCATION", help="All that is seen from a Location.")
@rules_option
@overlay_option
@observer_option
@side_option
@click.option("--picture", type=click.Path(path_type=Path), help="Draw the answer (PNG).")
@map_options
@force_option
@json_option
def los(
    board: Path,
    from_: str | None,
    to: str | None,
    viewer: str | None,
    rules: str | None,
    overlay_file: Path | None,
    observer: str | None,
    side: str | None,
    picture: Path | None,
    map_: Path | None,
    board_name: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Say whether there is a line of sight on BOARD between two Locations, and why.

    A Location is a hex at ground level (K15), on an upper level (K15@2), on the
    rooftop (K15@roof) or in the cellar (K15@-1).  With FROM alone, or --from,
    the answer is the viewshed: all Locations seen from there.  Rules that measure
    (flames) also take the name of a team of the overlay, or a point x,y in pixels.
    """
    start, end = _ends(from_, to, viewer)
    if picture is None and (map_ is not None or board_name is not None):
        option = "--map" if map_ is not None else "--board"
        raise UsageError(f"{option} goes with --picture FILE: it says what to draw on.")
    found = open_board(board)
    _tell_unknown(found)
    profile = load_rules(rules_for(board, rules))
    overlay = load_overlay(overlay_file, found, profile) if overlay_file is not None else None
    inputs = [p for p in (board, map_, overlay_file) if p is not None]
    result: Answer | Viewshed
    if end is None:
        result = seen_from(found, start, profile, overlay, observer, side=side)
        told = _summary(result)
    else:
        result = ask(found, start, end, profile, overlay, observer, side=side)
        told = _describe(result)
    if picture is not None:
        # What reads maps takes longer to load than most lines of sight take.
        from hexsight.commands.render import map_of  # noqa: PLC0415

        rgb = map_of(found, map_, board_name)
        drawn = _draw(rgb, found, result, profile, overlay, told.splitlines()[0])
        write_bytes(picture, png_bytes(drawn), overwrite=force, inputs=inputs)
    if as_json:
        print_json(result.to_json())
    else:
        click.echo(told)


def _draw(
    rgb: NDArray[np.uint8],
    board: Board,
    result: Answer | Viewshed,
    profile: RuleSet,
    overlay: Overlay | None,
    title: str,
) -> NDArray[np.uint8]:
    """The picture of an answer."""
    if isinstance(profile, MeasuredProfile):
        from hexsight.measured import hex_of, measured_drawing  # noqa: PLC0415 - few ask it

        if isinstance(result, Answer):
            return draw_measured(rgb, board, measured_drawing(board, result, profile, overlay))
        viewer = hex_of(board, result.from_name, profile, overlay)
        return draw_viewshed(rgb, board, viewer, _marks(result), title=title)
    if isinstance(result, Answer):
        return draw_los(rgb, board, _drawing(board, result, overlay))
    viewer, on_map = _hex(board, result.from_name), state_drawing(overlay)
    return draw_viewshed(rgb, board, viewer, _marks(result), title=title, on_map=on_map)


def _ends(from_: str | None, to: str | None, viewer: str | None) -> tuple[str, str | None]:
    """Both Locations asked; no second one for a viewshed."""
    if viewer is not None:
        if from_ is not None:
            raise UsageError(
                f"Name either two Locations ({from_} …) or the viewer alone (--from {viewer})."
            )
        return viewer, None
    if from_ is None:
        raise UsageError("Name two Locations, such as K15 L16@2, or a viewer with --from K15.")
    return from_, to


def _tell_unknown(board: Board) -> None:
    """Say once which terrain codes nobody knows: they count as open ground."""
    codes = np.flatnonzero(np.bincount(board.terrain.ravel(), minlength=256))
    unknown = [str(code) for code in codes.tolist() if code not in board.catalogue]
    if unknown:
        click.echo(
            f"Terrain code {', '.join(unknown)} on {board.name} is in no catalogue and counts as "
            "open ground. See hexsight check.",
            err=True,
        )


def _hex(board: Board, location: str) -> str:
    """Name of the hex of a Location."""
    return board.hexes[find_location(locations_of(board), location, board).hex].name


_LABELS = {"roof": "R", "cellar": "C", "bridge": "B"}


def _marks(seen: Viewshed) -> list[ViewMark]:
    """A mark for each ground, and for all Locations of hexes in which any is seen."""
    open_hexes = {one.hex for one in seen.seen if one.state != "blocked"}
    return [
        ViewMark(
            one.hex,
            "" if one.kind == "ground" else _LABELS.get(one.kind, str(one.level)),
            one.state,
            one.hindrance,
        )
        for one in seen.seen
        # A team's hex has a mark of its own ground already.
        if one.range and one.kind != "team" and (one.kind == "ground" or one.hex in open_hexes)
    ]


def _summary(seen: Viewshed) -> str:
    """How many Locations are seen, and the list of them."""
    counts = {state: seen.count(state) for state in ("clear", "hindered", "half", "blocked")}
    who = f"{seen.from_name} ({seen.observer})" if seen.observer else seen.from_name
    half = f"{counts['half']} at half strength, " if counts["half"] else ""
    lines = [
        f"From {who}: {counts['clear']} Locations clear, "
        f"{counts['hindered']} hindered, {half}{counts['blocked']} not seen"
    ]
    lines += [
        f"  {one.name}" + (f" +{one.hindrance}" if one.hindrance else " ½" * one.halvings)
        for one in seen.seen
        if one.state != "blocked"
    ]
    return "\n".join(lines)


def _drawing(board: Board, answer: Answer, overlay: Overlay | None) -> LosDrawing:
    """What to draw of an answer."""
    ends = [_hex(board, name) for name in (answer.from_name, answer.to_name)]
    marks = tuple(
        LosMark(*r.pixel, "hinders", f"+{r.hindrance}")
        if r.hindrance
        else LosMark(*r.pixel, "hinders", "½")
        if answer.state == "half"
        else LosMark(*r.pixel, "blocks", r.rule)
        for r in answer.reasons
    )
    return LosDrawing(
        ends[0],
        ends[1],
        answer.state,
        tuple(answer.hindrance_by_hex),
        marks,
        headline(answer),
        state_drawing(overlay),
    )


def _describe(answer: Answer) -> str:
    lines = [*class_lines(answer), *reason_lines(answer)]
    return "\n".join([headline(answer), *(f"  {line}" for line in lines)])
