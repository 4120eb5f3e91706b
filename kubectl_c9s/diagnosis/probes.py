"""Startup probes that do not pass (causes.md rows 31, 32; §2, slot)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kubectl_c9s.diagnosis.boot import about, booting_since, primary
from kubectl_c9s.diagnosis.quotes import of_event, of_pod
from kubectl_c9s.rollout.views import PRIMARY_CONTAINER

if TYPE_CHECKING:
    from kubectl_c9s.diagnosis.case import Case
    from kubectl_c9s.diagnosis.finding import Evidence, Finding
    from kubectl_c9s.diagnosis.peers import Peers
    from kubectl_c9s.resources.observed import ObservedPod


def allowance(pod: ObservedPod) -> float | None:
    """Give the seconds the startup probe of the primary allows; None without one."""
    name = pod.metadata.annotation(PRIMARY_CONTAINER)
    probe = next((one.startup_probe for one in pod.spec.containers or () if one.name == name), None)
    if probe is None:
        return None

    def number(key: str, default: int) -> float:
        value = probe.get(key)
        return float(value) if isinstance(value, int | float) else float(default)

    tries = number("failureThreshold", 3) * number("periodSeconds", 10)
    return number("initialDelaySeconds", 0) + tries


def _outlasted(case: Case, pod: ObservedPod) -> list[Evidence] | None:
    """Say that a startup probe fails for good: the primary has restarted, or its time is over.

    Without a probe there is no time, and nothing that could fail.
    """
    since, status, allowed = booting_since(pod), primary(pod), allowance(pod)
    if since is None or status is None or allowed is None:
        return None
    age = case.world.age(since)
    if not status.restart_count and age < allowed:
        return None
    text = f"container {status.name} runs for {age:.0f} s without having started, {status.restart_count} restarts"
    said = of_pod(pod, f"{text}, on {pod.spec.node_name}")
    events = case.events_of(pod, "Unhealthy")
    failed = [event for event in events if "Startup probe failed" in event.message]
    return [said, *(of_event(event) for event in failed[:1])]


def probe_needs_peer(case: Case, pod: ObservedPod, peers: Peers) -> Finding | None:
    """Row 31: everybody who boots on its host, or everybody of its lab, waits for somebody who waits for a slot."""
    found = _outlasted(case, pod)
    if found is None or not peers.all_wait_for_peers(pod):
        return None
    queued = ", ".join(peers.awaited(pod))
    said = of_pod(pod, f"peers by its Links wait for a slot: {queued}")
    code = "startup-probe-needs-peer"
    return case.finding(code, *found, said, since=booting_since(pod), state="stuck", **about(pod))


def probe_failing(case: Case, pod: ObservedPod) -> Finding | None:
    """Row 32."""
    found = _outlasted(case, pod)
    if found is None:
        return None
    code = "startup-probe-failing"
    return case.finding(code, *found, since=booting_since(pod), state="stuck", **about(pod))
