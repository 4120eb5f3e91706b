"""Flags that the commands of ``rollout`` share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from kubectl_c9s.resources.errors import UsageError
from kubectl_c9s.rollout.guards import ALLOWED_BY_NAME
from kubectl_c9s.rollout.limits import FIELDS, LARGEST, Edit, Field
from kubectl_c9s.rollout.proposal import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Option = Callable[[Any], Any]

_SIZE: Final = click.IntRange(0, LARGEST)
_FIELD_NAMES: Final[Mapping[str, Field]] = {
    "batchSize": "batchSize",
    "batch-size": "batchSize",
    "maxConcurrentPerHost": "maxConcurrentPerHost",
    "max-concurrent-per-host": "maxConcurrentPerHost",
}
BATCH_SIZE: Final[Option] = click.option(
    "--batch-size", type=_SIZE, metavar="N", help="Workloads that start at a time; 0 is off."
)
PER_HOST: Final[Option] = click.option(
    "--max-concurrent-per-host", type=_SIZE, metavar="M",
    help="Devices that boot on a host at a time; 0 is off.",
)  # fmt: skip
UNSET: Final[Option] = click.option(
    "--unset", type=click.Choice(list(_FIELD_NAMES)), multiple=True, metavar="FIELD",
    help="Remove a field: batchSize or maxConcurrentPerHost; repeatable.",
)  # fmt: skip
RELEASE_ALL: Final[Option] = click.option(
    "--release-all", is_flag=True, help="Let waiting workloads start all at once."
)
ALLOW: Final[Option] = click.option(
    "--allow", type=click.Choice(ALLOWED_BY_NAME), multiple=True,
    help="Go on although this guard refuses; repeatable.",
)  # fmt: skip
YES: Final[Option] = click.option("-y", "--yes", is_flag=True, help="Do not ask.")
DRY_RUN: Final[Option] = click.option(
    "--dry-run",
    type=click.Choice(["none", "client", "server"]),
    default="none",
    is_flag=False,
    flag_value="client",
    help="client: send nothing; server: let the server check only.",
)
OUTPUT: Final[Option] = click.option(
    "-o", "--output", type=click.Choice(["json", "yaml"]), help="Output format."
)
SUFFIXES: Final = {"none": "", "client": " (dry run)", "server": " (server dry run)"}


def edit_of(given: Mapping[str, Any]) -> Edit:
    """Read the flags that say what is to be changed."""
    values: dict[Field, int] = {}
    for field, flag in zip(FIELDS, ("batch_size", "max_concurrent_per_host"), strict=True):
        if given[flag] is not None:
            values[field] = given[flag]
    removed = tuple(dict.fromkeys(_FIELD_NAMES[name] for name in given["unset"]))
    if both := [field for field in removed if field in values]:
        raise UsageError(f"{both[0]} is to be set and to be removed")
    if not values and not removed:
        hint = "give --batch-size, --max-concurrent-per-host or --unset"
        raise UsageError("nothing is to be changed", hint=hint)
    return Edit(tuple(values.items()), removed)


def rules_of(given: Mapping[str, Any]) -> Rules:
    """Read the flags that say which guards may be passed."""
    return Rules(given["release_all"], frozenset(given["allow"]))
