"""``completion``: scripts for shells and the shim for kubectl; and the hidden command they call."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click

from kubectl_c9s.cli.complete import answer
from kubectl_c9s.cli.options import global_options

SHELLS: Final = ("bash", "zsh", "fish", "kubectl")


def script(shell: str) -> str:
    """Give the script of one of SHELLS."""
    return (Path(__file__).parent / "shells" / shell).read_text(encoding="utf-8")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@global_options
def completion(shell: str, flags: dict[str, Any]) -> None:  # noqa: ARG001 - every command takes them
    """Print a completion script: for bash, zsh or fish, or the one that kubectl calls.

    \b
    bash     source <(c9s completion bash)
    zsh      source <(c9s completion zsh)
    fish     c9s completion fish | source
    kubectl  kubectl c9s completion kubectl > ~/.local/bin/kubectl_complete-c9s
             chmod +x ~/.local/bin/kubectl_complete-c9s

    Those for shells complete 'c9s' and 'kubectl-c9s'. 'kubectl c9s' is completed by kubectl's own completion
    (1.26 or newer), which looks on PATH for kubectl_complete-c9s; pip has put it beside the plugin.
    """  # noqa: D301 - \b is click's mark for a paragraph that is not to be wrapped
    click.echo(script(shell), nl=False)


class _Raw(click.Command):
    """Takes all words as they are: flags among them belong to the line that is completed."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.params["words"] = tuple(args)
        return []


@click.command(cls=_Raw, hidden=True, add_help_option=False)
def hidden(words: tuple[str, ...]) -> int:
    """Complete the last of the words."""
    return answer(words)
