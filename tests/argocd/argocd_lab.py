"""A lab on the bed as Git has it: rendered by the product with sync waves, and what is live of it."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Any, Final

from bed_client import path_of
from split_lab import command

if TYPE_CHECKING:
    from collections.abc import Callable

    from argocd_harness import ArgoCd, Health
    from bed_own import OwnBed
    from standin_lab_tools import Labs

Json = dict[str, Any]
PLURALS: Final = {
    "Node": "nodes",
    "Link": "links",
    "NodeProfile": "nodeprofiles",
    "Topology": "topologies",
}
WAVE: Final = "argocd.argoproj.io/sync-wave"


def rendered(namespace: str, nodes: tuple[str, ...], *wires: str, **annotations: str) -> list[Json]:
    """Render a lab whose wires are written like ``a:eth1-b:eth1``, in sync waves; annotations are for its Nodes."""
    inner = {
        "nodes": {name: {"kind": "linux", "image": "busybox:1.37"} for name in nodes},
        "links": [{"endpoints": wire.split("-")} for wire in wires],
    }
    text = json.dumps({"name": "t", "topology": inner})
    body = {"apiVersion": "c9s.run/v1alpha1", "kind": "Topology", "metadata": {"name": "t"}}
    topology = json.dumps(body | {"spec": {"definition": {"containerlab": text}}})
    answer = command(
        "split",
        "-f",
        "-",
        "-n",
        namespace,
        "--argo-sync-waves",
        "-o",
        "json",
        stdin=topology.encode(),
    )
    assert answer.code == 0, answer.err
    objects: list[Json] = json.loads(answer.out)["items"]
    for one in objects:
        if one["kind"] == "Node":
            one["metadata"]["annotations"] |= annotations
    return objects


@dataclasses.dataclass(frozen=True)
class Site:
    """Argo CD's code with the shipped rules, and the labs of a stand-in."""

    argocd: ArgoCd
    rules: dict[str, str]
    bed: OwnBed
    labs: Labs

    def sync(
        self, objects: list[Json], *, rules: dict[str, str] | None = None, **more: Any
    ) -> Json:
        """Sync as an Application does that prunes; ``seconds`` is how long it may take."""
        place = {"kubeconfig": str(self.bed.kubeconfig), "namespace": self.labs.namespace}
        return self.argocd.sync(objects, rules or self.rules, **place, **{"seconds": 60} | more)

    def live(self, kind: str) -> dict[str, Json]:
        """Read the objects of a kind by name."""
        items = self.labs.client.get(self.labs.path(PLURALS[kind])).ok()["items"]
        head = {"apiVersion": "c9s.run/v1alpha1", "kind": kind}
        return {one["metadata"]["name"]: head | one for one in items}

    def health(self, kind: str) -> dict[str, tuple[Json, Health]]:
        """Give what is live of a kind, each with its health at that moment."""
        live = self.live(kind)
        if not live:
            return {}
        found = self.argocd.health(list(live.values()), self.rules)
        return {name: (live[name], one) for name, one in zip(live, found, strict=True)}

    def diagnosis(self) -> Json:
        """Ask ``diagnose`` about the labs."""
        where = (
            "--kubeconfig",
            str(self.bed.kubeconfig),
            "--manager-namespace",
            self.labs.standin.namespace,
        )
        answer = command(
            "diagnose", "-n", self.labs.namespace, "-o", "json", "--fail-on", "never", *where
        )
        assert answer.code == 0, answer.err
        report: Json = json.loads(answer.out)
        return report

    def wait(self, what: str, holds: Callable[[], object]) -> None:
        self.labs.wait(what, holds)

    def delete(self, kind: str, name: str) -> None:
        path = path_of("c9s.run/v1alpha1", PLURALS[kind], self.labs.namespace, name)
        self.labs.client.delete(path).ok()
