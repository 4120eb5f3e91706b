"""Sockets of a connection: the official client's pools with one TLS context made once.

The client would read certificates from temporary files again for each socket. A context that is made once needs no
files afterwards, so the private key of a kubeconfig does not stay in the temporary directory when we are killed.
"""

from __future__ import annotations

import ssl
from typing import Any

from kubectl_c9s.cluster.errors import BadConnection


def tls_context(configuration: Any) -> ssl.SSLContext | None:
    """Make the TLS settings of a client configuration; None for a server without TLS.

    Raises BadConnection for certificates that cannot be read.
    """
    if not str(configuration.host).startswith("https:"):
        return None
    try:
        context = ssl.create_default_context(cafile=configuration.ssl_ca_cert or None)
        if ca_data := getattr(configuration, "ca_cert_data", None):  # newer clients only
            context.load_verify_locations(cadata=ca_data)
        # Newer Pythons want extensions that authorities of clusters often lack; kubectl does not ask for them.
        context.verify_flags &= ~ssl.VERIFY_X509_STRICT
        if not configuration.verify_ssl:
            _be_silent()
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        if configuration.cert_file:
            context.load_cert_chain(configuration.cert_file, configuration.key_file or None)
    except (OSError, ValueError) as error:
        raise BadConnection(f"certificates of the connection cannot be used: {error}") from None
    _settle_protocols(context)
    return context


def _settle_protocols(context: ssl.SSLContext) -> None:
    """Let the protocols be set once.

    urllib3 sets them again for every socket. OpenSSL then frees what another thread may just be copying into its
    greeting, and the server refuses that one as malformed.
    """
    context.set_alpn_protocols(["http/1.1"])
    context.set_alpn_protocols = _no_change  # type: ignore[method-assign]


def _no_change(alpn_protocols: object) -> None:
    """Take what urllib3 says and do nothing."""


def make_pool(configuration: Any, context: ssl.SSLContext | None) -> Any:
    """Make a pool of sockets, through the proxy if there is one."""
    from kubernetes.client.rest import RESTClientObject  # noqa: PLC0415 - slow to import

    manager = RESTClientObject(configuration).pool_manager
    if context is not None:
        for name in ("ca_certs", "ca_cert_data", "cert_file", "key_file"):
            manager.connection_pool_kw.pop(name, None)
        manager.connection_pool_kw["ssl_context"] = context
    return manager


def forget_files() -> None:
    """Remove the files into which the client has written keys and certificates of a kubeconfig."""
    from kubernetes.config import kube_config  # noqa: PLC0415 - slow to import

    kube_config._cleanup_temp_files()  # noqa: SLF001 - the client does it at exit only, which a kill skips


def _be_silent() -> None:
    """Say nothing about what the user has asked for with --insecure-skip-tls-verify, as kubectl."""
    import urllib3  # noqa: PLC0415 - comes with the client

    urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)
