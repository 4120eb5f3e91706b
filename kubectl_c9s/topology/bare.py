"""A bare containerlab file as a lab: recognition, name, namespace, policy (staging.md A1-A3, A5, D)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kubectl_c9s.resources import names
from kubectl_c9s.resources.errors import RefusedInput
from kubectl_c9s.topology.context import Context, is_null
from kubectl_c9s.topology.environment import Expanded, Problem, expand
from kubectl_c9s.yamlio.nodes import Mapping, Scalar
from kubectl_c9s.yamlio.reader import read_text

if TYPE_CHECKING:
    from collections.abc import Mapping as MappingType

    from kubectl_c9s.resources.findings import Findings
    from kubectl_c9s.topology.flatten import Flat, Flattener
    from kubectl_c9s.yamlio.nodes import Node

_NAMESPACE: Final = "c9s-"
_NAMESPACE_VARIABLE: Final = "CLAB_KUBE_NAMESPACE"
_MAX_LABEL: Final = 63
_GIT_VARIABLES: Final = ("__gitBranch__", "__gitHash__")
PSEUDO_KINDS: Final = frozenset({"bridge", "ovs-bridge", "host", "ext-container", "k8s-kind"})


class BareOptions(NamedTuple):
    """What the command line says of a bare file; None keeps the default.

    ``variables`` are the environment, with ``--set`` laid over it.
    """

    variables: MappingType[str, str]
    name: str | None = None
    namespace: str | None = None
    persistence: bool = True
    expose_type: str | None = None
    pull_secrets: tuple[str, ...] = ()


class BareLab(NamedTuple):
    """A bare file as read: ``spec`` is that of the Topology containerlab would build of it."""

    name: str
    namespace: str
    spec: dict[str, Any]
    root: Node | None
    text: Expanded


def read_bare(
    text: str, file: str, first_line: int, options: BareOptions, findings: Findings
) -> BareLab:
    """Read a bare file; what is wrong is in ``findings``. ``first_line`` (from 0) is where it begins in the file."""

    def report(problem: Problem) -> None:
        findings.error(problem.code, "", problem.message, problem.position)

    expanded = expand(text, options.variables, file, report, first_line)
    context = Context(findings, expanded)
    root = _root(context, expanded)
    name = _lab_name(context, root, options)
    _advise_on_settings(context, root)
    return BareLab(name, _namespace(context, name, options), _spec(options), root, expanded)


def _root(context: Context, expanded: Expanded) -> Node | None:
    """Read the expanded text; what is wrong with its YAML is reported at the place the user wrote."""
    try:
        documents = read_text(expanded.text)
    except RefusedInput as refused:
        for finding in refused.findings:
            at = expanded.locate(finding.position.line - 1, finding.position.column - 1)
            context.findings.add(finding._replace(position=at))
        return None
    if len(documents) > 1:
        message = f"a containerlab file is one document, this one has {len(documents)}"
        context.findings.error("invalid-yaml", "", message, expanded.at(documents[1].start))
    return documents[0].root if documents else None


def _lab_name(context: Context, root: Node | None, options: BareOptions) -> str:
    node = root.get("name") if isinstance(root, Mapping) else None
    written = node.text if isinstance(node, Scalar) and not is_null(node) else ""
    if options.name:
        written = options.name
    elif any(variable in written for variable in _GIT_VARIABLES):
        message = (
            "the name of the lab is taken from Git, which is not asked; give the name with --name"
        )
        context.error("lab-name", "name", message, node)
        return ""
    name = names.sanitize_name(written)
    if not name and root is None and context.findings.has_errors():
        return ""  # the text is not understood: that it has no name is no news
    if not name:
        message = (
            "the lab has no name that an object name can be made of; give one with 'name' or --name"
        )
        context.error("lab-name", "name", message, node or root)
    elif name != written:
        message = f"the lab {written!r} becomes {name!r}, because Kubernetes cannot carry the name as written"
        context.warning("renamed-lab", "name", message, node)
    return name


def _namespace(context: Context, name: str, options: BareOptions) -> str:
    if options.namespace:
        return options.namespace
    if chosen := options.variables.get(_NAMESPACE_VARIABLE):
        if not names.is_dns1123_label(chosen):
            message = f"{_NAMESPACE_VARIABLE} is {chosen!r}, which is no name of a namespace"
            context.error("invalid-metadata", "", message, None)
        return chosen
    namespace = _NAMESPACE + name
    if len(namespace) > _MAX_LABEL:
        message = f"the namespace {namespace!r} is longer than {_MAX_LABEL} characters; give one with --namespace"
        context.error("lab-name", "name", message, None)
    return namespace


def _spec(options: BareOptions) -> dict[str, Any]:
    """Build the spec containerlab gives its Topology; no API server fills in defaults (staging.md A3)."""
    spec: dict[str, Any] = {"statusProbes": {"enabled": True}, "deployment": {}}
    if options.persistence:
        spec["deployment"]["persistence"] = {"enabled": True}
    if options.expose_type:
        spec["expose"] = {"exposeType": options.expose_type}
    if options.pull_secrets:
        spec["imagePull"] = {"pullSecrets": list(options.pull_secrets)}
    return spec


def _advise_on_settings(context: Context, root: Node | None) -> None:
    if isinstance(root, Mapping) and "settings" in root.entries:
        message = "the block 'settings' has no meaning in a cluster; remove it"
        context.warning("unsupported-settings", "settings", message, root.entries["settings"][0])


def refuse_pseudo_nodes(
    context: Context, nodes: MappingType[str, Flat], flattener: Flattener
) -> None:
    """Report nodes whose kind is no device (staging.md A5)."""
    from kubectl_c9s.topology.policy import origin_of  # noqa: PLC0415 - keeps recognising files cheap

    for name in sorted(nodes):
        kind = nodes[name].values.get("kind", "")
        if kind in PSEUDO_KINDS:
            message = (
                f"node {name!r} is of kind {kind!r}, which is no device and cannot run in a Pod"
            )
            context.error(
                "pseudo-node",
                f"topology.nodes.{name}.kind",
                message,
                origin_of(flattener, name, "kind", kind),
            )
