"""A capture while it is taken: each page into its file as it comes, the manifest anew after each."""

from __future__ import annotations

import hashlib
import itertools
import threading
import time
from typing import TYPE_CHECKING, Final

import msgspec

from kubectl_c9s.cluster.activepod import find_active
from kubectl_c9s.cluster.fetching import Limits, fetch_from
from kubectl_c9s.files.onefile import write_file
from kubectl_c9s.measurement.capturefile import MANIFEST, CaptureManifest, Item, write_manifest
from kubectl_c9s.measurement.captureplan import FIRST, SECOND, Wanted
from kubectl_c9s.resources.errors import C9sError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from kubectl_c9s.cluster.activepod import Active, Place
    from kubectl_c9s.cluster.connection import Connection

_PATIENCE: Final = 30.0  # seconds for an answer, beyond what it takes by itself
_PULSE: Final = 0.2


class Capture:
    """Takes two scrapes and profiles from one Pod into an empty directory."""

    def __init__(
        self,
        connection: Connection,
        active: Active,
        folder: Path,
        manifest: CaptureManifest,
        pages: Sequence[Wanted],
    ) -> None:
        self._connection, self._active, self._folder = connection, active, folder
        self._pages = pages
        self._lock = threading.Lock()
        self._moments: dict[str, float] = {}
        self._abandoned = False
        items = [Item(one.name, one.port, one.path) for one in (FIRST, *pages, SECOND)]
        self.manifest = msgspec.structs.replace(manifest, items=tuple(items))

    def run(self, progress: Callable[[str], None]) -> None:
        """Take everything, as far as it can be had; what went wrong stands in ``manifest``.

        ``progress`` is told in words what is under way. Raises OSError when the manifest cannot be written. An
        interruption leaves what was taken.
        """
        self._write()
        progress("first scrape")
        self._take(FIRST)
        begun = self._moments.get(FIRST.name, time.monotonic())
        workers = [
            threading.Thread(target=self._take_all, args=(part,), name="c9s-profile", daemon=True)
            for part in _parts(self._pages)
        ]
        for worker in workers:
            worker.start()
        while (left := begun + self.manifest.seconds - time.monotonic()) > 0:
            progress(f"second scrape in {left:.0f} s, {self._missing() - 1} profiles to come")
            time.sleep(min(_PULSE, left))
        self._take(SECOND)
        while any(worker.is_alive() for worker in workers):
            progress(f"{self._missing()} profiles to come")
            workers[-1].join(_PULSE)
            workers.sort(key=threading.Thread.is_alive)

    def finish(self, place: Place) -> None:
        """Look who leads now, and say in the manifest whether all is there and of one process."""
        pod, lease, problems = self.manifest.pod, self.manifest.lease, []
        try:
            after = find_active(self._connection, place)
        except C9sError as error:
            problems.append(f"who leads afterwards is not known: {error.message}")
        else:
            lease = msgspec.structs.replace(
                lease,
                holder_after=after.lease.spec.holder_identity,
                transitions_after=after.lease.spec.lease_transitions,
            )
            if after.uid != pod.uid:
                problems.append(f"leadership moved from {pod.name} to {after.name}")
            else:
                restarts = after.status.get("restartCount")
                pod = msgspec.structs.replace(pod, restarts_after=restarts)
                if restarts != pod.restarts_before:
                    problems.append(f"the manager in {pod.name} was restarted")
                elif lease.holder_after != lease.holder_before:
                    problems.append(f"leadership was lost and taken again by {pod.name}")
        whole = not problems and all(one.file for one in self.manifest.items)
        self._change(pod=pod, lease=lease, problems=tuple(problems), complete=whole)

    def abandon(self, why: str) -> None:
        """Say in the manifest that it ended early, take half files away, and begin no new ones."""
        self._abandoned = True
        self._change(problems=(why,))
        for half in self._folder.glob(".*"):
            half.unlink(missing_ok=True)

    def _missing(self) -> int:
        return sum(one.file is None and one.error is None for one in self.manifest.items)

    def _take_all(self, pages: Iterable[Wanted]) -> None:
        for one in pages:
            if not self._abandoned:
                self._take(one)

    def _take(self, wanted: Wanted) -> None:
        """Take one page; an error of it becomes a word in the manifest."""
        found: dict[str, object] = {}
        try:
            found = self._save(wanted)
        except C9sError as error:
            found = {"error": error.message}
        except OSError as error:
            found = {"error": f"cannot be written: {error.strerror}"}
        except Exception as error:  # noqa: BLE001 - in a thread nobody else sees it
            found = {"error": f"{type(error).__name__}: {error}"}
        self._put(wanted.name, found)

    def _save(self, wanted: Wanted) -> dict[str, object]:
        limits = Limits(wanted.seconds + _PATIENCE)
        counted = _Counted(
            fetch_from(
                self._connection, self._active, wanted.port, wanted.path, limits,
                lambda: self._note(wanted.name),
            )
        )  # fmt: skip
        chunks = iter(counted)
        first = next(chunks, b"")  # no file is begun before there is something to put into it
        write_file(self._folder / wanted.file, itertools.chain([first], chunks), private=True)
        return {"file": wanted.file, "size": counted.size, "sha256": counted.digest.hexdigest()}

    def _note(self, name: str) -> None:
        self._moments[name] = time.monotonic()

    def _put(self, name: str, found: dict[str, object]) -> None:
        with self._lock:
            items = tuple(
                msgspec.structs.replace(one, **found) if one.name == name else one
                for one in self.manifest.items
            )
            elapsed = None
            if all(one.file for one in items if one.name in {FIRST.name, SECOND.name}):
                elapsed = round(self._moments[SECOND.name] - self._moments[FIRST.name], 6)
            self.manifest = msgspec.structs.replace(
                self.manifest, items=items, elapsed_seconds=elapsed
            )
            self._write()

    def _change(self, **fields: object) -> None:
        with self._lock:
            self.manifest = msgspec.structs.replace(self.manifest, **fields)
            self._write()

    def _write(self) -> None:
        write_file(self._folder / MANIFEST, write_manifest(self.manifest), private=True)


def _parts(pages: Sequence[Wanted]) -> list[list[Wanted]]:
    """Divide what takes its time from what is there at once: the latter one after the other, to disturb little."""
    at_once = [one for one in pages if not one.seconds]
    return [[one] for one in pages if one.seconds] + ([at_once] if at_once else [])


class _Counted:
    """Pieces that pass, and their digest and size."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = pieces
        self.digest = hashlib.sha256()
        self.size = 0

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._pieces:
            self.digest.update(piece)
            self.size += len(piece)
            yield piece
