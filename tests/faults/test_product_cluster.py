"""The product's own room for API servers, through the proxy: what passes is waited out, nothing is done twice."""

from __future__ import annotations

import concurrent.futures
from typing import TYPE_CHECKING, Any

import pytest
from product_room import AGENT, ROOT_CA

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.errors import Unreachable
from kubectl_c9s.cluster.reading import list_objects

if TYPE_CHECKING:
    from bed_client import Json
    from fault_handle import FaultProxy
    from product_room import Product


def rule(do: str, nth: int | list[int] = 1, *, verb: str = "patch", **settings: Any) -> Json:
    """Make a rule for the product's requests, by default the first one for each object."""
    match = {"verb": verb, "agent": AGENT, "resource": "configmaps", "nth": nth, "per": "object"}
    return {"name": do, "match": match, "do": do, "with": settings}


def verbs(proxy: FaultProxy) -> list[str]:
    """Give the verbs of the product's requests in order."""
    return [one.request["verb"] for one in proxy.settled()]


def test_a_storm_of_429_is_waited_out_and_nothing_is_written_twice(
    proxy: FaultProxy, product: Product
) -> None:
    names = [f"m-{number}" for number in range(24)]
    proxy.rules(rule("too-many-requests", [1, 2], retryAfter=0))
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        done = list(pool.map(product.apply, names))
    assert {one.result for one in done} == {"created"}
    assert proxy.fired() == {"too-many-requests": 48}
    product.assert_written_once(*names)


@pytest.mark.parametrize("do", ["too-many-requests", "unavailable"])
def test_a_server_that_says_when_is_asked_again_then_and_not_earlier(
    proxy: FaultProxy, product: Product, do: str
) -> None:
    proxy.rules(rule(do, retryAfter=1))
    product.apply("it")
    first, second = proxy.settled()
    assert second.request["mono"] - first.request["mono"] >= 1
    product.assert_written_once("it")


@pytest.mark.parametrize("how", ["close", "reset"])
def test_a_write_whose_reply_was_lost_is_read_back_and_not_repeated(
    proxy: FaultProxy, product: Product, how: str
) -> None:
    proxy.rules(rule("lost-reply", how=how))
    assert product.apply("it", a="b").live["data"] == {"a": "b"}
    assert verbs(proxy).count("patch") == 1
    product.assert_written_once("it")


def test_a_write_that_was_lost_on_its_way_is_read_back_and_repeated(
    proxy: FaultProxy, product: Product
) -> None:
    proxy.rules(rule("lost-request"))
    assert product.apply("it").result == "created"
    found = verbs(proxy)
    assert found.count("patch") == 2
    assert found[0] == found[-1] == "patch"
    assert set(found[1:-1]) <= {"get", "list"} != set()
    product.assert_written_once("it")


def test_an_ambiguous_refusal_of_a_write_is_read_back_first(
    proxy: FaultProxy, product: Product
) -> None:
    proxy.rules(rule("error"), rule("unavailable", 2))
    assert product.apply("it").result == "created"
    found = verbs(proxy)
    assert found.count("patch") == 3
    product.assert_written_once("it")


def test_a_write_that_hangs_ends_with_an_error_and_claims_nothing(
    proxy: FaultProxy, product: Product
) -> None:
    proxy.rules({"name": "hang", "do": "hang", "match": {"verb": "patch", "agent": AGENT}})
    impatient = product.connect(proxy, timeout=1.0)
    with pytest.raises(Unreachable):
        product.apply("it", impatient)
    impatient.close()
    assert proxy.fired()["hang"] > 0


@pytest.mark.parametrize(
    ("do", "settings"),
    [
        ("error", {}),
        ("unavailable", {"retryAfter": 0}),
        ("too-many-requests", {"retryAfter": 0, "plain": True}),
        ("lost-request", {}),
        ("lost-reply", {"how": "reset"}),
        ("drop", {"bytes": 500}),
    ],
)
def test_a_list_is_whole_whatever_happens_on_the_way(
    proxy: FaultProxy, product: Product, do: str, settings: Json
) -> None:
    product.apply("a", text="x" * 2000)
    product.apply("b")
    item: type[dict[str, Any]] = dict
    proxy.rules(rule(do, [1, 2], verb="list", **settings))
    listing = list_objects(product.connection, kinds.CONFIG_MAPS, item, namespace=product.namespace)
    assert {one["metadata"]["name"] for one in listing.items} - {ROOT_CA} == {"a", "b"}
    assert proxy.fired() == {do: 2}
