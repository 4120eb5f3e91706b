"""How many devices a second the stand-in starts on this machine: from a Topology's creation to its last ready Node.

    python tests/standin/rate.py [--devices N] [--batch N] [--cap N] [--default-clients]

On a bed of its own, with a ring of links; prints one JSON object. ``load`` is the machine's at the begin and the end:
other work on it makes every figure worse. ``cpu`` is in seconds, by process.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import secrets
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.append(str(Path(__file__).parents[1] / "testbed"))
sys.path.append(str(Path(__file__).parents[2]))  # the bed takes the CRDs from the product

import bed_sources
from bed_client import path_of
from bed_own import Wish
from standin_lab_tools import LINUX
from standin_names import VERSION
from standin_run import BED_FLAGS, Standin, config, topology
from standin_views import view_pod

if TYPE_CHECKING:
    from bed_client import ApiClient
    from bed_own import OwnBed
    from standin_views import Json

LAB = "lab"
EVERY = 2.0  # seconds between looks; a look costs the API server something, too
QUICK = {"kube-controller-manager": ["--kube-api-qps=200", "--kube-api-burst=300"]}


def main(arguments: list[str]) -> int:
    """Make the bed, measure, print."""
    parser = argparse.ArgumentParser(prog="rate.py", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--devices", type=int, default=100)
    parser.add_argument("--batch", type=int, default=0)
    parser.add_argument("--cap", type=int, default=0)
    parser.add_argument("--default-clients", action="store_true", help="of controller-manager")
    options = parser.parse_args(arguments)
    flags = BED_FLAGS if options.default_clients else BED_FLAGS | QUICK
    name = f"{bed_sources.PRIVATE}rate-{secrets.token_hex(3)}"
    wish = Wish(nodes=3 + options.devices // 200, flags=flags)
    make = functools.partial(bed_sources.obtain_own, name, wish, may_build=False)
    with bed_sources.in_use(name, make), tempfile.TemporaryDirectory() as folder:
        standin = Standin(make(), Path(folder) / "log", arguments=("--lease=60,40,8",))
        try:
            sys.stdout.write(f"{json.dumps(_measure(make(), standin, options))}\n")
        finally:
            standin.stop()
    return 0


def _measure(bed: OwnBed, standin: Standin, options: argparse.Namespace) -> dict[str, Any]:
    with bed.client() as client:
        meta = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": LAB}}
        client.create(path_of("v1", "namespaces"), meta).ok()
        standin.start()
        client.apply(*config("c9s", batchSize=options.batch, maxConcurrentPerHost=options.cap)).ok()
        load = [os.getloadavg()[0]]
        before = _cpu(bed, standin)
        begin = time.monotonic()
        client.create(path_of(VERSION, "topologies", LAB), _ring(options.devices)).ok()
        stages = _follow(client, options.devices, begin)
        after = _cpu(bed, standin)
    load.append(os.getloadavg()[0])
    return {
        **{key: getattr(options, key) for key in ("devices", "batch", "cap", "default_clients")},
        "seconds": stages,
        "devices per second": round(options.devices / stages["ready"], 2),
        "cpu": {name: round(after[name] - before[name], 1) for name in after},
        "load": load,
    }


def _ring(devices: int) -> Json:
    names = [f"n{number:05}" for number in range(devices)]
    body = topology(LAB, "ring", dict.fromkeys(names, LINUX))
    definition = body["spec"]["definition"]
    inner = json.loads(definition["containerlab"])
    following = [*names[1:], names[0]]
    ends = [[f"{a}:eth1", f"{b}:eth2"] for a, b in zip(names, following, strict=True)]
    inner["topology"]["links"] = [{"endpoints": pair} for pair in ends]
    definition["containerlab"] = json.dumps(inner)
    return body


def _follow(client: ApiClient, devices: int, begin: float) -> dict[str, float]:
    """Give the seconds after which all of a kind were there."""
    done: dict[str, float] = {}
    while "ready" not in done:
        time.sleep(EVERY)
        nodes = client.get(path_of(VERSION, "nodes", LAB)).ok()["items"]
        pods = [view_pod(one) for one in client.get(path_of("v1", "pods", LAB)).ok()["items"]]
        ready = sum((one.get("status") or {}).get("readiness") == "ready" for one in nodes)
        counts = {"nodes": len(nodes), "pods": len(pods), "ready": ready}
        counts |= {"sandboxes": sum(one.sandbox for one in pods)}
        counts |= {"started": sum(one.started for one in pods)}
        for name, count in counts.items():
            if count >= devices:
                done.setdefault(name, round(time.monotonic() - begin, 1))
    return done


def _cpu(bed: OwnBed, standin: Standin) -> dict[str, float]:
    pids = {name: bed.daemon(name).pid() for name in bed.components} | {"stand-in": standin.pid}
    ticks = os.sysconf("SC_CLK_TCK")
    found = {}
    for name, pid in pids.items():
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        found[name] = (int(stat[11]) + int(stat[12])) / ticks
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
