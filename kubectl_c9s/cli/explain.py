"""``explain``: what the code of a finding means, with an example and how to mend it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from kubectl_c9s.cli.options import global_options
from kubectl_c9s.cli.pages import page
from kubectl_c9s.resources.codes import CODES
from kubectl_c9s.resources.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator


@click.command()
@click.argument("code", required=False)
@click.option("--list", "listed", is_flag=True, help="List all codes, a line each.")
@click.option("-o", "--output", type=click.Choice(["json"]), help="Output format.")
@global_options
def explain(code: str | None, output: str | None, *, listed: bool, flags: dict[str, Any]) -> None:  # noqa: ARG001 - every command takes them
    """Explain the code of a finding: what it means, a small example, and how to mend it.

    The code is the word in brackets behind a finding, such as [unknown-link-endpoint].
    """
    if listed == (code is not None):
        raise UsageError(
            "give one CODE, or --list", hint="the code stands in brackets behind a finding"
        )
    if code is not None:
        # As it is copied from a terminal.
        code = code.strip("[]").lower()
        _check_known(code)
        text = page(code)
        _print(_json({**_row(code), "page": text}) if output else text)
    elif output:
        _print(_json([_row(one) for one in CODES]))
    else:
        _print("".join(_lines()))


def _print(text: str) -> None:
    """Print UTF-8, as the pages are, whatever the locale says."""
    click.echo(text.encode(), nl=False)


def _check_known(code: str) -> None:
    if code in CODES:
        return
    from difflib import get_close_matches  # noqa: PLC0415 - only for a code that does not exist

    near = get_close_matches(code, CODES, n=1, cutoff=0.3)
    did_you_mean = f"did you mean {near[0]}? " if near else ""
    raise UsageError(
        f"there is no code {code!r}", hint=f"{did_you_mean}'explain --list' has them all"
    )


def _row(code: str) -> dict[str, Any]:
    severities, upstream, summary = CODES[code]
    return {"code": code, "severities": list(severities), "upstream": upstream, "summary": summary}


def _lines() -> Iterator[str]:
    """Give the table: code, severities, summary; columns as wide as their longest entry."""
    rows = [(code, ",".join(row.severities), row.summary) for code, row in CODES.items()]
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    for code, severities, summary in rows:
        yield f"{code:{widths[0]}}  {severities:{widths[1]}}  {summary}\n"


def _json(value: Any) -> str:
    return json.dumps(value, indent=2) + "\n"
