"""The labs of a source directory as one stream, for Argo CD: the same bytes as ``split`` gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kubectl_c9s.cli import doors
from kubectl_c9s.resources.errors import RefusedInput
from kubectl_c9s.resources.findings import Findings
from kubectl_c9s.yamlio import writer
from kubectl_c9s.yamlio.members import text_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.cli.inputs import Item
    from kubectl_c9s.resources.findings import Finding


class Rendering:
    """One rendering of the current directory; ``values`` are the settings of ``doorsettings.PLUGIN``."""

    def __init__(self, values: dict[str, Any]) -> None:
        self._values = values
        self._found = Findings()
        self._work = doors.new_work(values)
        self._empty = True

    @property
    def findings(self) -> list[Finding]:
        """What was found so far, errors first."""
        return [*self._found.errors, *self._found.warnings]

    @property
    def notes(self) -> list[str]:
        """What a user should know about variables, files and Secrets."""
        return self._work.notes()

    def chunks(self) -> list[str]:
        """Render everything, or nothing when there is an error; UsageError for paths that cannot be used."""
        items = doors.read_labs(self._values, self._found)
        doors.refuse_one_name_for_many(self._values, sum(map(doors.is_lab, items)))
        for item in items:
            if doors.is_lab(item):
                doors.split_lab(item, self._values, self._work, self._found)
            else:
                self._other(item)
        chunks = [] if self._found.has_errors() else list(self._stream())
        self._empty = not chunks
        return chunks

    def refuse(self) -> None:
        """Raise RefusedInput for errors, for warnings if they are to fail, and for a result without objects."""
        strict = self._values["fail-on-warning"]
        doors.refuse(len(self._found.errors), len(self._found.warnings) if strict else 0)
        if self._empty and not self._values["allow-empty"]:
            hint = "check the parameter paths; allow-empty=true takes nothing for an answer"
            raise RefusedInput(
                "the directory has no lab: an empty answer could delete what runs", hint=hint
            )

    def _other(self, item: Item) -> None:
        """Keep or leave out a document that is no lab; only Kubernetes objects may be in the result."""
        root = item.document.root
        where = item.document.position(root)
        if not self._values["pass-through"]:
            message = "the document is no lab and is left out; the parameter pass-through keeps it"
            self._found.warning("not-a-lab", "", message, where)
        elif (
            text_at(root, "apiVersion")
            and text_at(root, "kind")
            and text_at(root, "metadata", "name")
        ):
            self._work.others.append(item)
        else:
            message = "the document is no Kubernetes object with a name and cannot be passed on"
            self._found.error("not-an-object", "", message, where)

    def _stream(self) -> Iterator[str]:
        objects = list(self._work.objects())
        doors.check_unique([*self._work.other_objects(), *objects], [], self._found)
        for text in self._work.other_texts(writer.dump):
            yield text
            yield writer.SEPARATOR
        yield from writer.dump_all(objects)
