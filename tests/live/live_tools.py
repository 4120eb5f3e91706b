"""The product's live commands on a test bed: labs to apply, what the server then has, and what it was asked."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

from bed_client import Json, path_of
from split_lab import Answer, command

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from bed_base import Bed
    from bed_client import ApiClient
    from bed_own import OwnBed

C9S = "c9s.run/v1alpha1"
AGENT = "kubectl-c9s/"
PLURALS = {
    "ConfigMap": ("v1", "configmaps"),
    "NodeProfile": (C9S, "nodeprofiles"),
    "Link": (C9S, "links"),
    "Node": (C9S, "nodes"),
}
READS = {"get", "list", "watch"}


def c9s(bed: Bed, *args: str, kubeconfig: Path | None = None, stdin: bytes = b"") -> Answer:
    """Run a command against a bed, as its administrator or by another kubeconfig."""
    place = kubeconfig or bed.kubeconfig
    return command(*args, "--kubeconfig", str(place), stdin=stdin)


def node(name: str, lab: str = "lab", **spec: Any) -> Json:
    """Make a Node of a lab; it needs no profile to be accepted."""
    return made("Node", name, lab, {"kind": "linux", "image": "alpine:3", **spec})


def link(name: str, a: str, b: str, lab: str = "lab") -> Json:
    """Make a Link between the first interfaces of two Nodes."""
    first, second = ({"nodeName": one, "interfaceName": "eth1"} for one in (a, b))
    return made("Link", name, lab, {"endpointA": first, "endpointB": second})


def config_map(name: str, lab: str = "lab", **data: str) -> Json:
    """Make a ConfigMap of a lab."""
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name, "labels": {"c9s.run/topologyOwner": lab}},
        "data": data,
    }


def made(kind: str, name: str, lab: str, spec: Json) -> Json:
    labels = {"c9s.run/topologyOwner": lab}
    metadata = {"name": name, "labels": labels}
    return {"apiVersion": C9S, "kind": kind, "metadata": metadata, "spec": spec}


def small_lab(lab: str = "lab") -> list[Json]:
    """Make one object of each kind that apply takes, apart from Namespaces."""
    profile = made("NodeProfile", lab, lab, {"imagePull": {"policy": "Always"}})
    nodes = [node(name, lab, profileRef={"name": lab}) for name in ("r1", "r2")]
    return [
        config_map("files", lab, text="hello\n"),
        profile,
        link("r1-r2", "r1", "r2", lab),
        *nodes,
    ]


def written(folder: Path, objects: Iterable[Json], name: str = "lab.json") -> str:
    """Write objects into a file and give its path."""
    path = folder / name
    body = {"apiVersion": "v1", "kind": "List", "items": list(objects)}
    path.write_text(json.dumps(body), encoding="utf-8")
    return str(path)


def path_to(obj: Json, namespace: str) -> str:
    """Give the path of an object in a namespace."""
    return path_of(*PLURALS[obj["kind"]], namespace, obj["metadata"]["name"])


def versions(client: ApiClient, namespace: str) -> dict[tuple[str, str], tuple[str, str]]:
    """Give uid and resourceVersion of every object of a lab in a namespace."""
    found = {}
    for kind, place in PLURALS.items():
        for one in client.get(path_of(*place, namespace)).ok()["items"]:
            if "c9s.run/topologyOwner" in one["metadata"].get("labels", {}):
                meta = one["metadata"]
                found[kind, meta["name"]] = meta["uid"], meta["resourceVersion"]
    return found


def contents(client: ApiClient, namespace: str) -> dict[tuple[str, str], Json]:
    """Give what lab objects of a namespace say, without what the server adds."""
    found = {}
    for kind, place in PLURALS.items():
        for one in client.get(path_of(*place, namespace)).ok()["items"]:
            labels = one["metadata"].get("labels", {})
            if "c9s.run/topologyOwner" in labels:
                rest = {key: one[key] for key in ("spec", "data") if key in one}
                found[kind, one["metadata"]["name"]] = rest | {"labels": labels}
    return found


class Asked:
    """What the audit log says was asked since this was made, in one namespace, by the product."""

    def __init__(self, bed: OwnBed, namespace: str) -> None:
        self._bed = bed
        self._namespace = namespace
        self._start = bed.audit_log.stat().st_size

    def entries(self, *, agent: str = AGENT) -> list[Json]:
        """Give the entries of answered requests; asks once itself, so that all before are written."""
        marker = (
            f"/api/v1/namespaces/{self._namespace}/configmaps/audit-marker-{time.monotonic_ns()}"
        )
        with self._bed.client() as client:
            client.get(marker)
        for _ in range(600):
            lines = self._lines()
            if any(one["requestURI"].startswith(marker) for one in lines):
                return [one for one in lines if one.get("userAgent", "").startswith(agent)]
            time.sleep(0.05)
        raise AssertionError("the audit log does not come up to date")

    def writes(self) -> list[Json]:
        """Give the entries that are no reads, whether granted or not."""
        return [one for one in self.entries() if one["verb"] not in READS]

    def _lines(self) -> list[Json]:
        with self._bed.audit_log.open("rb") as file:
            file.seek(self._start)
            whole = file.read()
        needle = f"/namespaces/{self._namespace}/".encode()
        lines = whole[: whole.rfind(b"\n") + 1].splitlines()
        found = [json.loads(line) for line in lines if needle in line]
        return [one for one in found if one["stage"] == "ResponseComplete"]
