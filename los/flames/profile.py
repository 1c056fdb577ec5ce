"""Numbers of rules that measure, read from YAML."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib import resources
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from hexsight.los.overlay import Overlay
from hexsight.model.board import Board
from hexsight.model.errors import UsageError
from hexsight.model.yamlplaces import checked, line_of
from hexsight.model.yamlsafe import parse_yaml

BUILT_IN = "flames"
CM_PER_INCH = 2.5  # as the book pairs them: 2″ and 5 cm, 4″ and 10 cm, 16″ and 40 cm
OBSERVERS = ("shooting", "defensive-fire")
KINDS = ("infantry", "gun", "tank")


def inches(value: object) -> object:
    """Length in inches from what a person writes: 2, "2in", '2"', "5 cm".

    Raises
    ------
    ValueError
        If it has another unit.
    """
    if not isinstance(value, str):
        return value
    text = value.strip().lower().replace("″", '"')
    for unit, factor in (("cm", 1 / CM_PER_INCH), ("inches", 1.0), ("in", 1.0), ('"', 1.0)):
        if text.endswith(unit):
            text, scale = text[: -len(unit)], factor
            break
    else:
        scale = 1.0
    try:
        return float(text) * scale
    except ValueError:
        raise ValueError(f"{value!r} is no length: write inches (2) or '5 cm'") from None


Length = Annotated[float, BeforeValidator(inches), Field(gt=0, le=1_000, allow_inf_nan=False)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SmokeNumbers(_Strict):
    """Of smoke; lengths in inches."""

    disc: Length
    disc_height: Length
    screen: Length
    limit: Length
    concealed: int = Field(1, ge=0, le=9)
    gone_to_ground: int = Field(1, ge=0, le=9)


class BuildingNumbers(_Strict):
    """Of buildings; lengths in inches."""

    storey: Length
    contact: Length


class TeamNumbers(_Strict):
    """Of a kind of team where an overlay does not say more.

    Attributes
    ----------
    base : (float, float)
        Front and depth in inches.
    eye : float
        Height in inches over the ground or floor, of what sees and is seen.
    front_deg : float
        Width of the arc that counts as front.
    turned_deg : float
        By so much a tank that faces a wall may be turned to it.
    """

    base: tuple[Length, Length]
    eye: Length
    front_deg: float = Field(180.0, gt=0, le=360)
    turned_deg: float = Field(10.0, ge=0, le=45)


class Teams(_Strict):
    """By kind."""

    infantry: TeamNumbers
    gun: TeamNumbers
    tank: TeamNumbers


class _File(_Strict):
    engine: Literal["measured"]
    name: str = Field(min_length=1, max_length=60)
    version: int
    pixels_per_inch: float = Field(gt=0.1, le=10_000)
    smoke: SmokeNumbers
    buildings: BuildingNumbers
    teams: Teams


@dataclass(frozen=True)
class MeasuredProfile:
    """Rules that measure.

    Attributes
    ----------
    name : str
    version : int
    pixels_per_inch : float
        Of the map.
    smoke : SmokeNumbers
    buildings : BuildingNumbers
    teams : Teams
    digest : bytes
        SHA-256 of the file, 32 bytes.
    """

    name: str
    version: int
    pixels_per_inch: float
    smoke: SmokeNumbers
    buildings: BuildingNumbers
    teams: Teams
    digest: bytes

    engine: ClassVar[str] = "measured"
    observers: ClassVar[tuple[str, ...]] = OBSERVERS
    overlay_keys: ClassVar[tuple[str, ...]] = ("discs", "teams")

    def kind(self, name: str) -> TeamNumbers:
        """Numbers of a kind of team."""
        found: TeamNumbers = getattr(self.teams, name)
        return found

    def check_overlay(self, board: Board, overlay: Overlay) -> None:
        """Refuse an overlay that does not fit a board.

        Raises
        ------
        UsageError
            One sentence on what is wrong.
        """
        from hexsight.los.flames.scene import scene_of  # noqa: PLC0415 - it needs profiles

        width, height = board.size_px
        for one in (*overlay.teams, *overlay.discs):
            at = getattr(one, "at", None)
            if at is not None and not (0 <= at[0] < width and 0 <= at[1] < height):
                raise UsageError(
                    f"({at[0]:g}, {at[1]:g}) is not on {board.name}, which is "
                    f"{width} × {height} pixels."
                )
        scene_of(board, self, overlay.teams, overlay.discs)


def _over(base: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """The numbers of `base` with those of `more` in their places, key by key."""
    out = dict(base)
    for key, value in more.items():
        both = isinstance(value, dict) and isinstance(out.get(key), dict)
        out[key] = _over(out[key], value) if both else value
    return out


def profile_from_text(text: str, where: str) -> MeasuredProfile:
    """Read rules from YAML.

    With ``extends: flames`` only what differs from the built-in ones need be written.

    Raises
    ------
    UsageError
        If it is no YAML or a key is missing, unknown or out of range; names the line.
    """
    data: Any = parse_yaml(text, where)
    needs = "keys, such as 'engine: measured'"
    digest = hashlib.sha256(text.encode())
    if isinstance(data, dict) and "extends" in data:
        if data["extends"] != BUILT_IN:
            raise UsageError(
                f"Cannot read {where}, line {line_of(text, ['extends'])}: rules that measure "
                f"extend {BUILT_IN!r} only."
            )
        base = (resources.files(__package__) / f"{BUILT_IN}.yaml").read_text(encoding="utf-8")
        digest.update(base.encode())
        data = _over(parse_yaml(base, BUILT_IN), data)
        del data["extends"]
    file = checked(_File, data, text, where, needs=needs)
    numbers: dict[str, Any] = {
        key: getattr(file, key) for key in _File.model_fields if key != "engine"
    }
    return MeasuredProfile(**numbers, digest=digest.digest())
