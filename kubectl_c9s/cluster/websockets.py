"""WebSockets through the API server to a Pod's kubelet: what port-forward and exec run over.

The handshake is websocket-client's, over the TLS context and the credentials of the connection; each socket is one
stream of messages, the first byte of each of which names a channel.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import msgspec

from kubectl_c9s.cluster.errors import Forbidden, Unreachable, api_error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.cluster.errors import ApiError


def open_socket(
    connection: Connection,
    path: str,
    query: Sequence[tuple[str, str]],
    what: str,
    protocols: Sequence[str],
    limit: float = 30.0,
) -> Any:
    """Open a socket and give websocket-client's WebSocket, with ``subprotocol`` set to what the server chose.

    ``query`` may name a key more than once; ``what`` says in a few words what is asked; ``limit`` bounds the handshake
    in seconds. The socket has no time limit afterwards. May be called by several threads at once. Raises Unreachable,
    or the ApiError of a refusal (Forbidden without the right, NotFound for a Pod that is gone).
    """
    import websocket  # noqa: PLC0415 - comes with the client

    sslopt: dict[str, Any] = {"context": connection.tls} if connection.tls is not None else {}
    if name := connection.tls_server_name:
        sslopt["server_hostname"] = name
    socket = websocket.WebSocket(sslopt=sslopt, enable_multithread=True, skip_utf8_validation=True)
    socket.settimeout(limit)
    options = {
        "header": [f"{key}: {value}" for key, value in connection.headers()],
        "subprotocols": list(protocols),
        "suppress_origin": True,
        "redirect_limit": 0,  # elsewhere nobody may have our token
        **connection.proxy(),
    }
    try:
        socket.connect(_url(connection.server, path, query), **options)
    except websocket.WebSocketBadStatusException as error:
        body = bytes(error.resp_body or b"")
        raise _refusal(error.status_code, body, what, path) from None
    except (websocket.WebSocketException, OSError) as error:
        raise Unreachable(
            f"{what}: no connection to {connection.server}: {error}", sent=False
        ) from None
    if (status := socket.handshake_response.status) != HTTPStatus.SWITCHING_PROTOCOLS:
        socket.shutdown()
        raise Unreachable(
            f"{what}: {connection.server} answered with a redirect ({status}), which is not followed",
            sent=False,
        )
    socket.settimeout(None)
    return socket


def _refusal(status: int, body: bytes, what: str, path: str) -> ApiError:
    """Make the error of a refusal; servers that want "create" for what is a GET do not say that this is missing."""
    error = api_error(status, body, what)
    if not isinstance(error, Forbidden) or "cannot" in error.answer.message:
        return error
    said = error.answer.message.rstrip(": ") or "forbidden"
    right = f'cannot create resource "pods/{path.rpartition("/")[2]}" in API group ""'
    return api_error(status, msgspec.json.encode({"message": f"{said}: {right}"}), what)


def _url(server: str, path: str, query: Sequence[tuple[str, str]]) -> str:
    scheme, rest = server.split("://", 1)
    return f"{'wss' if scheme == 'https' else 'ws'}://{rest}{path}?{urlencode(query)}"
