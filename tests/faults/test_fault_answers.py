"""Refusals that the proxy makes up read like the server's own."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fault_decide import Fault
from fault_request import describe
from fault_rules import DOES
from fault_status import refusal, refuses

NODE = describe("PATCH", "/apis/c9s.run/v1alpha1/namespaces/n/nodes/leaf-1", {})


def fault(do: str, **settings: Any) -> Fault:
    return Fault(do, {**DOES[do], **settings})


@pytest.mark.parametrize(
    ("asked_for", "code", "reason"),
    [
        (fault("too-many-requests"), 429, "TooManyRequests"),
        (fault("conflict"), 409, "Conflict"),
        (fault("already-exists"), 409, "AlreadyExists"),
        (fault("error"), 500, "InternalError"),
        (fault("unavailable"), 503, "ServiceUnavailable"),
        (fault("gone"), 410, "Expired"),
        (fault("webhook"), 403, "Forbidden"),
        (fault("webhook", code=422), 422, "Invalid"),
        (fault("webhook", code=500), 500, "InternalError"),
    ],
)
def test_a_refusal_is_a_status_of_the_api(asked_for: Fault, code: int, reason: str) -> None:
    answer = refusal(asked_for, NODE)
    status = json.loads(answer.body)
    assert refuses(asked_for)
    assert answer.status == status["code"] == code
    assert (status["kind"], status["status"]) == ("Status", "Failure")
    assert status["reason"] == reason
    assert status["details"]["name"] == "leaf-1"
    assert (status["details"]["kind"], status["details"]["group"]) == ("nodes", "c9s.run")
    assert status["message"]


def test_how_long_to_wait_is_said_in_the_header_and_in_the_status() -> None:
    answer = refusal(fault("unavailable", retryAfter=3), NODE)
    assert ("Retry-After", "3") in answer.fields
    assert json.loads(answer.body)["details"]["retryAfterSeconds"] == 3
    silent = refusal(fault("unavailable"), NODE)
    assert "Retry-After" not in dict(silent.fields)
    assert "retryAfterSeconds" not in json.loads(silent.body)["details"]


def test_a_refusal_may_be_plain_text_as_the_servers_filters_give_it() -> None:
    answer = refusal(fault("too-many-requests", plain=True), NODE)
    assert answer.body == b"Too many requests, please try again later.\n"
    assert dict(answer.fields)["Content-Type"].startswith("text/plain")
    assert dict(answer.fields)["Retry-After"] == "1"


def test_what_is_done_to_connections_is_no_refusal() -> None:
    for do in ("lost-request", "lost-reply", "hang", "drop", "silent", "expire", "real-conflict"):
        assert not refuses(fault(do))
