"""The pages behind the codes of findings and of causes: installed with the tool, else those of the checkout."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import kubectl_c9s
from kubectl_c9s.resources.errors import C9sError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kubectl_c9s.resources.causes import Cause, Kind
    from kubectl_c9s.resources.codes import Code

_PACKAGE: Final = Path(kubectl_c9s.__file__).parent
# setup.cfg installs docs/codes as kubectl_c9s/pages, and docs/causes as kubectl_c9s/causepages.
_PLACES: Final = (_PACKAGE / "pages", _PACKAGE.parent / "docs" / "codes")
_CAUSE_PLACES: Final = (_PACKAGE / "causepages", _PACKAGE.parent / "docs" / "causes")
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
_CLASSES: Final[Mapping[Kind, str]] = {
    "end": "stuck at any age",
    "time": "its age decides whether it is stuck",
    "slot": "stuck when the startup probe has used up its allowance",
    "waits": "normal waiting, never stuck",
    "config": "a misconfiguration",
    "note": "never more than a remark",
    "derived": "only beside a stuck cause",
}
_SCOPES: Final = {"G": "global", "T": "topology", "H": "host", "I": "info"}


def page(code: str) -> str:
    """Give the page of a finding of the table, as Markdown; C9sError when it was not installed."""
    return _read(_PLACES, code)


def cause_page(code: str) -> str:
    """Give the page of a cause of the table, as Markdown; C9sError when it was not installed."""
    return _read(_CAUSE_PLACES, code)


def _read(places: Iterable[Path], code: str) -> str:
    for place in places:
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


def cause_line(cause: Cause) -> str:
    """Say a cause's class and which scopes it can have (causes.md §1): the second line of each page."""
    names = [f"`{name}`" for name in scopes(cause)]
    return f"Class `{cause.kind}`: {_CLASSES[cause.kind]}. {'Scopes' if names[1:] else 'Scope'}: {', '.join(names)}."


def scopes(cause: Cause) -> list[str]:
    """Give the scopes a cause can have, the widest first, as reports name them."""
    return [_SCOPES[letter] for letter in cause.scopes]
