"""``rights``: the least Role a command needs."""

from __future__ import annotations

import sys
from typing import Any

import click

from kubectl_c9s.cli.connecting import connect
from kubectl_c9s.cli.options import global_options
from kubectl_c9s.resources.errors import UsageError


@click.command()
@click.argument("command", nargs=-1, required=True)
@click.option("-o", "--output", type=click.Choice(["yaml"]), default="yaml", help="Output format.")
@click.option(
    "--check", is_flag=True, help="Ask the server instead whether you have them; exit 1 if not."
)
@global_options
def rights(flags: dict[str, Any], command: tuple[str, ...], output: str, check: bool) -> int:  # noqa: ARG001, FBT001 - click passes them
    """Print the least Role that COMMAND needs, such as apply, diff, check.

    Flags that need more go behind it, as in 'apply prune wait' and 'split from-cluster'.
    """
    from kubectl_c9s.cluster.rights import RIGHTS, missing, roles, rules_of  # noqa: PLC0415 - after the flags are known

    try:
        needed = rules_of(command)
    except KeyError as error:
        known = f"known: {', '.join(RIGHTS)}"
        raise UsageError(f"no rights are known for {error.args[0]!r}", hint=known) from None
    if not check:
        from kubectl_c9s.yamlio.writer import dump_all  # noqa: PLC0415 - only for printing

        namespace = flags.get("namespace") or "default"
        for chunk in dump_all(roles(needed, namespace, f"kubectl-c9s-{command[0]}")):
            sys.stdout.write(chunk)
        return 0
    connection = connect(flags)
    denied = missing(connection, needed, connection.namespace)
    for line in denied:
        sys.stdout.write(f"missing: {line}\n")
    if not denied:
        sys.stdout.write(f"all rights for {' '.join(command)} are there\n")
    return 1 if denied else 0
