"""What the cases beside the checkout expect, by the stand-in: counts of diagnosis, names of Links."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import standin_gates as gates
from standin_names import VERSION, link_name
from standin_views import Snapshot, limits, view_node, view_pod, view_topology

SHARED = Path(os.environ.get("C9S_SHARED") or Path(__file__).parents[3] / "shared")
SPLITS = sorted(path.parent for path in SHARED.glob("cases/split/*/expected.json"))
CASES = sorted(path.parent for path in SHARED.glob("cases/diagnose/*/dump.json"))


@pytest.mark.skipif(not CASES, reason="no cases of diagnosis beside the checkout")
@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_the_counts_of_the_diagnosis_cases_come_out(case: Path) -> None:
    items = json.loads((case / "dump.json").read_text(encoding="utf-8"))["items"]
    counts = json.loads((case / "expected.json").read_text(encoding="utf-8"))["counts"]
    ours = [one for one in items if one["apiVersion"] == VERSION]
    nodes = [view_node(one) for one in ours if one["kind"] == "Node"]
    topologies = [view_topology(one) for one in ours if one["kind"] == "Topology"]
    configs = [one for one in ours if one["kind"] == "Config"]
    specs = [one["spec"] for one in configs if one["metadata"]["namespace"] == "c9s"]
    batch, per_host = limits(specs[0] if specs else {})
    pods = [view_pod(one) for one in items if one["kind"] == "Pod"]
    snapshot = Snapshot(batch, per_host, nodes, pods, topologies)
    queue, hosts = gates.global_pass(snapshot), gates.host_pass(snapshot)
    assert sorted(queue.blocked) == counts["global"]["blockingGroups"]
    assert len(queue.pending) == counts["global"]["pending"]
    following = [] if queue.blocked else list(queue.pending[:batch])
    assert following == counts["global"]["nextBatch"]
    if hosts.booting:  # without any gate nobody counts (admission.md §5.2)
        expected = {name: one["booting"] for name, one in counts["hosts"].items()}
        assert {name: hosts.booting.get(name, 0) for name in expected} == expected
    assert sorted(hosts.orphans) == counts["orphanBoots"]


@pytest.mark.skipif(not SPLITS, reason="no cases of split beside the checkout")
@pytest.mark.parametrize("case", SPLITS, ids=lambda path: path.name)
def test_links_have_the_names_that_the_cases_of_split_expect(case: Path) -> None:
    for link in json.loads((case / "expected.json").read_text(encoding="utf-8"))["links"]:
        ends = (link["spec"]["endpointA"], link["spec"]["endpointB"])
        parts = [end[key] for end in ends for key in ("nodeName", "interfaceName")]
        assert link_name(*parts) == link["metadata"]["name"]
