"""Rules of staging that stand alone: URLs, secrets, who shares a Pod (staging.md B4, D)."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Final

from kubectl_c9s.topology.policy import primary_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kubectl_c9s.topology.flatten import Flat

_SECRET_NAMES: Final = re.compile(
    r"(^|/)([^/]*\.(key|pem|p12|pfx|lic)|id_(rsa|dsa|ecdsa|ed25519))$", re.IGNORECASE
)
_NOT_IN_KEY: Final = re.compile(r"[^-._a-zA-Z0-9]+")
_DIGEST: Final = re.compile(r"sha256:[a-f0-9]{64}")
_URL: Final = re.compile(
    r"(?P<scheme>[^:/]+)://(?:(?P<user>[^/?#@]*)@)?(?P<host>\[[^\]/?#]*\]|[^/?#:]*)", re.IGNORECASE
)
_PRIVATE_HOST: Final = re.compile(
    r"localhost|.*\.(local|localhost|internal)|\[.*\]|127\..*|10\..*|192\.168\..*|169\.254\..*"
    r"|172\.(1[6-9]|2\d|3[01])\..*",
    re.IGNORECASE,
)


def url_problem(url: str, digest: str, shown: str) -> str | None:
    """Say why a URL cannot be written as filesFromURL (staging.md D)."""
    parts = _URL.match(url)
    if not parts or parts["scheme"].lower() not in {"http", "https"}:
        return "cannot be fetched for a device: only http and https can"
    if parts["user"] is not None:
        return "has credentials in it, which would land in Git"
    if not parts["host"] or _PRIVATE_HOST.fullmatch(parts["host"]):
        return "has no public host"
    if not _DIGEST.fullmatch(digest):
        return f"needs a digest of the form sha256: and 64 hex digits, not {digest!r}"
    return "has no file name in its path" if shown.endswith("/") else None


def pod_of(node: str, nodes: Mapping[str, Flat]) -> str:
    """Give the node whose Pod a node runs in, by following network-mode."""
    seen: set[str] = set()
    while node not in seen and node in nodes:
        seen.add(node)
        primary = primary_of(nodes[node].values.get("network-mode", ""))
        if not primary:
            return node
        node = primary
    return node


def looks_secret(path: str) -> bool:
    """Tell whether a file's name says that it holds a secret."""
    return _SECRET_NAMES.search(path) is not None


def secret_key(identity: str, keys: Mapping[str, str]) -> str:
    """Give the key of a file in a Secret; ``keys`` maps those that are taken to identities.

    The file's name; with part of a digest if another file has it.
    """
    for key, taken in keys.items():
        if taken == identity:
            return key
    key = _NOT_IN_KEY.sub("-", identity.rpartition("/")[2]) or "file"
    if key in keys:
        key += f"-{hashlib.sha256(identity.encode('utf-8', 'surrogateescape')).hexdigest()[:8]}"
    return key
