"""The tree of ``status``: labs, workloads, stages, ages; and the lines that stand for it in a pipe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.output.safe_text import safe_text

if TYPE_CHECKING:
    from collections.abc import Iterator

_BAR: Final = 20
_SECONDS: Final = (("d", 86400), ("h", 3600), ("m", 60), ("s", 1))
# Stages somebody may want to look at come with their workloads; of the others the number is enough.
_QUIET: Final = frozenset({"ready", "ignored"})


def age(seconds: int) -> str:
    """Write an age as kubectl does: two units at most."""
    seconds = max(seconds, 0)
    for (unit, size), smaller in zip(_SECONDS, (*_SECONDS[1:], None), strict=True):
        if seconds >= size:
            more = seconds % size // smaller[1] if smaller else 0
            return f"{seconds // size}{unit}" + (f"{more}{smaller[0]}" if smaller and more else "")
    return "0s"


def summary(tree: dict[str, Any]) -> str:
    """Give one line: progress, stages, forecast, verdict."""
    progress = tree["progress"]
    found = (
        ", ".join(f"{count} {stage}" for stage, count in progress["stages"].items())
        or "nothing to start"
    )
    cause = f", {tree['primaryCause']}" if tree["primaryCause"] else ""
    done = f"{progress['done']}/{progress['workloads']} {tree['goal']}"
    return f"{done} ({found}){_forecast(progress)}; {tree['verdict']}{cause}"


def _forecast(progress: dict[str, Any]) -> str:
    if not progress["secondsLeft"]:
        return ""
    return f", about {age(progress['secondsLeft'])} left at {progress['perMinute']} a minute"


def lines(tree: dict[str, Any], limit: int | None = None) -> Iterator[str]:
    """Give the tree, of each lab at most ``limit`` workloads; what is ready is only counted."""
    for lab in tree["labs"]:
        progress = lab["progress"]
        done, total = progress["done"], progress["workloads"]
        filled = _BAR * done // total if total else 0
        name = safe_text(
            f"{lab['kind']} {lab['namespace']}/{lab['name']}"
            if lab["kind"] != "Namespace"
            else f"Namespace {lab['name']}"
        )
        yield f"{name}  [{'#' * filled}{'.' * (_BAR - filled)}] {done}/{total} {tree['goal']}{_forecast(progress)}"
        shown = [one for one in lab["workloads"] if one["stage"] not in _QUIET]
        for one in shown[:limit]:
            yield f"  {_workload(one)}"
        if limit is not None and len(shown) > limit:
            yield f"  … and {len(shown) - limit} more"
    yield summary(tree)


def _workload(one: dict[str, Any]) -> str:
    members = f" (+{len(one['members'])})" if one["members"] else ""
    host = f" on {one['host']}" if one["host"] else ""
    cause = f"  {one['cause']}" if one["cause"] else ""
    pod = f"  {one['pod']}" if one["pod"] else ""
    return safe_text(
        f"{one['stage']:<11} {one['name']}{members}  {age(one['age'])}{host}{pod}{cause}"
    )


def changes(
    before: dict[str, str], tree: dict[str, Any]
) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """Give the stage of each workload by ``namespace/name``, and an event for each that is another one than before."""
    now: dict[str, str] = {}
    events = []
    for lab in tree["labs"]:
        for one in lab["workloads"]:
            key = f"{lab['namespace']}/{one['name']}"
            now[key] = one["stage"]
            if before.get(key) != one["stage"]:
                found = {
                    "type": "stage",
                    "at": tree["at"],
                    "lab": lab["name"],
                    "namespace": lab["namespace"],
                }
                events.append(
                    found
                    | {"from": before.get(key)}
                    | {k: one[k] for k in ("name", "stage", "since", "pod", "host", "cause")}
                )
    for key in before.keys() - now.keys():
        namespace, _, name = key.partition("/")
        events.append(
            {
                "type": "gone",
                "at": tree["at"],
                "namespace": namespace,
                "name": name,
                "from": before[key],
            }
        )
    return now, events
