"""The troubles a device can be in, as the objects of an API server; names and secrets stand in many of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from snapshot_objects import (
    SECRETS,
    Json,
    condition,
    deployment,
    event,
    node,
    replica_set,
    uid,
    written,
)
from snapshot_pods import pod, pod_name, running

if TYPE_CHECKING:
    import random

DEVICES: Final = (
    "leaf", "leaf-1", "leaf1", "leaf10", "leaf2", "spine.9", "server", "cache-1", "dns-cache", "q7", "x0001", "a", "ab",
    "a-b", "worker-1", "10", "2024", "clabernetes-manager", "acme-edge-router", "quota", "found", "node",
)  # fmt: skip
HOSTS: Final = (
    "worker-1",
    "worker-10",
    "worker-2.dc.acme.example",
    "10.0.0.7",
    "hidden-host",
    "node",
)
Made = list[Json]


class Device:
    """One device: where it is, what it is called, and what chance decides about it."""

    def __init__(self, dice: random.Random, namespace: str, name: str, lab: str) -> None:
        self.dice, self.namespace, self.name, self.lab = dice, namespace, name, lab
        self.host = dice.choice(HOSTS)
        self.age = dice.choice((30.0, 100.0, 400.0, 2000.0))

    def admitted(self, **more: object) -> Json:
        """Make its Node, past all gates."""
        key = "c9s.run/startup-admitted"
        marks = {key: uid("Node", self.namespace, self.name)}
        own = {"annotations": marks, "managedFields": [written(key, self.age)]}
        return node(self.namespace, self.name, self.age, self.lab, metadata=own, **more)

    def made(self, **status: object) -> Made:
        """Make its Deployment and ReplicaSet."""
        return [
            deployment(self.namespace, self.name, self.age - 5, status=status),
            replica_set(self.namespace, self.name, self.age - 6, **status),
        ]

    def pod(self, **more: object) -> Json:
        """Make its Pod."""
        return pod(self.namespace, self.name, self.age - 7, **{"host": self.host, **more})  # type: ignore[arg-type]


def well(one: Device) -> Made:
    return [one.admitted(), *one.made(), one.pod(primary=running(one.age - 20))]


def waits_for_batch(one: Device) -> Made:
    return [node(one.namespace, one.name, one.age, one.lab, planned=False)]


def held(one: Device) -> Made:
    value = uid("Topology", one.namespace, one.lab) if one.dice.random() < 0.7 else SECRETS[1]
    return [
        node(
            one.namespace,
            one.name,
            one.age,
            one.lab,
            planned=False,
            metadata={"annotations": {"c9s.run/startup-hold": value}},
        )
    ]


def plan_refused(one: Device) -> Made:
    reason = one.dice.choice(
        ("OCIMetadataResolveManifest", "ImagePullSecretMissing", "PlanInvalidInput", "PlanPending")
    )
    image = f"registry.hidden.example/acme/{one.name}:9.9"
    words = f'resolving "{image}" for {one.namespace}/{one.name} with {SECRETS[1]}'
    refused = condition(
        "PlanApplied", "False", one.age - 3, reason=reason, message=words, observedGeneration=1
    )
    made = one.admitted(status={"conditions": [refused]})
    return [
        made,
        event(
            made,
            reason,
            f'Node "{one.name}" condition PlanApplied is False',
            one.age - 4,
            new_api=True,
        ),
    ]


def profile_missing(one: Device) -> Made:
    lost = condition(
        "NodeProfileResolved",
        "False",
        one.age - 3,
        reason="NodeProfileNotFound",
        message="no gold-profile",
        observedGeneration=1,
    )
    return [one.admitted(status={"conditions": [lost]})]


def over_quota(one: Device) -> Made:
    used = "requested: pods=1, used: pods=1, limited: pods=1"
    words = f'pods "{pod_name(one.name)}" is forbidden: exceeded quota: acme-quota, {used}'
    failure = condition("ReplicaFailure", "True", one.age - 8, reason="FailedCreate", message=words)
    return [one.admitted(), *one.made(replicas=0, conditions=[failure])]


def refused_by_webhook(one: Device) -> Made:
    words = one.dice.choice((
        f"ValidatingAdmissionPolicy 'acme-rules' with binding 'acme' denied request: {one.name} is too old",
        f'admission webhook "guard.acme.example" denied the request: {one.name} has no {SECRETS[2]}',
        'Internal error occurred: failed calling webhook "guard.acme.example": Post "https://guard.acme.example:443/v?t=9"',
        f'pods "{pod_name(one.name)}" is forbidden: violates PodSecurity "restricted:latest": (container "acme-x")',
    ))  # fmt: skip
    deployment_, set_ = one.made(replicas=0)
    return [
        one.admitted(),
        deployment_,
        set_,
        event(set_, "FailedCreate", f"Error creating: {words}", one.age - 9),
    ]


def shares(one: Device) -> Made:
    with_whom = one.dice.choice(DEVICES)
    return [
        node(
            one.namespace, one.name, one.age, one.lab, **{"network-mode": f"container:{with_whom}"}
        )
    ]


def ignored(one: Device) -> Made:
    return [
        node(
            one.namespace,
            one.name,
            one.age,
            one.lab,
            planned=False,
            metadata={"labels": {"c9s.run/ignoreReconcile": "jane-says"}},
        )
    ]
