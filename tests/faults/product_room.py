"""The product's room for API servers as tests of faults use it: one namespace, through the proxy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from audit_reader import AuditLog, accepted_twice

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.connection import Connection
from kubectl_c9s.cluster.kubeconfig import load_settings
from kubectl_c9s.cluster.writing import Applied, Options, apply_object

if TYPE_CHECKING:
    from bed_own import OwnBed
    from fault_handle import FaultProxy

AGENT: Final = "kubectl-c9s/.*"
ROOT_CA: Final = "kube-root-ca.crt"  # in every namespace, sooner or later


class Product:
    """A connection of the product through the proxy, to one namespace."""

    def __init__(self, bed: OwnBed, proxy: FaultProxy, namespace: str) -> None:
        self.namespace = namespace
        self._bed = bed
        self.connection = self.connect(proxy)
        self._audit = AuditLog(bed.audit_log)

    def connect(self, proxy: FaultProxy, timeout: float = 30.0) -> Connection:
        """Make a connection of its own."""
        settings = load_settings({"kubeconfig": str(proxy.kubeconfig)}, {})
        return Connection(settings, timeout)

    def apply(self, name: str, connection: Connection | None = None, **data: str) -> Applied:
        """Apply a ConfigMap."""
        meta = {"name": name, "namespace": self.namespace}
        body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta, "data": data}
        way = connection or self.connection
        return apply_object(way, kinds.CONFIG_MAPS, body, Options())

    def assert_written_once(self, *names: str) -> None:
        """Let the audit log say that exactly these were written, each once."""
        with self._bed.client() as client:
            self._audit.catch_up(client)
        found = self._audit.writes(namespace=self.namespace, accepted=True, verb="patch")
        assert sorted(one.name for one in found) == sorted(names)
        assert accepted_twice(found) == {}
