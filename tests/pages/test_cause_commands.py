"""Commands on pages of causes are run on a cluster that has objects of their names: each one finds something."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import causepages
import codepages
import pytest
from cluster_causes import make_all

from kubectl_c9s.resources.causes import CAUSES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from page_cluster import Cluster

# `kubectl edit` opens this instead of an editor: nothing is changed.
EDITOR = "<!-- run: bed -->\n```console\n$ export KUBE_EDITOR=true\n```\n"
NOTHING = re.compile(r"No resources found|not found", re.IGNORECASE)
CHANGES = re.compile(r"kubectl (cordon|delete|label|rollout restart|scale|uncordon) ")


def prepared(cluster: Cluster) -> None:
    cluster.tidy(labs=True)
    make_all(cluster)


@pytest.fixture(scope="module")
def prepared_cluster(page_cluster: Cluster) -> Cluster:
    """Give the cluster with an object for each command; who changes one prepares it anew."""
    prepared(page_cluster)
    return page_cluster


@pytest.fixture
def cluster(code: str, prepared_cluster: Cluster) -> Iterator[Cluster]:
    yield prepared_cluster
    if CHANGES.search(causepages.page(code)):
        prepared(prepared_cluster)


@pytest.mark.parametrize("code", sorted(CAUSES))
def test_the_commands_of_a_cause_do_something(
    code: str, player: Callable[..., str], cluster: Cluster
) -> None:
    marked = causepages.page(code).replace("```console\n", "<!-- checked: bed -->\n```console\n")
    played = player(EDITOR + marked, cluster.bed.kubeconfig)
    printed = "".join(block["body"] for block in codepages.FENCE.finditer(played))
    assert printed.count("$ ") > 1
    assert not NOTHING.search(printed), printed


def test_a_command_that_finds_nothing_is_seen(
    player: Callable[..., str], prepared_cluster: Cluster
) -> None:
    page = "<!-- checked: bed -->\n```console\n$ kubectl get pods -n lab -l c9s.run/no=such\n```\n"
    assert NOTHING.search(player(page, prepared_cluster.bed.kubeconfig))
