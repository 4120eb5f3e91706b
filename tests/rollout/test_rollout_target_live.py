"""Which installation is meant: found beside its manager, or named; and never guessed."""

from __future__ import annotations

import dataclasses
import secrets
from typing import TYPE_CHECKING

import pytest
from check_tools import manager
from rollout_live_tools import CONFIG, LAB

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rollout_live_tools import Place

WORDS = (
    ("set", CONFIG, "--batch-size=2"),
    ("show",),
    ("show", CONFIG),
)


def config(place: Place, namespace: str, batch: int = 1) -> Place:
    """Make a Config in a namespace, and give the place with this one as the manager's."""
    one = dataclasses.replace(place, own=namespace)
    one.make(CONFIG, {"batchSize": batch})
    return one


def runs_manager(place: Place) -> None:
    """Let a manager run; no two have the same name, because the fake host deletes Pods by name, and late."""
    manager(place.client, place.own, f"clabernetes-manager-{secrets.token_hex(3)}")


@pytest.fixture
def third(place: Place) -> Iterator[str]:
    """Give a third namespace."""
    with place.bed.namespace("c9s") as namespace:
        yield namespace
        place.client.delete(dataclasses.replace(place, own=namespace).path(CONFIG))


@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize("managed", [True, False])
def test_two_installations_are_named_and_none_is_touched(
    place: Place, words: tuple[str, ...], *, managed: bool
) -> None:
    places = [config(place, namespace) for namespace in (place.own, place.lab)]
    if managed:
        for one in places:
            runs_manager(one)
    before, asked = [one.read(CONFIG) for one in places], place.asked()
    answer = dataclasses.replace(place, own="").run(*words)
    assert (answer.code, answer.out) == (2, "")
    assert ", ".join(sorted((place.own, place.lab))) in answer.err
    assert "--manager-namespace" in answer.err
    assert asked.patches() == []
    assert [one.read(CONFIG) for one in places] == before


@pytest.mark.parametrize("managed", [True, False])
def test_a_namespace_that_is_named_is_taken_whatever_else_there_is(
    place: Place, third: str, *, managed: bool
) -> None:
    for namespace in (place.own, place.lab):
        config(place, namespace)
        if managed:
            runs_manager(dataclasses.replace(place, own=namespace))
    meant = config(place, third)
    for batch, one in enumerate((meant, place)):
        one.set(CONFIG, f"--batch-size={batch + 5}")
        assert one.block(CONFIG) == {"batchSize": batch + 5}
    assert dataclasses.replace(place, own=place.lab).block(CONFIG) == {"batchSize": 1}


def test_the_config_beside_the_manager_is_meant_and_others_are_not(place: Place) -> None:
    elsewhere = config(place, place.lab)
    beside = config(place, place.own)
    runs_manager(place)
    dataclasses.replace(place, own="").set(CONFIG, "--batch-size=4")
    assert (beside.block(CONFIG), elsewhere.block(CONFIG)) == ({"batchSize": 4}, {"batchSize": 1})


def test_a_config_without_its_manager_is_not_taken_for_that_of_another(place: Place) -> None:
    elsewhere = config(place, place.lab)
    runs_manager(place)
    answer = dataclasses.replace(place, own="").run("set", CONFIG, "--batch-size=4")
    assert answer.code == 3
    assert f"there is no Config clabernetes in {place.own}" in answer.err
    assert elsewhere.block(CONFIG) == {"batchSize": 1}


def test_the_only_config_is_meant_when_no_manager_runs_and_that_is_said(place: Place) -> None:
    config(place, place.own)
    told = dataclasses.replace(place, own="").set(CONFIG, "--batch-size=4")
    assert f"note: no manager is running; the only Config is in {place.own}" in told.err


def test_a_cluster_without_an_installation_has_no_config_to_set(place: Place) -> None:
    answer = dataclasses.replace(place, own="").run("set", CONFIG, "--batch-size=4")
    assert answer.code == 2
    assert "neither a manager nor a Config" in answer.err


@pytest.mark.parametrize("configs", [0, 2])
@pytest.mark.parametrize("managed", [True, False])
def test_a_topology_is_set_also_where_it_is_not_known_which_config_counts(
    place: Place, configs: int, *, managed: bool
) -> None:
    for namespace in (place.own, place.lab)[:configs]:
        config(place, namespace)
        if managed:
            runs_manager(dataclasses.replace(place, own=namespace))
    place.make(LAB)
    told = dataclasses.replace(place, own="").set(LAB, "--batch-size=3")
    assert "note: limits of the Config are not known: " in told.err
    assert place.block(LAB) == {"batchSize": 3}
