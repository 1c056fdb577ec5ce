"""`hexsight merge`: the shards of a batch, put together."""

from __future__ import annotations

from pathlib import Path

import click

from hexsight.batch import merge_batches
from hexsight.commands.batch import Files, conclude, prepare, report_options
from hexsight.commands.common import force_option, json_option


@click.command()
@click.argument("results", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("-o", "--out", type=click.Path(path_type=Path), required=True, help="New folder.")
@report_options
@force_option
@json_option
def merge(
    results: tuple[Path, ...],
    out: Path,
    fail_on: str,
    html: Path | None,
    sarif: Path | None,
    junit: Path | None,
    baseline: Path | None,
    force: bool,
    as_json: bool,
) -> int:
    """Put RESULTS of 'hexsight batch --shard K/N' together as if one machine had done it all."""
    files = Files(html, sarif, junit, baseline)
    prepare(files, "check", ())
    return conclude(merge_batches(results, out, force=force), fail_on, as_json, files)
