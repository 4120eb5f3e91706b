"""The way from the root of a document to an entry that is to be changed, and what on that way forbids it.

What an alias or a merge key brings stands somewhere else, and what an alias uses stands for that place as well:
a change would reach further than it says, so it is refused, with both places.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from kubectl_c9s.yamlio import splices
from kubectl_c9s.yamlio.refusals import Misplaced, shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kubectl_c9s.yamlio.listed import Step
    from kubectl_c9s.yamlio.spots import Splice, Spot, SpotText


class Walk:
    """A document, and the collections from its root down to the one that ``path`` leads to.

    Every method raises Misplaced for what cannot be changed without changing something else.
    """

    def __init__(self, doc: SpotText, path: Iterable[Step]) -> None:
        self._doc = doc
        self._holders = [doc.root]
        self._names: list[str] = []
        self._own(doc.root)
        for step in path:
            index = step if isinstance(step, int) else self._known(step)
            self._names.append(str(step))
            self._holders.append(self._own(self._child(index)))

    def set(self, keys: Sequence[str], field: str, literal: str) -> list[Splice]:
        """Set ``field`` of the mapping below ``keys``, which may be null or missing."""
        for depth, key in enumerate(keys):
            holder, index = self._holders[-1], self._index(key)
            if index is None:
                return splices.add_entry(self._doc, self._holders, [*keys[depth:], field], literal)
            self._names.append(key)
            name, value = holder.entries[index]
            self._own(value)
            inside = [*keys[depth + 1 :], field]
            in_block = not holder.flow and splices.is_bare(self._doc, name, value)
            if in_block or splices.is_null(value):
                return splices.fill_entry(self._doc, self._holders, index, inside, literal)
            self._enter(value)
        return self._set_field(field, literal)

    def _set_field(self, field: str, literal: str) -> list[Splice]:
        mapping = self._holders[-1]
        index = self._index(field)
        self._names.append(field)
        if index is None:
            return splices.add_entry(self._doc, self._holders, [field], literal)
        key, value = mapping.entries[index]
        self._check_field(value)
        return splices.replace_value(self._doc, key, value, literal)

    def remove(self, keys: Sequence[str], field: str, *, drop_empty: bool) -> list[Splice]:
        """Remove ``field`` of the mapping below ``keys``, which is there; perhaps that mapping, too."""
        places: list[int] = []
        for key in keys:
            places.append(self._known(key))
            self._names.append(key)
            self._enter(self._child(places[-1]))
        mapping = self._holders[-1]
        self._names.append(field)
        self._check_merge(field, -1)
        place = self._known(field)
        self._check_unused(mapping.entries[place][0])
        self._check_field(mapping.entries[place][1])
        if drop_empty and len(mapping.entries) == 1:
            self._check_unused(self._holders[-2].entries[places[-1]][0])
            return splices.remove_entry(self._doc, self._holders[:-1], places[-1])
        return splices.remove_entry(self._doc, self._holders, place)

    def _index(self, key: str) -> int | None:
        """Find an entry that the innermost mapping has of its own; refuse one that a merge key gives.

        An own entry cannot be put beside it: strict readers take it for the same key twice.
        """
        index = self._holders[-1].find(key)
        self._check_merge(key, -1 if index is None else index)
        return index

    def _check_merge(self, key: str, index: int) -> None:
        """Refuse a merge key that gives the entry; before an own one it would lose, behind it readers differ."""
        mapping = self._holders[-1]
        merge = mapping.merge()
        if merge is not None and merge > index and _gives(mapping.entries[merge][1], key, set()):
            self._refuse_merge(mapping.entries[merge][1], key)

    def _known(self, key: str) -> int:
        index = self._index(key)
        assert index is not None  # noqa: S101 - the reader has seen it, and no merge key gives it
        return index

    def _child(self, index: int) -> Spot:
        holder = self._holders[-1]
        return holder.items[index] if holder.kind == "sequence" else holder.entries[index][1]

    def _enter(self, spot: Spot) -> None:
        """Go into a mapping that is the value of a key; anything else is refused."""
        self._own(spot)
        if spot.kind != "mapping":
            self._refuse_type(spot, "a mapping")
        self._holders.append(spot)

    def _own(self, spot: Spot) -> Spot:
        """Give a node that stands for this place alone; refuse an alias, and what aliases use."""
        if spot.target:
            line = self._doc.place(spot.target.start)[0] + 1
            message = (
                f"{self._name} is an alias of line {line}: to change it here alone, write it out"
            )
            self._refuse_shared(spot, message)
        self._check_unused(spot)
        return spot

    def _check_unused(self, spot: Spot) -> None:
        if spot.uses:
            line = self._doc.place(spot.uses[0].start)[0] + 1
            message = (
                f"{self._name} has the anchor {shortened(spot.anchor)}, which line {line} uses:"
                " a change would reach that place, too"
            )
            self._refuse_shared(spot, message)

    def _check_field(self, value: Spot) -> None:
        """Check the value of the field itself; an alias may be replaced, since that changes nothing else."""
        self._check_unused(value)
        if value.kind in {"mapping", "sequence"}:
            self._refuse_type(value, "an integer")

    @property
    def _name(self) -> str:
        return ".".join(self._names) or "the document"

    def _refuse_merge(self, value: Spot, key: str) -> NoReturn:
        message = f"{key} comes from this merge key: to change it here alone, write it out"
        self._refuse_shared(value, message)

    def _refuse_shared(self, spot: Spot, message: str) -> NoReturn:
        raise Misplaced("shared-value", message, *self._doc.place(spot.start))

    def _refuse_type(self, spot: Spot, wanted: str) -> NoReturn:
        found = (
            f"the text or number {shortened(spot.text)}"
            if spot.kind == "scalar"
            else f"a {spot.kind}"
        )
        message = f"{self._name} must be {wanted}, not {found}"
        raise Misplaced("invalid-type", message, *self._doc.place(spot.start))


def _gives(source: Spot, key: str, seen: set[int]) -> bool:
    """Tell whether the value of a merge key has an entry; sources may have merge keys of their own."""
    source = source.referent
    if id(source) in seen:
        return False
    seen.add(id(source))
    if source.kind == "sequence":
        return any(_gives(item, key, seen) for item in source.items)
    if source.find(key) is not None:
        return True
    merge = source.merge()
    return merge is not None and _gives(source.entries[merge][1], key, seen)
