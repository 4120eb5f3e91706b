"""The recorder writes down everything once and in order, goes on after breaks, and says where history is missing."""

from __future__ import annotations

import itertools
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from bed_client import path_of
from bed_objects import until
from watch_lines import NOTES, SEEN, read_lines
from watch_recorder import Recorder

if TYPE_CHECKING:
    from bed_client import Access, ApiClient, Json
    from bed_own import OwnBed
    from fault_handle import FaultProxy

MAPS = "v1", "configmaps"
ROOT_CA = "kube-root-ca.crt"  # in every namespace, sooner or later


def make(client: ApiClient, namespace: str, name: str) -> Json:
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}}
    return client.create(path_of(*MAPS, namespace), body).ok()


def seen(path: Path, *types: str) -> list[str]:
    """Give names in the order in which they were written."""
    wanted = types or SEEN
    lines = [line for line in read_lines(path) if line["type"] in wanted]
    return [line["name"] for line in lines if line["name"] != ROOT_CA]


def notes(path: Path) -> list[str]:
    return [line["type"] for line in read_lines(path) if line["type"] in NOTES]


def settle(path: Path, *names: str) -> None:
    """Wait until these have been seen."""
    until(f"{names} are seen", lambda: set(names) <= set(seen(path)))


def test_what_was_there_and_what_happens_is_written_with_version_and_time(
    own_bed: OwnBed, tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    with own_bed.namespace("faults") as namespace, own_bed.client() as client:
        path = path_of(*MAPS, namespace)
        make(client, namespace, "old")
        with Recorder(own_bed.access, [path], out):
            before = time.monotonic(), time.time()
            made = make(client, namespace, "new")["metadata"]
            patched = client.patch(f"{path}/new", {"data": {"a": "b"}}).ok()["metadata"]
            client.delete(f"{path}/new").ok()
            until("the end is seen", lambda: seen(out, "DELETED") == ["new"])
        lines = [line for line in read_lines(out) if line.get("name") in {"old", "new"}]
    assert [(line["type"], line["name"]) for line in lines] == [
        ("LISTED", "old"),
        ("ADDED", "new"),
        ("MODIFIED", "new"),
        ("DELETED", "new"),
    ]
    added, modified, deleted = lines[1:]
    assert added["resourceVersion"] == made["resourceVersion"]
    assert modified["resourceVersion"] == patched["resourceVersion"]
    assert int(deleted["resourceVersion"]) > int(modified["resourceVersion"])
    assert {line["uid"] for line in lines[1:]} == {made["uid"]}
    assert {(line["kind"], line["namespace"]) for line in lines} == {("ConfigMap", namespace)}
    assert added["mono"] >= before[0]
    assert added["wall"] >= before[1]
    assert all(one["mono"] <= two["mono"] for one, two in itertools.pairwise(lines))
    assert notes(out) == ["SYNCED"]


def test_after_a_break_it_goes_on_where_it_was(own_bed: OwnBed, tmp_path: Path) -> None:
    out, names = tmp_path / "out.jsonl", [f"m-{number}" for number in range(12)]
    with (
        own_bed.namespace("faults") as namespace,
        own_bed.client() as client,
        Recorder(own_bed.access, [path_of(*MAPS, namespace)], out) as recorder,
    ):
        for name in names:
            make(client, namespace, name)
            if name in names[3:9:3]:
                settle(out, name)
                recorder.cut()
        settle(out, *names)
    assert seen(out) == names
    assert set(notes(out)) == {"SYNCED", "RESUMED"}


@pytest.mark.parametrize("do", ["expire", "gone"])
def test_a_gap_is_noted_with_what_went_and_what_came_meanwhile(
    own_bed: OwnBed, proxy: FaultProxy, tmp_path: Path, do: str
) -> None:
    # Through the proxy, which is what makes history end; a real recorder goes straight to the server.
    out = tmp_path / "out.jsonl"
    with own_bed.namespace("faults") as namespace, own_bed.client() as client:
        collection = path_of(*MAPS, namespace)
        make(client, namespace, "goes")
        make(client, namespace, "stays")
        hidden = {"verb": "watch", "namespace": namespace, "limit": 1}
        proxy.rules({"match": hidden, "do": "silent"})
        with Recorder(proxy.access, [collection], out) as recorder:
            until("it watches", lambda: proxy.fired() == {"rule-1": 1})
            client.delete(f"{collection}/goes").ok()
            make(client, namespace, "comes")
            proxy.rules({"name": "end", "match": hidden, "do": do})
            recorder.cut()
            settle(out, "comes")
            make(client, namespace, "later")
            settle(out, "later")
        lines = read_lines(out)
    assert notes(out)[0] == "SYNCED"
    assert notes(out)[-1] == "GAP"
    gap = next(number for number, line in enumerate(lines) if line["type"] == "GAP")
    after = {(line["type"], line["name"]) for line in lines[gap + 1 :] if line["name"] != ROOT_CA}
    assert after == {
        ("VANISHED", "goes"),
        ("LISTED", "stays"),
        ("LISTED", "comes"),
        ("ADDED", "later"),
    }
    assert "410" in lines[gap]["why"]
    synced = next(line for line in lines if line["type"] == "SYNCED")
    assert int(lines[gap]["resourceVersion"]) >= int(synced["resourceVersion"])


def test_a_silent_stream_is_given_up(own_bed: OwnBed, proxy: FaultProxy, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with own_bed.namespace("faults") as namespace, own_bed.client() as client:
        match = {"verb": "watch", "namespace": namespace, "limit": 1}
        proxy.rules({"match": match, "do": "silent"})
        with Recorder(proxy.access, [path_of(*MAPS, namespace)], out, silence=2.0):
            make(client, namespace, "unheard")
            settle(out, "unheard")
    assert "RESUMED" in notes(out)
    assert seen(out) == ["unheard"]


def test_several_kinds_go_into_one_file(own_bed: OwnBed, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with own_bed.namespace("faults") as namespace, own_bed.client() as client:
        secrets = path_of("v1", "secrets", namespace)
        with Recorder(own_bed.access, [path_of(*MAPS, namespace), secrets], out):
            make(client, namespace, "a")
            secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "b"}}
            client.create(secrets, secret).ok()
            settle(out, "a", "b")
    kinds = {line["name"]: line["kind"] for line in read_lines(out) if "name" in line}
    assert (kinds["a"], kinds["b"]) == ("ConfigMap", "Secret")
    assert notes(out) == ["SYNCED", "SYNCED"]


def test_a_recorder_without_a_server_does_not_claim_to_be_ready(
    own_bed: OwnBed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("watch_recorder.SYNC_WITHIN", 0.5)
    own: Access = own_bed.access
    nowhere = type(own)("https://127.0.0.1:1", own.ca, own.cert, own.key)
    recorder = Recorder(nowhere, ["/api/v1/pods"], tmp_path / "out.jsonl")
    with pytest.raises(TimeoutError, match="no list"):
        recorder.start()
    recorder.stop()
    assert read_lines(tmp_path / "out.jsonl") == []


def test_it_runs_as_a_process_of_its_own(own_bed: OwnBed, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    main = Path(__file__).with_name("watch_recorder.py")
    with own_bed.namespace("faults") as namespace, own_bed.client() as client:
        command = [sys.executable, str(main), f"--kubeconfig={own_bed.kubeconfig}", "--until-eof"]
        command += [f"--output={out}", "--watch=v1/configmaps", f"--namespace={namespace}"]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "READY\n"
            make(client, namespace, "a")
            settle(out, "a")
            process.communicate(timeout=60)
        assert process.returncode == 0
