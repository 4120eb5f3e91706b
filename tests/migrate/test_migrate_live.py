"""What ``migrate`` writes is taken by a real API server with strict validation; what it read is not."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from migrate_tools import migrate
from old_profiles import Profile, profiles
from split_lab import command

if TYPE_CHECKING:
    from bed_base import Bed

REPOSITORY = Path(__file__).parent / "repository"
APPLY = ("apply", "--dry-run=server", "--validate=strict")


def test_a_migrated_repository_is_taken_with_strict_validation(bed: Bed, tmp_path: Path) -> None:
    folder = tmp_path / "labs"
    shutil.copytree(REPOSITORY, folder)
    with bed.namespace("migrate") as namespace:
        for path in sorted(folder.iterdir()):
            before = bed.kubectl(*APPLY, "-n", namespace, "-f", str(path))
            assert before.returncode != 0, f"{path.name} was none of an older release"
        answer = command("migrate", "-f", str(folder), "--in-place")
        assert answer.code == 0, answer.err
        assert command("validate", "-f", str(folder)).code == 0
        after = bed.kubectl(*APPLY, "-n", namespace, "-f", str(folder))
        assert (after.returncode, after.stderr) == (0, "")
        assert len(after.stdout.splitlines()) == 7


def test_any_migrated_profile_is_taken_with_strict_validation(bed: Bed) -> None:
    @settings(max_examples=8, suppress_health_check=list(HealthCheck))
    @given(st.lists(profiles(), min_size=5, max_size=12))
    def check(drawn: list[Profile]) -> None:
        texts = [migrate(profile.text).text.rstrip() for profile in drawn]
        stream = "\n---\n".join(texts) + "\n"
        done = bed.kubectl(*APPLY, "-n", namespace, "-f", "-", text=stream)
        assert done.returncode == 0, f"{done.stderr}\n{stream}"

    with bed.namespace("migrate") as namespace:
        check()


def test_an_exported_object_goes_back_as_it_was(bed: Bed) -> None:
    text = migrate((REPOSITORY / "profiles.yaml").read_text(encoding="utf-8")).text
    with bed.namespace("migrate") as namespace:
        assert bed.kubectl("apply", "-n", namespace, "-f", "-", text=text).returncode == 0
        exported = bed.kubectl("get", "nodeprofiles.c9s.run", "-n", namespace, "-o", "yaml").stdout
        answer = migrate(exported)
        assert (answer.code, {code for code, _ in answer.warnings}) == (0, {"exported-field"})
        again = bed.kubectl(*APPLY, "-f", "-", text=answer.text)
        assert (again.returncode, again.stdout.count("unchanged")) == (0, 2), again.stderr


@pytest.mark.parametrize("name", ["profiles.yaml", "lab.yaml", "topology.json", "config.yaml"])
def test_a_migrated_file_keeps_every_comment(name: str) -> None:
    old = (REPOSITORY / name).read_text(encoding="utf-8")
    new = migrate(old).text
    for line in old.splitlines():
        comment = line.partition("#")[2]
        assert comment in new
