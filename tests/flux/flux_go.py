"""Flux's own programs, built once from their Go modules into the cache of the test bed's binaries.

The newest versions that the tool chain of the bed builds; kustomize-controller 1.10 asks for Go 1.27. ``statusof`` is a
small program of ours around the code by which Flux knows whether an object is ready.
"""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import Final

from bed_go import ToolChain, download
from bed_state import cache_root, locked

HERE: Final = Path(__file__).parent
_STATUSOF: Final = (HERE / "statusof/main.go").read_text(encoding="utf-8")
_MADE_OF: Final = hashlib.sha256(_STATUSOF.encode()).hexdigest()[:8]
_CONTROLLER: Final = "github.com/fluxcd/kustomize-controller"
_SOURCES: Final = "github.com/fluxcd/source-controller"
_CLI: Final = "github.com/fluxcd/flux2/v2"
_REGISTRY: Final = "github.com/google/go-containerregistry"

KUSTOMIZE: Final = ToolChain(
    "kustomize-controller",
    _CONTROLLER,
    "v1.9.6",
    {"kustomize-controller": _CONTROLLER},
    replaces=True,
)
STATUSOF: Final = ToolChain(
    f"statusof-{_MADE_OF}", _CONTROLLER, "v1.9.6", {"statusof": "./statusof"},
    replaces=True, sources={"statusof/main.go": _STATUSOF},
)  # fmt: skip
SOURCE: Final = ToolChain(
    "source-controller", _SOURCES, "v1.9.0", {"source-controller": _SOURCES}, replaces=True
)
REGISTRY: Final = ToolChain(
    "registry", _REGISTRY, "v0.22.1", {"registry": f"{_REGISTRY}/cmd/registry"}
)
CLI: Final = ToolChain(
    "flux", _CLI, "v2.9.5", {"flux": f"{_CLI}/cmd/flux"}, replaces=True,
    # It embeds the manifests of an installation, which are no part of the module.
    added={"cmd/flux/manifests/none.yaml": "# none\n"},
)  # fmt: skip


def crds(chain: ToolChain) -> list[Path]:
    """Give the CRDs that come with a controller's module."""
    place = chain.place / "crd"
    with locked(cache_root() / "build.lock"):
        if not place.is_dir():
            found = download(chain, cache_root() / "modules" / f"{chain.name}-{chain.version}")
            part = place.with_name(".crd.part")
            shutil.rmtree(part, ignore_errors=True)
            shutil.copytree(Path(found["Dir"]) / "config/crd/bases", part)
            part.replace(place)
    return sorted(place.glob("*.yaml"))
