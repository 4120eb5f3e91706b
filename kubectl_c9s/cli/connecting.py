"""From a command's flags to a connection."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from kubectl_c9s.resources import duration
from kubectl_c9s.resources.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kubectl_c9s.cluster.connection import Connection

_NANOSECONDS = 1_000_000_000
_LONGEST_MANAGER = 128


def connect(flags: Mapping[str, Any], sockets: int = 0) -> Connection:
    """Connect as the flags and the environment say, for as long as the command runs; nothing is sent yet.

    ``sockets`` are kept open between requests, 0 for as many as usual.
    """
    timeout = (
        seconds(flags["request_timeout"], "--request-timeout")
        if flags.get("request_timeout")
        else None
    )
    # The client takes long to import: only live commands pay for it.
    from kubectl_c9s.cluster.connection import DEFAULT_TIMEOUT, POOL_SIZE, Connection  # noqa: PLC0415
    from kubectl_c9s.cluster.kubeconfig import load_settings  # noqa: PLC0415

    settings = load_settings(flags, os.environ)
    limit = DEFAULT_TIMEOUT if timeout is None else timeout
    connection = Connection(settings, limit, sockets or POOL_SIZE)
    click.get_current_context().call_on_close(connection.close)
    if flags.get("namespace"):
        connection.namespace = flags["namespace"]
    return connection


def only_namespace(flags: Mapping[str, Any]) -> str | None:
    """Give the one namespace that is meant; None for all, as without flags."""
    return None if flags.get("all_namespaces") else flags.get("namespace")


def seconds(text: str, flag: str) -> float:
    """Read a duration as Go writes it; ``0`` alone is none, other plain numbers are refused."""
    if text == "0":
        return 0.0
    try:
        found = duration.parse(text)
    except duration.DurationError:
        found = -1
    if found < 0:
        raise UsageError(f"{flag} {text!r} is no duration", hint="write 300ms, 30s, 1m30s or 0")
    return found / _NANOSECONDS


def check_manager(name: str) -> None:
    """Refuse a name that the server would not take as a field manager's (conventions.md §2)."""
    if not 0 < len(name) <= _LONGEST_MANAGER or not name.isprintable():
        raise UsageError(f"--field-manager wants 1 to {_LONGEST_MANAGER} printable characters")
