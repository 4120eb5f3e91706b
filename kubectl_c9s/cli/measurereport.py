"""``measure report``: recorded starts as tables, JSON, or one page with plots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from kubectl_c9s.cli.options import global_options
from kubectl_c9s.cli.resultflags import OUTPUT, OUTPUT_FILE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kubectl_c9s.measurement.report import StartReport
    from kubectl_c9s.measurement.run import Run


@click.command()
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@OUTPUT
@OUTPUT_FILE
@global_options
def report(runs: tuple[str, ...], output: str, target: str | None, **_: Any) -> None:
    """Show recorded starts: distributions of all stages, arrivals, batches, hosts, the slowest devices.

    RUN is a file of 'measure watch' or 'measure replay', a directory of them, or - for stdin. Several are shown one
    after another; 'measure compare' compares them.
    """
    from kubectl_c9s.cli.measurefiles import read_runs, write_result  # noqa: PLC0415 - after the flags are known

    found = [start(run, name) for path in runs for run, name in read_runs(path)]
    write_result(_printed(found, output), target)


def start(run: Run, name: str) -> StartReport:
    """Work out a run, with its notes."""
    import msgspec  # noqa: PLC0415 - not for --help

    from kubectl_c9s.measurement.report import start_report  # noqa: PLC0415 - likewise
    from kubectl_c9s.measurement.reportnotes import report_notes  # noqa: PLC0415 - likewise

    found = start_report(run, name)
    return msgspec.structs.replace(found, notes=report_notes(run, found))


def _printed(found: Sequence[StartReport], output: str) -> Iterable[str]:
    if output == "html":
        from kubectl_c9s.output.measurehtml import report_page  # noqa: PLC0415 - one printer a run

        return report_page(found)
    from kubectl_c9s.output import measurereport  # noqa: PLC0415 - one printer a run

    if output == "table":
        return measurereport.table_lines(found)
    from kubectl_c9s.output.structured import structured  # noqa: PLC0415 - one printer a run

    return [structured(measurereport.report_json(found), output)]
