"""``check`` tells apart what may be wrong with a cluster. It looks everywhere, so it has a bed of its own."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import bed_sources
import pytest
from bed_client import JSON_PATCH, Json, path_of
from bed_objects import load_crds, until
from bed_own import OwnBed, Wish
from bed_plugin import may_build, using
from check_tools import config, lease, manager
from live_tools import c9s
from split_lab import command

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bed_client import ApiClient

CRDS = ("apiextensions.k8s.io/v1", "customresourcedefinitions")
OURS = [f"{one}.c9s.run" for one in ("configs", "topologies", "nodes", "links", "nodeprofiles")]


@pytest.fixture(scope="module")
def lone_bed() -> Iterator[OwnBed]:
    name = f"{bed_sources.PRIVATE}{os.getpid()}-check"
    build = may_build()
    with using(name, lambda: bed_sources.obtain_own(name, Wish(), may_build=build)) as bed:
        yield bed


@pytest.fixture
def space(lone_bed: OwnBed) -> Iterator[str]:
    """Give a namespace; its Pods and Leases are gone afterwards, so that the next test finds no manager."""
    with lone_bed.namespace("mgr") as name, lone_bed.client() as client:
        yield name
        pods, leases = (
            path_of("v1", "pods", name),
            path_of("coordination.k8s.io/v1", "leases", name),
        )
        client.delete(pods, gracePeriodSeconds="0").ok()
        client.delete(leases).ok()
        until("no Pod is left", lambda: client.get(pods).ok()["items"] == [])


def facts(bed: OwnBed, *flags: str) -> tuple[int, dict[str, tuple[str, str]]]:
    """Run ``check`` and give its exit code, and (level, text) of each fact by name."""
    answer = c9s(bed, "check", "-o", "json", *flags)
    found = json.loads(answer.out)["checks"]
    return answer.code, {one["name"]: (one["level"], one["text"]) for one in found}


def test_no_cluster(tmp_path: Path) -> None:
    answer = command(
        "check", "--server", "https://127.0.0.1:1", "--kubeconfig", str(tmp_path / "x")
    )
    assert answer.code == 3
    assert (answer.out, answer.err.count("error:")) == ("", 1)


def test_a_leader_with_a_config_is_well(lone_bed: OwnBed, space: str) -> None:
    with lone_bed.client() as client:
        for name in ("clabernetes-manager-1", "clabernetes-manager-2"):
            manager(client, space, name)
        lease(client, space, "clabernetes-clabernetes-manager-2-abcdefghijkl")
        client.create(
            path_of("c9s.run/v1alpha1", "configs", space), config(space, batchSize=5)
        ).ok()
        code, found = facts(lone_bed)
    assert code == 0
    assert found["server"][0] == found["crds"][0] == "ok"
    assert found["leader"] == ("ok", f"clabernetes-manager-2 leads in {space}, 1 on standby")
    assert found["config"] == ("ok", f"Config in {space}: batchSize=5")
    assert found["capacity"][0] == "ok"
    assert "at once" in found["fairness"][1]
    assert found["control-plane"][0] == "unknown"


def test_no_manager(lone_bed: OwnBed) -> None:
    code, found = facts(lone_bed)
    assert code == 1
    assert found["manager"] == ("failed", "no manager Pod is running")


def test_a_manager_that_has_ended_is_none(lone_bed: OwnBed, space: str) -> None:
    with lone_bed.client() as client:
        manager(client, space)
        path = path_of("v1", "pods", space, "clabernetes-manager-1", "status")
        client.patch(path, {"status": {"phase": "Failed"}}).ok()
        code, found = facts(lone_bed)
    assert (code, found["manager"][1]) == (1, "no manager Pod is running")


@pytest.mark.parametrize("age", [0.0, 3600.0])
def test_standby_managers_without_a_leader(lone_bed: OwnBed, space: str, age: float) -> None:
    holder = "clabernetes-clabernetes-manager-1-abcdefghijkl" if age else ""
    with lone_bed.client() as client:
        manager(client, space)
        lease(client, space, holder, age)
        code, found = facts(lone_bed)
    assert code == 1
    assert found["leader"] == ("failed", f"1 manager Pod(s) on standby in {space}, none leads")


def test_a_holder_that_is_no_manager(lone_bed: OwnBed, space: str) -> None:
    with lone_bed.client() as client:
        manager(client, space)
        lease(client, space, "clabernetes-clabernetes-manager-0-abcdefghijkl")
        code, found = facts(lone_bed)
    assert (code, found["leader"][0]) == (1, "failed")
    assert "is no manager Pod" in found["leader"][1]


def test_several_managers_are_named_and_one_can_be_chosen(lone_bed: OwnBed, space: str) -> None:
    with lone_bed.namespace("mgr2") as second, lone_bed.client() as client:
        manager(client, space)
        manager(client, second)
        lease(client, second, "clabernetes-clabernetes-manager-1-abcdefghijkl")
        code, found = facts(lone_bed)
        chosen, one = facts(lone_bed, "--manager-namespace", second)
        client.delete(path_of("v1", "pods", second), gracePeriodSeconds="0").ok()
    assert code == 1
    assert found["manager"][0] == "failed"
    assert space in found["manager"][1]
    assert second in found["manager"][1]
    assert chosen == 0
    assert one["leader"][0] == "ok"


def test_a_config_where_no_manager_reads_it(lone_bed: OwnBed, space: str) -> None:
    with lone_bed.namespace("cfg") as elsewhere, lone_bed.client() as client:
        manager(client, space)
        lease(client, space, "clabernetes-clabernetes-manager-1-abcdefghijkl")
        path = path_of("c9s.run/v1alpha1", "configs", elsewhere)
        client.create(path, config(elsewhere, batchSize=5)).ok()
        code, found = facts(lone_bed)
        client.delete(f"{path}/clabernetes").ok()
    assert code == 0
    assert found["config"][0] == "warning"
    assert elsewhere in found["config-misplaced"][1]


def test_no_crds_is_what_an_installation_begins_with(lone_bed: OwnBed) -> None:
    with lone_bed.client() as client:
        try:
            for name in OURS:
                client.delete(path_of(*CRDS, name=name)).ok()
            until("the kinds are gone", lambda: client.get("/apis/c9s.run/v1alpha1").status == 404)
            code, found = facts(lone_bed)
            before, first = facts(lone_bed, "--pre")
        finally:
            restore(client)
    assert (code, found["crds"]) == (1, ("failed", "no CRDs of c9s.run are installed"))
    assert (before, first["crds"]) == (0, ("ok", "no CRDs of c9s.run yet"))
    assert "manager" not in first


def restore(client: ApiClient) -> None:
    paths = [path_of(*CRDS, name=name) for name in OURS]

    def none_goes() -> bool:
        found = [client.get(path) for path in paths]
        return not any("deletionTimestamp" in one.json().get("metadata", {}) for one in found)

    until("no CRD is being deleted", none_goes)
    load_crds(client)


def test_the_crds_of_0_8(lone_bed: OwnBed) -> None:
    names = {"kind": "LauncherProfile", "plural": "launcherprofiles"}
    free = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    version: Json = {"name": "v1alpha1", "served": True, "storage": True}
    old: Json = {
        "apiVersion": CRDS[0],
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "launcherprofiles.c9s.run"},
        "spec": {"group": "c9s.run", "scope": "Namespaced", "names": names},
    }
    old["spec"]["versions"] = [version | {"schema": {"openAPIV3Schema": free}}]
    path = path_of(*CRDS, name="launcherprofiles.c9s.run")
    with lone_bed.client() as client:
        client.create(path_of(*CRDS), old).ok()
        # One that is deleted before it is served stays for minutes.
        until(
            "it is served",
            lambda: '"Established","status":"True"' in client.get(path).body.decode(),
        )
        until(
            "it answers",
            lambda: client.get("/apis/c9s.run/v1alpha1/launcherprofiles").status == 200,
        )
        try:
            code, found = facts(lone_bed, "--pre")
        finally:
            client.delete(path).ok()
            until("it is gone", lambda: client.get(path).status == 404)
    assert (code, found["crds"]) == (1, ("failed", "CRDs of clabernetes 0.8 are installed"))


@pytest.mark.parametrize("plural", ["configs", "topologies"])
def test_a_crd_without_the_rollout_field(lone_bed: OwnBed, plural: str) -> None:
    field = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/rollout"
    path = path_of(*CRDS, name=f"{plural}.c9s.run")
    with lone_bed.client() as client:
        patch: list[dict[str, Any]] = [{"op": "remove", "path": field}]
        client.patch(path, patch, content=JSON_PATCH).ok()
        try:
            code, found = facts(lone_bed, "--pre")
        finally:
            load_crds(client)
    assert code == 1
    assert found["rollout-field"][0] == "failed"
    assert "spec.rollout" in found["rollout-field"][1]


def test_a_missing_crd_is_named(lone_bed: OwnBed) -> None:
    with lone_bed.client() as client:
        try:
            client.delete(path_of(*CRDS, name="links.c9s.run")).ok()
            code, found = facts(lone_bed, "--pre")
        finally:
            restore(client)
    assert code == 1
    assert found["crds"][1].endswith("links.c9s.run")


def test_missing_rights_are_said_fact_by_fact(lone_bed: OwnBed, space: str, tmp_path: Path) -> None:
    token = lone_bed.service_account(space, "nobody")
    place = tmp_path / "kubeconfig"
    place.write_text(lone_bed.access.as_token(token).kubeconfig(), encoding="utf-8")
    answer = c9s(lone_bed, "check", kubeconfig=place)
    lines = [line for line in answer.out.splitlines() if line.startswith("failed")]
    assert answer.code == 1
    assert [line.split()[1] for line in lines] == [
        "crds:",
        "manager:",
        "capacity:",
        "control-plane:",
    ]
    assert all("a right is missing" in line and "rights check" in line for line in lines)
    assert answer.out.splitlines()[0].startswith("ok      server: ")
