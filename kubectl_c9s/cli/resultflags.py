"""Flags by which commands say in which form, and where to, their result goes."""

from __future__ import annotations

from typing import Final

import click

TABLE: Final = click.option(
    "-o", "--output", type=click.Choice(["table", "json", "yaml"]), default="table",
    show_default=True, help="Output format.",
)  # fmt: skip
OUTPUT: Final = click.option(
    "-o", "--output", type=click.Choice(["table", "json", "yaml", "html"]), default="table", show_default=True,
    help="Output format; html is one page that needs nothing else.",
)  # fmt: skip
OUTPUT_FILE: Final = click.option(
    "--output-file", "target", metavar="FILE",
    help="Where to put it instead of stdout; a file that is there is replaced in one step.",
)  # fmt: skip
