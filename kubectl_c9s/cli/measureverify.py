"""``measure verify``: network checks of devices that are ready, apart from startup time."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

import click

from kubectl_c9s.cli.connecting import connect, seconds
from kubectl_c9s.cli.options import global_options
from kubectl_c9s.cli.reporting import print_notes
from kubectl_c9s.cli.resultflags import TABLE
from kubectl_c9s.resources.errors import C9sError, RefusedInput, Undecided, UsageError
from kubectl_c9s.resources.names import label_value_problems

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from kubectl_c9s.measurement.netreport import Report

# As in measurement/netscript.py and cluster/inparallel.py, which are not loaded for --help; a test compares.
CHECKS: Final = ("address", "prefix", "route", "neighbour-address", "neighbour-name")
SELECTOR: Final = "c9s.run/direct-workload"
WORKERS: Final = 16
_MOST_WORKERS: Final = 64


@click.command()
@click.argument("name", required=False, metavar="[LAB]")
@click.option(
    "-l", "--selector", metavar="LABELS", default=SELECTOR, show_default=True,
    help="Labels of the Pods to check; those of a replay are plain Pods with labels of their own.",
)  # fmt: skip
@click.option(
    "--checks", metavar="LIST", default=",".join(CHECKS), show_default=True,
    help="What to check, separated by commas.",
)  # fmt: skip
@click.option(
    "--name-format", metavar="TEXT", default="{name}", show_default=True,
    help="How the neighbour is called in neighbour-name; {name} is its Node, {namespace} its namespace.",
)  # fmt: skip
@click.option(
    "--workers", type=click.IntRange(1, _MOST_WORKERS), default=WORKERS, show_default=True,
    metavar="N", help="Devices asked at a time.",
)  # fmt: skip
@click.option(
    "--timeout", metavar="DURATION", default="5m", show_default=True,
    help="Time limit of all checks; 0 is none.",
)  # fmt: skip
@TABLE
@click.option(
    "--output-file", "target", metavar="FILE",
    help="Write the result there, replacing what was there; a summary is printed.",
)  # fmt: skip
@global_options
def verify(flags: dict[str, Any], name: str | None, **given: Any) -> int:
    """Check devices that are ready: addresses, prefixes, default route, and a packet to the next device.

    LAB is a Topology or a split lab; without one all device Pods of the namespace are checked, with -A of all. Each
    runs one command in its primary container and pings the next by name, the last the first.

    Exit code 0 when all passed, 1 when something failed or nobody is there, 3 when devices could not be asked, 5 when
    not all was decided in time.
    """
    if name and label_value_problems(name):
        raise UsageError(f"{name!r} cannot be the name of a lab")
    checks = _checks(given["checks"])
    limit = seconds(given["timeout"], "--timeout") or float("inf")
    path = _target(given["target"])
    report = _report(flags, name, checks, limit, given)
    _write(report, given["output"], path)
    print_notes(report.notes)
    return _ending(report)


def _checks(text: str) -> tuple[str, ...]:
    """Read ``--checks``."""
    words = [word.strip() for word in text.split(",") if word.strip()]
    unknown = [word for word in words if word not in CHECKS]
    if unknown or not words:
        raise UsageError(
            f"--checks {text!r} is no list of checks", hint=f"known: {', '.join(CHECKS)}"
        )
    return tuple(check for check in CHECKS if check in words)


def _target(text: str | None) -> Path | None:
    """Refuse a file that cannot be written before anybody is asked."""
    if text is None:
        return None
    from pathlib import Path  # noqa: PLC0415 - only for files

    path = Path(text)
    if path.exists() and not path.is_file():
        raise UsageError(f"--output-file {text!r} is no regular file")
    if not path.parent.is_dir():
        raise UsageError(f"--output-file {text!r}: there is no directory {str(path.parent)!r}")
    return path


def _report(
    flags: Mapping[str, Any],
    name: str | None,
    checks: tuple[str, ...],
    limit: float,
    given: Mapping[str, Any],
) -> Report:
    from kubectl_c9s.cluster import netprobe  # noqa: PLC0415 - slow to import

    connection = connect(flags)
    namespace = None if flags.get("all_namespaces") else connection.namespace
    pods = netprobe.read_pods(connection, namespace, given["selector"])
    nodes, note = netprobe.read_nodes(connection, namespace, name)
    if name:
        pods = netprobe.of_nodes(pods, nodes)
    if not pods:
        what = f"lab {name!r}" if name else f"labels {given['selector']}"
        where = f"in namespace {namespace}" if namespace else "in any namespace"
        raise RefusedInput(
            f"there are no Pods of {what} {where}",
            hint="look at -n and the name; plain Pods of a replay want --selector",
        )
    wish = netprobe.Wish(checks, given["name_format"], given["workers"], limit)
    return netprobe.verify(connection, pods, nodes, wish, (note,) if note else ())


def _write(report: Report, form: str, path: Path | None) -> None:
    """Print the result, or write it to a file and print the sum."""
    from kubectl_c9s.output import netchecks  # noqa: PLC0415 - after the checks

    if form == "table":
        text = "".join(f"{line}\n" for line in netchecks.lines(report))
    else:
        import msgspec  # noqa: PLC0415 - only for programs

        from kubectl_c9s.output.structured import structured  # noqa: PLC0415 - only for programs

        text = structured(msgspec.to_builtins(report), form)
    if path is None:
        sys.stdout.write(text)
        return
    from kubectl_c9s.files.onefile import write_file  # noqa: PLC0415 - only for files

    try:
        write_file(path, text.encode())
    except OSError as error:
        raise C9sError(f"cannot write {path}: {error.strerror}") from None
    print(netchecks.summary(report))


def _ending(report: Report) -> int:
    """Turn the verdict into an exit code; what was found has been printed."""
    if report.verdict == "error":
        first = next(
            one.detail
            for device in report.devices
            for one in device.checks
            if one.result == "error"
        )
        raise C9sError(f"some devices could not be asked: {first}")
    if report.verdict == "undecided":
        raise Undecided(
            "not all checks were made",
            hint="give more time with --timeout, or look at what images lack",
        )
    if report.verdict == "empty":
        raise RefusedInput("none of the Pods is ready: nothing was checked")
    return 0 if report.verdict == "passed" else 1
