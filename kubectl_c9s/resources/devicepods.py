"""Names on the Pod of a device, by which everybody reads how far it is (admission.md §1)."""

from __future__ import annotations

from typing import Final

HOST_GRANT: Final = "c9s.run/startup-host-admitted"
"""Annotation: UID of this Pod, once it may boot."""
NODE_UID: Final = "c9s.run/direct-node-uid"
"""Annotation: UID of the primary Node."""
WORKLOAD: Final = "c9s.run/direct-workload"
"""Label: name of the primary Node; makes a Pod that of a device."""
IGNORE: Final = "c9s.run/ignoreReconcile"
"""Label: the manager passes the object over; only presence counts."""
PRIMARY_CONTAINER: Final = "kubectl.kubernetes.io/default-container"
"""Annotation: name of the primary's container."""
GATE: Final = "startup-gate"
"""Init container that waits for the grant."""
PLANNER: Final = "planner"
"""Init container that prepares the device."""
SANDBOX: Final = "PodReadyToStartContainers"
"""Condition: the Pod's sandbox is made."""
SHARES: Final = "container:"
"""Begins a network mode that names the Node in whose Pod a Node runs."""
