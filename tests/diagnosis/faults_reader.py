"""Somebody with no rights but those they are given, who asks ``diagnose``, and what the server was asked."""

from __future__ import annotations

import collections
import json
import secrets
import urllib.parse
from typing import TYPE_CHECKING, Final

import yaml
from audit_reader import AuditLog, select
from bed_client import path_of
from bed_objects import until
from split_lab import command

if TYPE_CHECKING:
    from pathlib import Path

    from audit_reader import Entry
    from bed_client import Json
    from faults_site import Site
    from split_lab import Answer

GROUP: Final = "rbac.authorization.k8s.io"
VERSION: Final = f"{GROUP}/v1"
ACCOUNT: Final = "reader"


class Reader:
    """A ServiceAccount in a namespace of a site, with a kubeconfig of its own."""

    def __init__(self, site: Site, folder: Path) -> None:
        self.site = site
        self.home = site.lab("reader").namespace
        self.user = f"system:serviceaccount:{self.home}:{ACCOUNT}"
        self._role = f"{self.home}-{secrets.token_hex(3)}"
        self._kubeconfig = folder / "kubeconfig"
        access = site.bed.access.as_token(site.bed.service_account(self.home, ACCOUNT))
        self._kubeconfig.write_text(access.kubeconfig(), encoding="utf-8")

    def may(self, rules: list[Json], namespace: str = "") -> None:
        """Give the rules everywhere, or in one namespace; wait until they have effect."""
        kind = "Role" if namespace else "ClusterRole"
        meta = {"name": self._role}
        plural = f"{kind.lower()}s"
        role = {"apiVersion": VERSION, "kind": kind, "metadata": meta, "rules": rules}
        self.site.client.apply(path_of(VERSION, plural, namespace, self._role), role).ok()
        binding = {
            "apiVersion": VERSION,
            "kind": f"{kind}Binding",
            "metadata": meta,
            "roleRef": {"apiGroup": GROUP, "kind": kind, "name": self._role},
            "subjects": [{"kind": "ServiceAccount", "name": ACCOUNT, "namespace": self.home}],
        }
        plural = f"{kind.lower()}bindings"
        self.site.client.apply(path_of(VERSION, plural, namespace, self._role), binding).ok()
        place = ("-n", namespace) if namespace else ()
        until("the rules have effect", lambda: self._sees_pods(*place))

    def _sees_pods(self, *args: str) -> bool:
        answer = self.diagnose(*args)
        return answer.code == 0 and "pods" not in json.loads(answer.out)["notCollected"]

    def leave(self) -> None:
        """Take away what is in no namespace."""
        for plural in ("clusterroles", "clusterrolebindings"):
            self.site.client.delete(path_of(VERSION, plural, name=self._role))

    def diagnose(self, *args: str) -> Answer:
        """Ask with small thresholds."""
        flags = ("--slow-after=1s", "--stalled-after=3s", "-o", "json")
        return self.site.diagnose(*flags, *args, kubeconfig=self._kubeconfig)

    def report(self, *args: str) -> Json:
        """Ask, and give the report."""
        answer = self.diagnose(*args)
        assert answer.code == 0, answer.err
        report: Json = json.loads(answer.out)
        return report

    def asked(self, log: AuditLog) -> list[Entry]:
        """Give what the server was asked since the mark of the log."""
        log.catch_up(self.site.client)
        return list(select(log.entries(), user=self.user))


def printed_rules(*less: str) -> list[Json]:
    """Give the rules that ``rights diagnose`` prints, without those for some resources (``nodes`` is the core's)."""
    (role,) = yaml.safe_load_all(command("rights", "diagnose").out)
    rules: list[Json] = role["rules"]
    return [rule for rule in rules if ".".join(filter(None, _kind(rule))) not in less]


def _kind(rule: Json) -> tuple[str, str]:
    return rule["resources"][0], rule["apiGroups"][0]


def pages(entries: list[Entry]) -> dict[tuple[str, str, str], int]:
    """Count lists by resource, namespace and page."""
    return dict(collections.Counter((one.resource, one.namespace, _page(one)) for one in entries))


def _page(entry: Entry) -> str:
    query = urllib.parse.urlsplit(entry.line["requestURI"]).query
    return urllib.parse.parse_qs(query).get("continue", [""])[0]
