from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rendered_lab import PAGES, demo, identities, rendering, tree

from kubectl_c9s.files.directory import Outcome, check, replace
from kubectl_c9s.yamlio.inventory import parse_inventory
from kubectl_c9s.yamlio.layout import LAYOUTS, Layout

if TYPE_CHECKING:
    from kubectl_c9s.resources.objects import KubeObject

R1 = "nodes/r1.yaml"


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "labs/demo"


def write(
    directory: Path, objects: list[KubeObject], layout: Layout = "by-kind", *, prune: bool = False
) -> Outcome:
    (outcome,) = replace([(directory, rendering(objects, layout))], prune=prune)
    return outcome


def files(directory: Path) -> list[str]:
    return [path for path, entry in tree(directory).items() if entry[0] != "folder"]


def test_without_prune_what_is_no_longer_wanted_stays_and_is_listed_as_stale(
    directory: Path,
) -> None:
    write(directory, demo(third=True))
    outcome = write(directory, demo())
    gone = ["links/r2-eth1-r3-eth2.yaml", "nodes/r3.yaml"]
    assert outcome.stale == gone
    assert list(inventory(directory).stale) == gone
    assert "r3" not in (directory / "kustomization.yaml").read_text(encoding="utf-8")
    assert write(directory, demo()).is_up_to_date
    assert write(directory, demo(), prune=True).removed == gone
    assert set(gone).isdisjoint(files(directory))
    assert inventory(directory).stale == {}


def inventory(directory: Path):  # type: ignore[no-untyped-def]  # noqa: ANN201 - as parsed
    return parse_inventory((directory / ".c9s-inventory").read_bytes())


def test_prune_removes_folders_it_empties_and_no_others(directory: Path) -> None:
    write(directory, demo(), "by-node")
    (directory / "r2/notes").write_text("mine", encoding="utf-8")
    (directory / "r1/links/mine").mkdir()
    write(directory, demo(), "by-kind", prune=True)
    folders = {path for path, entry in tree(directory).items() if entry[0] == "folder"}
    assert folders == {"configmaps", "nodeprofiles", "links", "nodes", "r1", "r1/links"} | {
        "r1/links/mine",
        "r2",
    }
    assert "r2/notes" in files(directory)


def test_a_stale_file_that_is_wanted_again_is_stale_no_more(directory: Path) -> None:
    for objects in (demo(third=True), demo(), demo(third=True)):
        write(directory, objects)
    assert inventory(directory).stale == {}
    assert write(directory, demo(third=True), prune=True).is_up_to_date


def test_files_changed_by_hand_are_written_anew_and_named(directory: Path) -> None:
    write(directory, demo(third=True))
    for path in (R1, "nodes/r3.yaml", "kustomization.yaml"):
        with (directory / path).open("a", encoding="utf-8") as stream:
            stream.write("# by hand\n")
    outcome = write(directory, demo(), prune=True)
    assert sorted(outcome.edited) == ["kustomization.yaml", R1, "nodes/r3.yaml"]
    assert "by hand" not in (directory / R1).read_text(encoding="utf-8")


def test_a_file_of_ours_that_is_missing_is_written_again(directory: Path) -> None:
    write(directory, demo())
    before = tree(directory)
    (directory / R1).unlink()
    assert write(directory, demo()).new == [R1]
    assert tree(directory) == before


def test_files_with_the_right_bytes_are_taken_over(directory: Path) -> None:
    write(directory, demo())
    before = identities(directory)
    (directory / ".c9s-inventory").unlink()
    outcome = write(directory, demo())
    assert outcome.new == [".c9s-inventory"]
    assert len(outcome.adopted) == len(demo()) + PAGES
    assert outcome.foreign == 0
    after = identities(directory)
    # The new inventory has the bytes of the old one, and may get its number.
    assert {path for path in files(directory) if after[path] != before[path]} <= {".c9s-inventory"}
    assert write(directory, demo()).is_up_to_date


STEPS = st.lists(
    st.tuples(st.sampled_from(["a", "b"]), st.booleans(), st.sampled_from(LAYOUTS), st.booleans()),
    max_size=4,
)


@given(STEPS, st.sampled_from(LAYOUTS))
@settings(max_examples=30)
def test_whatever_ran_before_a_pruned_directory_is_as_a_fresh_one(
    steps: list[tuple[str, bool, Layout, bool]], layout: Layout
) -> None:
    with tempfile.TemporaryDirectory() as name:
        fresh, directory = Path(name) / "fresh", Path(name) / "demo"
        directory.mkdir()
        (directory / "r1").mkdir()
        (directory / "r1/mine").write_bytes(b"mine")
        inode = (directory / "r1/mine").stat().st_ino
        for image, third, way, prune in steps:
            lab = rendering(demo(image, third=third), way)
            replace([(directory, lab)], prune=prune)
            assert list(check(directory, lab, prune=False)) == []
        for place in (fresh, directory):
            replace([(place, rendering(demo(), layout))], prune=True)
        found = tree(directory)
        assert found.pop("r1/mine")[2] == b"mine"
        assert (directory / "r1/mine").stat().st_ino == inode
        found.pop("r1")
        expected = tree(fresh)
        expected.pop("r1", None)
        assert found == expected
