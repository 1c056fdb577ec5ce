"""The rule set as data: frozen, hashed, read from YAML."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from hexsight.model.errors import UsageError
from hexsight.model.yamlplaces import checked
from hexsight.model.yamlsafe import parse_yaml

# Places in the array of numbers that rule functions take.
HINDRANCE_LIMIT, BLIND_RANGE, HINDER_TERRAIN, HINDER_LIGHT, HINDER_FACTORY, HINDER_ROOFLESS = range(
    6
)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


Small = Annotated[int, Field(ge=-99, le=99)]


class Hindrances(_Strict):
    """Hindrance of one hex."""

    terrain: int = Field(ge=0, le=9)
    light_woods: int = Field(ge=0, le=9)
    factory: int = Field(ge=0, le=9)
    roofless: int = Field(ge=0, le=9)


class ByMaterial(_Strict):
    """A number for stone and one for wood."""

    stone: Small
    wood: Small

    def of(self, material: str | None) -> int:
        """The number for a material; what has none counts as stone."""
        return self.wood if material == "wood" else self.stone


class Tem(_Strict):
    """Target's terrain effects modifiers."""

    factory: Small
    roofless: Small
    building: ByMaterial
    rubble: ByMaterial
    woods: Small
    rough: Small
    other: Small


class Cloud(_Strict):
    """SMOKE where an overlay does not say more."""

    hindrance: int = Field(ge=1, le=9)
    height_half: int = Field(ge=1, le=40)


class OverlayRules(_Strict):
    """Numbers of scenario state; those of A24, B25 and D9 where a rule set is silent."""

    smoke_limit: int = Field(3, ge=1, le=63)
    smoke: Cloud = Cloud(hindrance=3, height_half=4)
    blaze: Cloud = Cloud(hindrance=3, height_half=8)
    vehicle: int = Field(1, ge=0, le=9)
    out_of_smoke: int = Field(1, ge=0, le=9)


class _File(_Strict):
    engine: Literal["pixels"] = "pixels"
    name: str
    version: int
    hindrance_limit: int = Field(ge=1, le=63)
    hindrance: Hindrances
    blind_range: int = Field(ge=1, le=100_000)
    overlay: OverlayRules = OverlayRules()
    tem: Tem


@dataclass(frozen=True)
class Profile:
    """A rule set.

    Attributes
    ----------
    name : str
    version : int
    hindrance_limit : int
        A total of so many Hindrances blocks (A6.7).
    hindrance : Hindrances
    blind_range : int
        Hexes of range for one further Blind Hex (A6.4).
    overlay : OverlayRules
    tem : Tem
    digest : bytes
        SHA-256 of the file, 32 bytes; tables carry it.
    """

    name: str
    version: int
    hindrance_limit: int
    hindrance: Hindrances
    blind_range: int
    overlay: OverlayRules
    tem: Tem
    digest: bytes

    engine: ClassVar[str] = "pixels"
    observers: ClassVar[tuple[str, ...]] = ()

    @property
    def numbers(self) -> NDArray[np.int32]:
        """The numbers that rule functions need, (6,) int32, in the order of this module's names."""
        h = self.hindrance
        return np.array(
            [
                self.hindrance_limit,
                self.blind_range,
                h.terrain,
                h.light_woods,
                h.factory,
                h.roofless,
            ],
            np.int32,
        )


def profile_from_text(text: str, where: str) -> Profile:
    """Read a rule set from YAML.

    Raises
    ------
    UsageError
        If it is no YAML or a key is missing, unknown or out of range.
    """
    data: Any = parse_yaml(text, where)
    file = checked(_File, data, text, where, needs="keys, such as 'engine: pixels'")
    return Profile(
        name=file.name,
        version=file.version,
        hindrance_limit=file.hindrance_limit,
        hindrance=file.hindrance,
        blind_range=file.blind_range,
        overlay=file.overlay,
        tem=file.tem,
        digest=hashlib.sha256(text.encode()).digest(),
    )


@lru_cache(maxsize=8)
def load_profile(name: str = "asl") -> Profile:
    """A rule set that comes with hexsight.

    Raises
    ------
    UsageError
        If there is none of that name.
    """
    file = resources.files("hexsight.los") / f"{name}.yaml"
    if not name.isidentifier() or not file.is_file():
        raise UsageError(f"There is no rule set {name!r}. Use 'asl'.")
    return profile_from_text(file.read_text(encoding="utf-8"), file.name)
