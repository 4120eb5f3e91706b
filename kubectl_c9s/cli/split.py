"""``split``: Topologies in, standalone objects out."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from kubectl_c9s.cli.inputs import flattened, read_inputs
from kubectl_c9s.cli.options import global_options
from kubectl_c9s.cli.reporting import print_findings, use_colour, write_report
from kubectl_c9s.resources import labels
from kubectl_c9s.resources.errors import RefusedInput, UsageError
from kubectl_c9s.resources.findings import Findings
from kubectl_c9s.topology import admission, data
from kubectl_c9s.topology.compile import Options, split_topology
from kubectl_c9s.topology.manifest import is_namespace_name, is_topology, name_problems

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.topology.render import Rendered
    from kubectl_c9s.yamlio.reader import Document

_WAVES: Final = {"NodeProfile": "0", "ConfigMap": "0", "Link": "1", "Node": "2"}
_SYNC_WAVE: Final = "argocd.argoproj.io/sync-wave"


@click.command()
@click.option("-f", "--filename", "paths", multiple=True, required=True, metavar="PATH",
              help="File, directory or - for stdin; repeatable.")  # fmt: skip
@click.option(
    "-R", "--recursive", is_flag=True, help="Look for files in directories of directories too."
)
@click.option("--name", metavar="NAME", help="Name of the lab, instead of the one in the input.")
@click.option(
    "-o",
    "--output",
    type=click.Choice(["yaml", "json", "name"]),
    default="yaml",
    help="Output format.",
)
@click.option("--report", metavar="FILE", help="Write all findings as JSON to FILE (- for stderr).")
@click.option(
    "--fail-on-warning", is_flag=True, help="Exit 1 and write nothing when there is a warning."
)
@click.option(
    "--pass-through",
    is_flag=True,
    help="Keep the other documents of the input, unchanged, in front.",
)
@click.option("--argo-sync-waves", is_flag=True, help="Annotate objects with Argo CD sync waves.")
@click.option("--no-owner-label", is_flag=True, help="Leave out the label c9s.run/topologyOwner.")
@click.option("--max-object-bytes", type=click.IntRange(min=1), default=admission.MAX_OBJECT_BYTES, metavar="N",
              show_default=True, help="Largest size of one object.")  # fmt: skip
@global_options
def split(flags: dict[str, Any], **given: Any) -> int:
    """Split Topologies into Node, Link and NodeProfile objects.

    Writes exactly what the manager would derive, as objects that stand on their own: NodeProfiles, then Links,
    then Nodes. Refused input writes nothing and lists everything that is wrong, with its place.
    """
    # A short run that keeps nearly all it makes: looking for garbage only costs time.
    gc.disable()
    _check_flags(flags, given)
    findings = Findings()
    work = _split_all(given, flags, findings)
    if given["report"]:
        write_report(given["report"], findings)
    print_findings(findings.errors, findings.warnings, colour=use_colour(flags.get("color")))
    if findings.has_errors():
        raise RefusedInput(f"nothing written, {len(findings.errors)} error(s) found")
    if given["fail_on_warning"] and findings.warnings:
        raise RefusedInput(f"nothing written, {len(findings.warnings)} warning(s) found")
    if given["no_owner_label"]:
        cost = "the planner then takes the namespace as the name of the lab, and containerlab does not find it"
        print(f"note: objects carry no {labels.TOPOLOGY_OWNER}; {cost}", file=sys.stderr)
    _write(work, given)
    return 0


def _check_flags(flags: dict[str, Any], given: dict[str, Any]) -> None:
    namespace = flags.get("namespace")
    if namespace and not is_namespace_name(namespace):
        raise UsageError(f"--namespace {namespace!r} is no name of a namespace")
    if given["name"] and (problems := name_problems(given["name"])):
        raise UsageError(f"--name: {problems[0]}")
    if given["paths"].count("-") > 1:
        raise UsageError("stdin can be read only once")


class _Work(NamedTuple):
    labs: list[Rendered]
    others: list[tuple[Document, bool]]


def _split_all(given: dict[str, Any], flags: dict[str, Any], findings: Findings) -> _Work:
    documents = read_inputs(given["paths"], findings, recursive=given["recursive"])
    work = _Work([], [])
    options = Options(
        given["name"],
        flags.get("namespace"),
        not given["no_owner_label"],
        given["max_object_bytes"],
    )
    topologies = 0
    for document, own_text in flattened(documents):
        if is_topology(document.root):
            topologies += 1
            if (rendered := split_topology(document, options, findings)) is not None:
                work.labs.append(rendered)
        elif given["pass_through"]:
            work.others.append((document, own_text))
        else:
            message = "the document is no Topology and is left out; --pass-through keeps it"
            findings.warning("not-a-topology", "", message, document.position(document.root))
    if topologies > 1 and given["name"]:
        raise UsageError(f"--name can name one lab, the input has {topologies}")
    if not topologies and not findings.has_errors():
        raise RefusedInput(
            "the input has no Topology", hint="see 'kubectl explain topology.spec' or examples/"
        )
    _check_labs_apart(work.labs, findings)
    return work


def _check_labs_apart(labs: list[Rendered], findings: Findings) -> None:
    """Report objects of one name that come from different labs."""
    if len(labs) < 2:  # noqa: PLR2004 - one lab has been checked
        return
    from kubectl_c9s.resources.findings import Position  # noqa: PLC0415 - rare

    seen: set[tuple[str, str, str]] = set()
    for lab in labs:
        own = {
            (o["kind"], o["metadata"].get("namespace", ""), o["metadata"]["name"])
            for o in lab.ordered()
        }
        for kind, namespace, name in sorted(own & seen):
            message = (
                f"two labs of the input both have the {kind} {name!r} in namespace {namespace!r}"
            )
            findings.error("duplicate-object-name", f"{kind}/{name}", message, Position())
        seen |= own


def _write(work: _Work, given: dict[str, Any]) -> None:
    objects = [o for part in zip(*((lab.profiles, lab.links, lab.nodes) for lab in work.labs), strict=True)
               for one in part for o in one]  # fmt: skip
    if given["argo_sync_waves"]:
        _annotate_waves(objects)
    write = sys.stdout.write
    if given["output"] == "name":
        for obj in [*(_as_object(document) for document, _ in work.others), *objects]:
            write(_kubectl_name(obj))
        return
    from kubectl_c9s.yamlio import writer  # noqa: PLC0415 - not needed for names or refused input

    if given["output"] == "json":
        chunks: Iterable[str] = writer.dump_list_json(
            [*(_as_object(d) for d, _ in work.others), *objects]
        )
    else:
        chunks = _stream(work.others, writer.dump_all(objects))
    for chunk in chunks:
        write(chunk)


def _annotate_waves(objects: list[KubeObject]) -> None:
    annotations = {kind: {_SYNC_WAVE: wave} for kind, wave in _WAVES.items()}
    for obj in objects:
        obj["metadata"]["annotations"] = annotations[obj["kind"]]


def _stream(others: list[tuple[Document, bool]], own: Iterator[str]) -> Iterator[str]:
    from kubectl_c9s.yamlio import writer  # noqa: PLC0415 - loaded by the caller

    for document, own_text in others:
        text = (
            document.text[document.start : document.end]
            if own_text
            else writer.dump(_as_object(document))
        )
        text = (
            text.removeprefix("---").lstrip("\n") if text.startswith(("---\n", "---\r\n")) else text
        )
        yield text if text.endswith("\n") else text + "\n"
        yield "---\n"
    yield from own


def _as_object(document: Document) -> KubeObject:
    assert document.root is not None  # noqa: S101 - empty documents are not handed on
    value = data.to_json(document, document.root, Findings())
    return value if isinstance(value, dict) else {"value": value}


def _kubectl_name(obj: KubeObject) -> str:
    group = str(obj.get("apiVersion", "")).rpartition("/")[0]
    kind = str(obj.get("kind", "")).lower() + (f".{group}" if group else "")
    return f"{kind}/{obj.get('metadata', {}).get('name', '')}\n"
