"""Flux's programs for its tests."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import bed_go
import flux_go
import pytest
from bed_client import path_of
from bed_plugin import may_build
from bed_state import BedUnavailable
from flux_cli import Cli
from flux_fleet import Fleet, names_in
from flux_run import KUSTOMIZATIONS, Flux, wait
from standin_plugin import device_bed, labs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bed_go import ToolChain
    from bed_own import OwnBed
    from standin_lab_tools import Labs

__all__ = ["device_bed", "fleet", "labs", "statuses", "tool"]


@pytest.fixture(scope="session")
def tool() -> Callable[[ToolChain, str], Path]:
    """Give a finder of Flux's programs; a test whose program cannot be built here is skipped."""

    def find(chain: ToolChain, name: str) -> Path:
        try:
            return bed_go.tool(chain, name, may_build=may_build())
        except BedUnavailable as error:
            pytest.skip(f"no {name} of Flux: {error}")

    return find


@pytest.fixture(scope="session")
def statuses(tool: Callable[[ToolChain, str], Path]) -> Callable[[list[Any]], list[dict[str, str]]]:
    """Give a function that asks Flux's code for the status of objects, each with its health checks."""
    program = tool(flux_go.STATUSOF, "statusof")

    def ask(questions: list[Any]) -> list[dict[str, str]]:
        done = subprocess.run(
            [program], input=json.dumps(questions), capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        answers: list[dict[str, str]] = json.loads(done.stdout)
        return answers

    return ask


@pytest.fixture
def fleet(
    device_bed: OwnBed, labs: Labs, tool: Callable[[ToolChain, str], Path], tmp_path: Path
) -> Iterator[Fleet]:
    """Give a lab and a running Flux; the stand-in manager is the test's to start."""
    tools = {
        "registry": tool(flux_go.REGISTRY, "registry"),
        "source-controller": tool(flux_go.SOURCE, "source-controller"),
        "kustomize-controller": tool(flux_go.KUSTOMIZE, "kustomize-controller"),
    }
    program = tool(flux_go.CLI, "flux")
    (tmp_path / "flux").mkdir()
    (tmp_path / "fleet").mkdir()
    with device_bed.namespace("flux") as namespace:
        flux = Flux(device_bed, labs.client, namespace, tmp_path / "flux")
        cli = Cli(program, flux.registry)
        with flux.running(tools):
            yield Fleet(flux, cli, tmp_path / "fleet", labs.namespace)
            for one in flux.client.get(path_of(*KUSTOMIZATIONS, namespace)).ok()["items"]:
                flux.client.delete(flux.path(one["metadata"]["name"])).ok()
            wait("Flux has put away what it applied", lambda: not names_in(flux))
