"""The object whose limits are meant: the installation's Config or a Topology, read with what stands around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.errors import Forbidden, NotFound
from kubectl_c9s.cluster.installation import Installation, find_installation
from kubectl_c9s.cluster.reading import read_object
from kubectl_c9s.cluster.rolloutstate import RolloutState, read_state
from kubectl_c9s.resources import labels
from kubectl_c9s.resources.errors import C9sError, UsageError
from kubectl_c9s.resources.objects import CONFIG_NAME
from kubectl_c9s.rollout.assemble import assemble
from kubectl_c9s.rollout.limits import Limits, limits_of
from kubectl_c9s.rollout.patches import block_of
from kubectl_c9s.rollout.probes import probe_gaps
from kubectl_c9s.rollout.proposal import Surroundings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.resources.live import Topology
    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.rollout.targets import Target
    from kubectl_c9s.rollout.views import Snapshot


class Found(NamedTuple):
    """A target as it was read, what stands around it, and what could not be seen."""

    obj: KubeObject
    around: Surroundings
    notes: tuple[str, ...]


class Seen(NamedTuple):
    """An installation, or one namespace of it: ``config`` is None when there is none or it is not known."""

    namespace: str
    config: KubeObject | None
    limits: Limits | None
    snapshot: Snapshot
    state: RolloutState
    notes: tuple[str, ...]

    @property
    def topologies(self) -> list[Topology]:
        """Give the Topologies as they were read."""
        return self.state.topologies

    def with_limits(self, limits: Limits) -> Seen:
        """Give what would be seen with other limits of the Config."""
        snapshot = msgspec.structs.replace(
            self.snapshot, batch=limits.batch, per_host=limits.per_host
        )
        return self._replace(limits=limits, snapshot=snapshot)


def look_around(connection: Connection, flags: Mapping[str, Any]) -> Seen:
    """Read the whole installation."""
    installation = find_installation(connection, flags.get("manager_namespace"))
    notes = (installation.note,) if installation.note else ()
    return _seen(installation, read_state(connection, None), notes)


def look_at_namespace(
    connection: Connection, namespace: str, flags: Mapping[str, Any], *, wide: bool = False
) -> Seen:
    """Read one namespace, and the Config if it may be seen; ``wide`` reads all of them if that is allowed.

    Hosts are shared by all namespaces: only the wide view knows who else takes their slots.
    """
    try:
        installation = find_installation(connection, flags.get("manager_namespace"))
        notes: tuple[str, ...] = ()
    except (UsageError, Forbidden, NotFound) as error:
        installation, notes = None, (f"limits of the Config are not known: {error.message}",)
    if wide:
        try:
            return _seen(installation, read_state(connection, None), notes)
        except Forbidden as error:
            notes += (f"slots that other namespaces take are not known: {error.message}",)
    return _seen(installation, read_state(connection, namespace), notes)


def _seen(installation: Installation | None, state: RolloutState, notes: tuple[str, ...]) -> Seen:
    notes += tuple(f"{kind} may not be read" for kind in state.unseen)
    if installation is None:
        app, limits = labels.APP_VALUE, None
    else:
        app = installation.app
        limits = limits_of(block_of(installation.config) if installation.config else None)
    snapshot = assemble(limits or Limits(), state.topologies, state.nodes, state.pods, app)
    namespace = installation.namespace if installation else ""
    config = installation.config if installation else None
    return Seen(namespace, config, limits, snapshot, state, notes)


def find_target(
    connection: Connection, target: Target, flags: Mapping[str, Any], *, wide: bool = True
) -> Found:
    """Read the object and everything its gates look at; ``wide`` when a limit per host is touched."""
    if target.kind == kinds.CONFIGS.kind:
        seen = look_around(connection, flags)
        if seen.config is None:
            raise C9sError(
                f"there is no Config {CONFIG_NAME} in {seen.namespace}: no limit applies",
                hint="create it (kind Config, name clabernetes), or start a manager that does",
            )
        return found_config(seen.config, seen)
    obj = read_object(connection, kinds.TOPOLOGIES, connection.namespace, target.name)
    seen = look_at_namespace(connection, connection.namespace, flags, wide=wide)
    return found_topology(obj, seen)


def found_config(config: KubeObject, seen: Seen) -> Found:
    """Give a Config with all that its limits concern."""
    obj = config | {"apiVersion": kinds.CONFIGS.api_version, "kind": kinds.CONFIGS.kind}
    state = seen.state
    gaps = probe_gaps(state.nodes, state.profiles, state.pods)
    return Found(obj, Surroundings(seen.snapshot, seen.limits, gaps), seen.notes)


def found_topology(topology: KubeObject, seen: Seen) -> Found:
    """Give a Topology with all that its limits concern."""
    obj = topology | {"apiVersion": kinds.TOPOLOGIES.api_version, "kind": kinds.TOPOLOGIES.kind}
    uid, state = obj["metadata"]["uid"], seen.state
    own = [
        node
        for node in state.nodes
        if any(owner.uid == uid for owner in node.metadata.owner_references or ())
    ]
    gaps = probe_gaps(own, state.profiles, state.pods)
    return Found(obj, Surroundings(seen.snapshot, seen.limits, gaps), seen.notes)
