"""`hexsight completion`: what a shell needs to complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from hexsight.commands.common import json_option, print_json

COMPLETE_VARIABLE = "_HEXSIGHT_COMPLETE"


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@json_option
@click.pass_context
def completion(ctx: click.Context, shell: str, as_json: bool) -> None:
    """Print what SHELL needs to complete commands and options with the tab key.

    \b
    bash   hexsight completion bash >> ~/.bashrc
    zsh    hexsight completion zsh >> ~/.zshrc
    fish   hexsight completion fish > ~/.config/fish/completions/hexsight.fish

    Then open a new terminal. bash must be 4.4 or newer.
    """
    kind = get_completion_class(shell)
    assert kind is not None  # the choices above are those that click brings
    made = kind(ctx.find_root().command, {}, "hexsight", COMPLETE_VARIABLE)
    # Not made.source(), which asks the shell at hand for its version: the script may be
    # meant for another machine.
    script = made.source_template % made.source_vars()
    if as_json:
        print_json({"shell": shell, "script": script})
    else:
        click.echo(script)
