"""The TLS settings that all threads share are not changed while sockets are made."""

from __future__ import annotations

import ssl
from types import SimpleNamespace

from kubectl_c9s.cluster.transport import tls_context


def greeting(context: ssl.SSLContext) -> bytes:
    """Give what a client says first."""
    received, sent = ssl.MemoryBIO(), ssl.MemoryBIO()
    try:
        context.wrap_bio(received, sent, server_hostname="localhost").do_handshake()
    except ssl.SSLWantReadError:
        return sent.read()
    raise AssertionError("nobody has answered")


def test_a_socket_does_not_set_the_protocols_anew() -> None:
    settings = SimpleNamespace(
        host="https://localhost", ssl_ca_cert=None, verify_ssl=True, cert_file=None, key_file=None
    )
    context = tls_context(settings)
    assert context is not None
    context.set_alpn_protocols(["http/1.1", "other"])  # urllib3 does this for every socket
    assert b"\x08http/1.1" in greeting(context)
    assert b"other" not in greeting(context)
