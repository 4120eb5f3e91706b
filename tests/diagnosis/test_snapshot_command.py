"""``snapshot`` against a small server: what is asked for, and what is said about what is missing."""

from __future__ import annotations

import collections
import io
import json
import sys
from typing import TYPE_CHECKING

import pytest
from redact_tools import without_texts
from snapshot_sample import HOME, OBJECTS, SPACE, diagnosed
from snapshot_server import AT, Json, Lists, asked, loaded
from split_lab import command

from kubectl_c9s.cli.snapshotparts import Progress
from kubectl_c9s.cluster import kinds
from kubectl_c9s.diagnosis.dump import WANTED
from kubectl_c9s.diagnosis.redactwords import WORDS

if TYPE_CHECKING:
    from pathlib import Path

    import jsonschema_rs
    from snapshot_plugin import Serve

pytest_plugins = ["snapshot_plugin"]


def by_uid(objects: list[Json]) -> dict[str, Json]:
    return {
        one["metadata"]["uid"]: {
            **one,
            "apiVersion": "v1" if one["kind"] == "Event" else one["apiVersion"],
        }
        for one in objects
    }


def test_every_object_is_there_as_it_was_with_its_kind(
    serve_lists: Serve, snapshot_schema: jsonschema_rs.Validator
) -> None:
    _, run = serve_lists(Lists(OBJECTS))
    answer = run("snapshot", "--output-file", "-")
    assert (answer.code, answer.err) == (0, "")
    snapshot_schema.validate(json.loads(answer.out))
    header, items = loaded(answer.out)
    assert by_uid(items) == by_uid(OBJECTS)
    assert header["collected"] != sorted(header["collected"])
    assert set(header["collected"]) == set(WANTED)
    assert (header["at"], header["serverVersion"], header["redacted"]) == (AT, "v1.37.2", False)
    assert set(header["resourceVersions"].values()) == {"4711"}
    assert (header["unseen"], header["namespace"], header["managerNamespace"]) == ({}, None, None)


def test_each_page_of_each_kind_is_asked_for_once_and_no_secret_ever(serve_lists: Serve) -> None:
    server, run = serve_lists(Lists(OBJECTS, page=2))
    assert run("snapshot", "-A", "--output-file", "-").code == 0
    counts = collections.Counter(
        one.path.partition("limit=")[2] and one.path for one in server.requests
    )
    assert all(number == 1 for path, number in counts.items() if path)
    paths = set(asked(server)) - {"/version"}
    assert len(paths) == len(WANTED)
    assert {one.method for one in server.requests} == {"GET"}
    assert [path for path in paths if "secret" in path or "/namespaces/" in path] == []
    pods = [one for one in OBJECTS if one["kind"] == "Pod"]
    assert asked(server).count("/api/v1/pods") == -(-len(pods) // 2)


def test_pages_that_are_too_old_to_go_on_are_read_again_in_one_piece(serve_lists: Serve) -> None:
    lists = Lists(OBJECTS, page=2)
    lists.gone_after = 1
    server, run = serve_lists(lists)
    answer = run("snapshot", "--output-file", "-")
    assert answer.code == 0
    assert by_uid(loaded(answer.out)[1]) == by_uid(OBJECTS)
    assert asked(server).count("/api/v1/pods") == 3


def test_a_kind_that_may_not_be_read_is_named_and_not_concluded_from(
    serve_lists: Serve, tmp_path: Path, snapshot_schema: jsonschema_rs.Validator
) -> None:
    lists = Lists(OBJECTS)
    lists.no = {"leases": 403, "links": 404}
    _, run = serve_lists(lists)
    path = tmp_path / "it.json"
    answer = run("snapshot", "--output-file", str(path))
    assert answer.code == 0
    assert answer.err.count("note: ") == 2
    snapshot_schema.validate(json.loads(path.read_bytes()))
    header, _ = loaded(path.read_text())
    assert set(header["unseen"]) == {"leases.coordination.k8s.io", "links.c9s.run"}
    assert "forbidden" in header["unseen"]["leases.coordination.k8s.io"]
    live = run("diagnose", "-o", "json")
    assert diagnosed("-f", str(path)) == (live.code, json.loads(live.out))
    assert json.loads(live.out)["notCollected"] == ["links.c9s.run", "leases.coordination.k8s.io"]
    again = command("diagnose", "-f", str(path))
    assert again.err.splitlines() == [
        line for line in live.err.splitlines() if line.startswith("note")
    ]


def test_nothing_that_may_be_read_writes_nothing(serve_lists: Serve, tmp_path: Path) -> None:
    lists = Lists(OBJECTS)
    lists.no = dict.fromkeys((kind.partition(".")[0] for kind in WANTED), 403)
    _, run = serve_lists(lists)
    answer = run("snapshot", "--output-file", str(tmp_path / "it.json"))
    assert (answer.code, answer.out) == (3, "")
    assert "kubectl c9s rights snapshot" in answer.err
    assert list(tmp_path.iterdir()) == []


def test_one_namespace_and_what_may_be_seen_of_the_managers(
    serve_lists: Serve, tmp_path: Path
) -> None:
    server, run = serve_lists(Lists(OBJECTS))
    path = tmp_path / "it.tar.gz"
    flags = ("-n", SPACE, "--manager-namespace", HOME)
    assert run("snapshot", *flags, "--output-file", str(path)).code == 0
    assert {one for one in asked(server) if "/namespaces/" not in one} == {
        "/api/v1/nodes",
        "/version",
    }
    live = run("diagnose", "-o", "json", *flags)
    found = diagnosed("-f", str(path))
    assert found == (live.code, json.loads(live.out))
    assert found[1]["managerNamespace"] == HOME
    assert "other namespaces" in found[1]["notCollected"]


def test_what_may_not_be_seen_of_the_managers_is_recorded(serve_lists: Serve) -> None:
    class Shy(Lists):
        def _refused(self, path: str) -> int:
            return (
                403 if f"/namespaces/{HOME}/" in path and path.endswith(("pods", "leases")) else 0
            )

    _, run = serve_lists(Shy(OBJECTS))
    answer = run("snapshot", "-n", SPACE, "--manager-namespace", HOME, "--output-file", "-")
    header, _ = loaded(answer.out)
    assert set(header["unseen"]) == {f"pods@{HOME}", f"leases.coordination.k8s.io@{HOME}"}
    assert set(header["collected"]) == set(WANTED)
    assert f"configs.c9s.run@{HOME}" in header["resourceVersions"]


@pytest.mark.parametrize("name", ["it.json", "it.tar.gz"])
def test_without_names_the_diagnosis_stays(serve_lists: Serve, tmp_path: Path, name: str) -> None:
    lists = Lists(OBJECTS)
    lists.no = {"links": 403}
    _, run = serve_lists(lists)
    path = tmp_path / name
    assert run("snapshot", "--redact", "--output-file", str(path)).code == 0
    live, (code, found) = run("diagnose", "-o", "json"), diagnosed("-f", str(path))
    plain = json.loads(live.out)
    assert code == live.code
    told = [
        (one["code"], one["scope"], one["since"], one["blocks"], len(one["objects"]))
        for one in plain["causes"]
    ]
    assert [
        (one["code"], one["scope"], one["since"], one["blocks"], len(one["objects"]))
        for one in found["causes"]
    ] == told
    for key in ("verdict", "primaryCause", "remedies", "notCollected", "at"):
        assert found[key] == plain[key]
    assert without_texts(found) != without_texts(plain)


def test_without_names_neither_header_nor_objects_tell_whose_it_is(serve_lists: Serve) -> None:
    lists = Lists(OBJECTS)
    lists.no = {"links": 403}
    _, run = serve_lists(lists)
    answer = run(
        "snapshot", "--redact", "-n", SPACE, "--manager-namespace", HOME, "--output-file", "-"
    )
    header, items = loaded(answer.out)
    assert header["redacted"] is True
    assert header["namespace"] not in ("", SPACE)
    assert "forbidden" in header["unseen"]["links.c9s.run"]
    assert items
    text = json.dumps([header, items])
    assert [one for one in ("acme", "jane", "hidden", "hunter2") if one in text] == []
    assert SPACE in WORDS or f'"{SPACE}"' not in text


def test_a_server_without_a_clock_is_taken_at_our_time(serve_lists: Serve) -> None:
    _, run = serve_lists(Lists(OBJECTS, date="soon"))
    answer = run("snapshot", "--output-file", "-")
    assert answer.code == 0
    assert "does not tell its time" in answer.err
    assert run("diagnose").code in (0, 1)


def test_an_empty_cluster_gives_a_snapshot_that_is_healthy(
    serve_lists: Serve, tmp_path: Path
) -> None:
    _, run = serve_lists(Lists([]))
    path = tmp_path / "it.json"
    assert run("snapshot", "--output-file", str(path)).code == 0
    live = run("diagnose", "-o", "json")
    assert diagnosed("-f", str(path)) == (live.code, json.loads(live.out))


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_shown_on_a_terminal_and_wiped_off(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with Progress() as progress:
        progress.page(kinds.PODS, 1)
        progress.page(kinds.PODS, 2)
    assert "2 pages read, pods up to 2" in screen.getvalue()
    assert screen.getvalue().endswith("\r\x1b[K")


def test_progress_is_shown_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    file = io.StringIO()
    monkeypatch.setattr(sys, "stderr", file)
    with Progress() as progress:
        progress.page(kinds.PODS, 1)
    assert file.getvalue() == ""
