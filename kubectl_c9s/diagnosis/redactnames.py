"""New names for old ones: the same everywhere, in the same order, and also inside texts.

A name is taken apart at ``-``, ``.`` and ``/``; each part gets a code, and the codes sort as the parts do. All three
separators sort below letters and digits, so whole names sort as before, and ``namespace/name`` does too; a name that
begins with another one, such as that of a Pod with that of its Deployment, still does.

Two passes over the same objects: the first only sees what there is, and gives everything back as it was.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Final

from kubectl_c9s.diagnosis.redactcodes import Codes, pieces_of
from kubectl_c9s.diagnosis.redacttexts import CAMEL, TOKEN, Texts, may_stay
from kubectl_c9s.diagnosis.redactwords import PRODUCT, WORDS

if TYPE_CHECKING:
    from collections.abc import Callable

_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Names:
    """The new names of one set of objects, once :meth:`settle` was called.

    - ``name``: of an object; nothing of the old one stays.
    - ``text``: with the new names in it, without addresses and whatever else is no plain word.
    - ``word``: a reason, a type or a phase; words that are not plain get codes, and ``PlanApplied`` is two of them.
    - ``key``: a name with a domain, such as that of a taint, a resource or a gate; one of plain words stays.
    """

    def __init__(self) -> None:
        self._codes = Codes()
        self._texts = Texts(self._codes, self._key)
        self._remember()

    def _remember(self) -> None:
        """Answer what was asked before from memory: hosts, namespaces and messages come ten thousand times."""
        self.name: Callable[[str], str] = functools.cache(self._name)
        self.text: Callable[[str], str] = functools.cache(self._texts.text)
        self.word: Callable[[str], str] = functools.cache(self._word)
        self.key: Callable[[str], str] = functools.cache(self._key)

    def settle(self) -> None:
        """End the first pass."""
        self._codes.settle()
        self._remember()

    def app(self, name: str) -> str:
        """Give the new name of an installation, or of a Config; the usual one stays."""
        return name if name == PRODUCT else self.name(name)

    def uid(self, uid: str) -> str:
        """Give a UID as it is, since it is made by chance; what only stands in the place of one is a name."""
        if _UUID.fullmatch(uid):
            self._texts.uids.add(uid)
            return uid
        return self.name(uid)

    def _name(self, name: str) -> str:
        self._texts.known.add(name)
        self._texts.own.update(pieces_of(name))
        return self._codes.coded(name)

    def _word(self, word: str) -> str:
        if may_stay(word) or not word:
            return word
        return "".join(
            one if one.lower() in WORDS else self._codes.code(one) for one in CAMEL.findall(word)
        )

    def _key(self, key: str) -> str:
        return self._codes.key(key, stays=all(map(may_stay, TOKEN.findall(key))))
