"""A click group that knows its commands by name and loads one when it is called."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

import click

from kubectl_c9s.cli.exits import attach

if TYPE_CHECKING:
    from collections.abc import Mapping


_PROGRAM: Final = "cli"


class LazyGroup(click.Group):
    """Takes ``commands_table``: name → (``module:attribute``, one line of help).

    A name that begins with ``__`` is for programs: it can be called and is not listed.
    """

    def __init__(
        self, *args: Any, commands_table: Mapping[str, tuple[str, str]], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self._table = dict(commands_table)
        # The program itself is no part of a command's name.
        self._path = "" if self.name == _PROGRAM else f"{self.name} "

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Give the names without loading anything."""
        return [name for name in self._table if not name.startswith("__")]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Load one command."""
        if cmd_name not in self._table:
            return None
        module, _, attribute = self._table[cmd_name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        attach(f"{self._path}{cmd_name}", command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with their lines from the table."""
        with formatter.section("Commands"):
            listed = self.list_commands(ctx)
            formatter.write_dl([(name, self._table[name][1]) for name in listed])
