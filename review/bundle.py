"""The page's own files as one document: style and program inline, each known by its hash.

The page is written in JavaScript modules that a browser loads one by one from the
server.  A file that is opened from a disk may load nothing, so for an export each module
becomes a function that returns what it exports, in an order in which everything is there
before it is used.  That needs no translator, since the page keeps to a small part of the
syntax: named imports at the start of a line, `export` before a declaration.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Mapping

from hexsight.model.errors import HexsightError

_IMPORT = re.compile(r'^import\s*\{([^}]*)\}\s*from\s*"\./([\w-]+\.js)";[ \t]*$', re.MULTILINE)
_EXPORT = re.compile(r"^export\s+((?:async\s+)?function\*?|class|const)\s+([A-Za-z_$][\w$]*)", re.M)
_OTHER = re.compile(r"^(?:export|import)\b.*$", re.MULTILINE)
_STYLE = re.compile(r'<link rel="stylesheet" href="static/([\w-]+\.css)">\n?')
_PROGRAM = re.compile(r'<script type="module" src="static/([\w-]+\.js)"></script>\n?')
# Would end or open an element in the middle of its text.
_ENDS = re.compile(r"</(?:script|style)|<!--|<script", re.IGNORECASE)


class BundleError(HexsightError):
    """The page's own files do not keep to what can be put into one (a bug of hexsight)."""


def bundle_page(read: Callable[[str], str], page: str, blocks: str) -> str:
    """One document of a page and its files.

    Parameters
    ----------
    read : callable
        Text of a file by its name.
    page : str
        Name of the document.
    blocks : str
        Elements with data, put before the program.

    Returns
    -------
    str
        HTML with a content security policy that lets nothing else run and nothing be fetched.

    Raises
    ------
    BundleError
        If a file uses what cannot be put into one.
    """
    document = read(page)
    styles = "\n".join(read(name) for name in _STYLE.findall(document))
    programs = _PROGRAM.findall(document)
    if len(programs) != 1:
        raise BundleError(f"{page} has {len(programs)} programs instead of one.")
    program = bundle_modules(read, programs[0])
    for text, name in ((styles, "A style"), (program, "A module")):
        if found := _ENDS.search(text):
            raise BundleError(f"{name} holds {found[0]!r}, which would end it within a document.")
    policy = (
        f"default-src 'none'; script-src '{digest(program)}'; style-src '{digest(styles)}'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )
    # What is put in may hold anything, so nothing is searched for in it.
    document = _STYLE.sub("", document)
    head, body = _PROGRAM.split(document)[::2]
    charset = '<meta charset="utf-8">\n'
    if charset not in head:
        raise BundleError(f"{page} does not say {charset.strip()}.")
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
    head = head.replace(charset, charset + meta, 1)
    inner, end, rest = body.rpartition("</body>")
    return "".join(
        [
            head,
            f"<style>{styles}</style>\n",
            inner,
            blocks,
            f'<script type="module">{program}</script>\n',
            end,
            rest,
        ]
    )


def digest(text: str) -> str:
    """Hash of an inline element's text, as a content security policy names it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode()


def bundle_modules(read: Callable[[str], str], main: str) -> str:
    """One program of a module and all that it imports.

    Raises
    ------
    BundleError
        If modules import each other, or use more than named imports and exported
        declarations.
    """
    order: list[str] = []
    texts: dict[str, str] = {}
    _visit(main, read, texts, order, ())
    numbers = {name: k for k, name in enumerate(order)}
    return "".join(_wrapped(name, texts[name], numbers, last=name == main) for name in order)


def _visit(
    name: str,
    read: Callable[[str], str],
    texts: dict[str, str],
    order: list[str],
    path: tuple[str, ...],
) -> None:
    if name in path:
        raise BundleError(f"Modules import each other: {' → '.join((*path, name))}.")
    if name in texts:
        return
    texts[name] = read(name).replace("\r\n", "\n")
    for match in _IMPORT.finditer(texts[name]):
        _visit(match[2], read, texts, order, (*path, name))
        offered = {found[2] for found in _EXPORT.finditer(texts[match[2]])}
        for wanted in _names(match[1]):
            if wanted.split()[0] not in offered:
                raise BundleError(
                    f"{name} takes {wanted} from {match[2]}, which has no such export."
                )
    order.append(name)


def _names(braces: str) -> list[str]:
    """What an import names: ``a``, ``b as c``."""
    return [part.strip() for part in braces.split(",") if part.strip()]


def _wrapped(name: str, text: str, numbers: Mapping[str, int], *, last: bool) -> str:
    def imported(match: re.Match[str]) -> str:
        taken = ", ".join(re.sub(r"\s+as\s+", ": ", one) for one in _names(match[1]))
        return f"const {{ {taken} }} = module{numbers[match[2]]};"

    exported = [match[2] for match in _EXPORT.finditer(text)]
    body = _EXPORT.sub(lambda m: f"{m[1]} {m[2]}", _IMPORT.sub(imported, text))
    if found := _OTHER.search(body):
        raise BundleError(f"{name} says {found[0][:60]!r}, which cannot be put into one file.")
    if last:
        return f"// {name}\n{body}"
    return (
        f"// {name}\nconst module{numbers[name]} = (() => {{\n{body}\n"
        f"return {{ {', '.join(exported)} }};\n}})();\n"
    )
