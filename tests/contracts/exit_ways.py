"""Commands by what they do: each that asks a cluster, that waits for standard input, that prints without a cluster.

The words are those of exit_situations.py.
"""

from __future__ import annotations

from typing import Final

ASKING: Final = (
    "apply -f {objects}",
    "diff -f {objects}",
    "check",
    "status",
    "status --for ready",
    "diagnose",
    "snapshot --output-file -",
    "split --from-cluster metro",
    "rollout show",
    "rollout show topology/metro",
    "rollout set config --batch-size=1",
    "rollout undo",
    "rollout diff -f {policy}",
    "rollout apply -f {policy}",
    "rollout simulate --from live --batch-size=1",
    "diagnostics port-forward",
    "diagnostics capture --output-dir {new}",
    "measure watch",
    "measure watch --once",
    "measure verify",
    "measure cni --since 2026-01-31T10:00:00Z",
    "measure schedule --output-file -",
    "measure replay {schedule} -n x --output-dir {new}",
    "rights apply --check",
)
"""Each command that asks a cluster."""

READING: Final = (
    "split -f -",
    "fn",
    "validate -f -",
    "migrate -f -",
    "status -f -",
    "diagnose -f -",
    "rollout set -f - --batch-size=1",
    "rollout simulate --from - --batch-size=1",
    "diagnostics report -",
    "measure watch -f -",
    "measure report -",
    "measure compare - x.json",
    "measure schedule -f - --output-file -",
    "measure replay - -n x --output-dir {new}",
)
"""Each command that waits for standard input."""

PRINTING: Final = (
    "split -f {small}",
    "fn < {resources}",
    "cmp parameters",
    "cmp generate @ {labs}",
    "validate -f {small}",
    "status -f {stuck}",
    "diagnose -f {stuck}",
    "rollout set -f {small} --batch-size=1",
    "rollout simulate --devices=3 --hosts=1",
    "diagnostics report {scrapes} --seconds 30",
    "measure watch -f {stuck} -A",
    "measure report {run}",
    "measure compare {run} {run}",
    "measure schedule -f {run} --output-file -",
    "reconciler manifests",
    "migrate -f {small}",
    "gitops argocd",
    "gitops flux --path rendered @ {around}",
    "rights apply",
    "explain",
    "completion bash",
    "options",
    "version",
)
"""Each command that prints without a cluster."""

ANSWERED: Final = {"check": 1, "rights": 1, "measure cni": 0}
"""Commands that ask whether there are rights, or what there is to be seen: that rights are missing is the answer."""
