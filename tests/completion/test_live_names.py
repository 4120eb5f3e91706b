"""Names that only a kubeconfig or a cluster knows: soon or not at all, and never a word of noise."""

from __future__ import annotations

import json
import os
import shlex
from typing import TYPE_CHECKING

import pytest
from live_completion import C9S, TOPOLOGIES, complete_line, kubeconfig, listing
from silent_server import Scripted

from kubectl_c9s.cli.complete import complete
from kubectl_c9s.cli.livenames import as_flags

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

PROFILES = f"{C9S}/namespaces/lab/nodeprofiles"


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("-n ", "namespace"),
        ("apply -f x --namespace=", "namespace"),
        ("check --manager-namespace ", "namespace"),
        ("--context ", "context"),
        ("status --cluster ", "cluster"),
        ("status --user=", "user"),
        ("status ", "any-lab"),
        ("diagnose --topology ", "any-topology"),
        ("split --from-cluster ", "topology"),
        ("rollout show ", "target"),
        ("rollout set ", "target"),
        ("rollout undo ", "target"),
        ("measure watch ", "lab"),
        ("measure verify ", "lab"),
    ],
)
def test_what_can_be_named_is_asked_for(line: str, kind: str) -> None:
    asked: list[str] = []

    def live(kind: str, typed: str, _: Mapping[str, list[str]]) -> list[str]:
        asked.append(kind)
        return [f"{typed}metro"]

    *before, last = shlex.split(line) if not line.endswith(" ") else [*shlex.split(line), ""]
    found = complete([*before, last], live)
    assert asked == [kind]
    assert (found.candidates, found.directive) == ([("metro", "")], 4)


def test_flags_in_front_are_handed_on_with_their_values() -> None:
    seen: list[Mapping[str, list[str]]] = []

    def live(_: str, __: str, given: Mapping[str, list[str]]) -> list[str]:
        seen.append(dict(given))
        return []

    line = (
        "--context one status -Anfoo --as=me --as-group a --as-group b -s http://x --kubeconfig ~/k"
    )
    complete([*line.split(), ""], live)
    flags = as_flags(seen[0])
    assert flags.pop("kubeconfig") == os.path.expanduser("~/k")  # noqa: PTH111 - what a shell would do
    assert flags == {
        "context": "one",
        "all_namespaces": "true",
        "namespace": "foo",
        "as_user": "me",
        "as_group": ["a", "b"],
        "server": "http://x",
    }


def test_names_of_the_kubeconfig_are_offered_without_a_server(tmp_path: Path) -> None:
    path = kubeconfig(tmp_path, "http://127.0.0.1:9")
    assert complete_line("--kubeconfig", path, "--context", "") == ["here", ":4"]
    assert complete_line("--context", "", KUBECONFIG=path) == ["here", ":4"]
    assert complete_line("--kubeconfig", path, "--cluster=") == ["c", ":4"]
    assert complete_line("--kubeconfig", path, "--user", "x") == [":4"]
    assert complete_line("--kubeconfig", "/nonexistent", "--context", "") == [":4"]


def test_a_name_that_a_shell_could_misread_is_not_offered(tmp_path: Path) -> None:
    bad = ["$(id)", "a b", "-n", "x;y", "a\nb", "a\tb", "\x1b[2J", "'q", "ä", "`id`"]
    good = ["admin@prod", "arn:aws:eks:eu:1:cluster/lab", "gke_a_b_c", "kind-lab"]
    path = tmp_path / "config"
    contexts = [{"name": name, "context": {}} for name in [*bad, *good]]
    path.write_text(json.dumps({"contexts": contexts}), encoding="utf-8")
    assert complete_line("--kubeconfig", str(path), "--context", "") == [*good, ":4"]


def test_only_names_that_kubernetes_allows_are_offered(tmp_path: Path) -> None:
    names = ["metro", "Metro", "-x", "a b", "$(id)", "evil\nname", "evil\tname", "edge.1"]
    with Scripted(listing({TOPOLOGIES: names})) as server:
        path = kubeconfig(tmp_path, server.url)
        found = complete_line("--kubeconfig", path, "split", "--from-cluster", "")
    assert found == ["metro", "edge.1", ":4"]


def test_labs_are_topologies_and_what_is_split(tmp_path: Path) -> None:
    with Scripted(listing({TOPOLOGIES: ["metro"], PROFILES: ["p1", "p2"]})) as server:
        path = kubeconfig(tmp_path, server.url)
        assert complete_line("--kubeconfig", path, "measure", "verify", "") == [
            "metro",
            "split-lab",
            ":4",
        ]


def test_targets_are_the_config_and_topologies(tmp_path: Path) -> None:
    with Scripted(listing({TOPOLOGIES: ["metro", "edge"]})) as server:
        line = ["--kubeconfig", kubeconfig(tmp_path, server.url), "rollout", "set"]
        assert complete_line(*line, "") == ["config", "topology/metro", "topology/edge", ":4"]
        assert complete_line(*line, "topology/e") == ["topology/edge", ":4"]
        asked = len(server.requests)
        assert complete_line(*line, "con") == ["config", ":4"]
        assert complete_line(*line, "-f", "values.yaml", "") == ["config", ":4"]
        assert len(server.requests) == asked, "neither needs the cluster"


def test_all_namespaces_are_looked_at_where_the_command_does_and_may(tmp_path: Path) -> None:
    one = {TOPOLOGIES: ["metro"], PROFILES: []}
    everything = {**one, f"{C9S}/topologies": ["metro", "other"], f"{C9S}/nodeprofiles": []}
    for names, status, diagnose in (
        (everything, ["metro", "other"], ["metro", "other"]),
        (one, ["metro"], ["metro"]),
    ):
        with Scripted(listing(names)) as server:
            line = ["--kubeconfig", kubeconfig(tmp_path, server.url)]
            assert complete_line(*line, "status", "") == [*status, ":4"]
            assert complete_line(*line, "diagnose", "--topology", "") == [*diagnose, ":4"]
            assert complete_line(*line, "-n", "lab", "status", "") == ["metro", ":4"]
            assert complete_line(*line, "split", "--from-cluster", "") == ["metro", ":4"]


def test_flags_of_the_connection_are_obeyed(tmp_path: Path) -> None:
    names = {f"{C9S}/namespaces/other/topologies": ["metro"]}
    with Scripted(listing(names)) as server:
        user = {"token": "of-the-file"}
        path = kubeconfig(tmp_path, "http://127.0.0.1:9", **user)
        line = ["split", "--kubeconfig", path, "-s", server.url, "--token=given", "-nother"]
        found = complete_line(*line, "--as", "somebody", "--from-cluster", "")
        assert found == ["metro", ":4"]
        (request,) = server.requests
    headers = dict(request.headers)
    assert headers["Authorization"] == "Bearer given"
    assert headers["Impersonate-User"] == "somebody"
    assert "limit=100" in request.path


def test_at_most_a_hundred_names_are_offered_and_asked_for_at_a_time(tmp_path: Path) -> None:
    names = [f"lab-{number:04}" for number in range(1000)]
    with Scripted(listing({TOPOLOGIES: names})) as server:
        line = ["--kubeconfig", kubeconfig(tmp_path, server.url), "split", "--from-cluster"]
        assert complete_line(*line, "") == [*names[:100], ":4"]
        assert len(server.requests) == 1
        assert complete_line(*line, "lab-099") == [*names[990:], ":4"]
        assert len(server.requests) == 1 + 10
    assert all("limit=100" in request.path for request in server.requests)


def test_a_longer_list_is_not_read_to_its_end(tmp_path: Path) -> None:
    names = [f"lab-{number:04}" for number in range(1100)]
    with Scripted(listing({TOPOLOGIES: names})) as server:
        line = ["--kubeconfig", kubeconfig(tmp_path, server.url), "split", "--from-cluster"]
        assert complete_line(*line, "lab-10") == [":4"]
        assert len(server.requests) == 10
