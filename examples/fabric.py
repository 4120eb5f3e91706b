#!/usr/bin/env python3
"""Write a Topology of a leaf-spine fabric of any size to stdout.

    python3 examples/fabric.py --devices 1000 > fabric.yaml
    python3 examples/fabric.py --devices 10000 --links 19000 --definition-only > fabric.clab.yml

One device in 25 is a spine, one in three a leaf, the rest are servers with one link each to a
leaf. All other links go from leaves to spines, round after round, so that any number of links from
one per server upwards is possible. The same arguments give the same bytes. Needs only Python.

``--style compact`` (the default) writes a device or a link a line; ``--style block`` writes one setting
a line and gives each device labels and a management address, as grown labs have them.
"""

from __future__ import annotations

import argparse
import sys
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

SMALLEST = 3  # one device of each role

RESOURCES = """\
  deployment:
    resources:
      default: {requests: {cpu: 500m, memory: 1Gi}}
"""
SPINE_RESOURCES = '      {}: {{requests: {{cpu: "2", memory: 4Gi}}}}\n'

DEFINITION_HEAD = """\
name: {name}
topology:
  kinds:
    nokia_srlinux: {{image: "ghcr.io/nokia/srlinux:25.10.1", type: ixr-d3l}}
    linux: {{image: "alpine:3.22", cmd: sleep infinity}}
  groups:
    spine: {{kind: nokia_srlinux, type: ixr-h3, labels: {{tier: spine}}}}
    leaf: {{kind: nokia_srlinux, labels: {{tier: leaf}}}}
    server: {{kind: linux, labels: {{tier: server}}}}
  nodes:
"""


class Fabric(NamedTuple):
    """Device names by role; a name tells role and number, padded so that it sorts as it counts."""

    spines: list[str]
    leaves: list[str]
    servers: list[str]


def plan(devices: int) -> Fabric:
    """Divide ``devices`` (3 or more) into the three roles."""
    spines = max(1, devices // 25)
    leaves = max(1, devices // 3)
    return Fabric(
        _names("spine", spines), _names("leaf", leaves), _names("srv", devices - spines - leaves)
    )


def links(fabric: Fabric, wanted: int) -> Iterator[tuple[str, str]]:
    """Give ``wanted`` links as pairs of ``node:interface``; no interface is used twice."""
    free = {name: count(1) for name in (*fabric.spines, *fabric.leaves)}
    for number, server in enumerate(fabric.servers):
        leaf = fabric.leaves[number % len(fabric.leaves)]
        yield f"{leaf}:e1-{next(free[leaf])}", f"{server}:eth1"
    for number in range(wanted - len(fabric.servers)):
        turn, index = divmod(number, len(fabric.leaves))
        leaf = fabric.leaves[index]
        spine = fabric.spines[(index + turn) % len(fabric.spines)]
        yield f"{leaf}:e1-{next(free[leaf])}", f"{spine}:e1-{next(free[spine])}"


def definition(name: str, fabric: Fabric, wanted: int, style: str) -> Iterator[str]:
    """Give the lines of the containerlab definition."""
    device, link = (device_block, LINK_BLOCK) if style == "block" else (device_line, LINK_LINE)
    yield from DEFINITION_HEAD.format(name=name).splitlines(keepends=True)
    number = 0
    for group, names in zip(("spine", "leaf", "server"), fabric, strict=True):
        for node in names:
            yield from device(node, group, number).splitlines(keepends=True)
            number += 1
    yield "  links:\n"
    for one, other in links(fabric, wanted):
        yield from link.format(one, other).splitlines(keepends=True)


LINK_LINE = '    - endpoints: ["{}", "{}"]\n'
LINK_BLOCK = "    - endpoints:\n        - {}\n        - {}\n"


def device_line(node: str, group: str, number: int) -> str:  # noqa: ARG001 - one of two styles
    """Write a device in one line."""
    return f"    {node}: {{group: {group}}}\n"


def device_block(node: str, group: str, number: int) -> str:
    """Write a device one setting a line, with a management address of its own."""
    subnet, host = divmod(number, 250)
    return (
        f"    {node}:\n      group: {group}\n      mgmt-ipv4: 172.{20 + subnet // 256}.{subnet % 256}.{host + 2}\n"
        f"      labels:\n        pod: p{number % 16}\n        site: lab\n"
    )


def topology(name: str, fabric: Fabric, wanted: int, style: str) -> Iterator[str]:
    """Give the lines of the Topology manifest around the definition."""
    yield "apiVersion: c9s.run/v1alpha1\nkind: Topology\n"
    yield f"metadata:\n  name: {name}\n  namespace: {name}\nspec:\n"
    yield RESOURCES
    yield from (SPINE_RESOURCES.format(spine) for spine in fabric.spines)
    yield "  definition:\n    containerlab: |\n"
    yield from (f"      {line}" for line in definition(name, fabric, wanted, style))


def main() -> None:
    """Read the arguments and write the manifest."""
    parser = argparse.ArgumentParser(description="Write a leaf-spine Topology to stdout.")
    parser.add_argument("--devices", type=int, default=1000, help="3 or more (default: 1000)")
    parser.add_argument("--links", type=int, help="one per server or more (default: 1.9 a device)")
    parser.add_argument("--name", default="fabric", help="name of lab and namespace")
    parser.add_argument("--style", choices=["compact", "block"], default="compact")
    parser.add_argument(
        "--definition-only", action="store_true", help="leave out the Topology around it"
    )
    arguments = parser.parse_args()
    if arguments.devices < SMALLEST:
        parser.error(f"--devices must be {SMALLEST} or more")
    fabric = plan(arguments.devices)
    wanted = arguments.devices * 19 // 10 if arguments.links is None else arguments.links
    if wanted < len(fabric.servers):
        parser.error(f"--links must be {len(fabric.servers)} or more: every server has one")
    write = definition if arguments.definition_only else topology
    sys.stdout.writelines(write(arguments.name, fabric, wanted, arguments.style))


def _names(role: str, number: int) -> list[str]:
    width = len(str(number))
    return [f"{role}{index:0{width}d}" for index in range(1, number + 1)]


if __name__ == "__main__":
    main()
