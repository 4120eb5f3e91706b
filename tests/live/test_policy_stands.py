"""A policy on a real API server: its status is taken as it is made, shown in columns, and waited for."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from policy_served import KIND, served_alone

from kubectl_c9s.rollout.drifting import Drift
from kubectl_c9s.rollout.holding import Circumstances, Hold
from kubectl_c9s.rollout.policyfacts import BlockerRow, Facts, HostRow, Start, Written
from kubectl_c9s.rollout.policystatus import differs, policy_status
from kubectl_c9s.rollout.ruling import candidate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bed_base import Bed
    from bed_client import ApiClient, Json

ROOT = Path(__file__).parents[2]
NOW = 1_790_000_000.0
THEN = "2026-09-21T14:13:20Z"
STUCK = Start("stalled", "sandbox-failed", "lab/r1", 7)


class Place:
    """A namespace with policies."""

    def __init__(self, bed: Bed, client: ApiClient, collection: str, namespace: str) -> None:
        self._bed, self._client, self._collection = bed, client, collection
        self._namespace = namespace

    @property
    def _group(self) -> str:
        return self._collection.removeprefix("/apis/").partition("/")[0]

    def make(self, name: str, **spec: Any) -> Json:
        body = {
            "apiVersion": f"{self._group}/v1alpha1",
            "kind": KIND,
            "metadata": {"name": name},
            "spec": spec,
        }
        return self._client.create(self._collection, body, fieldValidation="Strict").ok()

    def read(self, name: str) -> Json:
        return self._client.get(f"{self._collection}/{name}").ok()

    def tell(self, name: str, status: Json) -> Json:
        """Write a status as the reconciler does, and give the object."""
        path = f"{self._collection}/{name}/status"
        body = {"metadata": {"resourceVersion": self.read(name)["metadata"]["resourceVersion"]}}
        return self._client.patch(path, body | {"status": status}, fieldValidation="Strict").ok()

    def kubectl(self, *arguments: str) -> str:
        done = self._bed.kubectl("--namespace", self._namespace, *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    @property
    def kind(self) -> str:
        return f"rolloutpolicies.{self._group}"

    def rows(self) -> dict[str, dict[str, str]]:
        """Give what ``kubectl get`` prints, by name and column; a cell may be empty."""
        head, *lines = self.kubectl("get", self.kind).splitlines()
        starts = [found.start() for found in re.finditer(r"\S+", head)]
        spans = list(zip(starts, [*starts[1:], None], strict=True))
        names = head.split()[1:]
        cells = [[line[start:end].strip() for start, end in spans] for line in lines]
        return {row[0]: dict(zip(names, row[1:], strict=True)) for row in cells}


@pytest.fixture
def place(bed: Bed) -> Iterator[Place]:
    with bed.namespace("policy") as namespace, served_alone(bed, namespace) as (client, collection):
        yield Place(bed, client, collection, namespace)


def facts(obj: Json, **known: Any) -> Facts:
    return Facts(obj["metadata"]["generation"], candidate(obj).policy, **known)


def test_the_shipped_definition_is_taken_strictly(bed: Bed) -> None:
    done = bed.kubectl("kustomize", str(ROOT / "manifests" / "crds"))
    assert done.returncode == 0, done.stderr
    (made,) = yaml.safe_load_all(done.stdout)
    assert made["metadata"]["name"] == "rolloutpolicies.toolkit.c9s.run"
    taken = bed.kubectl(
        "create", "--dry-run=server", "--validate=strict", "-f", "-", text=done.stdout
    )
    assert taken.returncode == 0, taken.stderr


def test_a_status_reads_back_as_it_was_made_and_is_not_written_twice(place: Place) -> None:
    obj = place.make("pace", mode="Enforce", config={"batchSize": 5})
    drift = Drift(
        "Config c9s/clabernetes", "batchSize", 0, 5, "spec.config.batchSize", "kubectl-edit"
    )
    known = facts(
        obj,
        start=STUCK,
        failures=(Hold("Forbidden", "may not patch configs", "Config c9s/clabernetes"),),
        blockers=(
            BlockerRow("lab/r1", "sandbox-failed", "global", THEN, 7),
            BlockerRow("lab/r2", "x", "", "", 0),
        ),
        hosts=(HostRow("h1", 1, 2, 3, 4, "slow"), HostRow("h2", 0, 0, 0, 0, "healthy")),
        writes=(Written(drift, THEN), Written(drift._replace(old=None, writer=""), THEN)),
    )
    status = policy_status(None, known, NOW)
    told = place.tell("pace", status)
    assert told["status"] == status
    again = policy_status(told["status"], known, NOW + 60)
    assert not differs(told["status"], again)
    # The status is no part of what a user writes, and the other way round.
    assert told["metadata"]["generation"] == obj["metadata"]["generation"] == 1
    assert told["spec"] == obj["spec"]


def test_columns_show_how_a_policy_stands_and_tools_can_wait_for_it(place: Place) -> None:
    first = place.make("first", mode="Enforce", config={"batchSize": 5})
    place.make("second", suspend=True)
    place.make("silent")
    place.tell("first", policy_status(None, facts(first, start=Start("healthy")), NOW))
    place.tell("second", policy_status(None, facts(place.read("second"), ruler="first"), NOW))
    rows = place.rows()
    assert {name: row.pop("AGE")[-1] for name, row in rows.items()} == dict.fromkeys(rows, "s")
    assert {name: list(row.values()) for name, row in rows.items()} == {
        "silent": ["Report", "", "", "", ""],
        "first": ["Enforce", "true", "True", "Enforced", "Healthy"],
        "second": ["Report", "false", "False", "Superseded", "Superseded"],
    }
    place.kubectl("wait", "--for=condition=Ready", "--timeout=5s", f"{place.kind}/first")
    place.kubectl("wait", "--for=condition=Stalled", "--timeout=5s", f"{place.kind}/second")
    stuck = policy_status(place.read("first")["status"], facts(first, start=STUCK), NOW + 5)
    place.tell("first", stuck)
    assert place.rows()["first"]["START"] == "SandboxFailed"
    place.kubectl("wait", "--for=condition=Ready=false", "--timeout=5s", f"{place.kind}/first")


def test_a_change_of_the_policy_is_a_new_generation_that_the_status_has_not_seen(
    place: Place,
) -> None:
    obj = place.make("pace")
    place.tell("pace", policy_status(None, facts(obj, how=Circumstances(0.0)), NOW))
    path = f"{place.kind}/pace"
    place.kubectl("patch", path, "--type=merge", "-p", '{"spec": {"suspend": true}}')
    read = place.read("pace")
    assert (read["metadata"]["generation"], read["status"]["observedGeneration"]) == (2, 1)
    assert candidate(read | {"apiVersion": "toolkit.c9s.run/v1alpha1"}).policy is not None


@pytest.mark.parametrize(
    "wrong",
    [
        {"blockers": [{"workload": "lab/r1", "cause": "x", "waiting": 1}] * 21},
        {"hosts": [{"host": "h", "booting": 0, "queued": 0, "started": 0, "verdict": "ill"}]},
        {"enforced": {"managed": -1, "drifted": 0}},
        {"more": 1},
    ],
    ids=str,
)
def test_a_status_that_is_none_is_refused(place: Place, wrong: Json) -> None:
    place.make("pace")
    with pytest.raises(AssertionError):
        place.tell("pace", wrong)
