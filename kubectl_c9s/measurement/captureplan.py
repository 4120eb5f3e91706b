"""What a capture of a manager consists of: which pages, on which ports, into which files (config-and-chart.md §5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.measurement.capturefile import AFTER, BEFORE
from kubectl_c9s.resources.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

METRICS: Final = 9090
PPROF: Final = 6060
_TIMED: Final = {"cpu": "profile", "trace": "trace"}
DEFAULT: Final = ("cpu", "heap", "goroutine", "block", "mutex", "allocs")
PROFILES: Final = (*DEFAULT, "threadcreate", "trace")
_LONGEST_TRACE: Final = 5  # seconds; a trace has every step of every goroutine and grows fast


class Wanted(NamedTuple):
    """A page to take: ``seconds`` is how long the process needs to answer, 0 for at once."""

    name: str
    port: int
    path: str
    file: str
    seconds: int = 0


FIRST: Final = Wanted("metrics-before", METRICS, "/metrics", BEFORE)
SECOND: Final = Wanted("metrics-after", METRICS, "/metrics", AFTER)


def profiles_of(text: str) -> list[str]:
    """Read a list of profiles with commas, none for an empty text; UsageError names what is unknown."""
    names = [name for part in text.split(",") if (name := part.strip())]
    unknown = [name for name in names if name not in PROFILES]
    if unknown:
        raise UsageError(
            f"--profiles: no profile is called {unknown[0]!r}", hint=f"known: {', '.join(PROFILES)}"
        )
    return list(dict.fromkeys(names))


def pages_of(profiles: Iterable[str], seconds: int) -> list[Wanted]:
    """Say what is taken for profiles between two scrapes that are so many seconds apart.

    A profile over time ends a second before the second scrape, so that its own end is in neither.
    """
    found = []
    for name in profiles:
        if name in _TIMED:
            long = max(1, seconds - 1)
            long = min(long, _LONGEST_TRACE) if name == "trace" else long
            file = "trace.out" if name == "trace" else f"{name}.pb.gz"
            path = f"/debug/pprof/{_TIMED[name]}?seconds={long}"
            found.append(Wanted(name, PPROF, path, file, long))
            continue
        found.append(Wanted(name, PPROF, f"/debug/pprof/{name}", f"{name}.pb.gz"))
        if name == "goroutine":  # the one that is read without a tool
            text = Wanted(
                "goroutine-text", PPROF, "/debug/pprof/goroutine?debug=1", "goroutine.txt"
            )
            found.append(text)
    return found
