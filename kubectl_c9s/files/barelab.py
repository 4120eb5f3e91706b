"""Splitting a bare containerlab file with the local files it names."""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kubectl_c9s.files.confined import Confined, Refused
from kubectl_c9s.resources import labels
from kubectl_c9s.resources.errors import C9sError
from kubectl_c9s.topology import admission, bare, staging
from kubectl_c9s.topology.barelinks import read_bare_links
from kubectl_c9s.topology.compile import Prepared, finish, prepare
from kubectl_c9s.topology.context import Context
from kubectl_c9s.topology.meaning import Source
from kubectl_c9s.topology.render import Lab, Rendered
from kubectl_c9s.topology.staged import Stager, StagingOptions
from kubectl_c9s.topology.stagedfiles import Found, Staging

if TYPE_CHECKING:
    from kubectl_c9s.resources.findings import Findings
    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.topology.bare import BareLab
    from kubectl_c9s.topology.stagedfiles import StagedMap

_KEY: Final = "file"


class FileOptions(NamedTuple):
    """Where files may come from and how they are staged; ``stage`` False leaves all values as written."""

    base: str
    allowed: tuple[str, ...] = ()
    stage: bool = True
    staging: StagingOptions = StagingOptions()
    owner_label: bool = True
    max_object_bytes: int = admission.MAX_OBJECT_BYTES


class BareResult(NamedTuple):
    """A split bare lab; its ConfigMaps are made one at a time, when they are asked for."""

    lab: BareLab
    rendered: Rendered
    staging: Staging
    confined: Confined
    owner_label: bool
    source: Source

    def head(self, staged: StagedMap) -> KubeObject:
        """Give the identity of a ConfigMap, without its data."""
        metadata: dict[str, Any] = {"name": staged.name, "namespace": self.lab.namespace}
        if self.owner_label:
            metadata["labels"] = {labels.TOPOLOGY_OWNER: self.lab.name}
        return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata}

    def config_map(self, staged: StagedMap) -> KubeObject:
        """Make one ConfigMap; raises C9sError when the file is not what it was when it was looked at."""
        found = self.head(staged)
        if staged.text is not None:
            return {**found, "data": {_KEY: staged.text}}
        data = self._bytes(staged)
        if staged.binary:
            return {**found, "binaryData": {_KEY: base64.b64encode(data).decode("ascii")}}
        return {**found, "data": {_KEY: data.decode("utf-8")}}

    def _bytes(self, staged: StagedMap) -> bytes:
        try:
            data = self.confined.read(staged.origin or "")
        except Refused as refused:
            raise C9sError(f"{staged.identity}: {refused.message}") from None
        if hashlib.sha256(data).hexdigest() != staged.digest:
            raise C9sError(
                f"{staged.identity} was changed while the lab was split",
                hint="run the command again",
            )
        return data


def split_bare(lab: BareLab, options: FileOptions, findings: Findings) -> BareResult | None:
    """Split a bare lab that was read; None when ``findings`` has errors."""
    context = Context(findings, lab.text)
    if lab.root is None and findings.has_errors():
        return None
    prepared = prepare(context, lab.root, read_bare_links)
    if prepared is None:
        return None
    confined = Confined(options.base, options.allowed)
    bare.refuse_pseudo_nodes(context, prepared.flats, prepared.flattener)
    staged = Staging()
    if options.stage:
        staged = _stage(context, lab, prepared, confined, options)
        prepared = prepared._replace(
            flats={
                node: staging.rewritten(flat, lab.name, node, staged.paths.get(node, {}))
                for node, flat in prepared.flats.items()
            }
        )
    spec = _with_files(lab.spec, staged)
    target = Lab(lab.name, lab.namespace, spec, options.owner_label)
    rendered = finish(context, prepared, target, None)
    if rendered is None:
        return None
    file = lab.text.of(None).file
    admission.check_sizes(findings, rendered.ordered(), options.max_object_bytes, file)
    if findings.has_errors():
        return None
    source = Source(prepared.definition, prepared.flats, target)
    return BareResult(lab, rendered, staged, confined, options.owner_label, source)


def _stage(
    context: Context, lab: BareLab, prepared: Prepared, confined: Confined, options: FileOptions
) -> Staging:
    wanted = list(staging.requests(lab.name, prepared.flats, prepared.flattener))
    found: dict[str, Found] = {}
    for request in wanted:
        if request.text is None and request.url is None and request.shown not in found:
            found[request.shown] = confined.look(request.shown)
    return Stager(context, lab.name, options.staging).stage(wanted, found, prepared.flats)


def _with_files(spec: dict[str, Any], staged: Staging) -> dict[str, Any]:
    deployment = dict(spec.get("deployment", {}))
    for kind in ("filesFromConfigMap", "filesFromSecret", "filesFromURL"):
        per_node = {node: lists[kind] for node, lists in staged.files.items() if kind in lists}
        if per_node:
            deployment[kind] = per_node
    return {**spec, "deployment": deployment} if deployment else spec
