"""Files that meet at one place: in one Pod, on one node, under one identity or name; staging.md B2-B4, D."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bare_lab import Directory, placed

from kubectl_c9s.topology import labpaths

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "name: lab\ntopology:\n  defaults: {kind: linux}\n  nodes:\n"
INLINE = "/clabernetes/startup-config.partial.cfg"


def lab(top: Path, *nodes: str, files: dict[str, str | bytes] | None = None) -> Directory:
    return Directory(top, HEAD + "".join(f"    {node}\n" for node in nodes), files)


def test_inline_configurations_of_one_pod_clash(tmp_path: Path) -> None:
    found = lab(
        tmp_path,
        'a: {startup-config: "a\\n"}',
        'b: {network-mode: "container:a", startup-config: "b\\n"}',
    )
    answer = found.refused()
    assert answer.codes() == [("grouped-path-conflict", "topology.nodes.b.startup-config")]
    assert placed(answer.errors[0]) == found.place('"b\\n"')
    assert "'a'" in answer.errors[0]["message"]
    assert INLINE in answer.errors[0]["message"]


@pytest.mark.parametrize("first", ["./f", "f", "d/../f", "/f"])
def test_places_are_compared_as_the_cluster_does(first: str, tmp_path: Path) -> None:
    """Cleaned, with a leading slash: the second node has the same file in another spelling."""
    source = f"{tmp_path}/f" if first == "/f" else first
    second = f"{tmp_path}/f".lstrip("/") if first == "/f" else "f"
    found = lab(
        tmp_path,
        f'a: {{binds: ["{source}:/x"]}}',
        f'b: {{network-mode: "container:a", binds: ["{second}:/y"]}}',
        files={"f": "1", "d/": ""},
    )
    if first != "/f":
        assert len(found.accepted().of("ConfigMap")) == 1
        return
    found.add(second, "1")
    found.accepted()  # two files, but the same bytes
    found.add(second, "2")
    assert found.refused().codes() == [("grouped-path-conflict", "topology.nodes.b.binds[0]")]


def test_the_chain_of_network_modes_makes_one_pod(tmp_path: Path) -> None:
    found = lab(
        tmp_path,
        'a: {network-mode: "container:b"}',
        'b: {network-mode: "container:c", startup-config: "x\\n"}',
        "c: {}",
        'd: {network-mode: "container:a", startup-config: "y\\n"}',
        'e: {startup-config: "z\\n"}',
    )
    assert found.refused().codes() == [("grouped-path-conflict", "topology.nodes.d.startup-config")]


def test_equal_texts_of_one_pod_do_not_clash(tmp_path: Path) -> None:
    found = lab(
        tmp_path,
        'a: {startup-config: "x\\n"}',
        'b: {network-mode: "container:a", startup-config: "x\\n"}',
    )
    assert len(found.accepted().of("ConfigMap")) == 2  # one for each identity


def test_a_circle_of_network_modes_is_the_only_finding(tmp_path: Path) -> None:
    found = lab(
        tmp_path,
        'a: {network-mode: "container:b", startup-config: "x\\n"}',
        'b: {network-mode: "container:a", startup-config: "x\\n"}',
    )
    assert {code for code, _ in found.refused().codes()} == {"network-mode-cycle"}


def test_two_places_of_one_node_that_are_one_may_not_differ(tmp_path: Path) -> None:
    inside = f"{tmp_path}/f".lstrip("/")
    found = lab(
        tmp_path, f'n: {{binds: ["{tmp_path}/f:/x", "{inside}:/y"]}}', files={"f": "1", inside: "2"}
    )
    answer = found.refused()
    assert [code for code, _ in answer.codes()] == ["grouped-path-conflict"]
    assert "shares its Pod" not in answer.errors[0]["message"]


def test_modes_may_not_differ_either(tmp_path: Path) -> None:
    inside = f"{tmp_path}/f".lstrip("/")
    found = lab(
        tmp_path,
        f'n: {{binds: ["{tmp_path}/f:/x", "{inside}:/y"]}}',
        files={"f": "1", f"{inside}*": "1"},
    )
    answer = found.refused()
    assert [code for code, _ in answer.codes()] == ["grouped-path-conflict"]
    assert "mode" in answer.errors[0]["message"]


def test_files_from_secrets_may_not_differ_either(tmp_path: Path) -> None:
    inside = f"{tmp_path}/f".lstrip("/")
    found = lab(
        tmp_path, f'n: {{binds: ["{tmp_path}/f:/x", "{inside}:/y"]}}', files={"f": "1", inside: "2"}
    )
    answer = found.refused("--files-from-secret", "*=s")
    assert [code for code, _ in answer.codes()] == ["grouped-path-conflict"]


def test_one_identity_may_not_stand_for_two_contents(tmp_path: Path) -> None:
    """A file lies where the identity of an inline text is."""
    nodes = ('a: {binds: ["inline-startup-config/b:/x"]}', 'b: {startup-config: "x\\n"}')
    found = lab(tmp_path, *nodes, files={"inline-startup-config/b": "y\n"})
    answer = found.refused()
    assert answer.codes() == [("staging-conflict", "topology.nodes.b.startup-config")]
    assert "inline-startup-config/b" in answer.errors[0]["message"]
    found.add("inline-startup-config/b", "x\n")
    assert len(found.accepted().of("ConfigMap")) == 1


def test_two_identities_may_not_get_one_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(labpaths, "config_map_name", lambda _lab, _identity: "same")
    found = lab(tmp_path, "a: {startup-config: f, license: g}", files={"f": "1", "g": "2"})
    answer = found.refused()
    assert answer.codes() == [("staging-conflict", "topology.nodes.a.license")]
    assert placed(answer.errors[0]) == found.place("g}")


def test_a_name_with_dots_keeps_inline_texts_apart(tmp_path: Path) -> None:
    """The identity is cleaned as that of a file."""
    answer = lab(
        tmp_path, 'a/../b: {startup-config: "x\\n"}', 'b: {startup-config: "y\\n"}'
    ).split()
    assert ("staging-conflict", "topology.nodes.b.startup-config") in answer.codes()
