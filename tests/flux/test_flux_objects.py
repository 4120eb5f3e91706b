"""``gitops flux`` prints what a rendered directory needs, and refuses what could not work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml
from door_tools import Answer, call

if TYPE_CHECKING:
    from pathlib import Path

LAB = """\
name: metro
topology:
  kinds:
    linux: {image: "busybox:1.37"}
  nodes:
    pe1: {kind: linux, startup-config: pe1.cfg}
    pe2: {kind: linux}
  links:
    - endpoints: [pe1:eth1, pe2:eth1]
"""
WHERE = "labs/metro/rendered"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Give a repository with a lab that is rendered by kind."""
    write(tmp_path)
    return tmp_path


def write(top: Path, *flags: str, lab: str = LAB) -> None:
    folder = top / "labs/metro"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "lab.clab.yml").write_text(lab, encoding="utf-8")
    (folder / "pe1.cfg").write_text("hostname pe1\n", encoding="utf-8")
    done = call(
        "split", "-f", str(folder), "--no-env", "--output-dir", WHERE, "--prune", *flags, cwd=top
    )
    assert done.code == 0, done.err


def flux(top: Path, *flags: str, path: str = WHERE) -> Answer:
    return call("gitops", "flux", "--path", path, *flags, cwd=top)


def objects(answer: Answer) -> list[dict[str, Any]]:
    assert answer.code == 0, answer.err
    return list(yaml.safe_load_all(answer.out))


def test_each_kind_waits_for_those_before_it(repository: Path) -> None:
    found = {one["metadata"]["name"]: one["spec"] for one in objects(flux(repository))}
    first = ["metro-configmaps", "metro-nodeprofiles"]
    assert list(found) == [*first, "metro-links", "metro-nodes"]
    waits = {
        name: [one["name"] for one in spec.get("dependsOn", [])] for name, spec in found.items()
    }
    assert waits == {
        "metro-configmaps": [],
        "metro-nodeprofiles": [],
        "metro-links": first,
        "metro-nodes": [*first, "metro-links"],
    }
    for name, spec in found.items():
        folder = spec["path"]
        assert folder == f"./{WHERE}/{name.removeprefix('metro-')}"
        assert (repository / folder / "kustomization.yaml").is_file()
        assert (spec["prune"], spec["wait"]) == (True, True)
    checked = {
        name: [one["kind"] for one in spec.get("healthCheckExprs", [])]
        for name, spec in found.items()
    }
    assert checked == {first[0]: [], first[1]: [], "metro-links": ["Link"], "metro-nodes": ["Node"]}


def test_a_lab_without_links_or_files_gets_no_kustomization_for_them(tmp_path: Path) -> None:
    write(tmp_path, lab=LAB.partition("  links:")[0].replace(", startup-config: pe1.cfg", ""))
    names = [one["metadata"]["name"] for one in objects(flux(tmp_path))]
    assert names == ["metro-nodeprofiles", "metro-nodes"]


def test_flags_become_what_users_of_flux_expect(repository: Path) -> None:
    flags = [
        *(
            "-n",
            "tenant",
            "--name",
            "west",
            "--source",
            "ocirepository/labs.flux-system",
            "--interval",
            "1h",
        ),
        *(
            "--retry-interval",
            "30s",
            "--timeout",
            "1h30m",
            "--depends-on",
            "policies",
            "--depends-on",
            "crds",
        ),
        *(
            "--service-account",
            "labs",
            "--target-namespace",
            "lab-west",
            "--no-prune",
            "--no-wait",
            "--suspend",
        ),
    ]
    found = objects(flux(repository, *flags))
    one, last = found[0], found[-1]
    assert one["metadata"] == {"name": "west-configmaps", "namespace": "tenant"}
    assert one["spec"] == {
        "dependsOn": [{"name": "policies"}, {"name": "crds"}],
        "interval": "1h",
        "retryInterval": "30s",
        "timeout": "1h30m",
        "suspend": True,
        "sourceRef": {"kind": "OCIRepository", "name": "labs", "namespace": "flux-system"},
        "path": f"./{WHERE}/configmaps",
        "prune": False,
        "wait": False,
        "targetNamespace": "lab-west",
        "serviceAccountName": "labs",
    }
    assert "policies" not in str(last["spec"]["dependsOn"])
    assert "healthCheckExprs" not in last["spec"]


def test_the_namespace_comes_first_and_from_the_rendering(tmp_path: Path) -> None:
    write(tmp_path, "--create-namespace")
    answer = flux(tmp_path)
    rendered = (tmp_path / WHERE / "namespace.yaml").read_text(encoding="utf-8")
    assert answer.out.startswith(rendered)
    assert [one["kind"] for one in objects(answer)] == ["Namespace", *["Kustomization"] * 4]
    other = objects(flux(tmp_path, "--target-namespace", "elsewhere"))
    assert [one["kind"] for one in other] == ["Kustomization"] * 4
    (tmp_path / WHERE / "namespace.yaml").write_text("kind: Namespace\n", encoding="utf-8")
    refused = flux(tmp_path)
    assert (refused.code, refused.out) == (1, "")
    assert "namespace.yaml has been changed by hand" in refused.err


def test_the_source_can_be_printed_too(repository: Path) -> None:
    source = objects(
        flux(repository, "--source", "OCIRepository/labs", "--source-url", "oci://r.example/labs")
    )[0]
    assert source["kind"] == "OCIRepository"
    assert source["spec"] == {
        "interval": "10m",
        "url": "oci://r.example/labs",
        "ref": {"tag": "latest"},
    }
    git = ["--source-url", "ssh://git@example.com/net/labs", "--source-version", "stable"]
    source = objects(flux(repository, *git))[0]
    assert (source["kind"], source["spec"]["ref"]) == ("GitRepository", {"branch": "stable"})


@pytest.mark.parametrize("layout", ["by-node", ""])
def test_a_directory_that_cannot_be_taken_apart_gets_one_kustomization(
    tmp_path: Path, layout: str
) -> None:
    if layout:
        write(tmp_path, "--layout", layout)
    else:
        (tmp_path / WHERE).mkdir(parents=True)
    (one,) = objects(flux(tmp_path))
    assert one["metadata"]["name"] == ("metro" if layout else "rendered")
    assert one["spec"]["path"] == f"./{WHERE}"
    kinds = [check["kind"] for check in one["spec"]["healthCheckExprs"]]
    assert kinds == ["Topology", "Link", "Node", "RolloutPolicy"]


def test_the_root_of_the_source_may_be_elsewhere(repository: Path) -> None:
    inside = repository / "labs"
    assert flux(inside, "--root", "..").out == flux(repository).out
    assert flux(repository, path=f"./{WHERE}//").out == flux(repository).out


def test_a_directory_of_an_earlier_version_is_to_be_rendered_again(repository: Path) -> None:
    inventory = repository / WHERE / ".c9s-inventory"
    lines = inventory.read_text(encoding="utf-8").splitlines(keepends=True)
    inventory.write_text(
        "".join(line for line in lines if "nodes/kustomization" not in line), encoding="utf-8"
    )
    answer = flux(repository)
    assert (answer.code, answer.out) == (1, "")
    assert "its folders have no kustomization.yaml" in answer.err
    assert "render it again" in answer.err


def test_a_lab_without_a_namespace_gets_a_note(tmp_path: Path) -> None:
    topology = {
        "apiVersion": "c9s.run/v1alpha1",
        "kind": "Topology",
        "metadata": {"name": "metro"},
        "spec": {"definition": {"containerlab": LAB.replace(", startup-config: pe1.cfg", "")}},
    }
    (tmp_path / "lab.yaml").write_text(yaml.safe_dump(topology), encoding="utf-8")
    assert call("split", "-f", "lab.yaml", "--output-dir", WHERE, cwd=tmp_path).code == 0
    assert "names no namespace" in flux(tmp_path).err
    assert flux(tmp_path, "--target-namespace", "lab").err == ""


def test_a_broken_inventory_is_refused(repository: Path) -> None:
    (repository / WHERE / ".c9s-inventory").write_text("{}", encoding="utf-8")
    answer = flux(repository)
    assert (answer.code, answer.out) == (4, "")


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--interval", "10"], "--interval: '10' is no duration"),
        (["--timeout", "1d"], "--timeout: '1d' is no duration"),
        (["-n", "Not_A_Name"], "--namespace"),
        (["--name", "x" * 60], "--name"),
        (["--source", "HelmRepository/x"], "--source"),
        (["--source", "GitRepository"], "--source"),
        (["--source", "GitRepository/x.y.z"], "--source"),
        (["--service-account", "a b"], "--service-account"),
        (["--target-namespace", "-"], "--target-namespace"),
        (["--depends-on", "x\ny"], "--depends-on"),
        (["--source-url", "oci://r.example/x"], "is of kind OCIRepository"),
        (["--source-url", "file:///x"], "--source-url"),
        (["--source-url", "https://a b"], "--source-url"),
        (["--source-version", "x"], "goes with --source-url"),
        (["--source-url", "ssh://x", "--source-version", "a b"], "--source-version"),
        (["--root", "nowhere"], "is not there"),
    ],
)
def test_what_could_not_work_is_an_error_of_usage(
    repository: Path, flags: list[str], words: str
) -> None:
    answer = flux(repository, *flags)
    assert (answer.code, answer.out) == (2, "")
    assert words in answer.err


@pytest.mark.parametrize("path", ["/labs", "../labs", "labs/../../x", "labs/metro\n"])
def test_a_path_stays_below_the_root(repository: Path, path: str) -> None:
    assert (flux(repository, path=path).code, flux(repository, path=path).out) == (2, "")
