"""Address times of a namespace, host by host."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from kubectl_c9s.measurement.cni.reader import CniTimes  # noqa: TC001 - msgspec reads the annotations

KIND: Final = "AddressTimes"
FORMAT: Final = 1


class HostTimes(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """What the log of a host says; ``error`` why it could not be read to its end, ``times`` then up to there."""

    host: str
    pod: str
    times: CniTimes | None = None
    error: str = ""


class CniReport(msgspec.Struct, frozen=True, rename="camel"):
    """Address times of a namespace by host (docs/schemas/measure-cni.json).

    ``reader`` is empty when no reader fits, which ``not_available`` explains. ``since`` is the moment from which on
    lines count, in seconds since 1970.
    """

    reader: str
    namespace: str
    since: float | None
    hosts: tuple[HostTimes, ...] = ()
    not_available: str = ""
    kind: Literal["AddressTimes"] = KIND
    format: Literal[1] = FORMAT
