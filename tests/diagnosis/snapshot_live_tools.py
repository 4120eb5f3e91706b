"""A lab in trouble on a test bed, somebody who may only look, and what may be compared of two reports."""

from __future__ import annotations

import json
import tarfile
from typing import TYPE_CHECKING, Any

from bed_client import path_of
from live_tools import c9s
from standin_lab_tools import LINUX

from kubectl_c9s.cluster import capture as capturing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pytest
    from bed_client import Json
    from bed_own import OwnBed
    from rights_tools import Person
    from standin_lab_tools import Labs

FAST = ("--slow-after", "1s", "--stalled-after", "2s")
RBAC = "rbac.authorization.k8s.io/v1"


def view(person: Person) -> None:
    """Give the rights of the built-in role ``view`` in the namespace."""
    account = {"kind": "ServiceAccount", "name": "person", "namespace": person.namespace}
    role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "view"}
    meta = {"name": "view", "namespace": person.namespace}
    body = {
        "apiVersion": RBAC,
        "kind": "RoleBinding",
        "metadata": meta,
        "roleRef": role,
        "subjects": [account],
    }
    with person.bed.client() as client:
        client.create(path_of(RBAC, "rolebindings", person.namespace), body).ok()


def in_trouble(bed: OwnBed, labs: Labs) -> None:
    """Let a start be stuck on a refused plan and a sandbox that fails."""
    labs.limit(batchSize=2)
    labs.standin.start()
    labs.standin.faults(plan_refused={f"{labs.namespace}/leaf1": "PlanUnsupported"})
    labs.node("leaf1")
    labs.node("spine1", fail="sandbox")
    labs.topology("metro", dict.fromkeys(("a1", "a2"), LINUX), batchSize=1)
    labs.wait("the plan is refused", lambda: labs.reason("leaf1") == "PlanUnsupported")
    labs.wait("a Pod without a sandbox is old enough", lambda: stuck(bed, labs))


def stuck(bed: OwnBed, labs: Labs) -> bool:
    """Tell whether the sandbox is late enough to be spoken of."""
    answer = c9s(bed, "diagnose", "-o", "json", *FAST, *placed(labs))
    return any(one["code"] == "sandbox-failed" for one in json.loads(answer.out)["causes"])


def placed(labs: Labs) -> list[str]:
    return ["-n", labs.namespace, "--manager-namespace", labs.standin.namespace]


def at_one_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all commands see what the first one saw: the server does not stand still between them."""
    seen: list[Any] = []
    real = capturing.capture

    def once(*args: Any) -> Any:
        seen.extend([] if seen else [real(*args)])
        return seen[0]

    monkeypatch.setattr(capturing, "capture", once)
    monkeypatch.setattr("kubectl_c9s.cli.snapshotparts.capture", once)


def told(report: Json) -> list[Any]:
    """Give what a report says without any name in it."""
    plain = ("code", "state", "scope", "sub", "since", "blocks", "remedies")
    causes = [[one.get(key) for key in plain] + [len(one["objects"])] for one in report["causes"]]
    counts = report["counts"]["global"]
    sizes = {key: value if isinstance(value, int) else len(value) for key, value in counts.items()}
    hosts = list(report["counts"]["hosts"].values())
    labs = [
        one | {"blocking": len(one["blocking"])} for one in report["counts"]["topologies"].values()
    ]
    return [
        report["verdict"],
        report["primaryCause"],
        causes,
        sizes,
        hosts,
        labs,
        report["notCollected"],
    ]


def archived(path: Path) -> Iterator[bytes]:
    with tarfile.open(path) as archive:
        for member in archive:
            file = archive.extractfile(member)
            assert file is not None
            yield file.read()
