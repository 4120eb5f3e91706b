"""The examples of docs/kustomize.md and docs/argocd.md do what the pages say."""

from __future__ import annotations

import os
import re
import subprocess
from typing import TYPE_CHECKING

import pytest
from door_tools import ROOT

from kubectl_c9s.cli.doorsettings import FUNCTION, PLUGIN, VALIDATOR

if TYPE_CHECKING:
    from pathlib import Path

# A block that is tried: a file that begins with "# its name", or one command with what it prints.
BLOCK = re.compile(
    r"<!-- checked(?:: exit (?P<status>\d+))? -->\n```(?P<language>\w+)\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


def page(name: str) -> Path:
    return ROOT / "docs" / name


@pytest.mark.parametrize("name", ["kustomize.md", "argocd.md"])
def test_the_examples_print_what_the_page_shows(
    name: str,
    request: pytest.FixtureRequest,
    tool_path: Path,
    tmp_path: Path,
    *,
    update_golden: bool,
) -> None:
    text = page(name).read_text(encoding="utf-8")
    called = [
        program
        for program in ("kubectl", "kustomize")
        if re.search(rf"^\$ (.*; )?{program} ", text, re.MULTILINE)
    ]
    path = [tool_path, *(request.getfixturevalue(program).parent for program in called)]
    environment = {
        "PATH": os.pathsep.join([*map(str, path), os.environ["PATH"]]),
        "CHECKOUT": str(ROOT),
    }
    played = BLOCK.sub(lambda block: play(block, tmp_path, environment), text)
    if update_golden:
        page(name).write_text(played, encoding="utf-8")
        return
    assert played == text


def play(block: re.Match[str], folder: Path, environment: dict[str, str]) -> str:
    """Write the file of a block or run its command; give the block anew."""
    body = block["body"]
    if block["language"] == "yaml":
        (folder / body.partition("\n")[0].removeprefix("# ")).write_text(body, encoding="utf-8")
        return block[0]
    command, _, _ = body.removeprefix("$ ").partition("\n")
    done = subprocess.run(
        ["/bin/sh", "-c", command], cwd=folder, env=environment, check=False,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == int(block["status"] or 0), done.stdout
    return block[0].replace(body, f"$ {command}\n{done.stdout}")


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
