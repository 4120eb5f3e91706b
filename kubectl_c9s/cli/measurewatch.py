"""``measure watch``: a start recorded while it happens, or worked out of its objects after the fact."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from kubectl_c9s.cli.connecting import seconds
from kubectl_c9s.cli.options import global_options
from kubectl_c9s.resources.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

# As in measurement/overall.py, which is not loaded for --help; a test compares.
GOALS: Final = ("pods", "started", "ready")
_MOST: Final = 1_000_000
_LEAST_SAMPLE: Final = 0.1

# In the order of the help text.
_OPTIONS: Final[tuple[Callable[[Any], Any], ...]] = (
    click.option("--count", type=click.IntRange(1, _MOST), metavar="N",
                 help="Devices to wait for; without, as many as the Nodes that are seen make."),
    click.option("--until", "goal", type=click.Choice(GOALS), default="ready", show_default=True,
                 help="What all of them must have reached at once."),
    click.option("--output-file", "target", metavar="FILE",
                 help="Where the recording goes; written anew with every sample, so that a part is always there."),
    click.option("--timeout", metavar="DURATION", default="20m", show_default=True,
                 help="How long to wait; 0 is for ever."),
    click.option("--sample-every", "every", metavar="DURATION", default="15s", show_default=True,
                 help="Time between two samples of all hosts."),
    click.option("-f", "--filename", "paths", multiple=True, metavar="PATH",
                 help="After the fact: snapshot or saved lists, .json, .tar.gz, a directory, - for stdin; repeatable."),
    click.option("--at", metavar="TIME", help="When the dump was taken, as 2026-01-31T10:00:00Z."),
    click.option("--once", is_flag=True, help="After the fact: from what the cluster has now."),
    click.option("-o", "--output", type=click.Choice(["table", "json", "yaml", "jsonl"]), default="table",
                 show_default=True, help="Output format; json is the recording, jsonl has a line for each sample."),
)  # fmt: skip


def _watch_options(function: Callable[..., Any]) -> Any:
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


@click.command()
@click.argument("name", required=False, metavar="[LAB]")
@_watch_options
@global_options
def watch(flags: dict[str, Any], name: str | None, **given: Any) -> int:
    """Record a start: begin it, then apply the lab. LAB is a Topology or a split lab; without, all devices count.

    Exit code 0 when all devices are so far, 5 at the timeout, 130 when interrupted; what was seen until then is kept.
    After the fact: 0 when they are, 1 when they are not. Looks at the namespace of the context, of -n, or at all (-A).
    """
    limit = seconds(given["timeout"], "--timeout")
    every = seconds(given["every"], "--sample-every")
    if every < _LEAST_SAMPLE:
        raise UsageError(f"--sample-every {given['every']} is too short: at least 100ms")
    if given["at"] and not given["paths"]:
        raise UsageError("--at is for a dump: a cluster is looked at now")
    if given["once"] and given["paths"]:
        raise UsageError("a dump is after the fact anyway: give -f or --once")
    if given["once"] or given["paths"]:
        from kubectl_c9s.cli.measurepast import look_back  # noqa: PLC0415 - after the flags are known

        return look_back(flags, name, given)
    from kubectl_c9s.cli.measurelive import record  # noqa: PLC0415 - slow to import

    return record(flags, name, given, limit, every)
