"""The records of changes that ``rollout undo`` works by: whose, where, by which cluster."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING
from unittest import mock

import pytest
from rollout_live_tools import CONFIG, LAB, TARGETS

if TYPE_CHECKING:
    from pathlib import Path

    from fault_handle import FaultProxy
    from rollout_live_tools import Place


def test_without_a_target_the_newest_of_the_cluster_is_undone_wherever_it_is(
    place: Place, tmp_path: Path
) -> None:
    place.make(CONFIG)
    for name in ("topology/a", "topology/lab"):
        place.make(name)
    for number, target in enumerate(("topology/a", CONFIG, LAB, "topology/a")):
        place.set(target, f"--batch-size={number + 1}")
    for target, left in (("topology/a", 1), (LAB, None), (CONFIG, None)):
        # The namespaces of the flags count for a target that is named.
        answer = place.run("undo", "--namespace=elsewhere", "--manager-namespace=elsewhere")
        assert answer.code == 0, answer.err
        assert place.block(target) == (left and {"batchSize": left})
    assert place.run("undo").code == 1
    assert tmp_path in place.state.parents


def test_a_target_is_looked_for_in_its_namespace(place: Place) -> None:
    for target in TARGETS:
        place.make(target)
        place.set(target, "--batch-size=2")
    kept = place.records()
    assert place.run("undo", LAB, f"--namespace={place.own}").code == 1
    assert place.run("undo", CONFIG, f"--manager-namespace={place.lab}").code == 1
    assert place.run("undo", "topology/other").code == 1
    assert place.records() == kept
    assert place.run("undo", LAB).code == 0
    assert (place.block(LAB), place.block(CONFIG)) == (None, {"batchSize": 2})


def test_records_are_kept_by_the_address_of_the_cluster(place: Place, proxy: FaultProxy) -> None:
    place.make(CONFIG, {"batchSize": 1})
    place.set(CONFIG, "--batch-size=2")
    assert place.run("set", CONFIG, "--batch-size=3", kubeconfig=proxy.kubeconfig).code == 0
    assert {one["server"] for one in place.records().values()} == {
        place.bed.access.server,
        proxy.access.server,
    }
    # The change of this address is not the last one any more.
    assert place.run("undo").code == 4
    assert place.run("undo", kubeconfig=proxy.kubeconfig).code == 0
    assert place.run("undo").code == 0
    assert place.block(CONFIG) == {"batchSize": 1}


@pytest.mark.parametrize(
    ("state", "folder"),
    [("{home}/x", "x"), ("", ".local/state"), ("relative", ".local/state"), (None, ".local/state")],
)
def test_records_are_where_xdg_says(
    place: Place, tmp_path: Path, state: str | None, folder: str
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    environment = {"HOME": str(home)}
    environment |= {} if state is None else {"XDG_STATE_HOME": state.format(home=home)}
    place.make(CONFIG)
    with (
        mock.patch.object(type(place), "environment", return_value=environment),
        mock.patch.dict(os.environ),
    ):
        os.environ.pop("XDG_STATE_HOME", None)
        place.set(CONFIG, "--batch-size=2")
        (file,) = (home / folder / "kubectl-c9s").rglob("*.json")
        assert file.stat().st_mode & 0o077 == 0
        assert place.run("undo").code == 0
    assert place.records() == {}


def test_without_a_place_for_records_a_change_is_made_and_the_way_back_is_said(
    place: Place,
) -> None:
    place.make(CONFIG, {"batchSize": 1})
    place.state.write_text("not a folder", encoding="utf-8")
    answer = place.set(CONFIG, "--batch-size=2")
    assert "warning: 'rollout undo' will not know of this" in answer.err
    patch = json.loads(answer.err.partition("merge patch ")[2])
    assert place.patch(CONFIG, patch)["spec"]["rollout"] == {"batchSize": 1}
    answer = place.run("undo")
    assert answer.code == 3
    assert f"Not a directory: {place.state}" in answer.err


def test_a_record_that_cannot_be_read_is_named(place: Place) -> None:
    place.make(CONFIG)
    place.set(CONFIG, "--batch-size=2")
    (file,) = place.state.rglob("*.json")
    file.write_text("{", encoding="utf-8")
    answer = place.run("undo")
    assert answer.code == 2
    assert str(file) in answer.err
    assert place.block(CONFIG) == {"batchSize": 2}
