"""A lab as a user keeps it for Flux: written, rendered, pushed as an artifact, and applied by a running Flux."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bed_client import path_of
from door_tools import call
from flux_run import KUSTOMIZATIONS, REPOSITORIES

if TYPE_CHECKING:
    from pathlib import Path

    from flux_cli import Cli
    from flux_run import Flux

LAB = """\
name: metro
topology:
  kinds:
    linux: {image: "busybox:1.37"}
  nodes:
    pe1: {kind: linux, startup-config: pe1.cfg}
    pe2: {kind: linux}
    cpe: {kind: linux}
  links:
    - endpoints: [pe1:eth1, pe2:eth1]
    - endpoints: [pe2:eth2, cpe:eth1]
"""
WITHOUT_CPE = LAB.replace("    cpe: {kind: linux}\n", "").replace(
    "    - endpoints: [pe2:eth2, cpe:eth1]\n", ""
)
CONFIG = 'hostname pe1\nset prompt "${HOST}>"\nset secret "$1$ab$$cd"\n'
STAGES = [f"metro-{kind}" for kind in ("configmaps", "nodeprofiles", "links", "nodes")]


class Fleet:
    """A lab in a folder, rendered and pushed as an artifact, and the Flux that applies it."""

    def __init__(self, flux: Flux, cli: Cli, folder: Path, namespace: str) -> None:
        self.flux, self.namespace = flux, namespace
        self._cli, self._folder = cli, folder

    def write(self, text: str = LAB, config: str = CONFIG) -> None:
        """Write the lab as a user does."""
        lab = self._folder / "labs/metro"
        lab.mkdir(parents=True, exist_ok=True)
        (lab / "lab.clab.yml").write_text(text, encoding="utf-8")
        (lab / "pe1.cfg").write_text(config, encoding="utf-8")

    def render(self, *flags: str) -> None:
        """Render it for the namespace of the stand-in."""
        done = call(
            "split", "-f", "labs/metro/lab.clab.yml", "--no-env", "-n", self.namespace,
            "--output-dir", "labs/metro/rendered", "--prune", *flags, cwd=self._folder,
        )  # fmt: skip
        assert done.code == 0, done.err

    def push(self) -> None:
        """Push the folder as an artifact."""
        self._cli.push(self._folder, "labs/metro")

    def objects(self, *flags: str) -> list[str]:
        """Print the objects of Flux and apply them; gives the names of the Kustomizations."""
        done = call(
            "gitops", "flux", "--path", "labs/metro/rendered", "-n", self.flux.namespace, "--source",
            "OCIRepository/metro", "--source-url", f"oci://{self.flux.registry}/labs/metro", "--retry-interval", "3s",
            *flags, cwd=self._folder,
        )  # fmt: skip
        assert done.code == 0, done.err
        return self.flux.apply(done.out)

    def update(self) -> None:
        """Let Flux see what was pushed."""
        self.flux.reconciled("metro", REPOSITORIES)


def names_in(flux: Flux) -> list[str]:
    """Name the Kustomizations that are there."""
    found = flux.client.get(path_of(*KUSTOMIZATIONS, flux.namespace)).ok()["items"]
    return sorted(one["metadata"]["name"] for one in found)
