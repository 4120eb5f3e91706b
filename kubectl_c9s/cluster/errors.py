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
"""

from __future__ import annotations

from typing import Final

import msgspec

from kubectl_c9s.resources.errors import C9sError


class ClusterError(C9sError):
    """Base of everything that may happen when a cluster is asked."""


class BadConnection(ClusterError):
    """The connection cannot be set up: kubeconfig, context, certificates, credentials."""


class Unreachable(ClusterError):
    """The server gave no answer.

    ``sent`` is true when the request may have reached it: a write is then ambiguous and has to be read back.
    """

    def __init__(self, message: str, *, sent: bool, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.sent = sent


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
        self.retry_after = float(retry_after) if retry_after and retry_after.isdigit() else None
        self.answer = _status(body)
        self.reason = self.answer.reason
        text = (
            self.answer.message
            or body[:200].decode("utf-8", "replace").strip()
            or "no reason given"
        )
        super().__init__(f"{what}: {text}", hint=_HINTS.get(status))

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
