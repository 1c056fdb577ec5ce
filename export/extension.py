"""A VASSAL extension (``.vmdx``) with line of sight: the module itself stays as it is."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from hexsight.export.buildfile import MAX_XML_BYTES, BuildFile, Element
from hexsight.export.original import open_original
from hexsight.export.stock_components import (
    MARKER_MEMBER,
    Component,
    element,
    members_of,
    sequence,
)
from hexsight.export.stock_edit import find_parent
from hexsight.export.vassal import MANIFEST, StockEntry, manifest_bytes, manifest_of
from hexsight.export.verify import check_bytes
from hexsight.export.zipnew import end_records, move_record, new_entry
from hexsight.model.atomic import check_target, replacing
from hexsight.model.errors import (
    HexsightError,
    OutputError,
    UnsupportedError,
    VerificationError,
)

BUILD_FILE = "buildFile.xml"
# GetString came with this version; from 3.5 on the build file has its ending.
VASSAL_VERSION = "3.6.0"
VERSION = "1.0"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n'
_EXTENSION = "VASSAL.build.module.ModuleExtension"
_ELEMENT = "VASSAL.build.module.ExtensionElement"


def extension_members(
    build: BuildFile,
    parts: Sequence[Component],
    boards: Sequence[str],
    moduledata: bytes | None,
    files: Mapping[str, bytes] | None = None,
) -> dict[str, bytes]:
    """Members of the extension by name.

    Parameters
    ----------
    build : BuildFile
        Of the module that is extended.
    parts : sequence of Component
    boards : sequence of str
        Names of the boards, for the manifest.
    moduledata : bytes or None
        The module's member of this name; VASSAL puts a copy into extensions.
    files : mapping of str to bytes, optional
        Members of the zip that the components need besides.

    Raises
    ------
    InputError
        If the module lacks the map.
    UnsupportedError
        If it has no name or the build file would be too large.
    """
    name = build.root.attributes.get("name", "")
    if not name:
        raise UnsupportedError(
            f"{build.where} names no module, so VASSAL could not tell what is extended."
        )
    digest = hashlib.sha256(name.encode("utf-8")).hexdigest()
    lines = [element(_ELEMENT, {"target": _target(build, part.parent)}, part.xml) for part in parts]
    attributes = {
        "anyModule": "false",
        "description": "Line of sight, made by hexsight",
        "extensionId": digest[:3],
        "module": name,
        "moduleVersion": build.root.attributes.get("version", "0.0"),
        "nextPieceSlotId": "0",
        "vassalVersion": VASSAL_VERSION,
        "version": VERSION,
    }
    content = "".join(f"\n    {line}" for line in lines) + "\n"
    data = (_HEAD + element(_EXTENSION, attributes, content) + "\n").encode("utf-8")
    if len(data) > MAX_XML_BYTES:
        raise UnsupportedError(
            f"The extension's build file would have {len(data) / 1e6:.0f} MB, more than VASSAL "
            "opens with ease. Export less with --max-range or --levels."
        )
    needed = {**members_of(parts), **(files or {})}
    stock = StockEntry(
        boards=list(boards),
        build_file=BUILD_FILE,
        made=[],
        elements=len(parts),
        files=sorted(needed),
    )
    members = {
        BUILD_FILE: data,
        "extensiondata": _extensiondata(),
        MANIFEST: manifest_bytes([], stock),
        **needed,
    }
    members["moduledata"] = moduledata or _moduledata(name, attributes["moduleVersion"])
    return members


def write_extension(target: Path, members: dict[str, bytes], *, overwrite: bool) -> int:
    """Write an extension, read it back, and give its size in bytes.

    Raises
    ------
    OutputError
        If the file exists and may not be replaced, or is none of ours.
    VerificationError
        If it does not read back as written.
    """
    check_extension_target(target, overwrite=overwrite)
    with replacing(target, overwrite=overwrite) as file:
        records, at, out = [], 0, []
        for name in sorted(members, key=lambda n: (n != BUILD_FILE, n)):
            entry = new_entry(name, members[name])
            records.append(move_record(entry.central, at))
            out += [entry.local, entry.data]
            at += len(entry.local) + len(entry.data)
        directory = b"".join(records)
        out += [directory, end_records(len(records), at, len(directory), b"", zip64=False)]
        content = b"".join(out)
        file.write(content)
        file.flush()
        check_bytes(file, len(content), zlib.crc32(content))
    with open_original(target) as original:
        for name, data in members.items():
            if original.read(name) != data:
                raise VerificationError(f"{name} in {target} does not read back as it was written.")
    return len(content)


def check_extension_target(target: Path, *, overwrite: bool) -> None:
    """Refuse a target before any work; only an extension of ours is ever replaced.

    Raises
    ------
    OutputError
        If it may not be written.
    """
    if target.suffix.lower() != ".vmdx":
        raise OutputError(f"Cannot write {target}: VASSAL loads extensions that end in .vmdx.")
    check_target(target, overwrite=overwrite)
    if target.exists() and not is_our_extension(target):
        raise OutputError(
            f"{target} was not written by hexsight and is not replaced. Name another file."
        )


def is_our_extension(path: Path) -> bool:
    """Whether a file is an extension that an export wrote, with nothing else in it."""
    try:
        with open_original(path) as original:
            manifest = manifest_of(original)
            members = {BUILD_FILE, "extensiondata", "moduledata", MANIFEST, MARKER_MEMBER}
            return manifest is not None and set(original.names) <= members
    except HexsightError:
        return False


def _target(build: BuildFile, parent: str) -> str:
    """Path of a component as VASSAL writes it: ``Class:Name/Class:Name``."""
    found = find_parent(build, parent)
    if found is None:
        # VASSAL gives a module the containers that it lacks.
        return sequence([sequence([parent], ":")], "/")
    path: list[str] = []
    while found.parent >= 0:
        path.append(sequence([found.tag, *_name(found)], ":"))
        found = build.elements[found.parent]
    return sequence(path[::-1], "/")


def _name(found: Element) -> list[str]:
    key = "mapName" if "mapName" in found.attributes else "name"
    return [found.attributes[key]] if key in found.attributes else []


def _extensiondata() -> bytes:
    return (
        f'{_HEAD}<data version="1">\n  <version>{VERSION}</version>\n'
        f"  <VassalVersion>{VASSAL_VERSION}</VassalVersion>\n  <dateSaved>0</dateSaved>\n"
        "  <description>Line of sight, made by hexsight</description>\n"
        "  <universal>false</universal>\n</data>\n"
    ).encode()


def _moduledata(name: str, version: str) -> bytes:
    return (
        f'{_HEAD}<data version="1">\n  <version>{escape(version)}</version>\n'
        f"  <VassalVersion>{VASSAL_VERSION}</VassalVersion>\n  <dateSaved>0</dateSaved>\n"
        f"  <description/>\n  <name>{escape(name)}</name>\n</data>\n"
    ).encode()
