"""Plants a fault in a module of the product and says which test notices it.

The modules are executed again in place, the changed one among them, so that all of them and all tests that ask them by
name meet the fault; afterwards they are what they were. Test functions run without pytest, so they have no
fixtures.
"""

from __future__ import annotations

import contextlib
import copy
import itertools
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from kubectl_c9s.rollout import (
    drifting,
    enforcing,
    holding,
    ownwrites,
    policyconditions,
    policyfacts,
    policystatus,
    ruling,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

# Each after those that it imports.
MODULES = (
    drifting,
    ownwrites,
    holding,
    enforcing,
    ruling,
    policyfacts,
    policyconditions,
    policystatus,
)


class Mutant(NamedTuple):
    """One text of a module, which has to be there once, and what takes its place."""

    module: ModuleType
    old: str
    new: str


@contextlib.contextmanager
def planted(mutant: Mutant) -> Iterator[None]:
    """Let the fault be there for a while."""
    kept = {module: dict(module.__dict__) for module in MODULES}
    sources = {module: source_of(module) for module in MODULES}
    whole = sources[mutant.module]
    assert whole.count(mutant.old) == 1, (mutant.module.__name__, mutant.old)
    sources[mutant.module] = whole.replace(mutant.old, mutant.new)
    try:
        for module, source in sources.items():
            exec(compile(source, str(module.__file__), "exec"), module.__dict__)  # noqa: S102 - a planted fault
        yield
    finally:
        for module, names in kept.items():
            module.__dict__.clear()
            module.__dict__.update(names)


def source_of(module: ModuleType) -> str:
    return Path(str(module.__file__)).read_text(encoding="utf-8")


def noticed_by(mutant: Mutant, tests: list[Callable[..., None]]) -> str | None:
    """Give the name of the first test that fails with the fault and passes without; None when there is none."""
    with planted(mutant):
        failing = next((test for test in tests if fails(test)), None)
    if failing is None:
        return None
    assert not fails(failing), f"{failing.__name__} fails without a fault"
    return failing.__name__


def fails(test: Callable[..., None]) -> bool:
    for given in arguments(test):
        try:
            test(**copy.deepcopy(given))
        except Exception:  # noqa: BLE001 - a fault may come out as anything
            return True
    return False


def collected(*modules: ModuleType) -> list[Callable[..., None]]:
    """Give the tests of modules that can be called: properties are left out, examples alone have to notice."""
    return [
        test
        for module in modules
        for name, test in vars(module).items()
        if name.startswith("test_") and not hasattr(test, "hypothesis")
    ]


def arguments(test: Callable[..., None]) -> Iterator[dict[str, Any]]:
    """Give the arguments of each call that pytest would make of the marks of a test."""
    sets = []
    for mark in getattr(test, "pytestmark", ()):
        if mark.name == "parametrize":
            names = mark.args[0]
            names = [one.strip() for one in names.split(",")] if isinstance(names, str) else names
            rows = [row if len(names) > 1 else (row,) for row in mark.args[1]]
            sets.append([dict(zip(names, row, strict=True)) for row in rows])
    for chosen in itertools.product(*sets):
        yield {name: value for part in chosen for name, value in part.items()}
