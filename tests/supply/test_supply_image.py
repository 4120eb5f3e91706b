"""What the image holds: the steps of the Containerfile are run here, twice, and what they make is used."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import image_steps
import locked
import pytest
from containerfile import ROOT, stages, variables
from packaging.utils import canonicalize_name
from surroundings import as_plugin_user

if TYPE_CHECKING:
    from pathlib import Path

LAB = ROOT / "examples/small/topology.yaml"
UNCHECKED = b"\x01\x00\x00\x00"  # PEP 552: tied to its source by hash, and not looked at again


def tool(root: Path, *words: str, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command of the image as somebody who owns nothing, with the environment of the image."""
    return subprocess.run(
        [*as_plugin_user(), *words], cwd="/", env=image_steps.runtime(root), input=text,
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_two_builds_are_the_same_byte_for_byte(image: Path, checkout: Path, wheels: Path) -> None:
    first = image_steps.state(image / image_steps.TOOL)
    kept = image.with_name("first")
    # At the same path: it stands in the first line of each command.
    image.rename(kept)
    try:
        built = image_steps.build(image, checkout, wheels, image_steps.otherwise)
        second = image_steps.state(built)
    finally:
        image.rename(image.with_name("second"))
        kept.rename(image)
    assert first.keys() == second.keys()
    assert [path for path in first if first[path] != second[path]] == []
    assert len(first) > 1000


def test_every_file_has_the_time_that_was_given(image: Path) -> None:
    epoch = int(variables(stages()[0])["SOURCE_DATE_EPOCH"])
    times = {time for _, time, _ in image_steps.state(image / image_steps.TOOL).values()}
    assert times == {epoch * 10**9}


def test_bytecode_is_there_and_does_not_depend_on_times(image: Path) -> None:
    site = next((image / image_steps.TOOL).glob("lib/python3*/site-packages"))
    compiled = list(site.rglob("*.pyc"))
    assert {path.read_bytes()[4:8] for path in compiled} == {UNCHECKED}
    sources = set((site / "kubectl_c9s").rglob("*.py")) | set((site / "click").rglob("*.py"))
    have = {path.parents[1] / f"{path.name.partition('.')[0]}.py" for path in compiled}
    assert sources <= have


def test_it_holds_the_lock_the_tool_and_nothing_else(image: Path) -> None:
    site = next((image / image_steps.TOOL).glob("lib/python3*/site-packages"))
    found = {
        canonicalize_name(name): version
        for name, version in (path.stem.split("-") for path in site.glob("*.dist-info"))
    }
    pins = locked.pins((ROOT / locked.RUN).read_text(encoding="utf-8"))
    assert found.pop(canonicalize_name("kubectl-c9s"))
    assert found == {pin.name: pin.version for pin in pins}


def test_nothing_that_a_package_needs_is_missing(image: Path) -> None:
    done = subprocess.run(
        [image / "build/bin/pip", "--python", image / image_steps.TOOL / "bin/python", "check"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "No broken requirements found.\n"), done.stderr


def test_the_licence_those_of_others_and_the_lock_are_in_it(image: Path, checkout: Path) -> None:
    for name in ("LICENSE", "THIRD-PARTY-LICENSES.txt", locked.RUN):
        inside = image / image_steps.TOOL / name.rpartition("/")[2]
        assert inside.read_bytes() == (checkout / name).read_bytes()


def test_it_works_for_a_user_without_rights_and_writes_nothing(image: Path) -> None:
    before = image_steps.state(image / image_steps.TOOL)
    assert tool(image, "kubectl-c9s", "version").stdout.startswith("kubectl-c9s ")
    lab = LAB.read_text(encoding="utf-8")
    split = tool(image, "kubectl-c9s", "split", "-f", "-", text=lab)
    assert split.returncode == 0, split.stderr
    valid = tool(image, "kubectl-c9s", "validate", "-f", "-", text=split.stdout)
    assert valid.returncode == 0, valid.stderr
    broken = tool(image, "sh", "-c", "kubectl-c9s validate -f - || echo $?", text="kind: Node\n")
    assert broken.stdout.endswith("1\n")
    assert image_steps.state(image / image_steps.TOOL) == before


@pytest.mark.parametrize(
    "words",
    [
        ("split", "-f", "-"),
        ("reconciler", "manifests", "--mode=enforce"),
        ("cmp", "parameters"),
        ("explain", "renamed-nodes"),
    ],
)
def test_it_prints_what_the_checkout_prints(image: Path, words: tuple[str, ...]) -> None:
    lab = LAB.read_text(encoding="utf-8")
    here = subprocess.run(
        [sys.executable, "-m", "kubectl_c9s", *words], cwd=ROOT, input=lab,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    there = tool(image, "kubectl-c9s", *words, text=lab)
    assert there.stdout.replace("kubectl c9s", "kubectl-c9s") == here.stdout.replace(
        "kubectl c9s", "kubectl-c9s"
    )
