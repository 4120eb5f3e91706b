"""``measure watch`` on a real API server: milestones are those of the audit log, peaks those of another watch."""

from __future__ import annotations

import functools
import json
import os
import resource
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bed_sources
import jsonschema_rs
import pytest
from audit_reader import AuditLog
from bed_client import path_of
from bed_own import Wish
from bed_plugin import may_build, using
from split_lab import command
from standin_lab_tools import LINUX, Labs
from standin_run import BED_FLAGS, Standin
from watch_judges import Audited, watching_peaks
from watch_process import watching

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bed_own import OwnBed

    from kubectl_c9s.measurement.run import Run

SCHEMA = Path(__file__).parents[2] / "docs/schemas/startup-run.json"
DEVICES = 40
MANY = 1000
QUICK = {"kube-controller-manager": ["--kube-api-qps=200", "--kube-api-burst=300"]}
# The fake hosts take the time of a status a moment before they send it.
TO_THE_SECOND = 1.0


def names(count: int) -> list[str]:
    return [f"n{number:04}" for number in range(count)]


def measured(
    labs: Labs, bed: OwnBed, folder: Path, count: int, *args: str
) -> tuple[Run, list[str]]:
    """Start a lab under the eyes of all three; give the recording, and what is wrong with it."""
    log = AuditLog(bed.audit_log)
    flags = ("-n", labs.namespace, "--count", str(count), "--timeout=20m", "-o", "json", *args)
    with (
        watching_peaks(bed, labs.namespace) as peaks,
        watching(folder, bed.kubeconfig, *flags) as one,
    ):
        labs.topology("lab", dict.fromkeys(names(count), LINUX))
        ended = one.ended(1200)
        assert ended.code == 0, ended.err
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert json.loads(ended.out) == json.loads(one.file.read_bytes())
    run = one.run()
    log.catch_up(labs.client)
    audited = Audited(log.entries(), labs.namespace)
    worst = audited.judge(run)
    cpu = used.ru_utime + used.ru_stime
    sys.stdout.write(
        f"\n{count} devices in {run.elapsed:.1f} s, load {os.getloadavg()[0]:.1f}; "
        f"{cpu:.1f} s of processor time of all children so far; off by {worst}\n"
    )
    wrong = [f"{name} is {off:g} s off" for name, off in worst.items() if off > TO_THE_SECOND]
    if len(audited.unclear) > count // 10:
        wrong.append(f"the log is not clear about {audited.unclear}")
    if peaks.peaks != {host: one.booting for host, one in run.peaks.items()} or peaks.gaps:
        wrong.append(f"peaks are {peaks.peaks}, not {run.peaks}; {peaks.gaps} gaps")
    return run, wrong


def check_whole(run: Run, count: int) -> None:
    """Look at what every whole recording has."""
    assert (run.verdict, run.expected, len(run.devices)) == ("reached", count, count)
    assert {"plans", "deployments", "replicaSets", "pods", "started", "ready"} <= run.overall.keys()
    assert run.overall["pods"] <= run.overall["started"] <= run.overall["ready"] <= run.elapsed
    for one in run.devices:
        assert one.observed.keys() >= {
            "created",
            "planned",
            "pod",
            "sandbox",
            "prepared",
            "started",
            "ready",
        }
        assert one.host
        assert one.addresses
    assert run.churn is not None
    assert run.churn.kinds["pods"].created == count
    assert run.churn.kinds["nodes.c9s.run"].bytes > 0
    last = run.samples[-1].hosts.values()
    assert sum(one.pods for one in last) == sum(one.ready for one in last) == count


@pytest.mark.parametrize(("batch", "cap"), [(15, 2), pytest.param(0, 0, marks=pytest.mark.full)])
def test_milestones_are_the_audit_logs_and_peaks_another_watchs(
    labs: Labs, device_bed: OwnBed, tmp_path: Path, batch: int, cap: int
) -> None:
    labs.limit(batchSize=batch, maxConcurrentPerHost=cap)
    labs.standin.start()
    run, wrong = measured(labs, device_bed, tmp_path, DEVICES, "--sample-every=2s")
    assert wrong == []
    check_whole(run, DEVICES)
    assert {"granted" in one.observed for one in run.devices} == {cap > 0}
    assert {"admitted" in one.observed for one in run.devices} == {batch > 0}
    assert run.anchor is not None
    assert (run.anchor.kind, run.anchor.name) == ("Topology", f"{labs.namespace}/lab")
    assert run.manifest.limits is not None
    assert run.manifest.limits.batch_size == batch
    schema: Any = json.loads(SCHEMA.read_text(encoding="utf-8"))
    validator = jsonschema_rs.validator_for(schema)
    validator.validate(json.loads((tmp_path / "run.json").read_bytes()))
    check_afterwards(labs, device_bed, run)


def check_afterwards(labs: Labs, bed: OwnBed, run: Run) -> None:
    """Look at the same start after the fact: the same stamps, apart from what the fake hosts forget of inits."""
    labs.wait(
        "the Topology is ready", lambda: labs.status("topologies", "lab").get("topologyReady")
    )
    flags = ("-n", labs.namespace, "--once", "-o", "json", f"--kubeconfig={bed.kubeconfig}")
    answer = command("measure", "watch", *flags)
    assert answer.code == 0, answer.err
    found = json.loads(answer.out)
    for one, seen in zip(found["devices"], run.devices, strict=True):
        assert "observed" not in one
        forgotten = {"preparing"}
        assert {key: at for key, at in one["stamps"].items() if key not in forgotten} == {
            key: at for key, at in seen.stamps.items() if key not in forgotten
        }
    assert found["clock"] == "stamped"
    assert found["overall"]["topology"] >= found["overall"]["ready"]


@pytest.fixture
def large_labs(tmp_path: Path) -> Iterator[tuple[Labs, OwnBed]]:
    """Give a namespace on a bed for a large lab, and a stand-in."""
    name = f"{bed_sources.PRIVATE}measure-{secrets.token_hex(3)}"
    wish = Wish(nodes=3 + MANY // 200, flags=BED_FLAGS | QUICK)
    make = functools.partial(bed_sources.obtain_own, name, wish, may_build=may_build())
    with using(name, make) as bed, bed.namespace("c9s") as own, bed.client() as client:
        arguments = ("--lease=60,40,8",)
        standin = Standin(bed, tmp_path / "standin.log", namespace=own, arguments=arguments)
        meta = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "large"}}
        client.create(path_of("v1", "namespaces"), meta).ok()
        try:
            yield Labs(client, standin, "large"), bed
        finally:
            standin.stop()
            sys.stdout.write(standin.log())


@pytest.mark.full
def test_a_thousand_devices_are_measured_to_the_second(
    large_labs: tuple[Labs, OwnBed], tmp_path: Path
) -> None:
    labs, bed = large_labs
    labs.limit(batchSize=100, maxConcurrentPerHost=20)
    labs.standin.start()
    run, wrong = measured(labs, bed, tmp_path, MANY)
    assert wrong == []
    check_whole(run, MANY)
