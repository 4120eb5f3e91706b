"""What to do about a cause: one line, how risky it is, commands to paste (diagnosis.md §6; causes.md §1).

No remedy writes or strips an admission annotation. In a command ``{namespace}`` and ``{name}`` are those of the object
the cause blames, ``{manager}`` is the manager's namespace, ``{app}`` the installation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

Risk: TypeAlias = Literal["safe", "moderate", "risky"]


class Remedy(NamedTuple):
    """What to do, how risky it is, and commands by kind of the object they are about (``Node``, ``Host``, ``Pod``)."""

    text: str
    risk: Risk = "safe"
    commands: Mapping[str, tuple[str, ...]] = {}


_NODE: Final = ("kubectl describe nodes.c9s.run {name} -n {namespace}",)
_HOST: Final = ("kubectl describe nodes {name}",)
_POD: Final = ("kubectl describe pods {name} -n {namespace}",)
_LOGS: Final = "kubectl logs {name} -n {namespace} --all-containers --prefix --tail=50"
REMEDIES: Final[Mapping[str, Remedy]] = {
    "add-capacity": Remedy(
        "free or add capacity: hosts, maxPods, CPU, memory; the batch goes on by itself",
        "safe",
        {"Node": ("kubectl describe pods -n {namespace} -l c9s.run/direct-workload={name}",)},
    ),
    "create-config": Remedy(
        "create the Config clabernetes in the manager's namespace if starts are to be limited"
    ),
    "finish-deletion": Remedy(
        "find out why the Pod does not go (host, finalizers); force it only when its host is known to be down, "
        "or two copies of a device may run",
        "risky",
        {
            "Pod": _POD,
            "Node": ("kubectl get pods -n {namespace} -l c9s.run/direct-workload={name} -o wide",),
        },
    ),
    "fix-cni": Remedy(
        "repair the network plugin on that host; deleting the Pod helps only if it lands elsewhere",
        "safe",
        {"Node": ("kubectl describe pods -n {namespace} -l c9s.run/direct-workload={name}",)},
    ),
    "fix-image": Remedy(
        "mend the image reference or the pull Secret; it is tried again by itself",
        "safe",
        {"Pod": _POD, "Node": _NODE},
    ),
    "fix-policy": Remedy(
        "let the namespace's policies admit the Pod: Pod Security level, webhooks, admission policies",
        "safe",
        {
            "Node": (
                "kubectl describe replicasets -n {namespace} -l c9s.run/direct-workload={name}",
            )
        },
    ),
    "fix-pool": Remedy(
        "repair or scale the planner pool",
        "safe",
        {"Node": ("kubectl describe deployments {app}-planner-pool -n {manager}",)},
    ),
    "fix-probe": Remedy(
        "let the startup probe ask the device itself, with the right port and credentials, or give it more "
        "startupSeconds; deleting the Node frees its slot and loses the device's state",
        "moderate",
        {"Pod": (*_POD, _LOGS)},
    ),
    "fix-spec": Remedy(
        "mend the definition: what is named in the evidence is missing, contradicts another, or is refused",
        "safe",
        {"Node": _NODE, "Topology": ("kubectl describe topologies.c9s.run {name} -n {namespace}",)},
    ),
    "fix-workload": Remedy(
        "mend image, configuration or licence of the device; see its log",
        "safe",
        {"Pod": (*_POD, _LOGS)},
    ),
    "lift-gate": Remedy(
        "ask who put the scheduling gate there, and let them lift it",
        "safe",
        {"Node": ("kubectl get pods -n {namespace} -l c9s.run/direct-workload={name} -o yaml",)},
    ),
    "move-config": Remedy(
        "move the Config to the manager's namespace",
        "safe",
        {"Config": ("kubectl get configs.c9s.run clabernetes -n {namespace} -o yaml",)},
    ),
    "raise-quota": Remedy(
        "raise the quota, or free some of it",
        "safe",
        {"Node": ("kubectl describe resourcequotas -n {namespace}",)},
    ),
    "reemit-node": Remedy(
        "delete the Node, so that its Topology makes it anew; its state is lost unless its volume is kept",
        "moderate",
        {"Node": ("kubectl delete nodes.c9s.run {name} -n {namespace}",)},
    ),
    "remove-label": Remedy(
        "remove the label c9s.run/ignoreReconcile if it is not wanted",
        "safe",
        {
            "Node": ("kubectl label nodes.c9s.run {name} -n {namespace} c9s.run/ignoreReconcile-",),
            "Topology": (
                "kubectl label topologies.c9s.run {name} -n {namespace} c9s.run/ignoreReconcile-",
            ),
        },
    ),
    "repair-control-plane": Remedy(
        "look at kube-controller-manager: its log, its leader, --kube-api-qps",
        "safe",
        {
            "Node": (
                "kubectl get deployments,replicasets -n {namespace} -l c9s.run/direct-workload={name}",
            )
        },
    ),
    "repair-host": Remedy(
        "repair the host; delete Pods on it only when it is known to be down",
        "safe",
        {
            "Host": _HOST,
            "Pod": _POD,
            "Node": ("kubectl get pods -n {namespace} -l c9s.run/direct-workload={name} -o wide",),
        },
    ),
    "restore-manager": Remedy(
        "let a manager lead again, or restart its leader; marks and grants stay, running devices do not notice",
        "safe",
        {
            "Lease": (
                "kubectl get pods -n {manager} -l c9s.run/component=manager",
                "kubectl logs -n {manager} -l c9s.run/component=manager --tail=50",
            ),
            "Config": ("kubectl rollout restart deployments {app}-manager -n {manager}",),
        },
    ),
    "restore-object": Remedy(
        "restore what is named in the evidence: a ConfigMap, a Secret, a claim, a Topology",
        "safe",
        {
            "Node": ("kubectl describe pods -n {namespace} -l c9s.run/direct-workload={name}",),
            "Pod": _POD,
        },
    ),
    "restore-pacer": Remedy(
        "let the reconciler run again; it lifts its own gates",
        "safe",
        {"Lease": ("kubectl get pods -n {manager} -l app.kubernetes.io/name=c9s-reconciler",)},
    ),
    "set-limit": Remedy(
        "set a batch size for the installation",
        "safe",
        {
            "": ("kubectl c9s rollout set config --batch-size 100 --dry-run",),
            "Topology": ("kubectl c9s rollout set config --batch-size 100 --dry-run",),
        },
    ),
    "upgrade-kubelet": Remedy(
        "let the host report PodReadyToStartContainers: a kubelet of Kubernetes 1.29 or newer",
        "safe",
        {"Node": ("kubectl get nodes -o wide",)},
    ),
    "wait": Remedy("wait: this goes on by itself"),
}
