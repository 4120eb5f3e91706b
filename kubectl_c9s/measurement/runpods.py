"""What the Pods of a run say about it: images and their identities, address families, hosts."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence  # noqa: TC003 - msgspec reads the annotations
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from kubectl_c9s.resources.live import Meta  # noqa: TC001 - msgspec reads the annotations

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kubectl_c9s.measurement.run import Families

_PULLABLE: Final = "docker-pullable://"
_VERSIONS: Final[dict[int, Families]] = {4: "IPv4", 6: "IPv6"}


class RunContainer(msgspec.Struct):
    """A container of a Pod: its name and the image it asks for."""

    name: str = ""
    image: str = ""


class RunContainerStatus(msgspec.Struct, rename={"image_id": "imageID"}):
    """What a container was made of: the image as the host names it, and its identity."""

    name: str = ""
    image: str = ""
    image_id: str = ""


class RunPodSpec(msgspec.Struct, rename="camel"):
    """Spec of a Pod."""

    node_name: str | None = None
    containers: Sequence[RunContainer] | None = None
    init_containers: Sequence[RunContainer] | None = None


class PodAddress(msgspec.Struct):
    """An address of a Pod."""

    ip: str = ""


class RunPodStatus(
    msgspec.Struct,
    rename={
        "statuses": "containerStatuses",
        "init_statuses": "initContainerStatuses",
        "addresses": "podIPs",
    },
):
    """Status of a Pod."""

    statuses: Sequence[RunContainerStatus] | None = None
    init_statuses: Sequence[RunContainerStatus] | None = None
    addresses: Sequence[PodAddress] | None = None


class RunPod(msgspec.Struct):
    """A Pod as far as the manifest of a run looks at it."""

    metadata: Meta
    spec: RunPodSpec = msgspec.field(default_factory=RunPodSpec)
    status: RunPodStatus = msgspec.field(default_factory=RunPodStatus)


class OfPods(NamedTuple):
    """What the Pods of a run say: images by identity, address families, how many hosts they are on."""

    images: dict[str, str]
    families: tuple[Families, ...]
    hosts: int


def of_pods(pods: Iterable[RunPod]) -> OfPods:
    """Sum up Pods; an image that hosts know by several identities has them all, with ``, `` between.

    An image whose identity no host has told yet has an empty one.
    """
    images: dict[str, set[str]] = {}
    versions: set[int] = set()
    hosts: set[str] = set()
    for pod in pods:
        for image, identity in _identities(pod):
            images.setdefault(image, set()).update({identity} if identity else ())
        versions.update(_versions(pod))
        hosts.update({pod.spec.node_name} if pod.spec.node_name else ())
    return OfPods(
        {image: ", ".join(sorted(known)) for image, known in sorted(images.items())},
        tuple(_VERSIONS[one] for one in sorted(versions)),
        len(hosts),
    )


def _identities(pod: RunPod) -> Iterator[tuple[str, str]]:
    """Give each image that a Pod names, and once more with the identity that it had."""
    spec, status = pod.spec, pod.status
    asked = {
        one.name: one.image for one in (*(spec.containers or ()), *(spec.init_containers or ()))
    }
    yield from ((image, "") for image in asked.values() if image)
    for one in (*(status.statuses or ()), *(status.init_statuses or ())):
        if image := asked.get(one.name) or one.image:
            yield image, one.image_id.removeprefix(_PULLABLE)


def _versions(pod: RunPod) -> Iterator[int]:
    for address in pod.status.addresses or ():
        try:
            yield ipaddress.ip_address(address.ip).version
        except ValueError:  # no address of ours to judge
            continue
