"""Which Pod leads: the rule by names, and every way in which nobody can be said to (config-and-chart.md §4)."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from live_tools import c9s
from manager_site import holder_of

from kubectl_c9s.cluster.activepod import Active, NoLeader, choose, find_active, find_place
from kubectl_c9s.resources.errors import UsageError
from kubectl_c9s.resources.live import Meta
from kubectl_c9s.resources.surroundings import Lease

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bed_own import OwnBed
    from manager_site import Site

    Refused = Callable[..., int]

LONG = "a-name-of-a-helm-release-that-is-rather-long-manager-6d5f"  # its holder is cut within the Pod's name
NAMES = st.lists(
    st.text(string.ascii_lowercase + string.digits + "-", min_size=1, max_size=60),
    min_size=1, max_size=5, unique=True,
)  # fmt: skip


def pod(name: str, **more: Any) -> dict[str, Any]:
    return {"metadata": {"name": name, "namespace": "c9s"}, **more}


def test_the_holder_names_its_pod() -> None:
    pods = [pod("clabernetes-manager-7c9-aaaaa"), pod("clabernetes-manager-7c9-bbbbb")]
    assert choose(holder_of("clabernetes-manager-7c9-bbbbb"), pods) is pods[1]


def test_a_name_that_is_the_beginning_of_another_is_told_apart() -> None:
    pods = [pod("m-1"), pod("m-10")]
    assert choose(holder_of("m-10"), pods) is pods[1]
    assert choose(holder_of("m-1"), pods) is pods[0]


def test_a_cut_holder_names_the_pod_whose_beginning_it_has() -> None:
    pods = [pod(f"{LONG}-aaaaa"), pod("another-manager-6d5f-bbbbb")]
    assert len(holder_of(f"{LONG}-aaaaa")) == 63
    assert choose(holder_of(f"{LONG}-aaaaa"), pods) is pods[0]


def test_two_pods_that_a_cut_holder_fits_are_named_and_none_is_chosen() -> None:
    pods = [pod(f"{LONG}-bbbbb"), pod(f"{LONG}-aaaaa")]
    with pytest.raises(NoLeader, match=f"fits several Pods: {LONG}-aaaaa, {LONG}-bbbbb"):
        choose(holder_of(f"{LONG}-aaaaa"), pods)


def test_a_holder_without_a_pod_is_stale() -> None:
    with pytest.raises(
        NoLeader, match="'clabernetes-gone-a1b2c3d4e5f6' of the Lease is no manager Pod"
    ):
        choose(holder_of("gone"), [pod("here")])


@given(NAMES, st.data())
def test_never_another_pod_than_the_one_that_holds(names: list[str], data: st.DataObject) -> None:
    leader = data.draw(st.sampled_from(names))
    try:
        found = choose(holder_of(leader), [pod(name) for name in names])
    except NoLeader:  # with names that begin alike it may be left open
        return
    assert found["metadata"]["name"] == leader


@pytest.mark.parametrize(
    ("env", "says"),
    [
        ([], None),
        ([{"name": "C9S_DIAGNOSTICS", "value": "true"}], True),
        ([{"name": "C9S_DIAGNOSTICS", "value": "1"}], True),
        ([{"name": "C9S_DIAGNOSTICS", "value": "false"}], False),
        ([{"name": "C9S_DIAGNOSTICS", "value": ""}], False),
        ([{"name": "C9S_DIAGNOSTICS"}], False),
        ([{"name": "C9S_DIAGNOSTICS", "valueFrom": {"fieldRef": {}}}], None),
    ],
)
def test_the_environment_of_the_managers_container_counts(env: object, says: bool | None) -> None:  # noqa: FBT001 - a parameter
    beside = {"name": "proxy", "env": [{"name": "C9S_DIAGNOSTICS", "value": "true"}]}
    one = pod("m", spec={"containers": [beside, {"name": "manager", "env": env}]})
    assert Active("clabernetes", one, Lease(Meta())).diagnostics is says


def test_only_the_holder_leads_although_all_are_ready(site: Site) -> None:
    for name in ("m-a", "m-b", "m-c"):
        site.make_pod(name)
    connection = site.connection()
    place = find_place(connection, site.namespace)
    for name in ("m-b", "m-c"):
        site.lead(name)
        assert find_active(connection, place).name == name
    site.lead("m-a")
    active = find_active(connection, place)
    assert (active.name, active.namespace, active.app) == ("m-a", site.namespace, site.app)
    assert active.container["image"] == "registry.invalid/manager:1"
    assert active.status["name"] == "manager"
    assert active.lease.spec.lease_transitions == 3
    connection.close()


@pytest.fixture
def refused(site: Site, tmp_path: Path) -> Refused:
    """Give what runs both commands where nobody can be asked: they say the same and write nothing."""

    def run(*words: str) -> int:
        where = ("--manager-namespace", site.namespace)
        folder = tmp_path / "taken"
        answers = [
            c9s(site.bed, "diagnostics", "port-forward", *where),
            c9s(site.bed, "diagnostics", "capture", "--output-dir", str(folder), *where),
        ]
        assert not folder.exists()
        for answer in answers:
            assert answer.out == ""
            assert [one for one in words if one not in answer.err] == [], answer.err
        (code,) = {answer.code for answer in answers}
        return code

    return run


def test_without_a_lease_nobody_leads(site: Site, refused: Refused) -> None:
    site.make_pod("m-0")
    assert refused("there is no Lease clabernetes-manager in", "hint: look at the logs") == 3


def test_an_empty_holder_is_no_leader(site: Site, refused: Refused) -> None:
    site.make_pod("m-0")
    site.lead("")
    assert refused("no manager leads: the Lease clabernetes-manager has no holder") == 3


def test_a_lease_that_has_run_out_is_no_leader(site: Site, refused: Refused) -> None:
    site.make_pod("m-0")
    site.lead("m-0", age=4000)
    assert refused("was renewed ", " s ago, and holds for 3600 s") == 3


def test_a_holder_that_is_gone_is_said(site: Site, refused: Refused) -> None:
    site.make_pod("m-0")
    site.lead("m-9")
    assert (
        refused("'clabernetes-m-9-a1b2c3d4e5f6' of the Lease is no manager Pod", "hint: wait") == 3
    )


def test_two_pods_with_one_cut_name_are_said(site: Site, refused: Refused) -> None:
    for name in ("a", "b"):
        site.make_pod(f"{LONG}-{name}")
    site.lead(f"{LONG}-a")
    assert (
        refused(f"fits several Pods: {LONG}-a, {LONG}-b", "shorter name of the Helm release") == 3
    )


def test_two_installations_in_a_namespace_are_a_usage_error(site: Site, refused: Refused) -> None:
    site.make_pod("m-0")
    site.make_pod("other-0", app="other")
    assert refused(f"several installations in {site.namespace}: clabernetes, other") == 2


def test_two_namespaces_with_managers_are_a_usage_error(site: Site, own_bed: OwnBed) -> None:
    with own_bed.namespace("diag") as second:
        site.make_pod("m-0")
        site.namespace, first = second, site.namespace
        site.make_pod("m-0")
        connection = site.connection()
        with pytest.raises(UsageError, match="several namespaces have a manager") as caught:
            find_place(connection, None)
        connection.close()
    assert first in caught.value.message
    assert "--manager-namespace" in (caught.value.hint or "")


def test_another_installation_has_another_lease(site: Site) -> None:
    site.app = "lab-c9s"
    site.make_pod("m-0")
    site.lead("m-0")
    connection = site.connection()
    active = find_active(connection, find_place(connection, site.namespace))
    connection.close()
    assert (active.app, active.lease.metadata.name) == ("lab-c9s", "lab-c9s-manager")


def test_diagnostics_that_are_off_are_said_with_the_helm_value(
    site: Site, refused: Refused
) -> None:
    site.make_pod("m-0", diagnostics="false")
    site.lead("m-0")
    assert (
        refused(
            "diagnostics are off in m-0", "manager.diagnostics to true", "restarts the managers"
        )
        == 3
    )
