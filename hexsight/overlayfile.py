"""Overlay files: scenario state in YAML, one format for all games.

Unknown or doubled keys and wrong values end in one sentence that names the
line, as in hexsight.yaml.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal, Self, cast

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    model_validator,
)

from hexsight.los.overlay import Overlay, Rubble, Smoke, Unit, Vehicle
from hexsight.los.overlay_board import check_overlay
from hexsight.los.profile import load_profile
from hexsight.los.rulesets import RuleSet
from hexsight.model.board import Board
from hexsight.model.errors import UsageError
from hexsight.model.locations import find_location, locations_of
from hexsight.model.versioned import SchemaVersion
from hexsight.model.yamlplaces import checked, line_of
from hexsight.model.yamlsafe import parse_yaml, read_text
from hexsight.overlay_flames import DiscPart, TeamPart

MAX_ENTRIES = 2_000
_FOR_PEOPLE = frozenset({"schema_version", "name"})
_PIXELS_KNOW = frozenset(
    {"smoke", "blaze", "breach", "rubble", "gutted", "roof_collapse", "wrecks", "vehicles"}
)


def _text(value: object) -> object:
    """A name as a person writes it: 1605 is the hex "1605"."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


Name = Annotated[str, BeforeValidator(_text), Field(min_length=1, max_length=60)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _short(part: type[BaseModel], key: str) -> BeforeValidator:
    """Lets an entry be the bare name of a hex."""

    def full(value: object) -> object:
        if isinstance(value, (str, int)) and not isinstance(value, bool):
            return {key: value}
        if isinstance(value, (dict, part)):
            return value
        raise ValueError(f"write the name of a hex, such as K10, or {{{key}: K10}} with more keys")

    return BeforeValidator(full)


class SmokePart(_Strict):
    """SMOKE, or the SMOKE of a Blaze, in one hex."""

    hex: Name
    hindrance: int | None = Field(
        None,
        strict=True,
        ge=1,
        le=9,
        description="3 smoke, 2 dispersed or white phosphorus; the rules' without",
    )
    height_half: int | None = Field(
        None,
        strict=True,
        ge=1,
        le=40,
        description="of the cloud in half-levels; the rules' without",
    )
    base_half: int = Field(
        0,
        strict=True,
        ge=-20,
        le=40,
        description="half-levels over the hex's ground where it begins",
    )


class RubblePart(_Strict):
    """Rubble of a building at ground level."""

    hex: Name
    material: Literal["stone", "wood"] = "stone"
    into: tuple[Name, ...] = Field((), description="adjacent hexes that rubble fell into")


class VehiclePart(_Strict):
    """A vehicle or wreck."""

    hex: Name = Field(description="its Location: K5, or K5@bridge")


class UnitPart(_Strict):
    """A unit of a hex game."""

    hex: Name | None = Field(None, description="where it stands")
    hexes: tuple[Name, ...] | None = Field(
        None,
        min_length=1,
        max_length=2,
        description="instead of hex: both hexes of a double-size unit",
    )
    kind: Name = Field(description="such as heavy-infantry; the rules tell which there are")
    side: Name | None = Field(None, description="whose it is")
    name: Name | None = Field(None, description="for people")
    facing: Name | None = Field(
        None, description="adjacent hex, vertex such as L15-M15-M16, or 0 to 5"
    )

    @model_validator(mode="after")
    def _stands_somewhere(self) -> Self:
        if (self.hex is None) == (self.hexes is None):
            raise ValueError("say where it stands: hex: K10, or hexes: [K10, K11]")
        return self


def _many(part: Any, key: str) -> Any:
    return Annotated[tuple[Annotated[part, _short(part, key)], ...], Field(max_length=MAX_ENTRIES)]


class OverlayFile(_Strict):
    """Everything that an overlay file may say."""

    schema_version: SchemaVersion = 1
    name: str | None = Field(None, description="for people")
    smoke: _many(SmokePart, "hex") = Field((), description="SMOKE counters")  # type: ignore[valid-type]
    blaze: _many(SmokePart, "hex") = Field((), description="burning hexes")  # type: ignore[valid-type]
    breach: tuple[Name, ...] = Field((), description="Breached hexsides, such as L15-K16")
    rubble: _many(RubblePart, "hex") = Field((), description="fallen buildings")  # type: ignore[valid-type]
    gutted: tuple[Name, ...] = Field((), description="any hex of each Gutted Factory")
    roof_collapse: tuple[Name, ...] = Field((), description="Factory hexes without a roof")
    wrecks: _many(VehiclePart, "hex") = Field((), description="wrecks")  # type: ignore[valid-type]
    vehicles: _many(VehiclePart, "hex") = Field((), description="vehicles")  # type: ignore[valid-type]

    units: tuple[UnitPart, ...] = Field(
        (), max_length=MAX_ENTRIES, description="units of hex games"
    )
    slopes: Literal["steep", "gentle"] | None = Field(
        None, description="what slopes are that nothing is printed on"
    )
    teams: tuple[TeamPart, ...] = Field(
        (), max_length=500, description="teams of games that measure"
    )
    discs: tuple[DiscPart, ...] = Field(
        (), max_length=500, description="smoke of games that measure"
    )

    def overlay(self) -> Overlay:
        """The overlay that it says."""

        def clouds(parts: tuple[SmokePart, ...]) -> tuple[Smoke, ...]:
            return tuple(Smoke(p.hex, p.hindrance, p.height_half, p.base_half) for p in parts)

        return Overlay(
            breached=frozenset(self.breach),
            smoke=clouds(self.smoke),
            blazes=clouds(self.blaze),
            rubble=tuple(Rubble(p.hex, p.material, p.into) for p in self.rubble),
            gutted=self.gutted,
            collapsed=self.roof_collapse,
            vehicles=tuple(Vehicle(p.hex, wreck=True) for p in self.wrecks)
            + tuple(Vehicle(p.hex) for p in self.vehicles),
            units=tuple(
                Unit(p.hexes or (str(p.hex),), p.kind, p.side, p.name, p.facing) for p in self.units
            ),
            slopes=self.slopes,
            teams=tuple(p.entry() for p in self.teams),
            discs=tuple(p.entry() for p in self.discs),
        )


def load_overlay(file: Path, board: Board | None = None, profile: RuleSet | None = None) -> Overlay:
    """Read an overlay.

    Parameters
    ----------
    file : Path
    board : Board, optional
        Names that it does not have are then told with their line.
    profile : RuleSet, optional
        What it does not know is then told with its line; those of asl without.

    Raises
    ------
    InputError
        If the file cannot be read.
    UsageError
        If something in it is wrong; names the line.
    """
    text = read_text(file)
    content = parse_yaml(text, str(file))
    if not content and (content is None or isinstance(content, dict)):
        raise UsageError(
            f"Cannot read {file}: nothing stands in it. Write what changes, such as 'smoke: [K16]'."
        )
    needs = "keys, such as 'smoke: [K16]'"
    read = checked(OverlayFile, content, text, str(file), needs=needs)
    rules = profile or load_profile()
    _check_keys(file, text, read, rules)
    if board is not None:
        _check_names(file, text, read, board, rules)
    return read.overlay()


def known_keys(profile: RuleSet) -> frozenset[str]:
    """Keys of an overlay file that rules know."""
    if profile.engine == "hexes":
        from hexsight.los.hexes import state  # noqa: PLC0415 - most overlays are asl's
        from hexsight.los.hexes.profile import HexProfile  # noqa: PLC0415

        return state.known_keys(cast(HexProfile, profile))
    if profile.engine == "measured":
        return frozenset(profile.overlay_keys)  # type: ignore[attr-defined]
    return _PIXELS_KNOW


def _check_keys(file: Path, text: str, read: OverlayFile, profile: RuleSet) -> None:
    """Refuse what a game does not have.

    Raises
    ------
    UsageError
        With the line.
    """
    known = known_keys(profile)
    for key in OverlayFile.model_fields:
        if key in _FOR_PEOPLE or key in known or not getattr(read, key):
            continue
        have = f"They know {', '.join(sorted(known))}." if known else "Take it out."
        raise UsageError(
            f"{file}, line {line_of(text, [key])}: the rules {profile.name} know no "
            f"{key.replace('_', ' ')}. {have}"
        )


def _check_names(file: Path, text: str, read: OverlayFile, board: Board, profile: RuleSet) -> None:
    """Check each entry alone against the board, so that a wrong one is told with its line."""
    locations = locations_of(board)
    for key in OverlayFile.model_fields:
        value = getattr(read, key)
        if not isinstance(value, tuple):
            continue
        for k, part in enumerate(value):
            # A hit names teams: they are read with it.
            named = {getattr(part, "firer", None), getattr(part, "target", None)} - {None}
            with_it = tuple(t for t in read.teams if t.name in named) if key == "discs" else ()
            if named - {t.name for t in with_it}:
                with_it = read.teams  # all that it could have named are told
            if key == "teams" and part.name in [t.name for t in read.teams[:k]]:
                raise UsageError(
                    f"{file}, line {line_of(text, [key, str(k)])}: Two teams are called "
                    f"{part.name!r}. Give each a name of its own."
                )
            alone = OverlayFile().model_copy(update={"teams": with_it, key: (part,)}).overlay()
            try:
                for vehicle in alone.vehicles:
                    find_location(locations, vehicle.at, board)
                _check_on_board(board, alone, profile)
            except UsageError as error:
                line = line_of(text, [key, str(k)])
                raise UsageError(f"{file}, line {line}: {error}") from error


def _check_on_board(board: Board, overlay: Overlay, profile: RuleSet) -> None:
    """Check what an overlay names against a board, each engine its own way."""
    if profile.engine == "pixels":
        check_overlay(board, overlay)
    elif profile.engine == "hexes":
        from hexsight.los.hexes import state  # noqa: PLC0415 - most overlays are asl's
        from hexsight.los.hexes.profile import HexProfile  # noqa: PLC0415

        state.check_state(board, overlay, cast(HexProfile, profile))
    else:
        profile.check_overlay(board, overlay)  # type: ignore[attr-defined]


def overlay_schema() -> str:
    """JSON Schema of overlay files, as published in docs/."""
    schema: dict[str, Any] = OverlayFile.model_json_schema()
    for part in schema["properties"].values():
        items = part.get("items", {})
        if "$ref" in items:
            # An entry may be the bare name of its hex.
            part["items"] = {"anyOf": [{"type": "string"}, {"type": "integer"}, items]}
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
