"""The least rights of each command, and asking whether one has them (config-and-chart.md §6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.connection import Request

if TYPE_CHECKING:
    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.resources.objects import KubeObject


class Rule(NamedTuple):
    """One rule; ``cluster`` for kinds without a namespace or read in all of them. ``names`` limits it to objects."""

    group: str
    resource: str
    verbs: tuple[str, ...]
    cluster: bool = False
    names: tuple[str, ...] = ()


_C9S: Final = "c9s.run"
_WRITE: Final = ("list", "create", "patch")
_READ_LAB: Final = tuple(
    Rule(_C9S, kind, ("list",)) for kind in ("nodeprofiles", "links", "nodes", "topologies")
)
_APPLY: Final = (
    *(Rule(_C9S, kind, (*_WRITE, "get")) for kind in ("nodeprofiles", "links", "nodes")),
    Rule(_C9S, "topologies", ("list",)),
    Rule("", "configmaps", (*_WRITE, "get")),
)

RIGHTS: Final[dict[str, tuple[Rule, ...]]] = {
    "apply": _APPLY,
    "apply --prune": (
        *(
            rule._replace(verbs=(*rule.verbs, "delete")) if rule.resource != "topologies" else rule
            for rule in _APPLY
        ),
    ),
    "diff": tuple(rule for rule in _APPLY if rule.resource != "topologies"),
    "split --from-cluster": (Rule(_C9S, "topologies", ("get",)),),
    "check": (
        Rule("apiextensions.k8s.io", "customresourcedefinitions", ("list",), cluster=True),
        Rule(_C9S, "configs", ("list",), cluster=True),
        Rule(_C9S, "nodes", ("list",), cluster=True),
        Rule("", "pods", ("list",), cluster=True),
        Rule("", "nodes", ("list",), cluster=True),
        Rule("coordination.k8s.io", "leases", ("list",), cluster=True),
    ),
}


def roles(command: str, namespace: str, name: str) -> list[KubeObject]:
    """Give the Role and ClusterRole (those that have rules) that a command needs."""
    found = []
    for cluster in (False, True):
        rules = [_as_rule(rule) for rule in RIGHTS[command] if rule.cluster is cluster]
        if rules:
            metadata = {"name": name} if cluster else {"name": name, "namespace": namespace}
            kind = "ClusterRole" if cluster else "Role"
            found.append(
                {
                    "apiVersion": "rbac.authorization.k8s.io/v1",
                    "kind": kind,
                    "metadata": metadata,
                    "rules": rules,
                }
            )
    return found


def _as_rule(rule: Rule) -> dict[str, Any]:
    found: dict[str, Any] = {
        "apiGroups": [rule.group],
        "resources": [rule.resource],
        "verbs": list(rule.verbs),
    }
    if rule.names:
        found["resourceNames"] = list(rule.names)
    return found


def missing(connection: Connection, command: str, namespace: str) -> list[str]:
    """Ask the server for each right of a command; give those it denies, as ``verb resource.group``."""
    denied = []
    for rule in RIGHTS[command]:
        for verb in rule.verbs:
            if not allowed(connection, rule, verb, None if rule.cluster else namespace):
                full = f"{rule.resource}.{rule.group}" if rule.group else rule.resource
                denied.append(f"{verb} {full}")
    return denied


def allowed(connection: Connection, rule: Rule, verb: str, namespace: str | None) -> bool:
    """Ask the server whether the user may do one thing."""
    attributes = {"group": rule.group, "resource": rule.resource, "verb": verb}
    if namespace:
        attributes["namespace"] = namespace
    if rule.names:
        attributes["name"] = rule.names[0]
    review = {
        "apiVersion": kinds.ACCESS_REVIEWS.api_version,
        "kind": kinds.ACCESS_REVIEWS.kind,
        "spec": {"resourceAttributes": attributes},
    }
    what = f"ask for the right to {verb} {rule.resource}"
    path = kinds.ACCESS_REVIEWS.path()
    reply = connection.call(
        Request("POST", path, what, None, msgspec.json.encode(review), "application/json")
    )
    return bool(msgspec.json.decode(reply.body).get("status", {}).get("allowed"))
