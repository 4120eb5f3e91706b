"""Faults that were brought about, and how it is checked that ``diagnose`` names each, in time, and nothing else."""

from __future__ import annotations

import dataclasses
import json
import sys
import time
from typing import TYPE_CHECKING, Final, TypeAlias

from standin_run import wait_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bed_client import Json
    from faults_lab import Ref
    from faults_site import Site

WITHIN: Final = 10.0  # seconds from the moment the API server shows it
IN_VAIN: Final = 240.0  # seconds after which the test gives up
PAUSE: Final = 0.5  # seconds between two looks: others have work on this machine, too
T: Final = ("topology",)
H: Final = ("host",)
G: Final = ("global",)
INFO: Final = ("info",)


@dataclasses.dataclass(frozen=True)
class Fault:
    """A fault of a lab: how ``diagnose`` has to call it, whom it has to blame, and how it is mended.

    ``visible`` tells whether the API server shows what the cause is known by, ``says`` are words of the evidence,
    ``cure`` does what the ``remedy`` says. ``objects`` are asked for when it is visible.
    """

    code: str
    objects: Callable[[], Iterable[Ref]]
    remedy: str
    visible: Callable[[], object]
    cure: Callable[[], object]
    scope: tuple[str, ...] = T
    says: str = ""
    state: str = "stuck"

    def is_named(self, report: Json) -> bool:
        """Tell whether a report has it as it should be."""
        entry = entry_of(report, self.code)
        return (
            entry is not None
            and entry["state"] == self.state
            and set(self.scope) <= set(entry["scope"])
            and set(self.objects()) <= refs(entry)
            and (self.remedy or None) in (None, *entry["remedies"])
            and self.says in json.dumps([one["text"] for one in entry["evidence"]])
        )


Play: TypeAlias = "Callable[[Site], Fault | list[Fault]]"
"""Brings a fault about, or several of one lab."""


def entry_of(report: Json, code: str) -> Json | None:
    """Give the cause of a code."""
    found: Iterable[Json] = (one for one in report["causes"] if one["code"] == code)
    return next(iter(found), None)


def refs(entry: Json) -> set[Ref]:
    """Give the objects of a cause."""
    return {(one["kind"], one.get("namespace", ""), one["name"]) for one in entry["objects"]}


def accused(report: Json, *states: str) -> dict[str, set[Ref]]:
    """Give whom a report blames, by code; by default those that are stuck."""
    wanted = states or ("stuck",)
    return {one["code"]: refs(one) for one in report["causes"] if one["state"] in wanted}


class Naming:
    """Brings faults about, and watches one report after the other until each was named.

    A report that is asked for :data:`WITHIN` after a fault was seen must have it; so a slow machine spoils nothing.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self.faults: list[Fault] = []
        self._seen: dict[int, float] = {}
        self._named: set[int] = set()

    def bring(self, play: Play) -> None:
        """Let a fault come, beside those that are there."""
        made = play(self._site)
        self.faults += made if isinstance(made, list) else [made]
        self._look()

    def run(self) -> None:
        """Ask until all are named; AssertionError for one that is not named in time."""
        begin = time.monotonic()
        while len(self._named) < len(self.faults):
            self._look()
            asked = time.monotonic()
            self._check(self._site.report(), asked)
            unseen = [one for number, one in enumerate(self.faults) if number not in self._seen]
            words = [f"{one.code} {one.says}" for one in unseen]
            assert asked < begin + IN_VAIN, f"never visible: {words}"
            time.sleep(PAUSE)

    def _look(self) -> None:
        for number, fault in enumerate(self.faults):
            if number not in self._seen and fault.visible():
                self._seen[number] = time.monotonic()

    def _check(self, report: Json, asked: float) -> None:
        for number in sorted(self._seen.keys() - self._named):
            fault, since = self.faults[number], self._seen[number]
            if fault.is_named(report):
                self._named.add(number)
                blamed = ", ".join("/".join(one) for one in fault.objects())
                took = time.monotonic() - since
                line = f"named after {took:4.1f} s: {fault.code:<30} {fault.says:<40} {blamed}"
                sys.stdout.write(f"{line}\n")
                continue
            told = entry_of(report, fault.code) or accused(report, "stuck", "slow")
            words = f"{fault.code} {sorted(fault.objects())} not named"
            assert asked - since < WITHIN, f"{words} after {asked - since:.1f} s, but {told}"


def name_all(site: Site, *plays: Play) -> list[Fault]:
    """Bring faults about and let ``diagnose`` name them all, and nobody else be blamed; give the faults."""
    naming = Naming(site)
    for play in plays:
        naming.bring(play)
    naming.run()
    wanted: dict[str, set[Ref]] = {}
    for fault in naming.faults:
        if fault.state == "stuck":
            wanted.setdefault(fault.code, set()).update(fault.objects())
    _nobody_else(site, wanted)
    return naming.faults


def _nobody_else(site: Site, wanted: dict[str, set[Ref]]) -> None:
    """Wait for a report that blames exactly these: a device that crashes is named by what it does at the moment."""
    verdict = "stalled" if wanted else "misconfigured"
    end = time.monotonic() + WITHIN
    while True:
        report = site.report()
        found = accused(report)
        if found == wanted:
            assert report["verdict"] == verdict
            return
        assert time.monotonic() < end, f"{found} is blamed, not {wanted}"
        time.sleep(PAUSE)


def cure_all(site: Site, faults: Iterable[Fault]) -> None:
    """Do what the remedies say: the batches go on to their end, and nothing is found any more."""
    for fault in faults:
        fault.cure()
    site.wait_ready()
    wait_for("all is healthy", lambda: site.report()["verdict"] == "healthy")


def play(site: Site, *plays: Play) -> None:
    """Name all, then cure all."""
    cure_all(site, name_all(site, *plays))
