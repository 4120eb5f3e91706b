"""Pods that do not go: rows 4 and 5 of the table of causes."""

from __future__ import annotations

from diagnosis_dump import Site
from diagnosis_objects import ago
from diagnosis_report import report
from diagnosis_stages import terminate


def test_an_old_pod_within_its_grace_explains_that_there_is_no_other() -> None:
    site = Site(batch=1)
    pod = terminate(site.run(site.node("lab/a"), made=9000), 29)
    assert report(site).codes == []
    pod["metadata"]["deletionTimestamp"] = ago(299)
    pod["metadata"]["deletionGracePeriodSeconds"] = 300
    assert report(site).codes == []
    pod["metadata"]["deletionTimestamp"] = ago(301)
    report(site).expect("old-pod-terminating", "G", "Node lab/a", state="stuck")


def test_a_newer_pod_is_what_counts() -> None:
    site = Site(batch=1)
    node = site.node("lab/a")
    terminate(site.run(node, made=9000), 5000)
    site.run(node, made=300, again="new")
    assert report(site).codes == []


def orphaned(site: Site, age: float = 400) -> str:
    node = site.node("lab/gone")
    pod = terminate(site.boot(node, runs=900, host="worker-2", gate="passed"), age)
    site.remove(node)
    return f"Pod lab/{pod['metadata']['name']}"


def test_an_orphan_that_boots_stops_every_host_with_a_queue() -> None:
    site = Site(per_host=2)
    pod = orphaned(site)
    site.queue(site.node("lab/a"), host="worker-1")
    site.queue(site.node("lab/b"), host="worker-2")
    found = report(site)
    found.expect("orphan-boot", "H", pod, state="stuck", remedies=["finish-deletion"], blocks=2)
    assert (found.verdict, found.counts["orphanBoots"]) == ("stalled", ["lab/gone-5d9f-pod"])


def test_an_orphan_is_a_remark_while_nobody_is_queued() -> None:
    site = Site(per_host=2)
    pod = orphaned(site)
    site.run(site.node("lab/a"))
    found = report(site)
    found.expect("orphan-boot", "I", pod, state="note")
    assert (found.verdict, found.primary, found.remedies) == ("healthy", None, ["none"])


def test_an_orphan_needs_nodes_to_be_one() -> None:
    site = Site(per_host=2)
    orphaned(site)
    site.queue(site.node("lab/a"))
    found = report(site, without=["Node"])
    assert (found.codes, found.counts["orphanBoots"], found.data["blockers"]) == ([], [], [])


def test_an_orphan_is_judged_by_its_deletion() -> None:
    site = Site(per_host=2)
    pod = orphaned(site, age=100)
    site.queue(site.node("lab/a"))
    report(site).expect("orphan-boot", "H", pod, state="slow", since=ago(100))


def test_a_pod_of_an_older_node_of_that_name_is_nobodys() -> None:
    site = Site(batch=1)
    old = site.node("lab/a", made=9000)
    pod = site.run(old, made=8000)
    pod["metadata"]["annotations"]["c9s.run/direct-node-uid"] = "older"
    found = report(site)
    found.expect("no-pod-unknown", "G", "Node lab/a", sub="no-pod")


def test_the_oldest_of_the_pods_that_terminate_tells_since_when() -> None:
    site = Site(batch=1)
    node = site.node("lab/a")
    terminate(site.run(node, made=9000), 400)
    terminate(site.run(node, made=8000, again="later", host="worker-2"), 100)
    found = report(site)
    found.expect("old-pod-terminating", "G", "Node lab/a", state="stuck", since=ago(400))
    assert "worker-1" in found.text("old-pod-terminating")
