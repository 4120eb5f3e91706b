"""``diagnose``: why a start is stuck, from a cluster or a saved dump."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING, Any, Final

import click

from kubectl_c9s.cli.connecting import only_namespace, seconds
from kubectl_c9s.cli.options import global_options
from kubectl_c9s.cli.reporting import print_notes
from kubectl_c9s.output.structured import structured

if TYPE_CHECKING:
    from kubectl_c9s.diagnosis.settings import Settings

_FAILS: Final = {
    "stalled": ("stalled", "misconfigured"),
    "slow": ("stalled", "misconfigured", "slow"),
    "never": (),
}


@click.command()
@click.option(
    "-f", "--filename", "paths", multiple=True, metavar="PATH",
    help="Snapshot or saved lists to read instead: .json or .tar.gz, a directory, - for stdin; repeatable.",
)  # fmt: skip
@click.option("--at", metavar="TIME", help="When the dump was taken, as 2026-01-31T10:00:00Z.")
@click.option(
    "--topology",
    metavar="TOPOLOGY",
    help="Only what concerns this Topology; -n says its namespace.",
)
@click.option(
    "-o", "--output", type=click.Choice(["table", "json", "yaml", "junit", "sarif"]),
    default="table", show_default=True, help="Output format.",
)  # fmt: skip
@click.option(
    "--fail-on", type=click.Choice(list(_FAILS)), default="stalled", show_default=True,
    help="Which verdict gives exit code 1; what is set wrong counts as stalled.",
)  # fmt: skip
@click.option(
    "--slow-after",
    metavar="DURATION",
    default="60s",
    show_default=True,
    help="When something is slow.",
)
@click.option(
    "--stalled-after",
    metavar="DURATION",
    default="300s",
    show_default=True,
    help="When it is stalled.",
)
@global_options
def diagnose(flags: dict[str, Any], **given: Any) -> int:
    """Name what keeps a start from going on, with evidence and what to do.

    Looks at all namespaces, because one workload anywhere can hold up everybody; with -n it asks a cluster for that one
    alone, and says so. Without a cluster: -f reads a snapshot, or what 'kubectl get … -o json' has saved; -n then
    leaves out what neither is in the namespace nor holds it up.
    """
    # Nearly all that is read is kept to the end: looking for garbage only costs time.
    gc.disable()
    settings = _settings(given)
    from kubectl_c9s.cli.dumps import take  # noqa: PLC0415 - after the flags are known
    from kubectl_c9s.diagnosis.present import present  # noqa: PLC0415 - after the flags are known
    from kubectl_c9s.diagnosis.report import diagnose as examine  # noqa: PLC0415 - after the flags are known

    taken = take(given, flags)
    print_notes(taken.notes)
    diagnosis = examine(taken.dump, taken.place, taken.now, settings)
    namespace = only_namespace(flags)
    if given["topology"] or namespace:
        from kubectl_c9s.diagnosis.focus import focus  # noqa: PLC0415 - only with the flags

        diagnosis = focus(diagnosis, given["topology"], namespace)
    report = present(diagnosis)
    _write(report, given["output"])
    return int(report["verdict"] in _FAILS[given["fail_on"]])


def _settings(given: dict[str, Any]) -> Settings:
    from kubectl_c9s.diagnosis.settings import Settings  # noqa: PLC0415 - after the flags are known
    from kubectl_c9s.resources.errors import UsageError  # noqa: PLC0415 - only to refuse

    slow = seconds(given["slow_after"], "--slow-after")
    stalled = seconds(given["stalled_after"], "--stalled-after")
    if stalled < slow:
        raise UsageError("--stalled-after is less than --slow-after")
    return Settings(slow_after=slow, stalled_after=stalled)


def _write(report: dict[str, Any], form: str) -> None:
    if form in {"json", "yaml"}:
        sys.stdout.write(structured(report, form))
    elif form == "table":
        from kubectl_c9s.output.diagnosis import lines  # noqa: PLC0415 - only for people

        sys.stdout.writelines(f"{line}\n" for line in lines(report))
    else:
        from kubectl_c9s import __version__  # noqa: PLC0415 - only for reports
        from kubectl_c9s.output.diagnosisreports import verdicts  # noqa: PLC0415 - only for reports
        from kubectl_c9s.output.junit import junit_text  # noqa: PLC0415 - only for reports
        from kubectl_c9s.output.sarif import sarif_text  # noqa: PLC0415 - only for reports

        found = verdicts(report)
        if form == "junit":
            sys.stdout.writelines(junit_text(found, "kubectl-c9s diagnose"))
        else:
            sys.stdout.write(sarif_text(found, __version__))
