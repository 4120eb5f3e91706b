"""Which mapping of a file holds the rollout limits that a command names.

Config and Topology have them in ``spec.rollout``, the chart's values in ``globalConfig.rollout``, from which the
manager makes its Config (config-and-chart.md §§1 and 2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from kubectl_c9s.resources.errors import RefusedInput
from kubectl_c9s.resources.findings import Finding, Position
from kubectl_c9s.resources.objects import API_VERSION, CONFIG_NAME
from kubectl_c9s.yamlio.listed import objects_of
from kubectl_c9s.yamlio.members import text_at
from kubectl_c9s.yamlio.nodes import Mapping
from kubectl_c9s.yamlio.reader import read_documents
from kubectl_c9s.yamlio.refusals import shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.yamlio.listed import Step
    from kubectl_c9s.yamlio.nodes import Node
    from kubectl_c9s.yamlio.reader import Document

_CHART: Final = "clabernetes"
_CHART_SECTION: Final = "globalConfig"
_HELM_GROUP: Final = "helm.toolkit.fluxcd.io"
_ANY: Final = ""  # no object has an empty name


class Target(NamedTuple):
    """What is to be changed; make it with ``config`` or ``topology``.

    A ``namespace`` leaves out objects that say another one; an object that says none may be meant, because
    kustomize or a flag gives the namespace later.
    """

    kind: Literal["Config", "Topology"]
    name: str
    namespace: str = ""

    @classmethod
    def config(cls, namespace: str = "") -> Target:
        """Mean the Config of the manager: the object called clabernetes, or the chart's values that become it."""
        return cls("Config", CONFIG_NAME, namespace)

    @classmethod
    def topology(cls, name: str, namespace: str = "") -> Target:
        """Mean a Topology."""
        return cls("Topology", name, namespace)

    def __str__(self) -> str:
        inside = f" of namespace {shortened(self.namespace)}" if self.namespace else ""
        return f"{self.kind} {shortened(self.name)}{inside}"


class Home(NamedTuple):
    """Where the limits live: ``path`` leads from the root of a document to ``node``, ``keys`` from there to them.

    ``name`` is that of the object, for the chart's values that of the Config.
    """

    document: int
    path: tuple[Step, ...]
    node: Mapping
    keys: tuple[str, str]
    label: str
    name: str = CONFIG_NAME


def find_home(documents: list[Document], file: str, target: Target) -> Home:
    """Find the one place a target has in a stream. RefusedInput if there is none, or more than one."""
    words = f"{target}, nor the chart's values" if target.kind == "Config" else str(target)
    return _single(list(_homes(documents, target)), documents, file, words)


def only_target(data: bytes, file: str, namespace: str = "") -> Target:
    """Give the target that a file is about: its Config, its one Topology, or the chart's values.

    RefusedInput: what ``reader.read_documents`` refuses; a file with none of them or more than one.
    """
    documents = read_documents(data, file)
    configs = list(_homes(documents, Target.config(namespace)))
    labs = list(_homes(documents, Target.topology(_ANY, namespace)))
    home = _single([*configs, *labs], documents, file, "Config, Topology or values of the chart")
    return Target("Config" if configs else "Topology", home.name, namespace)


def _single(found: list[Home], documents: list[Document], file: str, words: str) -> Home:
    if len(found) == 1:
        return found[0]
    if not found:
        message = f"no {words} in {file}"
        findings = [Finding("error", "no-single-object", "", message, Position(file))]
        raise RefusedInput(message, findings)
    message = f"{len(found)} places in {file} could be meant"
    findings = [
        Finding(
            "error",
            "no-single-object",
            "",
            f"{home.label} is one of {len(found)} places that could be meant",
            documents[home.document].position(home.node),
        )
        for home in found
    ]
    raise RefusedInput(message, findings)


def _homes(documents: list[Document], target: Target) -> Iterator[Home]:
    filled = [(index, one.root) for index, one in enumerate(documents) if one.root is not None]
    for index, root in filled:
        for path, node in objects_of(root):
            yield from _of_object(index, path, node, target)
    if target.kind == "Config" and len(filled) == 1:
        yield from _of_document(*filled[0])


def _of_document(index: int, root: Node) -> list[Home]:
    """Take a document for the chart's values if it is no object; they may have no section for the Config yet."""
    # A containerlab file has no kind either; everything else that has none is taken for values.
    if not isinstance(root, Mapping) or root.entries.keys() & {"apiVersion", "kind", "topology"}:
        return []
    label = "the chart's values"
    found = _of_values(index, (), root, label)
    return found or [Home(index, (), root, (_CHART_SECTION, "rollout"), label)]


def _of_object(index: int, path: tuple[Step, ...], node: Mapping, target: Target) -> Iterator[Home]:
    api, kind = text_at(node, "apiVersion"), text_at(node, "kind")
    name, namespace = text_at(node, "metadata", "name"), text_at(node, "metadata", "namespace")
    inside = f" of namespace {shortened(namespace)}" if namespace else ""
    label = f"{kind} {shortened(name)}{inside}"
    if api == API_VERSION and kind == target.kind and target.name in {name, _ANY}:
        if not target.namespace or namespace in {"", target.namespace}:
            yield Home(index, path, node, ("spec", "rollout"), label, name)
    elif (api.partition("/")[0], kind, target.kind) == (_HELM_GROUP, "HelmRelease", "Config"):
        values = node.get("spec")
        values = values.get("values") if isinstance(values, Mapping) else None
        if isinstance(values, Mapping):
            inner = (*path, "spec", "values")
            homes = _of_values(index, inner, values, f"the values of {label}")
            if not homes and _names_chart(node):
                homes = [Home(index, inner, values, (_CHART_SECTION, "rollout"), label)]
            yield from homes


def _names_chart(node: Mapping) -> bool:
    chart = text_at(node, "spec", "chart", "spec", "chart")
    return chart.rstrip("/").rpartition("/")[2] == _CHART


def _of_values(index: int, path: tuple[Step, ...], values: Mapping, label: str) -> list[Home]:
    """Give the sections that are the chart's: at the top, or below the name the chart has as a part of another."""
    sections: list[tuple[tuple[Step, ...], Mapping]] = [
        ((key,), value)
        for key, (_, value) in values.entries.items()
        if isinstance(value, Mapping) and _CHART_SECTION in value.entries
    ]
    if _CHART_SECTION in values.entries:
        sections.insert(0, ((), values))
    return [
        Home(index, path + inner, node, (_CHART_SECTION, "rollout"), label)
        for inner, node in sections
    ]


def limit_of(home: Home, field: str) -> Node | None:
    """Give the present value of a limit, aliases and merge keys followed."""
    node: Node | None = home.node
    for key in (*home.keys, field):
        node = node.get(key) if isinstance(node, Mapping) else None
    return node
