"""The files that the situations name, and the programs they run."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import msgspec
from shape_tools import AT, CASES, ROOT
from split_lab import command

from kubectl_c9s.measurement.runfile import read_run, write_run
from kubectl_c9s.measurement.schedule import Entry, Origin, Schedule, write_schedule

if TYPE_CHECKING:
    from pathlib import Path

CLOSED = "https://127.0.0.1:1"  # nobody listens there
_BARE = "name: demo\ntopology:\n  nodes:\n    a: {kind: linux, image: 'x:1'}\n"
_BROKEN = "name: demo\ntopology:\n  nodes:\n    a: {kind: linux, network-mode: host}\n"
_RESOURCES = {"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": []}
_POLICY = {
    "apiVersion": "toolkit.c9s.run/v1alpha1",
    "kind": "RolloutPolicy",
    "metadata": {"name": "rollout"},
    "spec": {"mode": "Report", "config": {"batchSize": 3}},
}


def situation(folder: Path) -> dict[str, str]:
    """Make the files, and give what stands for each."""
    small = ROOT / "examples/small/topology.yaml"
    names = {
        "small": small,
        "stuck": ROOT / "examples/stuck-start/snapshot.json",
        "idle": CASES / "healthy-idle/dump.json",
        "scrapes": ROOT / "tests/diagnostics/scrapes",
        "new": folder / "new",
        "over": _over(folder / "over.json"),
    }
    for name in ("labs", "nothing", "foreign"):
        names[name] = folder / name
        names[name].mkdir()
    (folder / "labs/lab.yaml").write_bytes(small.read_bytes())
    (folder / "foreign/theirs.yaml").write_text("kind: Secret\n", encoding="utf-8")
    (folder / "foreign/kustomization.yaml").write_text(
        "resources: [theirs.yaml]\n", encoding="utf-8"
    )
    hosts = {
        "apiVersion": "v1",
        "kind": "List",
        "items": [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "h"}}],
    }
    texts: dict[str, Any] = {
        "old": {"apiVersion": "c9s.run/v1alpha1", "kind": "LauncherProfile", "metadata": {"name": "x"}, "spec": {}},
        "objects": _split(),
        "empty": "", "broken": _BROKEN, "resources": {**_RESOURCES, "functionConfig": _config()},
        "policy": _POLICY, "hosts": hosts,
    }  # fmt: skip
    for name, text in texts.items():
        names[name] = folder / (f"{name}.clab.yml" if name == "broken" else f"{name}.json")
        names[name].write_text(
            text if isinstance(text, str) else json.dumps(text), encoding="utf-8"
        )
    names |= _starts(folder, names["over"])
    names["around"] = _rendered(folder / "around", small)
    names["burdened"] = _burdened(folder / "burdened")
    return {name: str(path) for name, path in names.items()} | {"closed": CLOSED}


def _split() -> dict[str, Any]:
    """Split a small lab, into objects that go to any namespace."""
    found: dict[str, Any] = json.loads(
        command("split", "-f", "-", "-o", "json", stdin=_BARE.encode()).out
    )
    for one in found["items"]:
        one["metadata"].pop("namespace", None)
    return found


def _config() -> dict[str, Any]:
    return {
        "apiVersion": "kubectl.c9s.run/v1alpha1",
        "kind": "C9sValidate",
        "metadata": {"name": "x"},
    }


def _over(path: Path) -> Path:
    """Make a dump of a start that is over: of the devices of a case, those that are ready."""
    body = json.loads((CASES / "sandbox-failed/dump.json").read_text(encoding="utf-8"))
    pods = [
        one
        for one in body["items"]
        if one["kind"] == "Pod" and one["metadata"].get("labels", {}).get("c9s.run/direct-workload")
    ]
    ready = {
        one["metadata"]["labels"]["c9s.run/direct-workload"]
        for one in pods
        if any(
            c["type"] == "Ready" and c["status"] == "True"
            for c in one.get("status", {}).get("conditions", ())
        )
    }
    ours = {"Node": "c9s.run/v1alpha1"}
    body["items"] = [
        one
        for one in body["items"]
        if (
            one["apiVersion"] != ours["Node"]
            or one["kind"] != "Node"
            or one["metadata"]["name"] in ready
        )
        and (one not in pods or one["metadata"]["labels"]["c9s.run/direct-workload"] in ready)
    ]
    path.write_text(json.dumps(body), encoding="utf-8")
    return path


def _starts(folder: Path, over: Path) -> dict[str, Path]:
    """Record a start, and make one that is slower, one of another lab, and a schedule."""
    run, slow, other, schedule = (
        folder / f"{name}.json" for name in ("run", "slow", "other", "schedule")
    )
    answer = command(
        "measure", "watch", "-f", str(over), "--at", AT, "-A", "--output-file", str(run)
    )
    assert answer.code == 0, answer.err
    found = read_run(run.read_bytes(), "run.json")
    late = tuple(
        msgspec.structs.replace(
            one,
            stamps={
                key: at + 500 * (key in {"started", "ready"}) for key, at in one.stamps.items()
            },
        )
        for one in found.devices
    )
    overall = {key: at + 500 * (key in {"started", "ready"}) for key, at in found.overall.items()}
    slow.write_bytes(write_run(msgspec.structs.replace(found, devices=late, overall=overall)))
    other.write_bytes(
        write_run(msgspec.structs.replace(found, expected=found.expected + 5, verdict="deadline"))
    )
    entry = Entry("d0", "testbed-node-0", 0.0, "busybox:1.37", "lab")
    origin = Origin("Node", "lab/d0", 1.0e9)
    schedule.write_bytes(write_schedule(Schedule(source="a test", origin=origin, entries=(entry,))))
    return {"run": run, "slow": slow, "other": other, "schedule": schedule}


def _rendered(folder: Path, lab: Path) -> Path:
    """Render a lab twice, one of them as it was done once, and make a directory whose inventory is none."""
    for name in ("rendered", "older", "odd"):
        assert command("split", "-f", str(lab), "--output-dir", str(folder / name)).code == 0
    path = folder / "older/.c9s-inventory"
    inventory = json.loads(path.read_text(encoding="utf-8"))
    del inventory["files"]["nodes/kustomization.yaml"]
    path.write_text(json.dumps(inventory), encoding="utf-8")
    (folder / "odd/.c9s-inventory").write_text("{}", encoding="utf-8")
    return folder


def _burdened(folder: Path) -> Path:
    """Make scrapes of a manager whose requests were refused a thousand times in between."""
    folder.mkdir()
    for name in ("metrics-before.prom", "metrics-after.prom"):
        text = (ROOT / "tests/diagnostics/scrapes" / name).read_text(encoding="utf-8")
        lines = [one for one in text.splitlines() if 'code="429"' not in one]
        count = 1000 * (name == "metrics-after.prom")
        lines.append(f'rest_client_requests_total{{code="429",host="h",method="GET"}} {count}')
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


class Words:
    """The words of a situation, taken apart."""

    def __init__(self, text: str, names: dict[str, str]) -> None:
        words = shlex.split(text)
        filled = [word.format(**names) for word in words]
        self.folder: str | None = None
        self.stdin: str | None = None
        for mark, name in (("<", "stdin"), ("@", "folder")):
            if mark in filled:
                place = filled.index(mark)
                setattr(self, name, filled[place + 1])
                del filled[place : place + 2]
        self.args = filled


def program(
    words: Words, folder: Path, *, stdin: Any = subprocess.DEVNULL, stdout: Any = subprocess.PIPE
) -> subprocess.Popen[bytes]:
    """Start a command as a program; nothing of the user's is seen by it."""
    environment = {
        key: value for key, value in os.environ.items() if key not in {"KUBECONFIG", "HOME"}
    }
    environment |= {
        "PYTHONPATH": str(ROOT),
        "HOME": str(folder),
        "XDG_STATE_HOME": str(folder / "state"),
    }
    given = open(words.stdin, "rb") if words.stdin else None  # noqa: SIM115, PTH123 - closed below
    try:
        return subprocess.Popen(
            [sys.executable, "-m", "kubectl_c9s", *words.args],
            stdin=given or stdin, stdout=stdout, stderr=subprocess.PIPE, env=environment,
            cwd=words.folder or folder,
        )  # fmt: skip
    finally:
        if given:
            given.close()
