"""Texts without names: what may stay is listed, numbers stay, everything else gets a code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from kubectl_c9s.diagnosis.redactcodes import pieces_of
from kubectl_c9s.diagnosis.redactwords import CACHE, INSUFFICIENT, PHRASES, SYNC, WORDS

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Set as AbstractSet

    from kubectl_c9s.diagnosis.redactcodes import Codes

TOKEN: Final = re.compile(r"[^\W_]+")
CAMEL: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^A-Za-z]+")
_SHORTEST: Final = 3
_SIZE: Final = re.compile(r"\d{1,4}[KMGT]i")
# Addresses with colons (IPv6, MAC), but not a time of day; else words with what may join them.
_PART: Final = r"[^\W_]+(?:[-.][^\W_]+)*"
_CHAIN: Final = re.compile(
    r"(?P<colons>(?<![\w:])(?!\d{1,2}:\d\d:\d\d(?![\w:]))(?:[0-9A-Fa-f]{0,4}:){2,7}"
    r"(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9A-Fa-f]{0,4})(?![\w:]))"
    rf"|(?P<chain>{_PART}(?:[:/@_]+{_PART})*)"
)
_IN_CHAIN: Final = re.compile(_PART)
_ADDRESS: Final = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
# A count, a version, a quantity or a duration; a longer number may be somebody's.
_NUMBER: Final = re.compile(
    r"v?\d{1,9}(?:\.\d{1,9}){0,2}(?:[munkKMGTPE]i?|s|ms|h|[hm]\d{1,4}m?\d{0,4}(?:\.\d+)?s?)?"
)


def may_stay(token: str) -> bool:
    """Tell whether a word is plain, or made of plain words as ``PlanApplied`` is."""
    if token.lower() in WORDS or _SIZE.fullmatch(token):
        return True
    return token.isascii() and all(one.lower() in WORDS for one in CAMEL.findall(token))


class Texts:
    """Texts about objects: ``known`` are their names, ``own`` the parts of these, ``uids`` what may stay of them."""

    def __init__(self, codes: Codes, key: Callable[[str], str]) -> None:
        self.known: set[str] = set()
        self.own: set[str] = set()
        self.uids: set[str] = set()
        self._codes = codes
        self._key = key

    def text(self, text: str) -> str:
        """Give a text with codes; phrases that rules look for stay verbatim."""
        if not self._codes.settled:
            self._see(text)
            return text
        new = "".join(
            self._phrase(piece) if at % 2 else _CHAIN.sub(self._chain, piece)
            for at, piece in enumerate(PHRASES.split(text))
        )
        lost = SYNC in text and CACHE in text and CACHE not in new
        return f"{new} ({CACHE})" if lost else new

    def _see(self, text: str) -> None:
        """Take note of all that may need a code once all names are known."""
        for at, piece in enumerate(PHRASES.split(text)):
            if at % 2:
                self._phrase(piece)
                continue
            for match in _CHAIN.finditer(piece):
                self._codes.see([match["colons"]] if match["colons"] else [])
                self._codes.see(filter(_ADDRESS.fullmatch, _IN_CHAIN.findall(match[0])))
                self._codes.see(
                    one for one in TOKEN.findall(match[0]) if one[0].isdigit() or not _is_word(one)
                )

    def _phrase(self, phrase: str) -> str:
        if not phrase.startswith(INSUFFICIENT):
            return phrase
        resource = phrase.removeprefix(INSUFFICIENT)
        bare = resource.rstrip(".")
        return INSUFFICIENT + self._key(bare) + resource.removeprefix(bare)

    def _chain(self, match: re.Match[str]) -> str:
        """Replace what is joined by ``:``, ``/`` or ``@``; beside a name the numbers go, too."""
        if match["colons"]:
            return match[0] if match[0].strip(":") == "" else self._codes.code(match[0])
        parts = _IN_CHAIN.findall(match[0])
        quoted = match.string[match.start() - 1 : match.start()] in {'"', "'"}
        named = bool(quoted) or not all(map(self._is_plain, parts))
        return _IN_CHAIN.sub(lambda part: self._part(part[0], named=named), match[0])

    def _is_plain(self, part: str) -> bool:
        if part in self.known:
            return part.isdigit()  # a host may be called 2; what is said of 2 hosts must stay
        if part in self.uids or _NUMBER.fullmatch(part) or _ADDRESS.fullmatch(part):
            return True
        pieces = pieces_of(part)
        return all(map(may_stay, pieces[::2])) and not _has_within(pieces, self.known)

    def _part(self, part: str, *, named: bool) -> str:
        if part in self.uids:
            return part
        if part in self.known and (named or not part.isdigit()):
            return self._codes.coded(part)
        if _ADDRESS.fullmatch(part):
            return self._codes.code(part)
        if self._is_plain(part):
            number = named and _NUMBER.fullmatch(part)
            return TOKEN.sub(lambda token: self._codes.code(token[0]), part) if number else part
        # The name of something we do not have: perhaps made of names that we have.
        return ".".join(
            self._codes.coded(piece) if piece in self.known else TOKEN.sub(self._word, piece)
            for piece in part.split(".")
        )

    def _word(self, match: re.Match[str]) -> str:
        """Give a piece of a name: a word stays, unless it is a piece of a name that we have."""
        stays = _is_word(match[0]) and match[0] not in self.own and not match[0][0].isdigit()
        return match[0] if stays else self._codes.code(match[0])


def _is_word(token: str) -> bool:
    """Tell whether a piece of a name may stay in it; single letters are no words."""
    return len(token) >= _SHORTEST and may_stay(token)


def _has_within(pieces: list[str], known: AbstractSet[str]) -> bool:
    """Tell whether something made of words has a name in it, as "dns-cache-config" may have "dns-cache"."""
    ends = range(3, len(pieces) + 1, 2)
    return any("".join(pieces[at:end]) in known for end in ends for at in range(0, end - 2, 2))
