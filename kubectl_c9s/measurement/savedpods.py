"""Saved Pods as a schedule wants to know them, out of the lists that people keep."""

from __future__ import annotations

from typing import Final, NamedTuple

import msgspec

from kubectl_c9s.resources.devicepods import PRIMARY_CONTAINER, WORKLOAD
from kubectl_c9s.resources.errors import RefusedInput
from kubectl_c9s.resources.live import Meta  # noqa: TC001 - msgspec reads the annotations

_C9S: Final = "c9s.run"


class _Container(msgspec.Struct):
    name: str = ""
    image: str = ""


class _Spec(msgspec.Struct, rename="camel"):
    node_name: str | None = None
    containers: list[_Container] | None = None


class SavedPod(msgspec.Struct):
    """A Pod as far as a schedule wants to know it."""

    metadata: Meta
    spec: _Spec = msgspec.field(default_factory=_Spec)

    @property
    def workload(self) -> str:
        """Give the name of its device; empty for a Pod that is none."""
        return self.metadata.label(WORKLOAD) or ""

    @property
    def image(self) -> str:
        """Give the image of its primary container, or else of its first one."""
        containers = self.spec.containers or []
        wanted = self.metadata.annotation(PRIMARY_CONTAINER)
        named = [one for one in containers if one.name == wanted]
        return (named or containers)[0].image if containers else ""


class SavedObject(msgspec.Struct):
    """Any other object: its metadata."""

    metadata: Meta


class _Any(msgspec.Struct, rename={"api_version": "apiVersion"}):
    api_version: str = ""
    kind: str = ""
    items: list[msgspec.Raw] | None = None


class Saved(NamedTuple):
    """What saved files have: Pods, c9s Nodes, Topologies; and words on what was passed over."""

    pods: list[SavedPod]
    nodes: list[SavedObject]
    topologies: list[SavedObject]


def nothing_saved() -> Saved:
    """Give an empty collection."""
    return Saved([], [], [])


def take(saved: Saved, data: bytes, name: str) -> None:
    """Take the objects of one JSON text: a bare array, a ``v1`` List, a PodList, an object, a snapshot of ours.

    Raises RefusedInput for what is none of these, or was cut off.
    """
    try:
        bare = data.lstrip()[:1] == b"["
        whole = _Any(items=msgspec.json.decode(data, type=list[msgspec.Raw])) if bare else None
        whole = whole or msgspec.json.decode(data, type=_Any)
        if whole.items is None:
            _one(saved, msgspec.Raw(data), whole.api_version, whole.kind, name)
            return
        # The items of a typed list, such as PodList, do not say what they are; those of an array are Pods.
        of_list = "Pod" if bare else whole.kind.removesuffix("List")
        for item in whole.items:
            head = msgspec.json.decode(item, type=_Any)
            version = head.api_version or ("v1" if bare else whole.api_version)
            _one(saved, item, version, head.kind or of_list, name)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError) as error:
        hint = "kubectl get pods -o json writes such lists"
        raise RefusedInput(f"{name} is no list of objects in JSON: {error}", hint=hint) from None


def _one(saved: Saved, item: msgspec.Raw, api_version: str, kind: str, name: str) -> None:
    group = api_version.rpartition("/")[0]
    if not kind:
        raise RefusedInput(f"{name} has an object that does not say what it is: no kind")
    if (group, kind) == ("", "Pod"):
        saved.pods.append(msgspec.json.decode(item, type=SavedPod))
    elif group == _C9S and kind in {"Node", "Topology"}:
        found = saved.nodes if kind == "Node" else saved.topologies
        found.append(msgspec.json.decode(item, type=SavedObject))


def full_name(meta: Meta) -> str:
    """Give ``namespace/name``, or the name alone of what says no namespace."""
    return f"{meta.namespace}/{meta.name}" if meta.namespace else meta.name
