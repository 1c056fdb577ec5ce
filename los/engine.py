"""One door to all engines: which of them answers depends on the rules.

`hexsight.los.profile.Profile` is answered by the pixel walk, a `HexProfile` by
`hexsight.los.hexes`, rules that measure by `hexsight.los.flames`; each is
imported only when it is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from hexsight.los.explain import Answer, explain
from hexsight.los.overlay import Overlay
from hexsight.los.profile import Profile
from hexsight.los.rules.registry import REASONS
from hexsight.los.rulesets import RuleSet
from hexsight.model.board import Board
from hexsight.model.errors import UsageError
from hexsight.model.locations import Location, locations_of

if TYPE_CHECKING:
    from hexsight.los.blocking import BlockingPlaces
    from hexsight.los.table import Table
    from hexsight.los.viewshed import Viewshed

Progress = Callable[[int, int], None]


def ask(
    board: Board,
    a: str,
    b: str,
    profile: RuleSet,
    overlay: Overlay | None = None,
    observer: str | None = None,
    *,
    side: str | None = None,
) -> Answer:
    """Line of sight between two Locations, with reasons.

    Parameters
    ----------
    board : Board
    a, b : str
        Locations, such as ``K15`` and ``O18@2``; what rules that measure take
        besides is said in `hexsight.los.flames`.
    profile : RuleSet
        As `hexsight.los.rulesets.load_rules` gives it.
    overlay : Overlay, optional
        Scenario state.
    observer : str, optional
        Class of observer; the first of the profile without.
    side : str, optional
        Whose observer it is: units of other sides are enemies.  Without it
        every unit counts as one.

    Raises
    ------
    UsageError
        If a Location or class does not exist, or the overlay is wrong.
    """
    if isinstance(profile, Profile):
        _no_observer(profile, observer, side)
        return explain(board, a, b, profile, overlay)
    _no_side(profile, side)
    answer: Answer = _module(profile).ask(board, a, b, profile, overlay, observer, side=side)
    return answer


def seen_from(
    board: Board,
    a: str,
    profile: RuleSet,
    overlay: Overlay | None = None,
    observer: str | None = None,
    *,
    side: str | None = None,
) -> Viewshed:
    """All Locations seen from one; the rest as `ask`."""
    if isinstance(profile, Profile):
        from hexsight.los.viewshed import viewshed  # noqa: PLC0415 - many ask one line only

        _no_observer(profile, observer, side)
        return viewshed(board, a, profile, overlay)
    _no_side(profile, side)
    seen: Viewshed = _module(profile).seen_from(board, a, profile, overlay, observer, side=side)
    return seen


def table_of(
    board: Board,
    profile: RuleSet,
    overlay: Overlay | None = None,
    *,
    base: Table | None = None,
    progress: Progress | None = None,
    threads: int = 2,
    reasons: bool = True,
    engine: str = "auto",
    side: str | None = None,
) -> Table:
    """The table of all pairs of Locations, for every class of observer.

    Parameters
    ----------
    board : Board
    profile : RuleSet
    overlay : Overlay, optional
    base : Table, optional
        Of the board without the overlay: only what the overlay touches is
        answered anew.
    progress : callable, optional
        Called with work done and work in all.
    threads : int
    reasons : bool
        Also keep what blocks.
    engine : str
        ``numba``, ``python`` or ``auto``.
    side : str, optional
        As in `ask`.

    Raises
    ------
    UsageError
        If the rules answer no tables, or the overlay is wrong.
    """
    if isinstance(profile, Profile):
        from hexsight.los.overlay_table import overlay_table  # noqa: PLC0415 - tables only
        from hexsight.los.table import build_table  # noqa: PLC0415

        _no_observer(profile, None, side)
        made = base
        if made is None or not made.is_made_from(board, profile):
            made = build_table(
                board, profile, progress, threads=threads, reasons=reasons, engine=engine
            )
        return made if overlay is None else overlay_table(board, profile, overlay, made).table
    table: Table = _module(profile).table_of(
        board,
        profile,
        overlay,
        base=base,
        progress=progress,
        threads=threads,
        reasons=reasons,
        engine=engine,
        side=side,
    )
    return table


def overlaid_table(
    board: Board, profile: RuleSet, overlay: Overlay, base: Table, *, side: str | None = None
) -> tuple[Table, int, int]:
    """The table under an overlay, how many answers of it were found anew, and all of them.

    Parameters
    ----------
    board : Board
    profile : RuleSet
    overlay : Overlay
    base : Table
        Of the board without it; of use if it was made from both.
    side : str, optional
        As in `ask`.
    """
    if isinstance(profile, Profile):
        from hexsight.los.overlay_table import overlay_table  # noqa: PLC0415 - tables only

        _no_observer(profile, None, side)
        made = overlay_table(board, profile, overlay, base)
        return made.table, made.walked, made.pairs
    if profile.engine == "hexes":
        from hexsight.los.hexes.build import build  # noqa: PLC0415 - not asl's
        from hexsight.los.hexes.profile import HexProfile  # noqa: PLC0415

        assert isinstance(profile, HexProfile)
        built = build(board, profile, overlay, base=base, side=side)
        return built.table, built.walked, built.pairs
    table = _module(profile).table_of(board, profile, overlay, base=base, side=side)
    return table, len(table.answers), len(table.answers)


def asking(board: Board, profile: RuleSet) -> Callable[[str, str, str | None], Answer]:
    """A function that answers pairs of Locations for a class, for many questions at once."""
    if isinstance(profile, Profile):
        from hexsight.los.compile import compile_board  # noqa: PLC0415 - few ask many
        from hexsight.los.explain import explain_compiled  # noqa: PLC0415

        compiled = compile_board(board, profile)
        return lambda a, b, _observer: explain_compiled(compiled, a, b)
    if profile.engine == "hexes":
        from hexsight.los.hexes.explain import many  # noqa: PLC0415 - not asl's
        from hexsight.los.hexes.profile import HexProfile  # noqa: PLC0415

        assert isinstance(profile, HexProfile)
        return many(board, profile)
    return lambda a, b, observer: ask(board, a, b, profile, None, observer)


def locations_for(board: Board, profile: RuleSet) -> tuple[Location, ...]:
    """Locations of a board that the rules know, in the order of their tables."""
    if profile.engine == "hexes":
        from hexsight.los.hexes.compile import locations_known  # noqa: PLC0415 - not asl's
        from hexsight.los.hexes.profile import HexProfile  # noqa: PLC0415

        assert isinstance(profile, HexProfile)
        return locations_known(board, profile)
    return locations_of(board)


def blocking_for(
    board: Board, profile: RuleSet, observer: str | None, count: int
) -> list[BlockingPlaces]:
    """Finders of where lines are blocked, one for each of some threads.

    Raises
    ------
    UsageError
        If the rules measure, or have no such class.
    """
    from hexsight.los.blocking import BlockingPlaces  # noqa: PLC0415 - exports only

    if isinstance(profile, Profile):
        from hexsight.los.compile import compile_board  # noqa: PLC0415 - exports only

        compiled = compile_board(board, profile)
        return [BlockingPlaces(compiled) for _ in range(count)]
    if profile.engine == "hexes":
        from hexsight.los.hexes.blocking import hex_blocking  # noqa: PLC0415 - not asl's
        from hexsight.los.hexes.profile import HexProfile  # noqa: PLC0415

        assert isinstance(profile, HexProfile)
        return hex_blocking(board, profile, profile.observer(observer), count)
    raise UsageError(f"The rules {profile.name} have no table of hexes.")


def reasons_of(profile: RuleSet) -> dict[int, tuple[str, str]]:
    """Rule number and sentence of every reason code of a game's tables."""
    if profile.engine == "hexes":
        from hexsight.los.hexes.profile import HexProfile  # noqa: PLC0415 - not asl's
        from hexsight.los.hexes.reasons import reasons_of as of_hexes  # noqa: PLC0415

        assert isinstance(profile, HexProfile)
        return of_hexes(profile)
    return {code: (reason.rule, reason.text) for code, reason in REASONS.items()}


def _module(profile: RuleSet) -> Any:
    """The package that answers for rules of another engine than asl's."""
    if profile.engine == "hexes":
        from hexsight.los.hexes import answers as hexes  # noqa: PLC0415 - not asl's

        return hexes
    from hexsight.los.flames import answers as measured  # noqa: PLC0415 - not asl's

    return measured


def _no_observer(profile: Profile, observer: str | None, side: str | None = None) -> None:
    _no_side(profile, side)
    if observer is not None:
        raise UsageError(
            f"In the rules {profile.name} all observers see alike. Leave --observer out."
        )


def _no_side(profile: RuleSet, side: str | None) -> None:
    """Refuse a side where it would say nothing."""
    if side is None or profile.engine == "hexes":
        return
    if profile.engine == "measured":
        raise UsageError(f"In the rules {profile.name} teams say their side. Leave --side out.")
    raise UsageError(f"The rules {profile.name} know no sides. Leave --side out.")
