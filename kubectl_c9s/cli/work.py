"""The labs of one run: their objects in the order they are to be applied, and what else is to be said of them."""

from __future__ import annotations

import shlex
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kubectl_c9s.resources import fluxmarks, labels
from kubectl_c9s.resources.findings import Findings, Position
from kubectl_c9s.topology import data

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kubectl_c9s.cli.inputs import Item
    from kubectl_c9s.files.barelab import BareResult
    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.topology.render import Rendered
    from kubectl_c9s.topology.verifying import Proof

_WAVES: Final = {"Namespace": "0", "ConfigMap": "0", "NodeProfile": "0", "Link": "1", "Node": "2"}
_SYNC_WAVE: Final = "argocd.argoproj.io/sync-wave"
_POD_SECURITY: Final = "pod-security.kubernetes.io/enforce"


class LabPart(NamedTuple):
    """One lab that was split: what it is called, its objects, and the proof that nothing was lost."""

    name: str
    namespace: str
    rendered: Rendered
    bare: BareResult | None
    prove: Callable[[], Proof]


class Work:
    """The labs of one run, and the documents that are none."""

    def __init__(
        self, *, waves: bool, create_namespace: bool, keep_from_flux: bool = False
    ) -> None:
        self.parts: list[LabPart] = []
        self.others: list[Item] = []
        self._waves = waves
        self._keep_from_flux = keep_from_flux
        self._create_namespace = create_namespace

    def files(self) -> Iterator[KubeObject]:
        """Make Namespaces and ConfigMaps, one at a time: a ConfigMap may be as large as the largest file."""
        done: set[str] = set()
        for part in self.parts:
            yield from (self.annotated(make()) for _, make in self.made_objects(part, done))

    def made_objects(
        self, part: LabPart, done: set[str]
    ) -> Iterator[tuple[KubeObject, Callable[[], KubeObject]]]:
        """Give the Namespace and the ConfigMaps of a lab as heads (identity only), each with how to make it whole.

        ``done`` has the namespaces that were given before.
        """
        result = part.bare
        if result is None:
            return
        if self._create_namespace and part.namespace not in done:
            done.add(part.namespace)
            namespace = _namespace(result)
            yield namespace, partial(_same, namespace)
        for staged in result.staging.maps:
            yield result.head(staged), partial(result.config_map, staged)

    def lab_objects(self) -> Iterator[KubeObject]:
        """Give NodeProfiles, Links and Nodes of all labs in the order they are to be applied."""
        for kind in ("profiles", "links", "nodes"):
            for part in self.parts:
                yield from (self.annotated(obj) for obj in getattr(part.rendered, kind))

    def objects(self) -> Iterator[KubeObject]:
        """Give everything in the order it is to be applied."""
        yield from self.files()
        yield from self.lab_objects()

    def annotated(self, obj: KubeObject) -> KubeObject:
        """Give an object of a lab with the annotations that were asked for, those for Argo CD and for Flux."""
        if self._waves:
            obj = fluxmarks.with_annotation(obj, _SYNC_WAVE, _WAVES[obj["kind"]])
        return fluxmarks.marked(obj) if self._keep_from_flux else obj

    def names(self) -> Iterator[str]:
        """Give a ``kind.group/name`` line for every object, without reading a file."""
        yield from map(_kubectl_name, self.other_objects())
        done: set[str] = set()
        for part in self.parts:
            yield from (_kubectl_name(head) for head, _ in self.made_objects(part, done))
        yield from map(_kubectl_name, self.lab_objects())

    def other_objects(self) -> Iterator[KubeObject]:
        """Give the passed-through documents as JSON data."""
        return (as_object(item) for item in self.others)

    def other_texts(self, dump: Callable[[KubeObject], str]) -> Iterator[str]:
        """Give the passed-through documents as they were written."""
        for item in self.others:
            document = item.document
            text = (
                document.text[document.start : document.end]
                if item.own_text
                else dump(as_object(item))
            )
            head, newline, rest = text.partition("\n")
            if newline and head.rstrip() == "---":
                text = rest
            yield text if text.endswith("\n") else text + "\n"

    def notes(self) -> list[str]:
        """Say what a user should know about variables, files and Secrets of bare files."""
        return [note for part in self.parts if part.bare for note in _notes(part.bare)]


def _same(obj: KubeObject) -> KubeObject:
    return obj


def check_labs_apart(work: Work, findings: Findings) -> None:
    """Report objects of one name that come from different labs."""
    seen: set[tuple[str, str, str]] = set()
    for part in work.parts if len(work.parts) > 1 else ():
        own = {_identity(obj) for obj in part.rendered.ordered()}
        own |= {_identity(head) for head, _ in work.made_objects(part, {part.namespace})}
        for kind, namespace, name in sorted(own & seen):
            message = (
                f"two labs of the input both have the {kind} {name!r} in namespace {namespace!r}"
            )
            findings.error("duplicate-object-name", f"{kind}/{name}", message, Position())
        seen |= own


def _identity(obj: KubeObject) -> tuple[str, str, str]:
    return obj["kind"], obj["metadata"].get("namespace") or "", obj["metadata"]["name"]


def _namespace(result: BareResult) -> KubeObject:
    """Make the Namespace of a bare lab; ownership labels only if ``containerlab destroy`` may remove it."""
    name, lab = result.lab.namespace, result.lab.name
    own: dict[str, str] = {_POD_SECURITY: "privileged"}
    if name == f"c9s-{lab}" and result.owner_label:
        own |= {"containerlab.dev/runtime": "clabernetes", labels.TOPOLOGY_OWNER: lab}
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": own}}


def _notes(result: BareResult) -> list[str]:
    found = []
    text = result.lab.text
    if text.used:
        found.append(f"variables replaced: {', '.join(sorted(text.used))}")
    if text.kept:
        found.append(
            f"variables not set, left as written: {', '.join('$' + name for name in sorted(text.kept))}"
        )
    if maps := result.staging.maps:
        total = sum(staged.size for staged in maps)
        found.append(
            f"lab {result.lab.name}: {len(maps)} file(s) of {total} bytes become ConfigMaps"
        )
    for secret, keys in sorted(result.staging.secrets.items()):
        words = ["kubectl", "create", "secret", "generic", secret, "-n", result.lab.namespace]
        words += [f"--from-file={key}={identity}" for key, identity in sorted(keys.items())]
        found.append(f"create the Secret before the lab starts: {shlex.join(words)}")
    return found


def as_object(item: Item) -> KubeObject:
    """Give a document of the input as JSON data, as kubectl reads it."""
    assert item.document.root is not None  # noqa: S101 - empty documents are not handed on
    value = data.to_json(item.document, item.document.root, Findings())
    return value if isinstance(value, dict) else {"value": value}


def _kubectl_name(obj: KubeObject) -> str:
    metadata: Any = obj.get("metadata")
    group = str(obj.get("apiVersion", "")).rpartition("/")[0]
    kind = str(obj.get("kind", "")).lower() + (f".{group}" if group else "")
    return f"{kind}/{metadata.get('name', '') if isinstance(metadata, dict) else ''}\n"
