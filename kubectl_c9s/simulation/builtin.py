"""Stage times for those who have no record: published figures of one reference installation, and rules of Kubernetes.

The reference run had 1,000 devices on 7 hosts with warm images, in batches of 100 (diagnosis.md §5). No figure here was
chosen so that a total comes out; how far off the totals are is in ``docs/simulate.md`` and tested.
"""

from __future__ import annotations

from typing import Final

from kubectl_c9s.simulation.distribution import points
from kubectl_c9s.simulation.stages import Client, Origin, StageTimes, Step

_REFERENCE: Final = "built-in: reference run"
_CONTROLLERS: Final = Origin(
    "built-in: kube-controller-manager by default, requests counted with v1.37"
)

BUILT_IN: Final = StageTimes(
    # Mean POST of a Deployment, 21-30 ms (measurement.md §6); a PATCH was not recorded.
    write=Step(points((0, 0.021), (1, 0.030)), Origin("built-in: a POST of the reference run")),
    # 100 Deployments of a batch took 5-7 s. The first came 0-1 s after the last sandbox of the batch before, the
    # 0.25 s in which the queue gathers events included.
    plan=Step(points((0, 0.0), (1, 0.75)), Origin(_REFERENCE), rate=100 / 6),
    # --kube-api-qps=20, --kube-api-burst=30, --concurrent-{deployment,replicaset}-syncs=5.
    replica_set=Client(3, _CONTROLLERS),
    pod=Client(2, _CONTROLLERS),
    # One request for each Pod, as kube-scheduler's clients may send: --kube-api-qps=50, --kube-api-burst=100.
    schedule=Step(points((0, 0.0), (1, 0.0)), Origin("built-in: kube-scheduler by default"), 50.0, 100),
    # 1 s median, 2 s at 95 of 100 and at most (50 devices). In it each host hands out addresses one after another:
    # held 0.37-0.53 s (measurement.md §5), taken off the rest of the step.
    sandbox=Step(
        points((0, 0.0), (0.5, 0.55), (0.95, 1.55), (1, 1.55)),
        Origin(_REFERENCE),
        rate=1 / 0.45,
        per_host=True,
    ),
    # The grant stands in the file when the gate container first looks.
    granted_early=Step(points((0, 0.0), (1, 1.0)), Origin("built-in: assumed")),
    # Seconds to a minute and a half, until the kubelet refreshes the volume (admission.md §1).
    granted_late=Step(points((0, 1.0), (1, 90.0)), Origin("built-in: stated range, no distribution")),
    # Sandbox to Pod Ready took 19 s, median. When the primary was started is not recorded: as late as that.
    boot=Step(points((0, 19.0), (1, 19.0)), Origin("built-in: reference run, median alone")),
    ready=Step(points((0, 0.0), (1, 0.0)), Origin("built-in: within the step before")),
)  # fmt: skip
