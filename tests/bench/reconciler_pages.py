"""Write what a server lists of a large installation, page by page, for bench_reconciler.py.

    python tests/bench/reconciler_pages.py FOLDER DEVICES [--well]

Of each ten devices four do not run and three have a cause; with ``--well`` all of them run. Objects carry the
``managedFields`` a server writes. The files are ``KIND.NUMBER.json``, KIND being the kind as kubectl names it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from diagnose_snapshot import around
from snapshot_device import Device
from snapshot_parts import C9S, LABS, PER_HOST, Json, condition, meta, uid

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = 500
KINDS = {
    "Config": "configs.c9s.run", "Topology": "topologies.c9s.run", "Link": "links.c9s.run", "Pod": "pods",
    "Deployment": "deployments.apps", "ReplicaSet": "replicasets.apps", "Event": "events",
    "Lease": "leases.coordination.k8s.io",
}  # fmt: skip
OWNED = ("labels", "annotations", "ownerReferences")


def objects(devices: int, *, well: bool) -> Iterator[Json]:
    """Make everything, without the Events of the newer API: a server gives each Event once."""
    yield from around(devices)
    for lab in range(LABS):
        yield topology(lab, devices // LABS)
    for number in range(devices):
        device = Device(number)
        if well:
            device.stage, device.host = "runs", f"worker-{number // PER_HOST}"
        node, pod = device.node(), device.pod()
        node["metadata"]["ownerReferences"] = [_owner("Topology", device.namespace, "lab")]
        yield node
        yield pod
        yield from device.owners()
        if not well:
            yield next(device.events(pod))


def topology(lab: int, devices: int) -> Json:
    """Make a Topology with a large definition."""
    return {
        "apiVersion": C9S,
        "kind": "Topology",
        "metadata": meta("Topology", f"lab-{lab}", "lab", 2000),
        "spec": {"definition": {"containerlab": "x" * 200 * devices}},
        "status": {"nodeCount": devices, "conditions": [condition("TopologyReady", "True", 100)]},
    }


def _owner(kind: str, namespace: str, name: str) -> Json:
    whole = {"apiVersion": C9S, "kind": kind, "name": name, "uid": uid(kind, namespace, name)}
    return whole | {"controller": True, "blockOwnerDeletion": True}


def owners_of(obj: Json) -> list[Json]:
    """Make managedFields: of who made the object, and of who writes its status."""
    made = {key: obj["metadata"][key] for key in OWNED if key in obj["metadata"]}
    parts = [
        ("manager", {"metadata": made, "spec": obj.get("spec", {})}),
        ("kubelet", {"status": obj.get("status", {})}),
    ]
    return [
        {"manager": manager, "operation": "Update", "apiVersion": obj["apiVersion"],
         "time": "2026-09-21T10:00:00Z", "fieldsType": "FieldsV1", "fieldsV1": _fields(part)}
        for manager, part in parts
    ]  # fmt: skip


def _fields(value: object) -> Json:
    if not isinstance(value, dict):
        return {}
    return {f"f:{key}": _fields(below) for key, below in value.items()}


def main() -> int:
    """Write the pages."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("devices", type=int)
    parser.add_argument("--well", action="store_true", help="all devices run")
    options = parser.parse_args()
    pages: defaultdict[str, list[Json]] = defaultdict(list)
    written: defaultdict[str, int] = defaultdict(int)

    def flush(name: str) -> None:
        path = options.folder / f"{name}.{written[name]:04}.json"
        path.write_text(json.dumps({"items": pages.pop(name)}), encoding="utf-8")
        written[name] += 1

    for obj in objects(options.devices, well=options.well):
        is_ours = obj["apiVersion"] == C9S
        name = KINDS.get(obj["kind"]) or ("nodes.c9s.run" if is_ours else "nodes")
        obj["metadata"]["managedFields"] = owners_of(obj)
        del obj["apiVersion"], obj["kind"]
        pages[name].append(obj)
        if len(pages[name]) == PAGE:
            flush(name)
    for name in list(pages):
        flush(name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
