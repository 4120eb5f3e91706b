"""The reader of audit logs: what counts as a write, in which order, and how it is narrowed and counted."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from audit_reader import AuditLog, accepted_twice, count, select

if TYPE_CHECKING:
    from pathlib import Path


def line(verb: str, name: str, code: int = 200, **more: Any) -> str:
    at = {"resource": "nodes", "apiGroup": "c9s.run", "namespace": "n", "name": name}
    entry = {
        "auditID": f"{verb}-{name}",
        "stage": "ResponseComplete",
        "verb": verb,
        "user": {"username": "system:serviceaccount:n:a"},
        "userAgent": "tool/1",
        "objectRef": at,
        "responseStatus": {"code": code},
        "requestURI": f"/apis/c9s.run/v1alpha1/namespaces/n/nodes/{name}?fieldManager=tool",
    }
    return json.dumps(entry | more) + "\n"


def log_of(path: Path, *lines: str) -> AuditLog:
    path.write_text("".join(lines), encoding="utf-8")
    return AuditLog(path, 0)


def names(log: AuditLog, **wanted: Any) -> list[str]:
    return [one.name for one in log.writes(**wanted)]


def test_writes_are_given_in_the_order_of_the_log_without_reads_dry_runs_and_questions(
    tmp_path: Path,
) -> None:
    log = log_of(
        tmp_path / "audit.log",
        line("patch", "a"),
        line("get", "a"),
        line("patch", "b", requestURI="/x?dryRun=All&fieldManager=tool"),
        line("create", "c", 201),
        line("watch", "", stage="ResponseStarted"),
        line("delete", "a", stage="ResponseStarted"),
        line("delete", "a", 404),
        line(
            "create",
            "",
            201,
            objectRef={"resource": "selfsubjectaccessreviews", "apiGroup": "authorization.k8s.io"},
        ),
        line("deletecollection", ""),
    )
    assert [(one.verb, one.name) for one in log.writes()] == [
        ("patch", "a"),
        ("create", "c"),
        ("delete", "a"),
        ("deletecollection", ""),
    ]


def test_writes_are_narrowed_by_value_collection_range_and_function(tmp_path: Path) -> None:
    log = log_of(
        tmp_path / "audit.log",
        line("patch", "a"),
        line("patch", "b", 409),
        line("create", "c", 201),
        line("delete", "d", user={"username": "somebody"}),
    )
    assert names(log, verb="patch") == ["a", "b"]
    assert names(log, verb={"create", "delete"}) == ["c", "d"]
    assert names(log, code=range(200, 300), resource="nodes.c9s.run") == ["a", "c", "d"]
    assert names(log, accepted=False) == ["b"]
    assert names(log, user=lambda who: who.startswith("system:")) == ["a", "b", "c"]
    assert names(log, user="somebody", verb="patch") == []
    with pytest.raises(AttributeError):
        names(log, colour="blue")


def test_counts_are_by_what_is_asked_for(tmp_path: Path) -> None:
    log = log_of(
        tmp_path / "audit.log", line("patch", "a"), line("patch", "b"), line("patch", "a", 429)
    )
    assert count(log.entries(), "verb", "code") == {("patch", 200): 2, ("patch", 429): 1}
    assert count(select(log.entries(), accepted=True), "user") == {
        ("system:serviceaccount:n:a",): 2
    }


def test_an_object_that_was_written_twice_is_found_and_a_refused_write_is_none(
    tmp_path: Path,
) -> None:
    twice = [line("patch", "a"), line("patch", "b", 500), line("patch", "b"), line("patch", "a")]
    log = log_of(tmp_path / "audit.log", *twice, line("patch", "c"), line("get", "c"))
    assert accepted_twice(log.entries()) == {("nodes.c9s.run", "n", "a"): 2}


def test_a_log_is_read_from_its_mark_and_a_line_that_is_being_written_is_left_for_later(
    tmp_path: Path,
) -> None:
    path = tmp_path / "audit.log"
    path.write_text(line("patch", "old"), encoding="utf-8")
    log = AuditLog(path)
    half = line("patch", "next")
    with path.open("a", encoding="utf-8") as file:
        file.write(line("patch", "new") + half[:30])
        file.flush()
        assert names(log) == ["new"]
        file.write(half[30:])
        file.flush()
        assert names(log) == ["new", "next"]


def test_waiting_in_vain_says_what_is_there(tmp_path: Path) -> None:
    log = log_of(tmp_path / "audit.log", line("patch", "a"))
    assert len(log.when(bool, verb="patch")) == 1
    with pytest.raises(AssertionError, match="patch-a"):
        log.when(lambda found: len(found) > 1, within=0)


def test_a_request_without_code_user_or_object_is_read_as_well(tmp_path: Path) -> None:
    bare = json.dumps({"auditID": "x", "stage": "Panic", "verb": "get"}) + "\n"
    (entry,) = log_of(tmp_path / "audit.log", bare).entries()
    assert (entry.code, entry.resource, entry.accepted, entry.writes) == (0, "", False, False)
