"""The table of health: all kinds."""

from __future__ import annotations

from argocd_node_cases import NODES
from argocd_objects import condition, link, policy, thing, topology
from argocd_table import DEGRADED, HEALTHY, IGNORED, OLD, PROGRESSING, SUSPENDED, Case

READY = condition("TopologyReady", "True", "ready")
WAITS = condition("TopologyReady", "False", "notready")
CONFLICT = condition("TopologyReady", "False", "ChildResourceConflict")
STALLED = condition("Stalled", "True", "SandboxFailed")
FLOWS = condition("Stalled", "False", "Healthy")
SETTLED = condition("Reconciling", "False", "Settled")

LINKS = [
    Case("nobody has seen it", thing("Link", None), HEALTHY, "has not looked at it yet"),
    Case("accepted", link("True", "Accepted"), HEALTHY),
    Case(
        "its Nodes come later",
        link("False", "EndpointsUnresolved", age=5000),
        HEALTHY,
        "EndpointsUnresolved",
    ),
    Case(
        "another one has the interface",
        link("False", "EndpointConflict", age=5000),
        HEALTHY,
        "EndpointConflict",
    ),
    Case("wrong", link("False", "InvalidSpec"), DEGRADED, "InvalidSpec: words on"),
    Case(
        "was wrong before the change",
        link("False", "InvalidSpec", of=OLD),
        HEALTHY,
        "has not looked at it yet",
    ),
]

TOPOLOGIES = [
    Case("nobody has seen it", thing("Topology", None), PROGRESSING, "has not made the objects"),
    Case(
        "starts",
        topology(WAITS, "deploying"),
        PROGRESSING,
        "1 of 3 devices are ready, state deploying",
    ),
    Case("runs", topology(READY, "running", readyNodeCount=3), HEALTHY, "3 of 3 devices are ready"),
    Case(
        "ran before the change",
        topology(READY, "running", of=OLD),
        PROGRESSING,
        "has not made the objects",
    ),
    Case(
        "a change is under way",
        topology(WAITS, "degraded", readyNodeCount=2),
        PROGRESSING,
        "2 of 3 devices are ready, state degraded",
    ),
    Case(
        "names are taken",
        topology(CONFLICT, "deployfailed", of=0, error="duplicate resources: node/a"),
        DEGRADED,
        "duplicate resources: node/a",
    ),
    Case(
        "error in another state",
        topology(CONFLICT, "degraded", error="duplicate resources: node/a"),
        DEGRADED,
        "duplicate resources: node/a",
    ),
    Case(
        "failed without words",
        topology(WAITS, "deployfailed"),
        DEGRADED,
        "TopologyReady: notready: words on",
    ),
    Case(
        "names were taken before the change",
        topology(
            condition("TopologyReady", "False", "ChildResourceConflict", of=OLD),
            "deployfailed",
            of=0,
            error="duplicate resources: node/a",
        ),
        PROGRESSING,
        "has not made the objects",
    ),
    Case(
        "left alone", thing("Topology", None, labels=IGNORED), SUSPENDED, "c9s.run/ignoreReconcile"
    ),
]

POLICIES = [
    Case("no reconciler", thing("RolloutPolicy", None), PROGRESSING, "no reconciler"),
    Case(
        "ready",
        policy(condition("Ready", "True", "Enforcing"), SETTLED, FLOWS),
        HEALTHY,
        "Enforcing",
    ),
    Case(
        "stalled",
        policy(condition("Ready", "False", "SandboxFailed"), SETTLED, STALLED),
        DEGRADED,
        "Stalled: SandboxFailed: words on",
    ),
    Case(
        "superseded",
        policy(
            condition("Ready", "False", "Superseded"), condition("Stalled", "True", "Superseded")
        ),
        DEGRADED,
        "Superseded",
    ),
    Case(
        "blind",
        policy(
            condition("Ready", "False", "StaleView"),
            condition("Reconciling", "True", "StaleView"),
            condition("Stalled", "Unknown", "StaleView"),
        ),
        PROGRESSING,
        "Reconciling: StaleView",
    ),
    Case(
        "held back",
        policy(condition("Ready", "False", "Guard"), SETTLED, FLOWS),
        PROGRESSING,
        "Ready: Guard: words on",
    ),
    Case(
        "stalled before the change",
        policy(condition("Stalled", "True", "SandboxFailed", of=OLD), of=OLD),
        PROGRESSING,
        "not seen the change",
    ),
    Case(
        "ready before the change",
        policy(condition("Ready", "True", "Enforcing", of=OLD), of=OLD),
        PROGRESSING,
        "not seen the change",
    ),
    Case("says nothing yet", policy(), PROGRESSING, "has said nothing yet"),
]

PLAIN = [Case(kind, thing(kind, None), HEALTHY) for kind in ("Config", "NodeProfile")]

CASES = [*NODES, *LINKS, *TOPOLOGIES, *POLICIES, *PLAIN]
