"""Examples of codes that only a cluster gives print there what the page shows, and the mended way works."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import codepages
import pytest
import standin_names as names
from bed_client import path_of
from bed_objects import load_crds
from page_places import ROOT
from standin_run import wait_for
from test_pages import UNPLAYED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from page_cluster import Cluster

CONFIG = """\
apiVersion: c9s.run/v1alpha1
kind: Config
metadata: {name: clabernetes, namespace: c9s}
"""
NODE = """\
apiVersion: c9s.run/v1alpha1
kind: Node
metadata: {{name: {0}, namespace: lab, annotations: {{testbed.c9s.run/fail: "{1}"}}}}
spec: {{kind: linux, image: "busybox:1.37"}}
---
"""


class Case(NamedTuple):
    """What there is before the example, and its exit code."""

    before: str
    status: int = 4


def config(**limits: int) -> str:
    return f"{CONFIG}spec: {{rollout: {limits}}}\n"


def applied(text: str, flags: str = "") -> str:
    return f"kubectl apply {flags} -f - <<END\n{text}END\n"


RUN = "<!-- run: bed -->\n"
WAITING = (
    applied(config(batchSize=2), "--server-side --force-conflicts")
    + applied("".join(NODE.format(f"r{number}", "sandbox") for number in (1, 2)))
    + "until [ $(kubectl get pods -n lab -o name | wc -l) = 2 ]; do sleep 0.2; done\n"
    + applied("".join(NODE.format(f"r{number}", "") for number in (3, 4)))
)
CASES = {
    "changed-since-read": Case(
        "kubectl c9s rollout set config --batch-size 10 --yes\n"
        "kubectl patch configs.c9s.run clabernetes -n c9s --type merge"
        """ -p '{"spec": {"rollout": {"batchSize": 20}}}'\n"""
    ),
    "gitops-owner": Case(
        applied(config(batchSize=100), "--server-side --force-conflicts --field-manager argocd-controller")
        + f"cat > config.yaml <<END\n{config(batchSize=100)}END\n"
    ),
    "probe-needs-peer": Case(
        applied(NODE.format("r1", "") + NODE.format("r2", ""))
        + "kubectl c9s status -n lab --for ready --timeout 1m\n"
        "kubectl patch deployments r1 -n lab --type json -p '[{"
        '"op": "replace", "path": "/spec/template/spec/containers/0/startupProbe/exec/command",'
        """ "value": ["ping", "-c1", "r2"]}]'\n"""
        "kubectl rollout status -n lab deployment/r1\n",
        status=0,
    ),
    "rollout-unsupported": Case(
        "kubectl patch crd configs.c9s.run --type json -p '[{"
        '"op": "remove", "path": "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/rollout"'
        "}]'\n"
        "while kubectl explain configs.c9s.run.spec.rollout >/dev/null 2>&1; do sleep 0.2; done\n"
    ),
    "would-block": Case(
        applied(NODE.format("r1", "sandbox"))
        + "until kubectl get pods -n lab -o wide | grep -q worker-; do sleep 0.2; done\n"
    ),
    "would-release": Case(WAITING),
}  # fmt: skip


@pytest.fixture
def cluster(page_cluster: Cluster) -> Iterator[Cluster]:
    page_cluster.tidy(labs=False)
    yield page_cluster
    load_crds(page_cluster.client)
    configs = path_of(names.VERSION, "configs")
    wait_for("Configs are served", lambda: page_cluster.client.get(configs).status == 200)


def test_every_page_that_takes_a_cluster_is_played_here() -> None:
    assert CASES.keys() == {code for code, why in UNPLAYED.items() if "takes a cluster" in why}


@pytest.mark.parametrize("code", sorted(CASES))
def test_the_example_of_a_page_is_what_the_cluster_answers(
    code: str, player: Callable[..., str], cluster: Cluster, *, update_golden: bool
) -> None:
    text, case = codepages.page(code), CASES[code]
    before = f"<!-- prepare: bed\nset -e\n{case.before}-->\n"
    marker = f"<!-- checked: bed exit {case.status} -->\n"
    example, heading, mend = text.partition("\n## Mend\n")
    example = example.replace("```console\n", f"{before}{marker}```console\n")
    marked = example + heading + mend.replace("```console\n", f"{RUN}```console\n")
    played = player(marked, cluster.bed.kubeconfig)
    if update_golden:
        shown = played.replace(before, "").replace(marker, "").replace(RUN, "")
        (ROOT / "docs/codes" / f"{code}.md").write_text(shown, encoding="utf-8")
    else:
        assert played == marked
