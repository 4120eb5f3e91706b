"""``measure compare``: in which figures two sides of recorded starts differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from kubectl_c9s.cli.options import global_options
from kubectl_c9s.cli.resultflags import OUTPUT, OUTPUT_FILE
from kubectl_c9s.resources.errors import GuardRefusal, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kubectl_c9s.measurement.compare import Comparison
    from kubectl_c9s.measurement.likeness import Named
    from kubectl_c9s.measurement.report import StartReport

_FAILS: Final = {
    "never": (),
    "slower": ("slower",),
    "different": ("slower", "faster", "more", "fewer"),
}


@click.command()
@click.argument("a")
@click.argument("b")
@OUTPUT
@OUTPUT_FILE
@click.option(
    "--allow-unequal", is_flag=True,
    help="Go on when the runs differ in images, limits, size or the like; what differs is said.",
)  # fmt: skip
@click.option(
    "--fail-on", type=click.Choice(list(_FAILS)), default="never", show_default=True,
    help="When to end with exit code 1: a time is slower in B, or anything differs.",
)  # fmt: skip
@global_options
def compare(a: str, b: str, output: str, **given: Any) -> int:
    """Say in which stages two sides of recorded starts differ by more than resolution and chance explain.

    A and B are each a file of 'measure watch' or 'measure replay', a directory of such files (several runs of the
    side, better three or more), or - for stdin. Runs that are not alike are refused with exit code 4.
    """
    if a == b == "-":
        raise UsageError("stdin can be one side only")
    from kubectl_c9s.cli.measurefiles import write_result  # noqa: PLC0415 - after the flags are known
    from kubectl_c9s.cli.reporting import print_notes  # noqa: PLC0415 - likewise
    from kubectl_c9s.measurement import compare as comparing  # noqa: PLC0415 - likewise

    sides = [_side(path, letter) for path, letter in ((a, "A"), (b, "B"))]
    unequal = comparing.inequalities(*([named for named, _ in side] for side in sides))
    if unequal and not given["allow_unequal"]:
        raise GuardRefusal(
            f"these runs are not alike: {'; '.join(unequal)}",
            hint="--allow-unequal compares them all the same",
        )
    found = comparing.compare(*sides)
    write_result(_printed(found, output), given["target"])
    if output != "table" or given["target"]:
        print_notes(f"not alike: {one}" for one in unequal)
    return 1 if found.with_verdict(*_FAILS[given["fail_on"]]) else 0


def _side(path: str, letter: str) -> list[tuple[Named, StartReport]]:
    from kubectl_c9s.cli.measurefiles import read_runs  # noqa: PLC0415 - after the flags are known
    from kubectl_c9s.cli.measurereport import start  # noqa: PLC0415 - likewise
    from kubectl_c9s.measurement.likeness import Named  # noqa: PLC0415 - likewise

    return [(Named(run, name, letter), start(run, name)) for run, name in read_runs(path)]


def _printed(found: Comparison, output: str) -> Iterable[str]:
    if output == "html":
        from kubectl_c9s.output.measurecomparehtml import comparison_page  # noqa: PLC0415 - one printer a run

        return comparison_page(found)
    from kubectl_c9s.output import measurecompare  # noqa: PLC0415 - one printer a run

    if output == "table":
        return measurecompare.table_lines(found)
    from kubectl_c9s.output.structured import structured  # noqa: PLC0415 - one printer a run

    return [structured(measurecompare.comparison_json(found), output)]
