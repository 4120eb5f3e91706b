"""What completion asks: names in the kubeconfig, and light lists of names from the cluster."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.cli.livenames import MOST, budget
from kubectl_c9s.cluster import kinds, kubeconfig
from kubectl_c9s.cluster.connection import Connection
from kubectl_c9s.cluster.errors import ApiError
from kubectl_c9s.cluster.reading import list_names
from kubectl_c9s.resources.labels import TOPOLOGY_OWNER
from kubectl_c9s.resources.names import is_dns1123_subdomain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


_IN_KUBECONFIG: Final = {"context": "contexts", "cluster": "clusters", "user": "users"}
# Of a name in a kubeconfig, which may hold anything: what no shell reads as more than a word.
_PLAIN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@-]*")
_LONGEST: Final = 253
# Pages of 100: a name far back in a list is still found, and one press of Tab stays cheap for the server.
_PAGES: Final = 10
_TOPOLOGY: Final = "topology/"


def ask(kind: str, typed: str, flags: Mapping[str, Any]) -> Iterator[str]:
    """Give at most 100 names that begin with what is typed, each once, as they are found."""
    seen = set()
    for name in _names(kind, typed, flags):
        if name.startswith(typed) and name not in seen:
            seen.add(name)
            yield name
            if len(seen) == MOST:
                return


def _names(kind: str, typed: str, flags: Mapping[str, Any]) -> Iterator[str]:
    if kind in _IN_KUBECONFIG:
        entries = kubeconfig.names(_IN_KUBECONFIG[kind], flags, os.environ)
        yield from (one for one in entries if len(one) <= _LONGEST and _PLAIN.fullmatch(one))
        return
    if kind == "target":
        yield "config"
        if not (_TOPOLOGY.startswith(typed) or typed.startswith(_TOPOLOGY)):
            return
    if flags.get("filename") is not None and kind != "namespace":
        return  # it is about a file, not about the cluster
    connection = Connection(kubeconfig.load_settings(flags, os.environ), budget(), sockets=1)
    namespace = flags.get("namespace") or connection.namespace
    names = _in_cluster(connection, kind, namespace, flags)
    prefix = _TOPOLOGY if kind == "target" else ""
    yield from (prefix + name for name in names if is_dns1123_subdomain(name))


def _in_cluster(
    connection: Connection, kind: str, namespace: str, flags: Mapping[str, Any]
) -> Iterator[str]:
    if kind == "namespace":
        yield from list_names(connection, kinds.NAMESPACES, None, MOST, _PAGES)
        return
    wide = kind.startswith("any-") and "namespace" not in flags
    if kind != "target" and (wide or "all_namespaces" in flags):
        try:
            yield from _labs(connection, kind, None)
        except ApiError:  # it may be more than the user may see
            pass
        else:
            return
    yield from _labs(connection, kind, namespace)


def _labs(connection: Connection, kind: str, namespace: str | None) -> Iterator[str]:
    """Give the names of Topologies and, where any lab is meant, of split ones: they have a NodeProfile."""
    yield from list_names(connection, kinds.TOPOLOGIES, namespace, MOST, _PAGES)
    if kind.endswith("lab"):
        label = TOPOLOGY_OWNER
        yield from list_names(connection, kinds.NODE_PROFILES, namespace, MOST, _PAGES, label=label)
