"""A policy of the API server itself that adds to what is written, as a webhook might."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from bed_client import path_of
from bed_objects import until
from rollout_live_tools import CONFIG

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bed_client import Json
    from rollout_live_tools import Place


@contextlib.contextmanager
def adding_annotation(place: Place, name: str) -> Iterator[None]:
    """Let the server itself add an annotation to every Config of a namespace whose limits change."""
    version, plural = "admissionregistration.k8s.io/v1", "mutatingadmissionpolicies"
    rule = {
        "apiGroups": ["c9s.run"],
        "apiVersions": ["*"],
        "resources": ["configs"],
        "operations": ["UPDATE"],
    }
    change = f'Object{{metadata: Object.metadata{{annotations: {{"{name}": "yes"}}}}}}'
    policy = {
        "matchConstraints": {"resourceRules": [rule]},
        "mutations": [{"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": change}}],
        "reinvocationPolicy": "Never",
        "failurePolicy": "Fail",
    }  # fmt: skip
    selector = {"matchLabels": {"kubernetes.io/metadata.name": place.own}}
    binding = {"policyName": place.own, "matchResources": {"namespaceSelector": selector}}
    bodies = {
        path_of(version, plural, name=place.own): ("MutatingAdmissionPolicy", policy),
        path_of(version, f"{plural[:-3]}ybindings", name=place.own): ("MutatingAdmissionPolicyBinding", binding),
    }  # fmt: skip
    try:
        for path, (kind, spec) in bodies.items():
            meta = {"name": place.own}
            place.client.apply(
                path, {"apiVersion": version, "kind": kind, "metadata": meta, "spec": spec}
            ).ok()
        probe = {"spec": {"rollout": {"batchSize": 77}}}
        until("the policy has effect", lambda: _adds(place, probe, name))
        yield
    finally:
        for path in bodies:
            place.client.delete(path)


def _adds(place: Place, probe: Json, name: str) -> bool:
    answer = place.client.patch(place.path(CONFIG), probe, dryRun="All").ok()
    return name in (answer["metadata"].get("annotations") or {})
