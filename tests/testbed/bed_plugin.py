"""Beds for pytest: fixtures, the rule about skipping, and the tier of slow tests.

Where no bed can be had, its tests are skipped with one reason; with ``CI`` or ``C9S_REQUIRE_BED`` set they fail.
Missing binaries are built only there, or with ``C9S_TESTBED_BUILD``: nobody's test run takes half an hour unasked.
"""

from __future__ import annotations

import contextlib
import functools
import os
import secrets
import shutil
from typing import TYPE_CHECKING, Final, NoReturn, TypeVar

import bed_sources
import pytest
from bed_base import Bed
from bed_components import COMPONENTS
from bed_own import OwnBed, Wish
from bed_state import BedBroken, BedUnavailable, state_root

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

BedT = TypeVar("BedT", bound=Bed)
SHARED: Final = "default"  # the bed that `make testbed-up` starts
NO_BED: Final = "no test bed: "
BEDS: Final = pytest.StashKey[list[OwnBed]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="run the slow tier, too")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "full: slow; only `make test-full` runs it")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--full"):
        return
    slow = [item for item in items if item.get_closest_marker("full")]
    if slow:
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in slow]


def is_set(variable: str) -> bool:
    """Tell whether an environment variable says yes."""
    return os.environ.get(variable, "").lower() not in {"", "0", "false", "no"}


def required() -> bool:
    """Tell whether a test without its bed is a failure."""
    return is_set("CI") or is_set("C9S_REQUIRE_BED")


def without(error: BedUnavailable) -> NoReturn:
    """Skip a test for want of a bed, or fail it where one is required."""
    if required():
        pytest.fail(f"a test bed is required here: {error}", pytrace=False)
    pytest.skip(f"{NO_BED}{error}")


@contextlib.contextmanager
def using(name: str, make: Callable[[], BedT]) -> Iterator[BedT]:
    """Use a bed for as long as the block lasts, by the rule about skipping."""
    with contextlib.ExitStack() as stack:
        try:
            bed = stack.enter_context(bed_sources.in_use(name, make))
        except BedUnavailable as error:
            without(error)
        except BedBroken as error:
            pytest.fail(str(error), pytrace=False)
        yield bed


def may_build() -> bool:
    """Tell whether missing binaries may be built for this test run."""
    return required() or is_set("C9S_TESTBED_BUILD")


@pytest.fixture(scope="session")
def bed() -> Iterator[Bed]:
    """Give an API server with our five kinds; others may use it now: work in a namespace of yours."""
    build = may_build()
    with using(SHARED, lambda: bed_sources.obtain(SHARED, Wish(), may_build=build)) as bed:
        yield bed


@pytest.fixture(scope="session")
def own_bed() -> Iterator[OwnBed]:
    """Give a bed with fake hosts, audit log and a kubelet's door; shared as well, so leave it running."""
    build = may_build()
    with using(SHARED, lambda: bed_sources.obtain_own(SHARED, Wish(), may_build=build)) as bed:
        yield bed


@pytest.fixture
def private_bed(request: pytest.FixtureRequest) -> Iterator[Callable[[Wish], OwnBed]]:
    """Give a maker of beds that only this test has, to be broken as it likes."""
    bed_sources.sweep()
    with contextlib.ExitStack() as stack:

        def make(wish: Wish) -> OwnBed:
            name = f"{bed_sources.PRIVATE}{os.getpid()}-{secrets.token_hex(3)}"
            build = may_build()
            obtain = functools.partial(bed_sources.obtain_own, name, wish, may_build=build)
            bed = stack.enter_context(using(name, obtain))
            request.node.stash.setdefault(BEDS, []).append(bed)
            return bed

        yield make


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show and keep the logs of the beds that a failed test has used; tell once why tests were skipped."""
    report = yield
    if report.skipped and isinstance(report.longrepr, tuple) and NO_BED in report.longrepr[2]:
        # pytest would say it for each place in the tests; those of one place it counts.
        report.longrepr = (__file__, 1, report.longrepr[2])
    if report.failed:
        used = [*item.stash.get(BEDS, []), *getattr(item, "funcargs", {}).values()]
        for bed in used:
            if isinstance(bed, OwnBed):
                report.sections.append((f"bed {bed.name}", _kept_logs(bed)))
    return report


def _kept_logs(bed: OwnBed) -> str:
    place = state_root() / "_failed" / bed.name
    shutil.rmtree(place, ignore_errors=True)
    with contextlib.suppress(OSError, shutil.Error):  # it may be gone, or be written to
        shutil.copytree(bed.folder / "log", place)
    tails = [bed.daemon(name).tail(5) for name in COMPONENTS]
    return f"logs are kept in {place}" + "".join(tails)
