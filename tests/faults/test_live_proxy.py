"""The proxy as a whole: many clients at once, identities, control, repetition."""

from __future__ import annotations

import concurrent.futures
import contextlib
import http.client
import json
from typing import TYPE_CHECKING

import pytest
from audit_reader import AuditLog
from bed_client import ApiClient, path_of
from bed_objects import until
from fault_handle import FaultProxy, ProxyBroken

if TYPE_CHECKING:
    from pathlib import Path

    from bed_client import Json
    from bed_own import OwnBed

MAPS = "v1", "configmaps"


def config_map(name: str, data: str = "") -> Json:
    meta = {"name": name}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta, "data": {"it": data}}


def test_many_clients_at_once_get_each_their_own_answers(
    proxy: FaultProxy, own_bed: OwnBed
) -> None:
    def work(number: int) -> list[bool]:
        text = str(number) * 2000
        with proxy.client() as client:
            client.create(path_of(*MAPS, namespace), config_map(f"m-{number}", text)).ok()
            path = path_of(*MAPS, namespace, f"m-{number}")
            return [client.get(path).ok()["data"]["it"] == text for _ in range(8)]

    proxy.rules({"do": "latency", "with": {"seconds": {"uniform": [0, 0.02]}}})
    with (
        own_bed.namespace("faults") as namespace,
        concurrent.futures.ThreadPoolExecutor(16) as pool,
    ):
        assert all(all(one) for one in pool.map(work, range(16)))
    assert {one.end["why"] for one in proxy.settled() if one.end} == {"done"}


def seen_fates(proxy: FaultProxy, namespace: str) -> list[str]:
    """Ask for eight things, twice each, and give how each was answered."""
    found = []
    with proxy.client() as client:
        for name in [f"m-{number % 8}" for number in range(16)]:
            try:
                found.append(str(client.get(path_of(*MAPS, namespace, name)).status))
            except (OSError, http.client.HTTPException):
                found.append("lost")
    return found


def test_the_same_seed_and_the_log_give_the_same_faults_again(
    proxy: FaultProxy, own_bed: OwnBed, tmp_path: Path
) -> None:
    rules = [
        {"do": "error", "match": {"probability": 0.3}},
        {"do": "lost-reply", "match": {"probability": 0.3}},
    ]
    with own_bed.namespace("faults") as one, own_bed.namespace("faults") as two:
        proxy.rules(*rules, seed=5)
        first = seen_fates(proxy, one)
        log = tmp_path / "first.jsonl"
        log.write_bytes(proxy.log.read_bytes())
        proxy.rules(*rules, seed=5)
        assert seen_fates(proxy, two) == first
        proxy.rules(*rules, seed=6)
        assert seen_fates(proxy, one) != first
        proxy.replay(log)
        assert seen_fates(proxy, two) == first
    assert set(first) == {"404", "500", "lost"}


def test_a_token_goes_through_with_its_own_rights_and_its_own_name(
    proxy: FaultProxy, own_bed: OwnBed
) -> None:
    with own_bed.namespace("faults") as namespace:
        token = own_bed.service_account(namespace, "small")
        audit = AuditLog(own_bed.audit_log)
        with proxy.client(token) as client:
            assert client.get(path_of(*MAPS, namespace)).status == 403
        user = f"system:serviceaccount:{namespace}:small"
        (entry,) = audit.when(bool, user=user)
    assert (entry.verb, entry.code) == ("list", 403)
    (only,) = proxy.settled()
    assert only.request["user"] == user
    assert only.end
    assert only.end["audit"] == entry.id


def test_a_client_without_a_token_is_nobody_to_the_server(
    proxy: FaultProxy, own_bed: OwnBed
) -> None:
    own = own_bed.access
    nobody = ApiClient(
        type(own)(proxy.access.server, proxy.access.ca, own.cert, own.key), agent="nobody"
    )
    with nobody as client:
        assert client.get(path_of(*MAPS, "default")).status in {401, 403}


def test_bad_rules_are_refused_with_the_reason_and_the_old_ones_stay(proxy: FaultProxy) -> None:
    proxy.rules({"name": "old", "do": "error", "match": {"path": "/nowhere"}})
    with pytest.raises(ProxyBroken, match="explode"):
        proxy.rules({"do": "explode"})
    assert proxy.fired() == {"old": 0}


def test_control_is_for_those_who_know_the_secret(proxy: FaultProxy) -> None:
    url = json.loads((proxy.folder / "control.json").read_text(encoding="utf-8"))["url"]
    host = url.removeprefix("http://")
    with contextlib.closing(http.client.HTTPConnection(host, timeout=30)) as connection:
        connection.request("POST", "/stop", headers={"Authorization": "Bearer guess"})
        assert connection.getresponse().status == 401
    assert proxy.state()["open"] >= 0


def test_what_hangs_is_let_go_when_the_rules_change(proxy: FaultProxy) -> None:
    proxy.rules({"do": "hang", "match": {"path": "/version"}})
    with concurrent.futures.ThreadPoolExecutor() as pool, proxy.client() as client:
        waiting = pool.submit(client.get, "/version")
        until("the request hangs", lambda: bool(proxy.fired()["rule-1"]))
        proxy.rules()
        assert isinstance(waiting.exception(), (OSError, http.client.HTTPException))
