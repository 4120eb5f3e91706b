"""What the API server would refuse is refused here: split.md §16."""

from __future__ import annotations

from typing import Any

import pytest
from split_lab import accepted, lab, manifest, place, refused, split

N = "topology.nodes.n"


def codes(body: str, **spec: Any) -> list[tuple[str, str]]:
    return refused(f"topology: {{nodes: {{n: {body}}}}}", **spec)


@pytest.mark.parametrize(
    "port", ["0", "65536", "080", "80-90", "80/ts", "80/sctp", "http", "''", "80/Tcp", " 80", "-1"]
)
def test_ports_that_the_server_refuses(port: str) -> None:
    assert codes(f"{{ports: ['22', '{port}']}}".replace("''''", "''")) == [
        ("not-admissible", f"{N}.ports[1]")
    ]


@pytest.mark.parametrize("port", ["1", "65535", "80/tcp", "80/udp", "80/TCP", "80/UDP"])
def test_ports_that_the_server_takes(port: str) -> None:
    assert accepted(f"topology: {{nodes: {{n: {{ports: ['{port}']}}}}}}").node("n") == {
        "ports": [port]
    }


def test_the_longest_network_mode_fits() -> None:
    name = "n" * 63
    answer = accepted(
        f"topology: {{nodes: {{{name}: {{}}, m: {{network-mode: 'container:{name}'}}}}}}"
    )
    assert len(answer.node("m")["network-mode"]) == 73


@pytest.mark.parametrize("field", ["retries", "interval", "timeout", "start-period"])
def test_healthcheck_numbers_are_not_negative(field: str) -> None:
    assert codes(f"{{healthcheck: {{{field}: -1}}}}") == [
        ("not-admissible", f"{N}.healthcheck.{field}")
    ]


def test_cpu_is_not_negative() -> None:
    assert codes("{cpu: -0.5}") == [("not-admissible", f"{N}.cpu")]


@pytest.mark.parametrize("alias", ["1a", "A", "a.b", "-a", "a-", "", "a_b", "x" * 64])
def test_aliases_are_names_of_services(alias: str) -> None:
    assert codes(f"{{aliases: ['{alias}']}}") == [("invalid-alias", f"{N}.aliases[0]")]


@pytest.mark.parametrize(
    ("nodes", "path"),
    [
        ("a: {aliases: [b]}, b: {}", "a.aliases[0]"),
        ("a: {aliases: [a]}", "a.aliases[0]"),
        ("a: {aliases: [x, x]}", "a.aliases[1]"),
        ("b: {aliases: [x]}, a: {aliases: [x]}", "b.aliases[0]"),
    ],
)
def test_an_alias_is_no_name_of_a_node_and_no_other_alias(nodes: str, path: str) -> None:
    assert refused(f"topology: {{nodes: {{{nodes}}}}}") == [
        ("duplicate-alias", f"topology.nodes.{path}")
    ]


def test_an_alias_may_be_what_a_renamed_node_becomes() -> None:
    # The compiler compares with the names as written (split.md §15).
    answer = accepted("topology: {nodes: {R1: {}, b: {aliases: [r1]}}}")
    assert answer.node("b") == {"aliases": ["r1"]}


POLICY = {
    "restart-policy": (
        ["always", "Always", "unless-stopped", "Unless-stopped"],
        ["no", "on-failure", "ALWAYS", "always "],
    ),
    "image-pull-policy": (
        ["always", "Always", "never", "Never", "ifnotpresent", "IfNotPresent"],
        ["ifNotPresent", "missing", "ALWAYS"],
    ),
    "link-apply-mode": (["live", "restart", "recreate"], ["Live", "auto"]),
}
GOOD = [(field, value) for field, (good, _) in POLICY.items() for value in good]
BAD = [(field, value) for field, (_, bad) in POLICY.items() for value in bad]


@pytest.mark.parametrize(("field", "value"), GOOD)
def test_words_of_policy_fields(field: str, value: str) -> None:
    assert accepted(f"topology: {{nodes: {{n: {{{field}: {value}}}}}}}").node("n") == {field: value}


@pytest.mark.parametrize(("field", "value"), BAD)
def test_other_words_of_policy_fields_are_refused(field: str, value: str) -> None:
    assert codes(f"{{{field}: '{value}'}}") == [(f"unsupported-{field}", f"{N}.{field}")]


RESERVED = [
    *("/etc/hosts", "/etc/hostname", "/etc/resolv.conf", "/dev/termination-log"),
    *("/etc/./hosts", "/etc/x/../hosts", "//etc//hosts", "/etc/hosts/", "/../etc/hosts"),
    *("/var/lib/clabernetes", "/var/lib/clabernetes/x", "/var/run/clabernetes/a/b"),
    *(
        "/var/run/secrets/kubernetes.io/serviceaccount",
        "/var/run/secrets/kubernetes.io/serviceaccount/token",
    ),
    "/var/lib/x/../clabernetes",
]


@pytest.mark.parametrize("path", RESERVED)
@pytest.mark.parametrize("bind", ["{}:/x", "/x:{}", "/x:{}:ro"])
def test_reserved_paths_are_refused_on_both_sides(path: str, bind: str) -> None:
    assert codes(f"{{binds: ['{bind.format(path)}']}}") == [("reserved-bind-path", f"{N}.binds[0]")]


@pytest.mark.parametrize(
    "path",
    [
        *("/etc/hosts.allow", "etc/hosts", "/etc", "/var/lib/clabernetes2", "/var/lib", "/dev"),
        *("/var/run/secrets/kubernetes.io", "./etc/hosts", "/etc/hosts/x", "../etc/hosts"),
    ],
)
def test_paths_beside_the_reserved_ones_are_taken(path: str) -> None:
    accepted(f"topology: {{nodes: {{n: {{binds: ['{path}:/x', '/y:{path}']}}}}}}")


def test_the_index_of_a_bind_is_that_after_merging_and_sorting() -> None:
    text = """
        topology:
          defaults: {binds: ["z:/etc/hosts", "a:/gone"]}
          nodes: {n: {binds: ["b:/gone", "c:/kept"]}}
    """
    assert refused(text) == [("reserved-bind-path", f"{N}.binds[2]")]


@pytest.mark.parametrize(
    "digest", ["", "sha256:00", "md5:" + "0" * 64, "sha256:" + "G" * 64, "sha256:" + "0" * 65]
)
def test_a_digest_is_sha256_with_64_digits(digest: str) -> None:
    files = {"n": [{"url": "https://example.com/f", "filePath": "/f", "digest": digest}]}
    answer = lab("topology: {nodes: {n: {}}}", deployment={"filesFromURL": files})
    assert answer.codes() == [
        ("invalid-topology-field", "spec.deployment.filesFromURL.n[0].digest")
    ]


@pytest.mark.parametrize(
    ("spec", "path"),
    [
        ({"expose": {"exposeType": "NodePort"}}, "spec.expose.exposeType"),
        ({"imagePull": {"policy": "always"}}, "spec.imagePull.policy"),
        ({"imagePull": {"pullSecrets": ["a", "b", "a"]}}, "spec.imagePull.pullSecrets[2]"),
        (
            {"deployment": {"persistence": {"enabled": True, "reclaim": "Keep"}}},
            "spec.deployment.persistence.reclaim",
        ),
        ({"rollout": {"batchSize": -1}}, "spec.rollout.batchSize"),
        ({"rollout": {"maxConcurrentPerHost": 2**31}}, "spec.rollout.maxConcurrentPerHost"),
        (
            {
                "deployment": {
                    "filesFromConfigMap": {
                        "n": [{"filePath": "/f", "configMapName": "m", "mode": "rw"}]
                    }
                }
            },
            "spec.deployment.filesFromConfigMap.n[0].mode",
        ),
        (
            {"deployment": {"filesFromSecret": {"n": [{"filePath": "/f"}]}}},
            "spec.deployment.filesFromSecret.n[0].secretName",
        ),
    ],
)
def test_values_of_the_topology_that_the_server_refuses(spec: dict[str, Any], path: str) -> None:
    assert lab("topology: {nodes: {n: {}}}", **spec).codes() == [("invalid-topology-field", path)]


@pytest.mark.parametrize(
    ("spec", "mark", "nth"),
    [
        ({"expose": {"exposeType": "NodePort"}}, '"exposeType"', 1),
        ({"imagePull": {"pullSecrets": ["one", "two", "one"]}}, '"one"', 2),
        ({"deployment": {"filesFromURL": {"a": [], "b": [{"url": "u"}]}}}, '{"url"', 1),
        ({"deployment": {"resources": {"a": {"limits": {"cpu": "x"}}}}}, '"cpu"', 1),
    ],
)
def test_a_refused_value_of_the_topology_is_placed(
    spec: dict[str, Any], mark: str, nth: int
) -> None:
    text = manifest("topology: {nodes: {n: {}}}", **spec)
    answer = split(text)
    assert answer.errors
    assert {(one["line"], one["column"]) for one in answer.errors} == {place(text, mark, nth)}


BIG = "topology:\n  nodes:\n    big: {{startup-config: {0}}}\n    bigger: {{startup-config: {0}{0}}}\n    small: {{}}\n"


def test_objects_over_the_budget_are_named_the_largest_first() -> None:
    answer = split(manifest(BIG.format("x" * 1000)), "--max-object-bytes", "1000")
    assert answer.codes() == [
        ("object-too-large", "Node big"),
        ("object-too-large", "Node bigger"),
    ]
    sizes = [int(one["message"].split(" has ")[1].split(" bytes")[0]) for one in answer.errors]
    assert 1000 < sizes[0] < 1300
    assert 2000 < sizes[1] < 2300
    assert split(manifest(BIG.format("x" * 1000)), "--max-object-bytes", "3000").code == 0


def test_the_default_budget_is_below_what_the_server_takes() -> None:
    assert lab(BIG.format("x" * 499_000)).code == 0
    answer = lab(BIG.format("x" * 501_000))
    assert answer.codes() == [("object-too-large", "Node bigger")]


def test_characters_count_as_bytes() -> None:
    assert lab(BIG.format("é" * 300_000)).codes() == [("object-too-large", "Node bigger")]


def test_many_small_values_count_together() -> None:
    variables = ", ".join(f"V{i}: {'v' * 90}" for i in range(11_000))
    answer = lab(f"topology: {{nodes: {{n: {{env: {{{variables}}}}}}}}}")
    assert answer.codes() == [("object-too-large", "Node n")]


def test_only_the_largest_objects_are_named() -> None:
    nodes = "".join(f"    n{i}: {{cmd: {'x' * (200 + i)}}}\n" for i in range(40))
    answer = split(manifest(f"topology:\n  nodes:\n{nodes}"), "--max-object-bytes", "150")
    named = [path for _, path in answer.codes()]
    assert 1 <= len(named) < 40
    assert "Node n39" in named
