"""Kubeconfigs and servers to complete names from, and the completion of a line in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from silent_server import Reply, Request, status

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
C9S = "/apis/c9s.run/v1alpha1"
TOPOLOGIES = f"{C9S}/namespaces/lab/topologies"
PATIENCE = 120  # seconds after which a completion counts as hung; never waited for when all is well


SHORT = {"C9S_COMPLETION_SECONDS": ""}  # as a user has it


def complete_line(*words: str, **variables: str) -> list[str]:
    """Complete the last of the words as a shell's script does; give the lines, after checking that all is quiet."""
    inherited = {name: one for name, one in os.environ.items() if not name.startswith("KUBE")}
    # A busy machine must not decide whether a name is there.
    own = {"PYTHONPATH": str(ROOT), "HOME": "/nonexistent", "C9S_COMPLETION_SECONDS": "60"}
    done = subprocess.run(
        [sys.executable, "-m", "kubectl_c9s", "__complete", *words],
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=inherited | own | variables,
        stdin=subprocess.DEVNULL,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def kubeconfig(folder: Path, server: str, **user: Any) -> str:
    """Write a kubeconfig with the context ``here``, whose namespace is ``lab``; give its path."""
    body = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "here",
        "contexts": [
            {"name": "here", "context": {"cluster": "c", "user": "u", "namespace": "lab"}}
        ],
        "clusters": [{"name": "c", "cluster": {"server": server}}],
        "users": [{"name": "u", "user": user}],
    }
    path = folder / "kubeconfig"
    path.write_text(json.dumps(body), encoding="utf-8")
    return str(path)


def listing(names: dict[str, list[str]]) -> Callable[[Request], Reply]:
    """Make an API server that pages lists of names, by the path of the list."""

    def answer(request: Request) -> Reply:
        parts = urlsplit(request.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.path not in names:
            return Reply(403, status(403, "forbidden", "Forbidden"))
        start, size = int(query.get("continue", 0)), int(query["limit"])
        page = names[parts.path][start : start + size]
        more = str(start + size) if start + size < len(names[parts.path]) else ""
        owner = {"c9s.run/topologyOwner": "split-lab"} if "labelSelector" in query else {}
        items = [{"metadata": {"name": name, "labels": owner}} for name in page]
        return Reply(body={"metadata": {"continue": more}, "items": items})

    return answer
