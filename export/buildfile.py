"""Find elements of a `buildFile.xml` with their places in its bytes.

VASSAL drops an element with a wrong number in it after a dialog and ignores
unknown attributes silently, and module makers keep their build files under
version control.  So the file is never written anew: a real parser (expat) says
at which byte each tag begins and ends, and `hexsight.export.buildedit` changes
these places alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from xml.parsers import expat

from hexsight.model.errors import InputError

MAX_XML_BYTES = 64 * 1024 * 1024
MAX_DEPTH = 200
SPACE = " \t\r\n"
# What stands between two tags and is no text; CDATA is text.
_NO_TEXT = re.compile(r"<!--.*?-->|<\?.*?\?>", re.DOTALL)
# First bytes of UTF-16, with a byte order mark and without.
_UTF16 = (
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
    (b"<\x00", "utf-16-le"),
    (b"\x00<", "utf-16-be"),
)


@dataclass(frozen=True)
class Element:
    """An element of the file.

    Attributes
    ----------
    number : int
        In document order, the root is 0.
    parent : int
        Number of the parent, −1 for the root.
    tag : str
        Full name, such as ``VASSAL.build.module.Map``.
    attributes : mapping of str to str
    start, start_end : int
        Bytes of the start tag.
    end_start, end : int
        Bytes of the end tag; both are `start_end` for an empty-element tag.
    """

    number: int
    parent: int
    tag: str
    attributes: Mapping[str, str]
    start: int
    start_end: int
    end_start: int
    end: int

    @property
    def empty_tag(self) -> bool:
        """Whether it is written ``<a/>``."""
        return self.end_start == self.end

    @property
    def short_tag(self) -> str:
        """Last part of the name: ``Map`` of ``VASSAL.build.module.Map``."""
        return self.tag.rpartition(".")[2]


@dataclass(frozen=True)
class BuildFile:
    """A build file and where everything in it lies.

    Attributes
    ----------
    data : bytes
    where : str
        Name for messages, such as ``buildFile.xml in g.vmod``.
    encoding : str
        Codec of the text.
    elements : tuple of Element
        In document order.
    """

    data: bytes = field(repr=False)
    where: str
    encoding: str
    elements: tuple[Element, ...] = field(repr=False)

    @property
    def root(self) -> Element:
        """The root element."""
        return self.elements[0]

    @cached_property
    def _children(self) -> dict[int, list[Element]]:
        found: dict[int, list[Element]] = {}
        for element in self.elements:
            found.setdefault(element.parent, []).append(element)
        return found

    def children(self, parent: Element) -> tuple[Element, ...]:
        """Child elements in order."""
        return tuple(self._children.get(parent.number, ()))

    @cached_property
    def _gaps(self) -> tuple[int, ...]:
        """For each element the byte where whatever stands before it ends."""
        last: dict[int, int] = {}
        gaps = []
        for element in self.elements:
            parent = element.parent
            gaps.append(last.get(parent, self.elements[parent].start_end if parent >= 0 else 0))
            last[parent] = element.end
        return tuple(gaps)

    @cached_property
    def _mixed(self) -> dict[int, bool]:
        return {}

    def has_text(self, element: Element) -> bool:
        """Whether text other than white space stands directly in an element."""
        if element.number not in self._mixed:
            children = self.children(element)
            gaps = [(self._gaps[c.number], c.start) for c in children]
            gaps.append((children[-1].end if children else element.start_end, element.end_start))
            self._mixed[element.number] = any(
                _NO_TEXT.sub("", self.text(a, b)).strip(SPACE) for a, b in gaps if a < b
            )
        return self._mixed[element.number]

    def blank_before(self, element: Element) -> str:
        """White space that only sets an element apart from the markup before it."""
        if element.parent < 0 or self.has_text(self.elements[element.parent]):
            return ""
        before = self.text(self._gaps[element.number], element.start)
        return before[len(before.rstrip(SPACE)) :]

    def find(
        self, tag: str, *, within: Element | None = None, **attributes: str
    ) -> tuple[Element, ...]:
        """Elements of a full or short name that have all the given attributes.

        Parameters
        ----------
        tag : str
            ``VASSAL.build.module.Map`` or ``Map``.
        within : Element, optional
            Only below this one.
        **attributes : str
            Such as ``name="Main Map"``.
        """
        pool: Iterator[Element] = iter(self.elements)
        if within is not None:
            # Descendants follow their ancestor in document order and start before its end.
            last = within.end_start
            pool = (e for e in self.elements[within.number + 1 :] if e.start < last)
        return tuple(
            e
            for e in pool
            if tag in (e.tag, e.short_tag)
            and all(e.attributes.get(k) == v for k, v in attributes.items())
        )

    def text(self, start: int, end: int) -> str:
        """Bytes of the file as text."""
        return self.data[start:end].decode(self.encoding)

    @cached_property
    def newline(self) -> str:
        """Line end of the file: that of its first line."""
        head = self.data[:4096].decode(self.encoding, "ignore")
        at = head.find("\n")
        if at < 0 and "\r" in head:
            return "\r"
        return "\r\n" if at > 0 and head[at - 1] == "\r" else "\n"


def parse_build_file(data: bytes, where: str = "buildFile.xml") -> BuildFile:
    """Parse a build file.

    Parameters
    ----------
    data : bytes
    where : str
        Name for messages.

    Raises
    ------
    InputError
        If it is not well-formed, too large, too deep, in an encoding that
        expat does not read, or has a DOCTYPE, which VASSAL never writes.
    """
    if len(data) > MAX_XML_BYTES:
        raise InputError(
            f"Cannot read {where}: {len(data)} bytes of XML are over the limit of {MAX_XML_BYTES}."
        )
    scanner = _Scanner(data, where)
    try:
        scanner.parser.Parse(data, True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code) or "it is not well-formed"
        raise InputError(f"Cannot read {where}, line {error.lineno}: {reason}.") from error
    except (ValueError, LookupError) as error:  # an unknown or multi-byte encoding
        raise InputError(f"Cannot read {where}: {error}.") from error
    return BuildFile(data, where, scanner.encoding, scanner.elements())


@dataclass
class _Open:
    number: int
    parent: int
    tag: str
    attributes: dict[str, str]
    start: int
    start_end: int = -1
    end_start: int = -1
    end: int = -1


class _Scanner:
    """Notes the place of every tag.

    expat tells where each event begins.  A tag ends where the next event,
    whatever it is, begins: that is why every kind of event has a handler.  For
    ``<a/>`` it puts the end event behind the tag, so `end_start` is `end` there.
    """

    def __init__(self, data: bytes, where: str) -> None:
        wide = next((codec for head, codec in _UTF16 if data.startswith(head)), None)
        self.encoding = wide or "utf-8"
        self._wide = wide is not None
        self._where = where
        self._size = len(data)
        self._found: list[_Open] = []
        self._path: list[_Open] = []
        self._pending: tuple[_Open, str] | None = None
        self.parser = parser = expat.ParserCreate()
        parser.buffer_text = False
        parser.ordered_attributes = True
        parser.specified_attributes = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.XmlDeclHandler = self._declaration
        parser.StartDoctypeDeclHandler = self._doctype
        parser.DefaultHandler = lambda data: self._settle()

    def _settle(self) -> None:
        if self._pending is not None:
            element, end = self._pending
            setattr(element, end, self.parser.CurrentByteIndex)
            self._pending = None

    def _start(self, tag: str, pairs: list[str]) -> None:
        self._settle()
        if len(self._path) >= MAX_DEPTH:
            raise InputError(
                f"Cannot read {self._where}, line {self.parser.CurrentLineNumber}: its elements "
                f"are nested deeper than {MAX_DEPTH}."
            )
        parent = self._path[-1].number if self._path else -1
        attributes = dict(zip(pairs[::2], pairs[1::2], strict=True))
        start = self.parser.CurrentByteIndex
        element = _Open(len(self._found), parent, tag, attributes, start)
        self._found.append(element)
        self._path.append(element)
        self._pending = (element, "start_end")

    def _end(self, tag: str) -> None:
        self._settle()
        element = self._path.pop()
        element.end_start = self.parser.CurrentByteIndex
        self._pending = (element, "end")

    def _declaration(self, version: str, encoding: str | None, standalone: int) -> None:
        # Of UTF-16 the declaration does not say in which order its bytes come.
        if encoding and not self._wide:
            self.encoding = encoding

    def _doctype(self, *_: object) -> None:
        raise InputError(
            f"Cannot read {self._where}: it has a DOCTYPE, which no module needs. Remove it."
        )

    def elements(self) -> tuple[Element, ...]:
        """All elements, once the parser is through."""
        if self._pending is not None:
            element, end = self._pending
            setattr(element, end, self._size)
        return tuple(Element(**vars(e)) for e in self._found)
