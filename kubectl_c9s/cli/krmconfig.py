"""The configuration of our KRM function: its kinds, its spec, and what is wrong with one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kubectl_c9s.cli import doorsettings, doorvalues
from kubectl_c9s.topology import data

if TYPE_CHECKING:
    from kubectl_c9s.resources.findings import Findings
    from kubectl_c9s.yamlio.members import Member

API_VERSION: Final = "kubectl.c9s.run/v1alpha1"
SPLIT: Final = "C9sSplit"
VALIDATE: Final = "C9sValidate"
INLINE: Final = "spec.topology"


class Configuration(NamedTuple):
    """What is to be done: every setting by name, the text of the lab it holds, whether nothing may be changed."""

    values: dict[str, Any]
    inline: str = ""
    only_validates: bool = False


def read_configuration(
    config: Member | None, namespace: str | None, findings: Findings
) -> Configuration:
    """Read a configuration; None is a ``C9sSplit`` without settings. What is wrong is in ``findings``."""
    defaults = doorvalues.complete(doorsettings.FUNCTION, {"namespace": namespace})
    if config is None:
        return Configuration(defaults)
    document = config.document

    def complain(message: str, *path: str) -> None:
        place = document.position(data.find(document.root, path))
        findings.error("invalid-function-config", ".".join(path), message, place)

    kind = config.reference().get("kind", "")
    if config.reference().get("apiVersion") != API_VERSION or kind not in {SPLIT, VALIDATE}:
        complain(f"the configuration has to be a {SPLIT} or {VALIDATE} of {API_VERSION}", "kind")
    node = data.find(document.root, ("spec",), exact=True)
    spec = data.to_json(document, node, findings) if node else None
    if not isinstance(spec, dict | None):
        complain("spec has to be a mapping", "spec")
    spec = spec if isinstance(spec, dict) else {}
    validates = kind == VALIDATE
    inline = None if validates else spec.pop("topology", None)
    if not isinstance(inline, str | None):
        complain(
            f"{INLINE} has to be a text: a Topology manifest or a containerlab file",
            "spec",
            "topology",
        )
        inline = None
    table = doorsettings.VALIDATOR if validates else doorsettings.FUNCTION
    given = doorvalues.from_spec(
        table, spec, lambda field, message: complain(f"spec.{field} {message}", "spec", field)
    )
    values = {**defaults, **given, "namespace": given.get("namespace") or defaults["namespace"]}
    return Configuration(values, inline or "", validates)
