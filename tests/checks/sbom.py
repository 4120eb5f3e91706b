"""Write the SBOM of what images and archives hold, as CycloneDX 1.6, from ``requirements/packages.json``.

    python tests/checks/sbom.py                # dist/kubectl-c9s-<version>.cdx.json
    python tests/checks/sbom.py FILE

The same lock gives the same bytes; the time in it is SOURCE_DATE_EPOCH.
"""

from __future__ import annotations

import os
import sys
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import inventory
import locked
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL
from packaging.utils import canonicalize_name

from kubectl_c9s import __version__

if TYPE_CHECKING:
    from inventory import Package, Part

# The first second a zip file can carry, as in the Containerfile.
EARLIEST = "315532800"


def bom(packages: list[Package]) -> Bom:
    """Give the tool, what it needs, what that needs, and what is inside of each."""
    tool = component("kubectl-c9s", __version__, "Apache-2.0", ComponentType.APPLICATION)
    parts = {one.name: package_component(one) for one in packages}
    made = Bom(components=parts.values())
    made.metadata.component = tool
    made.metadata.timestamp = datetime.fromtimestamp(
        int(os.environ.get("SOURCE_DATE_EPOCH", EARLIEST)), UTC
    )
    direct = {canonicalize_name(one.name) for one in locked.declared()}
    made.register_dependency(tool, [parts[name] for name in sorted(direct)])
    for one in packages:
        needs = sorted(inventory.needed(one))
        made.register_dependency(parts[one.name], [parts[name] for name in needs])
    # A number of its own, but the same for the same content.
    content = f"{__version__} {inventory.dump(packages)}"
    made.serial_number = uuid.uuid5(uuid.NAMESPACE_URL, content)
    return made


def component(
    name: str, version: str, licence: str, kind: ComponentType = ComponentType.LIBRARY
) -> Component:
    """Give a Python package."""
    purl = PackageURL("pypi", name=name, version=version)
    return Component(
        name=name, version=version, type=kind, licenses=[LicenseExpression(licence)], purl=purl,
        bom_ref=purl.to_string(),
    )  # fmt: skip


def package_component(package: Package) -> Component:
    """Give a package with its parts."""
    made = component(package.name, package.version, package.licence)
    made.components = (part_component(package, part) for part in package.parts)
    return made


def part_component(package: Package, part: Part) -> Component:
    """Give something inside a package; two packages may hold the same, so that its name alone is no reference."""
    return Component(
        name=part.name, version=part.version, licenses=[LicenseExpression(part.licence)],
        purl=PackageURL.from_string(part.purl), bom_ref=f"{package.name}:{part.purl}",
    )  # fmt: skip


def main(arguments: list[str]) -> int:
    """Write the file."""
    usual = locked.ROOT / f"dist/kubectl-c9s-{__version__}.cdx.json"
    target = Path(arguments[0]) if arguments else usual
    target.parent.mkdir(parents=True, exist_ok=True)
    text = JsonV1Dot6(bom(inventory.load())).output_as_string(indent=1)
    target.write_text(text + "\n", encoding="utf-8")
    print(target)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
