"""What can go wrong between us and an API server.

::

    C9sError                     resources/errors.py, exit code 3
    └── ClusterError
        ├── BadConnection        kubeconfig, context, credentials: nothing was asked
        ├── Unreachable          no answer; ``sent`` tells whether the request may have been carried out
        └── ApiError             the server answered with a Status
            ├── Unauthorized     401
            ├── Forbidden        403
            ├── NotFound         404
            ├── Conflict         409 (also a failed precondition)
            └── Gone             410, a list or watch that has to begin anew

    GuardRefusal                 resources/errors.py, exit code 4
    └── FieldConflict            409 of server-side apply: fields belong to other managers
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from kubectl_c9s.resources.errors import C9sError, GuardRefusal


class ClusterError(C9sError):
    """Base of everything that may happen when a cluster is asked."""


class BadConnection(ClusterError):
    """The connection cannot be set up: kubeconfig, context, certificates, credentials."""


class Unreachable(ClusterError):
    """The server gave no answer.

    ``sent`` is true when the request may have reached it: a write is then ambiguous and has to be read back.
    ``transient`` is false for what does not mend itself, such as a certificate that is not trusted.
    """

    def __init__(
        self, message: str, *, sent: bool, transient: bool = True, hint: str | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self.sent = sent
        self.transient = transient


class Cause(msgspec.Struct):
    """One cause in the details of a Status."""

    reason: str = ""
    message: str = ""
    field: str = ""


class Details(msgspec.Struct):
    """Details of a Status."""

    causes: list[Cause] = []
    retryAfterSeconds: int = 0  # noqa: N815 - the API's name


class Status(msgspec.Struct):
    """A metav1.Status, as far as we read it."""

    message: str = ""
    reason: str = ""
    code: int = 0
    details: Details | None = None


class ApiError(ClusterError):
    """The server refused: HTTP ``status``, the API's ``reason``, causes; ``retry_after`` in seconds if it says so."""

    def __init__(self, status: int, body: bytes, what: str, retry_after: str | None = None) -> None:
        self.status = status
        self.answer = _status(body)
        self.retry_after = _seconds(retry_after, self.answer)
        self.reason = self.answer.reason
        text = (
            self.answer.message
            or body[:200].decode("utf-8", "replace").strip()
            or "no reason given"
        )
        super().__init__(f"{what}: {text}", hint=self._hint())

    def _hint(self) -> str | None:
        if any(cause.reason == _TERMINATING for cause in self.causes):
            return "the namespace is being deleted: wait until it is gone, or use another"
        if self.status == 404 and text_of_missing_namespace(self.answer.message):  # noqa: PLR2004 - Not Found
            return "create the namespace first, or split with --create-namespace"
        if _is_too_large(self.answer.message):
            return "split with a smaller --max-object-bytes, or move files out of the object"
        return _HINTS.get(self.status)

    @property
    def causes(self) -> list[Cause]:
        """Causes the server names, such as the fields of a conflict."""
        return self.answer.details.causes if self.answer.details else []


class Unauthorized(ApiError):
    """401: the server does not know who asks."""


class Forbidden(ApiError):
    """403: a right is missing."""


class NotFound(ApiError):
    """404: no such object, or no such kind."""


class Conflict(ApiError):
    """409: another writer was faster, or owns the field."""


class Gone(ApiError):
    """410: the resource version is too old."""


class FieldConflict(GuardRefusal):
    """Fields that would be changed belong to other managers; ``owners`` has (field, manager)."""

    def __init__(self, conflict: Conflict) -> None:
        self.owners = [(cause.field, _manager(cause.message)) for cause in conflict.causes]
        what = conflict.message.partition(": ")[0]
        fields = ", ".join(f"{field} ({manager})" for field, manager in self.owners)
        super().__init__(
            f"{what}: other managers own {fields}",
            hint="let them give the fields up, or take them with --force-conflicts",
        )


_TERMINATING: Final = "NamespaceTerminating"
_FIELD_CONFLICT: Final = "FieldManagerConflict"
_HINTS: Final = {
    401: "log in again; 'kubectl auth whoami' shows who the server takes you for",
    403: "'kubectl c9s rights' prints the Role a command needs",
}
_CLASSES: Final[dict[int, type[ApiError]]] = {
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    410: Gone,
}


def api_error(status: int, body: bytes, what: str, retry_after: str | None = None) -> ApiError:
    """Make the error of an answer; ``what`` says in a few words what was asked."""
    return _CLASSES.get(status, ApiError)(status, body, what, retry_after)


def _status(body: bytes) -> Status:
    try:
        return msgspec.json.decode(body, type=Status)
    except (msgspec.DecodeError, msgspec.ValidationError):
        return Status()


def _seconds(header: str | None, answer: Status) -> float | None:
    if header and header.isdigit():
        return float(header)
    return (
        float(answer.details.retryAfterSeconds)
        if answer.details and answer.details.retryAfterSeconds
        else None
    )


def _manager(message: str) -> str:
    found = re.match(r'conflict with "([^"]*)"', message)
    return found[1] if found else message


def text_of_missing_namespace(message: str) -> bool:
    """Tell whether a 404 is about the namespace and not about an object in it."""
    return re.match(r'namespaces "[^"]*" not found', message) is not None


def _is_too_large(message: str) -> bool:
    return "too large" in message or "Too long" in message


def is_final(error: ApiError) -> bool:
    """Tell whether asking again is of no use although the status alone would say so."""
    return _is_too_large(error.answer.message)


def is_field_conflict(error: ApiError) -> bool:
    """Tell whether server-side apply met fields of other managers, and not just another writer."""
    return any(cause.reason == _FIELD_CONFLICT for cause in error.causes)
