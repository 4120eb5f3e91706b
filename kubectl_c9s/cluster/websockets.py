"""WebSockets through the API server to a Pod's kubelet: what port-forward and exec run over.

The handshake is websocket-client's, over the TLS context and the credentials of the connection; each socket is one
stream of messages, the first byte of each of which names a channel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from kubectl_c9s.cluster.errors import Unreachable, api_error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kubectl_c9s.cluster.connection import Connection


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
        **connection.proxy(),
    }
    try:
        socket.connect(_url(connection.server, path, query), **options)
    except websocket.WebSocketBadStatusException as error:
        body = bytes(error.resp_body or b"")
        raise api_error(error.status_code, body, what) from None
    except (websocket.WebSocketException, OSError) as error:
        raise Unreachable(
            f"{what}: no connection to {connection.server}: {error}", sent=False
        ) from None
    socket.settimeout(None)
    return socket


def _url(server: str, path: str, query: Sequence[tuple[str, str]]) -> str:
    scheme, rest = server.split("://", 1)
    return f"{'wss' if scheme == 'https' else 'ws'}://{rest}{path}?{urlencode(query)}"
