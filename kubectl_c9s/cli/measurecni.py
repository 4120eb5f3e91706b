"""``measure cni``: how long Pods waited for their addresses, by the logs of the CNI."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from kubectl_c9s.cli.connecting import connect, seconds
from kubectl_c9s.cli.options import global_options
from kubectl_c9s.cli.resultflags import TABLE
from kubectl_c9s.resources.errors import C9sError, UsageError
from kubectl_c9s.resources.moments import seconds_of

if TYPE_CHECKING:
    from kubectl_c9s.measurement.cni.report import CniReport


@click.command()
@click.option(
    "--since", metavar="TIME",
    help="When the start began, as 2026-01-31T10:00:00Z: by the server, such as the Topology's creation.",
)  # fmt: skip
@click.option(
    "--run", "run", metavar="FILE",
    help="A recorded start: its namespace and its beginning are taken, unless -n and --since say others.",
)  # fmt: skip
@click.option(
    "--cni", metavar="NAME", default="auto", show_default=True,
    help="The reader: auto takes the first whose Pods exist; calico, or one that is installed.",
)  # fmt: skip
@click.option(
    "--timeout", metavar="DURATION", default="10m", show_default=True,
    help="Time limit of everything; 0 is none.",
)  # fmt: skip
@TABLE
@global_options
def cni(flags: dict[str, Any], **given: Any) -> int:
    """Read address allocation times of a namespace from the CNI's logs, host by host, two hosts at a time.

    For labs and replays alike. Times are those of each host's own clock; only differences are given. Exit code 0, also
    where no reader fits, which is said; 3 when the log of a host could not be read.
    """
    limit = seconds(given["timeout"], "--timeout") or float("inf")
    namespace, since = _place(flags, given)
    from kubectl_c9s.cluster.cnilogs import read_times  # noqa: PLC0415 - slow to import

    connection = connect(flags)
    report = read_times(
        connection, namespace or connection.namespace, since, wanted=given["cni"], limit=limit
    )
    _write(report, given["output"])
    if failed := [one for one in report.hosts if one.error]:
        raise C9sError(f"the log of {len(failed)} hosts could not be read: {failed[0].error}")
    return 0


def _place(flags: dict[str, Any], given: dict[str, Any]) -> tuple[str | None, float]:
    """Say which namespace is meant, and from when on lines count."""
    if flags.get("all_namespaces"):
        raise UsageError("measure cni reads for one namespace", hint="name it with -n")
    namespace, since = flags.get("namespace"), None
    if given["run"]:
        namespace, since = _of_run(given["run"], namespace)
    if given["since"]:
        since = seconds_of(given["since"])
        if since is None:
            hint = "write it as 2026-01-31T10:00:00Z"
            raise UsageError(f"--since {given['since']!r} is no time", hint=hint)
    if since is None:
        raise UsageError(
            "from when on do lines count?", hint="give --since TIME, or --run FILE with an anchor"
        )
    return namespace, since


def _of_run(file: str, namespace: str | None) -> tuple[str | None, float | None]:
    from kubectl_c9s.files.objectlists import name_of, read_whole  # noqa: PLC0415 - only for a file
    from kubectl_c9s.measurement.runfile import read_run  # noqa: PLC0415 - only for a file

    run = read_run(read_whole(file), name_of(file))
    return namespace or run.manifest.namespace or None, run.anchor.at if run.anchor else None


def _write(report: CniReport, form: str) -> None:
    if form == "table":
        from kubectl_c9s.output.cnitimes import lines  # noqa: PLC0415 - one printer a run

        sys.stdout.writelines(f"{line}\n" for line in lines(report))
        return
    import msgspec  # noqa: PLC0415 - one printer a run

    from kubectl_c9s.output.structured import structured  # noqa: PLC0415 - one printer a run

    sys.stdout.write(structured(msgspec.to_builtins(report), form))
