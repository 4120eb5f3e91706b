"""``split --from-cluster``: a living Topology as input, and how to move over from it (split.md §12)."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.cli.connecting import connect
from kubectl_c9s.cli.inputs import Item
from kubectl_c9s.yamlio.reader import read_text
from kubectl_c9s.yamlio.writer import dump

if TYPE_CHECKING:
    from kubectl_c9s.cli.work import LabPart

# What the server and kubectl have added; the rest of the metadata is the author's.
_ADDED: Final = frozenset(
    {
        "creationTimestamp",
        "deletionGracePeriodSeconds",
        "deletionTimestamp",
        "finalizers",
        "generation",
        "managedFields",
        "ownerReferences",
        "resourceVersion",
        "selfLink",
        "uid",
    }
)
_COPY: Final = "kubectl.kubernetes.io/last-applied-configuration"


def read_topology(name: str, flags: dict[str, Any]) -> Item:
    """Read a Topology of the namespace from the cluster, as if it stood in a file; raises ClusterError."""
    from kubectl_c9s.cluster import kinds  # noqa: PLC0415 - only for a living Topology
    from kubectl_c9s.cluster.reading import read_object  # noqa: PLC0415

    connection = connect(flags)
    found = read_object(connection, kinds.TOPOLOGIES, connection.namespace, name)
    metadata = {key: value for key, value in found["metadata"].items() if key not in _ADDED}
    if annotations := {
        key: value for key, value in (metadata.get("annotations") or {}).items() if key != _COPY
    }:
        metadata["annotations"] = annotations
    else:
        metadata.pop("annotations", None)
    clean = {
        "apiVersion": kinds.TOPOLOGIES.api_version,
        "kind": kinds.TOPOLOGIES.kind,
        "metadata": metadata,
        "spec": found.get("spec") or {},
    }
    return Item(read_text(dump(clean), f"<topology/{name}>")[0], ".")


def steps(topology: str, part: LabPart) -> list[str]:
    """Say how to move over: as long as the Topology lives, it wants the same names."""
    # In the foreground: by itself kubectl comes back while the Topology's objects are still there, and apply refuses.
    place = ["kubectl", "-n", part.namespace, "delete", "topologies.c9s.run", topology]
    delete = shlex.join([*place, "--cascade=foreground"])
    return [
        "keep what was printed in a file, and read it",
        f"then delete the Topology; its objects and devices go with it: {delete}",
        "then apply the file: kubectl c9s apply -f FILE",
    ]
