"""When a request is worth another try, and what it means that no answer came (conventions.md §10)."""

from __future__ import annotations

import random
from typing import Final

from kubectl_c9s.cluster.errors import ApiError, Unreachable

_TOO_MANY: Final = 429
_UNAVAILABLE: Final = 503
_READ_AGAIN: Final = frozenset({500, 502, _UNAVAILABLE, 504})
# A source of our own: what a thread of ours draws must not move the state that others count on.
CHANCE: Final = random.Random()  # noqa: S311 - spreading load, not a secret
_LONGEST_PAUSE: Final = 5.0
_LONGEST_WISH: Final = 60.0
_TRIES: Final = 12
_STRANGER_TRIES: Final = 2


def backoff(attempt: int) -> float:
    """Give the seconds to wait before the next attempt: growing, bounded, never the same for all clients."""
    return float(min(0.2 * 2.0**attempt, _LONGEST_PAUSE) * CHANCE.uniform(0.5, 1.5))


def pause_before_retry(
    error: ApiError | Unreachable, method: str, attempt: int, *, known: bool
) -> float | None:
    """Say how long to wait before trying again; None when that is not safe or of no use.

    ``known`` tells whether this server has answered before: then it will come back, as after a restart. One that never
    did has most likely a wrong address.
    """
    if attempt + 1 >= _TRIES:
        return None
    if isinstance(error, Unreachable):
        if not known and attempt + 1 >= _STRANGER_TRIES:
            return None
        return backoff(attempt) if error.transient and (method == "GET" or not error.sent) else None
    # 429 says that nothing was carried out; a 503 with a wish for later says it, too.
    if error.status == _TOO_MANY or (
        error.status == _UNAVAILABLE and error.retry_after is not None
    ):
        return min(error.retry_after or 0.0, _LONGEST_WISH) + backoff(attempt)
    return backoff(attempt) if method == "GET" and error.status in _READ_AGAIN else None


def unreachable(error: Exception, what: str, server: str) -> Unreachable:
    """Make our error of one of urllib3's."""
    import urllib3  # noqa: PLC0415 - comes with the client

    kinds = urllib3.exceptions
    if isinstance(error, kinds.ProxyError):
        return Unreachable(f"{what}: the proxy cannot be used: {_reason(error)}", sent=False)
    if isinstance(error, kinds.SSLError):
        hint = "check --certificate-authority and --tls-server-name, or the kubeconfig"
        text = f"{what}: no trusted connection to {server}: {_reason(error)}"
        return Unreachable(text, sent=False, transient=False, hint=hint)
    if isinstance(error, kinds.NewConnectionError | kinds.ConnectTimeoutError):
        return Unreachable(f"{what}: {server} cannot be reached{_why(error)}", sent=False)
    if isinstance(error, kinds.ReadTimeoutError):
        return Unreachable(f"{what}: {server} did not answer in time", sent=True)
    return Unreachable(f"{what}: the connection to {server} broke: {_reason(error)}", sent=True)


def _why(error: Exception) -> str:
    text = str(error).rpartition(": ")[2]
    return f": {text}" if text else ""


def _reason(error: BaseException) -> str:
    """Give the innermost reason: urllib3 wraps errors in errors."""
    while error.args and isinstance(error.args[-1], BaseException):
        error = error.args[-1]
    return str(error)
