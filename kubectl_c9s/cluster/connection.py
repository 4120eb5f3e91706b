"""One connection to an API server: requests in, raw bytes or errors of our tree out.

Transport, TLS and credentials are the official client's; its models are not used. Retries are ours, because they
depend on what a request means: a read may be repeated, a write only when the server certainly did not carry it out.
"""

from __future__ import annotations

import time
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urlencode

from kubectl_c9s import __version__
from kubectl_c9s.cluster.errors import ApiError, Unreachable, api_error
from kubectl_c9s.cluster.patience import pause_before_retry, unreachable
from kubectl_c9s.cluster.transport import forget_files, make_pool, tls_context

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kubectl_c9s.cluster.kubeconfig import Settings

USER_AGENT: Final = f"kubectl-c9s/{__version__}"
DEFAULT_TIMEOUT: Final = 30.0
_OK: Final = 300
_LONGEST_CONNECT: Final = 10.0
POOL_SIZE: Final = 32


class Request(NamedTuple):
    """One request; ``what`` says in a few words what is asked, for errors. Query values of None are left out."""

    method: str
    path: str
    what: str
    query: Mapping[str, Any] | None = None
    body: bytes | None = None
    content_type: str | None = None
    accept: str = "application/json"


class Reply(NamedTuple):
    """An answer below 300: status, headers, body as it came."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def at(self) -> float | None:
        """Give the server's time, in seconds since 1970 and right to one; None if it did not say."""
        try:
            return parsedate_to_datetime(self.headers.get("Date") or "").timestamp()
        except ValueError:
            return None


class Connection:
    """Requests to one API server; may be used by several threads at once.

    ``timeout`` bounds one request with its repetitions, in seconds (0 for none); ``namespace`` is that of the context.
    ``server`` is the address, ``tls`` the context of its sockets (None without TLS). ``sockets`` are kept open between
    requests; more are made when more requests are under way, and closed after them.
    """

    def __init__(
        self, settings: Settings, timeout: float = DEFAULT_TIMEOUT, sockets: int = POOL_SIZE
    ) -> None:
        self.namespace = settings.namespace
        self.timeout = timeout
        self._configuration = settings.configuration
        # Taken once: when the client renews a token, it puts the kubeconfig's address back over --server.
        self.server = str(settings.configuration.host).rstrip("/")
        self._configuration.retries = False
        self._configuration.connection_pool_maxsize = sockets
        self._headers = [("User-Agent", USER_AGENT), *settings.headers]
        self.tls = tls_context(self._configuration)
        forget_files()
        self._pool = self.new_pool()
        self._answered = False

    def new_pool(self) -> Any:
        """Make a pool of sockets of its own, for what must not wait behind other requests."""
        return make_pool(self._configuration, self.tls)

    def get(self, path: str, what: str, query: Mapping[str, Any] | None = None) -> bytes:
        """Read; repeated on passing faults."""
        return self.call(Request("GET", path, what, query)).body

    def call(self, request: Request) -> Reply:
        """Send a request and give the answer, waiting as long as a busy server asks for.

        Raises Unreachable (with ``sent`` for an ambiguous write) or an ApiError.
        """
        end = time.monotonic() + (self.timeout or float("inf"))
        attempt = 0
        while True:
            try:
                return self._once(request, end - time.monotonic())
            except (ApiError, Unreachable) as error:
                pause = pause_before_retry(error, request.method, attempt, known=self._answered)
                if pause is None or time.monotonic() + pause >= end:
                    raise
            time.sleep(pause)
            attempt += 1

    def _once(self, request: Request, limit: float) -> Reply:
        response = self.open(self._pool, request, limit)
        self._answered = True
        if response.status >= _OK:
            raise api_error(
                response.status, response.data, request.what, response.headers.get("Retry-After")
            )
        return Reply(response.status, response.headers, response.data)

    def open(self, pool: Any, request: Request, limit: float, *, stream: bool = False) -> Any:
        """Send one request over a pool and give urllib3's response.

        ``limit`` bounds the wait for an answer in seconds; for a ``stream``, which is left open, each wait for more.
        """
        import urllib3  # noqa: PLC0415 - comes with the client

        url = self.server + request.path
        if request.query:
            query = {key: value for key, value in request.query.items() if value is not None}
            url += "?" + urlencode(query)
        headers = urllib3.HTTPHeaderDict(self.headers())
        headers["Accept"] = request.accept
        if request.content_type:
            headers["Content-Type"] = request.content_type
        read = None if limit == float("inf") else max(limit, 0.001)
        timeout = urllib3.Timeout(
            connect=min(read or _LONGEST_CONNECT, _LONGEST_CONNECT), read=read
        )
        try:
            return pool.request(
                request.method, url, headers=headers, body=request.body, timeout=timeout, retries=False,
                redirect=False, preload_content=not stream,
            )  # fmt: skip
        except urllib3.exceptions.HTTPError as error:
            raise unreachable(error, request.what, self.server) from None
        except OSError as error:
            raise Unreachable(f"{request.what}: {error}", sent=True) from None

    def headers(self) -> list[tuple[str, str]]:
        """Give the headers of every request, with the token as it is now; a name may stand there more than once."""
        bearer = self._configuration.auth_settings().get("BearerToken")
        token = [("Authorization", bearer["value"])] if bearer and bearer.get("value") else []
        return [*self._headers, *token]

    @property
    def tls_server_name(self) -> str | None:
        """Give the name to check the server's certificate for, if it is not that of the address."""
        return self._configuration.tls_server_name or None

    def proxy(self) -> dict[str, Any]:
        """Give websocket-client's options for the proxy, if there is one."""
        from kubernetes.stream.ws_client import websocket_proxycare  # noqa: PLC0415 - slow to import

        configuration = self._configuration
        if not (configuration.proxy or configuration.proxy_headers):
            return {}
        found: dict[str, Any] = websocket_proxycare({}, configuration, self.server, {})
        return found

    def close(self) -> None:
        """Close the idle sockets."""
        self._pool.clear()
