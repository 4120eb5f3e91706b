"""The table of health: Nodes."""

from __future__ import annotations

from argocd_objects import GATED, PLANNED, RUNS, UID, Ago, Json, condition, container, node, thing
from argocd_table import DEGRADED, HEALTHY, IGNORED, OLD, PROGRESSING, SUSPENDED, Case


def refused(reason: str, **more: int) -> Json:
    return node(PLANNED[0], condition("PlanApplied", "False", reason, **more))


NOT_READY = condition("ContainersReady", "False", "DirectContainersNotReady")
PROFILE = condition("NodeProfileResolved", "False", "NodeProfileNotFound")


def wired(prepared: float, without: float) -> Json:
    """Make a Node that is prepared, and has no connectivity, each for so many seconds."""
    missing = condition("ConnectivityReady", "False", "HelperNotReady", age=without)
    return node(*RUNS, condition("Prepared", "True", age=prepared), missing)


NODES = [
    Case(
        "nobody has seen it",
        thing("Node", None),
        PROGRESSING,
        "waits for its batch, or for a manager",
    ),
    Case("empty status", thing("Node", {}), PROGRESSING, "not planned yet"),
    Case("held", node(startup_hold="u-1"), PROGRESSING, "held"),
    Case("hold of nobody", node(startup_hold=""), PROGRESSING, "not planned yet"),
    Case("admitted", node(startup_admitted=UID), PROGRESSING, "admitted"),
    Case(
        "admitted as another Node",
        node(startup_admitted="other"),
        PROGRESSING,
        "waits for its batch",
    ),
    Case("ready", node(*RUNS, readiness="ready"), HEALTHY),
    Case(
        "ready with old restarts",
        node(*RUNS, readiness="ready", containers=[container(ready=True, restarts=3)]),
        HEALTHY,
    ),
    Case(
        "ready for the spec before",
        node(*({**one, "observedGeneration": OLD} for one in RUNS), readiness="ready"),
        PROGRESSING,
        "changed spec",
    ),
    Case(
        "containers of the spec before",
        node(*RUNS, condition("ContainersReady", "True", of=OLD), readiness="ready"),
        PROGRESSING,
    ),
    Case(
        "containers say otherwise",
        node(*RUNS, NOT_READY, readiness="ready"),
        PROGRESSING,
        "DirectContainersNotReady",
    ),
    Case(
        "readiness says otherwise",
        node(*RUNS, readiness="unknown"),
        PROGRESSING,
        "readiness is unknown",
    ),
    Case("profile missing", node(PROFILE), DEGRADED, "NodeProfileNotFound: words on"),
    Case(
        "profile was missing",
        node(condition("NodeProfileResolved", "False", "NodeProfileNotFound", of=OLD)),
        PROGRESSING,
        "changed spec",
    ),
    Case("plan pending for long", refused("PlanPending", age=5000), PROGRESSING, "PlanPending"),
    Case("input missing", refused("PlanMissingInput", age=200), PROGRESSING, "PlanMissingInput"),
    Case(
        "input missing for long",
        refused("PlanMissingInput", age=400),
        DEGRADED,
        "PlanMissingInput: words on",
    ),
    *(
        Case(f"refused: {reason}", refused(reason), DEGRADED, f"{reason}: words on")
        for reason in (
            "PlanInvalidInput",
            "PlanUnsupported",
            "PlanInvariant",
            "PlanSideEffect",
            "PlanSerialization",
            "OCIMetadataResolveManifest",
            "ImagePullSecretMissing",
            "PlanRejected",
            "PlanArtifactConflict",
            "DeploymentInvalid",
            "DeploymentApplyFailed",
        )
    ),
    Case(
        "refused before the change",
        refused("PlanInvalidInput", of=OLD),
        PROGRESSING,
        "changed spec",
    ),
    Case(
        "refused, the old device runs on",
        node(*RUNS, condition("PlanApplied", "False", "PlanInvalidInput"), readiness="ready"),
        DEGRADED,
        "PlanInvalidInput",
    ),
    Case(
        "no Pod",
        node(
            *PLANNED,
            condition("Prepared", "Unknown", "DirectPodPending", age=5000),
            readiness="unknown",
        ),
        PROGRESSING,
        "DirectPodPending",
    ),
    Case(
        "waits for a slot for long", node(*GATED), PROGRESSING, "starts: Prepared: HelperNotReady"
    ),
    Case(
        "boots for long",
        node(*RUNS, condition("ContainersReady", "False", "DirectContainersNotReady", age=5000)),
        PROGRESSING,
        "DirectContainersNotReady",
    ),
    Case(
        "restarted",
        node(*RUNS, NOT_READY, containers=[container(ready=False, restarts=2)]),
        DEGRADED,
        "device-1 has been restarted 2 times",
    ),
    Case(
        "boots the first time",
        node(*RUNS, NOT_READY, containers=[container(ready=False, restarts=0)]),
        PROGRESSING,
    ),
    Case("no connectivity", wired(400, 400), DEGRADED, "ConnectivityReady: HelperNotReady"),
    Case("connectivity comes", wired(200, 5000), PROGRESSING, "ConnectivityReady: HelperNotReady"),
    Case(
        "connectivity has gone just now",
        wired(5000, 20),
        PROGRESSING,
        "ConnectivityReady: HelperNotReady",
    ),
    Case("left alone", thing("Node", None, labels=IGNORED), SUSPENDED, "c9s.run/ignoreReconcile"),
    Case(
        "being deleted",
        node(*RUNS, readiness="ready") | {"metadata": {"name": "one", "deletionTimestamp": Ago(5)}},
        PROGRESSING,
        "Pending deletion",
    ),
]
