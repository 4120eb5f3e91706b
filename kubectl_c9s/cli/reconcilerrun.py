"""``reconciler run``: the process in the Pod."""

from __future__ import annotations

import os
import secrets
import signal
import socket
from typing import TYPE_CHECKING, Any

import click

from kubectl_c9s.cli.connecting import connect, seconds
from kubectl_c9s.cli.options import global_options
from kubectl_c9s.resources.errors import UsageError

if TYPE_CHECKING:
    from kubectl_c9s.reconciler.process import Connections, Options

_LARGEST_PORT = 65535


@click.command()
@click.option(
    "--lease-name",
    default="c9s-reconciler",
    show_default=True,
    metavar="NAME",
    help="Lease of the leader.",
)
@click.option(
    "--lease-duration",
    default="15s",
    show_default=True,
    metavar="DURATION",
    help="How long the Lease holds for others.",
)
@click.option(
    "--renew-deadline",
    default="10s",
    show_default=True,
    metavar="DURATION",
    help="When the leader stops by itself.",
)
@click.option(
    "--retry-period",
    default="2s",
    show_default=True,
    metavar="DURATION",
    help="Time between two looks at the Lease.",
)
@click.option(
    "--serve-address",
    default=":8080",
    show_default=True,
    metavar="ADDRESS",
    help="Where /metrics, /healthz and /readyz are served.",
)
@click.option(
    "--client-rate",
    type=click.FloatRange(min=0),
    default=0.0,
    show_default=True,
    metavar="N",
    help="Writes a second; 0 is no limit of ours.",
)
@click.option(
    "--client-burst",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Writes at once after a rest.",
)
@click.option(
    "--write-workers",
    type=click.IntRange(min=1, max=64),
    default=16,
    show_default=True,
    metavar="N",
    help="Writes at the same time.",
)
@click.option(
    "--api-connections",
    type=click.IntRange(min=0, max=256),
    default=0,
    show_default=True,
    metavar="N",
    help="Sockets kept open for writes; 0 is one for each worker. Watches have their own.",
)
@click.option(
    "--watch-silence",
    default="90s",
    show_default=True,
    metavar="DURATION",
    help="How long a watch may say nothing.",
)
@click.option(
    "--pod-selector",
    default="c9s.run/direct-workload",
    show_default=True,
    metavar="SELECTOR",
    help="Pods to watch; empty for all.",
)
@click.option(
    "--events/--no-events", default=True, show_default=True, help="Whether to write Events."
)
@click.option(
    "--report-window",
    default="250ms",
    show_default=True,
    metavar="DURATION",
    help="Least time between two writes of a status.",
)
@click.option(
    "--resync",
    default="10m",
    show_default=True,
    metavar="DURATION",
    help="When what was refused is tried again.",
)
@click.option(
    "--settle",
    default="5s",
    show_default=True,
    metavar="DURATION",
    help="Rest before the first write of a term.",
)
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="info",
    show_default=True,
    help="How much to log.",
)
@global_options
def run(flags: dict[str, Any], **given: Any) -> int:  # fmt: skip
    """Keep the RolloutPolicy of a namespace true, and report what holds a start up.

    The namespace is -n, or POD_NAMESPACE in the environment. The manager is looked for there unless
    --manager-namespace says otherwise.
    """
    from kubectl_c9s.reconciler.logs import set_up  # noqa: PLC0415 - after the flags are known
    from kubectl_c9s.reconciler.process import Process  # noqa: PLC0415 - slow to import

    options = _options(flags, given)
    set_up(given["log_level"])
    try:
        sockets = given["api_connections"] or options.workers
        process = Process(_connections(flags, options, sockets), options)
    except OSError as error:
        raise UsageError(f"cannot serve at {given['serve_address']}: {error.strerror}") from None
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: process.stop())
    process.run()
    return 0


def _options(flags: dict[str, Any], given: dict[str, Any]) -> Options:
    from kubectl_c9s.cluster.election import Timers  # noqa: PLC0415 - slow to import
    from kubectl_c9s.reconciler.process import Options  # noqa: PLC0415 - slow to import

    namespace = flags.get("namespace") or os.environ.get("POD_NAMESPACE")
    if not namespace:
        raise UsageError("which namespace is not said", hint="give -n, or set POD_NAMESPACE")
    duration = seconds(given["lease_duration"], "--lease-duration")
    deadline = seconds(given["renew_deadline"], "--renew-deadline")
    retry = seconds(given["retry_period"], "--retry-period")
    if not 0 < retry < deadline < duration or duration != int(duration):
        hint = "the duration is in whole seconds"
        raise UsageError(
            "--retry-period < --renew-deadline < --lease-duration must hold", hint=hint
        )
    pod = os.environ.get("POD_NAME") or socket.gethostname()
    return Options(
        namespace,
        flags.get("manager_namespace") or namespace,
        # Of this process alone: a container that was restarted is another one.
        f"{pod}_{secrets.token_hex(4)}",
        given["lease_name"],
        Timers(int(duration), deadline, retry),
        _address(given["serve_address"]),
        given["client_rate"],
        given["client_burst"],
        given["write_workers"],
        seconds(given["watch_silence"], "--watch-silence"),
        given["pod_selector"],
        given["events"],
        seconds(given["report_window"], "--report-window"),
        seconds(given["resync"], "--resync"),
        seconds(given["settle"], "--settle"),
    )


def _address(text: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    if not colon or not port.isdecimal() or int(port) > _LARGEST_PORT:
        raise UsageError(
            f"--serve-address {text!r} is no address", hint="write it as :8080 or 127.0.0.1:8080"
        )
    return host.strip("[]"), int(port)


def _connections(flags: dict[str, Any], options: Options, sockets: int) -> Connections:
    """Make three: a write must not outlive the Lease, and a renewal must not wait behind anything."""
    from kubectl_c9s.reconciler.process import Connections  # noqa: PLC0415 - slow to import

    timers = options.timers
    watching, writing, election = (connect(flags, number) for number in (0, sockets, 1))
    writing.timeout = max((timers.duration - timers.deadline) * 0.8, 0.5)
    election.timeout = max(timers.deadline / 2, 0.5)
    return Connections(watching, writing, election)
