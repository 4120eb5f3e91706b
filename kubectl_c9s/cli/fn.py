"""``fn``: the renderer as a function of KRM pipelines (conventions.md §5)."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any

import click

from kubectl_c9s.cli import doorstreams
from kubectl_c9s.cli.options import global_options
from kubectl_c9s.resources.errors import C9sError, RefusedInput
from kubectl_c9s.resources.findings import Finding

if TYPE_CHECKING:
    from kubectl_c9s.cli.krmfunction import Function, Outcome


@click.command()
@click.argument("config", required=False, metavar="[CONFIG]")
@global_options
def fn(config: str | None, flags: dict[str, Any]) -> int:
    """Split Topologies as a KRM function: a ResourceList on stdin, a ResourceList on stdout.

    The configuration's kind is C9sSplit (Topologies among the items are replaced by their objects, labs that the
    configuration holds or names are added) or C9sValidate (findings only). Findings are in the results, also when
    the function fails.

    With a CONFIG file it is a plugin of the older kind, as the kustomize inside kubectl runs it: objects on stdin,
    objects on stdout, findings on stderr.
    """
    gc.disable()  # a short run that keeps nearly all it makes
    if config is None:
        _answer_list(flags.get("namespace"))
    else:
        _answer_stream(config, flags.get("namespace"))
    return 0


def _answer_list(namespace: str | None) -> None:
    from kubectl_c9s.cli.krmfunction import Function  # noqa: PLC0415 - a bad call needs no compiler
    from kubectl_c9s.output import krm  # noqa: PLC0415
    from kubectl_c9s.yamlio.resourcelist import bare_list, read_resource_list  # noqa: PLC0415

    try:
        resources = read_resource_list(doorstreams.read_stdin())
    except RefusedInput as refused:
        doorstreams.write_result([bare_list(krm.results(map(krm.Placed, refused.findings)))])
        raise
    function = Function(resources.members, resources.config, namespace)
    outcome, failure = _run(function)
    results = krm.results(function.placed)
    if failure and not any(one["severity"] == "error" for one in results):
        results.append(krm.refusal(failure.message))
    results += map(krm.information, outcome.notes)
    _tell(function, outcome)
    doorstreams.write_result([resources.write(outcome.replaced, outcome.added, results)])
    if failure:
        raise failure


def _answer_stream(config: str, namespace: str | None) -> None:
    from kubectl_c9s.cli.krmfunction import Function  # noqa: PLC0415 - as above
    from kubectl_c9s.yamlio.objectstream import read_stream  # noqa: PLC0415

    stream = read_stream(doorstreams.read_stdin())
    function = Function(stream.members, doorstreams.read_config(config), namespace)
    outcome, failure = _run(function)
    _tell(function, outcome)
    if failure:
        raise failure
    doorstreams.write_result([stream.write(outcome.replaced, outcome.added)])


def _run(function: Function) -> tuple[Outcome, C9sError | None]:
    from kubectl_c9s.cli.krmfunction import Outcome  # noqa: PLC0415 - loaded by the caller

    try:
        return function.run(), None
    except C9sError as failure:
        return Outcome({}, [], []), failure


def _tell(function: Function, outcome: Outcome) -> None:
    """Print the findings with places in the objects they are about."""
    findings = []
    for one in function.placed:
        place = one.member.own(one.finding.position) if one.member else one.finding.position
        if one.level != "info":
            found = one.finding
            findings.append(Finding(one.level, found.code, found.path, found.message, place))
    doorstreams.tell(findings, outcome.notes)
