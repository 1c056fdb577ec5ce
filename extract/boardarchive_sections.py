"""Sections of a VASL board's metadata: colours, buildings, hexside terrain, overlays."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from lxml import etree

from hexsight.extract.xmlsafe import attributes, children, local_name
from hexsight.model.errors import InputError

METADATA = "BoardMetadata.xml"
Sections = Mapping[str, tuple[tuple[str, Mapping[str, str]], ...]]


@dataclass(frozen=True)
class BoardColour:
    """A colour of the board's own table: what VASL takes pixels of it for."""

    name: str
    rgb: tuple[int, int, int]
    terrain: str
    elevation: str


@dataclass(frozen=True)
class SpecialHexside:
    """Hexsides 0–5 (clockwise from the top) of a hex with a slope and the like."""

    hex: str
    sides: tuple[int, ...]


@dataclass(frozen=True)
class SsrOverlay:
    """A scenario rule that lays a picture over the board."""

    name: str
    image: str
    x: int
    y: int


def read_sections(root: etree._Element) -> dict[str, tuple[tuple[str, Mapping[str, str]], ...]]:
    """Every section of the metadata: name to (element, attributes) of all below it."""
    found: dict[str, tuple[tuple[str, Mapping[str, str]], ...]] = {}
    for section in children(root):
        items = tuple(
            (local_name(e), MappingProxyType(attributes(e)))
            for e in section.iterdescendants()
            if isinstance(e.tag, str)
        )
        name = local_name(section)
        found[name] = found.get(name, ()) + items
    return found


def read_building_types(
    sections: Sections,
) -> dict[str, str]:
    """Hex name to terrain name, as the makers set them by hand."""
    return {
        a["hexName"]: a["buildingTypeName"]
        for tag, a in sections.get("buildingTypes", ())
        if tag == "buildingType" and a.get("hexName") and a.get("buildingTypeName")
    }


def read_hexsides(sections: Sections, section: str, label: str) -> tuple[SpecialHexside, ...]:
    """Hexside terrain of a section such as ``slopes``.

    Raises
    ------
    InputError
        If a hexside is no digit from 0 to 5, which VASL refuses too.
    """
    found = []
    for _, attrs in sections.get(section, ()):
        sides = attrs.get("hexsides", "")
        if not re.fullmatch(r"[0-5]*", sides[:6]):
            raise InputError(
                f"Cannot read {METADATA} in {label}: hexsides={sides[:20]!r} of hex "
                f"{attrs.get('hex', '?')} in {section} must be digits from 0 to 5."
            )
        if attrs.get("hex"):
            # VASL looks at six characters and no more.
            found.append(SpecialHexside(attrs["hex"], tuple(sorted({int(s) for s in sides[:6]}))))
    return tuple(found)


def read_colours(sections: Sections, warnings: list[str]) -> tuple[BoardColour, ...]:
    """The board's own colours; those without valid RGB become warnings."""
    found = []
    for tag, attrs in sections.get("colors", ()):
        if tag != "color":
            continue
        parts = [attrs.get(key, "").strip() for key in ("red", "green", "blue")]
        if not all(re.fullmatch(r"\d{1,3}", p) and int(p) <= 255 for p in parts):
            warnings.append(f"colour {attrs.get('name', '?')!r} of the metadata has no valid RGB")
            continue
        red, green, blue = (int(p) for p in parts)
        found.append(
            BoardColour(
                attrs.get("name", ""),
                (red, green, blue),
                attrs.get("terrain", ""),
                attrs.get("elevation", ""),
            )
        )
    return tuple(found)


def read_overlays(sections: Sections, warnings: list[str]) -> tuple[SsrOverlay, ...]:
    """Scenario overlays with their place, those of rule sets under the name of the set."""
    found = []
    rule_set = ""
    for tag, attrs in sections.get("overlaySSRules", ()):
        if tag == "overlaySSRuleSet":
            rule_set = attrs.get("name", "")
        if tag not in ("overlaySSRule", "overlaySSRuleImage"):
            continue
        name = attrs.get("name", "") or rule_set
        place = [attrs.get("x", "0").strip(), attrs.get("y", "0").strip()]
        if not all(re.fullmatch(r"-?\d{1,9}", p) for p in place):
            warnings.append(f"overlay {name!r} of the metadata has no valid place")
            continue
        found.append(SsrOverlay(name, attrs.get("image", ""), int(place[0]), int(place[1])))
    return tuple(found)
