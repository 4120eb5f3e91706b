"""Patterns of namespaces: ``*`` is any text, ``?`` one character, all else is itself; always the whole name.

Unlike in a shell there are no classes in brackets.
"""

from __future__ import annotations


def matches(pattern: str, name: str) -> bool:
    """Tell whether a pattern fits a name, letter case included; at most length times length steps."""
    at = begun = 0
    star, met = -1, 0  # the last star, and the first character that it does not stand for
    while begun < len(name):
        here = pattern[at : at + 1]
        if here == "*":
            star, met = at, begun
            at += 1
        elif here == name[begun] or (here == "?" and name[begun] != "*"):
            at, begun = at + 1, begun + 1
        elif star >= 0:
            met += 1
            at, begun = star + 1, met
        else:
            return False
    return not pattern[at:].strip("*")


def covers(pattern: str, other: str) -> bool:
    """Tell whether ``pattern`` fits every name that ``other`` fits.

    A yes is always right; a no may be wrong where stars of both would have to be weighed against each other.
    """
    # No namespace has a star or a question mark in its name, so a pattern can be read as one: its stars are fitted
    # by stars alone, its question marks by question marks, too.
    return matches(pattern, other)
