"""What keeps a change of limits from being written, and what is to be said about it all the same.

A guard is refused by default (exit code 4) and names what allows it, if anything does. Its code has a page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.resources.errors import GuardRefusal
from kubectl_c9s.resources.listing import some
from kubectl_c9s.rollout.owners import helm_release, is_bootstrapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.rollout.impact import Effect
    from kubectl_c9s.rollout.limits import Limits
    from kubectl_c9s.rollout.owners import GitOps
    from kubectl_c9s.rollout.probes import ProbeGaps

ALLOWED_BY_NAME: Final = ("gitops-owner", "useless-topology-limit", "would-block")
"""Guards that ``--allow CODE`` overrides; a release has ``--release-all``, the others cannot be overridden."""


class Guard(NamedTuple):
    """A refusal: its code, what would happen, what to do instead."""

    code: str
    message: str
    hint: str = ""


def guard_refusal(code: str, message: str, hint: str | None = None) -> GuardRefusal:
    """Make the error of a guard that only the write itself can find."""
    return GuardRefusal(f"{message} [{code}]", hint=hint)


class Warned(NamedTuple):
    """Something to know about a change that is made all the same."""

    code: str
    message: str


def release_guards(effects: Iterable[Effect]) -> Iterator[Guard]:
    """Refuse what lets waiting workloads start at once (config-and-chart.md §3)."""
    hint = "give --release-all to let them start, or choose a limit above 0"
    for effect in effects:
        if effect.released:
            what = "workload(s)" if effect.field == "batchSize" else "Pod(s)"
            message = (
                f"{effect.field} off would release {len(effect.released)} waiting {what} at once"
            )
            yield Guard("would-release", f"{message}: {some(effect.released)}", hint)


def block_guards(effects: Iterable[Effect]) -> Iterator[Guard]:
    """Refuse to switch a batch gate on where it would stop everybody at once."""
    hint = "wait until they have a sandbox, mend or delete them ('kubectl c9s rollout show'), or --allow would-block"
    for effect in effects:
        if effect.turn == "first" and effect.blocking:
            count = len(effect.blocking)
            message = f"batchSize would block at once: {count} workload(s) without a sandbox"
            yield Guard("would-block", f"{message}: {some(effect.blocking)}", hint)


def gitops_guards(owner: GitOps | None, manifest: str) -> Iterator[Guard]:
    """Refuse to change by hand what a tool puts back; ``manifest`` is the change to commit instead."""
    if owner is not None:
        verb = "owns spec.rollout" if owner.owns else "keeps this object"
        message = f"{owner.tool} {verb} ({owner.evidence}) and would put the change back"
        hint = f"commit this instead, or --allow gitops-owner:\n{manifest}"
        yield Guard("gitops-owner", message, hint)


def useless_guards(per_host: int | None, config: Limits | None) -> Iterator[Guard]:
    """Refuse a Topology's limit per host that the Config's makes useless (admission.md §6)."""
    if per_host and config is not None and 0 < config.per_host < per_host:
        message = f"maxConcurrentPerHost: {per_host} never counts: the Config allows {config.per_host} on a host"
        hint = f"choose at most {config.per_host}, or --allow useless-topology-limit"
        yield Guard("useless-topology-limit", message, hint)


def probe_warnings(gaps: ProbeGaps) -> Iterator[Warned]:
    """Warn about devices for which a limit per host does not tell when they have booted."""
    if gaps.unprobed:
        count, names = len(gaps.unprobed), some(gaps.unprobed)
        message = f"{count} device(s) without a startup probe give their slot back as soon as they run: {names}"
        yield Warned("cap-without-probes", message)
    if gaps.asks_peer:
        pairs = some(f"{name} (asks {peer})" for name, peer in gaps.asks_peer)
        message = f"startup probes of {len(gaps.asks_peer)} device(s) need a peer, which may wait for a slot itself"
        yield Warned("probe-needs-peer", f"{message}; their slot may never be free: {pairs}")


def helm_advice(obj: KubeObject) -> str | None:
    """Say how a chart and the live Config go together (config-and-chart.md §2); None when no chart has a part in it."""
    if obj.get("kind") != "Config" or not (is_bootstrapped(obj) or helm_release(obj)):
        return None
    return (
        "with globalConfig.mergeMode 'merge' the chart keeps an existing spec.rollout whole: this change stays, and "
        "the chart's values cannot add to it; with 'overwrite' its next upgrade replaces the whole spec: put both "
        "limits, and everything else that must stay, into globalConfig"
    )
