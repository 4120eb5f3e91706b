"""``check``: whether a cluster is ready for labs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

import click

from kubectl_c9s.cli.connecting import connect
from kubectl_c9s.cli.options import global_options

if TYPE_CHECKING:
    from kubectl_c9s.cluster.facts import Fact

_MARKS: Final = {"ok": "ok     ", "warning": "warning", "failed": "failed ", "unknown": "unknown"}


@click.command()
@click.option(
    "--pre", is_flag=True, help="Look only at what is needed before clabernetes is installed."
)
@click.option("-o", "--output", type=click.Choice(["json"]), help="Output format.")
@global_options
def check(flags: dict[str, Any], pre: bool, output: str | None) -> int:  # noqa: FBT001 - click passes it
    """Check server, CRDs, manager, Config, capacity and control plane: a line each.

    Exit code 1 when something has failed.
    """
    from kubectl_c9s.cluster.checking import check_cluster  # noqa: PLC0415 - slow to import
    from kubectl_c9s.output.safe_text import safe_text  # noqa: PLC0415 - after the flags are known

    facts: list[Fact] = []
    looking = check_cluster(connect(flags), flags.get("manager_namespace"), before_install=pre)
    for fact in looking:
        facts.append(fact)
        if output != "json":
            hint = f" ({safe_text(fact.hint)})" if fact.hint else ""
            sys.stdout.write(f"{_MARKS[fact.level]} {fact.name}: {safe_text(fact.text)}{hint}\n")
    if output == "json":
        from kubectl_c9s.output.structured import ascii_json  # noqa: PLC0415 - only for programs

        sys.stdout.write(ascii_json({"checks": [fact._asdict() for fact in facts]}))
    return 1 if any(fact.level == "failed" for fact in facts) else 0
