"""All objects of an input together, the ones that its labs would make included."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kubectl_c9s.resources.objects import name_of
from kubectl_c9s.validation.things import listed, mapping, owner_of, text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.validation.things import Thing

    Key = tuple[str, str]


class Member:
    """An object that would be in the cluster: one of the input, or one that a lab of the input makes.

    ``derived`` tells the second; it has no place of its own, and what is wrong with it is reported at its lab.
    """

    __slots__ = ("derived", "kind", "name", "namespace", "obj", "owner", "spec", "thing")

    def __init__(self, thing: Thing, obj: KubeObject, kind: str, *, derived: bool) -> None:
        self.thing = thing
        self.obj = obj
        self.kind = kind
        self.derived = derived
        self.name = name_of(obj)
        self.namespace = thing.lab.namespace if derived and thing.lab else thing.namespace
        self.owner = thing.lab.name if derived and thing.lab else owner_of(obj)
        self.spec = mapping(obj.get("spec"))

    @property
    def key(self) -> Key:
        """Give namespace and name."""
        return self.namespace, self.name

    def error(self, code: str, path: Sequence[str | int], message: str) -> None:
        """Report what is wrong, at a field of the object or at the lab that makes it."""
        if self.derived:
            self.thing.error(code, self._lab_place(), f"{self.kind} {self.name!r}: {message}")
        else:
            self.thing.error(code, path, message)

    def warning(self, code: str, path: Sequence[str | int], message: str) -> None:
        """Report what deserves a look, at a field of the object or at the lab that makes it."""
        if self.derived:
            self.thing.warning(code, self._lab_place(), f"{self.kind} {self.name!r}: {message}")
        else:
            self.thing.warning(code, path, message)

    def _lab_place(self) -> tuple[str, ...]:
        return ("spec", "definition", "containerlab") if self.thing.obj.get("spec") else ()


class World:
    """Members by kind; of two with one name the first."""

    def __init__(self, things: Iterable[Thing]) -> None:
        self.things = [thing for thing in things if thing.checked]
        self.members: dict[str, list[Member]] = {}
        for thing in self.things:
            for member in _members(thing):
                self.members.setdefault(member.kind, []).append(member)
        self.nodes = self._index("Node")
        self.profiles = self._index("NodeProfile")
        self.config_maps = self._index("ConfigMap")

    def of(self, kind: str, *, derived: bool = True) -> Iterator[Member]:
        """Give all members of a kind, in the order of the input; ``derived`` False leaves those of labs out."""
        members = self.members.get(kind, ())
        return (member for member in members if derived or not member.derived)

    def _index(self, kind: str) -> dict[Key, Member]:
        found: dict[Key, Member] = {}
        for member in self.of(kind):
            found.setdefault(member.key, member)
        return found


def _members(thing: Thing) -> Iterator[Member]:
    if thing.lab is not None and thing.lab.rendered is not None:
        for obj in thing.lab.rendered.ordered():
            yield Member(thing, obj, obj["kind"], derived=True)
    if thing.ours or thing.is_config_map:
        yield Member(thing, thing.obj, thing.kind, derived=False)


def profile_of(node: Member) -> str:
    """Give the name of the NodeProfile that a Node names, or the empty text."""
    return text(mapping(node.spec.get("profileRef")).get("name"))


def ends_of(link: Member) -> Iterator[tuple[str, str, str]]:
    """Give (field, node, interface) of both ends of a Link, where they are texts."""
    for field in ("endpointA", "endpointB"):
        end = mapping(link.spec.get(field))
        node, interface = text(end.get("nodeName")), text(end.get("interfaceName"))
        if node and interface:
            yield field, node, interface


def files_of(node: Member) -> Iterator[tuple[int, str, str]]:
    """Give (index, ConfigMap, key or the empty text) of a Node's filesFromConfigMap."""
    for index, entry in enumerate(listed(node.spec.get("filesFromConfigMap"))):
        name = text(mapping(entry).get("configMapName"))
        if name:
            yield index, name, text(mapping(entry).get("configMapPath"))
