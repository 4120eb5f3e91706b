"""The text format of Prometheus, read as far as it is wanted: an API server's is tens of thousands of lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec

from kubectl_c9s.resources.errors import RefusedInput

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

START: Final = "process_start_time_seconds"
Series: TypeAlias = tuple[tuple[str, str], ...]
"""Labels of a series, sorted by name."""

_NAME: Final = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*")
_FOREIGN_LINE: Final = re.compile(r"^(?![ \t]*(?:[a-zA-Z_:#{]|\r?$)).*", re.MULTILINE)
_JSON: Final = re.compile(r'\s*(?:\[|\{\s*(?:\}|"[^"]*"\s*:))')
_PARTS: Final = ("_total", "_bucket", "_count", "_sum")
_GZIP: Final = b"\x1f\x8b"
_SHOWN: Final = 60
_HINT: Final = "wanted is what /metrics of a process gives, in the text format of Prometheus"


class Text(msgspec.Struct):
    """Values by sample name and labels, and the type of each family that says one."""

    values: dict[str, dict[Series, float]]
    types: dict[str, str]


def read_text(text: str | bytes, wanted: Collection[str] | None, what: str) -> Text:
    """Read samples of the wanted families (all for None); see :func:`metrics.read_scrape`."""
    text = _decoded(text, what)
    _check_form(text, what)
    found = Text({}, {})
    lines = list(_wanted_lines(text, wanted, found.types))
    for (number, line), (name, labels, value) in zip(lines, _parsed(lines, what), strict=True):
        series = tuple(sorted(labels.items()))
        values = found.values.setdefault(name, {})
        if series in values:
            raise RefusedInput(
                f"{what}: line {number} repeats a series: {_short(line)}",
                hint="two scrapes in one text cannot be told apart: give each a file",
            )
        values[series] = value
    return found


def _decoded(text: str | bytes, what: str) -> str:
    if isinstance(text, str):
        return text
    if text.startswith(_GZIP):
        raise RefusedInput(f"{what}: this is compressed", hint="unpack it with gunzip first")
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RefusedInput(f"{what}: byte {error.start} is not UTF-8", hint=_HINT) from None


def _check_form(text: str, what: str) -> None:
    """Refuse what is no such text, or was cut: every line of a whole one ends, and what it announces follows."""
    if not text.strip():
        raise RefusedInput(f"{what}: the text is empty", hint=_HINT)
    if text.lstrip()[:1] == "<":
        raise RefusedInput(f"{what}: this is HTML or XML", hint=_HINT)
    if _JSON.match(text):
        raise RefusedInput(f"{what}: this is JSON", hint=_HINT)
    if foreign := _FOREIGN_LINE.search(text):
        number = text.count("\n", 0, foreign.start()) + 1
        raise RefusedInput(f"{what}: line {number} is no metric: {_short(foreign[0])}", hint=_HINT)
    last = text.rstrip().rpartition("\n")[2]
    bucket = _NAME.match(last)
    unfinished = last.startswith("# HELP") or (bucket and bucket[0].endswith("_bucket"))
    if not text.endswith("\n") or unfinished:
        raise RefusedInput(
            f"{what}: the text is cut off in or after its last line: {_short(last)}",
            hint="take it again: the values of a cut line are wrong",
        )


def _wanted_lines(
    text: str, wanted: Collection[str] | None, types: dict[str, str]
) -> Iterator[tuple[int, str]]:
    """Give the samples to parse with the numbers of their lines, and note the types on the way."""
    asked = None if wanted is None else {START, *wanted}
    families = None if asked is None else {_family(name) for name in asked} | asked
    known: dict[str, bool] = {}
    for number, whole in enumerate(text.split("\n"), 1):
        line = whole.strip()
        if line.startswith("#"):
            words = line.split()
            if words[1:2] == ["TYPE"] and len(words) == 4 and (  # noqa: PLR2004 - # TYPE name type
                families is None or words[2] in families
            ):  # fmt: skip
                types[words[2]] = words[3]
            continue
        match = _NAME.match(line)
        name = match[0] if match else ""
        if name not in known:
            known[name] = asked is None or name in asked or _family(name) in asked
        if line and known[name]:
            yield number, line


def _family(name: str) -> str:
    for part in _PARTS:
        if name.endswith(part):
            return name.removesuffix(part)
    return name


def _parsed(lines: list[tuple[int, str]], what: str) -> Iterator[tuple[str, dict[str, str], float]]:
    """Parse samples in order. Without their types the parser leaves names as they are written."""
    from prometheus_client.parser import text_string_to_metric_families as parse  # noqa: PLC0415 - slow to import

    count = 0
    try:
        for family in parse("".join(f"{line}\n" for _, line in lines)):
            for sample in family.samples:
                yield sample.name, sample.labels, float(sample.value)
                count += 1
    except (ValueError, IndexError, OverflowError):
        number, line = lines[count]
        raise RefusedInput(
            f"{what}: line {number} cannot be read: {_short(line)}", hint=_HINT
        ) from None


def _short(line: str) -> str:
    return repr(line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…")
