"""Names of plain Pods: those of the devices where they can be kept, valid and distinct always."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from replay_tools import BEGIN, a_list, saved_pod

from kubectl_c9s.measurement.savedpods import nothing_saved, take
from kubectl_c9s.measurement.schedulesources import from_pods, pod_names
from kubectl_c9s.resources.names import is_dns1123_label


def test_equal_names_of_two_namespaces_are_told_apart() -> None:
    saved = nothing_saved()
    take(saved, a_list(*(saved_pod("r1", BEGIN, namespace=one) for one in ("one", "two"))), "x")
    schedule, _ = from_pods(saved, None, "", "a test")
    assert [(one.name, one.namespace) for one in schedule.entries] == [
        ("r1-one", "one"),
        ("r1-two", "two"),
    ]


TEXTS = st.text(alphabet="ab-._A1é", min_size=1, max_size=70)


@given(st.lists(st.tuples(st.sampled_from(["n", "n-a", "a", "b" * 63]), TEXTS), unique=True))
def test_every_device_gets_a_valid_name_of_its_own(devices: list[tuple[str, str]]) -> None:
    names = pod_names(devices)
    assert set(names) == set(devices)
    assert len(set(names.values())) == len(devices)
    assert all(is_dns1123_label(name) for name in names.values())


def test_a_device_keeps_its_name_where_it_can() -> None:
    devices = [("n", "r1"), ("n", "r2"), ("m", "r2-n"), ("m", "r2")]
    names = pod_names(devices)
    other = names.pop(("n", "r2"))
    assert names == {("n", "r1"): "r1", ("m", "r2"): "r2-m", ("m", "r2-n"): "r2-n"}
    assert other.startswith("r2-")
    assert pod_names(devices[::-1]) == {**names, ("n", "r2"): other}
