"""What ``check`` finds out about a cluster: a line a fact (cli.md, check)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.capacity import check_capacity, check_control_plane
from kubectl_c9s.cluster.errors import Forbidden
from kubectl_c9s.cluster.facts import Fact, read_all
from kubectl_c9s.cluster.managers import check_manager

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.resources.objects import KubeObject

_OLD_CRD: Final = "launcherprofiles.c9s.run"
_OURS: Final = (kinds.CONFIGS, kinds.TOPOLOGIES, kinds.NODES, kinds.LINKS, kinds.NODE_PROFILES)
_OLDEST: Final = (1, 29)


def check_cluster(
    connection: Connection, manager_namespace: str | None, *, before_install: bool
) -> Iterator[Fact]:
    """Look at everything; a right that is missing is a fact of its own. Raises what keeps the server from answering."""
    yield from _allowed("server", lambda: _server(connection))
    yield from _allowed("crds", lambda: _crds(connection, before_install=before_install))
    if before_install:
        return
    yield from _allowed("manager", lambda: check_manager(connection, manager_namespace))
    yield from _allowed("capacity", lambda: check_capacity(connection))
    yield from _allowed("control-plane", lambda: check_control_plane(connection))


def _allowed(name: str, look: Callable[[], Iterator[Fact]]) -> Iterator[Fact]:
    try:
        yield from look()
    except Forbidden as error:
        hint = "'kubectl c9s rights check' prints the Role"
        yield Fact(name, "failed", f"a right is missing: {error.message}", hint)


def _server(connection: Connection) -> Iterator[Fact]:
    found = msgspec.json.decode(connection.get("/version", "ask for the version"))
    text = str(found.get("gitVersion", "?"))
    numbers = re.match(r"v?(\d+)\.(\d+)", text)
    version = (int(numbers[1]), int(numbers[2])) if numbers else (0, 0)
    if version < _OLDEST:
        yield Fact(
            "server",
            "failed",
            f"server {text}",
            "PodReadyToStartContainers needs Kubernetes 1.29 or newer",
        )
    else:
        yield Fact("server", "ok", f"server {text} at {connection.server}")


def _crds(connection: Connection, *, before_install: bool) -> Iterator[Fact]:
    found = {
        crd["metadata"]["name"]: crd
        for crd in read_all(connection, kinds.CRDS)
        if not crd["metadata"].get("deletionTimestamp")
    }
    absent = [one.full_name for one in _OURS if one.full_name not in found]
    newest = "install the CRDs of the newest chart"
    if _OLD_CRD in found:
        text = "CRDs of clabernetes 0.8 are installed"
        yield Fact("crds", "failed", text, "upgrade to 0.9 or newer, and remove launcherprofiles")
    elif len(absent) == len(_OURS):
        if before_install:
            yield Fact("crds", "ok", "no CRDs of c9s.run yet")
        else:
            text = "no CRDs of c9s.run are installed"
            yield Fact("crds", "failed", text, "install clabernetes first")
    elif absent:
        yield Fact("crds", "failed", f"missing: {', '.join(absent)}", newest)
    else:
        versions = sorted({name for one in _OURS for name in _served(found[one.full_name])})
        yield Fact("crds", "ok", f"{len(_OURS)} CRDs of c9s.run, {', '.join(versions)}")
    for resource in (kinds.CONFIGS, kinds.TOPOLOGIES):
        crd = found.get(resource.full_name)
        if crd is not None and not _has_rollout(crd):
            text = f"{resource.kind} has no field spec.rollout"
            yield Fact("rollout-field", "failed", text, newest)


def _served(crd: KubeObject) -> list[str]:
    return [version["name"] for version in crd["spec"]["versions"] if version.get("served")]


def _has_rollout(crd: KubeObject) -> bool:
    for version in crd["spec"]["versions"]:
        schema = version.get("schema", {}).get("openAPIV3Schema", {})
        if "rollout" in schema.get("properties", {}).get("spec", {}).get("properties", {}):
            return True
    return False
