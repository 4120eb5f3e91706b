"""``measure replay``: plain Pods at the times and on the hosts of a recorded start."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

import click

from kubectl_c9s.cli.connecting import seconds
from kubectl_c9s.cli.inputflags import check_namespace
from kubectl_c9s.cli.options import global_options
from kubectl_c9s.resources.errors import UsageError
from kubectl_c9s.resources.moments import text_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from kubectl_c9s.measurement.schedule import Schedule

_MOST_WORKERS: Final = 32  # as many as sockets are kept

# In the order of the help text.
_OPTIONS: Final[tuple[Callable[[Any], Any], ...]] = (
    click.option("--output-dir", required=True, metavar="DIR",
                 help="Where the results go; must be absent or empty."),
    click.option("--ip-family", "families", type=click.Choice(["dual", "ipv4", "ipv6"]), default="dual",
                 show_default=True, help="Addresses that each Pod must have, exactly."),
    click.option("--force-image", "image", metavar="IMAGE",
                 help="Image of all Pods, instead of those of the schedule; it must have a command 'sleep'."),
    click.option("--timeout", metavar="DURATION", default="30m", show_default=True,
                 help="How long to wait for all Pods, from the first one's time on."),
    click.option("--workers", type=click.IntRange(1, _MOST_WORKERS), default=16, show_default=True, metavar="N",
                 help="Requests at once."),
    click.option("--probe", is_flag=True, help="Let each Pod ping the next one when all are ready, by exec."),
    click.option("--cni", default="none", show_default=True, metavar="NAME",
                 help="Read address times from the hosts' logs: 'calico', 'auto' for what is there, 'none'."),
    click.option("--cleanup", is_flag=True, help="Delete the namespace afterwards, also when interrupted."),
)  # fmt: skip


def _replay_options(function: Callable[..., Any]) -> Any:
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


@click.command()
@click.argument("schedule", metavar="SCHEDULE")
@_replay_options
@global_options
def replay(flags: dict[str, Any], schedule: str, **given: Any) -> int:
    """Start plain Pods by a SCHEDULE (a file, or - for stdin), in a namespace that is made for them.

    To part what a cluster and its network cost from what devices cost. The namespace is that of -n and must not exist;
    without --cleanup it stays. Exit code 0 when all Pods are ready and the run counts, 1 when it does not (the schedule
    was not kept, a Pod is elsewhere or has wrong addresses) or a ping fails, 5 at the timeout.
    """
    check_namespace(flags)
    if not flags.get("namespace"):
        raise UsageError("--namespace is needed: one that does not exist yet")
    limit = seconds(given["timeout"], "--timeout")
    from kubectl_c9s.cli.replayfiles import Folder  # noqa: PLC0415 - after the flags are known

    folder = Folder(given["output_dir"])
    folder.check()
    wanted = _read(schedule, given["image"])
    if limit and wanted.length >= limit:
        raise UsageError(
            f"the last Pod comes after {wanted.length:.0f} s, which is no sooner than --timeout"
        )
    from kubectl_c9s.cli.replayrun import run_replay  # noqa: PLC0415 - slow to import

    given["local_start"] = text_of(time.time())
    return run_replay(flags, wanted, folder, given, limit)


def _read(path: str, image: str | None) -> Schedule:
    """Read the schedule; ``image`` replaces those in it."""
    import msgspec  # noqa: PLC0415 - after the flags are known

    from kubectl_c9s.cli.measureschedule import told  # noqa: PLC0415 - likewise
    from kubectl_c9s.files.objectlists import name_of, read_whole  # noqa: PLC0415 - likewise
    from kubectl_c9s.measurement.schedule import read_schedule  # noqa: PLC0415 - likewise

    data = read_whole(path)
    with told():
        found = read_schedule(data, name_of(path))
    if not image:
        return found
    entries = tuple(msgspec.structs.replace(one, image=image) for one in found.entries)
    return msgspec.structs.replace(found, entries=entries)
