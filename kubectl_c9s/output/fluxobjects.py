"""The objects by which Flux applies rendered labs, as ``flux create … --export`` prints them (conventions.md §7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.output.fluxhealth import Checks, checks
from kubectl_c9s.output.manifests import template_environment
from kubectl_c9s.yamlio.writer import SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Folder of a rendered directory: the kinds in it that report how they are. In the order of application.
_FOLDERS: Final = {
    "others": ("Topology", "Link", "Node", "RolloutPolicy"),
    "configmaps": (),
    "nodeprofiles": (),
    "links": ("Link",),
    "nodes": ("Node",),
}
_WAITING: Final = ("links", "nodes")  # each for all folders before it


class Reference(NamedTuple):
    """The source that holds the directory; an empty namespace is that of the objects."""

    kind: str = "GitRepository"
    name: str = "flux-system"
    namespace: str = ""


class Source(NamedTuple):
    """What a source is made of; ``version`` is a branch of Git or a tag of an artifact."""

    kind: str
    url: str
    version: str


class Wanted(NamedTuple):
    """What can be chosen. Names, durations and paths are taken to be good ones."""

    name: str
    path: str  # "./labs/metro/rendered"
    namespace: str
    reference: Reference
    source: Source | None
    interval: str
    retry_interval: str
    timeout: str
    depends_on: tuple[str, ...]
    service_account: str
    target_namespace: str
    prune: bool
    wait: bool
    suspend: bool
    fail_fast: bool


class Stage(NamedTuple):
    """One Kustomization: what it is called, its directory, what must be ready before, how health is known."""

    name: str
    path: str
    depends_on: tuple[str, ...]
    checks: Checks


def stages(wanted: Wanted, folders: Sequence[str]) -> list[Stage]:
    """Give a Kustomization for each folder, or one for the whole directory if it has none that stands alone."""
    fast = wanted.fail_fast
    if not folders:
        whole = checks(fail_fast=fast)
        return [Stage(wanted.name, wanted.path, wanted.depends_on, whole)]
    found: list[Stage] = []
    for folder in [one for one in _FOLDERS if one in folders]:
        before = tuple(one.name for one in found) if folder in _WAITING else ()
        kinds = _FOLDERS[folder]
        found.append(
            Stage(
                f"{wanted.name}-{folder}",
                f"{wanted.path}/{folder}",
                before or wanted.depends_on,
                checks(*kinds, fail_fast=fast) if kinds else (),
            )
        )
    return found


def stream(wanted: Wanted, folders: Sequence[str], namespace_text: str) -> str:
    """Give the source if one is wanted, the lab's Namespace as it was rendered, and the Kustomizations."""
    return SEPARATOR.join(_texts(wanted, folders, namespace_text))


def _texts(wanted: Wanted, folders: Sequence[str], namespace_text: str) -> Iterator[str]:
    environment = template_environment()
    if wanted.source is not None:
        page = environment.get_template("flux-source.yaml.j2")
        yield page.render(wanted=wanted, source=wanted.source, reference=wanted.reference)
    if namespace_text:
        yield namespace_text
    page = environment.get_template("flux-kustomization.yaml.j2")
    for stage in stages(wanted, folders):
        shown = stage.checks if wanted.wait else ()
        yield page.render(wanted=wanted, stage=stage, checks=shown, reference=wanted.reference)
