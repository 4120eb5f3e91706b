"""Whether runs may be compared: what must be equal for a difference of times to mean anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from kubectl_c9s.resources.listing import some

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

    from kubectl_c9s.measurement.run import Limits, Manifest, Run

_SHOWN: Final = 3


class Named(NamedTuple):
    """A run, the name of its file, and the letter of its side."""

    run: Run
    name: str
    side: str


class Condition(NamedTuple):
    """Something that runs have in common or not: how it is read, None when it is not known, and how it is said."""

    name: str
    read: Callable[[Run], Hashable | None]
    say: Callable[[Any], str] = str


def unequal(runs: Sequence[Named]) -> list[str]:
    """Say in what the runs are not alike, each with who has what; also which of them do not count at all."""
    found = [text for one in runs if (text := _unusable(one))]
    for condition in _conditions(runs):
        values = _values(runs, condition)
        if len(values) > 1:
            texts = (f"{condition.say(value)} ({who})" for value, who in values.items())
            found.append(f"{condition.name}: {some(texts, _SHOWN)}")
    return found


def unknown(runs: Sequence[Named]) -> list[str]:
    """Name the conditions that some of the runs do not tell, so that they could not be compared."""
    return [
        condition.name
        for condition in _conditions(runs)
        if any(condition.read(one.run) is None for one in runs)
    ]


def _unusable(one: Named) -> str:
    if one.run.verdict != "reached":
        return f"{one.name} is not a whole start, its verdict is {one.run.verdict}"
    if one.run.replay and one.run.replay.invalid:
        return f"{one.name} is a replay that does not count: {'; '.join(one.run.replay.invalid)}"
    return ""


def mixed(runs: Sequence[Named]) -> bool:
    """Tell whether labs stand against plain Pods; those have neither c9s nor its limits in them."""
    return len({one.run.manifest.workload for one in runs}) > 1


def _conditions(runs: Sequence[Named]) -> Iterator[Condition]:
    yield Condition("devices expected", lambda run: run.expected)
    yield Condition("devices recorded", lambda run: len(run.devices))
    yield Condition("hosts", _hosts)
    yield Condition("address families", lambda run: run.manifest.families or None, "+".join)
    yield Condition("images on the hosts", lambda run: run.manifest.image_state or None)
    if mixed(runs):
        return
    yield Condition("images", lambda run: _pairs(run.manifest.images), _said_images)
    yield Condition(
        "images of the manager", lambda run: run.manifest.manager_images or None, _listed
    )
    yield Condition("limits", _limits, _said_limits)
    yield Condition("limits of Topologies", _topology_limits, _said_topology_limits)
    yield Condition("planner replicas", lambda run: run.manifest.planner_replicas)
    yield Condition("definition", lambda run: run.manifest.definition or None)


def _values(runs: Sequence[Named], condition: Condition) -> dict[Hashable, str]:
    """Give the known values, and the letters of the sides that have each."""
    sides: dict[Hashable, list[str]] = {}
    for one in runs:
        value = condition.read(one.run)
        if value is not None:
            sides.setdefault(value, []).append(one.side)
    return {value: " and ".join(sorted(set(letters))) for value, letters in sides.items()}


def _hosts(run: Run) -> int | None:
    return run.manifest.hosts or len({one.host for one in run.devices if one.host}) or None


def _pairs(images: Mapping[str, str]) -> tuple[tuple[str, str], ...] | None:
    return tuple(sorted(images.items())) or None


def _limits(run: Run) -> tuple[int, int] | None:
    return _of(run.manifest.limits) if run.manifest.limits else None


def _topology_limits(run: Run) -> tuple[tuple[int, int], ...] | None:
    # Names of labs differ between runs of the same lab; what counts is the limits there were.
    manifest: Manifest = run.manifest
    if manifest.limits is None and not manifest.topology_limits:
        return None
    return tuple(sorted(_of(one) for one in manifest.topology_limits.values()))


def _of(limits: Limits) -> tuple[int, int]:
    size, per_host = msgspec.structs.astuple(limits)
    return size, per_host


def _said_limits(limits: tuple[int, int]) -> str:
    size, per_host = limits
    return f"batchSize {size or 'off'} maxConcurrentPerHost {per_host or 'off'}"


def _said_topology_limits(limits: Sequence[tuple[int, int]]) -> str:
    return " / ".join(map(_said_limits, limits)) or "none"


def _said_images(images: Sequence[tuple[str, str]]) -> str:
    return " / ".join(f"{name} {identity}" for name, identity in images)


def _listed(names: Sequence[str]) -> str:
    return " / ".join(names)
