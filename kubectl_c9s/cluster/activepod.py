"""The active manager Pod: the one that holds the Lease, out of several that look alike (config-and-chart.md §4)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.connection import Request
from kubectl_c9s.cluster.errors import ClusterError, NotFound
from kubectl_c9s.cluster.installation import find_installation
from kubectl_c9s.cluster.managers import app_of, manager_pods
from kubectl_c9s.resources import labels
from kubectl_c9s.resources.errors import UsageError
from kubectl_c9s.resources.leases import MANAGER, is_holder
from kubectl_c9s.resources.listing import some
from kubectl_c9s.resources.moments import seconds_of
from kubectl_c9s.resources.surroundings import Lease

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.resources.objects import KubeObject

METRICS_PORT: Final = 9090
PPROF_PORT: Final = 6060
"""Ports on loopback of the active manager's Pod; only there does anybody listen (config-and-chart.md §5)."""
OFF_HINT: Final = (
    "set the Helm value manager.diagnostics to true; "
    "that restarts the managers, and what was admitted stays so"
)
_SWITCH: Final = "C9S_DIAGNOSTICS"
_CONTAINER: Final = "manager"
# What Go's strconv.ParseBool takes for false, and a variable that is set to nothing.
_OFF: Final = frozenset({"", "0", "f", "F", "false", "FALSE", "False"})
_LOGS: Final = "look at the logs of the manager Pods"


class NoLeader(ClusterError):
    """No manager leads at the moment, or none that can be seen; that may pass."""


class DiagnosticsOff(ClusterError):
    """The manager serves neither metrics nor profiles."""

    def __init__(self, message: str) -> None:
        super().__init__(message, hint=OFF_HINT)


class Active(NamedTuple):
    """The Pod that leads, as the API has it, its ``c9s.run/app``, and the Lease it holds."""

    app: str
    pod: KubeObject
    lease: Lease

    @property
    def namespace(self) -> str:
        """Give the Pod's namespace."""
        return str(self.pod["metadata"]["namespace"])

    @property
    def name(self) -> str:
        """Give the Pod's name."""
        return str(self.pod["metadata"]["name"])

    @property
    def uid(self) -> str:
        """Give the Pod's UID."""
        return str(self.pod["metadata"].get("uid", ""))

    @property
    def container(self) -> KubeObject:
        """Give the manager's container as the spec has it; the first one where none has that name."""
        return _named(self.pod.get("spec"), "containers")

    @property
    def status(self) -> KubeObject:
        """Give the status of that container; empty when there is none yet."""
        return _named(self.pod.get("status"), "containerStatuses")

    @property
    def diagnostics(self) -> bool | None:
        """Tell whether its environment turns diagnostics on; None when it does not say."""
        for one in self.container.get("env") or ():
            if one.get("name") == _SWITCH and "valueFrom" not in one:
                return (one.get("value") or "") not in _OFF
        return None

    def require_diagnostics(self) -> None:
        """Raise DiagnosticsOff when its environment says that they are."""
        if self.diagnostics is False:
            raise DiagnosticsOff(f"diagnostics are off in {self.name}: {_SWITCH} is not true")


def _named(part: Any, field: str) -> KubeObject:
    found: Sequence[KubeObject] = (part or {}).get(field) or ()
    first: KubeObject = found[0] if found else {}
    return next((one for one in found if one.get("name") == _CONTAINER), first)


def refusal(active: Active, port: int, words: str) -> ClusterError:
    """Make the error of what the kubelet said about a port of the Pod that leads (config-and-chart.md §4)."""
    if "refused" in words.lower():
        return DiagnosticsOff(
            f"{active.name} leads and refuses connections to port {port}: its diagnostics are off"
        )
    return ClusterError(f"port {port} of {active.name}: {words}")


class Place(NamedTuple):
    """Where managers run: their namespace and the value of ``c9s.run/app``."""

    namespace: str
    app: str


def find_place(connection: Connection, wanted: str | None) -> Place:
    """Find the one installation, in a namespace that is ``wanted`` or in all.

    A namespace that is named needs no right outside of it. Raises UsageError when there are several installations.
    """
    if wanted is None:
        found = find_installation(connection, None)
        wanted = found.namespace
    apps = sorted({app_of(pod) for pod in manager_pods(connection, wanted)})
    if len(apps) > 1:
        raise UsageError(
            f"several installations in {wanted}: {some(apps)}",
            hint="give each a namespace of its own",
        )
    return Place(wanted, apps[0] if apps else labels.APP_VALUE)


def find_active(connection: Connection, place: Place) -> Active:
    """Find the Pod that leads.

    Raises NoLeader when there is none, none that runs, or more than one that the holder's name fits; Forbidden when a
    right is missing.
    """
    lease, now = _lease(connection, place)
    holder = lease.spec.holder_identity or ""
    _check_held(lease, now)
    pods = [pod for pod in manager_pods(connection, place.namespace) if app_of(pod) == place.app]
    return Active(place.app, choose(holder, pods), lease)


def choose(holder: str, pods: Sequence[KubeObject]) -> KubeObject:
    """Choose the Pod whose name the holder of the Lease carries.

    Names of Pods that Ready is said of do not matter: standby managers are Ready, too. Raises NoLeader unless exactly
    one fits; of two with the same beginning a cut name (63 characters) tells nothing.
    """
    fitting = [pod for pod in pods if is_holder(holder, pod["metadata"]["name"])]
    if len(fitting) == 1:
        return fitting[0]
    if not fitting:
        text = f"the holder {holder!r} of the Lease is no manager Pod: it is gone or goes"
        raise NoLeader(text, hint="wait until the Lease has run out and another manager takes it")
    names = some(sorted(pod["metadata"]["name"] for pod in fitting))
    raise NoLeader(
        f"the holder {holder!r} of the Lease fits several Pods: {names}",
        hint="a holder is cut to 63 characters: a shorter name of the Helm release keeps them apart",
    )


def _lease(connection: Connection, place: Place) -> tuple[Lease, float]:
    """Read the Lease, and the server's clock: ours may show another time than what renews it."""
    name = f"{place.app}{MANAGER}"
    path = kinds.LEASES.path(place.namespace, name)
    try:
        reply = connection.call(Request("GET", path, f"get {kinds.LEASES.full_name} {name}"))
    except NotFound:
        text = f"there is no Lease {name} in {place.namespace}: no manager has ever led there"
        raise NoLeader(text, hint=_LOGS) from None
    lease = msgspec.json.decode(reply.body, type=Lease)
    return lease, time.time() if reply.at is None else reply.at


def _check_held(lease: Lease, now: float) -> None:
    name, holder = lease.metadata.name, lease.spec.holder_identity
    if not holder:
        raise NoLeader(f"no manager leads: the Lease {name} has no holder", hint=_LOGS)
    if not lease.is_held(now):
        renewed = seconds_of(lease.spec.renew_time)
        ago = "never" if renewed is None else f"{now - renewed:.0f} s ago"
        text = f"no manager leads: the Lease {name} of {holder} was renewed {ago}, and holds for {lease.duration} s"
        raise NoLeader(text, hint=_LOGS)
