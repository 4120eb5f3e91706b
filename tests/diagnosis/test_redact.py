"""Without names a dump gives the same diagnosis, and nothing in it tells whose it was."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from redact_tools import Both, Json, Renamed, both, expected, without_texts
from snapshot_objects import NOW, SECRETS
from snapshot_pods import installation
from snapshot_sites import site

from kubectl_c9s.diagnosis.dump import WANTED
from kubectl_c9s.diagnosis.redactwords import WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

CASES = Path(__file__).parents[1] / "cases/diagnose"
NAMES = sorted(path.parent.name for path in CASES.glob("*/dump.json"))
WHEN = NOW.strftime("%Y-%m-%dT%H:%M:%SZ")
# What the generated installations have beside names, and never may be seen.
HIDDEN = (
    *SECRETS, "acme", "jane", "hidden", "hunter2", "Pa55", "tok-9f", "172.30.0.9", "10.42.19.0", "fe80", "192.0.2",
    "LICENSE", "gold-profile", "PASSWORD", "/opt/", "nos:", "9.9", "fpga", "r17", "payload", "xe-",
)  # fmt: skip


def of_case(name: str) -> Both:
    dump = json.loads((CASES / name / "dump.json").read_text(encoding="utf-8"))
    when = json.loads((CASES / name / "expected.json").read_text(encoding="utf-8"))["at"]
    return both(dump["items"], when)


def of_site(seed: int) -> Both:
    return both(site(random.Random(seed)), WHEN)  # noqa: S311 - nothing here is to be kept from anybody


@pytest.mark.parametrize("name", NAMES)
def test_a_case_keeps_its_diagnosis(name: str) -> None:
    found = of_case(name)
    assert found.new["verdict"] == found.plain["verdict"]
    assert without_texts(found.new) == expected(found)


def test_no_case_is_missed() -> None:
    assert len(NAMES) >= 18


@settings(max_examples=80)
@given(st.integers(0, 10**9))
def test_any_installation_keeps_its_diagnosis(seed: int) -> None:
    found = of_site(seed)
    assert without_texts(found.new) == expected(found)


@settings(max_examples=60)
@given(st.integers(0, 10**9))
def test_what_was_seen_of_one_namespace_keeps_its_diagnosis(seed: int) -> None:
    """Kinds may be missing, and of the manager there may be all, a Lease, or nothing."""
    dice = random.Random(seed)  # noqa: S311 - nothing here is to be kept from anybody
    objects = site(dice)
    spaces = sorted({one["metadata"].get("namespace", "") for one in objects} - {""})
    wanted, also = dice.choice(spaces), dice.choice(spaces)
    kinds = dice.choice(((), ("Lease",), ("Lease", "Config", "Pod", "Deployment")))
    missing = set(dice.sample(WANTED, dice.randint(0, 2)))
    seen = [
        one
        for one in objects
        if one["metadata"].get("namespace", wanted) == wanted
        or (one["metadata"]["namespace"] == also and one["kind"] in kinds)
    ]
    found = both(seen, WHEN, namespace=wanted, collected=set(WANTED) - missing)
    assert without_texts(found.new) == expected(found)


@pytest.mark.parametrize("name", NAMES)
def test_a_case_shows_no_name_image_or_address(name: str) -> None:
    found = of_case(name)
    assert list(shown(found)) == []
    texts = json.dumps(found.objects)
    addresses = set(re.findall(r"\b\d{1,3}(?:\.\d{1,3}){3}\b", texts))
    images = set(re.findall(r'"image": "([^"]+)"', texts))
    assert [one for one in addresses | images if one.encode() in found.text] == []


@settings(max_examples=80)
@given(st.integers(0, 10**9))
def test_no_installation_shows_anything_of_its_own(seed: int) -> None:
    found = of_site(seed)
    assert list(shown(found)) == []
    assert [one for one in HIDDEN if one.encode() in found.text] == []


def shown(found: Both) -> Iterator[str]:
    """Give the names of three letters or more that can still be read, but for words that anybody uses."""
    for one in found.objects:
        meta = one["metadata"]
        for name in (meta["name"], meta.get("namespace", "")):
            fixed = name.startswith("clabernetes") or name.isdigit() or name in WORDS
            within = any(name in word for word in WORDS)  # "lab" stands in "available"
            pattern = rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])" if within else re.escape(name)
            if len(name) > 2 and not fixed and re.search(pattern.encode(), found.text):
                yield name


@settings(max_examples=50)
@given(st.integers(0, 10**9))
def test_objects_keep_their_order_by_name_and_by_full_name(seed: int) -> None:
    found = of_site(seed)
    pairs = Renamed(found).pairs
    free = {
        key: new for key, new in pairs.items() if key[1] not in ("Lease", "Config", "Deployment")
    }
    for kind in {key[:2] for key in free}:
        rows = [(key[2:], new) for key, new in free.items() if key[:2] == kind]
        assert in_one_order((old, new) for old, new in rows)
        assert in_one_order(("/".join(old), "/".join(new)) for old, new in rows)


def in_one_order(rows: Iterable[tuple[object, object]]) -> bool:
    """Tell whether both columns, sorted, are the same rows; nothing comes twice in only one of them."""
    found = set(rows)
    by_old = sorted(found, key=lambda row: row[0])  # type: ignore[arg-type, return-value]
    by_new = sorted(found, key=lambda row: row[1])  # type: ignore[arg-type, return-value]
    return by_old == by_new and len({row[1] for row in found}) == len({row[0] for row in found})


def test_the_same_objects_get_the_same_names() -> None:
    assert of_site(7).text == of_site(7).text


def test_objects_that_a_diagnosis_never_looks_at_are_left_out() -> None:
    stranger = installation("elsewhere")[0]
    stranger["metadata"]["labels"] = {"app": "acme-shop"}
    lease = {
        "apiVersion": "coordination.k8s.io/v1",
        "kind": "Lease",
        "metadata": {"name": "acme", "namespace": "x"},
    }
    found = both([*installation("c9s"), stranger, lease], WHEN)
    kinds = {kind: len(objects) for kind, objects in found.redacted.objects.items() if objects}
    assert kinds == {"deployments.apps": 2, "pods": 2, "leases.coordination.k8s.io": 1}


@pytest.mark.parametrize(
    ("app", "pods", "holder"),
    [
        ("clabernetes", 1, "clabernetes-{0}-abcdef"),
        ("acme", 3, "clabernetes-{1}-abcdef"),
        ("clabernetes-acme-production-eu-central-very-long", 3, "clabernetes-{1}-abcdef"),
        ("acme-production-eu-central-very-long-indeed", 2, "clabernetes-{0}-abcdef"),
        ("acme", 2, "somebody-else"),
        ("acme", 2, "clabernetes-acme-manager"),
    ],
)
def test_the_holder_of_a_lease_is_the_same_pod(app: str, pods: int, holder: str) -> None:
    """A text of 63 characters was cut, and may fit several Pods (config-and-chart.md §4)."""
    objects = installation("c9s", app)
    names = [f"{app}-manager-8f97b79819-dfmc{number}" for number in range(pods)]
    objects[0]["metadata"]["name"] = names[0]
    for number, name in enumerate(names[1:]):
        another: Json = json.loads(json.dumps(objects[0]))
        another["metadata"] |= {"name": name, "uid": f"cfc45eb2-aeeb-502a-b45b-1f470845100{number}"}
        objects.append(another)
    objects[1]["spec"]["holderIdentity"] = (
        holder.format(*names)[:55].ljust(63, "0")[:63]
        if len(holder.format(*names)) > 63
        else holder.format(*names)
    )
    found = both(objects, WHEN)
    assert without_texts(found.new) == expected(found)
    assert b"acme" not in found.text
    leads = all(one["code"] != "manager-no-leader" for one in found.plain["causes"])
    assert leads is ("{" in holder)
