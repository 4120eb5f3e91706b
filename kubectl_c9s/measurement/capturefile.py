"""The manifest of what ``diagnostics capture`` has taken (docs/schemas/diagnostics-capture.json)."""

from __future__ import annotations

from typing import Final

import msgspec

from kubectl_c9s.measurement.ownfiles import OwnFile

KIND: Final = "DiagnosticsCapture"
FORMAT: Final = 1
MANIFEST: Final = "manifest.json"
BEFORE: Final = "metrics-before.prom"
AFTER: Final = "metrics-after.prom"
_FILE: Final = OwnFile(
    KIND, FORMAT, "manifest of a capture", "diagnostics capture writes such directories"
)


class _Part(msgspec.Struct, rename="camel"):
    pass


class PodIdentity(_Part):
    """The Pod that was asked; what the API does not say of it is empty or None.

    ``restarts_before`` and ``restarts_after`` are those of the manager's container: when they differ, or the second is
    not known, the counters of the two scrapes may be those of two processes.
    """

    name: str
    uid: str = ""
    image: str = ""
    image_id: str = ""
    restarts_before: int | None = None
    restarts_after: int | None = None


class Leadership(_Part):
    """The manager's Lease before and after: ``transitions`` count how often its holder has changed."""

    name: str
    holder_before: str = ""
    holder_after: str | None = None
    transitions_before: int | None = None
    transitions_after: int | None = None


class Item(_Part):
    """One thing that was to be taken: ``path`` on the Pod's ``port``, and the ``file`` it is in.

    ``file``, ``size`` (bytes) and ``sha256`` are None, and ``error`` says why, when it was not taken; all are None
    while the capture goes on.
    """

    name: str
    port: int
    path: str
    file: str | None = None
    size: int | None = None
    sha256: str | None = None
    error: str | None = None


class CaptureManifest(_Part, kw_only=True):
    """A capture, whole or in part.

    ``started`` is this machine's clock, for people alone. ``elapsed_seconds`` lie between the two scrapes, by the
    monotonic clock of the machine that asked; None when there are no two. ``complete`` is true when everything was
    taken and the Pod led all the while; ``problems`` say what else was in the way than the errors of items.
    """

    tool_version: str
    server_version: str | None = None
    namespace: str
    app: str
    pod: PodIdentity
    lease: Leadership
    started: str
    seconds: int
    elapsed_seconds: float | None = None
    complete: bool = False
    problems: tuple[str, ...] = ()
    items: tuple[Item, ...] = ()
    kind: str = KIND
    format: int = FORMAT


def write_manifest(manifest: CaptureManifest) -> bytes:
    """Give the file of a manifest: JSON with sorted keys, in printable ASCII apart from what it quotes."""
    body = msgspec.json.encode(manifest, order="deterministic")
    return msgspec.json.format(body, indent=1) + b"\n"


def read_manifest(data: bytes, name: str) -> CaptureManifest:
    """Read the file of a manifest; RefusedInput says what is wrong: cut off, foreign, of a newer format."""
    return _FILE.read(data, name, CaptureManifest)
