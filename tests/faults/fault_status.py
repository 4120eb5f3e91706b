"""What an API server says when it refuses: the answers that the proxy makes up."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from fault_decide import Fault
    from fault_request import Asked
    from fault_rules import Json

EXPIRED: Final = "The resourceVersion for the provided watch is too old."


class Refusal(NamedTuple):
    """An answer: HTTP status, headers, body."""

    status: int
    fields: list[tuple[str, str]]
    body: bytes


class _Words(NamedTuple):
    """Code, reason and message of a Status."""

    code: int
    reason: str
    message: str


def refuses(fault: Fault) -> bool:
    """Tell whether a fault is an answer made up here."""
    return fault.do in _PLAIN or fault.do in {"conflict", "already-exists", "webhook"}


def refusal(fault: Fault, asked: Asked) -> Refusal:
    """Make up the answer of a fault, as the server words it; with ``plain``, a text as its filters give it."""
    words = _words(fault, asked)
    wait = fault.settings["retryAfter"]
    fields = [] if wait is None else [("Retry-After", str(wait))]
    if fault.settings["plain"]:
        body, kind = f"{words.message}\n".encode(), "text/plain; charset=utf-8"
    else:
        body, kind = (
            json.dumps(_status(words, asked.resource, asked.name, wait)).encode(),
            "application/json",
        )
    return Refusal(words.code, [*fields, ("Content-Type", kind)], body)


_PLAIN: Final = {
    "too-many-requests": _Words(
        429, "TooManyRequests", "Too many requests, please try again later."
    ),
    "error": _Words(500, "InternalError", "Internal error occurred: etcdserver: leader changed"),
    "unavailable": _Words(503, "ServiceUnavailable", "apiserver is shutting down"),
    "gone": _Words(410, "Expired", EXPIRED),
}
_WEBHOOK_REASONS: Final = {
    400: "BadRequest",
    403: "Forbidden",
    422: "Invalid",
    500: "InternalError",
}


def _words(fault: Fault, asked: Asked) -> _Words:
    if words := _PLAIN.get(fault.do):
        return words
    what = f'{asked.resource} "{asked.name}"'
    if fault.do == "conflict":
        why = "the object has been modified; please apply your changes to the latest version and try again"
        return _Words(409, "Conflict", f"Operation cannot be fulfilled on {what}: {why}")
    if fault.do == "already-exists":
        return _Words(409, "AlreadyExists", f"{what} already exists")
    code, said = fault.settings["code"], fault.settings["message"]
    hook = 'admission webhook "faults.testbed.c9s.run"'
    if code == 500:
        message = f"Internal error occurred: failed calling webhook: {hook}: {said}"
    else:
        message = f"{hook} denied the request: {said}"
    return _Words(code, _WEBHOOK_REASONS[code], message)


def _status(words: _Words, resource: str, name: str, wait: int | None) -> Json:
    plural, _, group = resource.partition(".")
    details = {"name": name, "group": group, "kind": plural, "retryAfterSeconds": wait}
    return {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": words.message,
        "reason": words.reason,
        "details": {key: value for key, value in details.items() if value},
        "code": words.code,
    }


def expired_event() -> bytes:
    """Give the line with which a watch says that it has to begin anew."""
    words = _Words(410, "Expired", EXPIRED)
    status = _status(words, "", "", None)
    return json.dumps({"type": "ERROR", "object": status}).encode() + b"\n"
