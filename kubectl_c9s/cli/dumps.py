"""What a diagnosis begins with: a saved dump, or a live cluster."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from kubectl_c9s.cli.connecting import connect, only_namespace
from kubectl_c9s.diagnosis.dump import WANTED, Reader
from kubectl_c9s.diagnosis.place import find_place, newest_time
from kubectl_c9s.files.dumpfiles import texts_at
from kubectl_c9s.files.objectlists import STDIN
from kubectl_c9s.resources.errors import C9sError, RefusedInput, UsageError
from kubectl_c9s.resources.moments import seconds_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kubectl_c9s.cluster.capture import Captured
    from kubectl_c9s.diagnosis.dump import Dump
    from kubectl_c9s.diagnosis.world import Place


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
    """Read files, archives, directories of both, and stdin (``-``).

    A snapshot of ours says itself when it was taken, where the manager is and what is missing; the flags go first.
    """
    reader = Reader()
    taken = 0
    for name, data in (text for path in paths for text in texts_at(path)):
        try:
            taken += reader.take(data)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            hint = "kubectl get … -o json writes JSON" if name.endswith((".yaml", ".yml")) else None
            raise RefusedInput(
                f"{name} is no list of objects in JSON: {error}", hint=hint
            ) from None
        except RefusedInput as error:
            raise RefusedInput(f"{name}: {error.message}", hint=error.hint) from None
        del data  # the next one may be as large
    header, dump = reader.header, reader.dump
    if not taken and header is None:
        raise RefusedInput("the input has no object that a diagnosis looks at")
    notes = tuple(header.unseen.values()) if header else ()
    if header and manager_namespace is None:
        manager_namespace = header.manager_namespace
    now = at if at is not None else reader.captured_at
    if now is None:
        now = newest_time(dump)
        notes += (
            "the dump does not say when it was taken: the newest time in it is used; --at says better",
        )
    if now is None:
        raise UsageError("the dump has no time in it", hint="say with --at when it was taken")
    return Taken(dump, find_place(dump, manager_namespace), now, notes)


def read_live(flags: Mapping[str, Any]) -> Taken:
    """Read a cluster: all namespaces, or with ``-n`` that one and what may be seen of the manager's."""
    from kubectl_c9s.cluster.capture import capture  # noqa: PLC0415 - slow to import

    namespace = only_namespace(flags)
    wanted = flags.get("manager_namespace")
    captured = capture(connect(flags), namespace, wanted)
    dump = dump_of_lists(captured)
    dump.namespace = namespace
    check_seen(dump.collected)
    notes = [one.unseen for one in captured.collections if one.unseen]
    now, doubt = server_time(captured)
    return Taken(dump, find_place(dump, wanted), now, (*notes, *doubt))


def check_seen(kinds: Iterable[str]) -> None:
    """Raise C9sError when none of the kinds may be seen: that is another answer than a start that is stuck."""
    if not set(kinds) & set(WANTED):
        hint = "'kubectl c9s rights diagnose' prints the Role"
        raise C9sError("nothing may be read here", hint=hint)


def dump_of_lists(captured: Captured) -> Dump:
    """Decode what was captured; what could be read counts as collected, even if nothing was there."""
    reader = Reader()
    for one in captured.seen:
        for page in one.pages:
            reader.take(page)
        if not one.namespace:
            reader.dump.collected.add(one.resource.full_name)
    return reader.dump


def server_time(captured: Captured) -> tuple[float, tuple[str, ...]]:
    """Give the time by the clock of the server that stamps the objects, to the second, and what is to be said to it."""
    if captured.at is not None:
        return captured.at, ()
    return time.time(), ("the server does not tell its time: that of this machine is used",)


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
