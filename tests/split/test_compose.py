"""Objects back into a Topology, and the proof that a split lost nothing else than it says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from generated_labs import topologies, topology
from hypothesis import assume, given
from hypothesis import strategies as st
from node_fields import Raw

from kubectl_c9s.resources.findings import Findings
from kubectl_c9s.topology import composing, data
from kubectl_c9s.topology.compile import Options, split_topology
from kubectl_c9s.topology.composing import compose
from kubectl_c9s.topology.render import Rendered
from kubectl_c9s.topology.verifying import (
    Difference,
    Proof,
    differing,
    prove,
    source_of,
    verify,
)
from kubectl_c9s.yamlio import writer
from kubectl_c9s.yamlio.reader import Document, read_documents

if TYPE_CHECKING:
    from collections.abc import Iterator

CASES = Path(__file__).parent / "cases"
ACCEPTED = sorted(path.parent for path in CASES.glob("*/expected.json"))
DEFAULT = Options()


def split(document: Document, options: Options = DEFAULT) -> Rendered:
    findings = Findings()
    rendered = split_topology(document, options, findings)
    assert rendered is not None, findings.errors
    return rendered


def proof(document: Document, options: Options = DEFAULT) -> Proof:
    return prove(split(document, options), source_of(document, options))


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


@given(topologies(), st.booleans(), st.sampled_from([None, "other"]))
def test_the_proof_holds_for_every_lab_that_is_split(
    document: Document, owner_label: bool, name: str | None
) -> None:
    options = Options(name=name, namespace=name, owner_label=owner_label)
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
    common = {"kind": "linux", "image": "i", "env": {"A": "yes"}, "kind-specific-config": {"flag": "8"}}
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
    document = topology({"topology": {"nodes": {"Default": {}, "b": {}}}}, {"deployment": {"resources": resources}})
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


def rich_lab() -> Document:
    """Give a lab in which every kind of field stands, none with a value that means the same as nothing."""
    return topology((Path(__file__).parent / "rich.clab.yml").read_text("utf-8"), RICH_SPEC, namespace="space")


RICH_SPEC: dict[str, Any] = {
    "expose": {"exposeType": "ClusterIP", "disableAutoExpose": True},
    "imagePull": {"policy": "Always", "pullSecrets": ["one"]},
    "statusProbes": {
        "enabled": True, "probeConfiguration": {"startupSeconds": 60}, "excludedNodes": ["r2"],
        "nodeProbeConfigurations": {"R1": {"tcpProbeConfiguration": {"port": 22}}},
    },
    "deployment": {
        "persistence": {"enabled": True, "claimSize": "2Gi"},
        "scheduling": {"nodeSelector": {"pool": "labs"}, "tolerations": [{"key": "k", "operator": "Exists"}]},
        "resources": {"default": {"requests": {"cpu": 1}}, "R1": {"limits": {"memory": "4Gi"}}},
        "filesFromConfigMap": {"R1": [{"filePath": "/x", "configMapName": "x", "mode": "execute"}]},
        "filesFromSecret": {"r2": [{"filePath": "/y", "secretName": "y", "secretPath": "p", "mode": "execute"}]},
        "filesFromURL": {"r2": [{"filePath": "/z", "url": "https://files.example/z", "digest": "sha256:" + "ab" * 32}]},
    },
}  # fmt: skip


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Give the path of every value that is no filled collection."""
    items: Any = ()
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
    inner = [leaf for key, item in items for leaf in leaves(item, (*path, key))]
    yield from inner or [path]


def changed(value: Any, path: tuple[Any, ...], new: Any = None) -> Any:
    """Copy a value with one part of it replaced, or left out."""
    copied = json.loads(json.dumps(value))  # what objects share is parted, too
    holder = copied
    for part in path[:-1]:
        holder = holder[part]
    if new is None:
        del holder[path[-1]]
    else:
        holder[path[-1]] = new
    return copied


def spec_paths(rendered: Rendered) -> list[tuple[Any, ...]]:
    """Give the paths of all values that the objects of a lab were split for: specs and labels."""
    found = [path for path in leaves(rendered._asdict()) if {"spec", "labels"} & set(path)]
    return [path for path in found if not {"endpointA", "endpointB"} & set(path)]


def test_every_value_that_a_split_would_lose_or_change_is_noticed() -> None:
    document = rich_lab()
    rendered, source = split(document), source_of(document, DEFAULT)
    paths = spec_paths(rendered)
    for path in paths:
        for new in (None, other(data.value_at(rendered._asdict(), path))):
            lost = Rendered(**changed(rendered._asdict(), path, new))
            assert prove(lost, source).differences != [], (path, new)
    assert len(paths) > 110


def other(value: Any) -> Any:
    """Give another value of the same type; None, which is to say none at all, where there is no other."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return value + "x"
    return value + 1 if isinstance(value, int | float) else None


@given(topologies(), st.data())
def test_a_loss_anywhere_in_any_lab_is_noticed(document: Document, draw: st.DataObject) -> None:
    rendered = split_topology(document, DEFAULT, Findings())
    assume(rendered is not None)
    assert rendered is not None
    path = draw.draw(st.sampled_from(spec_paths(rendered)))
    lost = Rendered(**changed(rendered._asdict(), path))
    assert prove(lost, source_of(document, DEFAULT)).differences != []


def test_an_object_that_a_split_would_lose_is_noticed() -> None:
    document = rich_lab()
    rendered, source = split(document), source_of(document, DEFAULT)
    for kind, objects in rendered._asdict().items():
        for index in range(len(objects)):
            lost = Rendered(**changed(rendered._asdict(), (kind, index)))
            assert prove(lost, source).differences != [], objects[index]


def test_wires_that_a_split_would_exchange_are_noticed() -> None:
    document = rich_lab()
    rendered, source = split(document), source_of(document, DEFAULT)
    for index in range(len(rendered.links)):
        for new in ("eth9", "Eth1"):
            lost = Rendered(
                **changed(rendered._asdict(), ("links", index, "spec", "endpointA", "interfaceName"), new)
            )
            assert prove(lost, source).differences != []


def test_every_value_that_composing_would_lose_is_noticed() -> None:
    document = rich_lab()
    rendered, source = split(document), source_of(document, DEFAULT)
    composed = compose(rendered, "lab", "space")
    assert verify(rendered, composed, source) == []
    text = composed["spec"]["definition"]["containerlab"]
    definition = yaml.safe_load(text)
    spec = {**composed["spec"], "definition": definition}
    paths = list(leaves(spec))
    for path in paths:
        if path in MEANS_THE_SAME:
            continue
        lost = changed(spec, path)
        lost["definition"] = {"containerlab": writer.dump(lost["definition"])}
        assert verify(rendered, {**composed, "spec": lost}, source) != [], path
    assert len(paths) > 110


# The definition's name is not used, a flag that is not said is false, and the API server enables probes.
MEANS_THE_SAME = {
    ("statusProbes", "enabled"),
    ("definition", "name"),
    ("expose", "useNodeMgmtIpv4Address"),
    ("expose", "useNodeMgmtIpv6Address"),
}


def test_a_composer_that_forgets_something_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    document = rich_lab()
    rendered, source = split(document), source_of(document, DEFAULT)
    for name, forgetful in (
        ("_body", lambda *_: {}),
        ("_resources", lambda *_: {}),
        ("_deployment", lambda *_: {}),
        ("_probes", lambda *_: {}),
        ("_link", lambda *_: {"endpoints": ["r1_:eth1", "r2:Eth1"]}),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(composing._Composer, name, forgetful)  # noqa: SLF001 - a planted mutant
            assert prove(rendered, source).differences != [], name
    assert prove(rendered, source).differences == []


def test_a_difference_names_object_place_and_both_values() -> None:
    document = rich_lab()
    rendered, source = split(document), source_of(document, DEFAULT)
    lost = Rendered(**changed(rendered._asdict(), ("nodes", 0, "spec", "user")))
    assert prove(lost, source).differences == [
        Difference("Node/r1", "user", '"root"', "nothing", "input")
    ]
    told = Rendered(**changed(rendered._asdict(), ("profiles", 0, "spec", "expose", "exposeType"), "None"))
    assert prove(told, source).differences == [
        Difference("NodeProfile/lab-r1", "spec.expose.exposeType", '"ClusterIP"', '"None"'),
        Difference("NodeProfile/lab", "expose.exposeType", '"ClusterIP"', '"None"', "input"),
    ]


def test_a_composed_topology_that_is_refused_is_a_difference() -> None:
    document = rich_lab()
    rendered, source = split(document), source_of(document, DEFAULT)
    broken = Rendered(**changed(rendered._asdict(), ("nodes", 0, "spec", "binds", 0), "no bind"))
    (found,) = prove(broken, source).differences
    assert found.path == "topology.nodes.r1_.binds[0]"
    assert found.became.startswith("refused: ")


def test_truth_values_are_no_numbers_and_numbers_have_one_type() -> None:
    assert list(differing({"a": True}, {"a": 1})) == [(("a",), True, 1)]
    assert list(differing([1, {"a": 2}], [1.0, {"a": 2}])) == []
    assert list(differing([1, 2], [1])) == [((), [1, 2], [1])]
