"""``diff``: what ``apply`` would change, as the server sees it."""

from __future__ import annotations

import difflib
import gc
import sys
from typing import TYPE_CHECKING, Any, Final

import click

from kubectl_c9s.cli.connecting import check_manager
from kubectl_c9s.cli.inputflags import FIELD_MANAGER, FILENAME, RECURSIVE, check_paths
from kubectl_c9s.cli.options import global_options
from kubectl_c9s.cli.reporting import no_difference

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.cluster.applying import Planned
    from kubectl_c9s.resources.objects import KubeObject

# What the server writes by itself and nobody applies.
_SERVER_METADATA: Final = frozenset(
    {"managedFields", "resourceVersion", "uid", "creationTimestamp", "generation"}
)


@click.command()
@FILENAME
@RECURSIVE
@click.option(
    "--force-conflicts", is_flag=True, help="Show the change with fields of other managers taken."
)
@FIELD_MANAGER
@global_options
def diff(flags: dict[str, Any], **given: Any) -> int:
    """Show what apply would change, by a dry run on the server.

    Exit code 0: no difference, 1: differences, above: it could not be found out.
    """
    from kubectl_c9s.cli.liveobjects import read_and_connect  # noqa: PLC0415 - after the flags are known
    from kubectl_c9s.cluster.applying import make_plan, preview_plan  # noqa: PLC0415 - slow to import
    from kubectl_c9s.cluster.writing import Options  # noqa: PLC0415 - slow to import

    # Nearly all that is made here is kept to the end: looking for garbage only costs time.
    gc.disable()
    check_paths(given["paths"])
    check_manager(given["field_manager"])
    with no_difference():
        connection, objects = read_and_connect(flags, given)
    options = Options(given["field_manager"], given["force_conflicts"], dry_run=True)
    differs = False
    plan = make_plan(connection, objects, given["field_manager"])
    for one, merged in preview_plan(connection, plan, options):
        for line in _difference(one, merged):
            differs = True
            sys.stdout.write(line)
    return 1 if differs else 0


def _difference(one: Planned, merged: KubeObject) -> Iterator[str]:
    name = f"{one.resource.full_name}.{'.'.join(part for part in one.key[1:] if part)}"
    before = _text(one.live) if one.live else ""
    return difflib.unified_diff(
        before.splitlines(keepends=True),
        _text(merged).splitlines(keepends=True),
        f"LIVE/{name}",
        f"MERGED/{name}",
    )


def _text(obj: KubeObject) -> str:
    from kubectl_c9s.output.safe_text import safe_text  # noqa: PLC0415 - only for differences
    from kubectl_c9s.yamlio.writer import dump  # noqa: PLC0415 - only for differences

    metadata = {key: value for key, value in obj["metadata"].items() if key not in _SERVER_METADATA}
    shown = {key: value for key, value in obj.items() if key != "status"}
    return safe_text(dump({**shown, "metadata": metadata}), multiline=True)
