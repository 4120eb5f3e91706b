"""Admission policies that are there for a whole run, and do something only to namespaces that ask by a label.

``testbed.c9s.run/host``: the host of the namespace's Pods. ``…/gate``: ``ours`` or ``foreign``, a scheduling gate on
them. ``…/refuse``: ``pods``, ``deployments`` or ``node-p``, what may not be created. ``…/webhook``: one that nobody
answers is asked about Pods.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Final

import standin_names as names
from bed_client import path_of
from standin_run import wait_for

if TYPE_CHECKING:
    from bed_client import ApiClient, Json

VERSION: Final = "admissionregistration.k8s.io/v1"
OUR_GATE: Final = "toolkit.c9s.run/startup"
FOREIGN_GATE: Final = "batch.example/quota"
WORDS: Final = "the owner of this namespace does not want it"
WEBHOOK: Final = "nobody.testbed.example"
PODS: Final = {"apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"]}
DEPLOYMENTS: Final = {"apiGroups": ["apps"], "apiVersions": ["v1"], "resources": ["deployments"]}
NODES: Final = {"apiGroups": [names.GROUP], "apiVersions": ["*"], "resources": ["nodes"]}
DEVICE: Final = "has(object.metadata.labels) && 'c9s.run/direct-workload' in object.metadata.labels"
# A selector is a map that an ApplyConfiguration may not change.
PLACED: Final = {
    "patchType": "JSONPatch",
    "jsonPatch": {
        "expression": "[JSONPatch{op: 'add', path: '/spec/nodeSelector', value: "
        "{'kubernetes.io/hostname': namespaceObject.metadata.labels['testbed.c9s.run/host']}}]"
    },
}


def _gated(gate: str) -> Json:
    gates = f'[Object.spec.schedulingGates{{name: "{gate}"}}]'
    expression = f"Object{{spec: Object.spec{{schedulingGates: {gates}}}}}"
    return {"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": expression}}


def _where(rule: Json, key: str, value: str | None = None) -> Json:
    """Match what is created of a kind in namespaces with a label."""
    label: Json = {"key": f"{names.TEST}{key}", "operator": "Exists"}
    if value is not None:
        label |= {"operator": "In", "values": [value]}
    rules = [{**rule, "operations": ["CREATE"]}]
    return {"resourceRules": rules, "namespaceSelector": {"matchExpressions": [label]}}


def _mutation(name: str, where: Json, how: Json) -> list[Json]:
    spec = {
        "matchConstraints": where,
        "matchConditions": [{"name": "device", "expression": DEVICE}],
        "failurePolicy": "Fail",
        "reinvocationPolicy": "IfNeeded",
        "mutations": [how],
    }
    binding = {"policyName": name}
    kind = "MutatingAdmissionPolicy"
    return [_object(kind, name, spec=spec), _object(f"{kind}Binding", name, spec=binding)]


def _refusal(name: str, where: Json, expression: str) -> list[Json]:
    rule = {"expression": expression, "message": WORDS}
    spec = {"matchConstraints": where, "failurePolicy": "Fail", "validations": [rule]}
    binding = {"policyName": name, "validationActions": ["Deny"]}
    kind = "ValidatingAdmissionPolicy"
    return [_object(kind, name, spec=spec), _object(f"{kind}Binding", name, spec=binding)]


def _webhook(name: str) -> Json:
    where = _where(PODS, "webhook")
    hook = {
        "name": WEBHOOK,
        "clientConfig": {"url": "https://127.0.0.1:1/"},
        "rules": where["resourceRules"],
        "namespaceSelector": where["namespaceSelector"],
        "failurePolicy": "Fail",
        "sideEffects": "None",
        "admissionReviewVersions": ["v1"],
        "timeoutSeconds": 1,
    }
    return _object("ValidatingWebhookConfiguration", name, webhooks=[hook])


def _object(kind: str, name: str, **parts: Any) -> Json:
    return {"apiVersion": VERSION, "kind": kind, "metadata": {"name": name}, **parts}


def _all(prefix: str) -> list[Json]:
    return [
        *_mutation(f"{prefix}host", _where(PODS, "host"), PLACED),
        *_mutation(f"{prefix}gate-ours", _where(PODS, "gate", "ours"), _gated(OUR_GATE)),
        *_mutation(f"{prefix}gate-foreign", _where(PODS, "gate", "foreign"), _gated(FOREIGN_GATE)),
        *_refusal(f"{prefix}pods", _where(PODS, "refuse", "pods"), "false"),
        *_refusal(f"{prefix}deployments", _where(DEPLOYMENTS, "refuse", "deployments"), "false"),
        *_refusal(
            f"{prefix}node-p", _where(NODES, "refuse", "node-p"), "object.metadata.name != 'p'"
        ),
        _webhook(f"{prefix}webhook"),
    ]


def _path(body: Json) -> str:
    plural = body["kind"].lower().removesuffix("y")
    plural += "ies" if body["kind"].endswith("y") else "s"
    return path_of(VERSION, plural, name=body["metadata"]["name"])


def load(client: ApiClient, prefix: str) -> None:
    """Load all policies and wait until each has effect."""
    for body in _all(prefix):
        client.apply(_path(body), body).ok()
    space = path_of("v1", "namespaces", name=f"{prefix}probe")
    client.create(path_of("v1", "namespaces"), _space(f"{prefix}probe")).ok()
    for key, value, probe, words in _PROBES:
        client.request("PUT", space, _space(f"{prefix}probe", {f"{names.TEST}{key}": value})).ok()
        has_effect = functools.partial(_answers, client, f"{prefix}probe", probe, words)
        wait_for(f"{key} {value} has effect", has_effect)
    client.delete(space).ok()


def unload(client: ApiClient, prefix: str) -> None:
    """Take the policies away."""
    for body in _all(prefix):
        client.delete(_path(body))


def _space(name: str, labels: dict[str, str] | None = None) -> Json:
    meta = {"name": name, "labels": labels or {}}
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": meta}


def _answers(client: ApiClient, namespace: str, probe: Json, words: str) -> bool:
    plural = f"{probe['kind'].lower()}s"
    path = path_of(probe["apiVersion"], plural, namespace)
    return words.encode() in client.create(path, probe, dryRun="All").body


def _probe(version: str, kind: str, spec: Json) -> Json:
    meta = {"name": "p", "labels": {names.WORKLOAD: "p"}}
    return {"apiVersion": version, "kind": kind, "metadata": meta, "spec": spec}


_POD: Final = _probe("v1", "Pod", {"containers": [{"name": "c", "image": "c"}]})
_NODE: Final = _probe(names.VERSION, "Node", {"kind": "linux"})
_TEMPLATE: Final = {"metadata": _POD["metadata"], "spec": _POD["spec"]}
_SELECTOR: Final = {"matchLabels": {names.WORKLOAD: "p"}}
_DEPLOYMENT: Final = _probe("apps/v1", "Deployment", {"selector": _SELECTOR, "template": _TEMPLATE})
# Label, its value, what is created without being kept, words of the answer when the policy has effect.
_PROBES: Final = (
    ("host", "h", _POD, '"kubernetes.io/hostname":"h"'),
    ("gate", "ours", _POD, OUR_GATE),
    ("gate", "foreign", _POD, FOREIGN_GATE),
    ("refuse", "pods", _POD, WORDS),
    ("refuse", "deployments", _DEPLOYMENT, WORDS),
    ("refuse", "node-p", _NODE, WORDS),
    ("webhook", "yes", _POD, WEBHOOK),
)
