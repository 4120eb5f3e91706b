"""What Flux's own code makes of our objects, with the expressions we print and, for what we ship, without."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml
from enforcing_tools import by, config, how
from flux_objects import (
    CONNECTED,
    CONTAINERS,
    LIVE,
    PLAN,
    PREPARED,
    PROFILE,
    TOOLKIT,
    condition,
    made,
    node,
    printed,
)  # fmt: skip
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from standin_status import Verdict, node_status
from status_tools import BATCH, STUCK, facts, kstatus, status_of

from kubectl_c9s.output.manifests import Settings, stream

if TYPE_CHECKING:
    from collections.abc import Callable

    Ask = Callable[[list[Any]], list[dict[str, str]]]

READY = node(PROFILE, PLAN, PREPARED, CONNECTED, CONTAINERS, LIVE, readiness="ready")
REFUSED = node(PROFILE, condition("PlanApplied", "False", "PlanInvalidInput", "no such kind"))
NO_PROFILE = node(
    condition("NodeProfileResolved", "False", "NodeProfileNotFound", "lab/p is not there")
)
PENDING = node(PROFILE, condition("PlanApplied", "False", "PlanPending", "planning"))
HELPER = node(
    PROFILE, PLAN, condition("Prepared", "Unknown", "HelperPending", "planner runs"), LIVE
)
LOOPS = node(PROFILE, PLAN, PREPARED, CONNECTED,
             condition("ContainersReady", "False", "DirectContainersNotReady", "r1 is not ready"))  # fmt: skip
CHANGED = node(PROFILE, condition("PlanApplied", "True", "PlanApplied", generation=1), PREPARED, CONNECTED,
               CONTAINERS, readiness="ready")  # fmt: skip
STALE = node(PROFILE, PLAN, PREPARED, CONNECTED, condition("ContainersReady", "True", "ContainersReady", generation=1),
             readiness="ready")  # fmt: skip


def link(status: str, reason: str, generation: int = 2) -> Any:
    return made("Link", {"conditions": [condition("Accepted", status, reason, "why", generation)]})


def topology(state: str, *, ready: bool, error: str = "", generation: int = 2) -> Any:
    status: dict[str, Any] = {
        "topologyState": state, "topologyReady": ready, "observedGeneration": generation, "nodeCount": 5,
        "readyNodeCount": 5 if ready else 3, "conditions": [], **({"error": error} if error else {}),
    }  # fmt: skip
    return made("Topology", status)


def policy(ready: str, stalled: str, reconciling: str = "False") -> Any:
    conditions = [
        condition(
            "Ready", ready, "SandboxFailed" if stalled == "True" else "Reporting", "Node lab/r1"
        ),
        condition("Reconciling", reconciling, "Settled"),
        condition("Stalled", stalled, "SandboxFailed"),
        condition("Enforced", "False", "ReportMode"),
    ]
    return made("RolloutPolicy", {"observedGeneration": 2, "conditions": conditions}, api=TOOLKIT)


UNREADY = node(PROFILE, PLAN, PREPARED, CONNECTED, CONTAINERS)
BROKEN = topology("deployfailed", ready=False)
STARTING = topology("deploying", ready=False)
FAILED = topology("deployfailed", ready=False, error="a name is taken")
# Object, its status, the cause that is shown, and the status where Flux shall fail fast.
CASES = {
    "a device that nobody has looked at": (made("Node", None), "InProgress", "", "InProgress"),
    "a device that is ready": (READY, "Current", "", "Current"),
    "a device that is refused": (REFUSED, "Unknown", "PlanInvalidInput: no such kind", "Failed"),
    "a device without its profile": (NO_PROFILE, "Unknown", "NodeProfileNotFound: lab/p is not there", "Failed"),
    "a device that is planned": (PENDING, "Unknown", "PlanPending: planning", "InProgress"),
    "a device that is prepared": (HELPER, "Unknown", "HelperPending: planner runs", "InProgress"),
    "a device that falls": (LOOPS, "Unknown", "DirectContainersNotReady: r1 is not ready", "InProgress"),
    "a device that was changed": (CHANGED, "InProgress", "", "InProgress"),
    "a device whose readiness is old": (STALE, "InProgress", "", "InProgress"),
    "a device that is not ready as a whole": (UNREADY, "InProgress", "", "InProgress"),
    "a wire that nobody has looked at": (made("Link", None), "Current", "", "Current"),
    "a wire without its devices": (link("False", "EndpointsUnresolved"), "Current", "", "Current"),
    "a wire that is taken": (link("True", "Accepted"), "Current", "", "Current"),
    "a wire in the place of another": (link("False", "EndpointConflict"), "Unknown", "EndpointConflict: why", "Failed"),
    "a wire that is wrong": (link("False", "InvalidSpec"), "Unknown", "InvalidSpec: why", "Failed"),
    "a wire that was wrong before": (link("False", "InvalidSpec", 1), "Current", "", "Current"),
    "a lab that nobody has looked at": (made("Topology", None), "InProgress", "", "InProgress"),
    "a lab that runs": (topology("running", ready=True), "Current", "", "Current"),
    "a lab that was changed": (topology("running", ready=True, generation=1), "InProgress", "", "InProgress"),
    "a lab that starts": (STARTING, "Unknown", "notready: 3 of 5 nodes are ready", "InProgress"),
    "a lab with an error": (FAILED, "Unknown", "a name is taken", "Failed"),
    "a lab that has failed": (BROKEN, "Unknown", "notready: 3 of 5 nodes are ready", "Failed"),
    "a policy without reconciler": (made("RolloutPolicy", None, api=TOOLKIT), "Current", "", "Current"),
    "a policy that is kept": (policy("True", "False"), "Current", "", "Current"),
    "a policy before a stalled start": (policy("False", "True"), "Unknown", "SandboxFailed: Node lab/r1", "Failed"),
    "a policy that is at work": (policy("True", "False", "True"), "InProgress", "", "InProgress"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_flux_reads_our_expressions_as_meant(statuses: Ask, name: str) -> None:
    obj, status, cause, fast = CASES[name]
    slow_answer, fast_answer = statuses(
        [
            {"checks": printed(), "object": obj},
            {"checks": printed(fail_fast=True), "object": obj},
        ]
    )
    assert slow_answer["status"] == status
    error = slow_answer.get("error", "")
    assert error.endswith(f": no such key: {cause}") if cause else not error
    assert fast_answer == {"status": fast}


def test_without_the_expressions_a_lab_would_be_ready_at_once(statuses: Ask) -> None:
    unready = [REFUSED, topology("deploying", ready=False)]
    answers = statuses([{"checks": [], "object": obj} for obj in unready])
    assert [one["status"] for one in answers] == ["Current", "Current"]


def test_profiles_and_config_need_no_expression(statuses: Ask) -> None:
    for kind in ("NodeProfile", "Config"):
        (answer,) = statuses([{"checks": printed(), "object": made(kind, None)}])
        assert answer == {"status": "Current", "message": "Resource is current"}


def test_the_status_of_a_policy_is_what_kstatus_waits_for(statuses: Ask) -> None:
    found = {
        "kept": status_of(facts()),
        "stuck": status_of(facts(start=STUCK)),
        "blind": status_of(facts(said=how(fresh=False, trouble="the view is old"))),
        "held": status_of(facts(obj=config({BATCH: 9}, by("argocd-controller", BATCH)))),
    }
    objects = {
        name: made("RolloutPolicy", status, generation=3, api=TOOLKIT)
        for name, status in found.items()
    }
    answers = statuses([{"checks": [], "object": obj} for obj in objects.values()])
    real = {name: answer["status"] for name, answer in zip(objects, answers, strict=True)}
    wanted = {"kept": "Current", "stuck": "Failed", "blind": "InProgress", "held": "InProgress"}
    assert real == wanted
    assert real == {name: kstatus(obj["status"]) for name, obj in objects.items()}
    newer = made("RolloutPolicy", found["kept"], generation=4, api=TOOLKIT)
    (answer,) = statuses([{"checks": [], "object": newer}])
    assert answer["status"] == "InProgress"


def test_what_we_ship_comes_to_rest(statuses: Ask) -> None:
    wanted = Settings(pod_monitor=True, priority=True, guardrails="deny")
    shipped = [obj for obj in yaml.safe_load_all(stream(wanted)) if obj]
    answers = statuses([{"checks": [], "object": obj} for obj in shipped])
    waits = {
        f"{obj['kind']}/{obj['metadata']['name']}": answer["status"]
        for obj, answer in zip(shipped, answers, strict=True)
        if answer["status"] != "Current"
    }
    # These two are ready when the server and the kubelets say so.
    assert waits == {
        "CustomResourceDefinition/rolloutpolicies.toolkit.c9s.run": "InProgress",
        "Deployment/c9s-reconciler": "InProgress",
    }


HELPER_STATES = st.sampled_from(
    [{}, {"running": {}}, {"terminated": {"exitCode": 0}}, {"terminated": {"exitCode": 1}}]
)
STATUSES = st.builds(
    lambda planner, clabwire, ready: {
        "initContainerStatuses": [
            {"name": "planner", "state": planner},
            {"name": "clabwire", "started": clabwire, "state": {"running": {}}},
        ],
        "containerStatuses": [{"name": "r1", "ready": ready, "state": {"running": {}}}],
    },
    HELPER_STATES,
    st.booleans(),
    st.booleans(),
)
PODS = st.none() | st.builds(lambda status: {"status": status}, STATUSES)
VERDICTS = st.sampled_from(
    [
        Verdict(),
        Verdict("PlanInvalidInput", "words"),
        Verdict("PlanPending", "words"),
        Verdict("NodeProfileConflict", ""),
    ]
)


# Each example asks all of them at once: the program starts once for many devices.
@settings(
    max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(st.lists(st.tuples(VERDICTS, PODS), min_size=30, max_size=60))
def test_a_device_is_ready_for_flux_when_the_manager_says_so(
    statuses: Ask, seen: list[Any]
) -> None:
    """The stand-in manager writes the status of any device; what is not ready has a cause."""
    head = made("Node", None)
    found = [node_status(head, verdict, pod, "r1", "2026-01-01T00:00:00Z") for verdict, pod in seen]
    nodes = [made("Node", status) for status in found]
    answers = statuses([{"checks": printed(), "object": one} for one in nodes])
    assert [one["status"] == "Current" for one in answers] == [
        one["readiness"] == "ready" for one in found
    ]
    for status, answer in zip(found, answers, strict=True):
        wrong = [one for one in status["conditions"] if one["status"] != "True"]
        causes = [f"no such key: {one['reason']}: {one['message']}" for one in wrong]
        assert any(answer.get("error", "").endswith(cause) for cause in causes) == bool(causes)
