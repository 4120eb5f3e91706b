"""``validate``: checks of objects and labs without a cluster."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING, Any, Final

import click

from kubectl_c9s import __version__
from kubectl_c9s.cli.inputflags import (
    FILENAME,
    NO_ENV,
    OBJECT_BYTES,
    RECURSIVE,
    VARIABLES,
    check_namespace,
    check_outside,
    check_paths,
    split_pair,
    variables,
)
from kubectl_c9s.cli.inputs import Item, read_inputs
from kubectl_c9s.cli.options import global_options
from kubectl_c9s.cli.reporting import use_colour, write_report
from kubectl_c9s.resources.codes import CODES
from kubectl_c9s.resources.errors import UsageError
from kubectl_c9s.resources.findings import Findings
from kubectl_c9s.validation.run import Input, Options
from kubectl_c9s.validation.run import validate as check
from kubectl_c9s.yamlio.reader import OBJECTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from kubectl_c9s.resources.verdicts import Report
    from kubectl_c9s.validation.things import Split

# In the order of the help text.
_OPTIONS: Final[tuple[Callable[[Any], Any], ...]] = (
    FILENAME,
    RECURSIVE,
    click.option("-o", "--output", type=click.Choice(["text", "json", "junit", "sarif"]), default="text",
                 show_default=True, help="Output format."),
    click.option("--fail-on", type=click.Choice(["error", "warning"]), default="error", show_default=True,
                 help="The least severity that makes the input invalid."),
    click.option("--strict", "--fail-on-warning", "strict", is_flag=True, help="The same as --fail-on warning."),
    click.option("--ignore", multiple=True, metavar="CODE", help="Leave out findings of this code; repeatable."),
    click.option("--report", metavar="FILE", help="Write errors and warnings as JSON to FILE (- for stderr), too."),
    OBJECT_BYTES,
    VARIABLES,
    NO_ENV,
    click.option("--stage-files/--no-stage-files", default=True,
                 help="Look at the local files a containerlab file names (the default)."),
    click.option("--allow-outside", multiple=True, metavar="DIR",
                 help="Files may lie in this directory, too; repeatable."),
)  # fmt: skip


def _validate_options(function: Callable[..., Any]) -> Any:
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


@click.command()
@_validate_options
@global_options
def validate(flags: dict[str, Any], **given: Any) -> int:
    """Check objects, Topologies and containerlab files without a cluster.

    Prints every finding with its place and ends with 0 if the input is valid, with 1 if it is not.
    Other kinds of objects are read and skipped. -n is the namespace of objects that name none.
    """
    # A short run that keeps nearly all it makes: looking for garbage only costs time.
    gc.disable()
    _check_flags(flags, given)
    unread = Findings()
    items = read_inputs(given["paths"], unread, recursive=given["recursive"], budget=OBJECTS)
    inputs = (
        Input(item.document, _lab(item, given, flags) if item.bare else None) for item in items
    )
    options = Options(
        flags.get("namespace") or "",
        given["max_object_bytes"],
        frozenset(given["ignore"]),
        given["strict"] or given["fail_on"] == "warning",
    )
    report = check(inputs, [*unread.errors, *unread.warnings], options)
    if given["report"]:
        write_report(given["report"], report.findings())
    sys.stdout.writelines(_printed(report, given["output"], flags.get("color")))
    return 0 if report.valid else 1


def _check_flags(flags: dict[str, Any], given: dict[str, Any]) -> None:
    for code in given["ignore"]:
        if code not in CODES:
            from difflib import get_close_matches  # noqa: PLC0415 - only for a mistake

            near = get_close_matches(code, CODES, 1)
            hint = f"did you mean {near[0]}?" if near else "'explain --list' has all codes"
            raise UsageError(f"--ignore: there is no code {code!r}", hint=hint)
    check_namespace(flags)
    check_paths(given["paths"])
    for text in given["variables"]:
        split_pair(text, "--set")
    check_outside(given["allow_outside"])


def _lab(item: Item, given: dict[str, Any], flags: dict[str, Any]) -> Split:
    """Split a containerlab file as ``split`` does; nothing is written."""
    from kubectl_c9s.cli.splitting import LabOptions, split_lab  # noqa: PLC0415 - for containerlab files only
    from kubectl_c9s.cli.work import Work  # noqa: PLC0415
    from kubectl_c9s.validation.things import Split  # noqa: PLC0415 - likewise

    options = LabOptions(
        namespace=flags.get("namespace") or "",
        max_object_bytes=given["max_object_bytes"],
        variables=variables(given),
        allowed=given["allow_outside"],
        stage=given["stage_files"],
    )
    work, findings = Work(waves=False, create_namespace=False), Findings()
    split_lab(item, options, work, findings)
    if not work.parts:
        # Refused, so it has no name yet: the file has one.
        return Split(os.path.basename(item.document.file), "", findings, None)  # noqa: PTH119 - as written
    (lab,) = work.parts
    return Split(lab.name, lab.namespace, findings, lab.rendered)


def _printed(report: Report, output: str, color: str | None) -> Iterable[str]:
    if output == "junit":
        from kubectl_c9s.output.junit import junit_text  # noqa: PLC0415 - one printer a run

        return junit_text(report)
    if output == "sarif":
        from kubectl_c9s.output.sarif import sarif_text  # noqa: PLC0415 - one printer a run

        return [sarif_text(report, __version__)]
    from kubectl_c9s.output import verdicts  # noqa: PLC0415 - one printer a run

    if output == "json":
        return [verdicts.json_text(report)]
    return verdicts.text_lines(report, colour=_colour(color))


def _colour(choice: str | None) -> bool:
    """Decide on colour for stdout: ``use_colour`` speaks of stderr, where the other commands report."""
    forced = choice == "always" or os.environ.get("CLICOLOR_FORCE") or os.environ.get("FORCE_COLOR")
    return bool(forced or sys.stdout.isatty()) and use_colour(choice)
