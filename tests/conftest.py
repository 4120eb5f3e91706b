"""Settings for all tests: properties without deadlines, golden files updated by a flag."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import installed
import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from pathlib import Path

# A run in the background of a script ignores Ctrl-C, and so would all it starts; tests send it to programs.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

pytest_plugins = ["bed_plugin"]

# No test may depend on the speed of the machine. CI repeats the same examples: red means a change.
settings.register_profile(
    "house", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("ci", settings.get_profile("house"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "house")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="rewrite expected outputs (the README's example too) from what the tool prints now",
    )


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a wheel of the checkout."""
    return installed.build_wheel(tmp_path_factory.mktemp("source"))


@pytest.fixture(scope="session")
def installation(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder the tool is installed into; its commands are in ``bin``."""
    return installed.install(wheel, tmp_path_factory.mktemp("installed"))


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Tell whether expected outputs are to be rewritten instead of compared."""
    return bool(request.config.getoption("--update-golden"))
