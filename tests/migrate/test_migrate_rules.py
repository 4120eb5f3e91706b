"""What becomes of the fields of older releases, kind by kind, and what is said about each."""

from __future__ import annotations

import pytest
from migrate_tools import OLD_GROUP, becomes, manifest, migrate

DEFINITION = """\
definition:
  containerlab: |
    topology:
      nodes:
        r1: {kind: linux, image: busybox}
"""
ENDPOINTS = """\
endpointA: {nodeName: r1, interfaceName: eth1}
endpointB: {nodeName: r2, interfaceName: eth1}
"""


def test_a_profile_keeps_what_exists_today_and_says_what_is_gone() -> None:
    old = """\
# sizes of the core
resources:
  requests: {memory: "4Gi"}
deployment:
  launcherImage: ghcr.io/example/launcher:1 # ours
  persistence:
    enabled: true   # keep
  privilegedLauncher: true
imagePull:
  pullSecrets: ['registry']
  dockerConfig: docker
"""
    new = """\
# sizes of the core
resources:
  requests: {memory: "4Gi"}
deployment:
  persistence:
    enabled: true   # keep
imagePull:
  pullSecrets: ['registry']
"""
    answer = becomes(manifest("LauncherProfile", old), manifest("NodeProfile", new))
    assert answer.warnings == [
        ("dropped-setting", "spec.deployment.launcherImage"),
        ("lost-setting", "spec.deployment.privilegedLauncher"),
        ("lost-setting", "spec.imagePull.dockerConfig"),
    ]


@pytest.mark.parametrize(
    "kind", ["LauncherProfile", "NodeProfile", "Topology", "Config", "Node", "Link"]
)
def test_the_old_group_becomes_todays(kind: str) -> None:
    spec = {"Topology": DEFINITION, "Link": ENDPOINTS, "Node": "kind: linux\n"}.get(kind, "{}\n")
    today = "NodeProfile" if kind == "LauncherProfile" else kind
    assert becomes(manifest(kind, spec, OLD_GROUP), manifest(today, spec)).warnings == []


@pytest.mark.parametrize(
    ("field", "code"),
    [
        ("deployment: {containerlabDebug: true}", "dropped-setting"),
        ("deployment: {containerlabTimeout: 10m}", "dropped-setting"),
        ("deployment: {launcherImage: other}", "dropped-setting"),
        ("deployment: {launcherImagePullPolicy: Always}", "dropped-setting"),
        ("deployment: {launcherLogLevel: debug}", "dropped-setting"),
        ("deployment: {containerlabVersion: 0.78.0}", "lost-setting"),
        ('deployment: {containerlabVersion: ""}', "dropped-setting"),
        ("deployment: {privilegedLauncher: false}", "lost-setting"),
        ("deployment: {extraEnv: [{name: A, value: b}]}", "lost-setting"),
        ("deployment: {extraEnv: []}", "dropped-setting"),
        ("imagePull: {insecureRegistries: [registry.example.org]}", "lost-setting"),
        ("imagePull: {pullThroughOverride: auto}", "dropped-setting"),
        ("imagePull: {pullThroughOverride: always}", "dropped-setting"),
        ("imagePull: {pullThroughOverride: never}", "lost-setting"),
        ("imagePull: {dockerDaemonConfig: daemon}", "lost-setting"),
        ("imagePull: {dockerConfig: docker}", "lost-setting"),
        ("imagePull: {dockerConfig: null}", "dropped-setting"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["LauncherProfile", "Topology", "Config"])
def test_a_setting_of_the_launcher_goes_and_says_whether_it_is_missed(
    kind: str, field: str, code: str
) -> None:
    today = "NodeProfile" if kind == "LauncherProfile" else kind
    rest = {"Topology": DEFINITION, "Config": "", "LauncherProfile": "resources: {}\n"}[kind]
    section = field.partition(":")[0]
    # Below sections of the Config the server fills in defaults: they stay.
    left = f"{section}: {{}}\n" if kind == "Config" else ""
    answer = becomes(manifest(kind, f"{rest}{field}\n"), manifest(today, rest + left))
    assert [one for one, _ in answer.warnings] == [code]


@pytest.mark.parametrize(
    ("field", "left", "code"),
    [
        ("mgmt: {network: lab, ipv4-subnet: 172.20.0.0/24}", "mgmt: {ipv4-subnet: 172.20.0.0/24}", "dropped-setting"),
        ("mgmt: {mtu: 1400}", "mgmt: {}", "lost-setting"),
        ("mgmt: {external-access: true}", "mgmt: {}", "dropped-setting"),
        ("mgmt: {external-access: false}", "mgmt: {}", "lost-setting"),
    ],
)  # fmt: skip
def test_dockers_management_network_goes_and_its_addresses_stay(
    field: str, left: str, code: str
) -> None:
    answer = becomes(manifest("LauncherProfile", field), manifest("NodeProfile", left))
    assert [one for one, _ in answer.warnings] == [code]


@pytest.mark.parametrize("kind", ["LauncherProfile", "Topology"])
@pytest.mark.parametrize(
    ("old", "new", "codes"),
    [
        ("disableExpose: true # no Services", "exposeType: None # no Services", []),
        ("{disableExpose: true}", "{exposeType: None}", []),
        ('{"disableExpose": true}', '{"exposeType": None}', []),
        ("{disableExpose: false, exposeType: Headless}", "{exposeType: Headless}", ["dropped-setting"]),
        ("{disableExpose: true, exposeType: Headless}", "{exposeType: None}", ["dropped-setting"]),
        ("{disableExpose: true, exposeType: None}", "{exposeType: None}", []),
        ("{disableExpose: false}", "{}", ["dropped-setting"]),
    ],
)  # fmt: skip
def test_no_expose_becomes_a_type_of_expose(
    kind: str, old: str, new: str, codes: list[str]
) -> None:
    rest = DEFINITION if kind == "Topology" else ""
    start = "expose: " if old.startswith("{") else "expose:\n  "
    today = "NodeProfile" if kind == "LauncherProfile" else kind
    answer = becomes(
        manifest(kind, f"{start}{old}\n{rest}"), manifest(today, f"{start}{new}\n{rest}")
    )
    assert [one for one, _ in answer.warnings] == codes


def test_a_topology_loses_what_told_releases_apart_and_keeps_its_definition() -> None:
    old = f"""\
connectivity: vxlan
naming: prefixed
expose:
  exposeType: ClusterIP
  disableNodeAliasService: true
{DEFINITION}"""
    new = f"expose:\n  exposeType: ClusterIP\n{DEFINITION}"
    answer = becomes(manifest("Topology", old), manifest("Topology", new))
    assert answer.warnings == [
        ("dropped-setting", "spec.connectivity"),
        ("dropped-setting", "spec.naming"),
        ("lost-setting", "spec.expose.disableNodeAliasService"),
    ]


def test_a_config_loses_what_the_manager_no_longer_asks_for() -> None:
    old = """\
naming: non-prefixed
inClusterDNSSuffix: svc.lab.example
deployment:
  resourcesDefault: {requests: {cpu: 1}}
  resourcesByContainerlabKind:
    nokia_srlinux: {default: {requests: {cpu: 2}}}
imagePull:
  criSockOverride: /run/k3s/containerd/containerd.sock
  criKindOverride: containerd
  criHostsDir: /etc/hosts.d
"""
    new = """\
deployment:
  resourcesDefault: {requests: {cpu: 1}}
imagePull: {}
"""
    answer = becomes(manifest("Config", old), manifest("Config", new))
    assert [path for code, path in answer.warnings if code == "lost-setting"] == [
        "spec.deployment.resourcesByContainerlabKind",
        "spec.inClusterDNSSuffix",
    ]


@pytest.mark.parametrize(
    ("flavour", "code"), [("vxlan", "dropped-setting"), ("slurpeeth", "lost-setting")]
)
def test_a_link_has_no_flavour_any_more(flavour: str, code: str) -> None:
    old = manifest("Link", f"connectivity: {flavour}\n{ENDPOINTS}")
    # Its Nodes are not in the input, which is validate's matter.
    answer = migrate(old)
    assert (answer.code, answer.text) == (0, manifest("Link", ENDPOINTS))
    assert answer.warnings == [(code, "spec.connectivity")]


def test_an_empty_section_goes_with_its_last_field_but_not_with_a_comment() -> None:
    old = "deployment:\n  launcherImage: a\n  launcherLogLevel: info\nresources: {}\n"
    becomes(manifest("LauncherProfile", old), manifest("NodeProfile", "resources: {}\n"))
    old = "deployment:\n  # ask the team\n  launcherImage: a\nresources: {}\n"
    new = "deployment: {}\n  # ask the team\nresources: {}\n"
    becomes(manifest("LauncherProfile", old), manifest("NodeProfile", new))


def test_a_kne_definition_is_refused() -> None:
    answer = migrate(manifest("Topology", "definition:\n  kne: |\n    name: x\n"))
    assert (answer.code, answer.text) == (1, "")
    assert answer.errors == [("kne-definition", "spec.definition.kne")]


@pytest.mark.parametrize("kind", ["ImageRequest", "Connectivity"])
def test_a_kind_that_has_no_successor_is_refused(kind: str) -> None:
    answer = migrate(manifest(kind, "x: y", OLD_GROUP))
    assert (answer.code, answer.text) == (1, "")
    assert answer.errors == [("unknown-kind", "kind")]


def test_what_the_manager_would_refuse_in_a_definition_is_refused_with_its_place() -> None:
    old = manifest("Topology", DEFINITION.replace("kind: linux", "kind: linux, runtime: docker"))
    answer = migrate(old)
    assert (answer.code, answer.text) == (1, "")
    assert answer.errors == [("unsupported-field", "runtime")]
    assert "<stdin>:10:" in answer.said


def test_an_unknown_field_is_refused_and_a_patch_may_lack_fields() -> None:
    answer = migrate(manifest("LauncherProfile", "exspose: {}"))
    assert answer.errors == [("unknown-field", "spec.exspose")]
    patch = manifest("Link", "connectivity: vxlan\nmtu: 9000")
    answer = migrate(patch)
    assert (answer.code, answer.text) == (0, manifest("Link", "mtu: 9000"))
