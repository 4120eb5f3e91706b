"""A diagnosis in the shape of a validation report, for JUnit and SARIF: a verdict for each object that is blamed."""

from __future__ import annotations

from typing import Any, Final

from kubectl_c9s.resources.findings import Position
from kubectl_c9s.resources.verdicts import Issue, Level, Report, Verdict

_LEVELS: Final[dict[str, Level]] = {"stuck": "error", "config": "error", "slow": "warning"}
_WHOLE: Final = {"apiVersion": "c9s.run/v1alpha1", "kind": "Config", "name": "installation"}


def verdicts(report: dict[str, Any]) -> Report:
    """Give a verdict for each blamed object; without any, one that says that the installation is well."""
    found: dict[tuple[str, str, str, str], list[Issue]] = {}
    for cause in report["causes"]:
        level = _LEVELS.get(cause["state"], "info")
        seen = "; ".join(evidence["text"] for evidence in cause["evidence"][:1])
        remedy = f"; remedy: {cause['remedy']['text']}" if cause["remedy"] else ""
        sub = f" ({cause['sub']})" if cause.get("sub") else ""
        scope = "" if cause["scope"] == ["info"] else f" [holds up {', '.join(cause['scope'])}]"
        issue = Issue(level, cause["code"], "", f"{cause['code']}{sub}{scope}: {seen}{remedy}")
        for obj in cause["objects"] or [_WHOLE]:
            found.setdefault(_key(obj), []).append(issue)
    if not found:
        found[_key(_WHOLE)] = []
    return Report(
        tuple(Verdict(*key, Position("cluster"), tuple(issues)) for key, issues in found.items())
    )


def _key(obj: dict[str, str]) -> tuple[str, str, str, str]:
    return obj["apiVersion"], obj["kind"], obj.get("namespace", ""), obj["name"]
