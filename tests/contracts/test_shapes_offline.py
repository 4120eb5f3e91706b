"""What commands write for programs without a cluster keeps its schema, in every situation; YAML says what JSON says."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest
import yaml
from shape_tools import ROOT, Kept
from split_lab import command

from kubectl_c9s.reconciler.logs import JsonLines
from kubectl_c9s.resources.causes import CAUSES
from kubectl_c9s.resources.codes import CODES

SMALL = str(ROOT / "examples/small/topology.yaml")
BARE = b"name: demo\ntopology:\n  nodes:\n    a: {kind: linux, image: 'x:1'}\n"
BROKEN = BARE + b"  links:\n    - endpoints: [a:eth1, nobody:eth1]\n"
LISTED = """\
apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: c9s.run/v1alpha1
  kind: Topology
  metadata:
    name: demo
    namespace: lab
    annotations: {internal.config.kubernetes.io/path: labs/demo.yaml}
  spec:
    definition:
      containerlab: |
        topology:
          nodes:
            A: {kind: linux, image: "x:1"}
"""


@pytest.fixture
def bare(tmp_path: Path) -> str:
    path = tmp_path / "lab.clab.yml"
    path.write_bytes(BARE)
    return str(path)


@pytest.fixture
def broken(tmp_path: Path) -> str:
    path = tmp_path / "broken.clab.yml"
    path.write_bytes(BROKEN)
    return str(path)


@pytest.mark.parametrize("lab", [SMALL, str(ROOT / "examples/clos-40/topology.yaml")])
def test_objects(kept: Kept, lab: str) -> None:
    found = kept.run(0, "split", "-f", lab)
    streamed = list(yaml.safe_load_all(command("split", "-f", lab).out))
    assert found["items"] == streamed


def test_objects_that_are_passed_through(kept: Kept, bare: str, tmp_path: Path) -> None:
    mixed = tmp_path / "mixed.yaml"
    other = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n"
    mixed.write_text(Path(SMALL).read_text(encoding="utf-8") + other, encoding="utf-8")
    found = kept.run(0, "split", "--pass-through", "-f", str(mixed))
    assert found["items"][0]["kind"] == "ConfigMap"
    assert kept.run(0, "split", "-f", bare)["items"]


@pytest.mark.parametrize("name", ["split", "validate"])
def test_findings(kept: Kept, name: str, broken: str, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    for code, lab in ((1, broken), (0, SMALL)):
        answer = command(name, "-f", lab, "--report", str(report))
        assert answer.code == code
        (found,) = kept.text(name, "--report", report.read_text(encoding="utf-8"))
        assert bool(found["errors"]) == bool(code)
        # On stderr, too, and with it nothing on stdout.
        answer = command(name, "-f", lab, "--report", "-", "-o", "json")
        assert json.JSONDecoder().raw_decode(answer.err)[0] == found


@pytest.mark.parametrize("layout", ["by-kind", "by-node"])
def test_inventories(kept: Kept, layout: str, tmp_path: Path) -> None:
    args = ("split", "-f", SMALL, "--output-dir", str(tmp_path / "d"), "--layout", layout)
    assert command(*args).code == 0
    place = "--output-dir, .c9s-inventory"
    inventory = tmp_path / "d/.c9s-inventory"
    (first,) = kept.text("split", place, inventory.read_text(encoding="utf-8"))
    assert first["files"]
    assert command(*args, "--name", "other", "--prune").code in {0, 4}


def test_answers_of_a_function(kept: Kept) -> None:
    split = "functionConfig:\n  apiVersion: kubectl.c9s.run/v1alpha1\n  kind: C9sSplit\n  metadata: {name: x}\n"
    check = split.replace("C9sSplit", "C9sValidate")
    faulty = LISTED.replace(
        "nodes:\n", "nodes:\n            B: {kind: linux, network-mode: host}\n"
    )
    for code, text in (
        (0, LISTED + split),
        (0, LISTED + check),
        (1, faulty + split),
        (1, faulty + check),
        (1, "items: []\n"),
        (0, LISTED.partition("items:")[0] + "items: []\n" + check),
    ):
        for form in (text, json.dumps(yaml.safe_load(text))):
            answer = command("fn", stdin=form.encode())
            assert answer.code == code, answer.err
            kept.data("resource-list", yaml.safe_load(answer.out))


def test_what_argo_cd_is_told(kept: Kept, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert kept.text("cmp parameters", "stdout", command("cmp", "parameters").out)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lab.clab.yml").write_bytes(BARE)
    answer = command("cmp", "generate")
    assert (answer.code, bool(kept.text("cmp generate", "stdout", answer.out))) == (0, True)


def test_reports_of_validation(kept: Kept, broken: str, tmp_path: Path) -> None:
    kept.run(0, "validate", "-f", SMALL)
    kept.run(1, "validate", "-f", broken)
    other = tmp_path / "other.yaml"
    other.write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n")
    kept.run(0, "validate", "-f", str(other))
    kept.run(0, "validate", "-f", broken, "--ignore", "unknown-link-endpoint")


@pytest.mark.parametrize("code", ["", *sorted({*CODES, *CAUSES})])
def test_explanations(kept: Kept, code: str) -> None:
    found = kept.run(0, "explain", *filter(None, [code]))
    assert (len(found["findings"]), len(found["causes"])) == (
        (code in CODES, code in CAUSES) if code else (len(CODES), len(CAUSES))
    )


def test_what_the_tool_says_of_itself(kept: Kept) -> None:
    kept.run(0, "version")


@pytest.mark.parametrize(
    "words", ["apply", "apply prune wait", "diagnose", "rollout set config", "measure replay"]
)
def test_rights(kept: Kept, words: str) -> None:
    kept.run(0, "rights", *words.split(), "-n", "lab")


@pytest.mark.parametrize(
    "flags", [(), ("--mode=enforce", "--pod-monitor", "--priority", "--guardrails=deny")]
)
def test_manifests(kept: Kept, flags: tuple[str, ...]) -> None:
    kept.run(0, "reconciler manifests", *flags)


def test_log_lines(kept: Kept) -> None:
    fault = (ValueError, ValueError("odd \x1b text"), None)
    record = logging.LogRecord("c9s", logging.ERROR, "", 1, "a pass has %s", ("failed",), fault)
    record.cause = "sandbox-failed"
    (line,) = kept.text("reconciler run", "stderr", JsonLines().format(record) + "\n")
    assert "ValueError" in line["error"]
