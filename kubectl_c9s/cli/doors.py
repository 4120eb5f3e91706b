"""What the doors beside ``split`` share: settings and lab files in, split labs out.

A door is where another program lets us render: a KRM function, an Argo CD plugin. Both take labs from untrusted
documents, so every path is held inside the current directory and no variable of the process reaches a lab.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from kubectl_c9s.cli import splitting
from kubectl_c9s.cli.inputs import Item, items_of_document, read_document_texts
from kubectl_c9s.cli.splitting import LabOptions
from kubectl_c9s.cli.work import Work
from kubectl_c9s.files.labfiles import LabFiles
from kubectl_c9s.files.roots import Refused
from kubectl_c9s.resources.errors import RefusedInput, UsageError
from kubectl_c9s.resources.findings import Findings, Position
from kubectl_c9s.resources.objects import kind_of, name_of, namespace_of
from kubectl_c9s.topology.manifest import is_topology

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import TypeAlias

    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.yamlio.reader import Document

    Values: TypeAlias = Mapping[str, Any]
    """Every setting of ``doorsettings`` by name."""


def new_work(values: Values) -> Work:
    """Make an empty work."""
    return Work(waves=values["sync-waves"], create_namespace=values["create-namespace"])


def read_labs(values: Values, findings: Findings) -> list[Item]:
    """Read the documents of all paths; what is wrong in a file goes to ``findings``.

    Raises UsageError for a path that is missing or leads out of the current directory.
    """
    files = LabFiles()
    found: list[Item] = []
    try:
        for path in values["paths"]:
            for file in files.expand(path, recursive=values["recursive"]):
                directory = os.path.dirname(file) or "."  # noqa: PTH120 - as written
                found += items_of(files.read_lab(file), file, directory, findings)
        for directory in values["allow-outside"]:
            files.check_directory(directory)
    except Refused as refused:
        raise UsageError(refused.message) from None
    return found


def items_of(data: bytes, name: str, directory: str, findings: Findings) -> Iterator[Item]:
    """Give the objects of a text, those of Lists one by one."""
    for document in read_document_texts(data, name, findings):
        yield from items_of_document(document, directory)


def is_lab(item: Item) -> bool:
    """Tell whether an object is one that is split."""
    return item.bare or is_topology(item.document.root)


def refuse_one_name_for_many(values: Values, labs: int) -> None:
    """Raise UsageError when a name is set and there is not one lab to carry it."""
    if labs > 1 and values["name"]:
        raise UsageError(f"name is set and can name one lab; there are {labs}")


def split_lab(item: Item, values: Values, work: Work, findings: Findings) -> None:
    """Split one lab into ``work``; what is wrong is in ``findings``."""
    splitting.split_lab(item, _lab_options(values), work, findings)


def split_topology(document: Document, values: Values, work: Work, findings: Findings) -> None:
    """Split a Topology into ``work``; UsageError when the name that is set cannot name one."""
    split_lab(Item(document, "."), values, work, findings)


def _lab_options(values: Values) -> LabOptions:
    return LabOptions(
        name=values["name"],
        namespace=values["namespace"],
        owner_label=values["owner-label"],
        max_object_bytes=values["max-object-bytes"],
        variables=values["set"],
        persistence=values["persistence"],
        expose_type=values["expose-type"],
        pull_secrets=tuple(values["image-pull-secret"]),
        stage=values["stage-files"],
        allowed=tuple(values["allow-outside"]),
        secrets=tuple(values["files-from-secret"].items()),
        digests=tuple(values["url-digest"].items()),
    )


def check_unique(
    objects: Iterable[KubeObject], others: Iterable[KubeObject], findings: Findings
) -> None:
    """Report objects that are there twice: the one that comes last would silently win (conventions.md §6).

    ``others`` are objects beside them, for which only their first sight counts.
    """
    seen = set(map(_identity, others))
    for obj in objects:
        key = _identity(obj)
        if key in seen:
            _, kind, namespace, name = key
            message = f"the {kind} {name!r} of namespace {namespace!r} is there twice"
            findings.error("duplicate-object-name", f"{kind}/{name}", message, Position())
        seen.add(key)


def _identity(obj: KubeObject) -> tuple[str, str, str, str]:
    return (
        str(obj.get("apiVersion", "")).rpartition("/")[0],
        kind_of(obj),
        namespace_of(obj),
        name_of(obj),
    )


def refuse(errors: int, warnings: int) -> None:
    """Raise RefusedInput for errors, and for warnings that count."""
    if errors:
        raise RefusedInput(f"nothing rendered, {errors} error(s) found")
    if warnings:
        raise RefusedInput(f"nothing rendered, {warnings} warning(s) found")
