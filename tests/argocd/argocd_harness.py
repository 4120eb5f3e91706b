"""Argo CD's own code, built once from its Go modules with the small program in ``harness/``, and how tests ask it.

The build takes minutes, so the rule of the test bed's binaries holds: without ``CI`` or ``C9S_TESTBED_BUILD`` nobody's
test run does it unasked. It is kept in the same cache, by what it was made of.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import yaml
from argocd_kinds import published
from bed_state import cache_root, locked

from kubectl_c9s.output.argocd import settings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SOURCE: Final = Path(__file__).parent / "harness"
Json = dict[str, Any]


class CannotBuild(Exception):
    """There is no harness, and why it cannot be built here."""


class Health(NamedTuple):
    """What Argo CD takes an object for; an empty status is none at all."""

    status: str
    message: str


def shipped_settings() -> dict[str, str]:
    """Give the data of argocd-cm as the command prints it."""
    data: dict[str, str] = yaml.safe_load(settings())["data"]
    return data


@dataclass(frozen=True)
class ArgoCd:
    """Argo CD's code; ``rules`` is the data of argocd-cm."""

    program: Path

    def health(self, objects: Sequence[Json], rules: Mapping[str, str], **env: str) -> list[Health]:
        """Give the health of objects."""
        found = self._ask("health", {"settings": rules, "objects": objects}, **env)
        assert not [one["error"] for one in found if one["error"]]
        return [Health(one["status"], one["message"]) for one in found]

    def differing(
        self,
        pairs: Sequence[tuple[Json, Json]],
        rules: Mapping[str, str],
        *,
        way: str = "",
        kubeconfig: str = "",
    ) -> list[bool]:
        """Tell of pairs of what Git has and what is live whether they are out of sync.

        ``way`` is how it looks: by itself, ``structured`` (what ServerSideApply=true makes it do) or ``server``.
        """
        listed = [{"target": target, "live": live} for target, live in pairs]
        request = {
            "settings": rules, "pairs": listed, "way": way, "kubeconfig": kubeconfig, "openapi": published(),
        }  # fmt: skip
        return [one["modified"] for one in self._ask("diff", request)]

    def sync(self, objects: Sequence[Json], rules: Mapping[str, str], **more: Any) -> Json:
        """Sync objects on a cluster with pruning; gives phase, message and results as an Application shows them."""
        found: Json = self._ask("sync", {"settings": rules, "objects": objects, **more})
        return found

    def _ask(self, what: str, request: Json, **env: str) -> Any:
        # Times become text here, when they are asked about.
        text = json.dumps(request, default=str)
        done = subprocess.run(
            [self.program, what], input=text, capture_output=True, text=True, check=False,
            env=os.environ | env,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


def harness(*, may_build: bool) -> ArgoCd:
    """Give the harness from the cache, or build it; :class:`CannotBuild` says why there is none."""
    files = sorted(SOURCE.iterdir())
    digest = hashlib.sha256(b"".join(one.read_bytes() for one in files)).hexdigest()[:16]
    system = f"{platform.system()}-{platform.machine()}".lower()
    place = cache_root() / system / f"argocd-{digest}" / "harness"
    if not place.exists():
        if not may_build:
            raise CannotBuild(
                "Argo CD's code is not built: set C9S_TESTBED_BUILD=1 to build it (minutes, once)"
            )
        with locked(cache_root() / "build.lock"):
            # Another run may have built it while this one waited.
            if not place.exists():
                _build(place)
    return ArgoCd(place)


def _build(place: Path) -> None:
    if not shutil.which("go"):
        raise CannotBuild("no Go tool chain is on PATH to build Argo CD's code")
    place.parent.mkdir(parents=True, exist_ok=True)
    part = place.with_name(".harness.part")
    own = {"CGO_ENABLED": "0", "GOTOOLCHAIN": "local", "GOWORK": "off", "GOFLAGS": ""}
    done = subprocess.run(
        ["go", "build", "-trimpath", "-ldflags", "-s -w", "-o", part, "."],  # noqa: S607 - the user's own Go
        cwd=SOURCE, env=os.environ | own, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise CannotBuild("go build failed:\n" + "\n".join(done.stderr.splitlines()[-15:]))
    part.replace(place)
