"""``diagnostics capture``: two scrapes of the active manager's metrics, profiles between them, and what was taken."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from kubectl_c9s import __version__
from kubectl_c9s.cli.oneline import OneLine
from kubectl_c9s.cli.options import global_options
from kubectl_c9s.cli.reporting import print_notes
from kubectl_c9s.output.safe_text import safe_text
from kubectl_c9s.resources.errors import C9sError, UsageError

if TYPE_CHECKING:
    from kubectl_c9s.cluster.activepod import Active
    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.measurement.capturefile import CaptureManifest

_LONGEST: Final = 3600
_NAMES: Final = (
    "metrics and profiles can hold names of namespaces and objects: ask before you share them"
)
_KEPT: Final = "what was taken is kept; manifest.json says what is missing"


@click.command()
@click.option(
    "--output-dir", "target", metavar="DIR", required=True, help="Where to put it: a directory that is new or empty."
)  # fmt: skip
@click.option(
    "--seconds", type=click.IntRange(1, _LONGEST), default=30, show_default=True, metavar="N",
    help="Time between the two scrapes.",
)  # fmt: skip
@click.option(
    "--profiles", "wish", default="cpu,heap,goroutine,block,mutex,allocs", show_default=True, metavar="NAME[,NAME...]",
    help="Profiles to take between them, also threadcreate and trace; empty for none.",
)  # fmt: skip
@global_options
def capture(flags: dict[str, Any], target: str, seconds: int, wish: str) -> None:
    """Save the metrics of the manager that leads twice, and its profiles between, with a manifest of what was taken.

    What could not be taken is named in the manifest, and the rest kept; the exit code is then 3. 'kubectl c9s
    diagnostics report DIR' reads it.
    """
    from kubectl_c9s.measurement.captureplan import pages_of, profiles_of  # noqa: PLC0415 - slow to import

    pages = pages_of(profiles_of(wish), seconds)
    folder = Path(target)
    _check_target(folder)
    from kubectl_c9s.cli.capturing import Capture  # noqa: PLC0415 - slow to import
    from kubectl_c9s.cli.connecting import connect  # noqa: PLC0415 - likewise
    from kubectl_c9s.cluster import activepod  # noqa: PLC0415 - likewise
    from kubectl_c9s.cluster.fetching import check_port  # noqa: PLC0415 - likewise

    connection = connect(flags)
    place = activepod.find_place(connection, flags.get("manager_namespace"))
    active = activepod.find_active(connection, place)
    active.require_diagnostics()
    check_port(connection, active, activepod.METRICS_PORT)
    begun = _begun(connection, active, seconds)
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        taken = Capture(connection, active, folder, begun, pages)
        with OneLine() as progress:
            try:
                taken.run(progress)
                taken.finish(place)
            except KeyboardInterrupt:
                taken.abandon("interrupted")
                raise
    except OSError as error:
        raise C9sError(f"cannot write into {target}: {error.strerror}") from None
    print_notes([_NAMES])
    _tell(target, taken.manifest)


def _check_target(folder: Path) -> None:
    """Refuse a directory that cannot be used before anybody is asked."""
    try:
        if folder.is_dir():
            if any(folder.iterdir()):
                raise UsageError(
                    f"--output-dir {str(folder)!r} is not empty", hint="name a new one"
                )
        elif folder.exists() or folder.is_symlink():
            raise UsageError(f"--output-dir {str(folder)!r} is no directory")
        elif not folder.parent.is_dir():
            raise UsageError(
                f"--output-dir {str(folder)!r}: there is no directory {str(folder.parent)!r}"
            )
    except OSError as error:
        raise UsageError(f"--output-dir {str(folder)!r}: {error.strerror}") from None


def _begun(connection: Connection, active: Active, seconds: int) -> CaptureManifest:
    """Say what is known before anything was taken."""
    from kubectl_c9s.cluster.capture import server_version  # noqa: PLC0415 - slow to import
    from kubectl_c9s.measurement.capturefile import CaptureManifest, Leadership, PodIdentity  # noqa: PLC0415 - likewise
    from kubectl_c9s.resources.moments import text_of  # noqa: PLC0415 - likewise

    status, lease = active.status, active.lease
    pod = PodIdentity(
        name=active.name,
        uid=active.uid,
        image=str(active.container.get("image") or ""),
        image_id=str(status.get("imageID") or ""),
        restarts_before=status.get("restartCount"),
    )
    leadership = Leadership(
        name=lease.metadata.name,
        holder_before=lease.spec.holder_identity or "",
        transitions_before=lease.spec.lease_transitions,
    )
    return CaptureManifest(
        tool_version=__version__,
        server_version=server_version(connection),
        namespace=active.namespace,
        app=active.app,
        pod=pod,
        lease=leadership,
        started=text_of(time.time()),
        seconds=seconds,
    )


def _tell(target: str, manifest: CaptureManifest) -> None:
    """Say what there is; C9sError with what is missing."""
    taken = [one for one in manifest.items if one.file]
    size = sum(one.size or 0 for one in taken)
    apart = f", scrapes {manifest.elapsed_seconds:.1f} s apart" if manifest.elapsed_seconds else ""
    text = f"{target}: {len(taken)} files of {manifest.pod.name}, {size:,} bytes{apart}"
    print(safe_text(text), file=sys.stderr)
    if not manifest.complete:
        why = [f"{one.name}: {one.error}" for one in manifest.items if one.error]
        why += manifest.problems
        raise C9sError(f"not all was taken into {target}: {'; '.join(why)}", hint=_KEPT)
