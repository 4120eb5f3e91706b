"""Objects back into a Topology, and the proof that a split lost nothing else than it says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from generated_labs import topologies, topology
from hypothesis import assume, given
from hypothesis import strategies as st
from node_fields import Raw
from proofs import DEFAULT, proof, rich_lab, split

from kubectl_c9s.resources.findings import Findings
from kubectl_c9s.topology.compile import Options, split_topology
from kubectl_c9s.topology.composing import compose
from kubectl_c9s.topology.verifying import prove, source_of
from kubectl_c9s.yamlio import writer
from kubectl_c9s.yamlio.reader import read_documents

if TYPE_CHECKING:
    from kubectl_c9s.topology.render import Rendered
    from kubectl_c9s.yamlio.reader import Document

CASES = Path(__file__).parent / "cases"
NAMES = st.sampled_from([None, "other"])
ACCEPTED = sorted(path.parent for path in CASES.glob("*/expected.json"))


def composed_again(rendered: Rendered) -> Rendered:
    """Compose, write, read and split, without the code that makes proofs."""
    name = rendered.nodes[0]["metadata"]["labels"]["c9s.run/topologyOwner"]
    composed = compose(rendered, name, rendered.nodes[0]["metadata"].get("namespace"))
    (document,) = read_documents(writer.dump(composed).encode(), "composed.yaml")
    return split(document)


def definition_of(document: Document) -> Any:
    """Give the composed definition as JSON data."""
    text = proof(document).composed["spec"]["definition"]["containerlab"]
    return plain(read_documents(text.encode(), "")[0].root)


def plain(node: Any) -> Any:
    if hasattr(node, "entries"):
        return {key: plain(value) for key, (_, value) in node.entries.items()}
    return [plain(item) for item in node.items] if hasattr(node, "items") else node.text


@given(topologies())
def test_splitting_composing_and_splitting_again_is_a_fixed_point(document: Document) -> None:
    rendered = split_topology(document, DEFAULT, Findings())
    assume(rendered is not None)
    assert rendered is not None
    assert composed_again(rendered) == rendered


@given(topologies(), st.builds(Options, name=NAMES, namespace=NAMES, owner_label=st.booleans()))
def test_the_proof_holds_for_every_lab_that_is_split(document: Document, options: Options) -> None:
    rendered = split_topology(document, options, Findings())
    assume(rendered is not None)
    assert rendered is not None
    assert prove(rendered, source_of(document, options)).differences == []


@pytest.mark.parametrize("case", ACCEPTED, ids=lambda path: path.name)
def test_the_proof_holds_for_the_worked_cases(case: Path) -> None:
    (document,) = read_documents((case / "input.yaml").read_bytes(), "input.yaml")
    assert proof(document).differences == []
    rendered = split(document)
    assert composed_again(rendered) == rendered


def test_a_composed_definition_is_flat() -> None:
    document = topology({
        "topology": {
            "defaults": {"kind": "linux", "env": {"A": Raw("yes")}},
            "kinds": {"linux": {"image": "i", "flag": Raw("010")}},
            "groups": {"core": {"privileged": False}},
            "nodes": {"R1": {"group": "core", "ports": ["8022:22"]}, "r2": Raw("")},
            "links": [{"endpoints": ["R1:eth1", "r2:eth1"], "mtu": 1400}],
        }
    })  # fmt: skip
    common = {
        "kind": "linux",
        "image": "i",
        "env": {"A": "yes"},
        "kind-specific-config": {"flag": "8"},
    }
    assert definition_of(document)["topology"] == {
        "nodes": {
            "r1": {**common, "group": "core", "ports": ["22"], "privileged": "false"},
            "r2": common,
        },
        "links": [{"endpoints": ["r1:eth1", "r2:eth1"], "mtu": "1400"}],
    }


def test_a_composed_topology_is_the_same_text_on_every_run() -> None:
    one, two = (writer.dump(proof(rich_lab()).composed) for _ in range(2))
    assert one == two


@pytest.mark.parametrize(
    ("nodes", "links"),
    [
        ({"R1": {"aliases": ["r1"]}, "b": {"network-mode": "container:R1"}}, [["R1:eth1", "b:eth1"]]),
        ({"Host": {}, "b": {}}, [["Host:eth1", "b:eth1"], ["Host:eth2", "Host:eth3"], ["b:eth2", "host:up"]]),
        ({"Mgmt-Net": {}, "MACVLAN": {}}, [["Mgmt-Net:eth1", "MACVLAN:eth1"]]),
        ({"-r1": {"aliases": ["r1"]}, "b": {}}, [["-r1:eth1", "b:eth1"]]),
    ],
)  # fmt: skip
def test_names_that_a_definition_would_take_otherwise_are_proved(nodes: Any, links: Any) -> None:
    wires = [{"endpoints": ends} for ends in links]
    probes = {"statusProbes": {"excludedNodes": [*nodes, "r1_", "ghost"]}}
    document = topology({"topology": {"nodes": nodes, "links": wires}}, probes)
    assert proof(document).differences == []


def test_resources_of_a_node_called_default_stay_its_own() -> None:
    resources = {"default": {"requests": {"cpu": 1}}, "Default": {"requests": {"cpu": 2}}}
    document = topology(
        {"topology": {"nodes": {"Default": {}, "b": {}}}}, {"deployment": {"resources": resources}}
    )
    assert len(split(document).profiles) == 2
    assert proof(document).differences == []


@pytest.mark.parametrize(
    "spec",
    [
        {"deployment": {"scheduling": {"nodeSelector": {}}}},
        {"deployment": {"scheduling": {"affinity": {}}}},
        {"deployment": {"resources": {"default": {}}}},
        {"deployment": {"resources": {"a": {}}}},
        {"deployment": {"resources": {"a": {"claims": [{"name": "x"}]}, "b": {"limits": {"cpu": 1}}}}},
        {"deployment": {"persistence": {"enabled": False, "claimSize": "1Gi"}}},
        {"disableManagement": True},
        {"expose": {}, "statusProbes": {}, "imagePull": {}, "deployment": {}, "rollout": {}},
        {"statusProbes": {"nodeProbeConfigurations": {"b": {"startupSeconds": 1}, "B": {"startupSeconds": 2}}}},
    ],
)  # fmt: skip
def test_policy_at_its_edges_is_proved(spec: dict[str, Any]) -> None:
    for mgmt in (None, {}, {"ipv4-gw": "198.51.100.1"}):
        definition: dict[str, Any] = {"topology": {"nodes": {"a": Raw(""), "B": {"type": " x "}}}}
        if mgmt is not None:
            definition["mgmt"] = mgmt
        definition["topology"]["defaults"] = {"type": " only defaults keep blanks "}
        assert proof(topology(definition, spec)).differences == []


def test_a_lab_without_nodes_is_proved() -> None:
    assert proof(topology("topology: {nodes: {}}")).differences == []
