"""``Stalled`` in the status of a policy says what ``diagnose`` says of the same state, fault by fault, and after it."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import test_faults_live
from bed_client import path_of
from faults_play import cure_all, name_all

# The tools of the reconciler's tests: the folder is not among those that all tests see.
sys.path.append(str(Path(__file__).parents[1] / "reconciler"))

from reconcile_process import Running
from reconcile_site import TOOLKIT, load_kinds, made

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bed_client import Json
    from faults_play import Play
    from faults_site import Site

WITHIN = 90.0
NOT_STALLED = {"misconfigured": "Misconfigured", "slow": "Slow", "healthy": "Healthy"}
TESTS: list[Callable[[Site], None]] = [
    one for name, one in vars(test_faults_live).items() if name.startswith("test_")
]


@pytest.fixture
def told(site: Site, tmp_path: Path) -> Iterator[Callable[[], Json]]:
    """Let a reconciler report with the thresholds of these tests; give how to ask for the condition."""
    own = site.standin.namespace
    load_kinds(site.bed)
    policies = path_of(TOOLKIT, "rolloutpolicies", own)
    spec = {"mode": "Report", "stall": {"slowAfter": "1s", "stalledAfter": "3s"}}
    site.client.delete(f"{policies}/report")
    site.client.create(policies, made(TOOLKIT, "RolloutPolicy", "report", spec=spec)).ok()

    def stalled() -> Json:
        status = site.client.get(f"{policies}/report").ok().get("status") or {}
        found = [one for one in status.get("conditions") or () if one["type"] == "Stalled"]
        return found[0] if found else {}

    process = Running(tmp_path, own, site.bed.kubeconfig)
    try:
        yield stalled
    finally:
        process.kill()
        site.client.delete(f"{policies}/report")
        sys.stdout.write(process.said)


def wanted(report: Json) -> tuple[str, str]:
    """Give status and reason that a report stands for."""
    causes = [one for one in report["causes"] if one["state"] != "note"]
    if report["verdict"] != "stalled":
        return "False", NOT_STALLED[report["verdict"]]
    return "True", "".join(part.capitalize() for part in causes[0]["code"].split("-"))


def agree(site: Site, told: Callable[[], Json]) -> None:
    """Wait until both say the same: two looks are never at one moment, and much is under way."""
    end = time.monotonic() + WITHIN
    while True:
        report, found = site.report(), told()
        if (found.get("status"), found.get("reason")) == wanted(report):
            return
        assert time.monotonic() < end, f"{found} is told, {wanted(report)} diagnosed"
        time.sleep(0.5)


def agreeing(told: Callable[[], Json]) -> Callable[..., None]:
    """Give a ``play`` of which both have to say the same, while the faults are there and after."""

    def play(site: Site, *plays: Play) -> None:
        faults: Iterable[Any] = name_all(site, *plays)
        agree(site, told)
        cure_all(site, faults)
        agree(site, told)

    return play


@pytest.mark.parametrize(
    "test",
    [*TESTS[:2], *(pytest.param(one, marks=pytest.mark.full) for one in TESTS[2:])],
    ids=lambda one: one.__name__,
)
def test_faults_are_told_as_they_are_diagnosed(
    test: Callable[[Site], None],
    site: Site,
    told: Callable[[], Json],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(test_faults_live, "play", agreeing(told))
    test(site)
