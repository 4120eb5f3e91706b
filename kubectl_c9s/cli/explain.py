"""``explain``: what a code means, of a finding or of a cause, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from kubectl_c9s.cli.options import global_options
from kubectl_c9s.cli.pages import cause_page, page, scopes
from kubectl_c9s.output.columns import columns
from kubectl_c9s.output.structured import ascii_json
from kubectl_c9s.resources.causes import CAUSES, NUMBERS
from kubectl_c9s.resources.codes import CODES
from kubectl_c9s.resources.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator


@click.command()
@click.argument("code", required=False)
@click.option("--list", "listed", is_flag=True, help="List all codes, as without CODE.")
@click.option("-o", "--output", type=click.Choice(["json"]), help="Output format.")
@global_options
def explain(code: str | None, output: str | None, *, listed: bool, flags: dict[str, Any]) -> None:  # noqa: ARG001 - every command takes them
    """Explain a code: what it means, how it is recognised, and what to do about it.

    A finding has its code in brackets behind it, such as [unknown-link-endpoint]; it is about an input. A cause is
    what 'diagnose' names, such as sandbox-failed; it is about a start that does not go on. Without CODE both are
    listed, a line each.
    """
    if code is None:
        _print(ascii_json(_tables()) if output else "".join(_lines()))
        return
    if listed:
        raise UsageError("give CODE or --list, not both")
    # As it is copied from a terminal.
    code = code.strip("[]").lower()
    _check_known(code)
    _print(ascii_json(_explained(code)) if output else _pages(code))


def _print(text: str) -> None:
    """Print UTF-8, as the pages are, whatever the locale says."""
    click.echo(text.encode(), nl=False)


def _check_known(code: str) -> None:
    if code in CODES or code in CAUSES:
        return
    from difflib import get_close_matches  # noqa: PLC0415 - only for a code that does not exist

    near = get_close_matches(code, [*CODES, *CAUSES], n=1, cutoff=0.3)
    did_you_mean = f"did you mean {near[0]}? " if near else ""
    raise UsageError(
        f"there is no code {code!r}", hint=f"{did_you_mean}'explain --list' has them all"
    )


def _pages(code: str) -> str:
    """Give the page of a code; of one that is both, the finding's and then the cause's, told apart by their heads."""
    if code not in CAUSES:
        return page(code)
    if code not in CODES:
        return cause_page(code)
    head = f"# {code}\n"
    finding = page(code).replace(head, f"# {code}: the finding of an input\n", 1)
    cause = cause_page(code).replace(head, f"# {code}: the cause that diagnose names\n", 1)
    return f"{finding}\n{cause}"


def _tables() -> dict[str, list[dict[str, Any]]]:
    return {"findings": [_row(one) for one in CODES], "causes": [_cause_row(one) for one in CAUSES]}


def _explained(code: str) -> dict[str, list[dict[str, Any]]]:
    """Give the same shape as for all: what the code is not stays empty."""
    return {
        "findings": [{**_row(code), "page": page(code)}] if code in CODES else [],
        "causes": [{**_cause_row(code), "page": cause_page(code)}] if code in CAUSES else [],
    }


def _row(code: str) -> dict[str, Any]:
    severities, upstream, summary = CODES[code]
    return {"code": code, "severities": list(severities), "upstream": upstream, "summary": summary}


def _cause_row(code: str) -> dict[str, Any]:
    cause = CAUSES[code]
    return {
        "code": code,
        "number": NUMBERS[code],
        "class": cause.kind,
        "scopes": scopes(cause),
        "objects": cause.objects.split(),
        "remedies": list(cause.remedies),
        "summary": cause.summary,
    }


def _lines() -> Iterator[str]:
    """Give both tables: findings with their severities, causes in their precedence with class and scopes."""
    yield "findings:\n"
    findings = [(code, ",".join(row.severities), row.summary) for code, row in CODES.items()]
    yield from (f"  {line}\n" for line in columns(findings, gap=2))
    yield "\ncauses that diagnose names:\n"
    causes = [(code, one.kind, ",".join(scopes(one)), one.summary) for code, one in CAUSES.items()]
    yield from (f"  {line}\n" for line in columns(causes, gap=2))
