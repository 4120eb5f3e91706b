"""The same bytes in every directory, on every machine: staging.md D."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from bare_lab import Directory, split

ROOT = Path(__file__).parents[2]
LAB = """\
name: Everywhere_1
mgmt: {network: x, ipv4-subnet: 10.0.0.0/24}
topology:
  defaults: {kind: linux, license: ./lic/__clabLabName__/__clabNodeDir__.lic}
  nodes:
    R1: {startup-config: "a\\nb", binds: ["tree:/t", "__clabDir__/x:/x", "tree/../tree/ä:/ä"]}
    r2: {network-mode: "container:R1", env-files: [./tree/b], copy-to-flash: ["tree/"]}
    r3: {cmd: "$HOME ${LC_ALL:-x} $PYTHONHASHSEED", license: tree/b}
  links:
    - endpoints: ["host:up", "R1:e1"]
    - {type: veth, endpoints: [{node: r2, interface: Eth 1}, {node: R1, interface: e2}]}
"""
FILES: dict[str, str | bytes] = {
    "tree/b": "1", "tree/ä": "2", "tree/Z/y*": "3", "tree/.h": "4", "tree/bin": b"\x00\xff", "clab-everywhere-1/x": "6",
    "lic/clab-everywhere-1/clab-everywhere-1/R1.lic": "7", "lic/clab-everywhere-1/clab-everywhere-1/r2.lic": "8",
}  # fmt: skip


@pytest.mark.parametrize("output", ["yaml", "json", "name"])
def test_two_runs_on_two_machines_give_the_same_bytes(output: str, tmp_path: Path) -> None:
    outputs = []
    for number, folder in enumerate(["one", "another place/deeper"]):
        order = sorted(FILES.items(), reverse=bool(number))
        lab = Directory(tmp_path / folder / "lab", LAB, dict(order))
        for at, (name, _) in enumerate(order):
            os.utime(lab.top / name.rstrip("*"), (at, at))
        home = tmp_path / f"home{number}"
        home.mkdir()
        done = subprocess.run(
            [sys.executable, "-m", "kubectl_c9s", "split", "-f", "lab/lab.clab.yml", "-o", output, "--no-env"],
            cwd=tmp_path / folder,
            env={
                "PYTHONPATH": str(ROOT), "HOME": str(home), "PYTHONHASHSEED": str(number), "USER": f"u{number}",
                "LC_ALL": ["C", "C.UTF-8"][number], "TZ": ["UTC", "Asia/Tokyo"][number], "COLUMNS": str(number * 90),
                "CLAB_LABDIR_BASE": str(home),
            },
            umask=0o077 if number else 0o022,
            capture_output=True,
            check=False,
            timeout=60,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr.decode()
        outputs.append((done.stdout, done.stderr))
    assert outputs[0] == outputs[1]
    assert str(tmp_path).encode() not in outputs[0][0]


def test_a_lab_reached_through_links_is_the_same(tmp_path: Path) -> None:
    lab = Directory(tmp_path / "lab", LAB, FILES)
    (tmp_path / "linked").symlink_to("lab")
    direct = lab.accepted("--no-env")
    through = split(str(tmp_path / "linked/lab.clab.yml"), "--no-env")
    assert (through.out, through.err) == (direct.out, direct.err.replace("/lab/", "/linked/"))
