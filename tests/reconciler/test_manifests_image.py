"""What can be checked of the Containerfile without an engine: what it copies, installs and runs."""

from __future__ import annotations

import fnmatch
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import yaml
from installed import packed_files
from manifests_tools import ROOT, container_of, printed

from kubectl_c9s.cli.main import COMMANDS

if TYPE_CHECKING:
    from pathlib import Path

FILES = ["Containerfile", "manifests/argocd-cmp/Containerfile"]


def instructions(file: str = "Containerfile") -> list[tuple[str, str]]:
    """Give words and what follows them; lines that go on are one."""
    text = (ROOT / file).read_text(encoding="utf-8").replace("\\\n", " ")
    return re.findall(r"^([A-Z]+) (.+)$", text, re.MULTILINE)


def copied(file: str = "Containerfile") -> set[str]:
    """Give what is taken from the checkout."""
    lines = [rest.split() for word, rest in instructions(file) if word == "COPY"]
    return {source for line in lines if not line[0].startswith("--") for source in line[:-1]}


def test_both_stages_come_from_one_base_that_a_digest_can_be_given_to() -> None:
    found = instructions()
    assert found[0] == ("ARG", "PYTHON=python:3.13-slim")
    assert [rest.split()[0] for word, rest in found if word == "FROM"] == ["${PYTHON}"] * 2


def test_nothing_is_compiled_and_no_package_of_the_system_is_needed() -> None:
    (script,) = (rest for word, rest in instructions() if word == "RUN")
    steps = [shlex.split(step) for step in script.split("&&")]
    assert not {"apt-get", "apk", "gcc", "make"} & {word for step in steps for word in step}
    assert any("--only-binary=:all:" in step and "install" in step for step in steps)
    assert all({"install", "wheel", "venv"} & set(step) for step in steps)


def test_the_image_runs_as_a_number_that_is_not_root_and_as_the_pod_says() -> None:
    (user,) = (rest for word, rest in instructions() if word == "USER")
    uid, gid = map(int, user.split(":"))
    pod = next(one for one in printed() if one["kind"] == "Deployment")["spec"]["template"]["spec"]
    context = pod["securityContext"]
    assert (uid, gid) == (context["runAsUser"], context["runAsGroup"])
    assert uid > 0
    assert "command" not in container_of(printed())


def test_its_entrypoint_is_a_command_of_the_tool_on_its_path() -> None:
    found = instructions()
    (entry,) = (json.loads(rest) for word, rest in found if word == "ENTRYPOINT")
    assert entry == ["kubectl-c9s", "reconciler", "run"]
    assert entry[1] in COMMANDS
    (env,) = (rest for word, rest in found if word == "ENV")
    (copy,) = (rest.split() for word, rest in found if word == "COPY" and "--from" in rest)
    assert copy == ["--from=build", "/opt/c9s", "/opt/c9s"]
    assert "PATH=/opt/c9s/bin:$PATH" in env


def test_everything_that_is_copied_exists_and_is_sent_to_the_engine() -> None:
    lines = (ROOT / ".containerignore").read_text(encoding="utf-8").splitlines()
    sent = {line[1:] for line in lines if line.startswith("!")}
    for file in FILES:
        for source in copied(file):
            assert (ROOT / source).exists(), source
            assert source in sent, source
    assert lines[1] == "*"


def test_a_wheel_of_what_is_copied_lacks_nothing() -> None:
    def is_copied(name: str) -> bool:
        path = PurePosixPath(name)
        return any(source in {str(one) for one in (path, *path.parents)} for source in copied())

    needed = [*packed_files().values(), "setup.cfg", "pyproject.toml", "README.md", "LICENSE"]
    assert [name for name in needed if not is_copied(name)] == []
    assert not fnmatch.filter(needed, "*.pyc")


def test_the_tool_is_built_from_what_is_copied_and_prints_the_manifests(tmp_path: Path) -> None:
    source = tmp_path / "source"
    for name in copied():
        target = source / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(ROOT / name, target)
    # The lines of the file, but for the network: what the build and the tool need is here already.
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    offline = ["--no-deps", "--no-index"]
    subprocess.run(
        [*pip, "wheel", *offline, "--no-build-isolation", "--wheel-dir", str(tmp_path), "."],
        cwd=source, check=True,
    )  # fmt: skip
    (wheel,) = tmp_path.glob("*.whl")
    site = tmp_path / "site"
    subprocess.run(
        [*pip, "install", *offline, "--only-binary=:all:", "--target", str(site), str(wheel)],
        check=True,
    )
    done = subprocess.run(
        [site / "bin" / "kubectl-c9s", "reconciler", "manifests"], cwd=tmp_path, check=True,
        capture_output=True, env={"PYTHONPATH": str(site), "PATH": os.environ["PATH"]},
    )  # fmt: skip
    assert list(yaml.safe_load_all(done.stdout)) == printed()
