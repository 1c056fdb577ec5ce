"""`hexsight completion`: what a shell needs to complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

COMPLETE_VARIABLE = "_HEXSIGHT_COMPLETE"


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
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
    click.echo(made.source_template % made.source_vars())
