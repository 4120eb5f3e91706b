"""Flux's own command line: it pushes and pulls artifacts, and builds as the controller does."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Cli:
    """The program, and the address of a registry without TLS."""

    program: Path
    registry: str = ""

    def push(self, folder: Path, repository: str, tag: str = "latest") -> str:
        """Push a folder as the page about Flux says; gives the digest of the artifact."""
        url = f"oci://{self.registry}/{repository}:{tag}"
        said = ("--source=ssh://git@example.com/labs", "--revision=main@sha1:0", "--reproducible")
        told = self._run("push", "artifact", url, f"--path={folder}", *said, "-o=json")
        return str(json.loads(told)["digest"])

    def pull(self, repository: str, digest: str, folder: Path) -> None:
        """Pull an artifact into a folder."""
        folder.mkdir()
        url = f"oci://{self.registry}/{repository}@{digest}"
        self._run("pull", "artifact", url, f"--output={folder}")

    def build(self, name: str, folder: Path, objects: Path) -> str:
        """Build a folder by the Kustomization of this name, with its substitution; asks no cluster."""
        of = ("--namespace=flux-system", f"--path={folder}", f"--kustomization-file={objects}")
        return self._done("build", "kustomization", name, *of, "--dry-run")

    def _run(self, *arguments: str) -> str:
        return self._done(*arguments, "--insecure-registry")

    def _done(self, *arguments: str) -> str:
        done = subprocess.run(
            [str(self.program), *arguments], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout
