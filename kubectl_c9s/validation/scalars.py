"""Rules for the text of an object: scalars that readers take differently, and what Flux would replace.

Sources: conventions.md §7 (substitution) and §8 (readers).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from kubectl_c9s.resources.fluxmarks import DISABLED, SUBSTITUTE, VARIABLE
from kubectl_c9s.validation.things import mapping

if TYPE_CHECKING:
    from kubectl_c9s.validation.things import Thing

# "$$" gives "$": only a dollar after an even number of them begins a variable.
_BEGINS: Final = re.compile(r"(?<!\$)(?:\$\$)*\$\{")
_SHOWN: Final = 60


def check_ambiguous(thing: Thing) -> None:
    """Warn about keys and values that kubectl's reader and a YAML 1.2 reader take differently."""
    for node in thing.reading.ambiguous:
        shown = node.text if len(node.text) <= _SHOWN else f"{node.text[:_SHOWN]}…"
        message = (
            f"readers of YAML take {shown!r} differently; put it in quotes or write it plainly"
        )
        thing.add("warning", "ambiguous-scalar", (), message, thing.document.position(node))


def check_substitution(thing: Thing) -> None:
    """Warn, once an object, about text that Flux's post-build substitution would replace."""
    found = [node for node in thing.reading.variables if _BEGINS.search(node.text)]
    if not found or _is_protected(thing):
        return
    message = (
        f"{len(found)} text(s) hold '{VARIABLE}', which Flux replaces, or fails at, where post-build substitution "
        f"is on; the annotation {SUBSTITUTE}: {DISABLED} on this object keeps them: "
        "split --flux-no-substitute writes it"
    )
    thing.add("warning", "flux-substitution", (), message, thing.document.position(found[0]))


def _is_protected(thing: Thing) -> bool:
    metadata = mapping(thing.obj.get("metadata"))
    parts = (mapping(metadata.get(part)) for part in ("annotations", "labels"))
    return any(part.get(SUBSTITUTE) == DISABLED for part in parts)
