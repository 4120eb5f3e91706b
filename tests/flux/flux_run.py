"""Flux in a namespace of a bed: its controllers as processes, a registry on loopback, and what tests ask of them."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import socket
import subprocess
import sys
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import yaml
from bed_client import path_of
from bed_objects import load
from flux_go import KUSTOMIZE, SOURCE, crds
from standin_run import wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bed_base import Bed
    from bed_client import ApiClient

Json = dict[str, Any]
KUSTOMIZATIONS: Final = ("kustomize.toolkit.fluxcd.io/v1", "kustomizations")
REPOSITORIES: Final = ("source.toolkit.fluxcd.io/v1", "ocirepositories")
REQUESTED: Final = "reconcile.fluxcd.io/requestedAt"
_ENDS_WITHIN: Final = 30.0
# Flux looks at objects every five seconds, and one kind comes after the other.
wait = partial(wait_for, within=240.0)


def free_port() -> int:
    """Choose a port that nobody listens on now."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Flux:
    """kustomize-controller, source-controller and a registry; what they watch is one namespace."""

    def __init__(self, bed: Bed, client: ApiClient, namespace: str, folder: Path) -> None:
        self.client = client
        self.namespace = namespace
        self.registry = f"localhost:{free_port()}"
        self._bed, self._folder = bed, folder
        self._requests = itertools.count()

    @contextlib.contextmanager
    def running(self, tools: dict[str, Path]) -> Iterator[None]:
        """Load their kinds and run them; their logs are printed, which pytest shows when a test has failed."""
        files = (*crds(KUSTOMIZE), *crds(SOURCE))
        load(self.client, [yaml.safe_load(file.read_text(encoding="utf-8")) for file in files])
        storage = self._folder / "artifacts"
        storage.mkdir()
        port = free_port()
        common = ("--metrics-addr=127.0.0.1:0", "--watch-all-namespaces=false", "--log-level=debug")
        with contextlib.ExitStack() as stack:
            stack.enter_context(
                self._process(tools["registry"], f"--port={self.registry.partition(':')[2]}")
            )
            stack.enter_context(
                self._process(
                    tools["source-controller"], *common, f"--health-addr=127.0.0.1:{free_port()}",
                    f"--storage-path={storage}", f"--storage-addr=127.0.0.1:{port}",
                    f"--storage-adv-addr=127.0.0.1:{port}",
                )
            )  # fmt: skip
            stack.enter_context(
                self._process(
                    tools["kustomize-controller"], *common, f"--health-addr=127.0.0.1:{free_port()}",
                    "--requeue-dependency=1s",
                )
            )  # fmt: skip
            yield

    @contextlib.contextmanager
    def _process(self, program: Path, *arguments: str) -> Iterator[None]:
        log = self._folder / f"{program.name}.log"
        environment = {
            **os.environ, "KUBECONFIG": str(self._bed.kubeconfig), "RUNTIME_NAMESPACE": self.namespace,
            "TMPDIR": str(self._folder),
        }  # fmt: skip
        with log.open("ab") as written:
            process = subprocess.Popen(
                [program, *arguments], env=environment, stdin=subprocess.DEVNULL,
                stdout=written, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
        try:
            yield
            assert process.poll() is None, f"{program.name} has ended"
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(_ENDS_WITHIN)
            said = log.read_text(encoding="utf-8", errors="replace")[-6000:]
            sys.stdout.write(f"{program.name}:\n{said}\n")

    def apply(self, text: str) -> list[str]:
        """Apply what the command has printed; gives the names of the Kustomizations."""
        names = []
        for body in yaml.safe_load_all(text):
            plural = f"{body['kind'].lower()}s".replace("ys", "ies")
            place = path_of(
                body["apiVersion"], plural, body["metadata"].get("namespace", ""),
                body["metadata"]["name"],
            )  # fmt: skip
            if body["kind"] == "OCIRepository":
                body["spec"]["insecure"] = True
            self.client.apply(place, body).ok()
            if body["kind"] == "Kustomization":
                names.append(body["metadata"]["name"])
        return names

    def path(self, name: str, kind: tuple[str, str] = KUSTOMIZATIONS) -> str:
        """Give the path of an object of Flux."""
        return path_of(*kind, self.namespace, name)

    def ready(self, name: str, kind: tuple[str, str] = KUSTOMIZATIONS) -> tuple[str, str, str]:
        """Give status, reason and message of Ready; empty texts while there is none."""
        found = self.client.get(self.path(name, kind)).ok().get("status", {}).get("conditions", [])
        for one in found:
            if one["type"] == "Ready":
                return one["status"], one["reason"], one["message"]
        return "", "", ""

    def revision(self, name: str) -> str:
        """Give the revision that was applied last and is ready."""
        return str(
            self.client.get(self.path(name)).ok().get("status", {}).get("lastAppliedRevision", "")
        )

    def reconcile(self, name: str, kind: tuple[str, str] = KUSTOMIZATIONS) -> str:
        """Ask for a pass now, as ``flux reconcile`` does; gives the mark that shows it is done."""
        mark = f"test-{next(self._requests)}"
        body = {"metadata": {"annotations": {REQUESTED: mark}}}
        self.client.patch(self.path(name, kind), body).ok()
        return mark

    def reconciled(self, name: str, kind: tuple[str, str] = KUSTOMIZATIONS) -> None:
        """Ask for a pass, and wait until it is done and well."""
        mark = self.reconcile(name, kind)

        def done() -> bool:
            obj = self.client.get(self.path(name, kind)).ok()
            return (
                obj["status"].get("lastHandledReconcileAt") == mark
                and self.ready(name, kind)[0] == "True"
            )

        wait(f"{name} is reconciled", done)
