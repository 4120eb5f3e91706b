"""Splitting one lab of the input, for ``split`` and the doors beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kubectl_c9s.cli.work import LabPart
from kubectl_c9s.resources.errors import UsageError
from kubectl_c9s.resources.findings import Findings
from kubectl_c9s.topology import admission, data
from kubectl_c9s.topology.compile import Options, split_topology
from kubectl_c9s.topology.manifest import name_problems

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kubectl_c9s.cli.inputs import Item
    from kubectl_c9s.cli.work import Work
    from kubectl_c9s.topology.verifying import Proof


class LabOptions(NamedTuple):
    """How a lab is split, whoever asks. Empty texts keep what the input says.

    ``variables`` are those of a containerlab file; what follows ``max_object_bytes`` is for such files only.
    """

    name: str = ""
    namespace: str = ""
    owner_label: bool = True
    max_object_bytes: int = admission.MAX_OBJECT_BYTES
    variables: Mapping[str, str] = {}
    persistence: bool = True
    expose_type: str = ""
    pull_secrets: tuple[str, ...] = ()
    stage: bool = True
    allowed: tuple[str, ...] = ()
    secrets: tuple[tuple[str, str], ...] = ()
    digests: tuple[tuple[str, str], ...] = ()


def split_lab(item: Item, options: LabOptions, work: Work, findings: Findings) -> None:
    """Split one lab into ``work``; what is wrong is in ``findings``. UsageError for a name that names no lab."""
    (_split_bare if item.bare else _split_manifest)(item, options, work, findings)


def _split_manifest(item: Item, options: LabOptions, work: Work, findings: Findings) -> None:
    if options.name and (problems := name_problems(options.name)):
        raise UsageError(f"the name of the lab: {problems[0]}")
    how = Options(
        options.name or None,
        options.namespace or None,
        options.owner_label,
        options.max_object_bytes,
    )
    rendered = split_topology(item.document, how, findings)
    if rendered is None:
        return
    first = (rendered.profiles or rendered.nodes or rendered.links or [{"metadata": {}}])[0][
        "metadata"
    ]
    name = options.name or str(data.find_text(item.document.root, ("metadata", "name")))

    def prove() -> Proof:
        from kubectl_c9s.topology import verifying  # noqa: PLC0415 - with --verify only

        return verifying.prove(rendered, verifying.source_of(item.document, how))

    work.parts.append(LabPart(name, first.get("namespace") or "", rendered, None, prove))


def _split_bare(item: Item, options: LabOptions, work: Work, findings: Findings) -> None:
    # Loaded for containerlab files only: half of what a small Topology's run would import.
    from kubectl_c9s.files.barelab import FileOptions, split_bare  # noqa: PLC0415
    from kubectl_c9s.topology.bare import BareOptions, read_bare  # noqa: PLC0415
    from kubectl_c9s.topology.staged import StagingOptions  # noqa: PLC0415

    document, own = item.document, Findings()
    how = BareOptions(
        options.variables, options.name or None, options.namespace or None, options.persistence,
        options.expose_type or None, options.pull_secrets,
    )  # fmt: skip
    text = document.text[document.start : document.end]
    lab = read_bare(text, document.file, document.text.count("\n", 0, document.start), how, own)
    staging = StagingOptions(options.secrets, options.digests)
    files = FileOptions(
        item.directory,
        options.allowed,
        options.stage,
        staging,
        options.owner_label,
        options.max_object_bytes,
    )
    result = split_bare(lab, files, own)
    if result is not None:

        def prove() -> Proof:
            from kubectl_c9s.topology import verifying  # noqa: PLC0415 - with --verify only

            return verifying.prove(result.rendered, result.source)

        work.parts.append(LabPart(lab.name, lab.namespace, result.rendered, result, prove))
    findings.extend(own)
