"""The one door to XML: no entities, no DTD, no network, bounded size and depth."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from hexsight.model.errors import InputError

MAX_XML_BYTES = 64 * 1024 * 1024
# An element takes a hundred bytes and more of memory, an attribute two hundred.
MAX_ELEMENTS = 1_500_000
MAX_ATTRIBUTES = 2_500_000


def parse_xml(data: bytes, where: str, *, max_bytes: int = MAX_XML_BYTES) -> etree._Element:
    """Root element of an XML document from an untrusted source.

    libxml2 itself refuses nesting beyond 256 elements and single texts beyond
    10 MB; entities other than XML's own five are refused here, since neither
    VASSAL nor VASL writes any and they are the road of every XML attack.

    Parameters
    ----------
    data : bytes
        The document.
    where : str
        Name for messages, such as ``BoardMetadata.xml in bd01``.

    Raises
    ------
    InputError
        If it is too large, has too many elements, is not well-formed, too deep, or
        declares entities.

    Examples
    --------
    >>> parse_xml(b'<board name="K"/>', "a test").get("name")
    'K'
    """
    if len(data) > max_bytes:
        raise InputError(
            f"Cannot read {where}: {len(data)} bytes of XML are over the limit of {max_bytes}."
        )
    if data.count(b"<") > MAX_ELEMENTS or data.count(b"=") > MAX_ATTRIBUTES:
        raise InputError(
            f"Cannot read {where}: it has more than {MAX_ELEMENTS} elements or {MAX_ATTRIBUTES} "
            "attributes, which no map needs."
        )
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        attribute_defaults=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        line = error.lineno or 1
        reason = " ".join(str(error.msg or "it is empty").split())
        raise InputError(f"Cannot read {where}, line {line}: {reason}.") from error
    except ValueError as error:
        raise InputError(f"Cannot read {where}: {error}.") from error
    dtd = root.getroottree().docinfo.internalDTD
    if dtd is not None and any(True for _ in dtd.iterentities()):
        raise InputError(
            f"Cannot read {where}: it declares XML entities, which no map needs. "
            "Remove the DOCTYPE."
        )
    return root


def children(element: etree._Element) -> Iterator[etree._Element]:
    """Child elements alone: no comments, instructions or entity references."""
    for child in element:
        if isinstance(child.tag, str):
            yield child


def local_name(element: etree._Element) -> str:
    """Last part of an element's name: ``HexGrid`` of ``VASSAL.build.….HexGrid``."""
    return str(element.tag).rpartition("}")[2].rpartition(".")[2]


def attributes(element: etree._Element) -> dict[str, str]:
    """Attributes of an element as plain strings, in the order of the file."""
    return {str(key): str(value) for key, value in element.attrib.items()}
