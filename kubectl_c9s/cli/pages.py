"""The pages behind the codes of findings: installed with the tool, else those of the checkout."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import kubectl_c9s
from kubectl_c9s.resources.errors import C9sError

if TYPE_CHECKING:
    from kubectl_c9s.resources.codes import Code

_PACKAGE: Final = Path(kubectl_c9s.__file__).parent
# setup.cfg installs docs/codes as kubectl_c9s/pages.
_PLACES: Final = (_PACKAGE / "pages", _PACKAGE.parent / "docs" / "codes")
_SAID: Final = {
    "error": "Error: the input is refused.",
    "warning": "Warning: the input is taken all the same.",
    "guard": "Guard: nothing is written, exit code 4.",
    "info": "Information: something was not looked at.",
    "loss": "Loss: what objects do not have without their Topology.",
}
_ALSO: Final = {
    "error": "Where objects are passed on it is an error.",
    "guard": "On a cluster it is a guard: nothing is written, exit code 4.",
    "loss": "Also a loss: objects do not have it without their Topology.",
}
_UPSTREAM: Final = "The manager's compiler reports it by the same name."


def page(code: str) -> str:
    """Give the page of a code of the table, as Markdown; C9sError when it was not installed."""
    for place in _PLACES:
        try:
            return (place / f"{code}.md").read_text(encoding="utf-8")
        except FileNotFoundError:
            continue
    raise C9sError(f"the page of {code} is not installed", hint="install the tool again")


def severity_line(code: Code) -> str:
    """Say what a code's severities mean, and whether upstream has it: the second line of each page."""
    first, *rest = code.severities
    said = [_SAID[first], *(_ALSO[severity] for severity in rest)]
    return " ".join([*said, _UPSTREAM] if code.upstream else said)
