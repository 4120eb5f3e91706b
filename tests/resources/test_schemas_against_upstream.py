"""Our schemas say what the CRDs of clabernetes say; runs where a folder with these CRDs is at hand."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from kube_samples import CRDS

from kubectl_c9s.resources.crd import crd
from kubectl_c9s.resources.schema import KINDS

UNORDERED = {"required", "enum", "shortNames", "x-kubernetes-list-map-keys"}

pytestmark = pytest.mark.skipif(not CRDS.is_dir(), reason="the folder of shared CRDs is not here")


def upstream(kind: str) -> dict[str, Any]:
    for file in CRDS.glob("c9s.run_*.yaml"):
        loaded = yaml.load(file.read_text(encoding="utf-8"), yaml.CSafeLoader)
        if loaded["spec"]["names"]["kind"] == kind:
            return dict(loaded)
    raise AssertionError(f"no CRD of {kind}")


def normal(value: Any, key: str = "", *, named: bool = False) -> Any:
    """Drop what is not compared: descriptions, messages of rules, order without a meaning.

    ``named`` tells that the keys of ``value`` are names of fields, not words of the schema language.
    """
    if isinstance(value, dict):
        dropped = set() if named else {"description", "message"}
        return {
            name: normal(item, name, named=name == "properties" and not named)
            for name, item in value.items()
            if name not in dropped
        }
    if isinstance(value, list):
        items = [normal(item) for item in value]
        return sorted(items) if key in UNORDERED else items
    return value


def differences(ours: Any, theirs: Any, place: str = "") -> list[str]:
    """Name all places at which two values differ."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        found = []
        for name in sorted(ours.keys() | theirs.keys()):
            if name not in ours or name not in theirs:
                found.append(f"{place}.{name}: only {'ours' if name in ours else 'upstream'}")
            else:
                found += differences(ours[name], theirs[name], f"{place}.{name}")
        return found
    same = type(ours) is type(theirs) and ours == theirs
    return [] if same else [f"{place}: {ours!r} is {theirs!r} upstream"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_definition_of_ours_differs_in_nothing_but_texts(kind: str) -> None:
    theirs = upstream(kind)
    del theirs["metadata"]["annotations"]
    assert differences(normal(crd(kind)), normal(theirs)) == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_single_change_upstream_would_be_noticed(kind: str) -> None:
    theirs = upstream(kind)
    del theirs["metadata"]["annotations"]
    compared = normal(theirs)
    ours = normal(crd(kind))
    count = 0
    for part, key in leaves(compared):
        kept = part.pop(key)
        assert differences(ours, compared)
        part[key] = kept
        count += 1
    assert count > 50


def leaves(value: Any) -> list[tuple[dict[str, Any], str]]:
    """Give every key of every mapping within, lists of mappings included."""
    if isinstance(value, list):
        return [leaf for item in value for leaf in leaves(item)]
    if not isinstance(value, dict):
        return []
    own = [(value, key) for key in value]
    return own + [leaf for item in value.values() for leaf in leaves(item)]
