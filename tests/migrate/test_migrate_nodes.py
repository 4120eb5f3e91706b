"""What becomes of Nodes of older releases, and of the metadata of all objects."""

from __future__ import annotations

import pytest
from migrate_tools import OLD_GROUP, Migrated, becomes, manifest, migrate

PROFILE = manifest("NodeProfile", "{}").replace("name: one", "name: big")


def node_becomes(old: str, new: str) -> Migrated:
    return becomes(manifest("Node", old), manifest("Node", new))


def test_the_reference_to_the_profile_follows_it() -> None:
    old = PROFILE.replace("NodeProfile", "LauncherProfile")
    spec = "launcherProfileRef: # sizes\n  name: big\nkind: linux\n"
    answer = becomes(
        f"{old}---\n{manifest('Node', spec)}",
        f"{PROFILE}---\n{manifest('Node', spec.replace('launcherProfileRef', 'profileRef'))}",
    )
    assert answer.warnings == []


def test_two_references_are_one_if_they_say_the_same_and_refused_if_not() -> None:
    spec = "launcherProfileRef: {name: big}\nprofileRef: {name: NAME}\nkind: linux\n"
    same = manifest("Node", spec.replace("NAME", "big"))
    today = manifest("Node", "profileRef: {name: big}\nkind: linux\n")
    assert becomes(f"{PROFILE}---\n{same}", f"{PROFILE}---\n{today}").warnings == [
        ("dropped-setting", "spec.launcherProfileRef")
    ]
    answer = migrate(manifest("Node", spec.replace("NAME", "other")))
    assert (answer.code, answer.text) == (1, "")
    assert answer.errors == [("clashing-settings", "spec.launcherProfileRef")]


@pytest.mark.parametrize(
    ("field", "code"),
    [
        ("publish: [tcp/22]", "dropped-setting"),
        ("sandbox: x", "dropped-setting"),
        ("kernel: x", "dropped-setting"),
        ("position: left", "dropped-setting"),
        ("runtime: docker", "dropped-setting"),
        ("runtime: ignite", "lost-setting"),
        ("auto-remove: true", "dropped-setting"),
        ("wait-for: [r1]", "lost-setting"),
        ("cpu-set: 0-3", "lost-setting"),
        ("pid-mode: host", "lost-setting"),
        ("cgroupns-mode: host", "lost-setting"),
        ("stages: {create: {wait-for: {}}}", "lost-setting"),
        ("credentials: {username: a, password: b}", "lost-setting"),
    ],
)
def test_words_of_containerlab_that_a_pod_has_no_use_for_go(field: str, code: str) -> None:
    answer = node_becomes(
        f"kind: linux\n{field}\nimage: busybox\n", "kind: linux\nimage: busybox\n"
    )
    assert answer.warnings == [(code, f"spec.{field.partition(':')[0]}")]
    assert "password" not in answer.said


def test_ports_keep_the_side_of_the_device() -> None:
    answer = node_becomes(
        "kind: linux\nports:\n- 8022:22/tcp   # ssh\n- '161/udp'\n- \"127.0.0.1:80:80\"\n",
        'kind: linux\nports:\n- "22/tcp"   # ssh\n- \'161/udp\'\n- "80"\n',
    )
    assert answer.warnings == [
        ("host-port-pinning", "spec.ports[0]"),
        ("host-port-pinning", "spec.ports[2]"),
    ]


def test_labels_of_the_container_become_labels_of_the_object() -> None:
    old = manifest("Node", 'kind: linux\nlabels:\n  role: edge\n  rack: "1"\n')
    new = manifest("Node", "kind: linux\n")
    new = new.replace("  name: one\n", '  name: one\n  labels:\n    role: edge\n    rack: "1"\n')
    assert becomes(old, new).warnings == []


@pytest.mark.parametrize(
    ("label", "code"),
    [
        ("c9s.run/exposePorts: 80/tcp", "unusable-node-label"),
        ("text: with blanks", "unusable-node-label"),
        ("team: other", "clashing-settings"),
        ('"true": x', "uneditable-form"),
    ],
)
def test_a_label_that_cannot_be_moved_is_refused(label: str, code: str) -> None:
    old = manifest("Node", f"kind: linux\nlabels:\n  {label}\n")
    answer = migrate(old.replace("  name: one\n", "  name: one\n  labels: {team: core}\n"))
    assert (answer.code, answer.text) == (1, "")
    assert [one for one, _ in answer.errors] == [code]


def test_extras_belong_to_the_kind_and_keep_their_comments() -> None:
    old = """\
kind: nokia_srlinux
extras: # agents
  # two of them
  srl-agents:
    - a.yml

    - b.yml
  mysocket-proxy: http://proxy.example.org
image: srlinux
"""
    new = """\
kind: nokia_srlinux
kind-specific-config:
  extras: # agents
    # two of them
    srl-agents:
      - a.yml

      - b.yml
image: srlinux
"""
    assert node_becomes(old, new).warnings == [("dropped-setting", "spec.extras.mysocket-proxy")]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("{kind: x, extras: {srl-agents: [a]}}", "{kind: x, kind-specific-config: {extras: {srl-agents: [a]}}}"),
        ("{kind: x, extras: {mysocket-proxy: a}}", "{kind: x}"),
        ("{kind: x, SANs: [a, b]}", "{kind: x, certificate: {sans: [a, b]}}"),
        ("{kind: x, SANs: []}", "{kind: x}"),
        ('{"kind": "x", "SANs": ["a"]}', '{"kind": "x", "certificate": {"sans": ["a"]}}'),
    ],
)  # fmt: skip
def test_fields_that_moved_are_moved_in_flow_style_too(old: str, new: str) -> None:
    head = manifest("Node", "").replace("spec:\n", "spec: ")
    becomes(f"{head}{old}\n", f"{head}{new}\n")


@pytest.mark.parametrize(
    "spec",
    [
        "extras: {srl-agents: [a]}\nkind-specific-config: {a: b}",
        "SANs: [a]\ncertificate: {issue: true}",
    ],
)
def test_a_field_whose_new_place_is_taken_is_left_to_a_person(spec: str) -> None:
    answer = migrate(manifest("Node", f"kind: x\n{spec}\n"))
    assert (answer.code, answer.text) == (1, "")
    assert ("clashing-settings", f"spec.{spec.partition(':')[0]}") in answer.errors


def test_the_fabric_module_of_a_component_is_refused_once_and_says_where_it_belongs() -> None:
    answer = migrate(manifest("Node", "kind: x\ncomponents:\n- {slot: A, sfm: m-sfm5}\n"))
    assert answer.errors == [("unknown-field", "spec.components[0].sfm")]
    assert "kind-specific-config" in answer.said


def test_labels_of_the_manager_get_their_name_of_today_and_hand_no_object_over() -> None:
    labels = """\
  labels:
    clabernetes/app: clabernetes
    clabernetes/name: one
    clabernetes/topologyOwner: metro # the lab
    clabernetes/topologyKind: containerlab
    team: core
"""
    today = """\
  labels:
    c9s.run/name: one
    c9s.run/topologyOwner: metro # the lab
    team: core
"""
    text = manifest("Node", "kind: linux\n")
    answer = becomes(
        text.replace("  name: one\n", f"  name: one\n{labels}"),
        text.replace("  name: one\n", f"  name: one\n{today}"),
    )
    assert answer.warnings == [
        ("dropped-setting", "metadata.labels.clabernetes/app"),
        ("dropped-setting", "metadata.labels.clabernetes/topologyKind"),
    ]


def test_what_a_server_wrote_into_an_exported_object_goes() -> None:
    metadata = """\
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: |
      {"kind":"LauncherProfile"}
  creationTimestamp: "2026-08-18T10:00:00Z"
  generation: 2
  resourceVersion: "12"
  uid: 0b5e8c8c-0000-4000-8000-000000000000
"""
    text = manifest("LauncherProfile", "resources: {}\n", OLD_GROUP)
    old = text.replace("  name: one\n", f"{metadata}  name: one\n") + "status: {}\n"
    answer = becomes(old, manifest("NodeProfile", "resources: {}\n"))
    assert answer.warnings == [("exported-field", "metadata.uid")]


@pytest.mark.parametrize("group", ["c9s.run/v1alpha1", OLD_GROUP])
def test_an_object_that_a_topology_made_is_refused(group: str) -> None:
    owner = (
        f"  ownerReferences:\n  - {{apiVersion: {group}, kind: Topology, name: metro, uid: x}}\n"
    )
    text = manifest("Node", "kind: linux\n", group)
    answer = migrate(text.replace("  name: one\n", f"  name: one\n{owner}"))
    assert (answer.code, answer.text) == (1, "")
    assert {code for code, _ in answer.errors} == {"forbidden-metadata"}


def test_both_profiles_of_a_name_are_refused_in_one_namespace_only() -> None:
    old = PROFILE.replace("NodeProfile", "LauncherProfile")
    answer = migrate(f"{PROFILE}---\n{old}")
    assert (answer.code, answer.errors) == (1, [("duplicate-object-name", "metadata.name")])
    elsewhere = old.replace("  name: big\n", "  name: big\n  namespace: other\n")
    assert migrate(f"{PROFILE}---\n{elsewhere}").code == 0


def test_another_document_that_names_the_old_kind_stays_and_is_pointed_at() -> None:
    other = """\
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
patches:
- target: {kind: LauncherProfile, name: big}
"""
    answer = migrate(other)
    assert (answer.code, answer.text) == (0, other)
    assert answer.warnings == [("old-reference", "")]
    assert "<stdin>:4:18" in answer.said
