"""Look at what the tool brings along: the lock, its licences, withdrawn releases, known vulnerabilities.

    python tests/checks/audit.py

What needs no network is always looked at. The package index and the advisory service are asked, too; when one does not
answer, a line says so, and with AUDIT_REQUIRED=1 it is an error. AUDIT_OSV_URL names another advisory service, one that
speaks OSV (https://…/v1/query). Exit 0 when all is well, 1 with a line for each thing that is not.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from functools import partial
from typing import TYPE_CHECKING

import inventory
import licences
import locked
from packaging.requirements import Requirement

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inventory import Package


class NotAsked(Exception):
    """A service gave no answer; the text says which and why."""


def offline() -> Iterator[str]:
    """Give a line for each thing that is wrong with the lock and with what is made from it."""
    packages = inventory.load()
    run = (locked.ROOT / locked.RUN).read_text(encoding="utf-8")
    yield from (f"{locked.RUN}:{line}" for line in locked.flaws(run))
    yield from (f"{line}; run make lock" for line in inventory.stale(locked.pins(run), packages))
    yield from build_tools()
    yield from licences_of(packages)


def build_tools() -> Iterator[str]:
    """Give a line for each thing that is wrong with the lock of what builds the wheel."""
    text = (locked.ROOT / locked.BUILD).read_text(encoding="utf-8")
    yield from (f"{locked.BUILD}:{line}" for line in locked.flaws(text))
    project = tomllib.loads((locked.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = map(Requirement, project["build-system"]["requires"])
    found = {pin.name: pin.version for pin in locked.pins(text)}
    yield from (f"{locked.BUILD}: {line}; run make lock" for line in locked.unmet(wanted, found))


def licences_of(packages: list[Package]) -> Iterator[str]:
    """Give a line for each licence that is not allowed, and when the list or the texts are not of these packages."""
    allowed = set(licences.rules()["allowed"])
    yield from (
        f"{line}, not in {licences.RULES.name}" for line in licences.refused(packages, allowed)
    )
    yield from licences.without_text(packages, licences.TEXTS.read_text(encoding="utf-8"))
    if licences.PAGE.read_text(encoding="utf-8") != licences.page(packages):
        yield "docs/licences.md is not fresh; run make lock"


def withdrawn(lock: Path) -> list[str]:
    """Ask the index which releases of a lock were yanked. uv reads it; nothing is installed."""
    with tempfile.TemporaryDirectory() as nowhere:
        command = [
            *(sys.executable, "-m", "uv", "pip", "install", "--no-config", "--dry-run"),
            *("--no-deps", "--require-hashes", "--only-binary", ":all:", "--target", nowhere),
            *("--requirements", str(lock)),
        ]
        done = run(command)
    if unreached := re.search(r"Failed to fetch: (.*)", done.stderr):
        raise NotAsked(f"withdrawn releases: cannot fetch {unreached[1]}")
    if done.returncode:
        return [f"{lock.name}: {line}" for line in done.stderr.splitlines() if line.strip()]
    return re.findall(r"^warning: (.* is yanked.*)$", done.stderr, re.MULTILINE)


def vulnerable(lock: Path, accepted: list[str]) -> list[str]:
    """Ask the advisory service about every package of a lock, through pip-audit."""
    osv = os.environ.get("AUDIT_OSV_URL")
    service = ["--vulnerability-service", "osv", "--osv-url", osv] if osv else []
    command = [
        *(sys.executable, "-m", "pip_audit", "--requirement", str(lock), "--require-hashes"),
        *("--disable-pip", "--progress-spinner", "off", "--desc", "off", "--timeout", "10"),
        *("--format", "json", *service),
        *(word for one in accepted for word in ("--ignore-vuln", one)),
    ]
    done = run(command)
    try:
        answer = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        raise NotAsked(f"vulnerabilities: {last_line(done.stderr)}") from None
    # pip-audit ends well when the service knows no package at all, as a mirror without advisories does not.
    if skipped := [one["skip_reason"] for one in answer if "skip_reason" in one]:
        raise NotAsked(f"vulnerabilities of {len(skipped)} of {len(answer)} packages: {skipped[0]}")
    return [
        f"{one['name']} {one['version']}: {found['id']}, mended in "
        f"{', '.join(found['fix_versions']) or 'no version'}"
        for one in answer
        for found in one["vulns"]
    ]


def run(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a program that asks a service, with little patience."""
    limits = {"UV_HTTP_TIMEOUT": "10", "UV_HTTP_RETRIES": "1"}
    return subprocess.run(
        command, check=False, capture_output=True, text=True, env={**os.environ, **limits}
    )


def last_line(text: str) -> str:
    """Give the last line that says something: of a traceback, the error."""
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "no answer")


def main() -> int:
    """Do all checks and print what they find."""
    lock = locked.ROOT / locked.RUN
    accepted = [one["id"] for one in licences.rules().get("accepted", ())]
    found = list(offline())
    unasked = []
    for ask in (withdrawn, partial(vulnerable, accepted=accepted)):
        try:
            found += ask(lock)
        except NotAsked as reason:
            unasked.append(f"NOT ASKED for {reason}")
    required = os.environ.get("AUDIT_REQUIRED") == "1"
    for line in (*found, *(unasked if required else ())):
        print(f"audit: error: {line}")
    for line in () if required else unasked:
        print(f"audit: warning: {line} (an error with AUDIT_REQUIRED=1)")
    if not found:
        print(
            f"audit: {len(inventory.load())} packages: lock complete, hashes there, licences allowed"
        )
    return 1 if found or (unasked and required) else 0


if __name__ == "__main__":
    sys.exit(main())
