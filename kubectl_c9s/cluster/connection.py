"""One connection to an API server: requests in, raw bytes or errors of our tree out.

Transport, TLS and credentials are the official client's; its models are not used. Retries are ours, because they
depend on what a request means: a read may be repeated, a write only when the server certainly did not carry it out.
"""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urlencode

from kubectl_c9s import __version__
from kubectl_c9s.cluster.errors import ApiError, BadConnection, Unauthorized, Unreachable, api_error

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kubectl_c9s.cluster.kubeconfig import Settings

USER_AGENT: Final = f"kubectl-c9s/{__version__}"
DEFAULT_TIMEOUT: Final = 30.0
_OK: Final = 300
_TOO_MANY: Final = 429
_BUSY: Final = frozenset({_TOO_MANY, 503})
_READ_AGAIN: Final = frozenset({500, 502, 504})
_LONGEST_PAUSE: Final = 30.0
_TRIES: Final = 6
POOL_SIZE: Final = 32


class Request(NamedTuple):
    """One request; ``what`` says in a few words what is asked, for errors. Query values of None are left out."""

    method: str
    path: str
    what: str
    query: Mapping[str, Any] | None = None
    body: bytes | None = None
    content_type: str | None = None


class Reply(NamedTuple):
    """An answer below 300: status, headers, body as it came."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Connection:
    """Requests to one API server; may be used by several threads at once.

    ``timeout`` bounds one request in seconds (0 for none), ``namespace`` is that of the context.
    """

    def __init__(self, settings: Settings, timeout: float = DEFAULT_TIMEOUT) -> None:
        self.namespace = settings.namespace
        self.timeout = timeout
        self._configuration = settings.configuration
        self._configuration.retries = False
        self._configuration.connection_pool_maxsize = POOL_SIZE
        self._headers = {"User-Agent": USER_AGENT, "Accept": "application/json", **settings.headers}
        self._pool = self.new_pool()

    @property
    def server(self) -> str:
        """Address of the server."""
        return str(self._configuration.host)

    def new_pool(self) -> Any:
        """Make a pool of sockets of its own, for what must not wait behind other requests."""
        from kubernetes.client.rest import RESTClientObject  # noqa: PLC0415 - slow to import

        try:
            return RESTClientObject(self._configuration).pool_manager
        except (OSError, ValueError) as error:
            raise BadConnection(f"certificates of the connection cannot be used: {error}") from None

    def get(self, path: str, what: str, query: Mapping[str, Any] | None = None) -> bytes:
        """Read; repeated on passing faults."""
        return self.call(Request("GET", path, what, query)).body

    def call(self, request: Request) -> Reply:
        """Send a request and give the answer, waiting as long as a busy server asks for.

        Raises Unreachable (with ``sent`` for an ambiguous write) or an ApiError.
        """
        deadline = time.monotonic() + (self.timeout or float("inf"))
        for attempt in range(_TRIES):
            try:
                return self._once(request)
            except (ApiError, Unreachable) as error:
                pause = _pause(error, request.method, attempt)
                if pause is None or attempt + 1 == _TRIES or time.monotonic() + pause > deadline:
                    raise
                time.sleep(pause)
        raise AssertionError  # pragma: no cover - the loop ends by return or raise

    def _once(self, request: Request) -> Reply:
        response = self.open(self._pool, request)
        if response.status >= _OK:
            raise api_error(
                response.status, response.data, request.what, response.headers.get("Retry-After")
            )
        return Reply(response.status, response.headers, response.data)

    def open(self, pool: Any, request: Request, stream_timeout: float | None = None) -> Any:
        """Send one request over a pool and give urllib3's response; ``stream_timeout`` for one that stays open."""
        import urllib3  # noqa: PLC0415 - comes with the client

        url = self.server.rstrip("/") + request.path
        if request.query:
            url += "?" + urlencode(
                {key: value for key, value in request.query.items() if value is not None}
            )
        headers = {**self._headers, **self._credentials()}
        if request.content_type:
            headers["Content-Type"] = request.content_type
        limit = stream_timeout if stream_timeout is not None else self.timeout
        timeout = urllib3.Timeout(connect=min(limit or 30, 10), read=limit or None)
        try:
            return pool.request(
                request.method, url, headers=headers, body=request.body, timeout=timeout, retries=False,
                redirect=False, preload_content=stream_timeout is None,
            )  # fmt: skip
        except urllib3.exceptions.HTTPError as error:
            raise _unreachable(error, request.what, self.server) from None
        except OSError as error:
            raise Unreachable(f"{request.what}: {error}", sent=True) from None

    def _credentials(self) -> dict[str, str]:
        settings = self._configuration.auth_settings()
        bearer = settings.get("BearerToken")
        return {"Authorization": bearer["value"]} if bearer and bearer.get("value") else {}

    def close(self) -> None:
        """Close the idle sockets."""
        self._pool.clear()


def _pause(error: ApiError | Unreachable, method: str, attempt: int) -> float | None:
    """Say how long to wait before trying again; None when that is not safe or of no use."""
    jitter: float = 0.2 * 2.0**attempt * random.uniform(0.5, 1.5)  # noqa: S311 - spreading load, not a secret
    if isinstance(error, Unreachable):
        return jitter if method == "GET" or not error.sent else None
    if isinstance(error, Unauthorized):
        return None
    if error.status in _BUSY:
        if error.retry_after is None and error.status != _TOO_MANY and method != "GET":
            return None  # a 503 without Retry-After says nothing about what was carried out
        return min((error.retry_after or 0.0) + jitter, _LONGEST_PAUSE)
    return jitter if method == "GET" and error.status in _READ_AGAIN else None


def _unreachable(error: Exception, what: str, server: str) -> Unreachable:
    import urllib3  # noqa: PLC0415 - comes with the client

    kinds = urllib3.exceptions
    if isinstance(error, kinds.SSLError):
        hint = "check --certificate-authority and --tls-server-name, or the kubeconfig"
        return Unreachable(
            f"{what}: the certificate of {server} is not trusted: {error}", sent=False, hint=hint
        )
    if isinstance(error, kinds.NewConnectionError | kinds.ConnectTimeoutError):
        return Unreachable(f"{what}: {server} cannot be reached", sent=False)
    if isinstance(error, kinds.ReadTimeoutError):
        return Unreachable(f"{what}: {server} did not answer in time", sent=True)
    return Unreachable(f"{what}: the connection to {server} broke: {error}", sent=True)
