"""Edits of single fields in manifests as people write them: exactly what is meant changes, or the form is refused."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st
from rollout_manifests import manifests

from kubectl_c9s.resources.findings import Findings
from kubectl_c9s.yamlio.fieldedits import Add, Drop, Put, Rename, Wrap
from kubectl_c9s.yamlio.fieldwork import Change, edit_fields, migrated
from kubectl_c9s.yamlio.nodes import Mapping, Scalar, Sequence
from kubectl_c9s.yamlio.readback import content
from kubectl_c9s.yamlio.reader import read_documents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import DataObject, DrawFn
    from rollout_manifests import Manifest

    from kubectl_c9s.yamlio.fieldedits import Edit, Path
    from kubectl_c9s.yamlio.nodes import Node

REFUSED = {"shared-value", "uneditable-form", "invalid-type"}
TEXTS = st.sampled_from(["None", "it's", "22/tcp", "c9s.run/v1alpha1", "true", "a: b # c", ""])


def paths(node: Node, path: Path = ()) -> Iterator[tuple[Path, Node]]:
    """Give every entry and item with its path, the root left out."""
    if path:
        yield path, node
    if isinstance(node, Mapping):
        for key, (_, value) in node.entries.items():
            yield from paths(value, (*path, key))
    elif isinstance(node, Sequence):
        for index, value in enumerate(node.items):
            yield from paths(value, (*path, index))


@st.composite
def edits_of(draw: DrawFn, root: Node) -> list[Edit]:
    """Draw edits of fields of which none is inside another."""
    # A document of which nothing is left is no object: its own entries only get other names.
    found = [one for one in paths(root) if len(one[0]) > 1]
    if not found:
        return []
    chosen = draw(st.lists(st.sampled_from(found), min_size=1, max_size=5))
    edits: list[Edit] = []
    for path, node in chosen:
        if any(overlap(path, edit.path) for edit in edits):
            continue
        if isinstance(path[-1], str):
            number, inner = len(edits), draw(st.sampled_from(["other", "sans"]))
            kinds: list[Edit] = [
                Drop(path),
                Drop(path, holder=True),
                Rename(path, f"new-{number}"),
                Wrap(path, f"outer-{number}", inner),
            ]
            edits.append(draw(st.sampled_from(kinds)))
        elif isinstance(node, Scalar):
            edits.append(Put(path, draw(TEXTS)))
    scalars = [
        path for path, node in found if isinstance(node, Scalar) and isinstance(path[-1], str)
    ]
    if scalars:
        path = draw(st.sampled_from(scalars))
        if not any(overlap(path, edit.path) for edit in edits):
            edits.append(Put(path, draw(TEXTS)))
    if not any(edit.path[0] == "metadata" for edit in edits) and draw(st.booleans()):
        edits.append(Add(("metadata", "labels"), "team", draw(TEXTS)))
    return edits


def overlap(one: Path, other: Path) -> bool:
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


@given(manifests(), st.data())
def test_what_is_meant_changes_and_nothing_else_or_the_form_is_refused(
    manifest: Manifest, data: DataObject
) -> None:
    documents = read_documents(manifest.data, "f")
    changes = [
        [Change((), data.draw(edits_of(one.root)))] if isinstance(one.root, Mapping) else []
        for one in documents
    ]
    findings = Findings()
    # Reading back is part of the edit: a result that says something else is an error, and fails the test.
    result = edit_fields(manifest.data, documents, changes, findings)
    if findings.has_errors():
        assert {one.code for one in findings.errors} <= REFUSED
        return
    again = read_documents(result, "f")
    roots = [migrated(one.root, wanted) for one, wanted in zip(documents, changes, strict=True)]
    settled = [settle(content(root), wanted) for root, wanted in zip(roots, changes, strict=True)]
    found = [settle(content(one.root), wanted) for one, wanted in zip(again, changes, strict=True)]
    assert found == settled


def settle(value: object, changes: list[Change]) -> object:
    """Leave out what may go when it is empty, the innermost first."""
    for change in changes:
        for edit in sorted(change.edits, key=lambda edit: -len(edit.path)):
            if isinstance(edit, Drop) and edit.holder and edit.path[:-1]:
                value = without_empty(value, edit.path[:-1])
    return value


def without_empty(value: object, path: Path) -> object:
    if isinstance(value, dict) and path[0] in value:
        if len(path) == 1:
            return {key: one for key, one in value.items() if key != path[0] or one}
        return {
            key: without_empty(one, path[1:]) if key == path[0] else one
            for key, one in value.items()
        }
    return value


@given(manifests(), st.data())
def test_comments_outside_of_what_goes_stay(manifest: Manifest, data: DataObject) -> None:
    documents = read_documents(manifest.data, "f")
    texts = [
        (number, path)
        for number, one in enumerate(documents)
        if one.root is not None
        for path, node in paths(one.root)
        if isinstance(node, Scalar) and isinstance(path[-1], str)
    ]
    if not texts:
        return
    number, path = data.draw(st.sampled_from(texts))
    changes: list[list[Change]] = [[] for _ in documents]
    changes[number] = [Change((), [Rename(path, "renamed-key")])]
    findings = Findings()
    result = edit_fields(manifest.data, documents, changes, findings)
    if findings.has_errors():
        return
    kept = re.split(rb"[\w\"'&*!~<-]*renamed-key[\"']?", result)
    assert len(kept) == 2
    assert manifest.data.startswith(kept[0])
    assert manifest.data.endswith(kept[1])
