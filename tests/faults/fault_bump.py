"""Real conflicts: another writer, the proxy, is faster, through the server itself."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Final

from fault_upstream import ask

if TYPE_CHECKING:
    from fault_decide import Fault
    from fault_request import Asked
    from fault_upstream import Server

ANNOTATION: Final = "faults.testbed.c9s.run/bumped"
MANAGER: Final = "c9s-faults"
_numbers = itertools.count(1)


async def get_ahead(server: Server, fault: Fault, asked: Asked, body: bytes, content: str) -> int:
    """Write before the client does, and give the server's status.

    A create is done in the client's words (``content`` is its media type); everything else meets a merge patch of the
    object: the fault's, or of an annotation, which gives it another resourceVersion. What the client's own write meets
    then is the server's matter.
    """
    if asked.verb == "create" and not asked.subresource:
        return await ask(server, "POST", asked.path, body, content)
    bump = {"metadata": {"annotations": {ANNOTATION: str(next(_numbers))}}}
    patch = json.dumps(fault.settings["patch"] or bump).encode()
    path = f"{asked.main_path}?fieldManager={MANAGER}"
    return await ask(server, "PATCH", path, patch, "application/merge-patch+json")
