"""Every cause has a page of the same form, and no page and no remedy advises what is not safe."""

from __future__ import annotations

import re
import shlex
from string import Formatter

import causepages as pages
import pytest
from codepages import FENCE, section

from kubectl_c9s.cli.pages import cause_line
from kubectl_c9s.diagnosis.settings import Settings
from kubectl_c9s.resources.causes import CAUSES
from kubectl_c9s.resources.remedies import REMEDIES

CODES = sorted(CAUSES)
# Causes whose age is judged by thresholds of their own, for which there is no flag.
OWN_AGE = {
    "config-not-observed": Settings().config_after,
    "grant-not-projected": Settings().grant_after,
}
# What a remedy's command is about, by the kind of the object that the cause blames.
NAMED = {
    "": "",
    "Config": "clabernetes",
    "Host": "worker-1",
    "Lease": "clabernetes-manager",
    "Node": "r1",
    "Pod": "r1-6c9f7d5b8-x2v4k",
    "Topology": "metro",
}
COMMANDS = [
    (code, kind, command)
    for code, remedy in REMEDIES.items()
    for kind, commands in remedy.commands.items()
    for command in commands
]
ADMISSION = re.compile(
    r"startup-(hold|admitted|host-admitted|\*)|\b(holds?|marks?|grants?|annotations?)\b"
)
CHANGES = re.compile(
    r"\b(add|annotate|copy|correct|delete|edit|put|remove|set|strip|take|write)\b", re.IGNORECASE
)
REFUSALS = re.compile(r"\b(do not|never|no|nobody|not)\b", re.IGNORECASE)


def test_there_is_a_page_for_every_cause_and_no_other() -> None:
    names = {path.name for path in pages.FOLDER.iterdir()}
    assert sorted({f"{code}.md" for code in CAUSES} - names) == [], "write these in docs/causes"
    assert sorted(names - {f"{code}.md" for code in CAUSES}) == [], "no cause has these pages"


@pytest.mark.parametrize("code", CODES)
def test_a_page_has_the_form_of_all_pages(code: str) -> None:
    text = pages.page(code)
    lines = text.splitlines()
    assert lines[0] == f"# {code}"
    assert lines[2] == cause_line(CAUSES[code])
    heads = [line.removeprefix("## ") for line in lines if line.startswith("## ")]
    assert heads == list(pages.SECTIONS)
    words = [word for word in FENCE.sub("", text).split() if re.search(r"\w", word)]
    assert 120 <= len(words) <= 250
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


@pytest.mark.parametrize("code", CODES)
def test_a_page_tells_what_to_type_and_how_risky_it_is(code: str) -> None:
    remedy = section(pages.page(code), "Remedy")
    assert pages.commands(remedy)
    main = next(iter(CAUSES[code].remedies), None)
    risk = REMEDIES[main].risk if main else "safe"
    assert re.search(rf"^Risk: {risk}\b", remedy, re.MULTILINE)


@pytest.mark.parametrize("code", CODES)
def test_a_page_names_the_thresholds_that_decide(code: str) -> None:
    text, settings = pages.prose(pages.page(code)), Settings()
    for flag, value in (("slow", settings.slow_after), ("stalled", settings.stalled_after)):
        said = set(re.findall(rf"(\d+) s \(`--{flag}-after`\)", text))
        assert said <= {f"{value:.0f}"}
        assert text.count(f"--{flag}-after") == text.count(f" s (`--{flag}-after`)")
        if CAUSES[code].kind == "time":
            assert bool(said) is (code not in OWN_AGE)
    if code in OWN_AGE:
        assert f"{OWN_AGE[code]:.0f} s" in text
    if code == "replacement-blocks":
        assert f"{settings.ran_before_after:.0f} s" in text


@pytest.mark.parametrize("code", CODES)
def test_the_commands_of_a_page_can_be_pasted(code: str) -> None:
    for command in pages.commands(pages.page(code)):
        pages.check_command(command)
        for kind, names in pages.names(command).items():
            # r1 and r9 are Nodes of clabernetes, worker-1 is a host: the same word of the API, not the same thing.
            if kind == "nodes":
                assert names <= {"worker-1"}, command
            elif kind == "nodes.c9s.run":
                assert names <= {"r1", "r9"}, command


@pytest.mark.parametrize("code", CODES)
def test_no_page_advises_to_touch_admission_or_to_force_or_to_let_all_go(code: str) -> None:
    text = pages.page(code)
    for command in pages.commands(text):
        check_harmless(command)
    for sentence in pages.sentences(text):
        if ADMISSION.search(sentence) and CHANGES.search(sentence):
            assert REFUSALS.search(sentence), sentence
        if "--force" in sentence:
            assert "confirmed to be down" in sentence
    assert "Do not " in section(text, "What not to do") or "Never " in text


def check_harmless(command: str) -> None:
    words = shlex.split(command)
    assert "annotate" not in words
    assert "startup-" not in command
    assert not {"--force", "--grace-period=0", "--now", "--replicas=0"} & set(words)
    for flag in ("--batch-size", "--max-concurrent-per-host"):
        if flag in words:
            assert int(words[words.index(flag) + 1]) > 0
            assert "--dry-run" in words, "look before you change a limit"


@pytest.mark.parametrize(
    "command",
    [
        "kubectl annotate nodes.c9s.run r1 -n lab c9s.run/startup-hold-",
        "kubectl get nodes r1 -n lab",
        "kubectl get nodes.c9s.run",
        "kubectl describe topologies metro -n lab",
        "kubectl get pods -l c9s.run/direct-workload=r1",
        "kubectl c9s rollout sett config",
    ],
)
def test_a_command_that_names_the_wrong_thing_is_seen(command: str) -> None:
    with pytest.raises(AssertionError):
        pages.check_command(command)


def test_every_remedy_is_used_and_every_cause_has_remedies_that_exist() -> None:
    used = {remedy for cause in CAUSES.values() for remedy in cause.remedies}
    assert sorted(used - REMEDIES.keys()) == []
    assert sorted(REMEDIES.keys() - used) == []
    without = {code for code, cause in CAUSES.items() if not cause.remedies}
    derived = {code for code, cause in CAUSES.items() if cause.kind == "derived"}
    assert without == derived | {"grant-stale", "unlabelled-workload"}


@pytest.mark.parametrize(("code", "kind", "command"), COMMANDS)
def test_the_commands_of_remedies_can_be_filled_in_and_pasted(
    code: str, kind: str, command: str
) -> None:
    fields = {field for _, field, _, _ in Formatter().parse(command) if field is not None}
    assert fields <= {"namespace", "name", "manager", "app"}, code
    filled = command.format(namespace="lab", name=NAMED[kind], manager="c9s", app="clabernetes")
    pages.check_command(filled)
    check_harmless(filled)
    hosts = pages.names(filled).get("nodes", set())
    assert hosts <= {NAMED["Host"]}, "a Node of clabernetes is one of nodes.c9s.run"


def test_remedies_are_lines_and_none_touches_admission() -> None:
    for remedy in REMEDIES.values():
        assert remedy.text.isprintable()
        assert not remedy.text.endswith(".")
        assert not (ADMISSION.search(remedy.text) and CHANGES.search(remedy.text))
        assert set(remedy.commands) <= NAMED.keys()
    forced = {code for code, remedy in REMEDIES.items() if "force" in remedy.text}
    assert {code for code, remedy in REMEDIES.items() if remedy.risk == "risky"} == forced
