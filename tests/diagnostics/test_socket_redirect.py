"""A socket to a Pod goes to the server that was meant, or nowhere: its request carries the user's token."""

from __future__ import annotations

import pytest
from room_tools import connect
from silent_server import Reply, Scripted

from kubectl_c9s.cluster.errors import Unreachable
from kubectl_c9s.cluster.websockets import open_socket


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(status: int) -> None:
    with (
        Scripted(lambda _: Reply(500)) as elsewhere,
        Scripted(
            lambda _: Reply(status, "", {"Location": elsewhere.url.replace("http", "ws", 1)})
        ) as server,
    ):
        with pytest.raises(Unreachable, match="port-forward to m-0: ") as raised:
            open_socket(connect(server.url), "/api/v1/x", [], "port-forward to m-0", ["v4"])
        assert not raised.value.sent
        assert (len(server.requests), elsewhere.requests) == (1, [])
