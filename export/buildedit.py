"""Change a `buildFile.xml` in place: insert and remove elements, set attributes.

No byte outside the changed places moves: encoding, byte order mark, line ends,
order of attributes, comments and white space stay.  Every edit is undone to the
byte by its opposite: insert then remove, add an attribute then drop it.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from dataclasses import dataclass

from lxml import etree

from hexsight.export.buildfile import SPACE, BuildFile, Element, parse_build_file
from hexsight.model.errors import VerificationError

_NAME = re.compile(r"[A-Za-z_][\w.\-]*\Z")
# Inside one tag whose two ends a parser has found.
_ATTRIBUTE = re.compile(r"""([^\s=/<>"']+)\s*=\s*("[^"]*"|'[^']*')""")
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ESCAPES = {"&": "&amp;", "<": "&lt;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}


@dataclass(frozen=True)
class Insert:
    """Put a new element below `parent`, as its last child or right behind `after`.

    Attributes
    ----------
    parent : Element
    xml : str
        Exactly one element, well-formed by itself.
    after : Element, optional
        A child of `parent`.
    """

    parent: Element
    xml: str
    after: Element | None = None


@dataclass(frozen=True)
class Remove:
    """Take an element out with all below it and the white space before it."""

    element: Element


@dataclass(frozen=True)
class SetAttribute:
    """Set an attribute, or drop it with `value` None."""

    element: Element
    name: str
    value: str | None


Edit = Insert | Remove | SetAttribute


@dataclass(frozen=True)
class _Patch:
    start: int
    end: int
    text: str


def edit_build_file(build_file: BuildFile, edits: Sequence[Edit]) -> BuildFile:
    """Apply edits to a build file.

    Parameters
    ----------
    build_file : BuildFile
    edits : sequence of Insert, Remove or SetAttribute
        Their elements belong to `build_file`.  Inserts at one place keep
        their order.

    Returns
    -------
    BuildFile
        Parsed anew.

    Raises
    ------
    ValueError
        If the edits contradict one another, an inserted text is not one
        element, or an attribute's name is none.
    VerificationError
        If the edited file does not say the same as before but for the edits,
        compared in canonical XML by a second parser.
    """
    _check_edits(build_file, edits)
    patches = _attribute_patches(build_file, edits)
    patches += _removals(build_file, edits)
    patches += _insertions(build_file, edits)
    out = bytearray()
    at = 0
    for patch in sorted(patches, key=lambda p: (p.start, p.end)):
        if patch.start < at:
            raise ValueError("edits of a build file overlap")
        out += build_file.data[at : patch.start]
        # What the encoding lacks is written as a character reference.
        out += patch.text.encode(build_file.encoding, "xmlcharrefreplace")
        at = patch.end
    out += build_file.data[at:]
    edited = parse_build_file(bytes(out), build_file.where)
    _verify(build_file, edits, edited)
    return edited


def _check_edits(build_file: BuildFile, edits: Sequence[Edit]) -> None:
    gone = {e.element.number for e in edits if isinstance(e, Remove)}
    if 0 in gone:
        raise ValueError("the root of a build file cannot be removed")
    for edit in edits:
        touched = edit.parent if isinstance(edit, Insert) else edit.element
        if build_file.elements[touched.number] != touched:
            raise ValueError("an edit names an element of another build file")
        if isinstance(edit, Insert):
            if edit.after is not None and edit.after.parent != edit.parent.number:
                raise ValueError("an element can be inserted only after a child of its parent")
            if edit.after is not None and edit.after.number in gone:
                raise ValueError("an element cannot be inserted after one that is removed")
            _parse_fragment(edit.xml)
        if isinstance(edit, SetAttribute):
            if not _NAME.match(edit.name):
                raise ValueError(f"{edit.name!r} is no name of an attribute")
            if _NO_XML.search(edit.value or ""):
                raise ValueError(f"{edit.value!r} holds a character that XML cannot carry")
        above = touched.parent if isinstance(edit, Remove) else touched.number
        while above >= 0:
            if above in gone:
                raise ValueError("an edit lies inside an element that is removed")
            above = build_file.elements[above].parent


def _attribute_patches(build_file: BuildFile, edits: Sequence[Edit]) -> list[_Patch]:
    wanted: dict[int, dict[str, str | None]] = {}
    for edit in edits:
        if isinstance(edit, SetAttribute):
            wanted.setdefault(edit.element.number, {})[edit.name] = edit.value
    patches = []
    for number, values in wanted.items():
        element = build_file.elements[number]
        old = build_file.text(element.start, element.start_end)
        new = old
        for name, value in values.items():
            new = _set_in_tag(new, name, value)
        # An insert may open this very tag, so the patch ends before "/>" or ">".
        tail = 2 if old.endswith("/>") else 1
        width = len(old[-tail:].encode(build_file.encoding))
        patches.append(_Patch(element.start, element.start_end - width, new[:-tail]))
    return patches


def _set_in_tag(tag: str, name: str, value: str | None) -> str:
    found = list(_ATTRIBUTE.finditer(tag))
    match = next((m for m in found if m.group(1) == name), None)
    if match is None:
        if value is None:
            return tag
        at = found[-1].end() if found else len(tag[:-1].rstrip(SPACE + "/"))
        return f'{tag[:at]} {name}="{_escape(value, chr(34))}"{tag[at:]}'
    if value is None:
        return tag[: match.start()].rstrip(SPACE) + tag[match.end() :]
    quote = match.group(2)[0]
    return f"{tag[: match.start(2)]}{quote}{_escape(value, quote)}{quote}{tag[match.end(2) :]}"


def _escape(value: str, quote: str) -> str:
    for sign, reference in _ESCAPES.items():
        value = value.replace(sign, reference)
    return value.replace(quote, "&quot;" if quote == '"' else "&apos;")


def _gone(edits: Sequence[Edit]) -> set[int]:
    return {e.element.number for e in edits if isinstance(e, Remove)}


def _removals(build_file: BuildFile, edits: Sequence[Edit]) -> list[_Patch]:
    """Cut elements; ``<a><b/></a>`` becomes ``<a/>``, as `_insertions` opens it."""
    gone = _gone(edits)
    filled = {e.parent.number for e in edits if isinstance(e, Insert)}
    patches = []
    for number in sorted({build_file.elements[n].parent for n in gone}):
        parent = build_file.elements[number]
        children = build_file.children(parent)
        ends = [parent.start_end, *(c.end for c in children)]
        starts = [*(c.start for c in children), parent.end_start]
        if ends == starts and number not in filled and gone >= {c.number for c in children}:
            width = len(">".encode(build_file.encoding))
            patches.append(_Patch(parent.start_end - width, parent.end, "/>"))
            continue
        for child in children:
            if child.number in gone:
                blank = len(build_file.blank_before(child).encode(build_file.encoding))
                patches.append(_Patch(child.start - blank, child.end, ""))
    return patches


def _anchor(build_file: BuildFile, edit: Insert, gone: set[int]) -> Element | None:
    """Child behind which an insert goes; None for the front of its parent."""
    if edit.after is not None:
        return edit.after
    return next((c for c in build_file.children(edit.parent)[::-1] if c.number not in gone), None)


def _insertions(build_file: BuildFile, edits: Sequence[Edit]) -> list[_Patch]:
    places: dict[tuple[int, int], list[str]] = {}
    gone = _gone(edits)
    for edit in edits:
        if isinstance(edit, Insert):
            anchor = _anchor(build_file, edit, gone)
            key = (edit.parent.number, anchor.number if anchor else -1)
            text = _with_newline(edit.xml.strip(SPACE), build_file.newline)
            places.setdefault(key, []).append(text)
    patches = []
    for (number, behind), texts in places.items():
        parent = build_file.elements[number]
        if behind >= 0:
            at = build_file.elements[behind].end
            space = build_file.blank_before(build_file.elements[behind])
        elif parent.empty_tag:
            # Without white space: so that removal can tell <a/> from <a></a>.
            width = len("/>".encode(build_file.encoding))
            text = ">" + "".join(texts) + f"</{parent.tag}>"
            patches.append(_Patch(parent.start_end - width, parent.end, text))
            continue
        else:
            at = parent.start_end
            space = _indent(build_file, parent)
        patches.append(_Patch(at, at, "".join(space + text for text in texts)))
    return patches


def _indent(build_file: BuildFile, parent: Element) -> str:
    """Line end and indentation for the first child of an element; a tab or four blanks deeper."""
    if build_file.has_text(parent):
        return ""
    if parent.parent < 0:
        return build_file.newline + "    "
    own = build_file.blank_before(parent)
    step = "\t" if own.endswith("\t") else "    "
    return own + step if own else build_file.newline + step


def _with_newline(text: str, newline: str) -> str:
    return "\n".join(text.splitlines()).replace("\n", newline) if newline != "\n" else text


def _parser() -> etree.XMLParser:
    # Bounded by the size limit of parse_build_file, which has refused a DOCTYPE too.
    return etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True)


def _parse_fragment(xml: str) -> etree._Element:
    xml = xml.strip(SPACE)
    if xml.startswith(("<?", "<!")):
        raise ValueError("an inserted text is one element, without a declaration or comment")
    try:
        return etree.fromstring(xml.encode("utf-8"), _parser())
    except etree.XMLSyntaxError as error:
        raise ValueError(f"an inserted text is not one element: {error}") from error


def _verify(before: BuildFile, edits: Sequence[Edit], after: BuildFile) -> None:
    """Do the same edits on the tree of a second parser and compare."""
    expected = etree.fromstring(before.data, _parser())
    elements = list(expected.iter(etree.Element))
    gone = _gone(edits)
    behind: dict[tuple[int, int], etree._Element] = {}
    for edit in edits:
        if isinstance(edit, SetAttribute):
            element = elements[edit.element.number]
            if edit.value is None:
                element.attrib.pop(edit.name, None)
            else:
                element.set(edit.name, edit.value)
        elif isinstance(edit, Insert):
            anchor = _anchor(before, edit, gone)
            key = (edit.parent.number, anchor.number if anchor else -1)
            last = behind.get(key, elements[anchor.number] if anchor else None)
            behind[key] = _parse_fragment(edit.xml)
            _insert_behind(elements[edit.parent.number], last, behind[key])
    for number in gone:
        _drop(elements[number])
    found = etree.fromstring(after.data, _parser())
    if _canonical(found) != _canonical(expected):
        raise VerificationError(
            f"The edited {before.where} would say something else than it should; nothing was "
            "written. Please report this with the file."
        )


def _drop(element: etree._Element) -> None:
    """Remove an element; the text behind it goes to what stands before it."""
    parent, previous, tail = element.getparent(), element.getprevious(), element.tail or ""
    if parent is None:
        return
    if previous is not None:
        previous.tail = (previous.tail or "") + tail
    else:
        parent.text = (parent.text or "") + tail
    element.tail = None
    parent.remove(element)


def _insert_behind(
    parent: etree._Element, anchor: etree._Element | None, new: etree._Element
) -> None:
    if anchor is None:
        new.tail, parent.text = parent.text, None
        parent.insert(0, new)
    else:
        # In front of the text behind the anchor; an index would have to be counted out.
        anchor.addnext(new)


def _canonical(root: etree._Element) -> bytes:
    """Canonical XML with comments and without white space between tags."""
    root = copy.deepcopy(root)
    for node in root.iter():
        if node.text is not None and isinstance(node.tag, str) and not node.text.strip(SPACE):
            node.text = None
        if node.tail is not None and not node.tail.strip(SPACE):
            node.tail = None
    return bytes(etree.tostring(root, method="c14n", with_comments=True))
