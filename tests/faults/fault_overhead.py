"""Measures what the proxy with an empty table costs: the same reads, straight and through it, in turns.

    python tests/faults/fault_overhead.py --kubeconfig FILE [--repetitions N] [--reads N]

Prints p50 and p99 (nearest rank, milliseconds) of both ways for each repetition, and their difference. More than 2 ms
of p99 makes latencies that were measured through the proxy worthless (bench.md §5).
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

sys.path.append(str(Path(__file__).parents[1] / "testbed"))

from bed_client import ApiClient, read_kubeconfig
from fault_handle import fault_proxy

if TYPE_CHECKING:
    from collections.abc import Sequence

PATH: Final = "/api/v1/namespaces/default"
WARM_UP: Final = 50


def main(arguments: list[str]) -> int:
    """Measure and print; give the exit code."""
    parser = argparse.ArgumentParser(
        prog="fault_overhead.py", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--kubeconfig", type=Path, required=True, help="of an administrator")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--reads", type=int, default=500, help="in each of four turns")
    options = parser.parse_args(arguments)
    with (
        tempfile.TemporaryDirectory() as folder,
        fault_proxy(options.kubeconfig, Path(folder) / "proxy") as proxy,
    ):
        access = proxy.access
        straight = read_kubeconfig(options.kubeconfig)
        # The same identity both ways: a token costs the server more than a certificate.
        ways = {
            "straight": ApiClient(straight.as_token(access.token or "")),
            "proxy": ApiClient(access),
        }
        for client in ways.values():
            _reads(client, WARM_UP)
        for number in range(options.repetitions):
            _print_turns(number + 1, ways, options.reads)
    return 0


def _print_turns(number: int, ways: dict[str, ApiClient], reads: int) -> None:
    times: dict[str, list[float]] = {name: [] for name in ways}
    for name in ("straight", "proxy", "proxy", "straight"):
        times[name] += _reads(ways[name], reads)
    found = {name: (rank(one, 50), rank(one, 99)) for name, one in times.items()}
    for name, (p50, p99) in found.items():
        sys.stdout.write(f"{number} {name:9} p50 {p50:6.2f} ms  p99 {p99:6.2f} ms\n")
    more = [found["proxy"][one] - found["straight"][one] for one in (0, 1)]
    sys.stdout.write(f"{number} {'more':9} p50 {more[0]:6.2f} ms  p99 {more[1]:6.2f} ms\n")


def _reads(client: ApiClient, count: int) -> list[float]:
    found = []
    for _ in range(count):
        began = time.perf_counter()
        client.get(PATH).ok()
        found.append((time.perf_counter() - began) * 1000)
    return found


def rank(values: Sequence[float], percent: int) -> float:
    """Give a percentile by nearest rank."""
    return sorted(values)[math.ceil(len(values) * percent / 100) - 1]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
