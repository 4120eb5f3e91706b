"""A recorded start: when each device reached what; and the file it is kept in (docs/schemas/stage-times.json)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, Literal

import msgspec

from kubectl_c9s.resources.errors import RefusedInput
from kubectl_c9s.simulation.milestones import MILESTONES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

KIND: Final = "StageTimes"
FORMAT: Final = 1
_LONGEST: Final = 1e9  # seconds, thirty years


class DeviceTimes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A primary's way: ``seconds`` by milestone, counted from the same moment for all devices of a record.

    What was not seen is left out. ``host`` is empty before the Pod was scheduled.
    """

    namespace: str
    name: str
    host: str = ""
    seconds: dict[str, float] = {}

    @property
    def full_name(self) -> str:
        """Give ``namespace/name``."""
        return f"{self.namespace}/{self.name}"


class LimitsThen(
    msgspec.Struct, frozen=True, rename="camel", omit_defaults=True, forbid_unknown_fields=True
):
    """The limits of the Config at the time, 0 for off."""

    batch_size: Annotated[int, msgspec.Meta(ge=0)] = 0
    max_concurrent_per_host: Annotated[int, msgspec.Meta(ge=0)] = 0


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A record of one start. ``resolution`` is that of its times in seconds: 1 for stamps of the API server."""

    format: Literal[1] = FORMAT
    kind: Literal["StageTimes"] = KIND
    resolution: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    rollout: LimitsThen = LimitsThen()
    devices: tuple[DeviceTimes, ...] = ()

    def between(self, first: str, then: str) -> Iterator[tuple[DeviceTimes, float, float]]:
        """Give the devices that have reached both milestones, with the two times."""
        for device in self.devices:
            begin, end = device.seconds.get(first), device.seconds.get(then)
            if begin is not None and end is not None:
                yield device, begin, end

    @property
    def hosts(self) -> list[str]:
        """Name the hosts that have Pods."""
        return sorted({one.host for one in self.devices if one.host})


def is_record(data: bytes) -> bool:
    """Tell whether a file is a record and not a list of objects; it may still be a wrong one."""
    return f'"{KIND}"'.encode() in data[:200]


def read_record(data: bytes, name: str) -> Record:
    """Read the file of a record; RefusedInput says what is wrong with it."""
    try:
        record = msgspec.json.decode(data, type=Record)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RefusedInput(f"{name} is no record of stage times: {error}") from None
    unknown = {key for one in record.devices for key in one.seconds} - set(MILESTONES)
    if unknown:
        known = ", ".join(MILESTONES)
        raise RefusedInput(
            f"{name} has an unknown milestone {min(unknown)!r}", hint=f"there are {known}"
        )
    return record


def check_times(record: Record, name: str) -> Record:
    """Give a record whose seconds are those of a start; RefusedInput for others, of which no sums can be made."""
    times = [record.resolution, *(at for one in record.devices for at in one.seconds.values())]
    odd = next((at for at in times if not abs(at) <= _LONGEST), None)
    if odd is not None:
        raise RefusedInput(f"{name} has times that no start takes: {odd:g} seconds")
    return record


def write_record(record: Record) -> bytes:
    """Give the file of a record: JSON, devices and milestones in the order they have there."""
    return msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n"


def most_at_once(spans: Iterable[tuple[float, float]]) -> int:
    """Give the greatest number of spans of time that overlap."""
    edges = sorted(edge for begin, end in spans for edge in ((begin, 1), (end, -1)))
    most = now = 0
    for _, step in edges:
        now += step
        most = max(most, now)
    return most


def most_on_a_host(records: Sequence[Record], first: str, then: str) -> int:
    """Give the greatest number of devices of one host that were between two milestones at once."""
    spans: dict[tuple[int, str], list[tuple[float, float]]] = {}
    for number, record in enumerate(records):
        for device, begin, end in record.between(first, then):
            spans.setdefault((number, device.host), []).append((begin, end))
    return max(map(most_at_once, spans.values()), default=0)
