"""What is accepted as input: split.md §1."""

from __future__ import annotations

import pytest
from split_lab import HEAD, accepted, lab, manifest, split

ONE = "topology: {nodes: {n: {kind: linux}}}"
PLAIN = {
    "disableAutoExpose": False,
    "useNodeMgmtIpv4Address": False,
    "useNodeMgmtIpv6Address": False,
}


def errors(text: str) -> list[tuple[str, str]]:
    answer = split(text)
    assert answer.code == 1, answer.err
    return answer.codes()


def test_one_topology_gives_the_objects_of_its_definition() -> None:
    answer = accepted(ONE)
    assert [(o["kind"], o["metadata"]["name"]) for o in answer.objects] == [
        ("NodeProfile", "lab"),
        ("Node", "n"),
    ]


@pytest.mark.parametrize("version", ["v1alpha2", "v1"])
def test_another_version_is_refused(version: str) -> None:
    text = manifest(ONE).replace("v1alpha1", version)
    assert errors(text) == [("unsupported-version", "apiVersion")]


@pytest.mark.parametrize(
    "metadata",
    [
        "{}",
        "{name: 5}",
        "{name: ''}",
        "{name: A_b}",
        "[name]",
        "{name: -a}",
        f"{{name: {'a' * 64}}}",
    ],
)
def test_a_topology_without_a_usable_name_is_refused(metadata: str) -> None:
    text = manifest(ONE).replace("{name: lab}", metadata)
    assert [code for code, _ in errors(text)] == ["invalid-metadata"]


@pytest.mark.parametrize("namespace", ["A", "5", "a.b", "[a]", "x_y"])
def test_a_namespace_that_cannot_be_one_is_refused(namespace: str) -> None:
    text = manifest(ONE).replace("{name: lab}", f"{{name: lab, namespace: {namespace}}}")
    assert errors(text) == [("invalid-metadata", "metadata.namespace")]


@pytest.mark.parametrize(
    "definition",
    [
        "definition: {containerlab: ''}",
        "definition: {containerlab: }",
        "definition: {}",
        "definition:",
        "",
    ],
)
def test_a_topology_without_a_definition_is_refused(definition: str) -> None:
    text = f"{HEAD}metadata: {{name: lab}}\nspec:\n  {definition}\n"
    assert ("no-definition", "spec.definition.containerlab") in errors(text)


@pytest.mark.parametrize("value", ["5", "true", "{topology: {}}", "[a]"])
def test_a_definition_that_is_no_text_is_refused(value: str) -> None:
    text = f"{HEAD}metadata: {{name: lab}}\nspec:\n  definition:\n    containerlab: {value}\n"
    assert ("invalid-topology-field", "spec.definition.containerlab") in errors(text)


@pytest.mark.parametrize("beside", ["", "\n    containerlab: 'topology: {}'"])
def test_a_kne_definition_is_refused_as_such(beside: str) -> None:
    text = f"{HEAD}metadata: {{name: lab}}\nspec:\n  definition:\n    kne: x{beside}\n"
    answer = split(text)
    assert ("kne-definition", "spec.definition.kne") in answer.codes()
    assert "KNE definitions left the Topology API" in answer.err
    assert answer.errors[0]["line"] == 6


@pytest.mark.parametrize(
    ("spec", "path"),
    [
        ({"exposed": {}}, "spec.exposed"),
        ({"expose": {"type": "x"}}, "spec.expose.type"),
        ({"deployment": {"resource": {}}}, "spec.deployment.resource"),
        ({"statusProbes": {"on": True}}, "spec.statusProbes.on"),
        ({"rollout": {"batch": 1}}, "spec.rollout.batch"),
    ],
)
def test_a_field_the_crd_does_not_know_is_refused(spec: dict[str, object], path: str) -> None:
    assert lab(ONE, **spec).codes() == [("unknown-topology-field", path)]


def test_an_unknown_field_beside_spec_is_refused() -> None:
    assert errors(manifest(ONE) + "extra: 1\n") == [("unknown-topology-field", "extra")]


REMOVED = {
    "connectivity": "vxlan",
    "naming": "prefixed",
    "expose": {"disableExpose": True},
    "deployment": {
        "containerlabDebug": True,
        "containerlabVersion": "0.50",
        "containerlabTimeout": "10m",
        "privilegedLauncher": True,
        "launcherImage": "x",
        "launcherImagePullPolicy": "Always",
        "launcherLogLevel": "debug",
        "extraEnv": [],
    },
    "imagePull": {
        "insecureRegistries": ["r"],
        "pullThroughOverride": "auto",
        "dockerDaemonConfig": "x",
        "dockerConfig": "y",
    },
}


def test_each_field_of_an_older_release_has_a_message_of_its_own() -> None:
    answer = lab(ONE, **REMOVED)
    paths = {
        f"spec.{top}" if not isinstance(value, dict) else f"spec.{top}.{field}"
        for top, value in REMOVED.items()
        for field in (value if isinstance(value, dict) else [""])
    }
    assert len(paths) == 15
    assert {path for _, path in answer.codes()} == paths
    assert {code for code, _ in answer.codes()} == {"removed-field"}
    assert all("field of an older release: " in one["message"] for one in answer.errors)


def test_defaults_of_the_api_server_need_their_parent() -> None:
    assert accepted(ONE).profile() == {"expose": PLAIN, "statusProbes": {"enabled": False}}
    with_parents = accepted(ONE, expose={}, statusProbes={}).profile()
    assert with_parents == {
        "expose": {**PLAIN, "exposeType": "LoadBalancer"},
        "statusProbes": {"enabled": True},
    }


def test_stated_values_beat_the_defaults() -> None:
    answer = accepted(ONE, expose={"exposeType": "None"}, statusProbes={"enabled": False})
    assert answer.profile()["expose"]["exposeType"] == "None"
    assert answer.profile()["statusProbes"] == {"enabled": False}


def test_null_parents_count_as_absent() -> None:
    answer = accepted(ONE, expose=None, statusProbes=None)
    assert answer.profile() == {"expose": PLAIN, "statusProbes": {"enabled": False}}


def test_mode_of_a_file_entry_has_a_default() -> None:
    entry = {"filePath": "/f", "configMapName": "m"}
    secret = {"filePath": "/s", "secretName": "s", "mode": "execute"}
    answer = accepted(
        ONE, deployment={"filesFromConfigMap": {"n": [entry]}, "filesFromSecret": {"n": [secret]}}
    )
    assert answer.node("n")["filesFromConfigMap"] == [{**entry, "mode": "read"}]
    assert answer.node("n")["filesFromSecret"] == [secret]


def test_name_prefix_and_debug_of_the_definition_are_read_and_not_used() -> None:
    plain = accepted(ONE)
    named = accepted(f"name: other\nprefix: p\ndebug: yes\n{ONE}")
    assert named.objects == plain.objects
    assert named.warnings == []


@pytest.mark.parametrize("line", ["name: [a]", "prefix: {a: b}", "debug: maybe", 'debug: "true"'])
def test_types_count_also_where_the_value_is_not_used(line: str) -> None:
    assert lab(f"{line}\n{ONE}").codes() == [("invalid-type", line.split(":", maxsplit=1)[0])]


@pytest.mark.parametrize(
    "spec",
    [
        {"deployment": ["x"]},
        {"deployment": {"resources": ["x"]}},
        {"deployment": {"resources": {"n": "x"}}},
        {"deployment": {"filesFromConfigMap": {"n": {"filePath": "x"}}}},
        {"deployment": {"filesFromURL": [1]}},
        {"statusProbes": "x"},
        {"statusProbes": {"excludedNodes": {"n": 1}, "nodeProbeConfigurations": ["n"]}},
        {"rollout": 5},
        {"expose": []},
        {"imagePull": {"pullSecrets": "x"}},
        {"disableManagement": "x"},
    ],
)
def test_a_spec_of_the_wrong_shape_is_refused_beside_what_the_definition_has(
    spec: dict[str, object],
) -> None:
    answer = lab("topology: {nodes: {n: {network-mode: host}}}", **spec)
    codes = {code for code, _ in answer.codes()}
    assert codes == {"invalid-topology-field", "unsupported-network-mode"}


@pytest.mark.parametrize("spec", ["[a]", "x", "5", "", "~"])
def test_a_spec_that_is_no_mapping_is_refused(spec: str) -> None:
    answer = split(f"{HEAD}metadata: {{name: lab}}\nspec: {spec}\n")
    assert answer.code == 1
    assert answer.errors
