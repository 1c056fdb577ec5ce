"""`hexsight review`: look at what was found on the map, point for lines of sight, put it right."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import click

from hexsight.commands.common import force_option, json_option, print_json, quiet_option
from hexsight.model.errors import MissingPartError, UsageError
from hexsight.progress import reporting
from hexsight.project import PROJECT_FILE

_NEEDED = ("starlette", "uvicorn")


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.option("--board", help="Name of the board in a module.")
@click.option("--export", type=click.Path(path_type=Path), metavar="FILE", help="Write one page.")
@click.option("--max-range", type=click.IntRange(1), help="Leave longer lines out of --export.")
@click.option("--observer", help="Only this class of observer in --export.  [default: all]")
@click.option(
    "--port", type=click.IntRange(1, 65535), help="Port to listen on. [default: a free one]"
)
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Another name of this computer."
)
@click.option("--no-open", is_flag=True, help="Do not open the page in the browser.")
@force_option
@json_option
@quiet_option
def review(
    project: Path,
    board: str | None,
    export: Path | None,
    max_range: int | None,
    observer: str | None,
    port: int | None,
    host: str,
    no_open: bool,
    force: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Look at the map of PROJECT in the browser and correct what was found.

    PROJECT is a hexsight.yaml or its folder; each correction is saved there at once. A
    module, picture or board folder can be looked at. The page is served to this
    computer only, and only to whoever has the address that is printed. Ctrl-C ends it.

    --export writes the same page as one HTML file that needs no server, to look at.
    """
    for value, option in ((max_range, "--max-range"), (observer, "--observer")):
        if export is None and value is not None:
            raise UsageError(f"{option} goes with --export FILE.")
    if export is not None and (port is not None or no_open):
        raise UsageError("--port and --no-open go with the page that is served, not with --export.")
    if export is not None:
        size = _export(project, board, export, max_range, observer, force=force, quiet=quiet)
        if as_json:
            print_json({"file": str(export), "bytes": size})
        else:
            click.echo(f"{export}: {size} bytes")
    else:
        _serve(project, board, host, port, open_page=not no_open, as_json=as_json, quiet=quiet)


def _serve(
    project: Path,
    board: str | None,
    host: str,
    port: int | None,
    *,
    open_page: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Read the map, then answer the page until Ctrl-C."""
    for part in _NEEDED:
        if find_spec(part) is None:
            raise MissingPartError(
                "The review page needs two packages that are not installed. Run: "
                "pip install 'hexsight[review]'."
            )
    # Only here: they are an extra.
    from hexsight.review.lock import project_lock  # noqa: PLC0415
    from hexsight.review.serving import listen, serve  # noqa: PLC0415
    from hexsight.review.session import Session  # noqa: PLC0415

    # A port that is taken is told before a large map is read.
    with listen(host, port) as listening, project_lock(_project_file(project)):
        with reporting(quiet) as reporter:
            session = Session.open(project, board=board, reporter=reporter)
        with session:

            def tell(address: str, hint: str) -> None:
                if as_json:
                    click.echo(json.dumps({"board": session.name, "page": address, "hint": hint}))
                else:
                    click.echo(f"{session.name}: {address}\n{hint}")

            debug = bool((click.get_current_context().obj or {}).get("debug"))
            serve(session, listening, host, open_page=open_page, tell=tell, debug=debug)
    closed = "The page is closed." + (" All corrections are saved." if session.can_save else "")
    click.echo(closed, err=as_json)


def _project_file(project: Path) -> Path | None:
    """The hexsight.yaml that is meant, None where there is none."""
    if project.suffix.lower() in (".yaml", ".yml") and project.is_file():
        return project
    inside = project / PROJECT_FILE
    return inside if inside.is_file() else None


def _export(
    project: Path,
    board: str | None,
    target: Path,
    max_range: int | None,
    observer: str | None,
    *,
    force: bool,
    quiet: bool,
) -> int:
    """Write the page as one file, and give how many bytes it has."""
    from hexsight.model.atomic import check_target  # noqa: PLC0415 - as all that follows
    from hexsight.output import write_bytes  # noqa: PLC0415
    from hexsight.review.export import export_session  # noqa: PLC0415
    from hexsight.review.session import Session  # noqa: PLC0415

    if target.parent.is_dir():
        # Not after minutes of work.
        check_target(target, overwrite=force)
    with (
        reporting(quiet) as reporter,
        Session.open(project, board=board, reporter=reporter) as session,
    ):
        data = export_session(session, max_range, reporter, observer)
    write_bytes(target, data, overwrite=force, inputs=[_project_file(project) or project])
    return len(data)
