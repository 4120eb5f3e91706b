"""Causes whose age no flag makes less, and one that takes many devices: minutes, so they run with --full only."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
import standin_names as names
from faults_play import Fault, G, H, entry_of, play

if TYPE_CHECKING:
    from faults_site import Site

FIXED = 120.0  # seconds (diagnosis.md §4.1, §4.5)
MANY = 105


def deaf_leader(site: Site) -> list[Fault]:
    """Let a leader not see that the batch is off; then let another one lead."""
    lab = site.lab("deaf")
    site.limit(batchSize=1)
    site.faults(config_deaf=True)
    lab.device("a", fail="sandbox")
    lab.wait("a is admitted", lambda: lab.nodes()["a"].mark)
    lab.device("b")
    site.write_limits(batchSize=0)
    begin = time.monotonic()

    def restart() -> None:
        site.standin.stop()
        site.wrong.clear()
        site.standin.start()

    own = site.standin.namespace
    return [
        Fault(
            "config-not-observed",
            lambda: [("Config", own, names.CONFIG)],
            "restore-manager",
            lambda: time.monotonic() > begin + FIXED,
            restart,
            scope=G,
            says="spec.rollout was edited",
        ),
        Fault(
            "sandbox-failed",
            lambda: [lab.node_ref()],
            "fix-cni",
            lambda: lab.event("FailedCreatePodSandBox"),
            lambda: lab.heal("a"),
            scope=(),
        ),
    ]


def slow_volume(site: Site) -> Fault:
    """Let a grant not come into its Pod; then let it."""
    lab = site.lab("volume", host=site.host("volume"))
    lab.device("a", grant_delay="1h")
    lab.wait("a is granted", lambda: any(pod.grant for pod in lab.pods().values()))
    begin = time.monotonic()
    lab.device("b")
    return Fault(
        "grant-not-projected",
        lambda: [lab.pod_ref()],
        "repair-host",
        lambda: time.monotonic() > begin + FIXED,
        lambda: lab.say(lab.pod_path("a"), annotations={f"{names.TEST}grant-delay": "50ms"}),
        scope=H,
        says="granted, and startup-gate still runs",
    )


@pytest.mark.full
def test_a_leader_that_does_not_see_the_config_is_named_and_replaced(site: Site) -> None:
    play(site, deaf_leader)


@pytest.mark.full
def test_a_grant_that_does_not_reach_its_pod_is_named_and_mended(site: Site) -> None:
    site.limit(maxConcurrentPerHost=1)
    play(site, slow_volume)


@pytest.mark.full
def test_many_devices_without_any_limit_are_remarked_until_there_is_one(site: Site) -> None:
    lab = site.lab("many", host=None)
    found = [f"n{number:03}" for number in range(MANY)]
    for name in found:
        lab.fails(name, "sandbox")
    lab.start(found, batchSize=0)

    def remark() -> str:
        entry = entry_of(site.report("--slow-after=60s"), "limit-disabled")
        return entry["state"] if entry else ""

    site.wait("it is remarked", lambda: remark() == "note")
    site.limit(batchSize=10)
    site.wait("it is gone", lambda: not remark())
