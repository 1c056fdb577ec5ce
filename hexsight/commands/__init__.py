"""One file a verb; `COMMANDS` is the list that the command line offers."""

from __future__ import annotations

import click

from hexsight.commands.build import build
from hexsight.commands.charts import charts
from hexsight.commands.check import check
from hexsight.commands.convert import convert
from hexsight.commands.export import export
from hexsight.commands.extract import extract
from hexsight.commands.grid import grid
from hexsight.commands.los import los
from hexsight.commands.new import new
from hexsight.commands.render import render
from hexsight.commands.table import table

COMMANDS: tuple[click.Command, ...] = (
    new,
    build,
    export,
    grid,
    extract,
    check,
    los,
    table,
    render,
    convert,
    charts,
)
