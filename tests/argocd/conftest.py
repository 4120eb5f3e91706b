"""Argo CD's own code, and the bed with a stand-in manager of standin_plugin.py."""

from __future__ import annotations

import pytest
from argocd_harness import ArgoCd, CannotBuild, harness, shipped_settings
from bed_plugin import may_build, required
from standin_plugin import device_bed, labs

__all__ = ["argocd", "device_bed", "labs", "rules"]


@pytest.fixture(scope="session")
def argocd() -> ArgoCd:
    """Give Argo CD's code; skips where it is not built, and fails there if tests are required."""
    try:
        return harness(may_build=may_build())
    except CannotBuild as error:
        if required():
            pytest.fail(str(error), pytrace=False)
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def rules() -> dict[str, str]:
    """Give the settings as they are shipped: the data of argocd-cm."""
    return shipped_settings()
