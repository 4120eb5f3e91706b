"""The fixture that plays a page, with the tool as installed and the programs that the page calls."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from bed_base import kubectl
from bed_state import BedUnavailable
from page_places import make_environment, make_folder
from page_player import play
from page_shell import PageShell

if TYPE_CHECKING:
    from collections.abc import Callable

# Programs of pages that are fixtures elsewhere, because they are built.
BUILT: Final = ("kustomize",)


@pytest.fixture
def player(
    installation: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> Callable[..., str]:
    """Give a function that plays the text of a page, ``bed`` being the kubeconfig of a cluster or None."""
    try:
        programs = [Path(kubectl())]
    except BedUnavailable as error:
        pytest.skip(str(error))

    def play_page(page: str, bed: Path | None = None) -> str:
        called = [name for name in BUILT if re.search(rf"\b{name} ", page)]
        built = [request.getfixturevalue(name) for name in called]
        folder = make_folder(tmp_path, page)
        environment = make_environment(tmp_path, installation, [*programs, *built])
        if bed is not None:
            own = tmp_path / "home" / "kubeconfig"
            own.write_bytes(bed.read_bytes())  # a page may change the namespace of its context
            environment["KUBECONFIG"] = str(own)
        with PageShell(folder, tmp_path / "aside", environment) as shell:
            return play(page, shell, bed=bed is not None)

    return play_page
