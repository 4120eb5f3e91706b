"""Every code has a page, and every page tells the truth: its example is refused so, its mended input is not."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING, Any

import codepages as pages
import pytest
from emitted import Emission, Unclear, emissions

from kubectl_c9s.cli.pages import severity_line
from kubectl_c9s.resources.codes import CODES
from kubectl_c9s.resources.findings import Findings
from kubectl_c9s.topology.compile import Options, split_topology
from kubectl_c9s.topology.losses import losses
from kubectl_c9s.topology.render import Renderer
from kubectl_c9s.topology.verifying import source_of
from kubectl_c9s.yamlio.reader import read_documents

if TYPE_CHECKING:
    from pathlib import Path

PACKAGE = pages.FOLDER.parents[1] / "kubectl_c9s"
LOSSES = sorted(code for code, row in CODES.items() if row.severities == ("loss",))
# Codes whose example cannot be tried by the commands of the page, and why; each has a test of its own below.
UNPLAYED = {
    **dict.fromkeys(
        (
            "changed-since-read",
            "gitops-owner",
            "probe-needs-peer",
            "rollout-unsupported",
            "would-block",
            "would-release",
        ),
        "it takes a cluster: tests/rollout/test_set_guards_live.py",
    ),
    "not-equivalent": "no input shows it as long as the compiler is right",
    "unreadable-file": "who runs the tests as root may read everything, whatever the mode",
}
PLAYED = sorted(CODES.keys() - UNPLAYED.keys() - set(LOSSES))
# Codes that never come alone, and what comes along.
COMPANIONS = {
    # What env-files hold is taken for a secret.
    "env-files-refused": {("secret-in-clear-text", "warning")},
    # The compiler refuses the block as an unknown key; the warning says why.
    "unsupported-settings": {("unsupported-field", "error")},
}
# Losses of every lab, or of how the command was called: no other input is without them.
NOT_OF_THE_INPUT = {
    "certificate-owner",
    "definition-text",
    "drift-correction",
    "joint-creation",
    "lab-batches",
    "one-status",
    "other-namespace",
    "planner-lab-name",
}


def test_the_table_has_exactly_the_codes_that_the_source_reports() -> None:
    found = list(emissions(PACKAGE))
    unclear = [f"{one.place}: {one.expression}" for one in found if isinstance(one, Unclear)]
    assert unclear == [], "say in tests/explain/emitted.py (COMPOSED) which codes these become"
    places = {(one.code, one.severity): one.place for one in found if isinstance(one, Emission)}
    known = {(code, severity) for code, row in CODES.items() for severity in row.severities}
    missing = [f"{places[new]}: {new[0]} ({new[1]})" for new in sorted(places.keys() - known)]
    assert missing == [], "add these codes to kubectl_c9s/resources/codes.py, and a page for each"
    unused = sorted(known - places.keys())
    assert unused == [], "nothing reports these codes any more: take them out of resources/codes.py"


def test_the_table_is_in_order_and_its_lines_are_lines() -> None:
    assert list(CODES) == sorted(CODES)
    for row in CODES.values():
        assert set(row.severities) <= {"error", "warning", "info", "loss", "guard"}
        assert row.severities
        assert 0 < len(row.summary) <= 80
        assert row.summary.isprintable()
        assert not row.summary.endswith(".")
    assert len({row.summary for row in CODES.values()}) == len(CODES)


def test_there_is_a_page_for_every_code_and_no_other() -> None:
    names = {path.name for path in pages.FOLDER.iterdir()}
    assert sorted(f"{code}.md" for code in CODES if f"{code}.md" not in names) == [], (
        "write these pages in docs/codes; the page of another code shows the form"
    )
    assert sorted(names - {f"{code}.md" for code in CODES}) == [], "no code has these pages"


@pytest.mark.parametrize("code", sorted(CODES))
def test_a_page_has_the_form_of_all_pages(code: str) -> None:
    text = pages.page(code)
    lines = text.splitlines()
    assert lines[0] == f"# {code}"
    assert lines[2] == severity_line(CODES[code])
    assert [line for line in lines if line.startswith("## ")] == [
        "## Meaning",
        "## Example",
        "## Mend",
    ]
    for heading in ("Meaning", "Mend"):
        prose = pages.section(text, heading).partition("```")[0]
        assert len(prose.split()) >= 3, f"{heading} says nothing"
    assert pages.FENCE.search(pages.section(text, "Example")), "there is no example"


@pytest.mark.parametrize("code", PLAYED)
def test_the_example_of_a_page_is_reported_and_the_mended_input_is_not(
    code: str, tmp_path: Path, *, update_golden: bool
) -> None:
    text = pages.page(code)
    severity = next(one for one in CODES[code].severities if one != "loss")
    example = pages.section(text, "Example")
    pages.write_files(example, tmp_path)
    played = [pages.play(command, tmp_path) for command in pages.commands(example)]
    assert set(played[-1].found) == {(code, severity)} | COMPANIONS.get(code, set())
    errors = "error" in {one for _, one in played[-1].found}
    assert [one.status for one in played] == [*([0] * (len(played) - 1)), int(errors)]
    assert_shown(code, text, example, played, update=update_golden)
    check_mended(text, tmp_path)


def assert_shown(
    code: str, text: str, example: str, played: list[pages.Command], *, update: bool
) -> None:
    """Assert that the page shows what the tool prints, or let it."""
    shown = pages.with_outputs(example, played)
    if update:
        (pages.FOLDER / f"{code}.md").write_text(text.replace(example, shown), encoding="utf-8")
    else:
        assert example == shown


def check_mended(text: str, folder: Path) -> None:
    mend = pages.section(text, "Mend")
    changed = pages.write_files(mend, folder)
    commands = pages.commands(mend)
    assert changed or commands, "the page shows no mended input"
    if not commands:
        commands = pages.commands(pages.section(text, "Example"))
        commands = [one for one in commands if one.startswith(pages.PLUGIN)]
    played = [pages.play(command, folder) for command in commands]
    assert [one.output for one in played if one.status] == []
    assert played[-1].found == []


def test_an_unreadable_file_is_reported_and_a_readable_one_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = pages.page("unreadable-file")
    pages.write_files(pages.section(text, "Mend"), tmp_path)
    pages.write_files(pages.section(text, "Example"), tmp_path)
    command = pages.commands(pages.section(text, "Example"))[-1]
    assert pages.play(command, tmp_path).found == []
    opened = os.open

    def refuse(path: Any, *args: Any, **kwargs: Any) -> int:
        if path == "r1.cfg":
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return opened(path, *args, **kwargs)

    monkeypatch.setattr(os, "open", refuse)
    refused = pages.play(command, tmp_path)
    assert refused.found == [("unreadable-file", "error")]
    assert refused.output in pages.section(text, "Example")


def test_a_split_that_loses_something_is_not_equivalent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    example = pages.section(pages.page("not-equivalent"), "Example")
    (name,) = pages.write_files(example, tmp_path)
    command = f"kubectl c9s split -f {name} -o name --verify"
    assert pages.play(command, tmp_path).found == []
    payload = Renderer._payload  # noqa: SLF001 - a fault planted where Nodes are made

    def forgetful(self: Renderer, *args: Any) -> dict[str, Any]:
        spec = payload(self, *args)
        spec.pop("image", None)
        return spec

    monkeypatch.setattr(Renderer, "_payload", forgetful)
    refused = pages.play(command, tmp_path)
    assert refused.found == [("not-equivalent", "error")]


@pytest.mark.parametrize("code", LOSSES)
def test_the_example_of_a_loss_has_it_and_the_mended_input_has_not(
    code: str, tmp_path: Path
) -> None:
    text = pages.page(code)
    options = Options(
        namespace="two" if code == "other-namespace" else None,
        owner_label=code != "planner-lab-name",
    )
    (name,) = pages.write_files(pages.section(text, "Example"), tmp_path)
    assert code in lost(tmp_path / name, options)
    mended = pages.write_files(pages.section(text, "Mend"), tmp_path)
    assert bool(mended) is (code not in NOT_OF_THE_INPUT)
    if mended:
        assert code not in lost(tmp_path / name, options)


def test_what_every_lab_loses_is_lost_by_an_example_without_anything_special() -> None:
    plain = pages.FOLDER.parents[1] / "examples/small/topology.yaml"
    assert lost(plain, Options()) >= NOT_OF_THE_INPUT - {"other-namespace", "planner-lab-name"}


def lost(file: Path, options: Options) -> set[str]:
    """Give the codes of what a Topology loses; it is split without a finding."""
    (document,) = read_documents(file.read_bytes(), file.name)
    findings = Findings()
    rendered = split_topology(document, options, findings)
    assert rendered is not None
    assert findings.errors == findings.warnings == []
    return {loss.code for loss in losses(rendered, source_of(document, options))}
