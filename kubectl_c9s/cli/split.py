"""``split``: Topologies and containerlab files in, standalone objects out."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING, Any

import click

from kubectl_c9s.cli.options import global_options
from kubectl_c9s.cli.reporting import print_findings, use_colour, write_report
from kubectl_c9s.cli.splitting import Work, split_all
from kubectl_c9s.resources import labels
from kubectl_c9s.resources.errors import RefusedInput
from kubectl_c9s.resources.findings import Findings
from kubectl_c9s.topology import admission

if TYPE_CHECKING:
    from collections.abc import Callable

# In the order of the help text.
_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option("-f", "--filename", "paths", multiple=True, required=True, metavar="PATH",
                 help="File, directory or - for stdin; repeatable."),
    click.option("-R", "--recursive", is_flag=True, help="Look for files in directories of directories too."),
    click.option("--name", metavar="NAME", help="Name of the lab, instead of the one in the input."),
    click.option("-o", "--output", type=click.Choice(["yaml", "json", "name"]), default="yaml",
                 help="Output format."),
    click.option("--report", metavar="FILE", help="Write all findings as JSON to FILE (- for stderr)."),
    click.option("--fail-on-warning", is_flag=True, help="Exit 1 and write nothing when there is a warning."),
    click.option("--pass-through", is_flag=True,
                 help="Keep the other documents of the input, unchanged, in front."),
    click.option("--argo-sync-waves", is_flag=True, help="Annotate objects with Argo CD sync waves."),
    click.option("--no-owner-label", is_flag=True, help="Leave out the label c9s.run/topologyOwner."),
    click.option("--max-object-bytes", type=click.IntRange(min=1), default=admission.MAX_OBJECT_BYTES,
                 metavar="N", show_default=True, help="Largest size of one object."),
    click.option("--set", "variables", multiple=True, metavar="NAME=VALUE",
                 help="Variable for a containerlab file; wins over the environment; repeatable."),
    click.option("--no-env", is_flag=True, help="Take no variables from the environment."),
    click.option("--stage-files/--no-stage-files", default=True,
                 help="Turn the local files a containerlab file names into ConfigMaps (the default)."),
    click.option("--allow-outside", multiple=True, metavar="DIR",
                 help="Take files from this directory too; repeatable."),
    click.option("--files-from-secret", multiple=True, metavar="PATTERN=SECRET",
                 help="Take files whose path matches from a Secret, and write no ConfigMap; repeatable."),
    click.option("--url-digest", multiple=True, metavar="URL=sha256:HEX",
                 help="Digest of a file given by URL, which the device fetches itself; repeatable."),
    click.option("--no-persistence", is_flag=True, help="Containerlab file: no persistent volumes."),
    click.option("--expose-type", metavar="TYPE",
                 type=click.Choice(["ClusterIP", "Headless", "LoadBalancer", "None"], case_sensitive=False),
                 help="Containerlab file: type of the Services."),
    click.option("--image-pull-secret", multiple=True, metavar="NAME",
                 help="Containerlab file: Secret for pulling images; repeatable."),
    click.option("--create-namespace", is_flag=True, help="Containerlab file: write its Namespace too."),
)  # fmt: skip


def _split_options(function: Callable[..., Any]) -> Any:
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


@click.command()
@_split_options
@global_options
def split(flags: dict[str, Any], **given: Any) -> int:
    """Split Topologies and containerlab files into standalone objects.

    Writes exactly what the manager would derive, as objects that stand on their own: ConfigMaps,
    NodeProfiles, Links, Nodes. Refused input writes nothing and lists everything that is wrong,
    with its place.
    """
    # A short run that keeps nearly all it makes: looking for garbage only costs time.
    gc.disable()
    findings = Findings()
    work = split_all(given, flags, findings)
    if given["report"]:
        write_report(given["report"], findings)
    print_findings(findings.errors, findings.warnings, colour=use_colour(flags.get("color")))
    if findings.has_errors():
        raise RefusedInput(f"nothing written, {len(findings.errors)} error(s) found")
    if given["fail_on_warning"] and findings.warnings:
        raise RefusedInput(f"nothing written, {len(findings.warnings)} warning(s) found")
    _print_notes(work, given)
    _write(work, given["output"])
    return 0


def _print_notes(work: Work, given: dict[str, Any]) -> None:
    notes = work.notes()
    if given["no_owner_label"]:
        cost = "the planner then takes the namespace as the name of the lab, and containerlab does not find it"
        notes.append(f"objects carry no {labels.TOPOLOGY_OWNER}; {cost}")
    if notes:
        from kubectl_c9s.output.safe_text import safe_text  # noqa: PLC0415 - only with notes

        for note in notes:
            print(f"note: {safe_text(note)}", file=sys.stderr)


def _write(work: Work, output: str) -> None:
    write = sys.stdout.write
    if output == "name":
        for name in work.names():
            write(name)
        return
    from kubectl_c9s.yamlio import writer  # noqa: PLC0415 - not needed for names or refused input

    if output == "json":
        chunks = writer.dump_list_json([*work.other_objects(), *work.objects()])
    else:
        for text in work.other_texts(writer.dump):
            write(text)
            write("---\n")
        chunks = writer.dump_all(work.objects())
    for chunk in chunks:
        write(chunk)
