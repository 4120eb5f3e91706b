"""The proof behind ``split --verify``: objects → Topology → objects, and the lab as it was written.

Two comparisons. The composed Topology, as text, is split again and must give the same objects: nothing of theirs is
a mere by-product. That alone would pass if the first split had lost something, so what the composed Topology means
is also compared with what the input means. Both use the compiler's reading and flattening of a definition, neither
its rendering.
"""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from kubectl_c9s.resources.errors import RefusedInput
from kubectl_c9s.resources.findings import Findings
from kubectl_c9s.topology import data
from kubectl_c9s.topology.compile import Options, split_topology
from kubectl_c9s.topology.composing import compose
from kubectl_c9s.topology.context import Context
from kubectl_c9s.topology.definition import parse_definition
from kubectl_c9s.topology.flatten import Flattener
from kubectl_c9s.topology.losses import Loss, losses
from kubectl_c9s.topology.manifest import read_manifest
from kubectl_c9s.topology.meaning import Source, meaning
from kubectl_c9s.topology.render import Lab
from kubectl_c9s.yamlio import writer
from kubectl_c9s.yamlio.positions import FileSource
from kubectl_c9s.yamlio.reader import read_documents, read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kubectl_c9s.resources.findings import Finding
    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.topology.render import Rendered
    from kubectl_c9s.yamlio.reader import Document

Against = Literal["objects", "input"]

_LONGEST_SHOWN: Final = 200
_NOTHING: Final = object()
_ANY_SIZE: Final = 1 << 62  # the objects have passed the budget of their own run
_FILE: Final = "composed Topology"


class Difference(NamedTuple):
    """A place at which two things that must be equal are not.

    ``object`` is ``Kind/name``; ``was`` and ``became`` are JSON, cut, or ``nothing``. ``against`` tells what was
    compared: the objects with those of the composed Topology, or the meaning of the input with that of it.
    """

    object: str
    path: str
    was: str
    became: str
    against: Against = "objects"


class Proof(NamedTuple):
    """The outcome for one lab: it holds when there is no difference; then the losses are all that is lost."""

    composed: KubeObject
    differences: list[Difference]
    losses: list[Loss]


def prove(rendered: Rendered, source: Source) -> Proof:
    """Prove that a split lost nothing but what is listed; ``source`` is what was compiled to ``rendered``.

    To be called before anything else (annotations, labels) is put on the objects.
    """
    composed = compose(rendered, source.lab.name, source.lab.namespace)
    return Proof(composed, verify(rendered, composed, source), losses(rendered, source))


def source_of(document: Document, options: Options) -> Source:
    """Read a Topology document that was split with these options again, as far as proofs need it."""
    manifest = read_manifest(document, Findings())
    text = manifest.definition.text if manifest.definition else ""
    context = Context(Findings(), FileSource(document.file))
    documents = read_text(text)
    definition = parse_definition(context, documents[0].root if documents else None)
    flattener = Flattener(context, definition)
    flats = {name: flattener.flatten(name) for name in definition.nodes}
    name, namespace = options.name or manifest.name, options.namespace or manifest.namespace
    return Source(
        definition, flats, Lab(name, namespace, manifest.spec, options.owner_label), manifest
    )


def verify(rendered: Rendered, composed: KubeObject, source: Source) -> list[Difference]:
    """Compare objects with those of the composed Topology, and what it means with what the input means."""
    options = Options(owner_label=source.lab.owner_label, max_object_bytes=_ANY_SIZE)
    findings = Findings()
    try:
        (document,) = read_documents(writer.dump(composed).encode(), _FILE)
    except RefusedInput as refused:  # a flat lab may be larger than what is read
        return _refusals(source, refused.findings)
    again = split_topology(document, options, findings)
    if again is None:
        return _refusals(source, findings.errors)
    return [
        *_order(source, _names(rendered), _names(again)),
        *_compare(_by_name(rendered), _by_name(again), "objects"),
        *_compare(meaning(source), meaning(source_of(document, options)), "input"),
    ]


def _refusals(source: Source, errors: Iterable[Finding]) -> list[Difference]:
    whole = f"Topology/{source.lab.name}"
    return [Difference(whole, one.path, "accepted", f"refused: {one.message}") for one in errors]


def _order(source: Source, was: list[str], became: list[str]) -> Iterator[Difference]:
    """Compare the order of objects; also where a name stands twice, which a comparison by name would not see."""
    if was != became:
        whole = f"Topology/{source.lab.name}"
        yield Difference(whole, "order of objects", _shown(was), _shown(became))


def _names(rendered: Rendered) -> list[str]:
    objects = itertools.chain(rendered.profiles, rendered.links, rendered.nodes)
    return [f"{obj['kind']}/{obj['metadata']['name']}" for obj in objects]


def _by_name(rendered: Rendered) -> dict[str, KubeObject]:
    objects = itertools.chain(rendered.profiles, rendered.links, rendered.nodes)
    return dict(zip(_names(rendered), objects, strict=True))


def _compare(
    was: dict[str, dict[str, Any]], became: dict[str, dict[str, Any]], against: Against
) -> Iterator[Difference]:
    for name in sorted(was.keys() | became.keys()):
        found = differing(was.get(name, _NOTHING), became.get(name, _NOTHING))
        for path, one, two in found:
            yield Difference(name, data.dotted(path), _shown(one), _shown(two), against)


def differing(
    was: Any, became: Any, path: tuple[str | int, ...] = ()
) -> Iterator[tuple[tuple[str | int, ...], Any, Any]]:
    """Give (path, was, became) of each place at which two JSON values differ; true is not 1, but 1.0 is."""
    if isinstance(was, dict) and isinstance(became, dict):
        for key in sorted(was.keys() | became.keys()):
            yield from differing(was.get(key, _NOTHING), became.get(key, _NOTHING), (*path, key))
    elif isinstance(was, list) and isinstance(became, list) and len(was) == len(became):
        for index, (one, two) in enumerate(zip(was, became, strict=True)):
            yield from differing(one, two, (*path, index))
    elif was != became or isinstance(was, bool) is not isinstance(became, bool):
        yield path, was, became


def _shown(value: Any) -> str:
    if value is _NOTHING:
        return "nothing"
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…"
