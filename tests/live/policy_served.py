"""The definition of RolloutPolicy on a shared test bed, where nobody else is to find the toolkit's own group."""

from __future__ import annotations

import contextlib
import functools
import secrets
from typing import TYPE_CHECKING

from bed_client import path_of
from bed_objects import until

from kubectl_c9s.resources.crd import crd

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bed_base import Bed
    from bed_client import ApiClient

KIND = "RolloutPolicy"
CRDS = "apiextensions.k8s.io/v1", "customresourcedefinitions"


@contextlib.contextmanager
def served_alone(bed: Bed, namespace: str = "default") -> Iterator[tuple[ApiClient, str]]:
    """Serve the definition in a group of this call alone; give a client and the path of a collection."""
    group = f"t{secrets.token_hex(4)}.example.com"
    made = crd(KIND)
    plural = made["spec"]["names"]["plural"]
    made["metadata"]["name"] = f"{plural}.{group}"
    made["spec"]["group"] = group
    # Short names are shared by all groups.
    made["spec"]["names"]["shortNames"] = [f"p{group.partition('.')[0]}"]
    path = path_of(*CRDS, name=made["metadata"]["name"])
    collection = path_of(f"{group}/v1alpha1", plural, namespace)
    with bed.client() as client:
        client.create(path_of(*CRDS), made, fieldValidation="Strict").ok()
        with contextlib.ExitStack() as stack:
            stack.callback(client.delete, path)
            until("the kind is served", functools.partial(_is_served, client, collection))
            yield client, collection


def _is_served(client: ApiClient, collection: str) -> bool:
    return client.get(collection).status == 200
