"""Plain scalars mean to us what they mean to the reader kubectl uses (conventions.md §8)."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from yaml_values import WORDS, same

from kubectl_c9s.resources.errors import RefusedInput
from kubectl_c9s.yamlio.nodes import Mapping, Scalar
from kubectl_c9s.yamlio.reader import read_documents
from kubectl_c9s.yamlio.scalars import NotFinite, resolve

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SPELT = [
    "yes",
    "no",
    "on",
    "off",
    "true",
    "false",
    "null",
    "y",
    "n",
    ".inf",
    ".nan",
    "-.inf",
    "+.inf",
]
FRACTIONS = ("", ".", ".0", ".5", ".123456789012345678")
EXPONENTS = ("", "e5", "E5", "e+5", "e-5", "e400", "e-400", "e+", "e20", "e21", "e22")
REFUSED = "refused"


def digits(chance: random.Random, alphabet: str, longest: int) -> str:
    return "".join(chance.choices(alphabet, k=chance.randint(1, longest)))


def plain_scalars(size: int) -> list[str]:
    """Give the same list of number-like and word-like scalars on every run."""
    chance = random.Random(17)  # noqa: S311 - nothing secret: a fixed seed is the point
    made = [*WORDS]
    for _ in range(size):
        sign = chance.choice(["", "+", "-"])
        base = chance.choice(["0x", "0o", "0b", "0X", "0O", "0B", "0"])
        made += [
            digits(chance, "0123456789+-._eExXoObBaAfFnNiI:TZ", 8),
            sign + digits(chance, "0123456789_", 21),
            sign + base + digits(chance, "01234567_", 20),
            sign + base + digits(chance, "0123456789abcdefABCDEF_", 18),
            sign
            + digits(chance, "0123456789", 20)
            + chance.choice(FRACTIONS)
            + chance.choice(EXPONENTS),
            "".join(chance.choice([one.upper(), one]) for one in chance.choice(SPELT)),
        ]
    return made


def ours(document: str) -> Any:
    """Read ``v: SCALAR`` as kubectl would: [value], REFUSED, or None for no plain scalar."""
    try:
        (read,) = read_documents(document.encode(), "scalar.yaml")
    except RefusedInput:
        return REFUSED
    assert isinstance(read.root, Mapping)
    value = read.root.get("v")
    if not isinstance(value, Scalar) or not value.plain:
        return None
    try:
        return [resolve(value.text, "kubectl")]
    except NotFinite:
        return REFUSED


def test_thousands_of_scalars_have_kubectls_value(
    go_read: Callable[[Sequence[str]], list[Any]],
) -> None:
    documents = [
        f"v: {text}" for text in plain_scalars(1500) if text[0] not in "!&*|>%@`'\"#[{?-:,"
    ]
    documents += [f"v: -{text}" for text in plain_scalars(300) if text[0] in "0123456789."]
    answers = go_read(documents)
    compared = 0
    for document, answer in zip(documents, answers, strict=True):
        mine = ours(document)
        if mine is REFUSED:
            assert "error" in answer, document
        elif mine is not None:
            compared += 1
            assert same(mine, [answer["ok"]["v"]]), f"{document}: {mine} is {answer}"
    assert compared > 5000
