"""From a Topology to standalone objects: the order of work of split.md §3."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from kubectl_c9s.resources.errors import RefusedInput
from kubectl_c9s.resources.findings import Findings
from kubectl_c9s.topology import admission, advice
from kubectl_c9s.topology.context import Context
from kubectl_c9s.topology.definition import parse_definition
from kubectl_c9s.topology.directives import apply_directives
from kubectl_c9s.topology.flatten import Flattener
from kubectl_c9s.topology.linkdefs import read_links
from kubectl_c9s.topology.links import compile_links
from kubectl_c9s.topology.manifest import Manifest, read_manifest
from kubectl_c9s.topology.policy import PolicyChecker, origin_of
from kubectl_c9s.topology.renaming import rename_nodes
from kubectl_c9s.topology.render import Lab, Rendered, Renderer
from kubectl_c9s.yamlio.positions import EmbeddedSource
from kubectl_c9s.yamlio.reader import read_text

if TYPE_CHECKING:
    from kubectl_c9s.topology.definition import Definition, LinkReader
    from kubectl_c9s.topology.directives import Directed
    from kubectl_c9s.topology.flatten import Flat
    from kubectl_c9s.yamlio.nodes import Node
    from kubectl_c9s.yamlio.reader import Document


class Options(NamedTuple):
    """How a lab is to be split; None keeps what the input says."""

    name: str | None = None
    namespace: str | None = None
    owner_label: bool = True
    max_object_bytes: int = admission.MAX_OBJECT_BYTES


def split_topology(document: Document, options: Options, findings: Findings) -> Rendered | None:
    """Split a Topology document; None when ``findings`` has errors."""
    own = Findings()
    manifest = read_manifest(document, own)
    rendered = None
    if manifest.definition is not None and manifest.definition.text:
        source = EmbeddedSource(document.file, document.text, manifest.definition)
        root = _read_definition(manifest, source, own)
        if root is not _UNREADABLE:
            usable = not own.has_errors()
            lab = Lab(
                options.name or manifest.name, options.namespace or manifest.namespace, manifest.spec if usable else {},
                options.owner_label,
            )  # fmt: skip
            rendered = compile_lab(Context(own, source), root, lab, manifest)
    if rendered is not None and not own.has_errors():
        admission.check_sizes(own, rendered.ordered(), options.max_object_bytes, document.file)
    findings.extend(own)
    return None if own.has_errors() else rendered


_UNREADABLE: Any = object()


def _read_definition(manifest: Manifest, source: EmbeddedSource, findings: Findings) -> Node | None:
    """Read the embedded text; what is wrong with its YAML is reported at the place in the outer file."""
    assert manifest.definition is not None  # noqa: S101 - the caller has looked
    try:
        documents = read_text(manifest.definition.text)
    except RefusedInput as refused:
        for finding in refused.findings:
            at = source.locate(finding.position.line - 1, finding.position.column - 1)
            findings.add(finding._replace(path="spec.definition.containerlab", position=at))
        return _UNREADABLE  # type: ignore[no-any-return]
    if len(documents) > 1:
        line = manifest.definition.text.count("\n", 0, documents[1].start)
        message = "a second document in the definition is not read"
        path = "spec.definition.containerlab"
        findings.warning("second-document", path, message, source.locate(line, 0))
    return documents[0].root if documents else None


class Prepared(NamedTuple):
    """A definition that was understood: its flattened nodes by written name."""

    definition: Definition
    flattener: Flattener
    flats: dict[str, Flat]


def compile_lab(
    context: Context, root: Node | None, lab: Lab, manifest: Manifest | None
) -> Rendered | None:
    """Compile the root of a definition; None when the context's findings have errors."""
    prepared = prepare(context, root, read_links)
    return finish(context, prepared, lab, manifest) if prepared else None


def prepare(context: Context, root: Node | None, link_reader: LinkReader) -> Prepared | None:
    """Parse and flatten; None when the definition is not understood."""
    definition = parse_definition(context, root, link_reader)
    if any(finding.code in _UNUSABLE for finding in context.findings.errors):
        return None
    flattener = Flattener(context, definition)
    return Prepared(
        definition, flattener, {name: flattener.flatten(name) for name in definition.nodes}
    )


def finish(
    context: Context, prepared: Prepared, lab: Lab, manifest: Manifest | None
) -> Rendered | None:
    """Check and render what was prepared; None when the context's findings have errors."""
    definition, flattener, flats = prepared
    directed = _direct(context, flattener, flats)
    PolicyChecker(context, flattener).check(flats)
    wires = compile_links(context, definition.links, flats.keys())
    renames = rename_nodes(context, list(flats), definition.section("nodes"))
    advice.advise_on_definition(context, definition, dict(lab.spec))
    if manifest is not None:
        advice.advise_on_policy(manifest, context.findings, frozenset(flats))
    if context.findings.has_errors():
        return None
    return _render(context, prepared, _Compiled(directed, wires, renames), lab)


# A definition with one of these is not understood well enough to look further.
_UNUSABLE = frozenset({
    "invalid-yaml", "duplicate-key", "foreign-tag", "yaml-budget", "invalid-type", "no-topology-section",
    "multiple-management-networks", "malformed-endpoint", "invalid-kind-config", "invalid-components",
})  # fmt: skip


class _Compiled(NamedTuple):
    directed: dict[str, Directed]
    wires: list[Any]
    renames: dict[str, str]


def _direct(context: Context, flattener: Flattener, flats: dict[str, Flat]) -> dict[str, Directed]:
    known: dict[int, Directed] = {}
    found: dict[str, Directed] = {}
    for name in sorted(flats):
        flat = flats[name]
        directed = known.get(id(flat))
        if directed is None:
            directed = known[id(flat)] = apply_directives(flat)
        found[name] = directed
        for issue in directed.issues:
            report = context.error if issue.severity == "error" else context.warning
            at = origin_of(flattener, name, issue.field, issue.item)
            report(
                issue.code,
                f"topology.nodes.{name}.{issue.suffix}",
                f"node {name!r}: {issue.message}",
                at,
            )
    for name, flat in flats.items():
        if network := flat.values.get("mgmt-net"):
            message = f"node {name!r}: mgmt-net {network!r} is carried but ignored: a namespace has one such network"
            at = origin_of(flattener, name, "mgmt-net", network)
            context.warning("ignored-node-field", f"topology.nodes.{name}.mgmt-net", message, at)
    return found


def _render(context: Context, prepared: Prepared, compiled: _Compiled, lab: Lab) -> Rendered | None:
    definition, flattener, flats = prepared
    renderer = Renderer(lab, compiled.renames)
    profiles = renderer.profiles(list(flats), definition.mgmt)
    admission.check_profiles(context, profiles)
    links = renderer.links(compiled.wires)
    nodes = []
    for written, flat in flats.items():
        node = renderer.node(written, flat, compiled.directed[written])
        admission.check_node(context, flattener, written, node)
        nodes.append(node)
    nodes.sort(key=lambda node: node["metadata"]["name"])
    admission.check_links(context, links)
    admission.check_unique(context, links)  # type: ignore[arg-type]
    if context.findings.has_errors():
        return None
    return Rendered(profiles, [link for _, link in links], nodes)
