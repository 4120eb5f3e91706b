"""The exit codes of every command: one table for the help, the reference and the tests.

A code of :data:`EVERYWHERE` can come from any command; what a command says of a code itself stands for that command.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

EVERYWHERE: Final[Mapping[int, str]] = {
    2: "an unknown flag, a bad value, a file that is missing or cannot be read",
    3: "could not ask or write: cluster unreachable, forbidden, disk full, a fault",
    130: "interrupted",
    141: "the reader of the output has gone",
}
_PRINTED: Final = {0: "printed"}
_NOTHING: Final = "an input has nothing of use in it, or is none"
_GUARD: Final = "a guard refuses the change, or the object has changed since it was read"

OWN: Final[Mapping[str, Mapping[int, str]]] = {
    "split": {
        0: "objects written; with --check: the directory is up to date",
        1: "the input is refused; with --check: the directory is out of date",
        4: "the directory holds what is not ours",
    },
    "fn": {0: "the items are split or sound", 1: "the input is refused; the results say why"},
    "cmp generate": {0: "objects written", 1: "the labs are refused, or there is none"},
    "cmp parameters": _PRINTED,
    "validate": {0: "valid", 1: "invalid"},
    "apply": {
        0: "applied; with --wait: reached",
        1: "the input is refused",
        4: "names of a living Topology, objects or fields of others",
        5: "with --wait: not reached within --timeout",
    },
    "diff": {
        0: "no difference",
        1: "differences",
        2: "an unknown flag, a bad value, an input that is missing or refused",
        4: "fields of others; --force-conflicts shows them taken",
    },
    "check": {0: "nothing has failed", 1: "something has failed, such as a right that is missing"},
    "status": {
        0: "shown; with --for: reached",
        1: f"with --for: stalled; with -f: {_NOTHING}",
        5: "with --for: neither reached nor stalled within --timeout",
    },
    "diagnose": {
        0: "healthy, or no worse than --fail-on allows",
        1: f"stalled or misconfigured; with -f also: {_NOTHING}",
    },
    "snapshot": {0: "saved"},
    "rollout show": {0: "shown"},
    "rollout set": {
        0: "written, or there was nothing to write",
        1: "with -f: the file is refused",
        4: _GUARD,
    },
    "rollout undo": {
        0: "taken back, or there was nothing left to take back",
        1: "no change is on record",
        4: _GUARD,
    },
    "rollout diff": {
        0: "no difference",
        1: "differences",
        2: "an unknown flag, a bad value, a policy that is missing or refused",
    },
    "rollout apply": {
        0: "everything is as the policy wants it",
        1: "the policy is refused",
        4: _GUARD,
    },
    "rollout simulate": {0: "simulated", 1: _NOTHING},
    "diagnostics port-forward": {0: "ended by SIGTERM"},
    "diagnostics capture": {0: "all was taken"},
    "diagnostics report": {0: "reported", 1: "with --fail-on=warning: there is a warning; or no metrics"},
    "measure watch": {
        0: "reached",
        1: f"after the fact (--once, -f): not reached; or {_NOTHING}",
        5: "not reached within --timeout",
    },
    "measure report": {0: "reported", 1: "the file is no recorded start"},
    "measure compare": {
        0: "compared, and --fail-on names nothing that was found",
        1: "what --fail-on names was found; or a file is no recorded start",
        4: "the runs are not alike; --allow-unequal compares them",
    },
    "measure verify": {
        0: "all checks passed",
        1: "a check failed, or there was no device to check",
        5: "not all was decided within --timeout",
    },
    "measure cni": {0: "read, or there is nothing that can be read, which is said", 1: "--run is no recorded start"},
    "measure schedule": {0: "the schedule is made", 1: _NOTHING},
    "measure replay": {
        0: "all Pods are ready and the run counts",
        1: "the run does not count, a ping failed, or the schedule is refused",
        4: "the namespace is there already",
        5: "not all Pods were ready within --timeout",
    },
    "reconciler run": {0: "ended by SIGTERM or Ctrl-C", 130: "interrupted before it has begun"},
    "reconciler manifests": _PRINTED,
    "migrate": {
        0: "migrated; with --check: nothing would change",
        1: "the input is refused; with --check: something would change",
    },
    "gitops argocd": _PRINTED,
    "gitops flux": {
        0: "printed",
        1: "the directory was rendered by an earlier version, or changed by hand",
        4: "the inventory of the directory is not ours",
    },
    "rights": {0: "printed; with --check: all rights are there", 1: "with --check: a right is missing"},
    "explain": _PRINTED,
    "completion": _PRINTED,
    "options": _PRINTED,
    "version": _PRINTED,
}  # fmt: skip


def exits_of(path: str) -> dict[int, str]:
    """Give the codes a command can end with, by the words of its name such as ``rollout set``; none for a group."""
    own = OWN.get(path)
    return {} if own is None else dict(sorted({**EVERYWHERE, **own}.items()))


def attach(path: str, command: click.Command) -> None:
    """Let the help of a command, and of those that are loaded with it, end with its exit codes."""
    if isinstance(command, click.Group):
        for name, inner in command.commands.items():
            attach(f"{path} {name}", inner)
    elif codes := exits_of(path):
        command.epilog = "\b\n" + "\n".join(_lines(codes))


def _lines(codes: Mapping[int, str]) -> Iterator[str]:
    yield "Exit codes:"
    yield from (f"{code:>5}  {words}" for code, words in codes.items())
