"""A Topology manifest: the object around a definition (split.md §§1, 11)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kubectl_c9s.resources import names, schema
from kubectl_c9s.resources.objects import API_VERSION
from kubectl_c9s.topology import data
from kubectl_c9s.yamlio.nodes import Mapping, Scalar
from kubectl_c9s.yamlio.scalars import readers_differ

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kubectl_c9s.resources.findings import Findings, Position
    from kubectl_c9s.yamlio.nodes import Node
    from kubectl_c9s.yamlio.reader import Document

KIND: Final = "Topology"
_MAX_LABEL: Final = 63
_TOP_LEVEL: Final = frozenset({"apiVersion", "kind", "metadata", "spec", "status"})

# Fields of older releases, with what became of them (split.md §§1, 14).
_REMOVED: Final[dict[str, str]] = {
    "spec.connectivity": "links have one connectivity now; remove the field",
    "spec.naming": "objects are always named after the nodes; remove the field",
    "spec.expose.disableExpose": "use expose.exposeType: None",
    "spec.deployment.containerlabDebug": "there is no launcher any more; remove the field",
    "spec.deployment.containerlabVersion": "there is no launcher any more; remove the field",
    "spec.deployment.containerlabTimeout": "there is no launcher any more; remove the field",
    "spec.deployment.privilegedLauncher": "there is no launcher any more; remove the field",
    "spec.deployment.launcherImage": "there is no launcher any more; remove the field",
    "spec.deployment.launcherImagePullPolicy": "there is no launcher any more; remove the field",
    "spec.deployment.launcherLogLevel": "there is no launcher any more; remove the field",
    "spec.deployment.extraEnv": "set env on the nodes of the definition",
    "spec.imagePull.insecureRegistries": "registries are configured on the hosts of the cluster",
    "spec.imagePull.pullThroughOverride": "images are pulled by the cluster; remove the field",
    "spec.imagePull.dockerDaemonConfig": "images are pulled by the cluster; remove the field",
    "spec.imagePull.dockerConfig": "use imagePull.pullSecrets",
}


class Manifest(NamedTuple):
    """A Topology as read from a document: identity, defaulted spec, and the scalar that holds the definition.

    ``spec`` is empty when the outer object has errors.
    """

    name: str
    namespace: str | None
    spec: dict[str, Any]
    definition: Scalar | None
    document: Document

    def place(self, path: Sequence[str | int]) -> Position:
        """Give the place of a field of the manifest, or of its nearest parent."""
        return self.document.position(data.find(self.document.root, path))


def is_topology(root: Node | None) -> bool:
    """Tell whether a document is a Topology of the c9s.run group, of any version."""
    api, kind = _identity(root)
    return kind == KIND and api.startswith("c9s.run/")


def _identity(root: Node | None) -> tuple[str, str]:
    texts = [root.get(key) if isinstance(root, Mapping) else None for key in ("apiVersion", "kind")]
    api, kind = (node.text if isinstance(node, Scalar) else "" for node in texts)
    return api, kind


def read_manifest(document: Document, findings: Findings) -> Manifest:
    """Read a Topology document as the API server would take it; what is wrong is in ``findings``."""
    root = document.root
    assert isinstance(root, Mapping)  # noqa: S101 - is_topology has looked
    value = data.to_json(document, root, findings)
    for node in _plain_scalars(root):
        if readers_differ(node.text):
            message = f"readers of YAML take {node.text!r} differently; put it in quotes or write it plainly"
            findings.warning("ambiguous-scalar", "", message, document.position(node))
    spec = data.without_nulls(value.get("spec"))
    reader = _Reader(document, findings)
    reader.check(value, spec)
    definition = data.find(root, ("spec", "definition", "containerlab"), exact=True)
    metadata = value.get("metadata") if isinstance(value.get("metadata"), dict) else {}
    name, namespace = metadata.get("name"), metadata.get("namespace")
    if findings.has_errors():
        spec = {}  # of no shape that the rest could rely on
    else:
        apply_defaults(spec)
    return Manifest(
        name if isinstance(name, str) else "",
        namespace if isinstance(namespace, str) and namespace else None,
        spec,
        definition if isinstance(definition, Scalar) else None,
        document,
    )


def _plain_scalars(node: Node) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        if node.plain:
            yield node
        return
    children = (
        [part for entry in node.entries.values() for part in entry]
        if isinstance(node, Mapping)
        else node.items
    )
    for child in children:
        yield from _plain_scalars(child)


class _Reader:
    """Collects what is wrong with the outer object."""

    def __init__(self, document: Document, findings: Findings) -> None:
        self._document = document
        self._findings = findings

    def check(self, value: dict[str, Any], spec: Any) -> None:
        """Check identity, metadata and spec against the CRD."""
        if value.get("apiVersion") != API_VERSION:
            self._error("unsupported-version", ("apiVersion",), f"only {API_VERSION} can be split")
        self._check_metadata(value.get("metadata"))
        for key in value:
            if key not in _TOP_LEVEL:
                self._error("unknown-topology-field", (key,), f"{key} is no field of a Topology")
        if not self._check_definition(spec):
            return
        checked = {"apiVersion": API_VERSION, "kind": KIND, "metadata": {"name": "x"}, "spec": spec}
        for violation in schema.violations(KIND, checked):
            self._violation(violation.path, violation.message)

    def _check_metadata(self, metadata: Any) -> None:
        if not isinstance(metadata, dict) or not isinstance(metadata.get("name"), str):
            self._error(
                "invalid-metadata", ("metadata", "name"), "a Topology needs a name that is a text"
            )
            return
        for problem in name_problems(metadata["name"]):
            self._error("invalid-metadata", ("metadata", "name"), problem)
        namespace = metadata.get("namespace")
        if namespace is None or namespace == "":
            return
        if not isinstance(namespace, str) or not is_namespace_name(namespace):
            message = f"{namespace!r} is no name of a namespace"
            self._error("invalid-metadata", ("metadata", "namespace"), message)

    def _check_definition(self, spec: Any) -> bool:
        definition = spec.get("definition") if isinstance(spec, dict) else None
        if isinstance(definition, dict) and "kne" in definition:
            message = "KNE definitions left the Topology API; only spec.definition.containerlab can be split"
            self._error("kne-definition", ("spec", "definition", "kne"), message)
            return False
        text = definition.get("containerlab") if isinstance(definition, dict) else None
        if text is None or text == "":
            message = "spec.definition.containerlab must hold a containerlab definition"
            self._error("no-definition", ("spec", "definition", "containerlab"), message)
            return text is not None
        return True

    def _violation(self, path: tuple[str | int, ...], message: str) -> None:
        dotted = data.dotted(path)
        if advice := _REMOVED.get(dotted):
            self._error("removed-field", path, f"{dotted} is a field of an older release: {advice}")
        elif message.startswith("unknown field"):
            self._error("unknown-topology-field", path, f"{dotted} is no field of a Topology")
        else:
            self._error("invalid-topology-field", path, f"{dotted} {message}")

    def _error(self, code: str, path: Sequence[str | int], message: str) -> None:
        where = self._document.position(data.find(self._document.root, path))
        self._findings.error(code, data.dotted(path), message, where)


def name_problems(name: str) -> list[str]:
    """Say why a text cannot name a lab: it names objects and is a label value."""
    if not names.is_dns1123_subdomain(name) or len(name) > _MAX_LABEL:
        return [
            f"{name!r} cannot name a lab: it needs a-z, 0-9, - and ., a letter or digit at both ends, at most 63"
        ]
    return []


def is_namespace_name(text: str) -> bool:
    """Tell whether a text can name a namespace: a DNS-1123 label."""
    return len(text) <= _MAX_LABEL and "." not in text and names.is_dns1123_subdomain(text)


def apply_defaults(spec: dict[str, Any]) -> None:
    """Fill in what the API server fills in before the manager reads a Topology (split.md §1.4)."""
    if "expose" in spec:
        spec["expose"].setdefault("exposeType", "LoadBalancer")
    if "statusProbes" in spec:
        spec["statusProbes"].setdefault("enabled", True)
    for kind in ("filesFromConfigMap", "filesFromSecret"):
        for entries in spec.get("deployment", {}).get(kind, {}).values():
            for entry in entries:
                entry.setdefault("mode", "read")
