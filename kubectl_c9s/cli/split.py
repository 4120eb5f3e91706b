"""``split``: Topologies and containerlab files in, standalone objects out."""

from __future__ import annotations

import gc
import itertools
import sys
from typing import TYPE_CHECKING, Any

import click

from kubectl_c9s.cli.inputs import read_inputs
from kubectl_c9s.cli.options import global_options
from kubectl_c9s.cli.reporting import answer_for, print_notes
from kubectl_c9s.cli.splitflags import lab_options, split_options
from kubectl_c9s.cli.splitting import split_lab
from kubectl_c9s.cli.work import Work, check_labs_apart
from kubectl_c9s.resources import labels
from kubectl_c9s.resources.errors import RefusedInput, UsageError
from kubectl_c9s.resources.findings import Findings
from kubectl_c9s.topology.manifest import is_topology

if TYPE_CHECKING:
    from kubectl_c9s.cli.inputs import Item
    from kubectl_c9s.cli.splitting import LabOptions


@click.command()
@split_options
@global_options
def split(flags: dict[str, Any], **given: Any) -> int:
    """Split Topologies and containerlab files into standalone objects.

    Writes exactly what the manager would derive, as objects that stand on their own: ConfigMaps,
    NodeProfiles, Links, Nodes. Refused input writes nothing and lists everything that is wrong,
    with its place.
    """
    # A short run that keeps nearly all it makes: looking for garbage only costs time.
    gc.disable()
    options = lab_options(given, flags)
    findings = Findings()
    work = _split_all(_items(given, flags, findings), given, options, findings)
    losses = _verify(work, findings) if given["verify"] and not findings.has_errors() else []
    answer_for(findings, given, flags)
    print_notes([*_notes(work, given), *losses])
    if given["output_dir"]:
        from kubectl_c9s.cli.directories import keep_directory  # noqa: PLC0415 - only with --output-dir

        return keep_directory(work, given)
    _write(work, given["output"])
    return 0


def _items(given: dict[str, Any], flags: dict[str, Any], findings: Findings) -> list[Item]:
    if given["from_cluster"]:
        from kubectl_c9s.cli.fromcluster import read_topology  # noqa: PLC0415 - only for a living Topology

        return [read_topology(given["from_cluster"], flags)]
    return read_inputs(given["paths"], findings, recursive=given["recursive"])


def _split_all(
    items: list[Item], given: dict[str, Any], options: LabOptions, findings: Findings
) -> Work:
    """Read and split everything; what is wrong is in ``findings``.

    Raises UsageError for unreadable files, RefusedInput when there is no lab at all.
    """
    work = Work(
        waves=given["argo_sync_waves"],
        create_namespace=given["create_namespace"],
        keep_from_flux=given["flux_no_substitute"],
    )
    labs = 0
    for item in items:
        if item.bare or is_topology(item.document.root):
            labs += 1
            if labs > 1 and given["name"]:
                raise UsageError("--name can name one lab, the input has more")
            split_lab(item, options, work, findings)
        elif given["pass_through"]:
            work.others.append(item)
        else:
            message = "the document is no lab and is left out; --pass-through keeps it"
            findings.warning("not-a-lab", "", message, item.document.position(item.document.root))
    if not labs and not findings.has_errors():
        hint = "a lab is a Topology (apiVersion: c9s.run/v1alpha1) or a containerlab file with a 'topology' key"
        raise RefusedInput("the input has no lab", findings.warnings, hint=hint)
    check_labs_apart(work, findings)
    return work


def _verify(work: Work, findings: Findings) -> list[str]:
    """Prove each lab; a difference is an error. Gives the documented losses, a line each."""
    from kubectl_c9s.resources.findings import Position  # noqa: PLC0415 - only with --verify

    lines = []
    for part in work.parts:
        proof = part.prove()
        for one in proof.differences:
            message = f"{one.object} at {one.path}: {one.was} became {one.became}"
            findings.error("not-equivalent", f"{one.object}:{one.path}", message, Position())
        if not proof.differences:
            lines.append(f"lab {part.name} is proved: its objects compose back into the same lab")
            lines += [f"lost: {loss.path}: {loss.text} [{loss.code}]" for loss in proof.losses]
    return lines


def _notes(work: Work, given: dict[str, Any]) -> list[str]:
    notes = work.notes()
    if given["from_cluster"]:
        from kubectl_c9s.cli.fromcluster import steps  # noqa: PLC0415 - only for a living Topology

        notes += [line for part in work.parts for line in steps(given["from_cluster"], part)]
    if given["no_owner_label"]:
        cost = "the planner then takes the namespace as the name of the lab, and containerlab does not find it"
        notes.append(f"objects carry no {labels.TOPOLOGY_OWNER}; {cost}")
    return notes


def _write(work: Work, output: str) -> None:
    write = sys.stdout.write
    if output == "name":
        for name in work.names():
            write(name)
        return
    from kubectl_c9s.yamlio import writer  # noqa: PLC0415 - not needed for names or refused input

    if output == "json":
        for chunk in writer.dump_list_json(itertools.chain(work.other_objects(), work.objects())):
            write(chunk)
        return
    separator = ""
    # Each by itself: what the writer shares between objects it keeps, and files may be large.
    for text in itertools.chain(work.other_texts(writer.dump), map(writer.dump, work.files())):
        write(separator)
        write(text)
        separator = writer.SEPARATOR
    for chunk in writer.dump_all(work.lab_objects()):
        write(separator)
        write(chunk)
        separator = ""
