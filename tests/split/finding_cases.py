"""A definition for every code of split.md §15, each with one finding and the place it has to have."""

from __future__ import annotations

import textwrap
from typing import NamedTuple


class Case(NamedTuple):
    """A definition with one finding: code, path, and the n-th time that ``mark`` stands in the text."""

    code: str
    path: str
    mark: str
    text: str
    nth: int = 1


def nodes(body: str, links: str = "") -> str:
    block = textwrap.indent(textwrap.dedent(body), "    ")
    text = f"topology:\n  nodes:\n{block}\n"
    return text + (
        f"  links:\n{textwrap.indent(textwrap.dedent(links), '    ')}\n" if links else ""
    )


def link(text: str) -> str:
    return nodes("r1: {}\nr2: {}", text)


R1 = "topology.nodes.r1"
FINDINGS = [
    Case("unsupported-field", "topologies", "topologies", "topologies: {}\n" + nodes("r1: {}")),
    Case("unsupported-field", "node", "node", "topology:\n  node: {}\n  groups: {}\n"),
    Case("unsupported-field", "subnet", "subnet", "mgmt:\n  subnet: x\n" + nodes("r1: {}")),
    Case("unsupported-field", "cost", "cost", link("- endpoints: [r1:e1, r2:e1]\n  cost: 7")),
    Case("unsupported-field", "server", "server", nodes("r1:\n  dns:\n    server: [s]")),
    Case("unsupported-field", "stages", "stages", nodes("r1:\n  stages: {create: {}}")),
    Case(
        "unsupported-field", "image", "image", nodes("r1:\n  kind-specific-config:\n    image: i")
    ),
    Case(
        "duplicate-kind-config",
        f"{R1}.extra-key",
        "extra-key",
        nodes("r1:\n  extra-key: 1\n  kind-specific-config:\n    extra-key: 2"),
        nth=2,
    ),
    Case(
        "invalid-kind-config",
        f"{R1}.kind-specific-config",
        "wrapped",
        nodes("r1:\n  kind-specific-config: wrapped"),
    ),
    Case(
        "unsupported-network-mode",
        f"{R1}.network-mode",
        "bridge",
        nodes("r1:\n  network-mode: bridge"),
    ),
    Case(
        "unknown-network-mode-primary",
        f"{R1}.network-mode",
        "container:r9",
        nodes("r1:\n  network-mode: container:r9"),
    ),
    Case(
        "network-mode-cycle",
        f"{R1}.network-mode",
        "container:r1",
        nodes("r1:\n  network-mode: container:r1"),
    ),
    Case(
        "unsupported-restart-policy",
        f"{R1}.restart-policy",
        "never",
        nodes("r1:\n  restart-policy: never"),
    ),
    Case(
        "unsupported-image-pull-policy",
        f"{R1}.image-pull-policy",
        "often",
        nodes("r1:\n  image-pull-policy: often"),
    ),
    Case(
        "unsupported-link-apply-mode",
        f"{R1}.link-apply-mode",
        "cold",
        nodes("r1:\n  link-apply-mode: cold"),
    ),
    Case(
        "reserved-bind-path",
        f"{R1}.binds[1]",
        "b:/etc/hosts",
        nodes("r1:\n  binds:\n    - b:/etc/hosts\n    - a:/x"),
    ),
    Case("malformed-bind", f"{R1}.binds[0]", "nowhere", nodes("r1:\n  binds:\n    - nowhere")),
    Case(
        "invalid-alias",
        f"{R1}.aliases[1]",
        "Bad_One",
        nodes("r1:\n  aliases:\n    - good\n    - Bad_One"),
    ),
    Case(
        "duplicate-alias", f"{R1}.aliases[0]", "taken", nodes("r1:\n  aliases: [taken]\ntaken: {}")
    ),
    Case(
        "invalid-expose-ports-label",
        f"{R1}.labels.c9s.run/exposePorts[1]",
        "c9s.run/exposePorts",
        nodes("r1:\n  labels:\n    c9s.run/exposePorts: 80,x"),
    ),
    Case(
        "invalid-app-protocols-label",
        f"{R1}.labels.c9s.run/appProtocols[0]",
        "c9s.run/appProtocols",
        nodes("r1:\n  labels:\n    c9s.run/appProtocols: http"),
    ),
    Case(
        "unusable-node-label",
        f"{R1}.labels.c9s.run/own",
        "c9s.run/own",
        nodes("r1:\n  labels:\n    c9s.run/own: x"),
    ),
    Case("unsupported-link-type", "topology.links[0].type", "vxlan", link("- type: vxlan")),
    Case(
        "unsupported-link-labels",
        "topology.links[0].labels",
        "labels",
        link("- endpoints: [r1:e1, r2:e1]\n  labels: {a: b}"),
    ),
    Case(
        "unsupported-link-vars",
        "topology.links[0].vars",
        "vars",
        link("- endpoints: [r1:e1, r2:e1]\n  vars: {a: b}"),
    ),
    Case(
        "unsupported-special-endpoint",
        "topology.links[0].endpoints[1]",
        "macvlan:e0",
        link("- endpoints:\n    - r1:e1\n    - macvlan:e0"),
    ),
    Case(
        "unknown-link-endpoint",
        "topology.links[0].endpoints[0]",
        "r9:e1",
        link("- endpoints: [r9:e1, r1:e1]"),
    ),
    Case(
        "malformed-endpoint",
        "topology.links[0].endpoints[1]",
        "lonely",
        link("- endpoints: [r1:e1, lonely]"),
    ),
    Case("colliding-node-names", "topology.nodes", "r1_", nodes("r1: {}\nr1_: {}")),
    Case("invalid-type", f"{R1}.cpu", "many", nodes("r1:\n  cpu: many")),
    Case(
        "invalid-components",
        f"{R1}.components[0].sfm",
        "sfm",
        nodes("r1:\n  components:\n    - slot: A\n      sfm: x"),
    ),
    Case(
        "not-admissible",
        f"{R1}.ports[1]",
        "80-90",
        nodes("r1:\n  ports:\n    - 80/tcp\n    - 80-90"),
    ),
    Case(
        "kind-case",
        f"{R1}.kind",
        "linux",
        "topology:\n  kinds: {LINUX: {}}\n  nodes:\n    r1: {kind: linux}\n",
    ),
    Case("renamed-nodes", "topology.nodes", "PE_1", nodes("r1: {}\nPE_1: {}")),
    Case(
        "host-port-pinning", f"{R1}.ports[1]", "8022:22", nodes("r1:\n  ports: ['80', '8022:22']")
    ),
    Case(
        "ignored-management-field",
        "mgmt.bridge",
        "bridge",
        "mgmt:\n  bridge: br0\n" + nodes("r1: {}"),
    ),
    Case("ignored-node-field", f"{R1}.mgmt-net", "oob", nodes("r1:\n  mgmt-net: oob")),
    Case("dropped-field", f"{R1}.hostname", "hostname", nodes("r1:\n  hostname: h")),
    Case(
        "misspelt-field",
        f"{R1}.startup_config",
        "startup_config",
        nodes("r1:\n  startup_config: c"),
    ),
    Case(
        "endpoint-used-twice",
        "topology.links[1].endpoints[1]",
        "r1:e1",
        link("- endpoints: [r1:e1, r2:e1]\n- endpoints: [r2:e2, r1:e1]"),
        nth=2,
    ),
    Case(
        "ignored-endpoint-field",
        "topology.links[0].endpoints[0].mac",
        "mac",
        link("- endpoints: [{node: r1, interface: e1, mac: m}, r2:e1]"),
    ),
]
BROKEN = [
    Case(
        "duplicate-key",
        "spec.definition.containerlab",
        "image",
        nodes("r1:\n  image: a\n  image: b"),
        nth=2,
    ),
    Case("foreign-tag", "spec.definition.containerlab", "!own", nodes("r1: !own {}")),
    Case("yaml-budget", "spec.definition.containerlab", "*loop", nodes("r1: &loop\n  exec: *loop")),
    Case("invalid-yaml", "spec.definition.containerlab", "*nowhere", nodes("r1: *nowhere")),
]
