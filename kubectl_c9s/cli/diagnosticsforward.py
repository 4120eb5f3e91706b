"""``diagnostics port-forward``: metrics and profiles of whichever manager leads, on ports of this machine."""

from __future__ import annotations

import ipaddress
import signal
import sys
import threading
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, Final

import click

from kubectl_c9s.cli.options import global_options
from kubectl_c9s.cli.reporting import print_notes
from kubectl_c9s.resources.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.cluster.activepod import Active, Place
    from kubectl_c9s.cluster.connection import Connection

_PORT: Final = click.IntRange(0, 65535)
_PULSE: Final = 0.5


@click.command("port-forward")
@click.option(
    "--metrics-port", type=_PORT, default=9090, show_default=True, metavar="P",
    help="Local port for the metrics; 0 is any that is free.",
)  # fmt: skip
@click.option(
    "--pprof-port", type=_PORT, default=6060, show_default=True, metavar="P",
    help="Local port for the profiles; 0 is any that is free.",
)  # fmt: skip
@click.option(
    "--address", default="127.0.0.1", show_default=True, metavar="A", help="Local address to listen on."
)  # fmt: skip
@global_options
def port_forward(flags: dict[str, Any], metrics_port: int, pprof_port: int, address: str) -> int:
    """Forward local ports to metrics (9090) and profiles (6060) of the manager that leads, until interrupted.

    Of several managers only the one that holds the Lease serves them. When leadership moves, new connections go to the
    new leader. The addresses are printed on stdout once both ports listen, what happens later on stderr.
    """
    if metrics_port == pprof_port != 0:
        raise UsageError(f"--metrics-port and --pprof-port are both {metrics_port}")
    if not _is_loopback(address):
        print_notes([f"whoever reaches {address} can read the manager's metrics and profiles"])
    from kubectl_c9s.cli.connecting import connect  # noqa: PLC0415 - slow to import
    from kubectl_c9s.cluster import activepod  # noqa: PLC0415 - slow to import

    connection = connect(flags)
    place = activepod.find_place(connection, flags.get("manager_namespace"))
    active = activepod.find_active(connection, place)
    active.require_diagnostics()
    with _terminated() as stop:
        _forward(connection, place, active, (address, metrics_port, pprof_port), stop)
    return 0


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address == "localhost"


@contextmanager
def _terminated() -> Iterator[threading.Event]:
    """Give what is set when the system asks us to end; Ctrl-C is an exception of its own."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = signal.signal(signal.SIGTERM, lambda *_: stop.set())
    try:
        yield stop
    finally:
        signal.signal(signal.SIGTERM, before)


def _forward(
    connection: Connection,
    place: Place,
    active: Active,
    wish: tuple[str, int, int],
    stop: threading.Event,
) -> None:
    """Listen, tell where, and wait for the end."""
    from kubectl_c9s.cluster.activepod import METRICS_PORT, PPROF_PORT  # noqa: PLC0415 - slow to import
    from kubectl_c9s.cluster.fetching import check_port  # noqa: PLC0415 - likewise
    from kubectl_c9s.cluster.leadership import Leadership  # noqa: PLC0415 - likewise
    from kubectl_c9s.cluster.portforward import Forwarder, Wish  # noqa: PLC0415 - likewise

    address, metrics, pprof = wish
    wishes = [
        Wish(METRICS_PORT, metrics, "--metrics-port"),
        Wish(PPROF_PORT, pprof, "--pprof-port"),
    ]
    with ExitStack() as stack:
        leadership = Leadership(connection, place, active, _say)
        forwarder = stack.enter_context(Forwarder(connection, leadership, _say))
        ports = forwarder.listen(address, wishes)
        check_port(connection, active, METRICS_PORT)
        stack.callback(leadership.stop)
        leadership.start()
        host = f"[{address}]" if ":" in address else address
        sys.stdout.write(f"metrics=http://{host}:{ports[0]}/metrics\n")
        sys.stdout.write(f"pprof=http://{host}:{ports[1]}/debug/pprof/\n")
        sys.stdout.flush()
        _say(f"forwarding to {active.name} in {active.namespace}; Ctrl-C ends it")
        while not stop.wait(_PULSE):
            pass


def _say(text: str) -> None:
    """Say something on stderr, from any thread."""
    print_notes([text])
    sys.stderr.flush()
