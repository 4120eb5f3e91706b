"""Licences of what the tool brings along: which are allowed, and the page that lists them.

    python tests/checks/licences.py           # writes docs/licences.md from requirements/packages.json

`make lint` says when a licence is not allowed (``requirements/licences.toml``) or the page is not fresh.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import inventory
import locked
from license_expression import ExpressionError, get_spdx_licensing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inventory import Package, Part

RULES = locked.ROOT / "requirements/licences.toml"
PAGE = locked.ROOT / "docs/licences.md"
TEXTS = locked.ROOT / "THIRD-PARTY-LICENSES.txt"
HEADER = "=" * 80
_SPDX = get_spdx_licensing()


def rules() -> dict[str, Any]:
    """Give the file of rules."""
    return tomllib.loads(RULES.read_text(encoding="utf-8"))


def permitted(expression: str, allowed: set[str]) -> bool:
    """Tell whether a licence, or one of a choice, or all of a sum are allowed; what nobody knows is not."""
    try:
        return _holds(_SPDX.parse(expression, validate=True), allowed)
    except ExpressionError:
        return False


def _holds(node: Any, allowed: set[str]) -> bool:
    if isinstance(node, _SPDX.OR):
        return any(_holds(one, allowed) for one in node.args)
    if isinstance(node, _SPDX.AND):
        return all(_holds(one, allowed) for one in node.args)
    return node is not None and node.render() in allowed


def refused(packages: list[Package], allowed: set[str]) -> Iterator[str]:
    """Give a line for each package, and each part of one, whose licence is unknown or not allowed."""
    for package in packages:
        if not permitted(package.licence, allowed):
            yield f"{package.name} {package.version}: licence {package.licence or 'unknown'}"
        for part in package.parts:
            if not permitted(part.licence, allowed):
                licence = part.licence or "unknown"
                yield f"{package.name} {package.version}: licence {licence} of {part.name} in it"


def without_text(packages: list[Package], texts: str) -> Iterator[str]:
    """Give a line for each package whose licence text is not in the file that goes with the tool."""
    there = set(re.findall(rf"^{HEADER}\n(.*)\n{HEADER}$", texts, re.MULTILINE))
    for missing in sorted({title(one) for one in packages} - there):
        yield f"{TEXTS.name}: no text of {missing}; run make lock"


def title(package: Package) -> str:
    """Give the line that stands above the texts of a package."""
    return f"{package.name} {package.version} ({package.licence})"


def page(packages: list[Package]) -> str:
    """Give the page that lists all licences."""
    rows = "".join(f"| {one.name} | {one.version} | {one.licence} |\n" for one in packages)
    inside = "".join(map(_inside, filter(lambda one: one.parts, packages)))
    return (
        "# Licences\n\n"
        "kubectl-c9s itself is under the [Apache License 2.0](../LICENSE). The image and the archives bring these "
        "packages along, in the versions of the lock.\n"
        f"Their texts are in [{TEXTS.name}](../{TEXTS.name}), which goes into both. Which licences are allowed: "
        "[supply chain](supply-chain.md#licences).\n\n"
        "<!-- Written by `make lock`; `make lint` says when it is not fresh. -->\n\n"
        f"| package | version | licence |\n| --- | --- | --- |\n{rows}\n"
        "## Inside binary files\n\n"
        "Some packages hold code of others in a compiled form. This is what they say of it themselves. "
        f"Only libyaml is named here, because PyYAML does not.\n{inside}"
    )


def _inside(package: Package) -> str:
    groups: defaultdict[str, list[Part]] = defaultdict(list)
    for part in package.parts:
        groups[part.licence].append(part)
    rows = "".join(
        f"| {licence} | {', '.join(f'{one.name} {one.version}' for one in groups[licence])} |\n"
        for licence in sorted(groups)
    )
    return f"\n### {package.name}\n\n| licence | parts |\n| --- | --- |\n{rows}"


def main() -> int:
    """Write the page."""
    PAGE.write_text(page(inventory.load()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
