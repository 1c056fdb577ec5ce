"""Put the components of a stock export into a build file and take them out again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from hexsight.export.buildedit import Edit, Insert, Remove, edit_build_file
from hexsight.export.buildfile import MAX_XML_BYTES, BuildFile, Element
from hexsight.export.stock_components import ROOT, Component, element, is_ours
from hexsight.model.errors import InputError, UnsupportedError

MAP_PARENT = "map:"


def without_stock(build: BuildFile, made: Collection[str] = ()) -> tuple[BuildFile, Counter[str]]:
    """A build file without what an export put there; also the number of elements by class.

    Parameters
    ----------
    build : BuildFile
    made : collection of str
        Classes of containers that the export made; they go too if nothing else
        is in them by now.
    """
    gone = [e for e in build.elements if is_ours(e.tag, e.attributes)]
    numbers = {e.number for e in gone}
    # A button inside one of our properties goes with it.
    gone = [e for e in gone if e.parent not in numbers]
    counts = Counter(e.tag for e in gone)
    out = {e.number: e for e in gone}
    for container in build.children(build.root):
        inside = build.children(container)
        if container.tag in made and all(c.number in out for c in inside):
            for child in inside:
                del out[child.number]
            out[container.number] = container
    if not out:
        return build, counts
    return edit_build_file(build, [Remove(e) for e in out.values()]), counts


def with_stock(build: BuildFile, parts: Sequence[Component]) -> tuple[BuildFile, tuple[str, ...]]:
    """A build file with an export's components; also the classes of containers it lacked.

    Raises
    ------
    InputError
        If it has no such map.
    UnsupportedError
        If it would become larger than can be read.
    """
    size = len(build.data) + sum(len(p.xml.encode("utf-8")) for p in parts)
    if size > MAX_XML_BYTES:
        raise UnsupportedError(
            f"The build file would have {size / 1e6:.0f} MB, more than VASSAL opens with ease "
            f"({MAX_XML_BYTES / 1e6:.0f} MB). Export less with --max-range or --levels."
        )
    parents: dict[str, list[Component]] = {}
    for part in parts:
        parents.setdefault(part.parent, []).append(part)
    edits: list[Edit] = []
    made = []
    for parent, children in parents.items():
        target = find_parent(build, parent)
        if target is not None:
            edits += [Insert(target, child.xml) for child in children]
            continue
        made.append(parent)
        edits.append(Insert(build.root, element(parent, {}, "".join(c.xml for c in children))))
    return edit_build_file(build, edits), tuple(made)


def find_parent(build: BuildFile, parent: str) -> Element | None:
    """The container of a class, the map ``map:NAME``, or the root for `ROOT`.

    Raises
    ------
    InputError
        If there is no such map.
    """
    if parent == ROOT:
        return build.root
    if not parent.startswith(MAP_PARENT):
        return next((e for e in build.children(build.root) if e.tag == parent), None)
    name = parent.removeprefix(MAP_PARENT)
    for found in build.elements:
        if found.attributes.get("mapName") == name and any(
            c.short_tag.endswith("BoardPicker") for c in build.children(found)
        ):
            return found
    raise InputError(f"{build.where} has no map {name!r} with boards.")
