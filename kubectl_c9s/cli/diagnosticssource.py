"""What ``diagnostics report`` looks at: a capture, a directory with scrapes, one scrape, or what a URL serves."""

from __future__ import annotations

import os
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import msgspec

from kubectl_c9s.measurement.capturefile import AFTER, BEFORE, MANIFEST, read_manifest
from kubectl_c9s.measurement.managermetrics import WANTED
from kubectl_c9s.measurement.managerreport import Facts
from kubectl_c9s.measurement.metrics import Scrape, read_scrape
from kubectl_c9s.resources.errors import C9sError, RefusedInput, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from kubectl_c9s.measurement.capturefile import CaptureManifest

_SECONDS: Final = 30.0
_PRINTED: Final = "metrics="
"""What ``diagnostics port-forward`` puts before the URL."""
_HINT: Final = "'diagnostics capture' writes such directories"
T = TypeVar("T")


class Source(NamedTuple):
    """Two scrapes, or one (``before`` is None), and what else is known."""

    before: Scrape | None
    after: Scrape
    facts: Facts


def read_source(
    place: str, seconds: float | None, say: Callable[[str], None] = lambda _: None
) -> Source:
    """Read a directory, a file, or what a URL serves now; ``seconds`` lie between two scrapes.

    What can be read is given, with a note on the rest; ``say`` is told when it will take a while. Raises UsageError
    for what is not there, RefusedInput when nothing of it can be read, ClusterError when the URL does not answer.
    """
    address = place.removeprefix(_PRINTED)
    if "://" in address:
        return _served(address, _SECONDS if seconds is None else seconds, say)
    if not os.path.isdir(place):  # noqa: PTH112 - odd names pass unchanged
        name = "<stdin>" if place == "-" else place
        return Source(None, _scrape(_bytes_of(place), name), Facts(source=name))
    return _captured(Path(place), seconds)


def _served(url: str, seconds: float, say: Callable[[str], None]) -> Source:
    """Take two scrapes; when there is no second one, the first is given."""
    from kubectl_c9s.cluster.fetching import fetch  # noqa: PLC0415 - slow to import

    whole = url if url.split("://", 1)[1].rstrip("/").count("/") else f"{url.rstrip('/')}/metrics"
    first = _scrape(fetch(whole), whole)
    begun = time.monotonic()
    say(f"the second scrape comes {seconds:g} s after the first")
    time.sleep(seconds)
    try:
        text = fetch(whole)
        elapsed = time.monotonic() - begun
        second = _scrape(text, whole)
    except C9sError as error:
        note = f"there is no second scrape: {error.message}"
        return Source(None, first, Facts(source=url, notes=(note,)))
    return Source(first, second, Facts(source=url, elapsed=elapsed))


def _captured(directory: Path, seconds: float | None) -> Source:
    notes: list[str] = []
    scrapes = [_attempt(partial(_scrape_at, directory / name), notes) for name in (BEFORE, AFTER)]
    manifest = None
    if (directory / MANIFEST).exists():
        manifest = _attempt(partial(_manifest_at, directory / MANIFEST), notes)
    else:
        notes.append(f"there is no {MANIFEST}: restarts and changes of the leader were not seen")
    before, after = scrapes
    if after is None:
        before, after = None, before
    if after is None and not any((directory / name).exists() for name in (BEFORE, AFTER)):
        raise UsageError(f"{directory} has neither {BEFORE} nor {AFTER}", hint=_HINT)
    if after is None:
        raise RefusedInput(
            f"{directory} has no scrape that can be read: {'; '.join(notes)}",
            hint=_HINT,
        )
    if before is None:
        notes.append(f"only {BEFORE if scrapes[1] is None else AFTER} can be used: no rates")
        elapsed = None
    else:
        elapsed = _elapsed(directory, manifest, seconds, notes)
    facts = Facts(source=str(directory), elapsed=elapsed, notes=tuple(notes))
    return Source(before, after, _with_manifest(facts, manifest) if manifest else facts)


def _elapsed(
    directory: Path, manifest: CaptureManifest | None, seconds: float | None, notes: list[str]
) -> float | None:
    known = manifest.elapsed_seconds if manifest else None
    if known is None and seconds is None and not (directory / MANIFEST).exists():
        raise UsageError(
            f"{directory} has no {MANIFEST}, so how much time lies between its scrapes is not known",
            hint="say it with --seconds",
        )
    if known is None and seconds is None:
        notes.append(f"{MANIFEST} does not tell the time between the scrapes; --seconds can")
    elif known is not None and seconds is not None:
        notes.append(f"{MANIFEST} tells the time between the scrapes; --seconds is not used")
    return seconds if known is None else known


def _with_manifest(facts: Facts, manifest: CaptureManifest) -> Facts:
    pod, lease = manifest.pod, manifest.lease
    restarts = _rise(pod.restarts_before, pod.restarts_after)
    changes = _rise(lease.transitions_before, lease.transitions_after)
    if lease.holder_after is not None and lease.holder_after != lease.holder_before:
        changes = max(changes or 0, 1)
    notes = [f"{one.name} was not taken: {one.error}" for one in manifest.items if one.error]
    if restarts is None:
        notes.append("whether the container restarted between the scrapes was not seen")
    return msgspec.structs.replace(
        facts,
        pod=f"{manifest.namespace}/{pod.name}",
        image=pod.image,
        image_id=pod.image_id,
        taken=manifest.started,
        restarts=restarts,
        leader_changes=changes,
        notes=(*facts.notes, *manifest.problems, *notes),
    )


def _rise(before: int | None, after: int | None) -> int | None:
    """Give what a count rose by; one that went down belongs to something else, and counts as one change."""
    if before is None or after is None:
        return None
    return after - before if after >= before else 1


def _attempt(read: Callable[[], T], notes: list[str]) -> T | None:
    """Give what can be read, None with a note else."""
    try:
        return read()
    except C9sError as error:
        notes.append(error.message)
        return None


def _scrape_at(path: Path) -> Scrape:
    return _scrape(_bytes_of(path), str(path))


def _manifest_at(path: Path) -> CaptureManifest:
    return read_manifest(_bytes_of(path), str(path))


def _scrape(text: bytes, name: str) -> Scrape:
    """Read a scrape in which there is something of a manager."""
    scrape = read_scrape(text, WANTED, name)
    if not any(scrape.has(metric) for metric in WANTED):
        raise RefusedInput(
            f"{name} has no metric of a manager", hint="wanted is /metrics of its port 9090"
        )
    return scrape


def _bytes_of(path: Path | str) -> bytes:
    from kubectl_c9s.cli.inputs import read_bytes  # noqa: PLC0415 - not for a URL
    from kubectl_c9s.yamlio.reader import MAX_BYTES  # noqa: PLC0415 - likewise

    data = read_bytes(str(path))
    if len(data) > MAX_BYTES:
        raise RefusedInput(f"{path} has more than {MAX_BYTES:,} bytes")
    return data
