"""The krew manifest of a release, from the template that krew-release-bot reads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from release_archive import sha256
from release_wheels import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

TEMPLATE: Final = ROOT / ".krew.yaml"
# Where the template looks for releases.
REPOSITORY: Final = "https://github.com/OWNER/kubectl-c9s"
_ADD: Final = re.compile(r'\{\{ *addURIAndSha "([^"]+)" \.TagName *\}\}')
_TAG: Final = re.compile(r"\{\{ *\.TagName *\}\}")
_PLATFORM: Final = re.compile(r"^(?=  - selector:)", re.MULTILINE)


def render(tag: str, archives: Iterable[Path], repository: str = REPOSITORY) -> str:
    """Give the manifest for the archives of a release; a platform without one is left out."""
    files = {one.name: one for one in archives}
    text = TEMPLATE.read_text(encoding="utf-8").replace(REPOSITORY, repository)
    head, *platforms = _PLATFORM.split(text[text.index("apiVersion:") :])
    kept = [filled for one in platforms if (filled := _with_sum(one, tag, files))]
    return _TAG.sub(tag, head) + "".join(kept)


def _with_sum(text: str, tag: str, files: dict[str, Path]) -> str:
    """Fill in address and sum in the form krew-release-bot does; give nothing when there is no archive."""
    (address,) = _ADD.findall(text)
    uri = _TAG.sub(tag, address)
    archive = files.get(uri.rpartition("/")[2])
    return _ADD.sub(f"uri: {uri}\n    sha256: {sha256(archive)}", text) if archive else ""
