"""Devices for network checks: what tools print inside them, a folder of such tools, and Pods on the test bed."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Final

from bed_client import MERGE_PATCH, path_of
from bed_objects import until

if TYPE_CHECKING:
    from pathlib import Path

    from bed_client import ApiClient, Json

# iproute2 with -o, without it, and busybox: an address with prefix, a /32 with a peer, IPv6, a duplicate.
ONE_LINE: Final = (
    "1: lo    inet 127.0.0.1/8 scope host lo\\       valid_lft forever preferred_lft forever\n"
    "1: lo    inet6 ::1/128 scope host \\       valid_lft forever preferred_lft forever\n"
    "3: eth0    inet 10.244.1.7/32 scope global eth0\\       valid_lft forever preferred_lft forever\n"
    "3: eth0    inet6 fd00:10:244::7/128 scope global \\       valid_lft forever preferred_lft forever\n"
    "3: eth0    inet6 fe80::5054:ff:fe12:1/64 scope link \\       valid_lft forever preferred_lft forever\n"
    "4: mgmt0    inet 172.20.20.7/24 brd 172.20.20.255 scope global mgmt0\\       valid_lft forever\n"
)
LONG: Final = """\
1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default qlen 1000
    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00
    inet 127.0.0.1/8 scope host lo
       valid_lft forever preferred_lft forever
3: eth0@if12: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1450 qdisc noqueue state UP group default
    link/ether ee:ee:ee:12:34:56 brd ff:ff:ff:ff:ff:ff link-netnsid 0
    inet 10.244.1.7/32 scope global eth0
       valid_lft forever preferred_lft forever
    inet6 fd00:10:244::7/128 scope global
       valid_lft forever preferred_lft forever
4: mgmt0: <BROADCAST,UP> mtu 1500 qdisc noop state UP qlen 1000
    inet 172.20.20.7/24 brd 172.20.20.255 scope global mgmt0
       valid_lft forever preferred_lft forever
"""
BUSYBOX: Final = """\
1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue qlen 1000
    inet 127.0.0.1/8 scope host lo
       valid_lft forever preferred_lft forever
3: eth0@if12: <BROADCAST,MULTICAST,UP,LOWER_UP,M-DOWN> mtu 1450 qdisc noqueue
    link/ether ee:ee:ee:12:34:56 brd ff:ff:ff:ff:ff:ff
    inet 10.244.1.7/32 brd 10.244.1.7 scope global eth0
       valid_lft forever preferred_lft forever
    inet6 fd00:10:244:0:0:0:0:7/128 scope global flags 02
       valid_lft forever preferred_lft forever
4: mgmt0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc noqueue
    inet 172.20.20.7/24 brd 172.20.20.255 scope global mgmt0
       valid_lft forever preferred_lft forever
"""
ROUTES: Final = """\
default via 169.254.1.1 dev eth0
169.254.1.1 dev eth0 scope link
default via 172.20.20.1 dev mgmt0 table 100
local 10.244.1.7 dev eth0 table local proto kernel scope host src 10.244.1.7
"""
ROUTES6: Final = """\
fd00:10:244::7 dev eth0 proto kernel metric 256 pref medium
default via fe80::ecee:eeff:feee:eeee dev eth0 metric 1024 pref medium
"""
BUSYBOX_PING: Final = """\
PING 10.244.2.9 (10.244.2.9): 56 data bytes
64 bytes from 10.244.2.9: seq=0 ttl=62 time=0.412 ms

--- 10.244.2.9 ping statistics ---
1 packets transmitted, 1 packets received, 0% packet loss
round-trip min/avg/max = 0.412/0.412/0.412 ms
"""
IPUTILS_LOST: Final = """\
PING 10.244.2.9 (10.244.2.9) 56(84) bytes of data.

--- 10.244.2.9 ping statistics ---
1 packets transmitted, 0 received, 100% packet loss, time 0ms

"""
IPUTILS_NAME: Final = (
    "PING r2(r2-vx.lab.svc.cluster.local (fd00:10:244::9)) 56 data bytes\n"
    "64 bytes from r2 (fd00:10:244::9): icmp_seq=1 ttl=62 time=0.4 ms\n"
)

IP: Final = """\
#!/bin/sh
here=$(dirname "$0")
case "$*" in
  "-o addr show") cat "$here/addresses";;
  "-4 route show table all") cat "$here/routes4";;
  "-6 route show table all") cat "$here/routes6";;
  *) echo "unknown: $*"; exit 255;;
esac
"""
PING: Final = """\
#!/bin/sh
here=$(dirname "$0")
for target; do :; done
if [ -f "$here/answers/$target" ]; then . "$here/answers/$target"; fi
echo "PING $target ($target): 56 data bytes"
echo "1 packets transmitted, 1 packets received, 0% packet loss"
"""


class Tools:
    """A folder with ``ip`` and ``ping`` that say what a test wants; all devices find the same ones."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "answers").mkdir()
        for name, text in (("ip", IP), ("ping", PING), ("ping6", PING)):
            place = folder / name
            place.write_text(text, encoding="utf-8")
            place.chmod(0o755)
        self.write("addresses", ONE_LINE)
        self.write("routes4", ROUTES)
        self.write("routes6", ROUTES6)

    @property
    def prelude(self) -> str:
        """Give words that put the tools in front of those of the system."""
        return f"PATH={shlex.quote(str(self.folder))}:$PATH"

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def inside(self, *addresses: str) -> None:
        """Let these addresses (with prefix) be inside, of all devices alike."""
        lines = [
            f"3: eth0    inet{'6' if ':' in one else ''} {one} scope global eth0\\       valid_lft\n"
            for one in addresses
        ]
        self.write("addresses", "".join(lines))

    def answer(self, target: str, script: str) -> None:
        """Let a ping to an address or a name do this; without an exit it goes on to succeed."""
        self.write(f"answers/{target}", script)


def make_pod(client: ApiClient, namespace: str, name: str, host: str, **more: Json) -> Json:
    """Create a Pod on a fake host; ``more`` has labels and annotations."""
    meta = {"name": name, "namespace": namespace, **more}
    spec = {
        "nodeName": host,
        "containers": [{"name": "side", "image": "x"}, {"name": "primary", "image": "x"}],
        "automountServiceAccountToken": False,
    }
    body = {"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": spec}
    return client.create(path_of("v1", "pods", namespace), body).ok()


def wait_ready(client: ApiClient, namespace: str, *names: str) -> dict[str, str]:
    """Wait until Pods are Ready; give their addresses by name."""
    found = {}
    for name in names:
        path = path_of("v1", "pods", namespace, name)

        def ready(path: str = path) -> bool:
            conditions = client.get(path).ok()["status"].get("conditions") or []
            return any((one["type"], one["status"]) == ("Ready", "True") for one in conditions)

        until(f"{name} is Ready", ready)
        found[name] = client.get(path).ok()["status"]["podIP"]
    return found


def patch_status(client: ApiClient, path: str, status: Json) -> None:
    client.patch(f"{path}/status", {"status": status}, MERGE_PATCH).ok()
