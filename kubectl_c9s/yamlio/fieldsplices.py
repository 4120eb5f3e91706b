"""Changes of single fields as splices of a document's text (``fieldedits`` says what they are).

As with rollout limits, what an alias or a merge key brings is not changed, and what cannot be changed without
touching a neighbour is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kubectl_c9s.yamlio import splices
from kubectl_c9s.yamlio.entrystyle import block_step, is_explicit, quote_of, uneditable
from kubectl_c9s.yamlio.fieldedits import Add, Drop, Put, Rename
from kubectl_c9s.yamlio.quoting import inline_text, quoted_text
from kubectl_c9s.yamlio.refusals import Misplaced
from kubectl_c9s.yamlio.spots import BREAK
from kubectl_c9s.yamlio.spotwalk import Walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kubectl_c9s.yamlio.fieldedits import Edit, Wrap
    from kubectl_c9s.yamlio.listed import Step
    from kubectl_c9s.yamlio.spots import Splice, Spot, SpotText


def splices_of(doc: SpotText, home: tuple[Step, ...], edit: Edit) -> list[Splice]:
    """Give the splices of one change of the object at ``home``; Misplaced for what cannot be changed alone."""
    if isinstance(edit, Add):
        return FieldWalk(doc, home).add(edit)
    walk = FieldWalk(doc, (*home, *edit.path[:-1]))
    step = edit.path[-1]
    if isinstance(edit, Put):
        return walk.put(step, edit.text)
    if isinstance(edit, Drop):
        return walk.drop(str(step))
    if isinstance(edit, Rename):
        return walk.rename(str(step), edit.key)
    return walk.wrap(str(step), edit)


def leaves_nothing(doc: SpotText, home: tuple[Step, ...], drops: Sequence[Drop]) -> bool:
    """Tell whether nothing is left of a mapping without these entries of it: no entry, and no line of comment."""
    return FieldWalk(doc, (*home, *drops[0].path[:-1])).is_only(len(drops))


class FieldWalk(Walk):
    """The way to a mapping or sequence, and changes of one of its entries."""

    def put(self, step: Step, text: str) -> list[Splice]:
        """Replace a scalar, or an alias of one."""
        holder = self._holders[-1]
        self._names.append(str(step))
        key, value = (
            (holder, holder.items[step])
            if isinstance(step, int)
            else holder.entries[self._known(step)]
        )
        self._check_unused(value)
        literal = self._literal(text, value)
        if value.start < value.end:
            # Its tag goes, too: it may say that the text is none.
            return [(value.start, value.end, literal)]
        return splices.replace_value(self._doc, key, value, literal)

    def add(self, edit: Add) -> list[Splice]:
        """Add a field; it is not there yet."""
        literal = quoted_text(edit.text) if self._doc.root.flow else inline_text(edit.text)
        return self.set(edit.keys, edit.field, literal)

    def drop(self, key: str) -> list[Splice]:
        """Take out an entry with all that is in it."""
        place = self._entry(key)
        name, value = self._holders[-1].entries[place]
        self._check_unused(name)
        self._check_tree(value, name.start, value.end)
        return splices.remove_entry(self._doc, self._holders, place)

    def rename(self, key: str, new: str) -> list[Splice]:
        """Write another key; its quotes stay."""
        name, _ = self._holders[-1].entries[self._entry(key)]
        self._check_unused(name)
        if name.kind == "alias":
            return [(name.start, name.end, inline_text(new))]
        return [(name.body, name.end, _quoted_like(name, new))]

    def wrap(self, key: str, edit: Wrap) -> list[Splice]:
        """Put an entry into a new mapping: its lines move to the right, or braces come around it."""
        holder = self._holders[-1]
        name, value = holder.entries[self._entry(key)]
        self._check_unused(name)
        quote = quote_of(self._doc, self._holders)
        outer = f"{quote}{edit.outer}{quote}:"
        inner = name.body, name.end, _quoted_like(name, edit.inner)
        if name.kind == "alias" or is_explicit(self._doc, name):
            uneditable(self._doc, name.start)
        if holder.flow:
            # Right behind a colon a brace would be taken for a part of the text.
            blank = " " if self._doc.text[value.end - 1] == ":" else ""
            opening = name.start, name.start, f"{outer} {{"
            return [opening, inner, (value.end, value.end, f"{blank}}}")]
        before = self._doc.before(name.start)
        if before.strip(" "):
            uneditable(self._doc, name.start)
        deeper = " " * block_step(self._doc, self._holders)
        head = f"{outer}{self._doc.newline(name.start)}{before}{deeper}"
        lines = list(_deeper_lines(self._doc, name.end, value.end, deeper))
        return [(name.start, name.start, head), inner, *lines]

    def is_only(self, count: int) -> bool:
        """Tell whether the mapping has so many entries, and no line of comment between them."""
        mapping = self._holders[-1]
        above = [key for key, value in self._holders[-2].entries if value is mapping]
        if len(mapping.entries) != count or not above:
            return False
        ends = [self._doc.line_end(value.end)[0] for _, value in mapping.entries[:-1]]
        starts = [key.start for key, _ in mapping.entries]
        gaps = zip([above[0].end, *ends], starts, strict=True)
        return not any("#" in self._doc.text[end:start] for end, start in gaps)

    def _entry(self, key: str) -> int:
        self._names.append(key)
        place = self._known(key)
        self._names.pop()
        return place

    def _literal(self, text: str, value: Spot) -> str:
        if value.kind == "scalar" and value.style in {"'", '"'}:
            return _quoted_like(value, text)
        return quoted_text(text) if self._doc.root.flow else inline_text(text)

    def _check_tree(self, spot: Spot, start: int, end: int) -> None:
        """Refuse to take out what an alias outside of it stands for."""
        if any(not start <= use.start < end for use in spot.uses):
            outside = next(use for use in spot.uses if not start <= use.start < end)
            line = self._doc.place(outside.start)[0] + 1
            message = f"line {line} uses what would be taken out here: write it out there, to change it here alone"
            raise Misplaced("shared-value", message, *self._doc.place(spot.start))
        for child in (*(one for entry in spot.entries for one in entry), *spot.items):
            self._check_tree(child, start, end)


def _quoted_like(spot: Spot, text: str) -> str:
    if spot.style == "'":
        return "'" + text.replace("'", "''") + "'"
    return quoted_text(text) if spot.style == '"' else inline_text(text)


def _deeper_lines(doc: SpotText, start: int, end: int, deeper: str) -> Iterator[Splice]:
    """Indent the lines between two places; empty ones stay empty."""
    for found in BREAK.finditer(doc.text, start, end):
        at = found.end()
        if at < end and not BREAK.match(doc.text, at):
            yield at, at, deeper
