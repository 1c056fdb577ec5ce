"""The rules of a hex game as data: what blocks, hinders or halves, and for whom.

The keys are described for people in docs/games.md.  Heights are half-levels.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    model_validator,
)

from hexsight.los.observers import find_observer
from hexsight.los.rules.registry import HEX_BLOCKS, HEX_HINDERS, REASONS
from hexsight.model.errors import UsageError
from hexsight.model.terrain import load_catalogue
from hexsight.model.yamlplaces import checked, line_of
from hexsight.model.yamlsafe import parse_yaml

MAX_CLASSES = 8
MAX_ROWS = 200
HEXES_ENGINE = "hexes"


def _rule_number(value: object) -> object:
    """A rule number as a person writes it: 10.9 is the rule "10.9"."""
    return str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value


Word = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[a-z0-9][a-z0-9-]*$")]
Rule = Annotated[str, BeforeValidator(_rule_number), Field(max_length=60)]
Classes = tuple[Word, ...]


class Strict(BaseModel):
    """Nothing that is not known, nothing that changes."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ObserverClass(Strict):
    """A class of observer, and what is its own.

    Attributes
    ----------
    label : str
        For people; the class's name without.
    across_dead_zone : bool
        False where no dead zone may lie anywhere on the line.
    range_limit : int or None
        Farthest range in hexes; the game's without.
    rule : str
        Of what is its own.
    """

    label: str = Field("", max_length=80)
    across_dead_zone: bool = True
    range_limit: int | None = Field(None, ge=1, le=100_000)
    rule: Rule = ""


class _Row(Strict):
    """What some terrain is to a line of sight."""

    terrain: tuple[str, ...] = Field((), description="names of the terrain catalogue")
    kinds: tuple[str, ...] = Field((), description="kinds of the terrain catalogue")
    blocks: bool = False
    hinders: int = Field(0, ge=0, le=9)
    height: Annotated[int, Field(ge=-200, le=200)] | Literal["any"] | None = Field(
        None, description="half-levels over the ground, 'any' blocks at all heights"
    )
    classes: Classes | None = Field(None, description="for whom; all without")
    rule: Rule = ""

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.terrain and not self.kinds:
            raise ValueError("name its terrain or its kinds")
        if self.blocks and self.hinders:
            raise ValueError("what blocks cannot hinder as well")
        return self


class HexRow(_Row):
    """Terrain that fills a hex.  The first row that fits a hex and a class holds."""


class HexsideRow(_Row):
    """Terrain on a hexside.

    Attributes
    ----------
    two_sided : bool
        Who stands beside it may fire across it into the adjacent hex (10.9.3A).
    own_hex : str
        ``clear``: no hexside of the hex of either end blocks or hinders.
    """

    two_sided: bool = False
    own_hex: Literal["blocks", "clear"] = "blocks"


class SlopeRow(Strict):
    """What a slope does where a line crosses it.

    Attributes
    ----------
    terrain, kinds : tuple of str
        Terrain on a hexside that is this slope.
    dead_zone : bool
        It hides what lies beyond and below it from above (10.9.3B).
    bounds : bool
        A hex higher than both ends blocks if it has this slope down from it
        (10.9.2); asked with ``elevation: bounded``.
    stops : tuple of str
        Classes whose line ends at it, up or down.
    """

    terrain: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    dead_zone: bool = False
    bounds: bool = False
    stops: Classes = ()
    rule: Rule = ""


class Slopes(Strict):
    """Steep and gentle slopes, and what a step in the ground is that nothing is printed on."""

    steep: SlopeRow = SlopeRow()
    gentle: SlopeRow = SlopeRow()
    unmarked: Literal["none", "gentle", "steep"] = "none"


class UnitRow(Strict):
    """What a hex with a kind of unit is to a line through it.

    Attributes
    ----------
    blocks : tuple of str
        Classes that do not look through it.
    enemy_blocks : tuple of str
        Classes that do not look through it when it is an enemy's.
    hinders : int
    """

    label: str = Field("", max_length=80)
    blocks: Classes = ()
    enemy_blocks: Classes = ()
    hinders: int = Field(0, ge=0, le=9)
    rule: Rule = ""


class SmokeRow(Strict):
    """What smoke is to one class.

    Attributes
    ----------
    through : str
        Of a smoke hex between both ends.
    inside : str
        Of a smoke hex that one of the ends stands in; the key is ``in``.
    hinders : int
        Of a smoke hex between both ends, where `through` is ``hinders``.
    limit : int or None
        More smoke hexes between both ends block.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    through: Literal["none", "blocks", "half", "hinders"] = "blocks"
    inside: Literal["none", "half"] = Field("none", alias="in")
    hinders: int = Field(1, ge=1, le=9)
    limit: int | None = Field(None, ge=0, le=1_000)
    rule: Rule = ""


class OverlayRules(Strict):
    """Scenario state that a game knows; what is missing here is refused in overlay files.

    Attributes
    ----------
    units : mapping of str to UnitRow
        By kind.
    smoke : mapping of str to SmokeRow, or None
        By class; a class without a row is not touched by smoke.
    wrecks, vehicles : UnitRow or None
    slopes : bool
        Whether a scenario says what its unmarked slopes are.
    """

    units: dict[Word, UnitRow] = Field({}, max_length=MAX_ROWS)
    smoke: dict[Word, SmokeRow] | None = None
    wrecks: UnitRow | None = None
    vehicles: UnitRow | None = None
    slopes: bool = False


class HexRules(Strict):
    """Everything that a profile of a hex game may say."""

    engine: Literal["hexes"]
    name: Word
    version: int = Field(1, ge=1)
    title: str = Field("", max_length=120)
    classes: dict[Word, ObserverClass] = Field(
        {"unit": ObserverClass()}, min_length=1, max_length=MAX_CLASSES
    )
    locations: Literal["ground", "levels", "all"] = "ground"
    elevation: Literal["none", "bounded", "higher", "sight-line"] = "none"
    tie: Literal["clear", "blocks"] = "clear"
    lower_terrain: Literal["counts", "ignored"] = "counts"
    along_hexside: Literal["both", "either"] = "both"
    hexes: tuple[HexRow, ...] = Field((), max_length=MAX_ROWS)
    hexsides: tuple[HexsideRow, ...] = Field((), max_length=MAX_ROWS)
    slopes: Slopes = Slopes()
    hindrance_limit: int | None = Field(None, ge=1, le=63)
    half_limit: int | None = Field(None, ge=1, le=63, description="more halvings block")
    range_limit: int | None = Field(None, ge=1, le=100_000)
    overlay: OverlayRules = OverlayRules()
    rules: dict[Word, Rule] = Field(
        {}, description="rule numbers by code of a reason, where no row has one"
    )

    @property
    def halves(self) -> bool:
        """Whether anything halves fire."""
        smoke = self.overlay.smoke or {}
        return any("half" in (s.through, s.inside) for s in smoke.values())

    @property
    def hinders(self) -> bool:
        """Whether anything hinders."""
        over = self.overlay
        units = [*over.units.values(), *(u for u in (over.wrecks, over.vehicles) if u)]
        smoke = (over.smoke or {}).values()
        counts = [row.hinders for row in self.hexes] + [row.hinders for row in self.hexsides]
        counts += [unit.hinders for unit in units]
        return any(counts) or any(s.through == "hinders" for s in smoke)


@dataclass(frozen=True)
class HexProfile:
    """A rule set of the hex engine.

    Attributes
    ----------
    rules : HexRules
    digest : bytes
        SHA-256 of its text (and of its rule file), 32 bytes; tables carry it.
    text : str
        The YAML.
    judge : callable or None
        The rule file's function; see `hexsight.los.hexes.hook`.
    """

    rules: HexRules
    digest: bytes
    text: str = field(repr=False)
    judge: Any = field(default=None, compare=False)

    engine: ClassVar[str] = HEXES_ENGINE

    @property
    def name(self) -> str:
        """Word by which it is asked for."""
        return self.rules.name

    @property
    def version(self) -> int:
        """Of the rules."""
        return self.rules.version

    @cached_property
    def observers(self) -> tuple[str, ...]:
        """Names of the classes of observer, the default first."""
        return tuple(self.rules.classes)

    def observer(self, name: str | None) -> str:
        """The class that a person names, the first without.

        Raises
        ------
        UsageError
            If the rules have no such class.
        """
        return find_observer(self.name, self.observers, name)


def profile_from_text(text: str, where: str, judge: Any = None, salt: bytes = b"") -> HexProfile:
    """Read the rules of a hex game from YAML.

    Parameters
    ----------
    text : str
    where : str
        Name of the file for messages.
    judge : callable, optional
        Function of a rule file.
    salt : bytes
        What else decides answers, such as the text of that file; part of the
        digest.

    Raises
    ------
    UsageError
        If it is no YAML, or a key is missing, unknown or wrong; names the line.
    """
    data: Any = parse_yaml(text, where)
    rules = checked(HexRules, data, text, where, needs="keys, such as 'engine: hexes'")
    _check(rules, text, where)
    digest = hashlib.sha256(text.encode() + salt).digest()
    return HexProfile(rules, digest, text, judge)


def _check(rules: HexRules, text: str, where: str) -> None:
    """Refuse names that nothing has: a row that never fits is a slip of the pen.

    Raises
    ------
    UsageError
        With the line.
    """

    def wrong(keys: list[str], what: str) -> UsageError:
        return UsageError(f"Cannot read {where}, line {line_of(text, keys)}: {what}")

    catalogue = load_catalogue()
    kinds = {t.kind for t in catalogue.types}
    rows: list[tuple[list[str], HexRow | HexsideRow | SlopeRow]] = []
    rows += [(["hexes", str(k)], row) for k, row in enumerate(rules.hexes)]
    rows += [(["hexsides", str(k)], row) for k, row in enumerate(rules.hexsides)]
    rows += [(["slopes", key], getattr(rules.slopes, key)) for key in ("steep", "gentle")]
    for keys, row in rows:
        for kind in row.kinds:
            if kind not in kinds:
                raise wrong(
                    [*keys, "kinds"],
                    f"no terrain is of the kind {kind!r}. Use {', '.join(sorted(kinds))}.",
                )
        for terrain in row.terrain:
            try:
                catalogue.named(terrain)
            except UsageError as error:
                raise wrong([*keys, "terrain"], str(error)) from error
    for keys, key, names in _classes_named(rules):
        for name in names:
            if name not in rules.classes:
                have = ", ".join(rules.classes)
                raise wrong([*keys, key], f"there is no class {name!r} among {have}.")
    words = [r.code for code, r in REASONS.items() if HEX_BLOCKS <= code < HEX_HINDERS + 20]
    for word in rules.rules:
        if word not in words:
            raise wrong(
                ["rules", word], f"there is no reason {word!r}. Use {', '.join(sorted(words))}."
            )
    if rules.halves and rules.hinders:
        raise wrong(
            ["overlay", "smoke"],
            "a game either hinders or halves, for an answer holds one number. Choose one.",
        )
    if rules.slopes.unmarked != "none" and rules.elevation == "none":
        raise wrong(["slopes", "unmarked"], "slopes need heights. Set 'elevation' as well.")


def _classes_named(rules: HexRules) -> list[tuple[list[str], str, tuple[str, ...]]]:
    """Where a profile names classes: keys of the row, key in it, names."""
    out: list[tuple[list[str], str, tuple[str, ...]]] = []
    for part in ("hexes", "hexsides"):
        for k, row in enumerate(getattr(rules, part)):
            out.append(([part, str(k)], "classes", row.classes or ()))
    for key in ("steep", "gentle"):
        out.append((["slopes", key], "stops", getattr(rules.slopes, key).stops))
    for kind, unit in rules.overlay.units.items():
        out.append((["overlay", "units", kind], "blocks", unit.blocks))
        out.append((["overlay", "units", kind], "enemy_blocks", unit.enemy_blocks))
    for key in ("wrecks", "vehicles"):
        unit_row: UnitRow | None = getattr(rules.overlay, key)
        if unit_row is not None:
            out.append((["overlay", key], "blocks", unit_row.blocks))
    out.append((["overlay"], "smoke", tuple(rules.overlay.smoke or ())))
    return out
