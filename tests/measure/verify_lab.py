"""A lab whose network is checked: the command on it, and the schema of what it prints."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import jsonschema_rs
from bed_client import path_of
from live_tools import C9S, c9s, made
from netcheck_tools import make_pod, patch_status, wait_ready

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bed_client import ApiClient
    from bed_own import OwnBed
    from netcheck_tools import Tools
    from split_lab import Answer

SCHEMA = Path(__file__).parents[2] / "docs/schemas/measure-verify.json"
WORKLOAD = "c9s.run/direct-workload"
PRIMARY = {"kubectl.kubernetes.io/default-container": "primary"}
Started: TypeAlias = "tuple[ApiClient, str, dict[str, str]]"


class Lab(NamedTuple):
    """Three ready devices r1, r2, r3 on two hosts, r4 that is not ready, and a plain Pod; r3 is of lab ``two``."""

    bed: OwnBed
    client: ApiClient
    namespace: str
    addresses: dict[str, str]
    tools: Tools

    def call(self, *words: str, kubeconfig: Path | None = None) -> Answer:
        return c9s(
            self.bed, "measure", "verify", "-n", self.namespace, *words, kubeconfig=kubeconfig
        )

    def report(self, code: int, *words: str) -> Any:
        answer = self.call("-o", "json", *words)
        assert answer.code == code, answer.err
        found = json.loads(answer.out)
        validator().validate(found)
        return found


def validator() -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(json.loads(SCHEMA.read_text(encoding="utf-8")))


@contextlib.contextmanager
def started(own_bed: OwnBed) -> Iterator[Started]:
    """Start the Pods of a :class:`Lab` in a namespace of their own."""
    with own_bed.namespace("verify") as namespace, own_bed.client() as client:
        for number in (1, 2, 3):
            labels = {WORKLOAD: f"r{number}"}
            host = f"testbed-node-{number % 2}"
            make_pod(client, namespace, f"one-r{number}", host, labels=labels, annotations=PRIMARY)
        held = {"testbed.c9s.run/ready-delay": "1h"}
        make_pod(
            client,
            namespace,
            "one-r4",
            "testbed-node-0",
            labels={WORKLOAD: "r4"},
            annotations=held,
        )
        make_pod(client, namespace, "plain", "testbed-node-2", labels={"app": "plain"})
        addresses = wait_ready(client, namespace, "one-r1", "one-r2", "one-r3", "plain")
        for name, lab in (("r1", "one"), ("r2", "one"), ("r3", "two"), ("r4", "one")):
            body = made("Node", name, lab, {"kind": "linux"})
            client.create(path_of(C9S, "nodes", namespace), body).ok()
        given = {"directManagement": {"interfaceName": "eth0", "ipv4": "172.20.20.7/24"}}
        patch_status(client, path_of(C9S, "nodes", namespace, "r1"), given)
        yield client, namespace, addresses
