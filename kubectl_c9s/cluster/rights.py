"""The least rights of each command, and asking whether one has them (config-and-chart.md §6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.connection import Request
from kubectl_c9s.resources.objects import CONFIG_NAME

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.resources.objects import KubeObject


class Rule(NamedTuple):
    """One rule; ``cluster`` for kinds without a namespace or read in all of them. ``names`` limits it to objects.

    ``resource`` may have a subresource, as in ``pods/exec``, or be a path of the server, as in ``/metrics``.
    ``namespace`` is set where it is always the same one.
    """

    group: str
    resource: str
    verbs: tuple[str, ...]
    cluster: bool = False
    names: tuple[str, ...] = ()
    namespace: str = ""


_C9S: Final = "c9s.run"
_LAB: Final = ((_C9S, "nodeprofiles"), (_C9S, "links"), (_C9S, "nodes"), ("", "configmaps"))
_WRITE: Final = tuple(Rule(*kind, ("list", "create", "patch")) for kind in _LAB)
_NAMESPACES: Final = Rule("", "namespaces", ("get", "create", "patch"), cluster=True)

_SEEN: Final = ("configs", "topologies", "nodes", "nodeprofiles")
_LISTS: Final = {resource: Rule(_C9S, resource, ("list",), cluster=True) for resource in _SEEN}
_ALL_PODS: Final = Rule("", "pods", ("list",), cluster=True)
# The Config in a namespace that is named is read; without a name all are looked through.
_SHOW: Final = (
    *_LISTS.values(),
    _ALL_PODS,
    Rule(_C9S, "configs", ("get",), names=(CONFIG_NAME,)),
)
_LIMIT_CONFIG: Final = Rule(_C9S, "configs", ("get", "patch"), names=(CONFIG_NAME,))
# Without the right to see the Config a Topology's limits can be changed, too; what they mean beside it is not said.
_LIMIT_TOPOLOGY: Final = (
    Rule(_C9S, "topologies", ("get", "list", "patch")),
    Rule(_C9S, "nodes", ("list",)),
    Rule(_C9S, "nodeprofiles", ("list",)),
    Rule("", "pods", ("list",)),
)

_DIAGNOSE: Final = (
    *(Rule(_C9S, resource, ("list",), cluster=True) for resource in (*_SEEN, "links")),
    *(Rule("", resource, ("list",), cluster=True) for resource in ("pods", "nodes", "events")),
    *(
        Rule("apps", resource, ("list",), cluster=True)
        for resource in ("deployments", "replicasets")
    ),
    Rule("coordination.k8s.io", "leases", ("list",), cluster=True),
)
_LEASES: Final = "coordination.k8s.io"
_SYSTEM: Final = "kube-system"
_EXEC: Final = Rule("", "pods/exec", ("get", "create"))
_PODS: Final = Rule("", "pods", ("list",))
_FIND_MANAGER: Final = (_LISTS["configs"], _ALL_PODS)
_FORWARD: Final = (
    *_FIND_MANAGER,
    _PODS,
    Rule(_LEASES, "leases", ("get",)),
    # Servers before 1.35 ask for get, newer ones for create, and some for both.
    Rule("", "pods/portforward", ("get", "create")),
)
# What a run cost the API server, and under which conditions it took place: a right less is a figure less.
_COSTS: Final = (
    Rule("", "/metrics", ("get",), cluster=True),
    Rule(_LEASES, "leases", ("get", "list"), namespace=_SYSTEM),
)
_WATCH: Final = (
    Rule("", "pods", ("list", "watch")),
    *(Rule(_C9S, resource, ("list", "watch")) for resource in ("nodes", "topologies")),
    *(Rule("apps", resource, ("list", "watch")) for resource in ("deployments", "replicasets")),
    *(Rule(_C9S, resource, ("list",)) for resource in ("links", "nodeprofiles")),
    Rule("", "events", ("list",)),
    *_FIND_MANAGER,
    Rule(_C9S, "configs", ("get",), cluster=True, names=(CONFIG_NAME,)),
    Rule("apps", "deployments", ("list",), cluster=True),
    Rule("metrics.k8s.io", "nodes", ("list",), cluster=True),
    *_COSTS,
)
# The namespace is made by the command: no Role can be there before.
_REPLAY: Final = (
    Rule("", "namespaces", ("get", "create"), cluster=True),
    Rule("", "nodes", ("list",), cluster=True),
    Rule("", "pods", ("get", "list", "watch", "create"), cluster=True),
    Rule("", "configmaps", ("get", "create"), cluster=True),
    Rule("", "events", ("list",), cluster=True),
    *_COSTS,
)
_CNI: Final = tuple(rule._replace(namespace=_SYSTEM) for rule in (_PODS, _EXEC))

RIGHTS: Final[dict[str, tuple[Rule, ...]]] = {
    "apply": (*_WRITE, Rule(_C9S, "topologies", ("list",))),
    "apply --prune": tuple(Rule(*kind, ("list", "delete")) for kind in _LAB),
    "apply --wait": (Rule(_C9S, "nodes", ("list", "watch")),),
    "apply --create-namespace": (_NAMESPACES,),
    "diff": _WRITE,
    "diff --create-namespace": (_NAMESPACES,),
    "diagnose": _DIAGNOSE,
    "status": _DIAGNOSE,
    "snapshot": _DIAGNOSE,
    "diagnostics port-forward": _FORWARD,
    "diagnostics capture": _FORWARD,
    "measure watch": _WATCH,
    "measure verify": (_PODS, _EXEC, Rule(_C9S, "nodes", ("list",))),
    "measure cni": _CNI,
    "measure schedule": (_PODS, Rule(_C9S, "nodes", ("list",))),
    "measure replay": _REPLAY,
    "measure replay --cleanup": (Rule("", "namespaces", ("delete",), cluster=True),),
    "measure replay --probe": (_EXEC._replace(cluster=True),),
    "measure replay --cni": _CNI,
    "rollout show": _SHOW,
    "rollout set config": (*_SHOW, _LIMIT_CONFIG),
    "rollout set topology": _LIMIT_TOPOLOGY,
    "rollout undo config": (
        *(_LISTS[resource] for resource in _SEEN if resource != "configs"),
        _ALL_PODS,
        _LIMIT_CONFIG,
    ),
    "rollout undo topology": _LIMIT_TOPOLOGY,
    "rollout diff": (*_SHOW, Rule(_C9S, "topologies", ("get",), cluster=True)),
    "rollout apply": (
        *_SHOW,
        _LIMIT_CONFIG,
        Rule(_C9S, "topologies", ("get", "patch"), cluster=True),
    ),
    "rollout simulate": _DIAGNOSE,
    "split --from-cluster": (Rule(_C9S, "topologies", ("get",)),),
    "check": (
        Rule("apiextensions.k8s.io", "customresourcedefinitions", ("list",), cluster=True),
        Rule(_C9S, "configs", ("list",), cluster=True),
        Rule(_C9S, "nodes", ("list",), cluster=True),
        Rule("", "pods", ("list",), cluster=True),
        Rule("", "nodes", ("list",), cluster=True),
        Rule("coordination.k8s.io", "leases", ("list",), cluster=True),
        Rule(
            "flowcontrol.apiserver.k8s.io", "prioritylevelconfigurations", ("list",), cluster=True
        ),
    ),
}
"""The rules of each command, and those that a flag of it needs on top (``apply --prune``)."""


def rules_of(words: Sequence[str]) -> list[Rule]:
    """Give the rules of a command and flags, as in ``("apply", "prune", "wait")``; raises KeyError for unknown ones.

    A command of a group has several words, as in ``("rollout", "set", "config")``.
    """
    length = next((n for n in range(len(words), 1, -1) if " ".join(words[:n]) in RIGHTS), 1)
    command = " ".join(words[:length])
    flags = [f"{command} --{word.lstrip('-')}" for word in words[length:]]
    names = ([command] if command in RIGHTS or not flags else []) + flags
    merged: dict[tuple[Any, ...], Rule] = {}
    for rule in (rule for name in names for rule in RIGHTS[name]):
        key = (rule.group, rule.resource, rule.cluster, rule.names, rule.namespace)
        before = merged.get(key, rule._replace(verbs=()))
        verbs = [verb for verb in rule.verbs if verb not in before.verbs]
        merged[key] = rule._replace(verbs=(*before.verbs, *verbs))
    return list(merged.values())


def roles(needed: Iterable[Rule], namespace: str, name: str) -> list[KubeObject]:
    """Give the Roles and the ClusterRole (those that get rules) for what a command needs."""
    places: dict[str, list[dict[str, Any]]] = {}
    for rule in sorted(needed, key=lambda rule: (rule.cluster, rule.namespace)):
        place = "" if rule.cluster else rule.namespace or namespace
        places.setdefault(place, []).append(_as_rule(rule))
    return [
        {
            "apiVersion": "rbac.authorization.k8s.io/v1",
            "kind": "Role" if place else "ClusterRole",
            "metadata": {"name": name} | ({"namespace": place} if place else {}),
            "rules": rules,
        }
        for place, rules in places.items()
    ]


def _as_rule(rule: Rule) -> dict[str, Any]:
    if rule.resource.startswith("/"):
        return {"nonResourceURLs": [rule.resource], "verbs": list(rule.verbs)}
    found: dict[str, Any] = {
        "apiGroups": [rule.group],
        "resources": [rule.resource],
        "verbs": list(rule.verbs),
    }
    if rule.names:
        found["resourceNames"] = list(rule.names)
    return found


def missing(connection: Connection, needed: Iterable[Rule], namespace: str) -> list[str]:
    """Ask the server for each right; give those it denies, as ``verb resource.group``."""
    return [
        f"{verb} {rule.resource}.{rule.group}" if rule.group else f"{verb} {rule.resource}"
        for rule in needed
        for verb in rule.verbs
        if not allowed(
            connection, rule, verb, None if rule.cluster else rule.namespace or namespace
        )
    ]


def allowed(connection: Connection, rule: Rule, verb: str, namespace: str | None) -> bool:
    """Ask the server whether the user may do one thing."""
    review = {
        "apiVersion": kinds.ACCESS_REVIEWS.api_version,
        "kind": kinds.ACCESS_REVIEWS.kind,
        "spec": _attributes(rule, verb, namespace),
    }
    what = f"ask for the right to {verb} {rule.resource}"
    path = kinds.ACCESS_REVIEWS.path()
    reply = connection.call(
        Request("POST", path, what, None, msgspec.json.encode(review), "application/json")
    )
    return bool(msgspec.json.decode(reply.body).get("status", {}).get("allowed"))


def _attributes(rule: Rule, verb: str, namespace: str | None) -> dict[str, Any]:
    if rule.resource.startswith("/"):
        return {"nonResourceAttributes": {"path": rule.resource, "verb": verb}}
    resource, _, subresource = rule.resource.partition("/")
    wanted = {
        "group": rule.group,
        "resource": resource,
        "subresource": subresource,
        "verb": verb,
        "namespace": namespace,
        "name": next(iter(rule.names), None),
    }
    return {"resourceAttributes": {key: value for key, value in wanted.items() if value}}
