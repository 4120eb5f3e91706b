"""``diagnostics report``: what metrics of a manager show, in words, or how two captures differ."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

import click

from kubectl_c9s.cli.options import global_options
from kubectl_c9s.cli.reporting import print_notes
from kubectl_c9s.cli.resultflags import TABLE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kubectl_c9s.measurement.managerreport import Report

_LONGEST: Final = 3600


@click.command()
@click.argument("place", metavar="DIR|URL")
@click.argument("other", metavar="[DIR|URL]", required=False)
@click.option(
    "--seconds", type=click.FloatRange(1, _LONGEST), metavar="N",
    help="Between two scrapes of a URL (30 by default), or of a directory that does not tell.",
)  # fmt: skip
@click.option(
    "--fail-on", type=click.Choice(["warning", "never"]), default="never", show_default=True,
    help="End with exit code 1 when there is a warning; of two, in the second one.",
)  # fmt: skip
@TABLE
@global_options
def report(
    flags: dict[str, Any],  # noqa: ARG001 - every command takes them
    place: str,
    other: str | None,
    **given: Any,
) -> int:
    """Say in words what a capture shows: queues, reconcile times, conflicts, 429s, throttling.

    DIR is what 'diagnostics capture' wrote, URL what 'diagnostics port-forward' prints: it is asked twice. Of one file
    with metrics, or of standard input (-), only what it says of its moment is reported. With two, they are compared.
    """
    found = [_report(one, given["seconds"]) for one in (place, other) if one is not None]
    lines: Iterable[str]
    if len(found) == 1:
        from kubectl_c9s.output.managerreport import report_lines  # noqa: PLC0415 - one printer a run

        result: Any = found[0]
        lines = report_lines(result)
    else:
        from kubectl_c9s.measurement.managercompare import compare  # noqa: PLC0415 - only for two
        from kubectl_c9s.output.managercompare import comparison_lines  # noqa: PLC0415 - likewise

        result = compare(*found)
        lines = comparison_lines(result)
    if given["output"] == "table":
        sys.stdout.writelines(f"{line}\n" for line in lines)
    else:
        from kubectl_c9s.output.managerreport import report_json  # noqa: PLC0415 - not for people
        from kubectl_c9s.output.structured import structured  # noqa: PLC0415 - likewise

        sys.stdout.write(structured(report_json(result), given["output"]))
    return int(given["fail_on"] == "warning" and found[-1].warned)


def _report(place: str, seconds: float | None) -> Report:
    from kubectl_c9s.cli.diagnosticssource import read_source  # noqa: PLC0415 - after the flags are known
    from kubectl_c9s.measurement.managerreport import report_of  # noqa: PLC0415 - likewise

    source = read_source(place, seconds, lambda note: print_notes([note]))
    return report_of(source.before, source.after, source.facts)
