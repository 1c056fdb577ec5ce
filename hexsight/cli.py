"""The command line: `hexsight VERB …`.

Every failure that a user can cause ends here as one line on stderr and an exit
code of the table below; a traceback only with ``--debug``.

=====  ==========================================================
0      ok
1      the answer is no: findings at or above --fail-on, no grid
2      usage: an option, a name or a line in hexsight.yaml is wrong
3      an input cannot be read
4      the module or picture has no way to be treated
5      writing was refused
6      what was written did not read back as it should
7      an optional part is not installed
70     a bug of hexsight
130    interrupted
=====  ==========================================================
"""

from __future__ import annotations

import errno
import signal
import sys
import traceback
from importlib import import_module
from types import FrameType
from typing import NoReturn

import click

from hexsight import __version__
from hexsight.commands import VERBS
from hexsight.consoles import prepare
from hexsight.los.jit import telling
from hexsight.model.errors import HexsightError, InputError, OutputError

EXIT_BUG = 70
EXIT_INTERRUPTED = 130
_NO_ROOM = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))


class Verbs(click.Group):
    """The verbs, each loaded when it is asked for: most need but a part of the tool."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all verbs, by alphabet."""
        return sorted({*super().list_commands(ctx), *VERBS})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The verb of a name, None if there is no such verb."""
        if cmd_name not in VERBS:
            return super().get_command(ctx, cmd_name)
        found = getattr(import_module(f"hexsight.commands.{cmd_name}"), cmd_name)
        assert isinstance(found, click.Command)
        return found


@click.group(
    cls=Verbs,
    invoke_without_command=True,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 ok, 1 findings, 2 usage, 3 unreadable input, 4 unsupported, "
    "5 output refused, 6 verification failed, 7 missing part, 70 bug, 130 interrupted.",
)
@click.option("--version", is_flag=True, help="Show the version and exit.")
@click.option("--verbose", is_flag=True, help="With --version: all that a bug report needs.")
@click.option("--debug", is_flag=True, help="Show the traceback of a failure.")
@click.pass_context
def hexsight(ctx: click.Context, version: bool, verbose: bool, debug: bool) -> None:
    """From the picture of a hex map to line of sight in the VASSAL module."""
    if version:
        if verbose:
            # It asks every part for its version, which no other command should wait for.
            from hexsight.environment import report  # noqa: PLC0415

            click.echo(report())
        else:
            click.echo(f"hexsight, version {__version__}")
        ctx.exit()
    if verbose:
        raise click.UsageError("--verbose goes with --version.", ctx)
    if ctx.invoked_subcommand is None:
        raise click.UsageError("Missing command.", ctx)


def _say(line: str) -> None:
    click.echo(line, err=True)


def _interrupted(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: list[str]) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : list of str
        What follows the program's name.

    Returns
    -------
    int
        Exit code.
    """
    # A terminated run cleans up as an interrupted one does.
    signal.signal(signal.SIGTERM, _interrupted)
    # The flag counts wherever it stands: nobody remembers to put it before the verb.
    debug = "--debug" in arguments
    arguments = [a for a in arguments if a != "--debug"]
    prepare(sys.stdout, json="--json" in arguments)
    prepare(sys.stderr)
    try:
        # Verbs without progress say nothing of it into pipes and logs.
        with telling(_say if sys.stderr.isatty() else None):
            result = hexsight.main(
                arguments, prog_name="hexsight", standalone_mode=False, obj={"debug": debug}
            )
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("Interrupted; nothing was left half written.", err=True)
        return EXIT_INTERRUPTED
    except click.ClickException as error:
        error.show(sys.stderr)
        return 2
    except HexsightError as error:
        if debug:
            traceback.print_exc()
        click.echo(f"Error: {error}", err=True)
        return error.exit_code
    except BrokenPipeError:
        return 0
    except (OSError, RuntimeError, MemoryError) as error:
        return _system(error, debug)
    except Exception as error:  # noqa: BLE001 - the last door: a bug is told as one
        return _bug(error, debug)


def _system(error: OSError | RuntimeError | MemoryError, debug: bool) -> int:
    """Tell what the system did not give, and no command saw coming."""
    code = InputError.exit_code
    if isinstance(error, OSError):
        # A name that is too long, no room for temporary files, a disk that was taken out.
        where = f"{str(error.filename)[:200]}: " if error.filename else ""
        said = f"{where}{error.strerror or error}."
        if error.errno in _NO_ROOM:
            code = OutputError.exit_code
    elif isinstance(error, MemoryError):
        said = "There is too little memory for what is being read. Scale the picture down."
    elif str(error).startswith("Symlink loop"):
        # So Python before 3.13; later it is an OSError.
        said = f"{str(error)[:200]}. Name the file itself."
    else:
        return _bug(error, debug)
    if debug:
        traceback.print_exc()
    click.echo(f"Error: {said}", err=True)
    return code


def _bug(error: Exception, debug: bool) -> int:
    """Tell what no user can mend."""
    if debug:
        traceback.print_exc()
    click.echo(
        f"Error: hexsight met a bug ({type(error).__name__}: {error}). Run it again with "
        "--debug and report what it prints.",
        err=True,
    )
    return EXIT_BUG
