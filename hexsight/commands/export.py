"""`hexsight export`: line of sight into a module that stock VASSAL plays."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from hexsight.boardrules import rules_for
from hexsight.commands.common import (
    force_option,
    json_option,
    observer_option,
    print_json,
    quiet_option,
    rules_option,
)
from hexsight.converting import members_json
from hexsight.export.companion import DEFAULT_SMOKE, check_smoke
from hexsight.export.extension import (
    check_extension_target,
    extension_members,
    write_extension,
)
from hexsight.export.original import open_original
from hexsight.export.rewrite import RewriteReport
from hexsight.export.stock import StockReport, export_stock, read_build_file
from hexsight.export.stock_size import load_seconds
from hexsight.export.vassal import remove_export
from hexsight.export.vassal_inplace import (
    backup_of,
    check_in_place,
    in_place_or_copy,
)
from hexsight.model.atomic import check_target
from hexsight.model.errors import UsageError
from hexsight.output import check_output
from hexsight.progress import Reporter, reporting
from hexsight.stocking import Stock, StockChoice, board_folders, gather, parse_levels


@click.command()
@click.argument("module", type=click.Path(path_type=Path))
@click.argument("result", required=False, type=click.Path(path_type=Path))
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="New file. [default: NAME-los.vmod]"
)
@click.option(
    "--in-place",
    is_flag=True,
    help="Change MODULE itself; the old one stays as .bak (.bak2, .bak3, …).",
)
@click.option(
    "--extension",
    type=click.Path(path_type=Path),
    metavar="FILE.vmdx",
    help="Write an extension and leave MODULE alone.",
)
@click.option("--remove", is_flag=True, help="Take out what earlier exports put in.")
@click.option(
    "--max-range", type=click.IntRange(1, 1000), help="Highest range in hexes. [default: all]"
)
@click.option("--levels", help="all, or some of 0, 1, 2, …, roof, bridge, -1. [default: all]")
@click.option(
    "--level-property",
    help="Property of counters that says on which level they stand (blank, 0, 1, roof, …). "
    f"[default: {StockChoice.level_property}]",
)
@click.option(
    "--no-places",
    is_flag=True,
    help="Say by what a line is blocked but not where: half the size, quicker.",
)
@click.option(
    "--no-palette", is_flag=True, help="Leave out the palette with a marker; its prototype stays."
)
@click.option(
    "--companion",
    is_flag=True,
    help="Instead of messages: a LOS thread in Java that shows at once what it meets.",
)
@click.option(
    "--smoke",
    metavar="NAMES",
    help="Smoke counters for the companion: name=Hindrance; name=Hindrance; …",
)
@click.option("--dry-run", is_flag=True, help="Say what would be done and write nothing.")
@rules_option
@observer_option
@force_option
@json_option
@quiet_option
def export(
    module: Path,
    result: Path | None,
    out: Path | None,
    in_place: bool,
    extension: Path | None,
    remove: bool,
    max_range: int | None,
    levels: str | None,
    level_property: str | None,
    no_places: bool,
    no_palette: bool,
    companion: bool,
    smoke: str | None,
    dry_run: bool,
    rules: str | None,
    observer: str | None,
    force: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Put the lines of sight of RESULT into a copy of MODULE, for VASSAL as it is.

    RESULT is the folder that hexsight build made of this module [default:
    NAME-hexsight]. A LOS thread then reports what it meets, and a stack viewer
    shows for the hovered hex whether it is seen from the marked one. No Java is
    needed; MODULE itself is not touched.
    """
    if sum((out is not None, in_place, extension is not None)) > 1:
        raise UsageError("Choose one of -o, --in-place and --extension.")
    _check_companion(companion, level_property, no_palette, smoke)
    stem = module.resolve().stem
    target = out or Path(f"{stem}-{'plain' if remove else 'los'}.vmod")
    with reporting(quiet) as reporter:
        if remove:
            if extension is not None:
                raise UsageError("An extension is removed by deleting its file.")
            told = _remove(module, target, in_place, dry_run, force, reporter)
        else:
            built = result or Path(f"{stem}-hexsight")
            choice = StockChoice(
                max_range,
                parse_levels(levels),
                StockChoice.level_property if level_property is None else level_property,
                rules_for(built, rules),
                observer=observer,
                places=not no_places,
                palette=not no_palette,
                companion=companion,
                smoke=DEFAULT_SMOKE if smoke is None else smoke,
            )
            check_smoke(choice.smoke)
            _check(module, target, in_place, extension, force)
            folders = board_folders(built)
            if not in_place:
                check_output(extension or target, [module, *folders])
            stock = gather(module, folders, choice, reporter)
            if extension is not None:
                told = _extension(stock, extension, dry_run, force, reporter)
            else:
                told = _module(stock, target, in_place, dry_run, force, reporter)
    told["dry_run"] = dry_run
    if as_json:
        print_json(told)
    else:
        click.echo(describe(told))


def _check_companion(
    companion: bool, level_property: str | None, no_palette: bool, smoke: str | None
) -> None:
    """Refuse options that would do nothing."""
    if companion and (level_property is not None or no_palette):
        option = "--no-palette" if no_palette else "--level-property"
        raise UsageError(
            f"{option} is for messages, and --companion writes none. Leave out one of them."
        )
    if smoke is not None and not companion:
        raise UsageError("--smoke is for the companion. Add --companion, or leave it out.")


def _check(module: Path, target: Path, in_place: bool, extension: Path | None, force: bool) -> None:
    """Refuse before minutes of work rather than after them."""
    with open_original(module):
        pass  # a zip that cannot be copied to the byte is refused on opening
    if extension is not None:
        check_extension_target(extension, overwrite=force)
    elif in_place:
        check_in_place(module)
    else:
        check_target(target, overwrite=force, source=module)


def _module(
    stock: Stock, target: Path, in_place: bool, dry_run: bool, force: bool, reporter: Reporter
) -> dict[str, Any]:
    source = stock.module.path
    build_file = stock.module.build_file

    def write(path: Path, *, overwrite: bool = False, dry_run: bool = False) -> StockReport:
        reporter.step("Writing the module")
        return export_stock(
            source,
            path,
            build_file,
            stock.parts,
            stock.boards,
            files=stock.files,
            overwrite=overwrite,
            dry_run=dry_run,
            progress=reporter.done,
        )

    backup = backup_of(source) if in_place else None
    to = None if in_place else target
    report = in_place_or_copy(write, source, to, dry_run=dry_run, force=force, backup=backup)
    return {
        "target": str(source if in_place else target),
        "backup": str(backup) if backup else None,
        **_stock_facts(stock, report.build_bytes - report.before_bytes),
        "build_file_bytes": report.build_bytes,
        "packed_bytes_more": report.packed_bytes,
        "size_bytes": report.members.size_bytes,
        "elements_added": _by_class(report.added),
        "elements_removed": _by_class(report.removed),
        "members": members_json(report.members),
    }


def _extension(
    stock: Stock, target: Path, dry_run: bool, force: bool, reporter: Reporter
) -> dict[str, Any]:
    reporter.step("Writing the extension")
    with open_original(stock.module.path) as original:
        build = read_build_file(original, stock.module.build_file)
        moduledata = original.read("moduledata") if "moduledata" in original.names else None
    members = extension_members(build, stock.parts, stock.boards, moduledata, stock.files)
    size = 0 if dry_run else write_extension(target, members, overwrite=force)
    data = members["buildFile.xml"]
    counts: dict[str, int] = {}
    for part in stock.parts:
        counts[part.tag] = counts.get(part.tag, 0) + 1
    return {
        "target": str(target),
        "backup": None,
        **_stock_facts(stock, len(data)),
        "build_file_bytes": len(data),
        "packed_bytes_more": size or None,
        "size_bytes": size,
        "elements_added": _by_class(counts),
        "elements_removed": {},
        "members": {"added": sorted(members), "replaced": [], "removed": [], "kept": []},
    }


def _remove(
    module: Path, target: Path, in_place: bool, dry_run: bool, force: bool, reporter: Reporter
) -> dict[str, Any]:
    reporter.step("Taking the export out")

    def write(path: Path, *, overwrite: bool = False, dry_run: bool = False) -> RewriteReport:
        return remove_export(
            module, path, overwrite=overwrite, dry_run=dry_run, progress=reporter.done
        )

    backup = backup_of(module) if in_place else None
    to = None if in_place else target
    report = in_place_or_copy(write, module, to, dry_run=dry_run, force=force, backup=backup)
    return {
        "target": str(module if in_place else target),
        "backup": str(backup) if backup else None,
        "size_bytes": report.size_bytes,
        "members": members_json(report),
    }


def _stock_facts(stock: Stock, bytes_more: int) -> dict[str, Any]:
    fast, slow = load_seconds(bytes_more)
    return {
        "boards": list(stock.boards),
        "pairs": stock.messages.pairs,
        "messages": len(stock.messages.items),
        "load_seconds": [round(fast, 1), round(slow, 1)],
        "warnings": list(stock.warnings),
    }


def _by_class(counts: Mapping[str, int]) -> dict[str, int]:
    return {tag.rpartition(".")[2]: n for tag, n in sorted(counts.items())}


def _megabytes(number: int) -> str:
    return f"{number / 1e6:.1f} MB" if number >= 50_000 else "less than 0.1 MB"


def _seconds(fast: float, slow: float) -> str:
    if slow < 0.1:
        return "less than 0.1 s"
    return f"about {fast:.1f} to {slow:.1f} s" if fast >= 0.1 else f"at most {slow:.1f} s"


def describe(told: Mapping[str, Any]) -> str:
    """What an export did or would do, for a person."""
    dry = told["dry_run"]
    lines = [f"{'Would write' if dry else 'Wrote'} {told['target']}"]
    if told["backup"]:
        lines.append(f"  the old file {'would stay' if dry else 'is'} {told['backup']}")
    if "boards" in told:
        fast, slow = told["load_seconds"]
        lines.append(
            f"  {', '.join(told['boards'])}: {told['pairs']:,} pairs "
            + (f"in {told['messages']:,} messages" if told["messages"] else "for the companion")
        )
        packed = told["packed_bytes_more"]
        lines.append(
            f"  build file {_megabytes(told['build_file_bytes'])}"
            + (f", {_megabytes(packed)} more when packed" if packed else "")
            + f"; VASSAL takes {_seconds(fast, slow)} longer to open it"
        )
        for word in ("added", "removed"):
            counts = told[f"elements_{word}"]
            if counts:
                each = ", ".join(f"{n} {tag}" for tag, n in counts.items())
                lines.append(f"  elements {word}: {each}")
    members = told["members"]
    for word in ("added", "replaced", "removed"):
        if members[word]:
            lines.append(f"  members {word}: {', '.join(members[word])}")
    lines.append(f"  members kept: {len(members['kept'])}")
    if dry:
        lines += [f"    {name}" for name in members["kept"]]
    lines += [f"  note: {warning}" for warning in told.get("warnings", ())]
    return "\n".join(lines)
