"""How Flux knows the health of our kinds: expressions of CEL for a Kustomization's ``healthCheckExprs``.

Flux asks ``inProgress``, ``failed`` and ``current``, in this order; the first that is true decides, and where none is,
the object is in progress. Of what failed it prints the name alone. An expression that cannot be evaluated counts as
unknown, and its error is printed when the wait has timed out: so ``{}[text]``, a look into an empty map, is how a cause
gets into the message. With ``fail_fast`` an object that will not come by itself fails at once, without its cause.

Facts: Node and Link in diagnosis.md §3, Topology in its CRD, RolloutPolicy in policy.md. NodeProfile and Config report
nothing, so Flux takes them as current by itself.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from kubectl_c9s.resources.objects import API_VERSION, TOOLKIT_API_VERSION


class Check(NamedTuple):
    """The expressions for one kind, in the order in which Flux asks them."""

    api_version: str
    kind: str
    in_progress: str
    failed: str
    current: str


Checks: TypeAlias = tuple[Check, ...]

# A variable that is missing is an error in CEL: whether there is a status tells who has written to the object.
_SEEN: Final = (
    "metadata.?managedFields.orValue([]).exists(f, f.?subresource.orValue('') == 'status')"
)
_OLD: Final = "c.?observedGeneration.orValue(metadata.generation) != metadata.generation"
_NEW: Final = _OLD.replace("!=", "==")
_CAUSE: Final = "{}[c.reason + ': ' + c.message]"

_DEVICE: Final = "c.type.matches('Resolved|Applied|Prepared|Ready')"
_READY: Final = (
    "status.?readiness.orValue('') == 'ready' && status.conditions.exists(c, c.type == 'ContainersReady'"
    f" && c.status == 'True' && {_NEW})"
)
_TOPOLOGY_COUNT: Final = (
    "string(status.?readyNodeCount.orValue(0)) + ' of '"
    " + string(status.?nodeCount.orValue(0)) + ' nodes are ready'"
)

_NODE: Final = Check(
    API_VERSION,
    "Node",
    f"!{_SEEN} || status.conditions.exists(c, c.type == 'PlanApplied' && {_OLD})",
    f"!status.conditions.all(c, c.status == 'True' || !{_DEVICE} || {_CAUSE})",
    _READY,
)
# A Link waits for its Nodes, which are applied after it: that must not hold them back.
_LINK: Final = Check(
    API_VERSION,
    "Link",
    "",
    f"{_SEEN} && !status.conditions.all(c, c.status == 'True' || c.type != 'Accepted'"
    f" || c.reason == 'EndpointsUnresolved' || {_OLD} || {_CAUSE})",
    "true",
)
_TOPOLOGY: Final = Check(
    API_VERSION,
    "Topology",
    f"!{_SEEN}",
    "status.?error.orValue('') != '' ? {}[status.error] :"
    f" !status.topologyReady && {{}}['notready: ' + {_TOPOLOGY_COUNT}]",
    "status.topologyReady",
)
# Without a reconciler nobody writes its status, and it is as good as it gets.
_POLICY: Final = Check(
    TOOLKIT_API_VERSION,
    "RolloutPolicy",
    f"{_SEEN} && status.conditions.exists(c, c.type == 'Reconciling' && c.status == 'True')",
    f"{_SEEN} && !status.conditions.all(c, c.status == 'True' || c.type != 'Ready' || {_CAUSE})",
    f"!{_SEEN} || status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')",
)
# What does not come by itself; the reasons of a plan that still may are left out.
_FAILED: Final = {
    "Node": "status.conditions.exists(c, c.status == 'False' && (c.type == 'NodeProfileResolved'"
    " || c.type == 'PlanApplied' && !(c.reason in ['PlanPending', 'PlanMissingInput'])))",
    "Link": f"{_SEEN} && status.conditions.exists(c, c.type == 'Accepted' && c.status == 'False'"
    f" && c.reason in ['InvalidSpec', 'EndpointConflict'] && {_NEW})",
    "Topology": "status.?error.orValue('') != '' || status.?topologyState.orValue('') == 'deployfailed'",
    "RolloutPolicy": f"{_SEEN} && status.conditions.exists(c, c.type == 'Stalled' && c.status == 'True')",
}
_ALL: Final = (_TOPOLOGY, _LINK, _NODE, _POLICY)


def checks(*kinds: str, fail_fast: bool = False) -> Checks:
    """Give the checks of some kinds, or of all that report how they are."""
    found = [one for one in _ALL if not kinds or one.kind in kinds]
    return tuple(one._replace(failed=_FAILED[one.kind]) if fail_fast else one for one in found)
