"""Names and values on the objects of an installation (admission.md §1, config-and-chart.md §4)."""

from __future__ import annotations

import hashlib
import re
from typing import Final

GROUP: Final = "c9s.run"
VERSION: Final = "c9s.run/v1alpha1"
CONFIG: Final = "clabernetes"  # a Config has this name, whatever the installation is called

HOLD: Final = "c9s.run/startup-hold"
ADMITTED: Final = "c9s.run/startup-admitted"
GRANT: Final = "c9s.run/startup-host-admitted"
NODE_UID: Final = "c9s.run/direct-node-uid"
DIGEST: Final = "c9s.run/node-plan-digest"
DEFAULT_CONTAINER: Final = "kubectl.kubernetes.io/default-container"

APP: Final = "c9s.run/app"
NAME: Final = "c9s.run/name"
COMPONENT: Final = "c9s.run/component"
WORKLOAD: Final = "c9s.run/direct-workload"
IGNORE: Final = "c9s.run/ignoreReconcile"
OWNER: Final = "c9s.run/topologyOwner"
OWNER_KIND: Final = "c9s.run/topologyKind"
OWNER_NODE: Final = "c9s.run/topologyNode"
OWNER_GROUP: Final = "c9s.run/topologyGroup"

GATE: Final = "startup-gate"
PLANNER: Final = "planner"
CLABWIRE: Final = "clabwire"
SANDBOX: Final = "PodReadyToStartContainers"

# What tests say to the fake hosts; the product and the manager know nothing of it.
TEST: Final = "testbed.c9s.run/"
FAIL: Final = f"{TEST}fail"

LABEL_LIMIT: Final = 63


def holder(pod: str, tail: str) -> str:
    """Give the holder of the manager's Lease: the prefix is literal, and a long text loses its end.

    config-and-chart.md §4.
    """
    text = f"clabernetes-{pod}-{tail}"
    if len(text) <= LABEL_LIMIT:
        return text
    return f"{text[:55]}-{hashlib.sha256(text.encode()).hexdigest()[:7]}"


def link_name(node_a: str, interface_a: str, node_b: str, interface_b: str) -> str:
    """Give the name of a Link between two interfaces (split.md §8)."""
    whole = f"{node_a}-{_interface(interface_a)}-{node_b}-{_interface(interface_b)}"
    if len(whole) <= LABEL_LIMIT:
        return whole
    return f"{whole[:55]}-{hashlib.sha256(whole.encode()).hexdigest()[:7]}"


def _interface(raw: str) -> str:
    clean = re.sub("[^a-z0-9-]", "-", raw.lower()).strip("-") or "x"
    return clean if clean == raw else f"{clean}-{hashlib.sha256(raw.encode()).hexdigest()[:8]}"
