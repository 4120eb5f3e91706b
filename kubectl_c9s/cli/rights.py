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

    Variants with more rights: 'apply prune', 'split from-cluster'.
    """
    from kubectl_c9s.cluster.rights import RIGHTS, missing, roles  # noqa: PLC0415 - after the flags are known

    name = command[0] + "".join(f" --{word.lstrip('-')}" for word in command[1:])
    if name not in RIGHTS:
        raise UsageError(f"no rights are known for {name!r}", hint=f"known: {', '.join(RIGHTS)}")
    if not check:
        from kubectl_c9s.yamlio.writer import dump_all  # noqa: PLC0415 - only for printing

        namespace = flags.get("namespace") or "default"
        for chunk in dump_all(roles(name, namespace, "kubectl-c9s-" + command[0])):
            sys.stdout.write(chunk)
        return 0
    connection = connect(flags)
    denied = missing(connection, name, connection.namespace)
    for line in denied:
        sys.stdout.write(f"missing: {line}\n")
    if not denied:
        sys.stdout.write(f"all rights for {name} are there\n")
    return 1 if denied else 0
