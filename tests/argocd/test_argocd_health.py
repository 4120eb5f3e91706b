"""Health as Argo CD's own code finds it by the shipped settings: the whole table, and the recorded cases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from argocd_cases import CASES
from argocd_objects import thing
from argocd_table import DEGRADED, HEALTHY, PROGRESSING, Case
from split_lab import command

if TYPE_CHECKING:
    from argocd_harness import ArgoCd, Health

TYPES = (
    *("NodeProfileResolved", "PlanApplied", "Prepared", "ConnectivityReady", "ContainersReady"),
    *("Accepted", "TopologyReady", "Stalled", "Ready", "Reconciling"),
)
RECORDED = sorted((Path(__file__).parents[1] / "cases/diagnose").glob("*/dump.json"))


@pytest.fixture(scope="module")
def found(argocd: ArgoCd, rules: dict[str, str]) -> list[Health]:
    return argocd.health([case.object for case in CASES], rules)


@pytest.mark.parametrize(
    ("index", "case"),
    [
        pytest.param(index, case, id=f"{case.object['kind']}-{case.name}")
        for index, case in enumerate(CASES)
    ],
)
def test_an_object_has_the_health_of_its_status(
    found: list[Health], index: int, case: Case
) -> None:
    status, message = found[index]
    assert status == case.status, message
    assert case.said in message


def test_without_the_settings_argocd_takes_no_notice_of_a_lab(argocd: ArgoCd) -> None:
    assert {one.status for one in argocd.health([case.object for case in CASES[:3]], {})} == {""}


def test_every_kind_of_ours_has_rules(rules: dict[str, str]) -> None:
    prefix = "resource.customizations.health."
    named = {key.removeprefix(prefix) for key in rules if key.startswith(prefix)}
    kinds = ("Config", "Link", "Node", "NodeProfile", "Topology")
    assert named == {f"c9s.run_{kind}" for kind in kinds} | {"toolkit.c9s.run_RolloutPolicy"}


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo", "America/New_York"])
def test_times_mean_the_same_in_every_time_zone(
    argocd: ArgoCd, rules: dict[str, str], zone: str
) -> None:
    timed = [case for case in CASES if case.name.startswith("input missing")]
    assert len(timed) == 2
    found = argocd.health([case.object for case in timed], rules, TZ=zone)
    assert [one.status for one in found] == [case.status for case in timed]


@pytest.mark.parametrize("kind", ["Node", "Link", "Topology", "RolloutPolicy"])
def test_a_condition_with_no_more_than_its_type_and_status_is_understood(
    argocd: ArgoCd, rules: dict[str, str], kind: str
) -> None:
    objects = [
        thing(kind, {"conditions": [{"type": one, "status": status}]})
        for one in TYPES
        for status in ("True", "False", "Unknown")
    ]
    known = {HEALTHY, PROGRESSING, DEGRADED}
    assert {one.status for one in argocd.health(objects, rules)} <= known


@pytest.mark.parametrize("dump", RECORDED, ids=lambda path: path.parent.name)
def test_a_recorded_lab_is_as_diagnose_says(
    argocd: ArgoCd, rules: dict[str, str], dump: Path
) -> None:
    """Ready is healthy, and only what ``diagnose`` takes for stuck is degraded: not what waits for its turn."""
    items = json.loads(dump.read_text(encoding="utf-8"))["items"]
    nodes = [
        one for one in items if one["apiVersion"] == "c9s.run/v1alpha1" and one["kind"] == "Node"
    ]
    found = dict(zip(map(name_of, nodes), argocd.health(nodes, rules), strict=True))
    ready = {name_of(one) for one in nodes if one.get("status", {}).get("readiness") == "ready"}
    assert {name for name, one in found.items() if one.status == HEALTHY} == ready
    degraded = {name for name, one in found.items() if one.status == DEGRADED}
    answer = command("diagnose", "-f", str(dump), "-o", "json", "--fail-on", "never")
    assert degraded <= stuck(json.loads(answer.out))
    if dump.parent.name == "plan-failed-image":
        assert degraded
        assert all("OCIMetadataResolveManifest" in found[name].message for name in degraded)


def stuck(report: dict[str, Any]) -> set[str]:
    listed = [one for cause in report["causes"] for one in cause["objects"]]
    return {f"{one.get('namespace')}/{one['name']}" for one in listed if one["kind"] == "Node"}


def name_of(node: dict[str, Any]) -> str:
    return "{namespace}/{name}".format_map(node["metadata"])
