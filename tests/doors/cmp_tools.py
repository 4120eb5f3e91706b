"""Calls ``cmp generate`` as Argo CD does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml
from door_tools import Answer, call, parameters

if TYPE_CHECKING:
    from pathlib import Path


def generate(source: Path, env: dict[str, str] | None = None, **given: Any) -> Answer:
    return call("cmp", "generate", cwd=source, env=parameters(**given) | (env or {}))


def objects(answer: Answer) -> list[dict[str, Any]]:
    assert answer.code == 0, answer.err
    return list(yaml.safe_load_all(answer.out))


def names(answer: Answer) -> list[str]:
    return [f"{one['kind']}/{one['metadata']['name']}" for one in objects(answer)]
