"""What the Containerfiles say; tests/supply does what they say."""

from __future__ import annotations

import fnmatch
import json
import re
import shlex
from pathlib import PurePosixPath

from containerfile import FILES, copied, instructions, stages, variables
from installed import packed_files
from manifests_tools import ROOT, container_of, printed

from kubectl_c9s import __version__
from kubectl_c9s.cli.main import COMMANDS


def test_both_stages_come_from_one_base_that_a_digest_can_be_given_to() -> None:
    found = instructions()
    assert found[0] == ("ARG", "PYTHON=python:3.13-slim")
    assert [rest.split()[0] for word, rest in found if word == "FROM"] == ["${PYTHON}"] * 2


def test_nothing_is_compiled_and_no_package_of_the_system_is_needed() -> None:
    scripts = [rest for word, rest in instructions() if word == "RUN"]
    steps = [shlex.split(step) for script in scripts for step in script.split("&&")]
    assert not {"apt-get", "apk", "gcc", "make"} & {word for step in steps for word in step}
    fetched = [step for step in steps if "install" in step and "--no-index" not in step]
    assert len(fetched) == 2
    for step in fetched:
        assert {"--only-binary=:all:", "--no-deps", "--require-hashes"} <= set(step)


def test_the_image_runs_as_a_number_that_is_not_root_and_as_the_pod_says() -> None:
    (user,) = (rest for word, rest in instructions() if word == "USER")
    uid, gid = map(int, user.split(":"))
    pod = next(one for one in printed() if one["kind"] == "Deployment")["spec"]["template"]["spec"]
    context = pod["securityContext"]
    assert (uid, gid) == (context["runAsUser"], context["runAsGroup"])
    assert uid > 0


def test_its_entrypoint_is_the_tool_on_its_path_and_the_pod_says_which_command() -> None:
    found = instructions()
    (entry,) = (json.loads(rest) for word, rest in found if word == "ENTRYPOINT")
    (usual,) = (json.loads(rest) for word, rest in found if word == "CMD")
    assert (entry, usual) == (["kubectl-c9s"], ["--help"])
    container = container_of(printed())
    assert "command" not in container
    assert container["args"][:2] == ["reconciler", "run"]
    assert container["args"][0] in COMMANDS
    (env,) = (rest for word, rest in stages()[-1] if word == "ENV")
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


def test_the_labels_are_those_of_the_image_specification_and_the_version_is_ours() -> None:
    last = stages()[-1]
    (label,) = (rest for word, rest in last if word == "LABEL")
    labels = dict(re.findall(r'org\.opencontainers\.image\.([a-z.]+)="([^"]+)"', label))
    assert labels.keys() == {
        *("title", "description", "licenses", "version", "revision", "base.name"),
    }
    assert labels["licenses"] == "Apache-2.0"
    assert variables(last)["VERSION"] == __version__
    assert {"${VERSION}", "${REVISION}", "${PYTHON}"} <= set(labels.values())


def test_the_image_of_the_sidecar_is_the_same_as_the_plugins_user() -> None:
    assert [one.word for one in instructions(FILES[1])] == ["ARG", "FROM", "USER"]
    assert instructions(FILES[1])[1].rest == "${IMAGE}"


def test_a_wheel_of_what_is_copied_lacks_nothing() -> None:
    def is_copied(name: str) -> bool:
        path = PurePosixPath(name)
        return any(source in {str(one) for one in (path, *path.parents)} for source in copied())

    needed = [*packed_files().values(), "setup.cfg", "pyproject.toml", "README.md", "LICENSE"]
    assert [name for name in needed if not is_copied(name)] == []
    assert not fnmatch.filter(needed, "*.pyc")
