"""The recorded start that a replay is, put together of what was gathered so far (measurement.md §4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from kubectl_c9s.measurement.plainpods import CLOCK
from kubectl_c9s.measurement.replayanalysis import Outcome, Submission, Wish, judge
from kubectl_c9s.measurement.run import SANDBOX, SCHEDULED, Anchor, Churn, Run
from kubectl_c9s.measurement.runpods import RunPod, of_pods

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from kubectl_c9s.measurement.run import Manifest
    from kubectl_c9s.measurement.schedule import Schedule


class Gathered(NamedTuple):
    """What is known besides the recording: requests, names of the Pods that are there, names of Pods of others."""

    schedule: Schedule
    submissions: Sequence[Submission]
    present: Collection[str]
    strangers: Sequence[str]
    anchor: float
    families: Wish


def as_replay(recorded: Run, found: Gathered, churn: Churn, notes: Iterable[str]) -> Run:
    """Make the run of a replay out of a recording of its Pods; it says itself whether it counts."""
    namespace = recorded.manifest.namespace
    devices = [one for one in recorded.devices if one.name in found.present]
    outcome = Outcome(
        found.schedule, found.submissions, devices, found.anchor, found.families, found.strangers
    )
    pods = recorded.churn.kinds if recorded.churn else {}
    return msgspec.structs.replace(
        recorded,
        anchor=Anchor("ConfigMap", f"{namespace}/{CLOCK}", found.anchor),
        churn=msgspec.structs.replace(churn, kinds={**pods, **churn.kinds}),
        replay=judge(outcome),
        notes=(*recorded.notes, *notes),
    )


def with_pods(manifest: Manifest, objects: Iterable[msgspec.Raw]) -> Manifest:
    """Add to a manifest what Pods that were read say of images and addresses."""
    found = of_pods(msgspec.json.decode(one, type=RunPod) for one in objects)
    return msgspec.structs.replace(manifest, images=found.images, families=found.families)


class Progress(NamedTuple):
    """How far a replay is: Pods that were asked for, are there, have a host, a sandbox, and are ready."""

    elapsed: float
    asked: int
    pods: int
    scheduled: int
    sandbox: int
    ready: int

    def line(self) -> dict[str, float]:
        """Give a line of ``progress.jsonl``."""
        return {
            "elapsedSeconds": round(self.elapsed, 3),
            "submitted": self.asked,
            "pods": self.pods,
            "scheduled": self.scheduled,
            "sandboxReady": self.sandbox,
            "ready": self.ready,
        }


def progress(recorded: Run, asked: int, pods: int, ready: int) -> Progress:
    """Count how far a recording is."""
    scheduled, sandbox = (
        sum(step in one.observed or step in one.stamps for one in recorded.devices)
        for step in (SCHEDULED, SANDBOX)
    )
    return Progress(recorded.elapsed, asked, pods, scheduled, sandbox, ready)
