"""Ports, label directives and metadata labels of a flattened node (split.md §6)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.resources import labels as keys
from kubectl_c9s.resources import names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.topology.flatten import Flat

_MAX_PORT: Final = 65535
_NUMBER: Final = re.compile(r"[-+]?[0-9]+")


class Issue(NamedTuple):
    """Something to report about a node; ``field`` and ``item`` say where the value was written."""

    severity: str
    code: str
    suffix: str
    message: str
    field: str
    item: str


class Directed(NamedTuple):
    """What the directives make of a node: ports, protocol hints, metadata labels, and what to report."""

    ports: list[str]
    app_protocols: list[dict[str, str]]
    labels: dict[str, str]
    issues: list[Issue]


def apply_directives(flat: Flat) -> Directed:
    """Take ports and labels of a flattened node apart."""
    issues: list[Issue] = []
    ports = list(_destination_ports(flat.values.get("ports", ()), issues))
    labels: dict[str, str] = flat.values.get("labels", {})
    if not labels:
        return Directed(ports, [], {}, issues)
    _expose(labels.get(keys.EXPOSE_PORTS), ports, issues)
    protocols = _protocols(labels.get(keys.APP_PROTOCOLS), issues)
    metadata = {
        key: value
        for key, value in labels.items()
        if key not in {keys.EXPOSE_PORTS, keys.APP_PROTOCOLS}
    }
    issues.extend(unusable_labels(metadata))
    return Directed(ports, protocols, metadata, issues)


def _destination_ports(ports: list[str], issues: list[Issue]) -> Iterator[str]:
    for index, port in enumerate(ports):
        kept = port.rpartition(":")[2]
        if kept != port:
            message = f"the host side of port {port!r} is dropped, {kept!r} is kept"
            issues.append(
                Issue("warning", "host-port-pinning", f"ports[{index}]", message, "ports", port)
            )
        yield kept


def parse_port(text: str) -> str:
    """Give the canonical ``<number>/<protocol>`` of a destination port.

    Raises ValueError with the reason: other protocol, a colon, not a number from 1 to 65535.
    """
    number, slash, protocol = text.strip().partition("/")
    if slash and protocol.upper() not in {"TCP", "UDP"}:
        raise ValueError(f"protocol {protocol!r} is neither tcp nor udp")
    if ":" in number:
        raise ValueError("only the port the node listens on may be given, without a host side")
    if not _NUMBER.fullmatch(number) or len(number) > 10 or not 1 <= int(number) <= _MAX_PORT:  # noqa: PLR2004 - more digits are no port
        raise ValueError(f"must be a port from 1 to {_MAX_PORT} with an optional /tcp or /udp")
    return f"{int(number)}/{protocol.lower() or 'tcp'}"


def _canonical(text: str) -> str | None:
    try:
        return parse_port(text)
    except ValueError:
        return None


def _expose(value: str | None, ports: list[str], issues: list[Issue]) -> None:
    if value is None:
        return
    seen = {_canonical(port) for port in ports}
    for index, entry in enumerate(value.split(",")):
        try:
            port = parse_port(entry)
        except ValueError as error:
            message = f"entry {entry.strip()!r} of label {keys.EXPOSE_PORTS}: {error}"
            issues.append(
                _label_issue("invalid-expose-ports-label", keys.EXPOSE_PORTS, index, message)
            )
            continue
        if port not in seen:
            seen.add(port)
            ports.append(port)


def _protocols(value: str | None, issues: list[Issue]) -> list[dict[str, str]]:
    found: dict[str, str] = {}
    seen: set[str] = set()
    for index, entry in enumerate(value.split(",") if value is not None else ()):
        try:
            port, name = _protocol(entry, seen)
        except ValueError as error:
            message = f"entry {entry.strip()!r} of label {keys.APP_PROTOCOLS}: {error}"
            issues.append(
                _label_issue("invalid-app-protocols-label", keys.APP_PROTOCOLS, index, message)
            )
            continue
        found[port] = name
    return [{"port": port, "appProtocol": name} for port, name in found.items()]


def _protocol(entry: str, seen: set[str]) -> tuple[str, str]:
    """Give (canonical port, name) of one entry; raises ValueError with the reason."""
    port, equals, name = (part.strip() for part in entry.strip().partition("="))
    if not equals:
        raise ValueError("must have the form <port>=<name>")
    canonical = parse_port(port)
    if canonical in seen:
        raise ValueError(f"port {canonical} is given twice")
    seen.add(canonical)
    if name and (problems := names.qualified_name_problems(name)):
        raise ValueError(f"{name!r} is no Kubernetes qualified name: {'; '.join(problems)}")
    return canonical, name


def _label_issue(code: str, label: str, index: int, message: str) -> Issue:
    return Issue("error", code, f"labels.{label}[{index}]", message, "labels", label)


def unusable_labels(labels: dict[str, str]) -> Iterator[Issue]:
    """Report labels of a node that Kubernetes would not take, or that are the manager's."""
    for key, value in labels.items():
        if key.startswith(f"{keys.DOMAIN}/") or key == keys.APP_NAME:
            reason = "the key is reserved"
        else:
            problems = names.qualified_name_problems(key) + names.label_value_problems(value)
            reason = "; ".join(problems)
        if reason:
            message = f"label {key!r} cannot become a Kubernetes label: {reason}"
            yield Issue("error", "unusable-node-label", f"labels.{key}", message, "labels", key)
