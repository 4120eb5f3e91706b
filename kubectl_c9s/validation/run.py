"""The order of work: every object for itself, then all of them together."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.resources.findings import Position
from kubectl_c9s.resources.schema_source import GROUPS
from kubectl_c9s.resources.verdicts import Issue, Report
from kubectl_c9s.topology.admission import MAX_OBJECT_BYTES
from kubectl_c9s.validation import (
    configmaps,
    groups,
    identity,
    labs,
    objects,
    probes,
    references,
    scalars,
    sizes,
    wires,
)
from kubectl_c9s.validation.reading import Reading, read
from kubectl_c9s.validation.things import CONTAINERLAB, Thing
from kubectl_c9s.validation.world import World
from kubectl_c9s.yamlio.layout import KUSTOMIZATIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from kubectl_c9s.resources.findings import Finding
    from kubectl_c9s.validation.things import Split
    from kubectl_c9s.yamlio.reader import Document


class Input(NamedTuple):
    """One document or item of a List; ``lab`` is what was made of it if it is a containerlab file."""

    document: Document
    lab: Split | None = None


class Options(NamedTuple):
    """``namespace`` is that of objects that name none; ``ignored`` are codes that are left out."""

    namespace: str = ""
    max_object_bytes: int = MAX_OBJECT_BYTES
    ignored: frozenset[str] = frozenset()
    strict: bool = False


_ACROSS: Final[tuple[Callable[[World], None], ...]] = (
    identity.check_identities,
    references.check_profiles,
    references.check_endpoints,
    references.check_aliases,
    references.check_files,
    groups.check_groups,
    wires.check_interfaces,
    probes.advise_on_probes,
)


def validate(inputs: Iterable[Input], unread: Sequence[Finding], options: Options) -> Report:
    """Check all inputs; ``unread`` are findings about texts that could not be read."""
    things = [look_at(one, options) for one in inputs]
    world = World(things)
    for rule in _ACROSS:
        rule(world)
    loose = [Issue(one.severity, one.code, one.path, one.message, one.position) for one in unread]
    if not world.things and not loose:
        message = "the input has nothing to check: no object of clabernetes, no ConfigMap, no containerlab file"
        loose.append(Issue("error", "nothing-to-check", "", message, Position()))
    codes = Counter(code for thing in things for code in thing.codes())
    codes.update(issue.code for issue in loose)
    return Report(
        tuple(thing.verdict(options.ignored) for thing in things),
        tuple(issue for issue in loose if issue.code not in options.ignored),
        {code: codes[code] for code in sorted(options.ignored) if codes[code]},
        options.strict,
    )


def look_at(one: Input, options: Options) -> Thing:
    """Check one document or item for itself."""
    root = one.document.root
    if one.lab is not None:
        return _look_at_containerlab(one.document, one.lab)
    reading = read(root) if root is not None else Reading(None, [], [], [])
    thing = Thing(one.document, reading, options.namespace)
    if not (thing.api and thing.kind):
        _look_at_foreign(thing)
    elif thing.group in GROUPS:
        _look_at_ours(thing, options)
    elif thing.is_config_map:
        _look_at_config_map(thing, options)
    else:
        _look_at_other(thing)
    return thing


def _look_at_containerlab(document: Document, lab: Split) -> Thing:
    thing = Thing(document, Reading(None, [], [], []), lab.namespace)
    thing.kind, thing.name = CONTAINERLAB, lab.name
    labs.take_lab(thing, lab)
    return thing


def _look_at_foreign(thing: Thing) -> None:
    thing.checked = False
    if not thing.document.file.endswith(KUSTOMIZATIONS):
        message = "neither a Kubernetes object (it needs apiVersion and kind) nor a containerlab file; not checked"
        thing.warning("not-an-object", (), message)


def _look_at_other(thing: Thing) -> None:
    from kubectl_c9s.validation import cel  # noqa: PLC0415 - only inputs with objects of other kinds need it

    thing.checked = False
    cel.note_unchecked_rules(thing)


def _look_at_ours(thing: Thing, options: Options) -> None:
    if not thing.ours:
        objects.check_kind(thing)
        return
    if thing.kind == "Topology":
        objects.check_topology_metadata(thing)
        labs.check_topology(thing, options.max_object_bytes)
    elif thing.kind == "RolloutPolicy":
        _look_at_policy(thing)
    else:
        objects.check_unfit(thing)
        objects.check_schema(thing)
        scalars.check_ambiguous(thing)
    objects.check_metadata(thing)
    scalars.check_substitution(thing)
    sizes.check_size(thing, options.max_object_bytes)


def _look_at_policy(thing: Thing) -> None:
    from kubectl_c9s.validation import policies  # noqa: PLC0415 - hardly an input has one

    objects.check_unfit(thing)
    policies.check_policy(thing)
    scalars.check_ambiguous(thing)


def _look_at_config_map(thing: Thing, options: Options) -> None:
    objects.check_unfit(thing)
    configmaps.check_config_map(thing)
    objects.check_metadata(thing)
    scalars.check_ambiguous(thing)
    scalars.check_substitution(thing)
    sizes.check_size(thing, options.max_object_bytes)
