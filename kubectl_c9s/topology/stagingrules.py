"""Rules of staging that stand alone: URLs, secrets, who shares a Pod (staging.md B4, D)."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Final

from kubectl_c9s.topology.policy import primary_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kubectl_c9s.topology.flatten import Flat

PRIVATE_KEY: Final = "PRIVATE KEY-----"
_SECRET_NAMES: Final = re.compile(
    r"(^|/)([^/]*\.(key|pem|p12|pfx|lic)|id_(rsa|dsa|ecdsa|ed25519))$", re.IGNORECASE
)
_NOT_IN_KEY: Final = re.compile(r"[^-._a-zA-Z0-9]+")
_DIGEST: Final = re.compile(r"sha256:[a-f0-9]{64}")
_URL: Final = re.compile(
    r"(?P<scheme>[^:/]+)://(?:(?P<user>[^/?#]*)@)?(?P<host>\[[^\]/?#]*\]|[^/?#:@]*)"
)
_PRIVATE_NAME: Final = re.compile(
    r"[^.]*\.?|.*\.(local|localhost|internal|lan|home\.arpa)\.?", re.IGNORECASE
)
_NUMBERS: Final = re.compile(r"(0x[0-9a-f]*|\d+)(\.(0x[0-9a-f]*|\d+)){0,3}\.?", re.IGNORECASE)
_LONGEST_KEY: Final = 253


def url_problem(url: str, digest: str, shown: str) -> str | None:
    """Say why a URL cannot be written as filesFromURL (staging.md D)."""
    parts = _URL.match(url)
    if not parts or parts["scheme"].lower() not in {"http", "https"}:
        return "cannot be fetched for a device: only http and https can"
    if parts["user"] is not None:
        return "has credentials in it, which would land in Git"
    if not _is_public(parts["host"]):
        return "has no public host"
    if not _DIGEST.fullmatch(digest):
        return f"needs a digest of the form sha256: and 64 hex digits, not {digest!r}"
    return "has no file name in its path" if shown.endswith("/") else None


def _is_public(host: str) -> bool:
    """Tell whether a host can be a public one: an address that is routed, or a name that may be known to all."""
    if _NUMBERS.fullmatch(host) or host.startswith("["):
        import ipaddress  # noqa: PLC0415 - only for URLs with addresses

        try:
            return ipaddress.ip_address(host.strip("[]")).is_global
        except ValueError:
            return False  # an address in one of the older spellings is no way to name a public host
    return _PRIVATE_NAME.fullmatch(host) is None


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
    if key in keys or key.startswith("..") or len(key) > _LONGEST_KEY:
        digest = hashlib.sha256(identity.encode("utf-8", "surrogateescape")).hexdigest()[:8]
        key = f"{key.lstrip('.')[: _LONGEST_KEY - len(digest) - 1]}-{digest}"
    return key
