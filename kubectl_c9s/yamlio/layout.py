"""Directory layouts: which file each object of a lab goes into, and the page that lists them.

Source of the rules: cli.md ``split``, conventions.md §7. One object a file; the paths follow from the
objects alone, so that a change of one node changes the files of that node and the lists.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias, TypeVar

from kubectl_c9s.resources import names
from kubectl_c9s.resources.objects import API_VERSION, kind_of, name_of, namespace_of
from kubectl_c9s.yamlio.writer import dump

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kubectl_c9s.resources.objects import KubeObject

T = TypeVar("T")

Layout: TypeAlias = Literal["by-kind", "by-node"]
LAYOUTS: Final[tuple[Layout, ...]] = ("by-kind", "by-node")
KUSTOMIZATION: Final = "kustomization.yaml"
# Every name under which kustomize looks for its list; not every one says its kind.
KUSTOMIZATIONS: Final = (KUSTOMIZATION, "kustomization.yml", "Kustomization")
NAMESPACE_FILE: Final = "namespace.yaml"
SHARED: Final = "_shared"  # no node is called so: its name is a DNS label, which has no '_'

_OWN_GROUP: Final = API_VERSION.partition("/")[0]
_HOST: Final = "host"  # the far side of a Link that ends on the host (split.md §9)
_NAMESPACE: Final = ("", "Namespace")
_NODE: Final = (_OWN_GROUP, "Node")
_LINK: Final = (_OWN_GROUP, "Link")
_FOLDERS: Final = {
    ("", "ConfigMap"): "configmaps",
    (_OWN_GROUP, "NodeProfile"): "nodeprofiles",
    _LINK: "links",
    _NODE: "nodes",
}
_LAST: Final = tuple(_FOLDERS)  # applied in this order, after namespaces and what is not ours
_FILE_NAME: Final = re.compile(r"[a-z0-9]([-a-z0-9.]*[a-z0-9])?")
_TAKEN: Final = KUSTOMIZATION.removesuffix(".yaml")  # a folder's own page stands there
_LONGEST_NAME: Final = 200  # of 255 bytes, so that an ending and a digest fit


class Identity(NamedTuple):
    """An object as far as a layout looks at it; ``nodes`` are the Nodes it belongs to, sorted.

    A Node belongs to itself, a Link to the Node of its endpoint A (of B, if A is the host), a dedicated
    NodeProfile and a ConfigMap to the Nodes that name them; everything else belongs to none.
    """

    group: str
    kind: str
    name: str
    namespace: str = ""
    nodes: tuple[str, ...] = ()


def arrange(
    objects: Iterable[tuple[KubeObject, T]], lab: str, layout: Layout
) -> list[tuple[str, T]]:
    """Give what comes with each object, with the object's file before it, in the order of application.

    Of a ConfigMap and a Namespace, ``apiVersion``, ``kind`` and ``metadata`` are enough. Namespaces come first,
    then objects of kinds a lab does not have, ConfigMaps, NodeProfiles, Links and Nodes; inside a kind the
    order stays. ValueError if one object is there twice.
    """
    known = list(objects)
    identities = identify([obj for obj, _ in known], lab)
    placed = zip(identities, place(identities, layout), known, strict=True)
    ordered = sorted(placed, key=lambda one: _rank(one[0]))  # a stable sort
    return [(path, content) for _, path, (_, content) in ordered]


def identify(objects: Sequence[KubeObject], lab: str) -> list[Identity]:
    """Give the identity of each object; the NodeProfile called like the lab is nobody's own."""
    users: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for obj in objects:
        if _type_of(obj) == _NODE:
            entries = _at(obj, "spec", "filesFromConfigMap")
            users["NodeProfile", str(_at(obj, "spec", "profileRef", "name"))].add(name_of(obj))
            for entry in entries if isinstance(entries, list) else ():
                users["ConfigMap", str(_at(entry, "configMapName"))].add(name_of(obj))
    users.pop(("NodeProfile", lab), None)
    return [_identity(obj, users) for obj in objects]


def place(objects: Iterable[Identity], layout: Layout) -> list[str]:
    """Give the path of each object: relative, with ``/``, every one ending in ``.yaml``.

    Paths differ in more than case, so that they also fit on file systems that do not tell cases
    apart. ValueError if one identity is there twice.
    """
    known = list(objects)
    wanted = [_by_node(one) if layout == "by-node" else _by_kind(one) for one in known]
    counts = Counter(path.casefold() for path in wanted)
    paths = [
        path if counts[path.casefold()] == 1 else _told_apart(path, one)
        for path, one in zip(wanted, known, strict=True)
    ]
    if len({path.casefold() for path in paths}) < len(paths):
        raise ValueError("one object is there twice")
    return paths


def kustomizations(paths: Sequence[str], layout: str) -> list[tuple[str, str]]:
    """Give every ``kustomization.yaml`` of a directory, path → text: its own, and with ``by-kind`` one of each folder.

    That of the directory lists all files. Those of the folders let a tool take one kind after the other; inside a kind
    the order does not matter.
    """
    folders: defaultdict[str, list[str]] = defaultdict(list)
    for path in paths if layout == "by-kind" else ():
        folder, _, name = path.rpartition("/")
        if folder:
            folders[folder].append(name)
    own = [(f"{folder}/{KUSTOMIZATION}", dump(_page(held))) for folder, held in folders.items()]
    return [*own, (KUSTOMIZATION, kustomization(paths))]


def kustomization(paths: Iterable[str]) -> str:
    """Write the ``kustomization.yaml`` that lists the paths in the order given.

    ``fifo`` keeps that order in what kustomize prints: by itself it puts Links and Nodes before NodeProfiles.
    """
    return dump({**_page(paths), "sortOptions": {"order": "fifo"}})


def _page(paths: Iterable[str]) -> Mapping[str, Any]:
    return {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "resources": list(paths),
    }


def _identity(obj: KubeObject, users: Mapping[tuple[str, str], set[str]]) -> Identity:
    group, kind = _type_of(obj)
    name = name_of(obj)
    nodes: list[str] = []
    if (group, kind) == _NODE:
        nodes = [name]
    elif (group, kind) == _LINK:
        ends = [str(_at(obj, "spec", end, "nodeName")) for end in ("endpointA", "endpointB")]
        nodes = [node for node in ends if node != _HOST][:1]
    elif (group, kind) in _FOLDERS:
        nodes = sorted(users.get((kind, name), ()))
    return Identity(group, kind, name, namespace_of(obj), tuple(nodes))


def _type_of(obj: KubeObject) -> tuple[str, str]:
    return str(obj.get("apiVersion", "")).rpartition("/")[0], kind_of(obj)


def _at(value: Any, *keys: str) -> Any:
    """Follow keys, None where a mapping or a key is missing: what passes through can have any shape."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _rank(one: Identity) -> int:
    key = (one.group, one.kind)
    if key == _NAMESPACE:
        return 0
    return 2 + _LAST.index(key) if key in _LAST else 1


def _by_kind(one: Identity) -> str:
    if (one.group, one.kind) == _NAMESPACE:
        return NAMESPACE_FILE
    if folder := _FOLDERS.get((one.group, one.kind)):
        return f"{folder}/{_file_name(one.name)}.yaml"
    return f"others/{_file_name(f'{one.kind.lower()}-{one.name}')}.yaml"


def _by_node(one: Identity) -> str:
    folder = _FOLDERS.get((one.group, one.kind))
    if folder is None or len(one.nodes) != 1 or not names.is_dns1035_label(one.nodes[0]):
        return f"{SHARED}/{_by_kind(one)}"
    if folder == "nodes":
        return f"{one.nodes[0]}/node.yaml"
    if folder == "nodeprofiles":
        return f"{one.nodes[0]}/profile.yaml"
    return f"{one.nodes[0]}/{_by_kind(one)}"


def _file_name(name: str) -> str:
    """Make a file name of an object's name; one of other than DNS shape carries a digest, and one that is taken."""
    if name != _TAKEN and len(name) <= _LONGEST_NAME and _FILE_NAME.fullmatch(name):
        return name
    cleaned = re.sub(r"[^A-Za-z0-9-]+", "-", name).strip("-")[:_LONGEST_NAME]
    return f"{cleaned}_{_digest(name)}"


def _told_apart(path: str, one: Identity) -> str:
    return f"{path.removesuffix('.yaml')}_{_digest('/'.join(one[:4]))}.yaml"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
