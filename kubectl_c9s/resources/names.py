"""Names as clabernetes derives them, and the name rules of Kubernetes (split.md §8).

All functions are pure; two of them remember answers, because a fabric asks for the same interface
and label texts tens of thousands of times.
"""

from __future__ import annotations

import functools
import hashlib
import re
from typing import Final

MAX_NAME: Final = 63
"""Longest name the manager gives an object, in characters."""

_HEAD: Final = MAX_NAME - 8  # what stays of a cut name; '-' and seven digits of a digest follow
_MAX_SUBDOMAIN: Final = 253
_LETTER_PREFIX: Final = "clab-"

_FOREIGN = re.compile("[^a-z0-9-]")
_FOREIGN_RUN = re.compile("[^a-z0-9-]+")
_DNS1035 = re.compile("[a-z]([-a-z0-9]*[a-z0-9])?")
_DNS1123 = re.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?")
_SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_QUALIFIED = re.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]")


def sanitize_name(name: str) -> str:
    """Give the object name of a node name, ``""`` if no character of it can stay (split.md §8).

    A DNS-1035 label of at most 63 characters comes back unchanged.
    """
    text = _FOREIGN_RUN.sub("-", _lower(name)).strip("-")
    if not text:
        return ""
    if not "a" <= text[0] <= "z":
        text = _LETTER_PREFIX + text
    if len(text) > MAX_NAME:
        text = f"{text[:_HEAD].rstrip('-')}-{_digest(name, 7)}"
    return text


def link_name(node_a: str, if_a: str, node_b: str, if_b: str) -> str:
    """Give the name of the Link between two interfaces of (renamed) nodes (split.md §8)."""
    return safe_concat(node_a, _interface_part(if_a), node_b, _interface_part(if_b))


def safe_concat(*parts: str) -> str:
    """Join parts with ``-``; more than 63 bytes become 55, ``-`` and a digest (split.md §8)."""
    whole = "-".join(parts)
    if whole.isascii():
        return whole if len(whole) <= MAX_NAME else f"{whole[:_HEAD]}-{_digest(whole, 7)}"
    raw = _utf8(whole)
    if len(raw) <= MAX_NAME:
        return whole
    return f"{raw[:_HEAD].decode('utf-8', 'replace')}-{_digest(whole, 7)}"


@functools.lru_cache(maxsize=8192)
def _interface_part(raw: str) -> str:
    """Make an interface name fit into a Link's name; a changed one carries part of its digest."""
    part = _FOREIGN.sub("-", _lower(raw)).strip("-") or "x"
    return part if part == raw else f"{part}-{_digest(raw, 8)}"


def _lower(text: str) -> str:
    """Lower-case as Go does, where the result is ASCII: İ gives i there, but more in Python."""
    return text.lower() if text.isascii() else text.replace("\u0130", "i").lower()


def _digest(text: str, digits: int) -> str:
    return hashlib.sha256(_utf8(text)).hexdigest()[:digits]


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")  # any text must give a name, also half a pair


def is_dns1035_label(text: str) -> bool:
    """Tell whether a text is a DNS-1035 label: begins with a letter, at most 63 characters."""
    return len(text) <= MAX_NAME and _DNS1035.fullmatch(text) is not None


def is_dns1123_label(text: str) -> bool:
    """Tell whether a text is a DNS-1123 label, as a namespace must be: at most 63 characters."""
    return len(text) <= MAX_NAME and _DNS1123.fullmatch(text) is not None


def is_dns1123_subdomain(text: str) -> bool:
    """Tell whether a text is a DNS-1123 subdomain: at most 253 characters, labels between dots."""
    return len(text) <= _MAX_SUBDOMAIN and _SUBDOMAIN.fullmatch(text) is not None


def qualified_name_problems(text: str) -> list[str]:
    """Say what keeps a text from being a label key (``[prefix/]name``); empty if nothing does."""
    return list(_qualified_name_problems(text))


def label_value_problems(text: str) -> list[str]:
    """Say what keeps a text from being a label value; empty if nothing does."""
    return list(_label_value_problems(text))


@functools.lru_cache(maxsize=8192)
def _qualified_name_problems(text: str) -> tuple[str, ...]:
    prefix, slash, name = text.rpartition("/")
    if "/" in prefix:
        return ("must have at most one '/'",)
    problems = []
    if slash and not is_dns1123_subdomain(prefix):
        problems.append("the part before '/' must be a DNS-1123 subdomain")
    if not name:
        problems.append("the name part must not be empty")
    else:
        problems += _shape_problems(name, "the name part")
    return tuple(problems)


@functools.lru_cache(maxsize=8192)
def _label_value_problems(text: str) -> tuple[str, ...]:
    return tuple(_shape_problems(text, "a label value")) if text else ()


def _shape_problems(text: str, what: str) -> list[str]:
    problems = []
    if len(text) > MAX_NAME:
        problems.append(f"{what} must have at most {MAX_NAME} characters")
    if _QUALIFIED.fullmatch(text) is None:
        problems.append(
            f"{what} must be of A-Z, a-z, 0-9, '-', '_', '.', at both ends a letter or digit"
        )
    return problems


@functools.lru_cache(maxsize=8192)
def is_label(key: str, value: str) -> bool:
    """Tell whether key and value may stand in ``metadata.labels``, fast for texts asked before."""
    return not (_qualified_name_problems(key) or _label_value_problems(value))
