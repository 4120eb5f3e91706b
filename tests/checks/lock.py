"""Write the lock of what the tool needs at run time, and what is made from it. Needs the network.

    python tests/checks/lock.py                               # keeps the versions that still fit setup.cfg
    python tests/checks/lock.py --upgrade                     # takes the newest ones
    python tests/checks/lock.py --upgrade-package urllib3     # takes the newest one of a package

Further arguments go to `uv pip compile`. Written are ``requirements/run.lock`` and ``build.lock`` (what builds the
wheel), ``requirements/packages.json``, ``THIRD-PARTY-LICENSES.txt`` and ``docs/licences.md``.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from email.parser import HeaderParser
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import inventory
import licences
import locked
from inventory import Package, Part
from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression
from packaging.requirements import Requirement
from packaging.utils import parse_wheel_filename

if TYPE_CHECKING:
    from email.message import Message

# Where a licence is only a classifier: those that name one licence and not a family.
CLASSIFIED = {
    "License :: OSI Approved :: Apache Software License": "Apache-2.0",
    "License :: OSI Approved :: ISC License (ISCL)": "ISC",
    "License :: OSI Approved :: MIT License": "MIT",
    "License :: OSI Approved :: Python Software Foundation License": "PSF-2.0",
}
# What is in the name of a file that has to be given on.
WORDS = ("licen", "notice", "copying", "copyright")
HEAD = """\
This file has the licences of the packages that come with kubectl-c9s in images and archives. docs/licences.md lists
them, with what their binary files hold. Written by `make lock`.
"""


def compile_lock(source: list[str], text: str, target: str, more: list[str]) -> None:
    """Let uv choose versions for all systems; the file names no index, so that any mirror will do."""
    command = [
        *(sys.executable, "-m", "uv", "pip", "compile", "--no-config", "--quiet", "--universal"),
        *("--python-version", "3.11", "--generate-hashes", "--no-emit-index-url", *more),
        *("--custom-compile-command", "make lock", "--output-file", target, *source),
    ]
    subprocess.run(command, cwd=locked.ROOT, check=True, input=text, text=True)


def fetch(folder: Path) -> list[Path]:
    """Download the wheels of the lock for this machine, hashes checked."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    flags = ["--require-hashes", "--no-deps", "--only-binary=:all:", "--dest", str(folder)]
    subprocess.run([*pip, *flags, "-r", str(locked.ROOT / locked.RUN)], check=True)
    return sorted(folder.glob("*.whl"), key=lambda path: parse_wheel_filename(path.name)[0])


def describe(wheel: Path, rules: dict[str, Any]) -> Package:
    """Give what the metadata of a wheel says."""
    name, version, _, _ = parse_wheel_filename(wheel.name)
    files = in_metadata(wheel)
    metadata = HeaderParser().parsestr(files["METADATA"])
    requires = [line for line in metadata.get_all("Requires-Dist", ()) if not only_extra(line)]
    known = [
        Part(one["name"], one["version"], one["licence"], one["purl"])
        for one in rules.get("parts", ())
        if one["of"] == name
    ]
    boms = [
        text for path, text in files.items() if path.startswith("sboms/") and path.endswith(".json")
    ]
    parts = {*known, *(part for text in boms for part in components(text))}
    return Package(
        name=name,
        version=str(version),
        licence=rules.get("clarified", {}).get(name) or licence(metadata),
        requires=sorted(str(Requirement(line)) for line in requires),
        parts=sorted(parts, key=lambda one: (one.name, one.version)),
    )


def in_metadata(wheel: Path) -> dict[str, str]:
    """Give the files of a wheel's metadata as text, by their path in it."""
    with zipfile.ZipFile(wheel) as archive:
        names = [PurePosixPath(name) for name in archive.namelist() if not name.endswith("/")]
        return {
            str(PurePosixPath(*name.parts[1:])): archive.read(str(name)).decode("utf-8", "replace")
            for name in names
            if name.parts[0].endswith(".dist-info")
        }


def only_extra(line: str) -> bool:
    """Tell whether a requirement is for an extra only, or for places where the tool does not run."""
    marker = Requirement(line).marker
    return marker is not None and not any(marker.evaluate(place) for place in locked.PLACES)


def licence(metadata: Message) -> str:
    """Give the licence that metadata names as SPDX expression; an empty string if it names none that is one."""
    fields = [metadata.get("License-Expression"), metadata.get("License")]
    classifiers = [CLASSIFIED.get(line) for line in metadata.get_all("Classifier", ())]
    for text in (*fields, *classifiers):
        if text and (found := spdx(text)):
            return found
    return ""


def spdx(text: str) -> str:
    """Give an expression in its usual spelling; an empty string for other text."""
    try:
        # Crates of old wrote a slash for a choice.
        return canonicalize_license_expression(text.replace("/", " OR "))
    except InvalidLicenseExpression:
        return ""


def components(bom: str) -> list[Part]:
    """Give what a wheel's own CycloneDX file (PEP 770) says is inside it."""
    return [
        Part(
            name=one["name"],
            version=one["version"],
            licence=" AND ".join(
                spdx(choice.get("expression") or choice["license"].get("id", ""))
                for choice in one.get("licenses", ())
            ),
            # Where its author's machine kept it says nothing to others.
            purl=one["purl"].partition("?")[0],
        )
        for one in json.loads(bom)["components"]
    ]


def texts(wheels: list[Path], packages: list[Package], rules: dict[str, Any]) -> str:
    """Give the licence texts of all packages, one after the other."""
    found = [HEAD]
    for wheel, package in zip(wheels, packages, strict=True):
        own = [
            text.strip("\n")
            for path, text in sorted(in_metadata(wheel).items())
            if any(word in path.lower() for word in WORDS) and "sboms/" not in path
        ]
        more = [
            (locked.ROOT / "requirements/texts" / name).read_text(encoding="utf-8").strip("\n")
            for name in rules.get("texts", {}).get(package.name, ())
        ]
        if not own + more:
            sys.exit(
                f"error: {package.name} brings no licence text; see [texts] in {licences.RULES}"
            )
        body = "\n\n--------\n\n".join(own + more)
        found.append(f"{licences.HEADER}\n{licences.title(package)}\n{licences.HEADER}\n\n{body}\n")
    lines = "\n".join(found).splitlines()
    return "".join(f"{line.rstrip()}\n" for line in lines)


def main(arguments: list[str]) -> int:
    """Write all files."""
    compile_lock(["setup.cfg"], "", locked.RUN, arguments)
    project = tomllib.loads((locked.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    builders = "\n".join(project["build-system"]["requires"])
    compile_lock(["-"], builders, locked.BUILD, [word for word in arguments if word == "--upgrade"])
    rules = licences.rules()
    with tempfile.TemporaryDirectory() as folder:
        wheels = fetch(Path(folder))
        packages = [describe(wheel, rules) for wheel in wheels]
        licences.TEXTS.write_text(texts(wheels, packages, rules), encoding="utf-8")
    inventory.FILE.write_text(inventory.dump(packages), encoding="utf-8")
    return licences.main()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
