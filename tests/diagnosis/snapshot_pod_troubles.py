"""The troubles of a device that has a Pod."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from snapshot_objects import SECRETS, at, event, uid
from snapshot_pods import pod_name, running, waiting
from snapshot_troubles import (
    Device,
    Made,
    held,
    ignored,
    over_quota,
    plan_refused,
    profile_missing,
    refused_by_webhook,
    shares,
    waits_for_batch,
    well,
)

if TYPE_CHECKING:
    from collections.abc import Callable


def unscheduled(one: Device) -> Made:
    reasons = one.dice.sample((
        "2 Too many pods", "3 Insufficient cpu", "1 Insufficient acme.example/fpga", "1 Insufficient nvidia.com/gpu",
        "2 node(s) didn't match Pod's node affinity/selector",
        "1 node(s) had untolerated taint {acme.example/rack: r17}",
        "1 node(s) were unschedulable",
    ), 2)  # fmt: skip
    after = "preemption: 0/6 nodes are available: 6 Preemption is not helpful for scheduling."
    words = f"0/6 nodes are available: {', '.join(reasons)}. {after}"
    made = one.pod(host="", scheduled={"reason": "Unschedulable", "message": words})
    return [one.admitted(), *one.made(), made, event(made, "FailedScheduling", words, 20)]


def gated_by(one: Device) -> Made:
    names = one.dice.choice(
        (
            ["acme.example/approval"],
            ["toolkit.c9s.run/startup"],
            ["toolkit.c9s.run/startup", "acme.example/wave-2"],
        )
    )
    gates = {"schedulingGates": [{"name": name} for name in names]}
    return [
        one.admitted(),
        *one.made(),
        one.pod(host="", spec=gates, scheduled={"reason": "SchedulingGated"}),
    ]


def no_sandbox(one: Device) -> Made:
    made = one.pod(sandbox="False")
    words = f'Failed to create pod sandbox: plugin "acme-cni": no address in 10.42.19.0/24 on {one.host} (fe80::17)'
    told = [event(made, "FailedCreatePodSandBox", words, 15)] if one.dice.random() < 0.6 else []
    return [one.admitted(), *one.made(), made, *told]


def not_mounted(one: Device) -> Made:
    made = one.pod(sandbox="False")
    words = one.dice.choice((
        f'MountVolume.SetUp failed for volume "payload-0" : configmap "{one.name}-startup" not found',
        'MountVolume.SetUp failed for volume "node-plan" : failed to sync configmap cache: timed out',
        f"failed to sync {one.name} with {one.namespace}",
        f"Unable to attach volumes of {pod_name(one.name)}: {SECRETS[2]}",
    ))  # fmt: skip
    return [
        one.admitted(),
        *one.made(),
        made,
        event(made, "FailedMount", words, 15, new_api=one.dice.random() < 0.5),
    ]


def no_condition(one: Device) -> Made:
    return [one.admitted(), *one.made(), one.pod(sandbox="", primary=running(one.age - 20))]


def image_missing(one: Device) -> Made:
    reason = one.dice.choice(("ImagePullBackOff", "ErrImagePull", "InvalidImageName"))
    state = waiting(
        reason, f'Back-off pulling image "registry.hidden.example/acme/nos:9.9" for {one.name}'
    )
    return [one.admitted(), *one.made(), one.pod(primary=state)]


def crashes(one: Device) -> Made:
    who = f"pod={pod_name(one.name)}_{one.namespace}(cfc45eb2-aeeb-502a)"
    words = f"back-off 5m0s restarting failed container=device-0a1b2c {who}"
    last = {"terminated": {"exitCode": 137, "reason": "OOMKilled", "finishedAt": at(30)}}
    made = one.pod(primary=waiting("CrashLoopBackOff", words, lastState=last, restartCount=4))
    return [one.admitted(), *one.made(), made, event(made, "BackOff", words, 12)]


def probe_fails(one: Device) -> Made:
    made = one.pod(
        primary=running(one.age - 20, started=False, restartCount=one.dice.choice((0, 2)))
    )
    return [
        one.admitted(),
        *one.made(),
        made,
        event(
            made,
            "Unhealthy",
            f"Startup probe failed: dial tcp 172.30.0.9:22: {one.name} refused",
            9,
        ),
    ]


def queued(one: Device) -> Made:
    grant = {
        "c9s.run/startup-host-admitted": one.dice.choice(
            (uid("Pod", one.namespace, pod_name(one.name)), SECRETS[1], "")
        )
    }
    return [
        one.admitted(),
        *one.made(),
        one.pod(gate={"running": {"startedAt": at(one.age - 9)}}, annotations=grant),
    ]


def terminating(one: Device) -> Made:
    leaves = {
        "deletionTimestamp": at(one.age - 30),
        "deletionGracePeriodSeconds": 30,
        "finalizers": ["acme.example/hold"],
    }
    gone = [] if one.dice.random() < 0.3 else [one.admitted(), *one.made()]
    return [*gone, one.pod(primary=running(one.age - 20, started=False), metadata=leaves)]


def prepares(one: Device) -> Made:
    ended = {"terminated": {"exitCode": 3, "reason": "Error", "finishedAt": at(40)}}
    lacks = {"waiting": {"reason": "CreateContainerConfigError", "message": f"secret {SECRETS[2]}"}}
    name, state = one.dice.choice((
        ("planner", ended), ("planner", lacks), ("clabwire", {"running": {"startedAt": at(one.age - 9)}}),
    ))  # fmt: skip
    status = {"name": name, "started": False, "restartCount": 1, "state": state}
    return [one.admitted(), *one.made(), one.pod(status={"initContainerStatuses": [status]})]


def evicted(one: Device) -> Made:
    status = {
        "phase": "Failed",
        "reason": "Evicted",
        "message": f"The node {one.host} was low on resource: memory of {one.name}",
    }
    return [one.admitted(), *one.made(), one.pod(sandbox="False", status=status)]


SITUATIONS: Final[tuple[Callable[[Device], Made], ...]] = (
    well, waits_for_batch, held, plan_refused, profile_missing, over_quota, refused_by_webhook, unscheduled, gated_by,
    no_sandbox, not_mounted, no_condition, image_missing, crashes, probe_fails, queued, terminating, prepares, evicted,
    shares, ignored,
)  # fmt: skip
