"""The reconciler as a real process on a bed of its own, with the rights that its manifests give it."""

from __future__ import annotations

import contextlib
import http.client
import sys
import threading
import time
from typing import TYPE_CHECKING, Any, Final

import yaml
from audit_reader import AuditLog
from bed_client import Json, path_of, write_private
from manifests_site import PLURALS
from manifests_tools import MANIFESTS
from reconcile_process import WITHIN, Running, wait_for

from kubectl_c9s.output.manifests import Settings, stream

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from audit_reader import Entry
    from bed_client import Access
    from bed_own import OwnBed

C9S, TOOLKIT = "c9s.run/v1alpha1", "toolkit.c9s.run/v1alpha1"
CRDS: Final = path_of("apiextensions.k8s.io/v1", "customresourcedefinitions")


def load_kinds(bed: OwnBed) -> None:
    """Load the definition of our own kind, as it is shipped."""
    file = MANIFESTS / "crds" / "toolkit.c9s.run_rolloutpolicies.yaml"
    crd = yaml.safe_load(file.read_text(encoding="utf-8"))
    with bed.client() as client:
        client.apply(f"{CRDS}/{crd['metadata']['name']}", crd).ok()
        policies = path_of(TOOLKIT, "rolloutpolicies")
        wait_for("RolloutPolicies", lambda: client.get(policies).status == http.client.OK)


class Site:
    """Namespaces of a manager and of a lab, objects to keep in order, and accounts of reconcilers."""

    def __init__(self, bed: OwnBed, own: str, lab: str, folder: Path) -> None:
        self.bed, self.own, self.lab, self.folder = bed, own, lab, folder
        self.client = bed.client()
        self.audit = AuditLog(bed.audit_log)
        self._wide: list[str] = []
        self._roles: dict[str, list[str]] = {}
        self._numbers = iter(range(1000))

    def account(self, name: str) -> str:
        """Make an account with the rights of a reconciler that enforces; give its token."""
        # Several sites are made at a time: the command itself, which writes to stdout, would mix them up.
        text = stream(Settings("enforce", namespace=self.own, manager_namespace=self.own))
        objects = [one for one in yaml.safe_load_all(text) if one["kind"] in PLURALS]
        # Roles about the Lease name it: that one stays.
        for one in objects:
            one["metadata"]["name"] = f"{name}-{self.own}-{one['metadata']['name']}"
            for subject in one.get("subjects") or ():
                subject["name"] = name
            if "roleRef" in one:
                one["roleRef"]["name"] = f"{name}-{self.own}-{one['roleRef']['name']}"
        for one in objects:
            if one["kind"] != "ServiceAccount":
                where = one["metadata"].get("namespace", "")
                path = path_of(*PLURALS[one["kind"]], where)
                self.client.create(path, one).ok()
                if one["kind"] in {"Role", "ClusterRole"}:
                    self._roles.setdefault(name, []).append(f"{path}/{one['metadata']['name']}")
                if not where:
                    self._wide.append(f"{path}/{one['metadata']['name']}")
        return self.bed.service_account(self.own, name)

    def take_right(self, name: str, resource: str, verbs: set[str], group: str) -> None:
        """Take verbs of one resource out of the roles of an account, wherever they give one."""
        taken = 0
        for path in self._roles[name]:
            rules = []
            for rule in self.client.get(path).ok()["rules"]:
                hit = group in rule["apiGroups"] and resource in rule["resources"]
                hit = hit and bool(set(rule["verbs"]) & verbs)
                taken += hit
                if not hit:
                    rules.append(rule)
                    continue
                if others := [one for one in rule["resources"] if one != resource]:
                    rules.append(rule | {"resources": others})
                if kept := [one for one in rule["verbs"] if one not in verbs]:
                    rules.append(rule | {"resources": [resource], "verbs": kept})
            self.client.patch(path, {"rules": rules}).ok()
        assert taken, f"nothing gives {name} {verbs} of {resource}"

    def config(self, **rollout: int) -> Json:
        """Make the Config with more in it than limits."""
        spec = {"imagePull": {"policy": "Always"}, "rollout": rollout}
        obj = made(C9S, "Config", "clabernetes", spec=spec)
        return self.client.create(path_of(C9S, "configs", self.own), obj).ok()

    def topology(self, name: str = "lab", **rollout: int) -> Json:
        """Make a Topology."""
        definition = {"containerlab": "name: lab\ntopology: {nodes: {r1: {kind: linux}}}\n"}
        obj = made(C9S, "Topology", name, spec={"definition": definition, "rollout": rollout})
        return self.client.create(path_of(C9S, "topologies", self.lab), obj).ok()

    def policy(self, name: str = "policy", **spec: Any) -> None:
        """Make the policy, or give it another spec."""
        path = path_of(TOOLKIT, "rolloutpolicies", self.own)
        full = {"mode": "Enforce"} | spec
        if self.client.get(f"{path}/{name}").status == http.client.OK:
            patch = [{"op": "replace", "path": "/spec", "value": full}]
            self.client.patch(f"{path}/{name}", patch, "application/json-patch+json").ok()
        else:
            self.client.create(path, made(TOOLKIT, "RolloutPolicy", name, spec=full)).ok()

    @property
    def config_path(self) -> str:
        """Give where the Config is."""
        return path_of(C9S, "configs", self.own, "clabernetes")

    def topology_path(self, name: str = "lab") -> str:
        """Give where a Topology is."""
        return path_of(C9S, "topologies", self.lab, name)

    def set(self, path: str, manager: str = "user", **rollout: int | None) -> Json:
        """Let somebody else write limits."""
        return self.client.patch(path, {"spec": {"rollout": rollout}}, fieldManager=manager).ok()

    def block(self, path: str) -> Json:
        """Give the limits of an object."""
        found: Json = self.client.get(path).ok()["spec"].get("rollout") or {}
        return found

    def status(self, name: str = "policy") -> Json:
        """Give the status of a policy."""
        found = self.client.get(path_of(TOOLKIT, "rolloutpolicies", self.own, name)).ok()
        status: Json = found.get("status") or {}
        return status | {
            "isOfNow": status.get("observedGeneration") == found["metadata"]["generation"]
        }

    def condition(self, kind: str = "Enforced", name: str = "policy") -> Json:
        """Give a condition, empty before it is told."""
        status = self.status(name)
        found = [one for one in status.get("conditions") or () if one["type"] == kind]
        return found[0] if found and status["isOfNow"] else {}

    def until(self, reason: str, kind: str = "Enforced", within: float = WITHIN) -> Json:
        """Wait until a condition has a reason, and give it."""
        end = time.monotonic() + within
        while (found := self.condition(kind)).get("reason") != reason:
            assert time.monotonic() < end, f"{kind} is {found}, and not {reason}"
            time.sleep(0.05)
        return found

    def writes(self, **wanted: Any) -> list[Entry]:
        """Give what reconcilers have asked to change, but for Leases."""
        self.audit.catch_up(self.client)
        wanted = {"agent": lambda text: text.startswith("kubectl-c9s/")} | wanted
        found = self.audit.writes(**wanted)
        return [one for one in found if one.resource != "leases.coordination.k8s.io"]

    def mark(self) -> None:
        """Read the audit log from here on."""
        self.audit = AuditLog(self.bed.audit_log)

    def kubeconfig(self, token: str, access: Access | None = None) -> Path:
        """Write a kubeconfig for an account, straight to the server or through a proxy."""
        path = self.folder / f"kubeconfig-{next(self._numbers)}"
        write_private(path, (access or self.bed.access).as_token(token).kubeconfig())
        return path

    @contextlib.contextmanager
    def running(self, kubeconfig: Path, *flags: str, skew: int = 0) -> Iterator[Running]:
        """Run a reconciler for as long as the block lasts, perhaps with a clock that is wrong by so many seconds."""
        one = Running(self.folder, self.own, kubeconfig, *flags, skew=skew)
        try:
            yield one
        finally:
            one.kill()
            sys.stdout.write(one.said)  # pytest shows it when the test has failed

    @contextlib.contextmanager
    def managed(self) -> Iterator[None]:
        """Let a manager lead for as long as the block lasts: its Lease moves."""
        path = path_of("coordination.k8s.io/v1", "leases", self.own)
        spec = {"holderIdentity": "clabernetes-manager-0", "leaseDurationSeconds": 15}
        lease = made("coordination.k8s.io/v1", "Lease", "clabernetes-manager", spec=spec)
        lease["metadata"]["labels"] = {"c9s.run/component": "manager"}
        self.client.create(path, lease).ok()
        over = threading.Event()

        def renew() -> None:
            with self.bed.client() as client:
                while not over.wait(0.5):
                    now = time.strftime("%Y-%m-%dT%H:%M:%S.000000Z", time.gmtime())
                    client.patch(f"{path}/clabernetes-manager", {"spec": {"renewTime": now}})

        thread = threading.Thread(target=renew)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def end(self) -> None:
        """Take away what has no namespace."""
        for path in self._wide:
            self.client.delete(path)
        self.client.close()


def made(version: str, kind: str, name: str, **parts: Any) -> Json:
    """Make an object."""
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name}, **parts}
