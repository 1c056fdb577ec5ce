"""Which members of a module VASSAL reads: build file, moduledata, pictures."""

from __future__ import annotations

from collections.abc import Mapping

from hexsight.extract.archive import ModuleFiles
from hexsight.extract.image import SUFFIXES
from hexsight.extract.xmlsafe import MAX_XML_BYTES, children, local_name, parse_xml
from hexsight.model.errors import InputError

BUILD_FILES = ("buildFile.xml", "buildFile")
MODULEDATA = "moduledata"


def read_moduledata(files: ModuleFiles, warnings: list[str]) -> dict[str, str]:
    """Texts of the elements of ``moduledata``; empty, with a warning, where it is broken."""
    if not files.has(MODULEDATA):
        return {}
    try:
        data = files.read(MODULEDATA, max_bytes=MAX_XML_BYTES)
        root = parse_xml(data, f"{MODULEDATA} in {files.label}")
    except InputError as error:
        warnings.append(f"{error} It is passed over.")
        return {}
    return {local_name(e): (e.text or "").strip() for e in children(root)}


def find_build_file(files: ModuleFiles, moduledata: Mapping[str, str], warnings: list[str]) -> str:
    """The build file VASSAL would read: the old name first for modules before 3.5."""
    version = moduledata.get("VassalVersion", "")
    order = BUILD_FILES[::-1] if version and _before_3_5(version) else BUILD_FILES
    found = [name for name in order if files.has(name)]
    if not found:
        raise InputError(
            f"Cannot read {files.label}: it holds no buildFile.xml, so it is no VASSAL module."
            f"{files.near_miss('buildFile.xml')}"
        )
    if len(found) > 1:
        warnings.append(f"{files.label} holds {found[0]} and {found[1]}: {found[0]} counts")
    return found[0]


def _before_3_5(version: str) -> bool:
    parts = []
    for part in version.replace("-", ".").split(".")[:2]:
        digits = "".join(ch for ch in part[:9] if ch.isascii() and ch.isdigit())
        parts.append(int(digits) if digits else 0)
    return tuple(parts) < (3, 5)


def image_member(files: ModuleFiles, image: str, where: str, warnings: list[str]) -> str:
    """Member of a picture: below images/, where old modules leave out ``.gif``."""
    if not image:
        return ""
    bare = image.removeprefix("images/")
    for name in (f"images/{bare}", f"images/{bare}.gif", bare):
        if files.has(name):
            return name
    if bare.lower().endswith(SUFFIXES):
        warnings.append(f"{where}: its picture images/{bare} is not in the module")
    return f"images/{bare}"
