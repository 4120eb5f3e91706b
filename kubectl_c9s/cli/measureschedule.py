"""``measure schedule``: when and where Pods of a start have come, as a schedule for ``measure replay``."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kubectl_c9s.cli.connecting import connect, only_namespace
from kubectl_c9s.cli.options import global_options
from kubectl_c9s.cli.reporting import print_notes
from kubectl_c9s.output.safe_text import safe_text
from kubectl_c9s.resources.errors import C9sError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kubectl_c9s.measurement.savedpods import Saved
    from kubectl_c9s.measurement.schedule import Schedule

STDIO = "-"


@click.command()
@click.option(
    "-f", "--filename", "paths", multiple=True, metavar="PATH",
    help="Saved Pods: a list, an array, a snapshot, a directory of such, - for stdin; or a recorded start. Repeatable.",
)  # fmt: skip
@click.option(
    "--topology", metavar="FILE", help="Saved Topology; its creation is second 0, else that of the first Node or Pod."
)  # fmt: skip
@click.option(
    "--image",
    metavar="IMAGE",
    help="Image of all Pods; the recorded ones must have a command 'sleep'.",
)
@click.option(
    "--output-file", "target", metavar="FILE", required=True,
    help="Where to put the schedule, or - for stdout; a file that is there is replaced.",
)  # fmt: skip
@global_options
def schedule(
    flags: dict[str, Any],
    paths: tuple[str, ...],
    topology: str | None,
    image: str | None,
    target: str,
) -> None:
    """Make a schedule of the Pods of devices that have started: names, hosts, images, and seconds of arrival.

    Reads files, or without -f the cluster. With -n only that namespace.
    """
    if [*paths, topology].count(STDIO) > 1:
        raise UsageError("stdin can be read only once")
    if target != STDIO and not Path(target).parent.is_dir():
        raise UsageError(
            f"--output-file {target!r}: there is no directory {str(Path(target).parent)!r}"
        )
    with told():
        found, notes = _make(flags, paths, topology, image or "")
    print_notes(notes)
    _write(target, found)
    hosts = len(found.hosts)
    second = f"second 0 is the creation of {found.origin.kind} {found.origin.name}"
    text = f"{len(found.entries)} Pods on {hosts} hosts within {found.length:.0f} s; {second}"
    print(safe_text(text), file=sys.stderr)


@contextlib.contextmanager
def told() -> Iterator[None]:
    """Print everything that is wrong with an input before the error that ends the command."""
    from kubectl_c9s.measurement.schedule import Unusable  # noqa: PLC0415 - after the flags are known

    try:
        yield
    except Unusable as error:
        for problem in error.problems:
            print(f"error: {safe_text(problem)}", file=sys.stderr)
        raise


def _make(
    flags: Mapping[str, Any], paths: tuple[str, ...], topology: str | None, image: str
) -> tuple[Schedule, list[str]]:
    from kubectl_c9s.measurement import schedulesources as sources  # noqa: PLC0415 - after the flags are known

    texts = [(name, data) for path in paths for name, data in _texts(path)]
    origin = None
    if topology is not None:
        ((name, data),) = _texts(topology, one=True)
        origin = sources.topology_origin(data, name)
    if recorded := _recorded(texts):
        if origin is not None:
            raise UsageError("a recorded start has its own second 0: --topology is for saved Pods")
        return sources.from_run(recorded[1], image, f"recorded start {recorded[0]}"), []
    notes: list[str] = []
    saved = _saved(texts) if paths else _live(flags, notes)
    namespace = only_namespace(flags)
    if namespace:
        saved.pods[:] = [one for one in saved.pods if one.metadata.namespace == namespace]
    words = (
        f"saved Pods of {', '.join(name for name, _ in texts)}" if paths else "Pods of the cluster"
    )
    found, passed = sources.from_pods(saved, origin, image, words)
    return found, notes + passed


def _texts(path: str, *, one: bool = False) -> Iterator[tuple[str, bytes]]:
    from kubectl_c9s.files.dumpfiles import texts_at  # noqa: PLC0415 - after the flags are known
    from kubectl_c9s.files.objectlists import read_whole  # noqa: PLC0415 - likewise

    if one and path != STDIO:
        yield path, read_whole(path)
    else:
        yield from texts_at(path)


def _recorded(texts: list[tuple[str, bytes]]) -> Any:
    """Give name and run of a recorded start, which stands alone; None when there is none."""
    from kubectl_c9s.measurement.runfile import is_run, read_run  # noqa: PLC0415 - after the flags are known

    found = [name for name, data in texts if is_run(data)]
    if not found:
        return None
    if len(texts) > 1:
        raise UsageError(f"{found[0]} is a recorded start: name it alone")
    return found[0], read_run(texts[0][1], found[0])


def _saved(texts: list[tuple[str, bytes]]) -> Saved:
    from kubectl_c9s.measurement.savedpods import nothing_saved, take  # noqa: PLC0415 - after the flags are known

    saved = nothing_saved()
    for name, data in texts:
        take(saved, data, name)
    return saved


def _live(flags: Mapping[str, Any], notes: list[str]) -> Saved:
    """Read the Pods of devices of a cluster, and c9s Nodes where they may be read."""
    from kubectl_c9s.cluster import kinds  # noqa: PLC0415 - slow to import
    from kubectl_c9s.cluster.optional import optional  # noqa: PLC0415 - likewise
    from kubectl_c9s.cluster.reading import list_objects  # noqa: PLC0415 - likewise
    from kubectl_c9s.measurement.savedpods import Saved, SavedObject, SavedPod  # noqa: PLC0415 - likewise
    from kubectl_c9s.resources.devicepods import WORKLOAD  # noqa: PLC0415 - likewise

    connection = connect(flags)
    space = None if flags.get("all_namespaces") else connection.namespace
    label = {"labelSelector": WORKLOAD}
    pods = list_objects(connection, kinds.PODS, SavedPod, namespace=space, selectors=label)
    nodes = optional(
        "second 0 is not that of a Node",
        lambda: list_objects(
            connection, kinds.NODES, SavedObject, namespace=space, metadata_only=True
        ),
        notes,
    )
    return Saved(pods.items, nodes.items if nodes else [], [])


def _write(target: str, found: Schedule) -> None:
    from kubectl_c9s.measurement.schedule import write_schedule  # noqa: PLC0415 - after the flags are known

    data = write_schedule(found)
    if target == STDIO:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        return
    from kubectl_c9s.files.onefile import write_file  # noqa: PLC0415 - only for files

    try:
        write_file(Path(target), data)
    except OSError as error:
        raise C9sError(f"cannot write {target}: {error.strerror}") from None
