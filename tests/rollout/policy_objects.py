"""RolloutPolicies as objects."""

from __future__ import annotations

from typing import Any

API = "toolkit.c9s.run/v1alpha1"


def policy(name: str = "pace", /, **spec: Any) -> dict[str, Any]:
    return {"apiVersion": API, "kind": "RolloutPolicy", "metadata": {"name": name}, "spec": spec}
