"""What is worth a remark is remarked on a real cluster, and never called a stall; what only waits is left alone."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import standin_names as names
from bed_client import path_of
from faults_control import CONTROLLERS, stop
from faults_play import accused, entry_of, refs

if TYPE_CHECKING:
    from bed_client import Json
    from faults_lab import Ref
    from faults_site import Site

DEFAULT = "--slow-after=60s"  # the thresholds are what they are without flags


@dataclasses.dataclass(frozen=True)
class Notes:
    """Waits for remarks to come and to go; meanwhile nothing is stalled or slow."""

    site: Site

    def come(self, code: str, *objects: Ref, state: str = "note", remedy: str = "") -> None:
        def is_there() -> bool:
            entry = entry_of(self._report(), code)
            return entry is not None and entry["state"] == state and refs(entry) == set(objects)

        self.site.wait(f"{code} is remarked", is_there)
        entry = entry_of(self._report(), code)
        assert entry is not None
        assert entry["remedies"] == ([remedy] if remedy else [])
        assert entry["scope"] == ["info"]

    def go(self, code: str) -> None:
        self.site.wait(f"{code} is gone", lambda: entry_of(self._report(), code) is None)

    def _report(self) -> Json:
        report = self.site.report(DEFAULT)
        assert report["verdict"] == "healthy", report
        assert not accused(report, "stuck", "config", "slow")
        return report


def test_a_missing_config_is_remarked_until_it_is_made(site: Site) -> None:
    notes = Notes(site)
    path = path_of(names.VERSION, "configs", site.standin.namespace, names.CONFIG)
    site.client.delete(path).ok()
    notes.come("config-missing", remedy="create-config")
    site.limit()
    notes.go("config-missing")


def test_an_ignored_node_is_remarked_until_its_label_is_removed(site: Site) -> None:
    notes, lab = Notes(site), site.lab("ignored")
    lab.make(
        names.VERSION,
        "Node",
        "a",
        metadata={"name": "a", "labels": {names.IGNORE: "yes"}},
        spec={"kind": "linux", "image": "busybox:1.37"},
    )
    lab.device("b", {"network-mode": "container:a"})
    lab.wanted.add("a")
    notes.come("ignored-primary", lab.node_ref("a"), lab.node_ref("b"), remedy="remove-label")
    lab.say(lab.path("nodes", "a"), labels={names.IGNORE: None})
    site.wait_ready()
    notes.go("ignored-primary")


def test_batches_that_add_up_are_remarked_until_there_is_a_limit_for_all(site: Site) -> None:
    notes, labs = Notes(site), [site.lab("burst") for _ in range(2)]
    for lab in labs:
        lab.fails("a", "sandbox")
        lab.start("ab", batchSize=1)
    notes.come("combined-burst", *(lab.ref("Topology", "t") for lab in labs), remedy="set-limit")
    site.limit(batchSize=1)
    notes.go("combined-burst")
    for lab in labs:
        lab.heal("a")
    site.wait_ready()


def test_strange_pods_are_remarked(site: Site) -> None:
    notes, lab = Notes(site), site.lab("strange")
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "bare", "labels": {names.WORKLOAD: "bare"}},
        "spec": {"containers": [{"name": "c", "image": "busybox:1.37"}]},
    }
    site.wait("a Pod is taken", lambda: lab.client.create(lab.at("v1", "pods"), pod).status == 201)
    notes.come("unlabelled-workload", lab.ref("Pod", "bare"))
    lab.device("a")
    site.wait_ready()
    lab.say(lab.pod_path("a"), annotations={names.GRANT: "copied from another Pod"})
    notes.come("grant-stale", lab.pod_ref("a"))


def test_a_full_host_is_waited_for_and_goes_on_by_itself(site: Site) -> None:
    site.limit(maxConcurrentPerHost=1)
    notes, lab = Notes(site), site.lab("slots")
    lab.device("a", boot_delay="4s")
    lab.wait("a has the slot", lambda: any(pod.grant for pod in lab.pods().values()))
    lab.device("b")
    notes.come("slot-limit", lab.pod_ref("a"), state="waits", remedy="wait")
    site.wait_ready()
    notes.go("slot-limit")


def test_replica_sets_that_come_late_are_waited_for(site: Site) -> None:
    notes, lab = Notes(site), site.lab("late")
    stop(site, CONTROLLERS)
    lab.start()
    notes.come("deployment-controller-lag", lab.node_ref("a"), state="waits", remedy="wait")
    site.mend()
    site.wait_ready()
    notes.go("deployment-controller-lag")
