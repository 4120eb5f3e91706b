"""Shapes that only a cluster brings about, made here by the code that makes them: for any limits, hosts and counts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st
from shape_tools import Kept, validator

from kubectl_c9s.measurement.run import HostCount, Peak, Run, Sample, Usage
from kubectl_c9s.output.startrun import end_event, sample_event
from kubectl_c9s.output.structured import json_line
from kubectl_c9s.rollout.limits import LARGEST
from kubectl_c9s.rollout.patches import apply_object, json_patch, merge_patch

if TYPE_CHECKING:
    from kubectl_c9s.resources.objects import KubeObject

LIMITS = st.integers(0, LARGEST)
BLOCKS = st.none() | st.fixed_dictionaries(
    {}, optional={"batchSize": LIMITS, "maxConcurrentPerHost": LIMITS}
)
COUNTS = st.integers(0, 9)
HOSTS = st.text(max_size=5)
SAMPLES = st.builds(
    Sample,
    elapsed=st.floats(0, 1e6),
    hosts=st.dictionaries(HOSTS, st.builds(HostCount, *[COUNTS] * 5), max_size=3),
    usage=st.dictionaries(
        HOSTS, st.builds(Usage, st.floats(0, 99), st.floats(0, 1e12)), max_size=2
    ),
)


def lab(before: Any, *, spec: bool) -> KubeObject:
    body = {} if before is None else {"rollout": before}
    metadata = {"name": "lab", "namespace": "lab", "resourceVersion": "1", "uid": "u"}
    found: KubeObject = {"apiVersion": "c9s.run/v1alpha1", "kind": "Topology", "metadata": metadata}
    return found | ({"spec": body} if spec or body else {})


@given(before=BLOCKS, after=BLOCKS, spec=st.booleans())
def test_patches_of_any_limits(before: Any, after: Any, spec: bool) -> None:  # noqa: FBT001 - hypothesis gives it
    obj = lab(before, spec=spec)
    for make in (json_patch, merge_patch, apply_object):
        found: Any = make(obj, after)
        validator("rollout-patch").validate(json.loads(json.dumps(found)))


def test_patches(kept: Kept) -> None:
    obj = lab({"batchSize": 1}, spec=True)
    for after in ({"maxConcurrentPerHost": 2}, {"batchSize": 3, "maxConcurrentPerHost": 2}, None):
        for make in (json_patch, merge_patch, apply_object):
            made: Any = make(obj, after)
            kept.data("rollout-patch", made)


@given(SAMPLES)
def test_events_of_any_sample(sample: Sample) -> None:
    validator("measure-event").validate(json.loads(json_line(sample_event(sample))))


def test_events(kept: Kept) -> None:
    hosts = {"h1": HostCount(5, 1, 2, 1, 1), "h2": HostCount()}
    event = sample_event(Sample(1.5, hosts, {"h1": Usage(0.5, 1e9)}))
    kept.text("measure watch", "-o jsonl", json_line(event))
    run = Run(
        verdict="deadline", expected=3, elapsed=9.0, peaks={"h1": Peak(2, 1.5)}, notes=("odd",)
    )
    kept.text("measure watch", "-o jsonl", json_line(end_event(run)))
