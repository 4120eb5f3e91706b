"""Mistakes to plant in the shipped settings: each must make a row of the table come out wrong."""

from __future__ import annotations

from typing import Final

NODE: Final = "resource.customizations.health.c9s.run_Node"
LINK: Final = "resource.customizations.health.c9s.run_Link"
TOPOLOGY: Final = "resource.customizations.health.c9s.run_Topology"
POLICY: Final = "resource.customizations.health.toolkit.c9s.run_RolloutPolicy"

MUTANTS: Final[tuple[tuple[str, str, str], ...]] = (
    # stale conditions count
    (NODE, "one.observedGeneration == obj.metadata.generation", "true"),
    (LINK, "one.observedGeneration == obj.metadata.generation", "true"),
    (TOPOLOGY, "one.observedGeneration == obj.metadata.generation", "true"),
    (TOPOLOGY, "status.observedGeneration ~= obj.metadata.generation", "false"),
    (POLICY, "stale or obj.status.observedGeneration ~= obj.metadata.generation", "false"),
    # labels, marks
    (NODE, '["c9s.run/ignoreReconcile"] ~= nil', '["c9s.run/ignoreReconcile"] == "true"'),
    (NODE, '(marks["c9s.run/startup-hold"] or "") ~= ""', 'marks["c9s.run/startup-hold"] ~= nil'),
    (NODE, "== obj.metadata.uid", "~= nil"),
    # what waits fails, what fails waits
    (NODE, 'current.PlanApplied.reason ~= "PlanPending"', "true"),
    (NODE, 'is("NodeProfileResolved", "False")', "false"),
    (
        NODE,
        'current.PlanApplied.reason == "PlanMissingInput" and not lasts("PlanApplied")',
        "false",
    ),
    (NODE, ' and not lasts("PlanApplied")', ""),
    (NODE, 'is("Prepared", "True") and lasts("Prepared")', 'is("Prepared", "True")'),
    (NODE, 'is("Prepared", "True") and lasts("Prepared") and', ""),
    (
        NODE,
        'is("ConnectivityReady", "False") and lasts("ConnectivityReady")',
        'is("ConnectivityReady", "False")',
    ),
    (NODE, "one.ready ~= true and", ""),
    (NODE, "(one.restartCount or 0) > 0", "true"),
    (NODE, "(one.restartCount or 0) > 0", "false"),
    # what is not ready is healthy
    (NODE, 'status.readiness == "ready" and', ""),
    (NODE, ' and is("ContainersReady", "True")', ""),
    # messages without the cause
    (NODE, '(current[kind].reason or "")', '""'),
    (NODE, '(current[kind].message or "")', '""'),
    # times
    (NODE, "os.time() - zone - 300", "os.time() - zone - 100"),
    (NODE, "os.time() - zone - 300", "os.time() - zone - 1000"),
    (NODE, "os.time() - zone", "os.time() - 86400"),
    # Links that hold a wave back
    (LINK, ' and one.reason == "InvalidSpec"', ""),
    (LINK, 'one.status == "False" and one.reason == "InvalidSpec"', "false"),
    (LINK, '{status = "Healthy", message = told}', '{status = "Progressing", message = told}'),
    (
        LINK,
        '{status = "Healthy", message = "the manager',
        '{status = "Progressing", message = "the manager',
    ),
    # Topologies
    (TOPOLOGY, '(status.error or "") ~= "" or', ""),
    (TOPOLOGY, ' or status.topologyState == "deployfailed"', ""),
    (TOPOLOGY, ") and not stale", ")"),
    (TOPOLOGY, 'if is("TopologyReady", "True")', "if status.readyNodeCount > 1"),
    (TOPOLOGY, 'if why == "" and current.TopologyReady ~= nil', "if false"),
    # policies
    (POLICY, 'is("Stalled", "True")', "false"),
    (POLICY, 'is("Ready", "True")', 'not is("Ready", "False")'),
    (POLICY, "obj.status == nil", "false"),
    (POLICY, '(kind ~= "Reconciling" or current[kind].status == "True")', "true"),
)
