"""Keep the objects of a folder of pages as the reconciler does, and diagnose them, for bench_reconciler.py.

    python tests/bench/reconciler_memory.py FOLDER

Prints JSON: MiB after the program was loaded, after the lists and at most, and seconds of CPU of each step.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import kubernetes.client
import msgspec
from snapshot_parts import AT

import kubectl_c9s.reconciler.process
from kubectl_c9s.cluster.reading import Page
from kubectl_c9s.cluster.watching import Event
from kubectl_c9s.diagnosis.settings import Settings
from kubectl_c9s.diagnosis.world import Place
from kubectl_c9s.reconciler.feeds import feeds
from kubectl_c9s.reconciler.observer import diagnosis_of
from kubectl_c9s.reconciler.reading import read
from kubectl_c9s.reconciler.view import View
from kubectl_c9s.resources.moments import seconds_of

if TYPE_CHECKING:
    from typing import Any

LOADED = (kubernetes.client, kubectl_c9s.reconciler.process)
"""What a process has in memory before it has seen anything."""
PASSES = 3


def size(field: str) -> float:
    """Give a size of this process from Linux, in MiB."""
    text = Path("/proc/self/status").read_text(encoding="ascii")
    line = next(line for line in text.splitlines() if line.startswith(f"{field}:"))
    return int(line.split()[1]) / 1024


def main() -> int:
    """Measure and print."""
    folder = Path(sys.argv[1])
    found: dict[str, object] = {"loaded": size("VmRSS")}
    view = View(90.0, time.monotonic)
    begun = time.process_time()
    for feed in feeds("c9s", ""):
        decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Page[feed.item_type])  # type: ignore[name-defined]
        items: list[Any] = []
        for path in sorted(folder.glob(f"{feed.name}.[0-9]*.json")):
            items += decoder.decode(path.read_bytes()).items or []
        view.take(feed.name, Event("LISTED", items))
        del items
    found |= {"lists": time.process_time() - begun, "listed": size("VmRSS")}
    now, passes = seconds_of(AT), []
    assert now is not None
    for _ in range(PASSES):
        begun = time.process_time()
        diagnosis = diagnosis_of(view.look(), Place("c9s"), now, Settings())
        read(diagnosis)
        passes.append(time.process_time() - begun)
        found["verdict"] = diagnosis.verdict
        del diagnosis
    found |= {"pass": sorted(passes)[PASSES // 2], "peak": size("VmHWM")}
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
