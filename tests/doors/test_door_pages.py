"""docs/kustomize.md and docs/argocd.md name every setting; tests/pages plays their examples."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from door_tools import ROOT

from kubectl_c9s.cli.doorsettings import FUNCTION, PLUGIN, VALIDATOR

if TYPE_CHECKING:
    from pathlib import Path


def page(name: str) -> Path:
    return ROOT / "docs" / name


def test_the_pages_name_every_setting() -> None:
    fields = set(re.findall(r"`(\w+)`", table("kustomize.md")))
    assert fields == {one.camel() for one in FUNCTION} | {"topology"}
    whole = page("kustomize.md").read_text(encoding="utf-8")
    assert all(f"`{one.camel()}`" in whole for one in VALIDATOR)
    named = set(re.findall(r"`([\w-]+)`", table("argocd.md")))
    assert {one.name for one in PLUGIN} <= named


def table(name: str) -> str:
    """Give the first cells of the table of settings, without what explains them."""
    rows = re.findall(
        r"^\| ([^|]*`[^|]*) \|.*\|.*\|$", page(name).read_text(encoding="utf-8"), re.MULTILINE
    )
    return "\n".join(rows)
