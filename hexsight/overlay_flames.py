"""Parts of an overlay file for games that measure: teams and smoke."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from hexsight.los.flames.profile import Length, inches
from hexsight.los.flames.state import Disc, SmokeHit, Team

Pixel = Annotated[float, Field(ge=-1e6, le=1e6, allow_inf_nan=False)]
Place = tuple[Pixel, Pixel]
MAX_BASE = 1_000


def _text(value: object) -> object:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


Name = Annotated[str, BeforeValidator(_text), Field(min_length=1, max_length=60)]
Height = Annotated[float, BeforeValidator(inches), Field(ge=-100, le=1_000, allow_inf_nan=False)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _base(value: Any) -> Any:
    """A front and a depth, or one width of a round base.

    Raises
    ------
    ValueError
        If a width is none; of a choice nobody would be told which half was meant.
    """
    if isinstance(value, (list, tuple)):
        return value
    width = inches(value)
    if isinstance(width, (int, float)) and not 0 < width <= MAX_BASE:
        raise ValueError(f"write a width over 0 and up to {MAX_BASE:,} inches, not {value!r}")
    return width


class TeamPart(_Strict):
    """A team of a game that measures."""

    name: Name
    side: Name | None = Field(None, description="whose it is")
    unit: Name | None = Field(None, description="its platoon")
    kind: Literal["infantry", "gun", "tank"] = "infantry"
    at: Place = Field(description="middle of its base, in board pixels")
    base: Annotated[tuple[Length, Length] | Length | None, BeforeValidator(_base)] = Field(
        None,
        description="[front, depth] in inches, or the width of a round base; the rules' without",
    )
    facing_deg: float = Field(0.0, ge=-360, le=360, description="where it faces: 0 up, clockwise")
    eye: Height | None = Field(
        None, description="inches over what it stands on, of what sees and is seen"
    )
    height: Height = Field(0.0, description="inches over the map's ground, of what it stands on")
    level: Annotated[int, Field(strict=True, ge=-5, le=50)] | Literal["roof"] = Field(
        0, description="storey in a building, or roof"
    )
    dug_in: bool = Field(False, description="infantry in a building: has cut loopholes")

    def entry(self) -> Team:
        """As the rules take it."""
        return Team(
            name=self.name,
            at=self.at,
            kind=self.kind,
            side=self.side,
            unit=self.unit,
            base=self.base,
            facing_deg=self.facing_deg,
            eye=self.eye,
            height=self.height,
            level=self.level,
            dug_in=self.dug_in,
        )


class DiscPart(_Strict):
    """A smoke disc where it lies, or hits with smoke on a team."""

    at: Place | None = Field(None, description="middle of a disc, in board pixels")
    side: Name | None = Field(None, description="who fired it")
    firer: Name | None = Field(None, description="instead of at: team that fired")
    target: Name | None = Field(None, description="team that was hit")
    hits: int = Field(1, strict=True, ge=1, le=100, description="two discs each")

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        hit = self.firer is not None and self.target is not None
        if (self.firer is None) != (self.target is None) or (self.at is None) != hit:
            raise ValueError("write {at: [x, y], side: s} or {firer: team, target: team}")
        if hit and self.side is not None:
            raise ValueError("a hit takes the side of its firer. Take side out")
        return self

    def entry(self) -> Disc | SmokeHit:
        """As the rules take it."""
        if self.firer is not None and self.target is not None:
            return SmokeHit(self.firer, self.target, self.hits)
        assert self.at is not None
        return Disc(self.at, self.side)
