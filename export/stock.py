"""Line of sight for stock VASSAL: messages and components in the build file of a module.

Everything is written into a copy of the module; all other members stay byte for
byte, and of the build file every byte outside of what is put in.  An export over
an earlier one takes that one out first, so it does not matter how often it is done.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hexsight.export.buildfile import MAX_XML_BYTES, BuildFile, parse_build_file
from hexsight.export.original import Original, open_original
from hexsight.export.rewrite import Progress, RewriteReport
from hexsight.export.stock_components import Component, members_of
from hexsight.export.stock_edit import with_stock, without_stock
from hexsight.export.vassal import (
    MANIFEST,
    StockEntry,
    check_module,
    manifest_bytes,
    manifest_of,
    rewrite,
)
from hexsight.model.errors import InputError, UnsupportedError


@dataclass(frozen=True)
class StockReport:
    """What a stock export did.

    Attributes
    ----------
    members : RewriteReport
        What became of each member of the zip.
    added, removed : mapping of str to int
        Elements of the build file by class.
    build_bytes, before_bytes : int
        Size of the build file now and before, unpacked.
    packed_bytes : int
        What the export adds to the file, packed.
    """

    members: RewriteReport
    added: Mapping[str, int]
    removed: Mapping[str, int]
    build_bytes: int
    before_bytes: int
    packed_bytes: int


def export_stock(
    source: Path,
    target: Path,
    build_file: str,
    parts: Sequence[Component],
    boards: Sequence[str],
    *,
    files: Mapping[str, bytes] | None = None,
    overwrite: bool = False,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> StockReport:
    """Copy a module with components put into its build file.

    Parameters
    ----------
    source : Path
        Module, packed or unpacked.
    target : Path
        The new module.
    build_file : str
        Member that VASSAL reads.
    parts : sequence of Component
    boards : sequence of str
        Names of the boards, for the manifest.
    files : mapping of str to bytes, optional
        Members of the zip that the components need besides.
    overwrite : bool
        Whether `target` may exist.
    dry_run : bool
        Do all but write.
    progress : callable, optional
        Told the share done, 0 to 1.

    Raises
    ------
    InputError
        If the build file cannot be read or lacks the map.
    UnsupportedError
        If `source` is an extension or no module, or the build file would be too large.
    OutputError, UsageError, VerificationError
        As `rewrite_zip` does.
    """
    with open_original(source) as original:
        check_module(original)
        earlier = manifest_of(original)
        before = read_build_file(original, build_file)
        present = frozenset(original.names)
    if before.root.short_tag == "ModuleExtension":
        raise UnsupportedError(
            f"Cannot export into {source.name}: it is an extension. Name the module, and "
            "--extension for a file of its own."
        )
    stock = earlier.stock if earlier else None
    plain, removed = without_stock(before, stock.made if stock else ())
    after, made = with_stock(plain, parts)
    needed = {**members_of(parts), **(files or {})}
    entry = StockEntry(
        boards=list(boards),
        build_file=build_file,
        made=list(made),
        elements=len(parts),
        files=sorted(needed),
    )
    manifest = manifest_bytes(earlier.boards if earlier else [], entry)
    old = (frozenset(stock.files if stock else ()) | {MANIFEST}) & present
    content = {**needed, MANIFEST: manifest}
    add = {n: d for n, d in content.items() if n not in old}
    replace = {build_file: after.data, **{n: d for n, d in content.items() if n in old}}
    remove = old - set(content)
    report = rewrite(source, target, add, replace, remove, overwrite, dry_run, progress)
    packed = _packed(after.data) - _packed(plain.data) + _packed(manifest)
    packed += sum(_packed(data) for data in (files or {}).values())
    return StockReport(
        report,
        Counter(p.tag for p in parts),
        removed,
        len(after.data),
        len(plain.data),
        packed,
    )


def read_build_file(original: Original, build_file: str) -> BuildFile:
    """Parse the build file of an open module.

    Raises
    ------
    InputError
        If it is not there or cannot be read.
    """
    where = f"{build_file} in {original.label}"
    if build_file not in original.names:
        raise InputError(f"Cannot find {where}.")
    return parse_build_file(original.read(build_file, max_bytes=MAX_XML_BYTES), where)


def _packed(data: bytes) -> int:
    return len(zlib.compress(data, 9))
