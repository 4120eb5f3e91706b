"""The product's watches, through the proxy: whatever breaks them, in the end they know what is there."""

from __future__ import annotations

import itertools
import threading
from typing import TYPE_CHECKING, Any

import pytest
from bed_client import path_of
from bed_objects import until
from product_room import AGENT, ROOT_CA, Product
from watch_lines import read_lines
from watch_recorder import Recorder

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.watching import Watcher

if TYPE_CHECKING:
    from pathlib import Path

    from bed_client import ApiClient, Json
    from bed_own import OwnBed
    from fault_handle import FaultProxy


class Follower:
    """Follows the ConfigMaps of a namespace by the product's watch, and keeps what it believes is there."""

    def __init__(self, product: Product, silence: float) -> None:
        item: type[dict[str, Any]] = dict
        self.believed: dict[str, str] = {}
        self._watcher = Watcher(
            product.connection,
            kinds.CONFIG_MAPS,
            item,
            namespace=product.namespace,
            silence=silence,
        )
        self.thread = threading.Thread(target=self._follow, daemon=True)
        self.thread.start()

    def _follow(self) -> None:
        for event in self._watcher.events():
            if event.type == "LISTED":
                self.believed = {}
            for item in event.items:
                meta = item["metadata"]
                if event.type == "DELETED":
                    self.believed.pop(meta["name"], None)
                else:
                    self.believed[meta["name"]] = meta["resourceVersion"]
            if "last" in self.believed:
                return


def churn(client: ApiClient, namespace: str) -> None:
    """Make, change and delete objects; the last one is called so."""
    collection = path_of("v1", "configmaps", namespace)
    for number in range(20):
        meta = {"name": f"m-{number}"}
        client.create(collection, {"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta}).ok()
        client.patch(f"{collection}/m-{number}", {"data": {"n": str(number)}}).ok()
        if number % 3 == 0:
            client.delete(f"{collection}/m-{number}").ok()
    last = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "last"}}
    client.create(collection, last).ok()


@pytest.mark.parametrize(
    ("do", "settings"),
    [
        ("drop", {"events": 5}),
        ("drop", {"events": 3, "how": "reset"}),
        ("drop", {"events": 4, "how": "end"}),
        ("drop", {"bytes": 1500}),
        ("expire", {"events": 6}),
        ("gone", {}),
        ("silent", {"events": 7}),
        ("error", {}),
        ("lag", {"seconds": 0.3}),
    ],
)
def test_a_disturbed_watch_ends_up_knowing_what_is_there(
    proxy: FaultProxy,
    own_bed: OwnBed,
    product: Product,
    tmp_path: Path,
    do: str,
    settings: Json,
) -> None:
    match = {"verb": "watch", "agent": AGENT, "limit": 2}
    proxy.rules({"name": do, "match": match, "do": do, "with": settings})
    collection = path_of("v1", "configmaps", product.namespace)
    out = tmp_path / "truth.jsonl"
    with own_bed.client() as client, Recorder(own_bed.access, [collection], out):
        follower = Follower(product, silence=1.0)
        until("the watch has begun", lambda: bool(proxy.fired()[do]))
        churn(client, product.namespace)
        follower.thread.join(60)
        there = {
            item["metadata"]["name"]: item["metadata"]["resourceVersion"]
            for item in client.get(collection).ok()["items"]
        }
        until("all is recorded", lambda: "last" in {one.get("name") for one in read_lines(out)})
    assert not follower.thread.is_alive()
    assert follower.believed == there
    history = [line for line in read_lines(out) if line.get("name", ROOT_CA) != ROOT_CA]
    assert len(history) == 20 * 2 + 7 + 1
    assert all(
        int(one["resourceVersion"]) < int(two["resourceVersion"])
        for one, two in itertools.pairwise(history)
    )
