"""What a diagnosis begins with: a saved dump, or a live cluster."""

from __future__ import annotations

import sys
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from kubectl_c9s.cli.connecting import connect
from kubectl_c9s.diagnosis.dump import WANTED, Reader
from kubectl_c9s.diagnosis.place import find_place, newest_time
from kubectl_c9s.files.objectlists import json_files, read_whole
from kubectl_c9s.resources.errors import RefusedInput, UsageError
from kubectl_c9s.resources.moments import seconds_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from kubectl_c9s.diagnosis.dump import Dump
    from kubectl_c9s.diagnosis.world import Place

STDIN = "-"


class Taken(NamedTuple):
    """A dump, where its manager lives, the moment it shows, and what is to be said about how it was read."""

    dump: Dump
    place: Place
    now: float
    notes: tuple[str, ...] = ()


def moment(text: str) -> float:
    """Read ``--at``: RFC 3339; raises UsageError."""
    found = seconds_of(text)
    if found is None:
        raise UsageError(f"--at {text!r} is no time", hint="write it as 2026-01-31T10:00:00Z")
    return found


def read_files(paths: Iterable[str], at: float | None, manager_namespace: str | None) -> Taken:
    """Read files, directories of ``.json`` files, and stdin (``-``)."""
    reader = Reader()
    taken = 0
    for name, data in _texts(paths):
        try:
            taken += reader.take(data)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            hint = "kubectl get … -o json writes JSON" if name.endswith((".yaml", ".yml")) else None
            raise RefusedInput(
                f"{name} is no list of objects in JSON: {error}", hint=hint
            ) from None
    if not taken:
        raise RefusedInput("the input has no object that a diagnosis looks at")
    dump = reader.dump
    notes: tuple[str, ...] = ()
    now = at if at is not None else reader.captured_at
    if now is None:
        now = newest_time(dump)
        notes = (
            "the dump does not say when it was taken: the newest time in it is used; --at says better",
        )
    if now is None:
        raise UsageError("the dump has no time in it", hint="say with --at when it was taken")
    return Taken(dump, find_place(dump, manager_namespace), now, notes)


def _texts(paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    for path in paths:
        if path == STDIN:
            yield "<stdin>", sys.stdin.buffer.read()
            continue
        for file in json_files(path):
            yield file, read_whole(file)


def read_live(flags: Mapping[str, Any]) -> Taken:
    """Read a cluster: all namespaces, or with ``-n`` that one and what may be seen of the manager's."""
    from kubectl_c9s.cluster.capture import capture  # noqa: PLC0415 - slow to import

    namespace = None if flags.get("all_namespaces") else flags.get("namespace")
    wanted = flags.get("manager_namespace")
    captured = capture(connect(flags), namespace, wanted)
    reader = Reader()
    notes = []
    for collection in captured.collections:
        for page in collection.pages:
            reader.take(page)
        if collection.unseen:
            notes.append(collection.unseen)
        else:
            reader.dump.collected.add(collection.resource.full_name)
    dump = reader.dump
    dump.namespace = namespace
    if not dump.collected & set(WANTED):
        raise RefusedInput(
            "nothing may be read here", hint="'kubectl c9s rights diagnose' prints the Role"
        )
    # The clock of the server that stamps the objects, to the second; ours may be another one.
    now = parsedate_to_datetime(captured.date).timestamp()
    return Taken(dump, find_place(dump, wanted), now, tuple(notes))


def take(given: Mapping[str, Any], flags: Mapping[str, Any]) -> Taken:
    """Read what the flags name: ``-f`` files, else the cluster."""
    at = moment(given["at"]) if given.get("at") else None
    if given["paths"]:
        if given["paths"].count(STDIN) > 1:
            raise UsageError("stdin can be read only once")
        return read_files(given["paths"], at, flags.get("manager_namespace"))
    if at is not None:
        raise UsageError("--at is for a dump: a live cluster is looked at now")
    return read_live(flags)
