"""What is looked at when all Pods of a replay are ready: pings between them, and address times of the CNI."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

import msgspec

from kubectl_c9s.cluster import cnilogs, netprobe
from kubectl_c9s.measurement.plainpods import REPLAY
from kubectl_c9s.output.safe_text import safe_text
from kubectl_c9s.resources.errors import UsageError

if TYPE_CHECKING:
    from kubectl_c9s.cli.replayfiles import Folder
    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.cluster.replaying import Replay

PROBES: Final = "network-probes.json"
ADDRESSES: Final = "cni.json"
NONE: Final = "none"
_NAMED: Final = 5


def check_reader(name: str) -> None:
    """Refuse a CNI reader that is not there, before anything is made."""
    known = cnilogs.readers()
    if name not in {NONE, cnilogs.AUTO, *known}:
        names = ", ".join((NONE, cnilogs.AUTO, *known))
        raise UsageError(f"there is no CNI reader {name!r}", hint=f"known: {names}")


def read_addresses(connection: Connection, replay: Replay, folder: Folder, reader: str) -> None:
    """Read how long Pods waited for addresses, from the logs of the hosts, and write it."""
    if reader == NONE or replay.clock is None:
        return
    found = cnilogs.read_times(
        connection,
        replay.site.namespace,
        replay.clock.at,
        wanted=reader,
        hosts=replay.schedule.hosts,
    )
    folder.write(ADDRESSES, msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")
    text = found.not_available or f"of {len(found.hosts)} hosts by {found.reader}"
    print(f"address times: {safe_text(text)}")


def probe(connection: Connection, replay: Replay, folder: Folder) -> int:
    """Let each Pod ping the next one and write what came of it; give how many did not reach it."""
    selector = f"{REPLAY}={replay.site.replay}"
    pods = netprobe.read_pods(connection, replay.site.namespace, selector)
    found = netprobe.neighbour_probe(connection, pods)
    folder.write(PROBES, msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")
    bad = [one for one in found if not one["ok"]]
    print(f"{len(found) - len(bad)} of {len(found)} Pods reach the next one")
    for one in bad[:_NAMED]:
        why = f": {one['error']}" if "error" in one else ""
        print(f"failed: {safe_text(one['pod'] + why)}", file=sys.stderr)
    return len(bad)
