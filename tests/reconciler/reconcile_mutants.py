"""Faults planted in the reconciler: its histories in memory have to notice each.

A fault is a text of a module, which has to be there once, and what takes its place. The module is changed while it is
imported, in a process of its own: ``reconcile_history.py --mutant N``.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import types
    from collections.abc import Sequence

ROOT = Path(__file__).parents[2]


class Mutant(NamedTuple):
    """A module below ``kubectl_c9s``, its text, and what takes its place."""

    module: str
    old: str
    new: str


MUTANTS = (
    Mutant("cluster.election", "self._until = begun + self._timers.deadline", "self._until = float('inf')"),
    Mutant("cluster.election", "return self._clock() < seen.since + seen.duration", "return False"),
    Mutant("cluster.election",
           'body = {"metadata": {"resourceVersion": version}, "spec": spec}',
           'body = {"spec": spec}'),
    Mutant("cluster.election", "self._until = begun + self._timers.deadline", "self._until = self._clock() + 30.0"),
    Mutant("reconciler.writer", "if task.body is not None and not self._may_write():", "if False:"),
    Mutant("reconciler.writer", 'return "lost" if error.sent else "unsent"', 'return "unsent"'),
    Mutant("reconciler.writer", '(Conflict, "conflict"), ', ""),
    Mutant("reconciler.writer", "if lacks_rollout(error):", "if False:"),
    Mutant("reconciler.writer",
           'return "lost" if error.status >= _SERVER_ERROR',
           'return "refused" if error.status >= _SERVER_ERROR'),
    Mutant("reconciler.view", "self._missing.pop(name, None)", "pass"),
    Mutant("reconciler.view",
           "name for name, alive in self._alive.items() if now - alive() > self._patience",
           "name for name in ()"),
    Mutant("reconciler.view", "known.pop(_uid(item), None)", "pass"),
    Mutant("reconciler.view", "self._objects[name] = {_uid(item): slim(name, item) for item in event.items}",
           "self._objects.setdefault(name, {}).update({_uid(item): slim(name, item) for item in event.items})"),
    Mutant("reconciler.standing", "if term is not None and term != self.term:", "if False:"),
    Mutant("reconciler.standing",
           "if not trouble and (not self._is_good or look.losses != self._losses):",
           "if False:"),
    Mutant("reconciler.standing", "return Circumstances(now, complete, not trouble, leading, trouble=trouble)",
           "return Circumstances(now, True, True, leading, trouble=trouble)"),
    Mutant("reconciler.standing", "leading = self.term is not None", "leading = True"),
    Mutant("reconciler.standing", "now < self._settled_at()", "False"),
    Mutant("reconciler.loop", "managed = self._managers.leads(place.app)", "managed = True"),
    Mutant("reconciler.loop", "unsupported=self._enforcer.unsupported)", "unsupported=frozenset())"),
    Mutant("reconciler.loop", "            failures=self._enforcer.failures,\n", ""),
    Mutant("reconciler.enforcer",
           "self._histories[one.uid] = history.sending(one.version, one.limits, how.now)",
           "pass"),
    Mutant("reconciler.enforcer",
           'known[meta["uid"]] = history.shown(meta["resourceVersion"], limits)',
           'known[meta["uid"]] = history'),
    Mutant("reconciler.enforcer", "if one.patch is None or one.uid in self._failures:", "if one.patch is None:"),
    Mutant("reconciler.enforcer", 'self._read_from[meta["uid"]] = float("inf")', "pass"),
    Mutant("reconciler.enforcer", "self._read_from[uid] = now + _READ_REST", "self._read_from[uid] = now"),
    Mutant("reconciler.enforcer", "self._histories[uid] = history.read_back(result.version)", "pass"),
    Mutant("reconciler.enforcer", "circle = around(look, config, place) if open_ones else NOBODY", "circle = NOBODY"),
    Mutant("reconciler.enforcer", "return history.answered(result.version)", "return history.dropped()"),
    Mutant("reconciler.enforcer",
           'return history.lost() if result.outcome == "lost" else history.dropped()',
           "return history.dropped()"),
    Mutant("reconciler.telling", "if uid in self._pending or not differs(old, new):", "if not differs(old, new):"),
    Mutant("reconciler.telling", "if uid in self._pending or not differs(old, new):", "if uid in self._pending:"),
    Mutant("reconciler.telling", 'if told is not None and told.version == meta["resourceVersion"]:', "if False:"),
    Mutant("reconciler.telling", "self._pending.discard(uid)\n        told", "told"),
    Mutant("reconciler.telling", 'if result.outcome != "written" or told is None:', "if told is None:"),
    Mutant("reconciler.managers", 'since = self._taken_at if before else float("-inf")', "since = self._clock()"),
    Mutant("reconciler.managers", "return self._clock() - lease.since < lease.duration", "return True"),
    Mutant("reconciler.seen",
           "if (namespace_of(obj), name_of(obj)) == (namespace, CONFIG_NAME):",
           "if name_of(obj):"),
)  # fmt: skip


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a module with its fault, and never from what was compiled before."""

    def __init__(self, name: str, path: str, mutant: Mutant) -> None:
        super().__init__(name, path)
        self._mutant = mutant

    def get_code(self, fullname: str) -> types.CodeType:  # noqa: ARG002 - as importlib calls it
        source = Path(self.path).read_text(encoding="utf-8")
        return compile(changed(source, self._mutant), self.path, "exec")


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant
        self._name = f"kubectl_c9s.{mutant.module}"

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 - as importlib calls it
        target: types.ModuleType | None = None,  # noqa: ARG002 - as importlib calls it
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self._name:
            return None
        loader = _Loader(fullname, str(path_of(self._mutant)), self._mutant)
        return importlib.machinery.ModuleSpec(fullname, loader, origin=loader.path)


def path_of(mutant: Mutant) -> Path:
    """Give the file of the module."""
    return ROOT / "kubectl_c9s" / f"{mutant.module.replace('.', '/')}.py"


def changed(source: str, mutant: Mutant) -> str:
    """Give the module with its fault; the text has to be there once."""
    assert source.count(mutant.old) == 1, (mutant.module, mutant.old, source.count(mutant.old))
    return source.replace(mutant.old, mutant.new)


def plant(number: int) -> None:
    """Let a module be imported with its fault, in this process."""
    sys.meta_path.insert(0, _Finder(MUTANTS[number]))
