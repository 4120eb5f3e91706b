"""The jobs of docs/supply-chain.md: they are YAML, and their commands do in a pipeline what the page says."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import subprocess
import sys
import tarfile
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from containerfile import ROOT
from installed import environment
from surroundings import read_only

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAGE = (ROOT / "docs/supply-chain.md").read_text(encoding="utf-8")
FILES = dict(
    re.findall(r"<!-- checked: file (\S+) -->\n```yaml\n(.+?)^```", PAGE, re.MULTILINE | re.DOTALL)
)
LAB = """\
name: metro
topology:
  nodes:
    r1: {kind: linux, image: "alpine:3"}
    r2: {kind: linux, image: "alpine:3"}
  links:
    - endpoints: ["r1:eth1", "r2:eth1"]
"""
WRITTEN = "split -f labs/metro.clab.yml --no-env --output-dir rendered/metro"
# What `docker run` may be given: nothing is kept, nothing in the image is written, the checkout neither.
DOCKER = 'docker run --rm --read-only --volume "$PWD:/labs:ro" "$IMAGE" '


@pytest.fixture
def checkout(tmp_path: Path, installation: Path) -> Path:
    """Give the folder of a pipeline: a lab, and what is rendered of it."""
    folder = tmp_path / "checkout"
    (folder / "labs").mkdir(parents=True)
    (folder / "labs/metro.clab.yml").write_text(LAB, encoding="utf-8")
    assert play(f"kubectl-c9s {WRITTEN}", folder, installation) == 0
    return folder


def play(script: str, folder: Path, installation: Path, **more: str) -> int:
    """Run a command as a pipeline does; give its exit code."""
    return subprocess.run(
        ["/bin/sh", "-e", "-c", script], cwd=folder, check=False,
        env=environment(installation, **more), stdin=subprocess.DEVNULL,
    ).returncode  # fmt: skip


def github() -> list[str]:
    """Give the commands of the job, each as the tool's own."""
    steps = yaml.safe_load(FILES[".github/workflows/labs.yml"])["jobs"]["labs"]["steps"]
    commands = [step["run"] for step in steps if "run" in step]
    assert all(command.startswith(DOCKER) for command in commands)
    return [command.replace(DOCKER, "kubectl-c9s ") for command in commands]


def gitlab() -> list[str]:
    """Give the commands of the job."""
    job = yaml.safe_load(FILES[".gitlab-ci.yml"])["labs"]
    assert job["image"]["entrypoint"] == [""]
    assert job["artifacts"]["reports"]["junit"] == "c9s.xml"
    return list(job["script"])


def test_the_jobs_run_at_a_digest() -> None:
    named = re.findall(r"registry\.example/kubectl-c9s(\S*)", "".join(FILES.values()))
    assert len(named) == 2
    assert all(re.fullmatch(r"@sha256:[0-9a-f]{64}", digest) for digest in named)


@pytest.mark.parametrize("job", [github, gitlab])
def test_a_job_passes_and_fails_when_something_is_wrong(
    job: Any, checkout: Path, installation: Path
) -> None:
    validate, check = job()
    assert [play(one, checkout, installation) for one in (validate, check)] == [0, 0]
    lab = checkout / "labs/metro.clab.yml"
    lab.write_text(LAB.replace("alpine:3", "alpine:4"), encoding="utf-8")
    assert [play(one, checkout, installation) for one in (validate, check)] == [0, 1]
    lab.write_text(LAB.replace('"r2:eth1"', '"r9:eth1"'), encoding="utf-8")
    assert play(validate, checkout, installation) == 1


def test_the_commands_of_docker_need_nothing_to_write_to(
    checkout: Path, installation: Path
) -> None:
    before = read_only(checkout)
    assert [play(one, checkout, installation) for one in github()] == [0, 0]
    assert read_only(checkout) == before


@pytest.fixture
def served(tmp_path: Path, installation: Path) -> Iterator[tuple[str, str, str]]:
    """Serve an archive with a program in it; give its address, its name and its sum."""
    name = yaml.safe_load(FILES["archive/.gitlab-ci.yml"])["labs"]["variables"]["ARCHIVE"]
    program = tmp_path / "kubectl-c9s"
    line = shlex.join(["exec", str(installation / "bin/kubectl-c9s")])
    program.write_text(f'#!/bin/sh\n{line} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    place = tmp_path / "served"
    place.mkdir()
    with tarfile.open(place / name, "w:gz") as archive:
        archive.add(program, program.name)

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(place))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        found = hashlib.sha256((place / name).read_bytes()).hexdigest()
        yield f"http://127.0.0.1:{server.server_port}", name, found
        server.shutdown()


def test_the_job_with_an_archive_takes_only_the_one_that_was_meant(
    served: tuple[str, str, str], checkout: Path, installation: Path
) -> None:
    address, name, right = served
    job = yaml.safe_load(FILES["archive/.gitlab-ci.yml"])["labs"]
    script = "\n".join(job["script"]).replace("https://files.example", address)
    path = f"{os.path.dirname(sys.executable)}:{environment(installation)['PATH']}"  # noqa: PTH120 - text
    wrong = {**job["variables"], "PATH": path}
    assert play(script, checkout, installation, **wrong) == 1
    assert not (checkout / "c9s").exists()
    assert play(script, checkout, installation, **{**wrong, "SHA256": right}) == 0
    assert (checkout / name).exists()
