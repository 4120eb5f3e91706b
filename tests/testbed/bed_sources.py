"""Where a bed comes from, in order: an existing cluster, kind, and processes of our own.

The binaries of the last are those in ``KUBEBUILDER_ASSETS``, those in the cache, and what Go builds.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import bed_kind
import bed_own
from bed_base import Bed
from bed_components import COMPONENTS, NEEDED
from bed_go import build, cached
from bed_objects import load_crds
from bed_own import OwnBed, Wish
from bed_state import (
    BedUnavailable,
    bed_folder,
    locked,
    locked_if_free,
    operation_lock,
    users_lock,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BedT = TypeVar("BedT", bound=Bed)
PRIVATE: Final = "private-"  # what the names of beds begin with that one test run has to itself


def existing() -> Path | None:
    """Give the kubeconfig of a cluster that somebody has set up for the tests."""
    path = os.environ.get("TESTBED_KUBECONFIG")
    return Path(path).absolute() if path else None


def obtain(name: str, wish: Wish, *, may_build: bool) -> Bed:
    """Give the first bed that can be had; :class:`BedUnavailable` when there is none."""
    if path := existing():
        bed = Bed("existing", "kubeconfig", path)
        try:
            with bed.client() as client:
                load_crds(client)
        except OSError as error:
            raise BedUnavailable(f"TESTBED_KUBECONFIG={path}: {error}") from None
        return bed
    if bed_kind.available():
        return bed_kind.up(name, keep=wish.keep)
    return bed_own.up(name, find_tools(NEEDED, may_build=may_build), wish)


def obtain_own(name: str, wish: Wish, *, may_build: bool) -> OwnBed:
    """Give a bed of our own processes with all components."""
    return bed_own.up(name, find_tools(COMPONENTS, may_build=may_build), wish)


def find_tools(needed: tuple[str, ...], *, may_build: bool) -> dict[str, str]:
    """Find every component that can be had, at least those that are needed."""
    places = {tool: _place(tool) for tool in COMPONENTS}
    missing = [tool for tool, place in places.items() if place is None]
    without = [tool for tool in missing if tool in needed]
    if missing and may_build:
        try:
            build(missing)
        except BedUnavailable:
            if without:
                raise
    elif without:
        # The same words for every fixture: pytest shows equal reasons as one line.
        hint = "`make testbed-up` builds them once, which takes minutes"
        raise BedUnavailable(f"the binaries of the bed are not built yet; {hint}")
    return {tool: str(place) for tool in COMPONENTS if (place := _place(tool))}


def _place(tool: str) -> Path | None:
    assets = os.environ.get("KUBEBUILDER_ASSETS")
    places = [Path(assets).absolute() / tool] if assets else []
    return next((place for place in [*places, cached(tool)] if place.is_file()), None)


@contextlib.contextmanager
def in_use(name: str, make: Callable[[], BedT]) -> Iterator[BedT]:
    """Make a bed and use it; the last user takes it away, unless it was started to stay and is not private.

    One that did not start leaves its logs behind.
    """
    with locked(users_lock(name), shared=True):
        bed = make()
        yield bed
    with locked_if_free(users_lock(name)) as last:
        if last:
            down(name, unless_kept=not name.startswith(PRIVATE))
            forget_locks(name)


def forget_locks(name: str) -> None:
    """Remove the locks of a private bed: nobody else knows its name and could wait for them."""
    if name.startswith(PRIVATE):
        users_lock(name).unlink(missing_ok=True)
        operation_lock(name).unlink(missing_ok=True)


def down(name: str, *, unless_kept: bool = False) -> bool:
    """Stop what has been started under a name; tell whether there was anything."""
    own = bed_own.down(name, unless_kept=unless_kept)
    return bed_kind.down(name, unless_kept=unless_kept) or own


def sweep() -> None:
    """Take away private beds whose test run was killed."""
    for folder in bed_folder("").glob(f"{PRIVATE}*"):
        with locked_if_free(users_lock(folder.name)) as last:
            if last:
                bed_own.down(folder.name)
                forget_locks(folder.name)
