"""Write what ``kubectl get … -o json`` saves of a large installation: Nodes, Pods, two Events a Pod, Leases, hosts.

    python tests/bench/diagnose_snapshot.py 10000 [--owners] > dump.json

Of each ten devices six run, one boots, one is queued, one is without a sandbox, and one finds no host. With
``--owners`` there are their Deployments and ReplicaSets and a Link a device, too. One object at a time is made.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from snapshot_device import Device
from snapshot_parts import C9S, PER_HOST, Json, ago, condition, meta

if TYPE_CHECKING:
    from collections.abc import Iterator


def around(devices: int) -> Iterator[Json]:
    """Make what stands around the devices: a Config, the manager with its Lease, hosts."""
    yield {
        "apiVersion": C9S,
        "kind": "Config",
        "metadata": meta("Config", "c9s", "clabernetes", 90000),
        "spec": {"rollout": {"batchSize": 100, "maxConcurrentPerHost": 20}},
    }
    name, labels = (
        "clabernetes-manager-8f97b79819-dfmcj",
        {"c9s.run/app": "clabernetes", "c9s.run/component": "manager"},
    )
    yield {
        "apiVersion": "coordination.k8s.io/v1",
        "kind": "Lease",
        "metadata": meta("Lease", "c9s", "clabernetes-manager", 90000, labels=labels),
        "spec": {
            "holderIdentity": f"clabernetes-{name}-tv4m4h2vk4gv",
            "leaseDurationSeconds": 60,
            "renewTime": ago(3),
        },
    }
    yield {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": meta("Pod", "c9s", name, 9000, labels=labels),
        "spec": {"nodeName": "worker-0"},
        "status": {"phase": "Running", "conditions": [condition("Ready", "True", 8000)]},
    }
    for number in range(devices // PER_HOST + 1):
        own = meta("Host", "", f"worker-{number}", 90000)
        del own["namespace"]
        yield {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": own,
            "status": {"conditions": [condition("Ready", "True", 80000)]},
        }


def objects(devices: int, *, owners: bool) -> Iterator[Json]:
    """Make everything."""
    yield from around(devices)
    for number in range(devices):
        device = Device(number)
        yield device.node()
        pod = device.pod()
        yield pod
        yield from device.events(pod)
        if owners:
            yield from device.owners()


def main() -> int:
    """Write the List to stdout."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("devices", type=int)
    parser.add_argument(
        "--owners", action="store_true", help="with Deployments, ReplicaSets and Links"
    )
    options = parser.parse_args()
    sys.stdout.write('{"apiVersion": "v1", "kind": "List", "items": [\n')
    for number, obj in enumerate(objects(options.devices, owners=options.owners)):
        sys.stdout.write(("," if number else "") + json.dumps(obj) + "\n")
    sys.stdout.write("]}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
