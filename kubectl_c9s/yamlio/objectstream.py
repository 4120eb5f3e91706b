"""A stream of objects, as older plugins of kustomize are given it; what is not changed keeps its bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.yamlio.members import Member, named
from kubectl_c9s.yamlio.reader import read_text
from kubectl_c9s.yamlio.writer import SEPARATOR, Writer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.yamlio.members import Replaced
    from kubectl_c9s.yamlio.reader import Document

_STDIN: Final = "<stdin>"


class ObjectStream:
    """A stream as read; ``members`` are its documents, empty ones left out."""

    def __init__(self, members: Sequence[Member]) -> None:
        self.members = list(members)

    def write(self, replaced: Replaced, added: Sequence[KubeObject]) -> str:
        """Write the stream with some documents replaced and others added behind."""
        writer = Writer()
        texts: list[str] = []
        for index, member in enumerate(self.members):
            if index in replaced:
                texts += [writer.document(obj) for obj in replaced[index]]
            else:
                texts.append(document_text(member.document))
        texts += [writer.document(obj) for obj in added]
        return SEPARATOR.join(texts)


def read_stream(text: str) -> ObjectStream:
    """Read a stream; RefusedInput, with the place, for what is no YAML."""
    documents = (one for one in read_text(text, _STDIN) if one.root is not None)
    return ObjectStream([named(one, one.root.line if one.root else 0) for one in documents])


def document_text(document: Document) -> str:
    """Give a document as it was written, without the line ``---`` before it; it ends in a line feed."""
    text = document.text[document.start : document.end]
    head, newline, rest = text.partition("\n")
    if newline and head.rstrip() == "---":
        text = rest
    return text if text.endswith("\n") else text + "\n"
