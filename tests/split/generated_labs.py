"""Topologies to split: strategies that use every field, every layer, odd scalars and names that clash."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st
from node_fields import GROUPS, KINDS, Raw, blocks, booleans, texts

from kubectl_c9s.resources import names
from kubectl_c9s.yamlio.reader import Document, read_documents


def yaml_text(value: Any) -> str:
    """Write a value as YAML in flow style; ``Raw`` stays as it is."""
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{yaml_text(k)}: {yaml_text(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(yaml_text, value)) + "]"
    return json.dumps(value)


def topology(definition: Any, spec: dict[str, Any] | None = None, **metadata: Any) -> Document:
    """Make a Topology document around a definition, which is a text or a value."""
    text = definition if isinstance(definition, str) else yaml_text(definition)
    manifest = {
        "apiVersion": "c9s.run/v1alpha1",
        "kind": "Topology",
        "metadata": {"name": "lab", **metadata},
        "spec": {**(spec or {}), "definition": {"containerlab": text}},
    }
    (document,) = read_documents(json.dumps(manifest).encode(), "lab.yaml")
    return document


NODE_NAMES = [
    "r1", "R2", "leaf", "PE_2", "7750-core", "-edge.router-", "Größe", "host", "Default", "Mgmt-Net", "MACVLAN", "r_1",
    "A-very-long-router-name-that-goes-well-past-the-limit-of-sixty-three-characters-01",
]  # fmt: skip
ALIASES = ["r1", "r2", "pe-2", "leaf", "default", "clab-7750-core", "svc-a", "svc-b", "r-1"]
amounts = st.dictionaries(
    st.sampled_from(["cpu", "memory"]),
    st.sampled_from(["1", "1000m", "2", 1, 3, "4Gi", "1024Mi", "1Gi"]),
    max_size=2,
)
resources = st.fixed_dictionaries({}, optional={"requests": amounts, "limits": amounts})
probes = st.fixed_dictionaries({}, optional={
    "startupSeconds": st.integers(0, 900),
    "tcpProbeConfiguration": st.just({"port": 22}),
    "sshProbeConfiguration": st.just({"username": "admin", "password": "example-only"}),
})  # fmt: skip


@st.composite
def links(draw: st.DrawFn, nodes: list[str]) -> list[dict[str, Any]]:
    """Draw links of every form that a Topology may have, no two of one name."""
    ends = st.tuples(
        st.sampled_from([*nodes, "host"]),
        st.sampled_from(["eth1", "Eth1", "1/1/c1/1", "Gi0/0", "x.100", "eth 2"]),
    )
    found: dict[str, dict[str, Any]] = {}
    for a, b in draw(st.lists(st.tuples(ends, ends), max_size=5)):
        if a[0] == b[0] == "host" or {a[0], b[0]} & {"mgmt-net", "macvlan"}:
            continue
        link: dict[str, Any] = draw(
            st.fixed_dictionaries({}, optional={"mtu": st.sampled_from([0, 1400, 9500])})
        )
        if draw(st.booleans()):
            link["endpoints"] = [f" {node} : {interface}" for node, interface in (a, b)]
        else:
            link["type"] = draw(st.sampled_from(["veth", "brief", ""]))
            link["endpoints"] = [
                {"node": n, "interface": i, "mac": "02:00:00:00:00:01"} for n, i in (a, b)
            ]
        name = names.link_name(
            *(part for end in (a, b) for part in (names.sanitize_name(end[0]), end[1]))
        )
        found[name] = link
    return list(found.values())


@st.composite
def definitions(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a definition that can be split."""
    nodes = draw(
        st.lists(st.sampled_from(NODE_NAMES), min_size=1, max_size=5, unique_by=names.sanitize_name)
    )
    spare = [alias for alias in draw(st.permutations(ALIASES)) if alias not in nodes]
    bodies: dict[str, Any] = {}
    for index, node in enumerate(nodes):
        body: dict[str, Any] | Raw = draw(st.one_of(st.just(Raw("")), blocks(), blocks()))
        if isinstance(body, dict):
            if draw(st.booleans()) and spare:
                body["aliases"] = [spare.pop()]
            if index and draw(st.booleans()):
                body["network-mode"] = f"container:{draw(st.sampled_from(nodes[:index]))}"
        bodies[node] = body
    found: dict[str, Any] = {"nodes": bodies, "links": draw(links(nodes))}
    if draw(st.booleans()):
        found["defaults"] = draw(blocks())
    if draw(st.booleans()):
        found["kinds"] = {kind: draw(blocks(without=("kind",))) for kind in KINDS[:2]}
    if draw(st.booleans()):
        found["groups"] = {group: draw(blocks(without=("group",))) for group in GROUPS[:2]}
    mgmt = st.fixed_dictionaries({}, optional={
        "network": st.just("oob"), "ipv4-subnet": st.just("198.51.100.0/24"), "ipv6-gw": texts, "mtu": st.just(1400),
    })  # fmt: skip
    top = st.fixed_dictionaries({"name": texts}, optional={
        "prefix": texts, "debug": booleans, "mgmt": st.one_of(mgmt, mgmt.map(lambda one: [one])),
    })  # fmt: skip
    return {**draw(top), "topology": found}


@st.composite
def specs(draw: st.DrawFn, nodes: list[str]) -> dict[str, Any]:
    """Draw the other fields of a Topology's spec; they name nodes, and a node that is not there."""
    some = st.sampled_from([*nodes, "ghost", "r9_"])
    config_map = st.fixed_dictionaries(
        {"filePath": st.sampled_from(["/x", "y"]), "configMapName": st.just("x")},
        optional={"mode": st.sampled_from(["read", "execute"]), "configMapPath": st.just("p")},
    )
    url = st.just(
        {"filePath": "/big", "url": "https://files.example/big", "digest": "sha256:" + "ab" * 32}
    )
    deployment = st.fixed_dictionaries({}, optional={
        "resources": st.dictionaries(st.one_of(some, st.just("default")), resources, max_size=4),
        "filesFromConfigMap": st.dictionaries(some, st.lists(config_map, max_size=2), max_size=2),
        "filesFromURL": st.dictionaries(some, st.lists(url, max_size=1), max_size=2),
        "persistence": st.fixed_dictionaries({"enabled": st.booleans()}, optional={"claimSize": st.just("2Gi")}),
        "scheduling": st.fixed_dictionaries({}, optional={
            "nodeSelector": st.sampled_from([{}, {"pool": "labs"}]),
            "tolerations": st.sampled_from([[], [{"key": "labs", "operator": "Exists", "tolerationSeconds": 0}]]),
        }),
    })  # fmt: skip
    return draw(st.fixed_dictionaries({}, optional={
        "deployment": deployment,
        "expose": st.fixed_dictionaries({}, optional={
            "exposeType": st.sampled_from(["None", "ClusterIP"]), "disableAutoExpose": st.booleans(),
            "useNodeMgmtIpv6Address": st.booleans(),
        }),
        "imagePull": st.fixed_dictionaries({}, optional={
            "policy": st.just("Always"), "pullSecrets": st.sampled_from([[], ["one", "two"]]),
        }),
        "statusProbes": st.fixed_dictionaries({}, optional={
            "enabled": st.booleans(), "probeConfiguration": probes,
            "nodeProbeConfigurations": st.dictionaries(some, probes, max_size=2),
            "excludedNodes": st.lists(some, max_size=2),
        }),
        "disableManagement": st.booleans(),
        "rollout": st.fixed_dictionaries({}, optional={"batchSize": st.just(5)}),
    }))  # fmt: skip


@st.composite
def topologies(draw: st.DrawFn) -> Document:
    """Draw a Topology that can be split."""
    definition = draw(definitions())
    nodes = list(definition["topology"]["nodes"])
    metadata = draw(st.fixed_dictionaries({}, optional={
        "namespace": st.just("space"), "labels": st.just({"team": "net"}), "annotations": st.just({"note": "x"}),
    }))  # fmt: skip
    return topology(definition, draw(specs(nodes)), **metadata)
