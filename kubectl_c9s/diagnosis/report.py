"""From findings to the report: entries with scopes, order, verdict (causes.md §§3, 4)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from kubectl_c9s.diagnosis.dump import WANTED
from kubectl_c9s.diagnosis.examine import examine
from kubectl_c9s.diagnosis.finding import STATES, Evidence, Finding, Ref, State
from kubectl_c9s.diagnosis.scopes import Scopes
from kubectl_c9s.diagnosis.settings import Settings
from kubectl_c9s.diagnosis.world import Place, World
from kubectl_c9s.resources.causes import NUMBERS, SUBS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from kubectl_c9s.diagnosis.dump import Dump
    from kubectl_c9s.rollout.assemble import Views

Verdict: TypeAlias = Literal["stalled", "misconfigured", "slow", "healthy"]
_ORDER: Final = ("global", "topology", "host", "info")
_VERDICTS: Final[tuple[tuple[State, Verdict], ...]] = (
    ("stuck", "stalled"), ("config", "misconfigured"), ("slow", "slow")
)  # fmt: skip


class Entry(NamedTuple):
    """One cause with all it concerns; ``blocks`` counts the workloads that wait behind its scope."""

    code: str
    state: State
    scope: tuple[str, ...]
    objects: tuple[Ref, ...]
    sub: str
    over_limit: bool
    since: float | None
    blocks: int
    remedies: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    findings: tuple[Finding, ...]


class Diagnosis(NamedTuple):
    """The whole answer; ``counts`` as in causes.md §4.1."""

    verdict: Verdict
    entries: tuple[Entry, ...]
    counts: dict[str, Any]
    not_collected: tuple[str, ...]
    world: World

    @property
    def primary(self) -> str | None:
        """Give the code to be named first: the first entry that is no note."""
        return next((entry.code for entry in self.entries if entry.state != "note"), None)

    @property
    def remedies(self) -> list[str]:
        """Give the remedies of all causes but notes, each once; ``none`` when there is nothing to do."""
        found = (code for entry in self.entries if entry.state != "note" for code in entry.remedies)
        return list(dict.fromkeys(found)) or ["none"]

    def only(self, wanted: Callable[[Entry], bool]) -> Diagnosis:
        """Give the diagnosis with some of its entries, judged by these alone."""
        entries = tuple(entry for entry in self.entries if wanted(entry))
        return self._replace(entries=entries, verdict=_verdict(entries))


def diagnose(
    dump: Dump,
    place: Place,
    now: float,
    settings: Settings | None = None,
    views: Views | None = None,
) -> Diagnosis:
    """Diagnose a dump taken at a moment, in seconds since 1970; ``views`` if they were made already."""
    world = World(dump, place, now, settings or Settings(), views)
    examined = examine(world)
    scopes = Scopes(world, examined)
    loud: dict[str, list[Finding]] = {}
    for finding in examined.findings:
        if finding.state != "quiet":
            loud.setdefault(finding.code, []).append(finding)
    entries = [_entry(code, found, scopes) for code, found in loud.items()]
    entries.sort(key=_rank)
    verdict = _verdict(entries)
    missing = [kind for kind in WANTED if kind not in dump.collected]
    if dump.namespace is not None:
        missing.append("other namespaces")
    return Diagnosis(verdict, tuple(entries), _counts(world), tuple(missing), world)


def _verdict(entries: Iterable[Entry]) -> Verdict:
    states = {entry.state for entry in entries}
    return next((said for state, said in _VERDICTS if state in states), "healthy")


def _rank(entry: Entry) -> tuple[int, int, int, int]:
    """Order a report: no leader first; then by state, widest scope, number."""
    first = entry.code != "manager-no-leader"
    widest = min(_ORDER.index(scope) for scope in entry.scope)
    return int(first), STATES.index(entry.state), widest, NUMBERS[entry.code]


def _entry(code: str, found: list[Finding], scopes: Scopes) -> Entry:
    """Make one entry of a code: of the stuck findings, or without one of the slow ones, and so on."""
    state = min((one.state for one in found), key=STATES.index)
    taken = [one for one in found if one.state == state]
    sub = _most_frequent(code, [one.sub for one in taken])
    taken.sort(key=lambda one: one.sub != sub)
    held: set[str] = set().union(*(scopes.of(one) for one in taken))
    scope = tuple(one for one in _ORDER if one in held) or ("info",)
    known = [one.since for one in taken if one.since is not None]
    return Entry(
        code, state, scope,
        tuple(sorted({ref for one in taken for ref in one.objects})),
        sub,
        "host" in scope and any(scopes.is_over_limit(one) for one in taken),
        min(known) if known else None,
        scopes.blocks(taken, scope),
        _once(remedy for one in taken for remedy in one.remedies),
        tuple(evidence for one in taken for evidence in one.evidence),
        tuple(taken),
    )  # fmt: skip


def _most_frequent(code: str, subs: list[str]) -> str:
    """Choose among the subs of an entry; its remedies go first. On a tie the upper one of the table."""
    order = SUBS.get(code, ())

    def rank(sub: str) -> tuple[int, int, str]:
        place = next((at for at, one in enumerate(order) if sub.startswith(one)), len(order))
        return -count[sub], place, sub

    count = Counter(subs)
    return min(count, key=rank, default="")


def _counts(world: World) -> dict[str, Any]:
    """Count; without Nodes nobody is known to have lost one."""
    found = world.counts()
    return found if world.has("nodes.c9s.run") else found | {"orphanBoots": []}


def _once(items: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(items))
