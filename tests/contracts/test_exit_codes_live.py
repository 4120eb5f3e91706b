"""Exit codes that want a cluster: who may do nothing, guards, time that runs out; each on a real API server."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING
from unittest import mock

import pytest
from exit_ways import ANSWERED, ASKING
from live_tools import c9s, node, written
from situation_files import Words, program, situation
from standin_lab_tools import LINUX
from test_exit_codes import name_of, recorded
from test_shapes_live import POLICY, Site

from kubectl_c9s.cli.exits import exits_of

if TYPE_CHECKING:
    from pathlib import Path

    from bed_own import OwnBed
    from rights_tools import Person
    from shape_tools import Kept
    from standin_lab_tools import Labs


@pytest.fixture
def site(device_bed: OwnBed, labs: Labs, kept: Kept, tmp_path: Path) -> Site:
    return Site(device_bed, labs, kept, tmp_path / "state")


def ends(site: Site, code: int, *args: str) -> str:
    """Run a command, which must end with a code of its own; give what it says on stderr."""
    answer = site(*args)
    assert answer.code == code, (answer.out[:500], answer.err)
    assert code in exits_of(name_of(" ".join(args)))
    assert "Traceback" not in answer.err
    return answer.err


def test_who_may_do_nothing_is_told_that_nobody_could_be_asked(
    nobody: Person, tmp_path: Path
) -> None:
    recorded(nobody.bed.access.server, tmp_path)
    names = situation(tmp_path)
    for text in ASKING:
        place = [] if " -n " in text else ["-n", nobody.namespace]
        words = Words(text, names | {"new": str(tmp_path / f"new{len(text)}")})
        with mock.patch.dict(os.environ, {"XDG_STATE_HOME": str(tmp_path / "state")}):
            answer = c9s(nobody.bed, *words.args, *place, kubeconfig=nobody.kubeconfig)
        assert answer.code == ANSWERED.get(name_of(text), 3), (text, answer.out[:300], answer.err)
        if answer.code == 3:
            assert answer.out == "", text
            assert "error: " in answer.err


def test_apply_and_diff(site: Site, tmp_path: Path) -> None:
    lab = written(tmp_path, [node("r1"), node("r2")])
    ends(site, 1, "diff", "-f", lab)
    ends(site, 5, "apply", "-f", lab, "--wait", "--timeout", "1s")
    ends(site, 0, "apply", "-f", lab)
    ends(site, 0, "diff", "-f", lab)
    others = written(tmp_path, [node("r1", lab="other")], "others.json")
    ends(site, 4, "apply", "-f", others)
    # A field that somebody else owns.
    body = {"apiVersion": "c9s.run/v1alpha1", "kind": "Node", "spec": {"image": "theirs:1"}}
    site.labs.client.apply(site.labs.path("nodes", "r1"), body, "them").ok()
    ends(site, 4, "diff", "-f", lab)


def test_questions_about_a_cluster(site: Site, tmp_path: Path) -> None:
    ends(site, 1, "check")
    ends(site, 1, "rollout", "undo")
    ends(site, 1, "measure", "verify")
    ends(site, 5, "measure", "watch", "--timeout", "1s")
    site.labs.limit(batchSize=1)
    site.labs.standin.start()
    site.labs.node("a", fail="sandbox")
    site.labs.topology("metro", dict.fromkeys("bc", LINUX))
    site.labs.wait("there is a Pod", lambda: "a" in site.labs.pods())
    ends(site, 0, "check")
    ends(site, 0, "snapshot", "--output-file", str(tmp_path / "s.json"))
    ends(site, 0, "measure", "cni", "--since", "2026-01-31T10:00:00Z")
    assert "not ready in time" in ends(site, 5, "status", "--for", "ready", "--timeout", "1s")


def test_limits(site: Site, tmp_path: Path) -> None:
    site.labs.limit(batchSize=1)
    site.labs.standin.start()
    for name in "ab":
        site.labs.node(name, fail="sandbox")
    site.labs.wait("there is a Pod", site.labs.pods)
    policy = tmp_path / "policy.yaml"
    policy.write_text(POLICY)
    ends(site, 0, "rollout", "show")
    ends(site, 3, "rollout", "show", "topology/none")
    ends(site, 4, "rollout", "set", "config", "--batch-size=0")
    ends(site, 0, "rollout", "set", "config", "--batch-size=2")
    ends(site, 0, "rollout", "undo")
    ends(site, 1, "rollout", "diff", "-f", str(policy))
    ends(site, 0, "rollout", "apply", "-f", str(policy))
    ends(site, 0, "rollout", "diff", "-f", str(policy))
    site.labs.limit(batchSize=9)
    ends(site, 4, "rollout", "undo")
    site.labs.limit(batchSize=1)
    policy.write_text(POLICY.replace("batchSize: 3", "batchSize: 0"))
    ends(site, 4, "rollout", "apply", "-f", str(policy))


def test_replays(site: Site, tmp_path: Path) -> None:
    names = situation(tmp_path)
    ends(site, 4, "measure", "replay", names["schedule"], "--output-dir", str(tmp_path / "a"))


STREAMS = {
    "status --watch -o jsonl": ("status", "-o jsonl"),
    "measure watch -o jsonl --sample-every 200ms --output-file {run}": (
        "measure watch",
        "-o jsonl",
    ),
}


@pytest.mark.parametrize("text", STREAMS)
def test_a_stream_that_is_interrupted_ends_with_its_last_line(
    site: Site, text: str, tmp_path: Path
) -> None:
    """The recording is whole, too, whether somebody presses Ctrl-C or the reader goes."""
    site.labs.limit(batchSize=1)
    site.labs.standin.start()
    site.labs.node("a", fail="sandbox")
    site.labs.wait("there is a Pod", site.labs.pods)
    run = tmp_path / "run.json"
    place = f"-n {site.labs.namespace} --manager-namespace {site.labs.standin.namespace}"
    words = Words(f"{text} {place} --kubeconfig {site.bed.kubeconfig}", {"run": str(run)})
    for code in (130, 141):
        with program(words, tmp_path) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            first = process.stdout.readline()
            if code == 141:
                process.stdout.close()
                site.labs.node("later")
                rest, err = b"", process.stderr.read()
            else:
                process.send_signal(signal.SIGINT)
                rest, err = process.communicate(timeout=60)
        assert process.returncode == code, err.decode()
        assert b"Traceback" not in err
        lines = site.kept.text(*STREAMS[text], (first + rest).decode())
        assert (lines[-1]["type"] == "end") == (code == 130)
        if "{run}" in text:
            (kept,) = site.kept.text("measure watch", "--output-file", run.read_text("utf-8"))
            assert kept["verdict"] == "interrupted"
