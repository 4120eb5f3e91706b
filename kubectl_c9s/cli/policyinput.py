"""The one RolloutPolicy that ``rollout diff`` and ``rollout apply`` take from their input."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kubectl_c9s.cli.inputs import read_inputs
from kubectl_c9s.resources.errors import RefusedInput
from kubectl_c9s.resources.findings import Findings
from kubectl_c9s.resources.objects import TOOLKIT_API_VERSION
from kubectl_c9s.resources.schema_source import GROUPS
from kubectl_c9s.rollout.policyfile import KIND, obeyed_part, policy_of
from kubectl_c9s.topology import data
from kubectl_c9s.validation.run import Input, Options, validate
from kubectl_c9s.yamlio.reader import OBJECTS

if TYPE_CHECKING:
    from kubectl_c9s.cli.inputs import Item
    from kubectl_c9s.rollout.policyfile import RolloutPolicy
    from kubectl_c9s.yamlio.reader import Document


def read_policy(
    paths: tuple[str, ...], warnings: Findings, *, recursive: bool = False, namespace: str = ""
) -> RolloutPolicy:
    """Read the input's RolloutPolicy, checked as ``validate`` does it; other objects are passed over.

    ``namespace`` is that of ``-n``, for a policy that names none. What deserves a look goes to ``warnings``: the caller
    prints it. Raises RefusedInput with all errors when the policy or its file is wrong, when there is none, and
    when there are several; UsageError for a path that is missing or cannot be read.
    """
    unread = Findings()
    items = read_inputs(paths, unread, recursive=recursive, budget=OBJECTS)
    documents = [item.document for item in items if _is_policy(item)]
    report = validate(map(Input, documents), [*unread.errors, *unread.warnings], Options(namespace))
    found = report.findings() if documents else unread
    _check_number(documents, found)
    if found.has_errors():
        message = f"the policy is not taken, {len(found.errors)} error(s) found"
        raise RefusedInput(message, found.errors)
    for warning in found.warnings:
        warnings.add(warning)
    (document,) = documents
    policy = policy_of(obeyed_part(_object(document)))
    return policy if policy.namespace else policy._replace(namespace=namespace)


def _is_policy(item: Item) -> bool:
    root = item.document.root
    group = data.find_text(root, ("apiVersion",)).rpartition("/")[0]
    return group in GROUPS and data.find_text(root, ("kind",)) == KIND


def _check_number(documents: list[Document], found: Findings) -> None:
    """Refuse several policies and none at all; a text that could not be read may have been the one."""
    if len(documents) > 1:
        raise RefusedInput(
            f"the input has {len(documents)} RolloutPolicies, one is wanted: {', '.join(map(_shown, documents))}",
            found.errors,
            hint="name the file of one of them with -f",
        )
    if not documents and not found.has_errors():
        raise RefusedInput(
            f"the input has no RolloutPolicy (apiVersion: {TOOLKIT_API_VERSION})", found.errors
        )


def _shown(document: Document) -> str:
    file, line, _ = document.position(document.root)
    name = data.find_text(document.root, ("metadata", "name")) or "one without a name"
    return f"{name} ({file}:{line})"


def _object(document: Document) -> dict[str, object]:
    """Give the object of a document that was checked."""
    assert document.root is not None  # noqa: S101 - a document without content is no policy
    obj = data.to_json(document, document.root, Findings())
    assert isinstance(obj, dict)  # noqa: S101 - likewise
    return obj
