"""Terrain types: what the codes of a label raster mean.

The catalogue is data (`data/terrain-vasl.yaml`); code asks for a type's kind
and numbers, never for its name.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hexsight.model.errors import UsageError
from hexsight.model.yamlsafe import parse_yaml

# Kinds whose pixels belong to a building's depiction.
DEPICTION_KINDS = frozenset(
    {"building", "factory", "factory-wall", "roofless", "interior-wall", "rowhouse-wall", "market"}
)
# Kinds drawn as thick black bars: rowhouse bars (B23.71) and Interior Factory Walls (O5.3).
BAR_KINDS = frozenset({"interior-wall", "rowhouse-wall"})
HEXSIDE_KINDS = frozenset({"hexside", "cliff", "slope", "stream", "fence"})


@dataclass(frozen=True)
class TerrainType:
    """One terrain type.

    Attributes
    ----------
    code : int
        Value 0–255 in the label raster, the same as VASL's ``typeCode``.
    name : str
    kind : str
        Group that detection and rules ask for, such as ``"factory"``.
    material : str or None
        ``"stone"`` or ``"wood"`` where it matters.
    los, below : str
        ``"none"``, ``"hindrance"`` or ``"obstacle"`` at or above, and below, `split_half`.
    height_half, split_half : int
        Half-levels over the ground.
    inherent : bool
        True where the whole hex counts and not the depiction alone.
    vasl : str or None
        Of a type that VASL does not know: name of the type that stands for it there.
    """

    code: int
    name: str
    kind: str
    material: str | None = None
    los: str = "none"
    below: str = "none"
    height_half: int = 0
    split_half: int = 0
    inherent: bool = False
    vasl: str | None = None

    @property
    def in_depiction(self) -> bool:
        """True for what belongs to the depiction of a building."""
        return self.kind in DEPICTION_KINDS


@dataclass(frozen=True)
class Catalogue:
    """All terrain types of a label raster."""

    types: tuple[TerrainType, ...]

    @cached_property
    def _by_code(self) -> dict[int, TerrainType]:
        return {t.code: t for t in self.types}

    @cached_property
    def _tables(self) -> dict[tuple[tuple[str, frozenset[Any]], ...], NDArray[np.bool_]]:
        return {}

    @cached_property
    def _by_name(self) -> dict[str, TerrainType]:
        return {t.name.casefold(): t for t in self.types}

    @cached_property
    def vasl_codes(self) -> NDArray[np.uint8]:
        """Lookup (256,) uint8: the code that VASL knows for each code."""
        out = np.arange(256, dtype=np.uint8)
        for t in self.types:
            if t.vasl is not None:
                out[t.code] = self.named(t.vasl).code
        out.setflags(write=False)
        return out

    def __getitem__(self, code: int) -> TerrainType:
        """Type of a code; a code that no type has counts as open ground of that code."""
        return self._by_code.get(int(code)) or TerrainType(int(code), f"Unknown {code}", "unknown")

    def __contains__(self, code: object) -> bool:
        return code in self._by_code

    def named(self, name: str) -> TerrainType:
        """Type of a name, upper and lower case alike.

        Raises
        ------
        UsageError
            If there is none; names the nearest.
        """
        found = self._by_name.get(name.strip().casefold())
        if found is None:
            near = difflib.get_close_matches(name.casefold(), self._by_name, n=1)
            hint = f" Did you mean {self._by_name[near[0]].name!r}?" if near else ""
            raise UsageError(f"There is no terrain type {name!r}.{hint}")
        return found

    def find(self, kind: str, *, material: str | None = None, height_half: int) -> TerrainType:
        """The type of a kind, material and height, such as a stone factory of 3 half-levels.

        Raises
        ------
        UsageError
            If the catalogue has none.
        """
        for t in self.types:
            if (t.kind, t.material, t.height_half) == (kind, material, height_half):
                return t
        raise UsageError(
            f"There is no terrain type for a {material or ''} {kind} of height {height_half / 2:g}."
        )

    def table(self, **wanted: Any) -> NDArray[np.bool_]:
        """Lookup (256,) bool: which codes have all the given attributes.

        A value may be a set of allowed values: ``table(kind={"factory", "roofless"})``.
        """
        allowed = {
            key: frozenset(value) if isinstance(value, (set, frozenset)) else frozenset((value,))
            for key, value in wanted.items()
        }
        # Asked for again at every building and hexside of a map.
        known = tuple(sorted(allowed.items()))
        if known not in self._tables:
            out = np.zeros(256, bool)
            for t in self.types:
                out[t.code] = all(getattr(t, key) in values for key, values in known)
            self._tables[known] = out
        return self._tables[known].copy()


@lru_cache(maxsize=8)
def load_catalogue(name: str = "vasl") -> Catalogue:
    """Read a catalogue that comes with hexsight.

    Raises
    ------
    UsageError
        If there is none of that name.

    Examples
    --------
    >>> catalogue = load_catalogue()
    >>> catalogue.named("Woods").kind, catalogue.named("Stone Building").material
    ('woods', 'stone')
    """
    file = resources.files("hexsight.model.data") / f"terrain-{name}.yaml"
    if not file.is_file():
        raise UsageError(f"There is no terrain catalogue {name!r}. Use 'vasl'.")
    rows = parse_yaml(file.read_text(encoding="utf-8"), file.name)["types"]
    return Catalogue(tuple(TerrainType(**row) for row in rows))
