"""``diff`` on a real API server: what it shows, and kubectl's exit codes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from live_tools import Asked, c9s, node, path_to, small_lab, versions, written

if TYPE_CHECKING:
    from pathlib import Path

    from bed_base import Bed
    from bed_own import OwnBed


def test_no_difference_is_zero_and_silent(own_bed: OwnBed, tmp_path: Path) -> None:
    with own_bed.namespace() as namespace:
        lab = written(tmp_path, small_lab())
        assert c9s(own_bed, "apply", "-f", lab, "-n", namespace).code == 0
        answer = c9s(own_bed, "diff", "-f", lab, "-n", namespace)
    assert (answer.code, answer.out, answer.err) == (0, "", "")


def test_a_difference_is_one_and_shown_as_the_server_sees_it(
    own_bed: OwnBed, tmp_path: Path
) -> None:
    with own_bed.namespace() as namespace, own_bed.client() as client:
        lab = written(tmp_path, small_lab())
        assert c9s(own_bed, "apply", "-f", lab, "-n", namespace).code == 0
        before = versions(client, namespace)
        objects = [*small_lab(), node("r3")]
        objects[-2]["spec"]["image"] = "alpine:4"
        asked = Asked(own_bed, namespace)
        answer = c9s(own_bed, "diff", "-f", written(tmp_path, objects), "-n", namespace)
        sent = asked.writes()
        assert versions(client, namespace) == before
    lines = answer.out.splitlines()
    assert answer.code == 1
    assert f"--- LIVE/nodes.c9s.run.{namespace}.r2" in lines
    assert f"+++ MERGED/nodes.c9s.run.{namespace}.r2" in lines
    assert "-  image: alpine:3" in lines
    assert "+  image: alpine:4" in lines
    assert f"+++ MERGED/nodes.c9s.run.{namespace}.r3" in lines
    assert "+  name: r3" in lines
    assert not any("managedFields" in line or "resourceVersion" in line for line in lines)
    assert [one["objectRef"]["name"] for one in sent] == ["r2", "r3"] or len(sent) == 2
    assert all("dryRun=All" in one["requestURI"] for one in sent)


def test_two_runs_show_the_same_in_the_same_order(bed: Bed, tmp_path: Path) -> None:
    with bed.namespace() as namespace:
        lab = written(tmp_path, [node(f"n{index}") for index in range(40)])
        first, second = (c9s(bed, "diff", "-f", lab, "-n", namespace) for _ in range(2))
    assert first.code == second.code == 1
    assert first.out == second.out != ""


def test_what_cannot_be_found_out_is_more_than_one(bed: Bed, tmp_path: Path) -> None:
    lab = written(tmp_path, small_lab())
    missing = c9s(bed, "diff", "-f", lab, "-n", "there-is-none")
    assert missing.code == 3
    assert missing.out == ""
    assert 'namespaces "there-is-none" not found' in missing.err
    assert "create the namespace first" in missing.err
    assert c9s(bed, "diff", "-f", str(tmp_path / "none.yaml")).code == 2


@pytest.mark.parametrize("command", [["diff"], ["rollout", "diff"]])
def test_a_wrong_input_is_more_than_one(bed: Bed, tmp_path: Path, command: list[str]) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("kind: Node\nkind: Node\n", encoding="utf-8")
    answer = c9s(bed, *command, "-f", str(wrong))
    assert answer.code == 2
    assert "duplicate-key" in answer.err


def test_a_conflict_is_more_than_one_and_can_be_looked_behind(bed: Bed, tmp_path: Path) -> None:
    with bed.namespace() as namespace, bed.client() as client:
        lab = written(tmp_path, small_lab())
        assert c9s(bed, "apply", "-f", lab, "-n", namespace).code == 0
        theirs = node("r2", image="helm:1")
        client.apply(path_to(theirs, namespace), theirs, manager="helm").ok()
        refused = c9s(bed, "diff", "-f", lab, "-n", namespace)
        shown = c9s(bed, "diff", "-f", lab, "-n", namespace, "--force-conflicts")
    assert refused.code == 4
    assert ".spec.image (helm)" in refused.err
    assert shown.code == 1
    assert "-  image: helm:1" in shown.out.splitlines()


def test_text_of_the_cluster_cannot_move_the_cursor(bed: Bed, tmp_path: Path) -> None:
    with bed.namespace() as namespace, bed.client() as client:
        evil = node("r1", env={"A": "\x1b[2Jgone"})
        client.apply(path_to(evil, namespace), evil, manager="kubectl-c9s").ok()
        answer = c9s(bed, "diff", "-f", written(tmp_path, [node("r1")]), "-n", namespace)
    assert answer.code == 1
    assert "\x1b" not in answer.out
