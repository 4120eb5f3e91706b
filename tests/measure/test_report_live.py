"""A start that was really recorded: reported, with its batches, and compared with itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import jsonschema_rs
from split_lab import command
from watch_process import watching

if TYPE_CHECKING:
    from bed_own import OwnBed
    from standin_lab_tools import Labs

SCHEMAS = Path(__file__).parents[2] / "docs/schemas"
DEVICES = 16
BATCH = 8
SANDBOX = "3s"
"""Long against what a busy machine adds to the gaps within a batch: the next one waits for it."""


def test_a_recorded_start_is_reported_with_its_batches(
    device_bed: OwnBed, labs: Labs, tmp_path: Path
) -> None:
    labs.limit(batchSize=BATCH)
    labs.standin.start()
    flags = ["-n", labs.namespace, f"--count={DEVICES}", "--timeout=4m", "--sample-every=1s"]
    with watching(tmp_path, device_bed.kubeconfig, *flags) as watch:
        for number in range(DEVICES):
            labs.node(f"device-{number:02}", sandbox_delay=SANDBOX)
        assert watch.ended(300).code == 0
    answer = command("measure", "report", str(watch.file), "-o", "json")
    assert answer.code == 0, answer.err
    report = json.loads(answer.out)
    schema = json.loads((SCHEMAS / "measure-report.json").read_text(encoding="utf-8"))
    jsonschema_rs.validator_for(schema).validate(report)
    (run,) = report["runs"]
    assert (run["verdict"], run["devices"], run["unseen"]) == ("reached", DEVICES, 0)
    for clock in ("stamped", "observed"):
        assert run["reached"][clock]["ready"] == DEVICES
        assert run["progress"][clock]["reached"]["ready"][-1] == DEVICES
    observed = run["batches"]["observed"]
    assert observed["milestone"] == "admitted"
    assert [one["devices"] for one in observed["batches"]] == [BATCH, BATCH]
    assert sum(host["devices"] for host in run["timelines"]["hosts"]) == DEVICES
    page = command("measure", "report", str(watch.file), "-o", "html")
    assert page.out.count("<svg") == 11
    same = command("measure", "compare", str(watch.file), str(watch.file), "--fail-on", "different")
    assert same.code == 0, same.err
